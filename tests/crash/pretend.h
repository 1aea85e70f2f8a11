/* After a power cut, files are the same ones as before, and the system was started again. */
#ifndef PRETEND_H
#define PRETEND_H

#include <stdint.h>
#include <sys/types.h>

/* What does not change as long as a file exists. */
struct identity {
    ino_t inode;
    int64_t born_seconds;
    uint32_t born_nanoseconds;
};

/* Returns the identity of the file of this path. */
struct identity identity_of(const char *path);

/*
 * From now on, library and program find another start of the system, and the files that follow as other files. The
 * library reads the number of the start once, so it must not have read it in this process before.
 */
void pretend_power_cut(void);
/* Pretends that the file of this name is this one. */
void pretend_file(const char *name, struct identity identity);
void pretend_no_files(void);

#endif
