/* What the program can be asked for. */
#ifndef MODES_H
#define MODES_H

#include "operations.h"

/* Kills, and calls that fail. */
void disturb(const struct operation *tried);

/* Power cuts: so many images, and on request what each single wait for the disk is good for. */
void replay(const struct operation *tried, int wanted, int each_wait);

#endif
