/* What a file says, as one text that differs if anything in it does: the tree with its tags, and all arrays. */
#ifndef CONTENT_H
#define CONTENT_H

#include <asdf.h>
#include <stddef.h>

struct content {
    char *bytes;
    size_t size, capacity;
};

/* Adds what an open file says. */
asdf_status content_add(struct content *content, asdf_file *file);

/* Opens a file for reading, or for update, and adds what it says. */
asdf_status content_read(struct content *content, const char *path, int for_update);

/* Reads the bytes of a file; 0 if it cannot be read. */
int content_of_bytes(struct content *content, const char *path);

int content_same(const struct content *left, const struct content *right);
void content_free(struct content *content);

#endif
