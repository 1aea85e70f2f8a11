/* crash MODE [NAME…]: tries the operations of these names, or all, in the current folder, which it empties. */
#include "modes.h"
#include "trace.h"
#include "verdict.h"
#include <stdio.h>
#include <string.h>

enum mode { DISTURB, REPLAY, REPLAY_MORE, MODES };
static const char *const modes[MODES] = {"disturb", "replay", "replay-more"};

static int chosen(const char *name, int count, char **arguments) {
    for (int i = 2; i < count; i++)
        if (strcmp(arguments[i], name) == 0) return 1;
    return count <= 2;
}

static void try(enum mode mode, const struct operation *operation) {
    may_leave_journal = operation->kind == INTERRUPTED;
    if (mode == DISTURB) {
        disturb(operation);
    } else if (operation->durable) {
        replay(operation, mode == REPLAY_MORE ? 20000 : 2000, mode == REPLAY_MORE);
    }
}

int main(int count, char **arguments) {
    int mode = 0;
    while (mode < MODES && (count < 2 || strcmp(arguments[1], modes[mode]) != 0)) mode++;
    if (mode == MODES) {
        fprintf(stderr, "usage: crash disturb|replay|replay-more [OPERATION...]\n");
        return 2;
    }
    if (!trace_possible()) return 0;
    int only_careless = count == 3 && strcmp(arguments[2], careless.name) == 0;
    expected = !only_careless;
    try((enum mode)mode, &careless);
    expected = 0;
    int noticed = failures;
    if (!only_careless) passed = failures = 0;
    if (noticed == 0) failed("what careless writing loses goes unnoticed");
    for (int i = 0; i < operation_count; i++)
        if (chosen(operations[i].name, count, arguments)) try((enum mode)mode, &operations[i]);
    printf("%d passed, %d failed\n", passed, failures);
    return failures != 0;
}
