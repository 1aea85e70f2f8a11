/* Calls of the operating system that fail when they are told to: see faults.c. */
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

/* From now on the N-th call (from 1) fails with this number, or writes only half; `forever` those after it, too. */
void faults_arm(enum fault_call call, long number, int error, int forever);

/* All calls work again. Tells how many have failed. */
long faults_disarm(void);

/* How many calls of a kind there were since calls were last made to fail. */
long faults_count(enum fault_call call);

#endif
