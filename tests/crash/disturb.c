/*
 * Runs each operation once for each of its system calls: the process is killed before the call, or in the middle of a
 * write, or the call fails. The remaining file must be the old or the new one.
 */
#define _GNU_SOURCE
#include "modes.h"
#include "trace.h"
#include "verdict.h"
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Results that the process under test passes on. */
static struct report {
    asdf_status status, again;
    int64_t os_number;
    int32_t is_whole;
    char message[200];
} * report;

static const struct operation *operation;
static const struct versions *versions;
static const struct plan *plan;
static enum version found;

static void before(void) {
    operation->prepare();
}

static void traced(void) {
    report->status = operation->run(operation->durable);
    if (report->status == ASDF_OK) return;
    asdf_error_int(ASDF_REPORT_OS_NUMBER, &report->os_number);
    asdf_error_message(report->message, sizeof report->message, NULL);
}

static void nothing(void) {}

static int leave(void) {
    return 0;
}

/* Checks the file after an operation in which a call failed. The other process waits meanwhile. */
static void look(void) {
    struct folder now;
    found = version_read(versions);
    if (plan->action == FAIL_ON || operation->kind == INTERRUPTED || operation->only_once) return;
    folder_read(&now);
    const struct content *bytes = folder_find(&now, NAME);
    const struct folder *version = found == NEW ? &versions->new : &versions->old;
    if (found != NEITHER && (!bytes || !content_same(bytes, folder_find(version, NAME))))
        failed("the file says what it should, but in other bytes");
    folder_free(&now);
}

/* If a failed save could not be undone, the same process may only be able to save a whole new file. */
static int try_again(void) {
    report->again = operation->only_once ? ASDF_OK : operation->run(operation->durable);
    if (report->again == ASDF_ERR_NOT_IN_PLACE && report->status != ASDF_OK) {
        report->is_whole = 1;
        report->again = save_whole();
    }
    if (report->again != ASDF_OK) failed("it cannot be tried again");
    fflush(stdout);
    return report->again != ASDF_OK;
}

static void describe(const char *how, long number, const struct outcome *outcome) {
    snprintf(situation, sizeof situation, "%s: %s %s, number %ld (%s)", operation->name, how, call_names[outcome->call],
             number, report->message);
}

/* Keeps the remains for other readers, if ASDFKIT_CRASH_KEEP names a folder. */
static void keep(const char *what) {
    const char *kept = getenv("ASDFKIT_CRASH_KEEP");
    char path[500];
    if (!kept || expected) return;
    snprintf(path, sizeof path, "%s/%s, %s", kept, operation->name, what);
    folder_copy(path);
}

/* Returns whether locks work here, so that they show that the writer of a temporary file lives. */
static int locks_are_there(void) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    int descriptor = open(NAME, O_RDWR);
    int there = descriptor >= 0 && fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
    if (descriptor >= 0) close(descriptor);
    return there;
}

/* Returns the number of temporary files that are empty, or that hold bytes. */
static int temporary_files(int with_bytes) {
    int count = 0;
    struct folder now;
    folder_read(&now);
    for (int i = 0; i < now.count; i++) {
        if (fnmatch("." NAME ".*.asdf-tmp", now.files[i].name, 0) == 0)
            count += (now.files[i].bytes.size > 0) == with_bytes;
    }
    folder_free(&now);
    return count;
}

/* Kills the process at each call that changes stored data. */
static void kills(enum action action, const char *how) {
    int counts[3] = {0};
    for (long number = 1;; number++) {
        struct plan kill = {.action = action, .number = number};
        versions_start(versions, operation);
        int failures_before = failures;
        snprintf(situation, sizeof situation, "%s: %s number %ld", operation->name, how, number);
        struct outcome outcome = trace(&kill, before, traced, nothing, leave);
        describe(how, number, &outcome);
        if (!outcome.killed) failed("the process was not killed");
        char what[100];
        snprintf(what, sizeof what, "%s %ld", how, number);
        keep(what);
        enum version version = version_repaired(versions);
        counts[version]++;
        if (!outcome.fired && version != NEW) failed("all is done, but the file is not the new one");
        waits_for_nothing = 1;
        int left = temporary_files(1);
        if (save_later() != ASDF_OK) failed("it cannot be changed any more");
        waits_for_nothing = 0;
        if (temporary_files(1) != left) failed("the next save removes what a killed one had written");
        if (locks_are_there() && temporary_files(0) > 0) failed("the next save leaves empty temporary files");
        if (failures == failures_before) passed++;
        if (!outcome.fired) break;
    }
    if (!expected)
        printf("%s: %s each call: %d times the old file, %d times the new one\n", operation->name, how, counts[OLD],
               counts[NEW]);
}

static void faults(enum action action, uint32_t calls, int error, const char *how) {
    for (long number = 1;; number++) {
        struct plan fail = {.action = action, .calls = calls, .number = number, .error = error};
        plan = &fail;
        versions_start(versions, operation);
        memset(report, 0, sizeof *report);
        int failures_before = failures;
        snprintf(situation, sizeof situation, "%s: %s number %ld", operation->name, how, number);
        struct outcome outcome = trace(&fail, before, traced, look, try_again);
        describe(how, number, &outcome);
        if (outcome.killed || outcome.exit_status != 0) failed("the process ended badly");
        if (report->status == ASDF_OK && found != NEW) failed("it succeeded, but the file is not the new one");
        if (report->status != ASDF_OK) {
            if (!outcome.fired || action == SHORT) failed("it failed without a reason");
            /* With the new file in place, only the wait for its name or for the end of a journal can fail. */
            int is_in_place = report->status == ASDF_ERR_NOT_DURABLE;
            if (is_in_place && action == FAIL && outcome.call != CALL_SYNC) failed("nothing was to be waited for");
            if (is_in_place && found != NEW) failed("the file is called the new one, but it is not");
            if (!is_in_place && found == NEW) failed("it failed, but the file is the new one");
            if (report->os_number != error && outcome.call != CALL_LOCK) failed("the error is not that of the system");
            if (error == ENOSPC && report->status != ASDF_ERR_NO_SPACE && !is_in_place)
                failed("a full disk is not called so");
        }
        if (operation->only_once) {
            version_repaired(versions);
        } else {
            enum version version = report->is_whole ? version_read(versions) : version_repaired(versions);
            if (version != NEW) failed("tried again it is not the new one");
        }
        if (failures == failures_before) passed++;
        if (!outcome.fired) break;
    }
}

void disturb(const struct operation *tried) {
    struct versions made;
    operation = tried;
    if (!report) report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED) abort();
    if (!versions_make(&made, operation)) return;
    versions = &made;
    keep(operation->kind == WHOLE ? "old" : "in place");
    folder_restore(&made.new);
    keep("new");
    kills(KILL_BEFORE, "killed before");
    kills(KILL_HALF, "killed in");
    const uint32_t all = (1U << CALLS) - 1,
                   writes = 1U << CALL_WRITE | 1U << CALL_COPY | 1U << CALL_ALLOCATE | 1U << CALL_TRUNCATE;
    faults(FAIL, all, EIO, "EIO at");
    faults(FAIL, all, EINTR, "EINTR at");
    faults(FAIL, writes | 1U << CALL_SYNC | 1U << CALL_CREATE | 1U << CALL_RENAME, ENOSPC, "ENOSPC at");
    faults(FAIL_ON, writes, EDQUOT, "EDQUOT from");
    faults(FAIL_ON, all, EIO, "EIO from");
    faults(SHORT, writes, 0, "short");
    versions_free(&made);
}
