/*
 * Power cuts: an operation is recorded, and from each beginning of the record the test makes folders that a disk may
 * hold after a power cut. Bytes written since the last sync of their file may be missing, complete or partial, in any
 * order. The same holds for names since the last sync of their folder.
 */
#define _GNU_SOURCE
#include "modes.h"
#include "pretend.h"
#include "trace.h"
#include "verdict.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 40, SECTOR = 512, IMAGES = 1 << 16 };

/* The folder before the operation runs. */
static const struct folder *start;

static uint64_t random_state;

static uint32_t random_below(uint32_t bound) {
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(random_state >> 33) % bound;
}

/* State on the disk of each change that need not be there yet. */
enum there { ABSENT, COMPLETE, SECTORS, LENGTH_ONLY };

static const struct operation *operation;
static asdf_status run_status;
static struct log changes;
static unsigned char *settled, *there; /* for each change, in the current image */

struct name {
    char name[100];
    int file;
};

static struct image {
    struct content files[FILES];
    struct name names[FILES];
    int name_count;
} image;

static void resize(struct content *file, int64_t size) {
    if ((size_t)size > file->capacity) {
        file->capacity = (size_t)size * 2;
        file->bytes = realloc(file->bytes, file->capacity);
        if (!file->bytes) abort();
    }
    if ((size_t)size > file->size) memset(file->bytes + file->size, 0, (size_t)size - file->size);
    file->size = (size_t)size;
}

static void apply_write(struct content *file, const struct change *change, enum there how) {
    int64_t end = change->offset + change->length;
    if ((size_t)end > file->size) resize(file, end);
    if (how == LENGTH_ONLY) return;
    for (int64_t at = change->offset; at < end;) {
        int64_t next = (at / SECTOR + 1) * SECTOR;
        if (next > end) next = end;
        if (how == COMPLETE || random_below(2))
            memcpy(file->bytes + at, change->bytes + (at - change->offset), (size_t)(next - at));
        at = next;
    }
}

static void remove_name(const char *name) {
    for (int i = 0; i < image.name_count; i++)
        if (strcmp(image.names[i].name, name) == 0) image.names[i--] = image.names[--image.name_count];
}

static int find_name(const char *name) {
    for (int i = 0; i < image.name_count; i++)
        if (strcmp(image.names[i].name, name) == 0) return image.names[i].file;
    return -1;
}

static void add_name(const char *name, int file) {
    if (file < 0) return;
    remove_name(name);
    if (image.name_count == FILES) abort();
    snprintf(image.names[image.name_count].name, sizeof image.names[0].name, "%s", name);
    image.names[image.name_count++].file = file;
}

static int is_of_folder(const struct change *change) {
    return change->kind == CREATED || change->kind == RENAMED || change->kind == UNLINKED;
}

/* Returns the file of a name after these changes. A renaming needs it, as its old name may not be on disk. */
static int live_file(const char *name, size_t before, const struct folder *old) {
    for (size_t i = before; i-- > 0;) {
        const struct change *change = &changes.changes[i];
        if (change->kind == CREATED && strcmp(change->name, name) == 0) return change->file;
        if (change->kind == RENAMED && strcmp(change->new_name, name) == 0) return live_file(change->name, i, old);
        if ((change->kind == RENAMED || change->kind == UNLINKED) && strcmp(change->name, name) == 0) return -1;
    }
    for (int i = 0; i < old->count; i++)
        if (strcmp(old->files[i].name, name) == 0) return i;
    return -1;
}

/* Makes the folder after the first changes. Those that are not settled are there as chosen. */
static void build(const struct folder *old, size_t count) {
    for (int i = 0; i < FILES; i++) image.files[i].size = 0;
    image.name_count = 0;
    for (int i = 0; i < old->count; i++) {
        const struct content *bytes = &old->files[i].bytes;
        resize(&image.files[i], (int64_t)bytes->size);
        memcpy(image.files[i].bytes, bytes->bytes, bytes->size);
        add_name(old->files[i].name, i);
    }
    for (size_t i = 0; i < count; i++) {
        const struct change *change = &changes.changes[i];
        enum there how = settled[i] ? COMPLETE : (enum there)there[i];
        if (how == ABSENT) continue;
        struct content *file = change->file >= 0 ? &image.files[change->file] : NULL;
        switch (change->kind) {
        case WRITTEN:
            apply_write(file, change, how);
            break;
        case RESIZED:
            resize(file, change->length);
            break;
        case CREATED:
            add_name(change->name, change->file);
            break;
        case RENAMED: {
            int named = live_file(change->name, i, old);
            remove_name(change->name);
            add_name(change->new_name, named);
            break;
        }
        case UNLINKED:
            remove_name(change->name);
            break;
        case SYNCED:
        case FOLDER_SYNCED:
            break;
        }
    }
}

