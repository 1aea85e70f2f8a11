/* Decides whether a disturbed operation left the complete old or new file. */
#ifndef VERDICT_H
#define VERDICT_H

#include "folder.h"
#include "operations.h"

/* The two permitted versions, and the folder before an operation is prepared (often the old version). */
struct versions {
    struct folder before, old, new;
    struct content old_content, new_content;
};

enum version { NEITHER, OLD, NEW };

/* If set, a journal may remain beside the new file, on which it has no effect. */
extern int may_leave_journal;

extern int passed, failures;
/* The current attempt, for messages. */
extern char situation[600];
void failed(const char *what);
/* While this is set, failures are counted but not printed. */
extern int expected;

/* Does a task for an operation in a process of its own. Returns its result, or 0 if the process does not end well. */
int apart(int (*task)(const struct operation *), const struct operation *operation);

/*
 * Runs an operation undisturbed in the current folder to get its versions; 0 if it fails. Only other processes meet
 * journals.
 */
int versions_make(struct versions *versions, const struct operation *operation);

/*
 * Makes the folder from before the operation. A save is interrupted anew each time: its journal belongs to one file,
 * and not to a copy.
 */
void versions_start(const struct versions *versions, const struct operation *operation);
void versions_free(struct versions *versions);

/* Returns the version that our reader finds, without changing anything. */
enum version version_read(const struct versions *versions);

/*
 * Opens the file for reading, then for update, which repairs it. Returns the version, or NEITHER with a message if
 * anything is wrong.
 */
enum version version_repaired(const struct versions *versions);

/* While this is set, waits for the disk are skipped where they cannot matter. */
extern int waits_for_nothing;

#endif
