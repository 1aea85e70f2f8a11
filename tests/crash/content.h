/* The content of a file as one text, which differs if anything differs: the tree with its tags, and all arrays. */
#ifndef CONTENT_H
#define CONTENT_H

#include <asdf.h>
#include <stddef.h>

struct content {
    char *bytes;
    size_t size, capacity;
};

/* Appends the content of an open file. */
asdf_status content_add(struct content *content, asdf_file *file);

/* Opens a file for reading, or for update, and appends its content. */
asdf_status content_read(struct content *content, const char *path, int for_update);

/* Reads the bytes of a file; 0 if it cannot be read. */
int content_of_bytes(struct content *content, const char *path);

int content_same(const struct content *left, const struct content *right);
void content_free(struct content *content);

#endif