static uint64_t digest(void) {
    uint64_t sum = 14695981039346656037U;
    for (int i = 0; i < image.name_count; i++) {
        uint64_t one = 14695981039346656037U;
        const struct content *file = &image.files[image.names[i].file];
        for (const char *at = image.names[i].name; *at; at++) one = (one ^ (unsigned char)*at) * 1099511628211U;
        for (size_t at = 0; at < file->size; at++) one = (one ^ (unsigned char)file->bytes[at]) * 1099511628211U;
        sum += one * (one | 1);
    }
    return sum;
}

static uint64_t seen[IMAGES];
static int images;
static int found[3];

/* Checks the chosen image unless it was checked before. `all_done`: the operation has returned. */
static void look(const struct versions *versions, size_t count, int all_done) {
    build(start, count);
    uint64_t sum = digest() + (uint64_t)all_done;
    size_t slot = sum % IMAGES;
    while (seen[slot] && seen[slot] != sum) slot = (slot + 1) % IMAGES;
    if (seen[slot] || images >= IMAGES / 2) return;
    seen[slot] = sum;
    images++;
    static const struct folder nothing;
    folder_restore(&nothing);
    for (int i = 0; i < image.name_count; i++) {
        const struct content *bytes = &image.files[image.names[i].file];
        FILE *stream = fopen(image.names[i].name, "wb");
        if (!stream || fwrite(bytes->bytes, 1, bytes->size, stream) != bytes->size || fclose(stream)) abort();
    }
    pretend_no_files();
    for (int i = 0; i < image.name_count; i++) {
        /* All files get the same time: what comes later on the disk may be lost. */
        const struct timespec times[2] = {{.tv_sec = 1 << 30}, {.tv_sec = 1 << 30}};
        if (utimensat(AT_FDCWD, image.names[i].name, times, 0)) abort();
        pretend_file(image.names[i].name, trace_file(image.names[i].file));
    }
    int failures_before = failures;
    enum version version = version_repaired(versions);
    pretend_no_files();
    found[version]++;
    if (all_done && version == OLD) failed("what was waited for is lost");
    if (failures == failures_before) passed++;
}

/* Marks the changes that are certainly on the disk after the first `count`; returns the number of others. */
static size_t settle(size_t count, const unsigned char *no_wait) {
    size_t open = 0;
    for (size_t i = 0; i < count; i++) {
        const struct change *change = &changes.changes[i];
        settled[i] = change->kind == SYNCED || change->kind == FOLDER_SYNCED;
        for (size_t later = i + 1; later < count && !settled[i]; later++) {
            if (no_wait[later]) continue;
            settled[i] = is_of_folder(change)
                             ? changes.changes[later].kind == FOLDER_SYNCED
                             : changes.changes[later].kind == SYNCED && changes.changes[later].file == change->file;
        }
        open += !settled[i];
    }
    return open;
}

static void choose_all(size_t count, enum there how) {
    memset(there, how, count);
}

static void choose_at_random(size_t count) {
    /* Mostly complete, mostly absent, or half and half. */
    uint32_t leaning = random_below(3);
    for (size_t i = 0; i < count; i++) {
        int stays = leaning == 0 ? random_below(4) != 0 : leaning == 1 ? random_below(4) == 0 : (int)random_below(2);
        there[i] = (unsigned char)(stays ? COMPLETE : changes.changes[i].kind == WRITTEN ? random_below(4) : ABSENT);
    }
}

/* Makes and checks images, some at random, until there are as many as wanted or no new ones appear. */
static void check_images(const struct versions *versions, int wanted, const unsigned char *no_wait) {
    size_t count = changes.count;
    memset(seen, 0, sizeof seen);
    memset(found, 0, sizeof found);
    images = 0;
    for (size_t length = 0; length <= count; length++) {
        int all_done = length == count;
        settle(length, no_wait);
        choose_all(length, ABSENT);
        look(versions, length, all_done);
        choose_all(length, COMPLETE);
        look(versions, length, all_done);
        for (size_t one = 0; one < length; one++) {
            if (settled[one]) continue;
            for (int how = ABSENT; how <= LENGTH_ONLY; how++) {
                if (how != ABSENT && how != COMPLETE && changes.changes[one].kind != WRITTEN) continue;
                choose_all(length, how == ABSENT ? COMPLETE : ABSENT);
                there[one] = (unsigned char)how;
                look(versions, length, all_done);
                choose_all(length, COMPLETE);
                there[one] = (unsigned char)how;
                look(versions, length, all_done);
            }
        }
    }
    for (int tries = 0; images < wanted && tries < 4 * wanted; tries++) {
        size_t length = random_below((uint32_t)count + 1);
        if (settle(length, no_wait) == 0) continue;
        choose_at_random(length);
        look(versions, length, length == count);
    }
}

/* Copy of the file at the start of the recorded calls, beside the folder. */
#define STARTED "../started.asdf"

