/* The files of the current folder, kept in memory to restore or compare them. */
#ifndef FOLDER_H
#define FOLDER_H

#include "content.h"

enum { FOLDER_FILES = 32 };

struct folder {
    int count;
    struct folder_file {
        char name[256];
        struct content bytes;
    } files[FOLDER_FILES];
};

/* Reads all files of the current folder, ordered by name. */
void folder_read(struct folder *folder);

/* Makes the current folder hold these files and nothing else. */
void folder_restore(const struct folder *folder);

/* Writes all files of the current folder into a new folder of this path. */
void folder_copy(const char *path);

/* Returns the bytes of a file; NULL if no file has this name. */
const struct content *folder_find(const struct folder *folder, const char *name);

int folder_same(const struct folder *left, const struct folder *right);
void folder_free(struct folder *folder);

#endif
