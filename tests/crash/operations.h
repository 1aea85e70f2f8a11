/* The operations on a file that the tests disturb. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <asdf.h>

#define NAME "image.asdf"

struct operation {
    const char *name;
    enum {
        WHOLE,      /* a new file replaces the old one */
        IN_PLACE,   /* other readers may see a mix */
        INTERRUPTED /* like IN_PLACE even before the operation, and a journal may remain */
    } kind;
    int only_once; /* cannot be repeated in the same session */
    int32_t durable;
    void (*old)(void);                   /* makes the file before the operation */
    void (*prepare)(void);               /* opens it and makes the changes */
    asdf_status (*run)(int32_t durable); /* saves or writes them */
};

extern const struct operation operations[];
extern const int operation_count;

/* Overwrites the file in the wrong way, to show that the tests notice it. */
extern const struct operation careless;

/* True if the preparation of an operation changes the file in another way in each process. */
int begins_prepared(const struct operation *operation);

/* Saves the prepared changes as a whole new file. */
asdf_status save_whole(void);

/* Changes one scalar and saves, like a user who does not know what happened before. */
asdf_status save_later(void);

#endif