static void before(void) {
    operation->prepare();
    if (!begins_prepared(operation)) return;
    static char bytes[1 << 20];
    FILE *from = fopen(NAME, "rb"), *to = fopen(STARTED, "wb");
    if (!from || !to) abort();
    size_t size = fread(bytes, 1, sizeof bytes, from);
    if (size == sizeof bytes || fwrite(bytes, 1, size, to) != size || fclose(to) || fclose(from)) abort();
}

static void traced(void) {
    run_status = operation->run(operation->durable);
}

static void nothing(void) {}

static int tell(void) {
    return run_status != ASDF_OK;
}

static int is_wait(const struct change *change) {
    return change->kind == SYNCED || change->kind == FOLDER_SYNCED;
}

/* What a process for one operation is told, and how its counts come back. */
struct request {
    int wanted, each_wait;
    int passed, failures;
};

static struct request *request;

/* The images are judged in this process, which did not yet read the number of the start of the system. */
static int replay_here(const struct operation *tried) {
    struct versions versions;
    struct plan plan = {.action = LET, .log = &changes};
    int wanted = request->wanted;
    operation = tried;
    random_state = 20260;
    if (!versions_make(&versions, operation)) return 0;
    versions_start(&versions, operation);
    struct folder before_run;
    folder_read(&before_run);
    start = operation->kind == INTERRUPTED ? &before_run : &versions.old;
    struct outcome outcome = trace(&plan, before, traced, nothing, tell);
    snprintf(situation, sizeof situation, "%s: recorded", operation->name);
    if (outcome.killed || outcome.exit_status != 0) failed("it fails when it is recorded");
    for (int i = 0; begins_prepared(operation) && i < before_run.count; i++) {
        struct folder_file *one = &before_run.files[i];
        if (strcmp(one->name, NAME) != 0) continue;
        content_free(&one->bytes);
        if (!content_of_bytes(&one->bytes, STARTED)) abort();
    }

    settled = malloc(changes.count + 1);
    there = malloc(changes.count + 1);
    unsigned char *no_wait = calloc(changes.count + 1, 1);
    if (!settled || !there || !no_wait) abort();
    /* Applying all recorded changes must give the new file. */
    choose_all(changes.count, COMPLETE);
    memset(settled, 0, changes.count);
    build(start, changes.count);
    int file = find_name(NAME);
    if (file < 0 || !content_same(&image.files[file], folder_find(&versions.new, NAME)))
        failed("the record misses something");

    snprintf(situation, sizeof situation, "%s: power cut", operation->name);
    pretend_power_cut();
    check_images(&versions, wanted, no_wait);
    int waits = 0;
    for (size_t i = 0; i < changes.count; i++) waits += is_wait(&changes.changes[i]);
    if (!expected)
        printf("%s: %zu changes, %d waits, %d images: %d times the old file, %d times the new one\n", operation->name,
               changes.count, waits, images, found[OLD], found[NEW]);

    /* Without waits some content must be lost; otherwise the images would prove nothing. */
    int was_expected = expected;
    expected = 1;
    for (size_t i = 0; i < changes.count; i++) no_wait[i] = is_wait(&changes.changes[i]) != 0;
    int passed_before = passed, failures_before = failures;
    check_images(&versions, wanted, no_wait);
    int lost = failures - failures_before;
    failures = failures_before;
    for (size_t i = 0; request->each_wait && i < changes.count; i++) {
        if (!is_wait(&changes.changes[i])) continue;
        memset(no_wait, 0, changes.count);
        no_wait[i] = 1;
        check_images(&versions, wanted, no_wait);
        printf("%s: of %d images without wait %zu (%s) %d are bad\n", operation->name, images, i,
               changes.changes[i].kind == SYNCED ? "file" : "folder", failures - failures_before);
        failures = failures_before;
    }
    passed = passed_before;
    expected = was_expected;
    if (lost > 0) {
        passed++;
    } else {
        failed("not to wait for anything does no harm, so the images show nothing");
    }
    free(settled);
    free(there);
    free(no_wait);
    log_free(&changes);
    folder_free(&before_run);
    versions_free(&versions);
    return 1;
}

static int replay_and_count(const struct operation *tried) {
    passed = failures = 0;
    int good = replay_here(tried);
    request->passed = passed;
    request->failures = failures;
    return good;
}

void replay(const struct operation *tried, int wanted, int each_wait) {
    request = mmap(NULL, sizeof *request, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (request == MAP_FAILED) abort();
    *request = (struct request){.wanted = wanted, .each_wait = each_wait};
    if (!apart(replay_and_count, tried) && request->failures == 0) {
        snprintf(situation, sizeof situation, "%s", tried->name);
        failed("the process that judges the images ends early");
    }
    passed += request->passed;
    failures += request->failures;
    munmap(request, sizeof *request);
}
