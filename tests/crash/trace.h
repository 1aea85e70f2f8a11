/* Runs a part of a program under ptrace, and stops, cuts, refuses or records its system calls. */
#ifndef TRACE_H
#define TRACE_H

#include "pretend.h"
#include <stddef.h>
#include <stdint.h>

/* Kinds of calls. Those before CALL_OPEN change stored data. */
enum call {
    CALL_WRITE,
    CALL_SYNC,
    CALL_RENAME,
    CALL_TRUNCATE,
    CALL_ALLOCATE,
    CALL_COPY,
    CALL_CLONE,
    CALL_UNLINK,
    CALL_CREATE,
    CALL_LINK,
    CALL_TIMES,
    CALL_MODE,
    CALL_LOCK,
    CALL_OPEN,
    CALL_CLOSE,
    CALL_STAT,
    CALL_READ,
    CALLS
};

extern const char *const call_names[CALLS];

enum action {
    LET,         /* count only */
    KILL_BEFORE, /* kill the process before the call */
    KILL_HALF,   /* let a write store half of its bytes, then kill the process; other calls are not counted */
    FAIL,        /* let the call fail; a file is closed nevertheless */
    FAIL_ON,     /* let this call and all later ones of its kind fail */
    SHORT        /* let a write store half of its bytes, and continue */
};

/* One change of the folder, as the operating system got it. */
struct change {
    enum { WRITTEN, RESIZED, SYNCED, CREATED, RENAMED, UNLINKED, FOLDER_SYNCED } kind;
    int file;           /* number from 0 in the order of first use; existing files come first, sorted by name */
    char name[100];     /* of CREATED and UNLINKED; the old name of RENAMED */
    char new_name[100]; /* of RENAMED */
    int64_t offset, length;
    unsigned char *bytes; /* of WRITTEN */
};

struct log {
    struct change *changes;
    size_t count;
};

struct plan {
    enum action action;
    uint32_t calls; /* bits of the kinds that are counted; 0 for those that change stored data */
    long number;    /* number of the call for the action, from 1 */
    int error;
    struct log *log; /* record of the changes, or NULL */
};

struct outcome {
    long counted;   /* calls of the counted kinds */
    int fired;      /* whether the action was taken, */
    enum call call; /* and on which kind of call */
    int killed;
    int exit_status; /* of a process that was not killed */
};

/* Returns whether calls can be traced here; prints the reason if not. */
int trace_possible(void);

/*
 * Runs `before` and then `traced` in a separate process, and traces the calls of `traced`. Then runs `between` in this
 * process while the other waits, and at last `after` in the other one. After a kill, neither `between` nor `after`
 * runs.
 */
struct outcome trace(const struct plan *plan, void (*before)(void), void (*traced)(void), void (*between)(void),
                     int (*after)(void));

/* Returns what tells a file of the last record, by its number, from others. */
struct identity trace_file(int file);

void log_free(struct log *log);

#endif
