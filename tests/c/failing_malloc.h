/* Functions of the C library that allocate, replaced by some that fail on request. One file of a program includes this
   first. */
#ifndef FAILING_MALLOC_H
#define FAILING_MALLOC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

/* The size from which on allocations fail. */
static size_t failing_size = 0;

/* The number of allocations before the one that fails; negative for none. */
static atomic_int before_failure = -1;

/* Whether all later allocations fail, too. */
static int failures_last = 0;

/* The number of failures, and of pieces of memory that were not freed. */
static atomic_int failures = 0;
static atomic_long pieces = 0;

/* Set where the C library ends the program if an allocation fails. */
static _Thread_local int must_not_fail = 0;

static int allocation_fails(size_t size) {
    if (must_not_fail || size < failing_size || before_failure < 0) return 0;
    /* At 0 the next one fails; at -1 none does. Lasting failures stay at 0. */
    int before = before_failure;
    while (before > 0 && !atomic_compare_exchange_weak(&before_failure, &before, before - 1)) {
    }
    if (before != 0) return 0;
    if (!failures_last && !atomic_compare_exchange_strong(&before_failure, &before, -1)) return 0;
    failures++;
    errno = ENOMEM;
    return 1;
}

static void *counted_piece(void *memory) {
    if (memory) pieces++;
    return memory;
}

/* Finds the replaced function. Standard C has no conversion to a function. */
#define FIND_NEXT(next, name)                                                                                          \
    do {                                                                                                               \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, name);                                                           \
    } while (0)

void *malloc(size_t size) {
    static void *(*next)(size_t);
    FIND_NEXT(next, "malloc");
    return allocation_fails(size) ? NULL : counted_piece(next(size));
}

void *calloc(size_t count, size_t size) {
    static void *(*next)(size_t, size_t);
    FIND_NEXT(next, "calloc");
    return allocation_fails(count * size) ? NULL : counted_piece(next(count, size));
}

void *realloc(void *memory, size_t size) {
    static void *(*next)(void *, size_t);
    FIND_NEXT(next, "realloc");
    /* Memory that becomes smaller stays where it is. */
    if (malloc_usable_size(memory) < size && allocation_fails(size)) return NULL;
    void *moved = next(memory, size);
    if (!memory) counted_piece(moved);
    return moved;
}

void free(void *memory) {
    static void (*next)(void *);
    FIND_NEXT(next, "free");
    if (memory) pieces--;
    next(memory);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    static int (*next)(void **, size_t, size_t);
    FIND_NEXT(next, "posix_memalign");
    if (allocation_fails(size)) return ENOMEM;
    int failure = next(memory, alignment, size);
    if (!failure) counted_piece(*memory);
    return failure;
}

void *aligned_alloc(size_t alignment, size_t size) {
    static void *(*next)(size_t, size_t);
    FIND_NEXT(next, "aligned_alloc");
    return allocation_fails(size) ? NULL : counted_piece(next(alignment, size));
}

/* The begin of a thread, and the first use of a thread-local variable with a destructor. */
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *variable, void *library);
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *variable, void *library) {
    static int (*next)(void (*)(void *), void *, void *);
    FIND_NEXT(next, "__cxa_thread_atexit_impl");
    must_not_fail++;
    int failure = next(destructor, variable, library);
    must_not_fail--;
    return failure;
}

/* Lets an allocation fail, after `before` others, or from there on. */
static void fail_after(int before, int last) {
    failures = 0;
    failures_last = last;
    before_failure = before;
}

/* Ends the failures. Returns how many there were. */
static int stop_failing(void) {
    before_failure = -1;
    return failures;
}

/* The status of the calls of an operation; the first failure ends it. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        status = (call);                                                                                               \
        if (status != ASDF_OK) goto end;                                                                               \
    } while (0)

#endif
