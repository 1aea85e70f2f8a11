/* The modes of the program. */
#ifndef MODES_H
#define MODES_H

#include "operations.h"

/* Kills the process, and lets calls fail. */
void disturb(const struct operation *tried);

/* Cuts the power: makes this many images, and on request shows the use of each single wait for the disk. */
void replay(const struct operation *tried, int wanted, int each_wait);

#endif
