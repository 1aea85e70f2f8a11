/* Comparisons cover all content that is read, and all bytes. */
#define _GNU_SOURCE
#include "verdict.h"
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int passed, failures, expected, waits_for_nothing, may_leave_journal;
char situation[600];

/* Definitions of the program take precedence over those of shared libraries. */
int fsync(int descriptor) {
    return waits_for_nothing ? 0 : (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    return waits_for_nothing ? 0 : (int)syscall(SYS_fdatasync, descriptor);
}

void failed(const char *what) {
    char message[300] = "";
    failures++;
    if (expected) return;
    asdf_error_message(message, sizeof message, NULL);
    printf("FAILED %s: %s; last error: %s\n", situation, what, message);
}

int apart(int (*task)(const struct operation *), const struct operation *operation) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int good = task(operation);
        fflush(stdout);
        _exit(!good);
    }
    int status = -1;
    return child >= 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int run_undisturbed(const struct operation *operation) {
    operation->prepare();
    asdf_status status = operation->run(operation->durable);
    if (status != ASDF_OK) failed("the operation fails undisturbed");
    return status == ASDF_OK;
}

static int prepare_only(const struct operation *operation) {
    operation->prepare();
    return 1;
}

/* Opens the file for update, which undoes an interrupted save. */
static int open_for_update(const struct operation *operation) {
    struct content content = {0};
    (void)operation;
    int good = content_read(&content, NAME, 1) == ASDF_OK;
    content_free(&content);
    return good;
}

void versions_start(const struct versions *versions, const struct operation *operation) {
    static const struct folder nothing;
    folder_restore(operation->kind == INTERRUPTED ? &nothing : &versions->before);
    if (operation->kind == INTERRUPTED) operation->old();
}

int versions_make(struct versions *versions, const struct operation *operation) {
    const struct folder nothing = {0};
    memset(versions, 0, sizeof *versions);
    snprintf(situation, sizeof situation, "%s", operation->name);
    folder_restore(&nothing);
    operation->old();
    folder_read(&versions->before);
    int good = apart(run_undisturbed, operation);
    folder_read(&versions->new);
    good = good && content_read(&versions->new_content, NAME, 0) == ASDF_OK;
    versions_start(versions, operation);
    good = good && apart(prepare_only, operation) && apart(open_for_update, operation) &&
           content_read(&versions->old_content, NAME, 0) == ASDF_OK;
    folder_read(&versions->old);
    if (!good || content_same(folder_find(&versions->old, NAME), folder_find(&versions->new, NAME))) {
        failed("there are no two versions to be told apart");
        return 0;
    }
    return 1;
}

void versions_free(struct versions *versions) {
    folder_free(&versions->before);
    folder_free(&versions->old);
    folder_free(&versions->new);
    content_free(&versions->old_content);
    content_free(&versions->new_content);
}

/* For operations that do not change the content of the file. */
static enum version version_by_bytes(const struct versions *versions) {
    struct content bytes = {0};
    enum version version = OLD;
    if (content_of_bytes(&bytes, NAME) && content_same(&bytes, folder_find(&versions->new, NAME))) version = NEW;
    content_free(&bytes);
    return version;
}

static enum version version_opened(const struct versions *versions, int for_update) {
    struct content content = {0};
    enum version version = NEITHER;
    const char *how = for_update ? "for update" : "for reading";
    char message[100];
    if (content_read(&content, NAME, for_update) != ASDF_OK) {
        snprintf(message, sizeof message, "the file cannot be read when opened %s", how);
        failed(message);
    } else if (content_same(&content, &versions->old_content)) {
        version = content_same(&content, &versions->new_content) ? version_by_bytes(versions) : OLD;
    } else if (content_same(&content, &versions->new_content)) {
        version = NEW;
    } else {
        snprintf(message, sizeof message, "opened %s the file is neither the old nor the new", how);
        failed(message);
    }
    content_free(&content);
    return version;
}

enum version version_read(const struct versions *versions) {
    return version_opened(versions, 0);
}

enum version version_repaired(const struct versions *versions) {
    enum version read = version_opened(versions, 0);
    waits_for_nothing = 1;
    enum version updated = version_opened(versions, 1);
    waits_for_nothing = 0;
    if (read == NEITHER || updated == NEITHER) return NEITHER;
    if (read != updated) {
        failed("opened for update it is another version than for reading");
        return NEITHER;
    }
    struct folder now;
    folder_read(&now);
    const struct folder *version = read == OLD ? &versions->old : &versions->new;
    const struct content *bytes = folder_find(&now, NAME), *expected = folder_find(version, NAME);
    if (!bytes || !content_same(bytes, expected)) {
        failed("the file says what it should, but in other bytes");
        read = NEITHER;
    }
    for (int i = 0; i < now.count; i++) {
        const char *name = now.files[i].name;
        if (folder_find(&versions->old, name) || folder_find(&versions->new, name)) continue;
        if (may_leave_journal && read == NEW && strcmp(name, "." NAME ".asdf-journal") == 0) continue;
        if (fnmatch("." NAME ".*.asdf-tmp", name, 0) == 0) continue;
        char message[400];
        snprintf(message, sizeof message, "left behind: %s", name);
        failed(message);
        read = NEITHER;
    }
    folder_free(&now);
    return read;
}
