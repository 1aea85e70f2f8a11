/* System calls that fail on request: see faults.c. */
#ifndef FAULTS_H
#define FAULTS_H

enum fault_call {
    CALL_OPEN,
    CALL_WRITE,
    CALL_FSYNC,
    CALL_CHMOD,
    CALL_STAT,
    CALL_CLOSE,
    CALL_TRUNCATE,
    CALL_UNLINK,
    CALLS
};

extern const char *const fault_call_names[CALLS];

enum { SHORT_WRITE = -1 };

/* Lets the N-th call (from 1) fail with this error or write only half; with `forever` all later ones, too. */
void faults_arm(enum fault_call call, long number, int error, int forever);

/* Lets all calls work again. Returns how many have failed. */
long faults_disarm(void);

/* Returns the number of calls of a kind since faults_arm(). */
long faults_count(enum fault_call call);

#endif
