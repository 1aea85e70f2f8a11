/* Whether what a disturbed operation left behind is the old or the new file, whole. */
#ifndef VERDICT_H
#define VERDICT_H

#include "folder.h"
#include "operations.h"

/* The two versions that may be found, and what there is before an operation is prepared: often the old one. */
struct versions {
    struct folder before, old, new;
    struct content old_content, new_content;
};

enum version { NEITHER, OLD, NEW };

/* A journal may be left beside the new file, to which it means nothing. */
extern int may_leave_journal;

/* Whether the old version may be there in other bytes, as room was inserted. */
extern int may_be_wider;

extern int passed, failures;
/* What is being tried, for messages. */
extern char situation[600];
void failed(const char *what);
/* As long as this is set, failures are counted only. */
extern int expected;

/* Runs an operation undisturbed for the sake of its versions, in the current folder; 0 if it fails. */
int versions_make(struct versions *versions, const struct operation *operation);
void versions_free(struct versions *versions);

/* Which version our reader finds, without changing anything. */
enum version version_read(const struct versions *versions);

/*
 * Opens for reading, then for update, which repairs the file; tells which version it is, and NEITHER with a message if
 * anything is not as it must be.
 */
enum version version_repaired(const struct versions *versions);

/* As long as this is set, waiting for the disk is left out, where that cannot matter. */
extern int waits_for_nothing;

#endif
