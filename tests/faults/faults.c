/*
 * Replacements for the functions of the C library through which the library under test calls the operating system.
 * Definitions of the program take precedence over those of shared libraries, so each call of the library comes here.
 */
#define _GNU_SOURCE
#include "faults.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

const char *const fault_call_names[CALLS] = {"open", "write", "fsync", "fchmod", "stat", "close", "truncate", "unlink"};

static enum fault_call armed_call;
static long armed_number, failed, counts[CALLS];
static int armed, armed_error, armed_forever;

void faults_arm(enum fault_call call, long number, int error, int forever) {
    armed_call = call;
    armed_number = number;
    armed_error = error;
    armed_forever = forever;
    failed = 0;
    for (int i = 0; i < CALLS; i++) counts[i] = 0;
    armed = 1;
}

long faults_disarm(void) {
    armed = 0;
    return failed;
}

long faults_count(enum fault_call call) {
    return counts[call];
}

/* Returns whether this call must fail. */
static int fails(enum fault_call call) {
    if (!armed) return 0;
    long number = ++counts[call];
    if (call != armed_call || (armed_forever ? number < armed_number : number != armed_number)) return 0;
    failed++;
    if (armed_error != SHORT_WRITE) errno = armed_error;
    return 1;
}

/* Returns the C library's function of this name. POSIX allows dlsym() for functions; ISO C allows no such conversion.
 */
#define NEXT(result, name, ...)                                                                                        \
    static result (*next)(__VA_ARGS__);                                                                                \
    if (!next) {                                                                                                       \
        *(void **)(&next) = dlsym(RTLD_NEXT, name);                                                                    \
        if (!next) abort();                                                                                            \
    }

static mode_t mode_of(int flags, va_list arguments) {
    return (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        NEXT(int, #name, const char *, int, ...)                                                                       \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        mode_t mode = mode_of(flags, arguments);                                                                       \
        va_end(arguments);                                                                                             \
        return fails(CALL_OPEN) ? -1 : next(path, flags, mode);                                                        \
    }

#define OPENAT(name)                                                                                                   \
    int name(int folder, const char *path, int flags, ...) {                                                           \
        NEXT(int, #name, int, const char *, int, ...)                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        mode_t mode = mode_of(flags, arguments);                                                                       \
        va_end(arguments);                                                                                             \
        return fails(CALL_OPEN) ? -1 : next(folder, path, flags, mode);                                                \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int descriptor, const void *bytes, size_t size) {
    NEXT(ssize_t, "write", int, const void *, size_t)
    if (!fails(CALL_WRITE)) return next(descriptor, bytes, size);
    return armed_error == SHORT_WRITE ? next(descriptor, bytes, (size + 1) / 2) : -1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) {
    NEXT(ssize_t, "pwrite64", int, const void *, size_t, off_t)
    if (!fails(CALL_WRITE)) return next(descriptor, bytes, size, offset);
    return armed_error == SHORT_WRITE ? next(descriptor, bytes, (size + 1) / 2, offset) : -1;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    NEXT(ssize_t, "writev", int, const struct iovec *, int)
    if (!fails(CALL_WRITE)) return next(descriptor, parts, count);
    return armed_error == SHORT_WRITE ? next(descriptor, parts, 1) : -1;
}

int fsync(int descriptor) {
    NEXT(int, "fsync", int)
    return fails(CALL_FSYNC) ? -1 : next(descriptor);
}

int fdatasync(int descriptor) {
    NEXT(int, "fdatasync", int)
    return fails(CALL_FSYNC) ? -1 : next(descriptor);
}

int ftruncate64(int descriptor, off_t length) {
    NEXT(int, "ftruncate64", int, off_t)
    return fails(CALL_TRUNCATE) ? -1 : next(descriptor, length);
}

int unlink(const char *path) {
    NEXT(int, "unlink", const char *)
    return fails(CALL_UNLINK) ? -1 : next(path);
}

int fchmod(int descriptor, mode_t mode) {
    NEXT(int, "fchmod", int, mode_t)
    return fails(CALL_CHMOD) ? -1 : next(descriptor, mode);
}

int statx(int folder, const char *path, int flags, unsigned mask, struct statx *out) {
    NEXT(int, "statx", int, const char *, int, unsigned, struct statx *)
    return fails(CALL_STAT) ? -1 : next(folder, path, flags, mask, out);
}

/* As on Linux, the descriptor is closed whatever the result. */
int close(int descriptor) {
    NEXT(int, "close", int)
    int fail = fails(CALL_CLOSE);
    int answer = next(descriptor);
    if (!fail) return answer;
    errno = armed_error;
    return -1;
}
