/* Runs a part of a program under ptrace, and stops, cuts, refuses or records its calls of the operating system. */
#ifndef TRACE_H
#define TRACE_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of calls. Those before CALL_OPEN change what is stored. */
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
    KILL_BEFORE, /* end the process instead of the call */
    KILL_HALF,   /* let a write do half of its bytes, then end the process; other calls are not counted */
    FAIL,        /* refuse the call, though a file that is closed is closed */
    FAIL_ON,     /* refuse this one and all later ones of its kind */
    SHORT        /* let a write do half of its bytes, and go on */
};

/* One change of the folder, as it reached the operating system. */
struct change {
    enum { WRITTEN, RESIZED, INSERTED, SYNCED, CREATED, RENAMED, UNLINKED, FOLDER_SYNCED } kind;
    int file;           /* counted from 0 in the order in which files were first seen, the oldest by name */
    char name[100];     /* of CREATED and UNLINKED, and the old one of RENAMED */
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
    uint32_t calls; /* bits of the kinds that count; 0 for those that change what is stored */
    long number;    /* of the call on which to act, from 1 */
    int error;
    struct log *log; /* where changes are recorded, or NULL */
};

struct outcome {
    long counted;   /* calls of the kinds that count */
    int fired;      /* whether the action was taken, */
    enum call call; /* and on which kind of call */
    int killed;
    int exit_status; /* of a process that ended by itself */
};

/* Whether calls can be traced here; prints why not. */
int trace_possible(void);

/*
 * Runs `before` and then `traced` in a process of its own, of which the second is traced, then `between` in this
 * process while the other stands still, and at last `after` in the other one. A process that was killed gets no
 * further.
 */
struct outcome trace(const struct plan *plan, void (*before)(void), void (*traced)(void), void (*between)(void),
                     int (*after)(void));

void log_free(struct log *log);

#endif
