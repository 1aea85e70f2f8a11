/* What is done to a file while it is disturbed. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <asdf.h>

#define NAME "image.asdf"

struct operation {
    const char *name;
    enum {
        WHOLE,      /* a new file takes the place of the old one */
        IN_PLACE,   /* other readers may meet a mix */
        WIDENED,    /* so they may, and what is left may say the old in other bytes: with more room before the blocks */
        INTERRUPTED /* so they may before, and a journal may stay */
    } kind;
    int only_once; /* cannot be tried again in the same session */
    int32_t durable;
    void (*old)(void);                   /* makes the file as it is before */
    void (*prepare)(void);               /* opens it and makes the changes */
    asdf_status (*run)(int32_t durable); /* saves or writes them */
};

extern const struct operation operations[];
extern const int operation_count;

/* Overwrites the file as nobody should, so that it can be seen that this is noticed. */
extern const struct operation careless;

/* Saves what was prepared as a whole new file. */
asdf_status save_whole(void);

/* Changes one scalar and saves, as a user does who knows nothing of what happened before. */
asdf_status save_later(void);

#endif
