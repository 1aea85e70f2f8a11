/* Children of the C tests. A program includes this after check.h. */
#ifndef CHILD_H
#define CHILD_H

#include <sys/wait.h>
#include <unistd.h>

/* Seconds after which a child counts as hanging; more under a memory checker. */
enum { CHILD_SECONDS = 120 };

/* Runs a function in a child; its failed checks count in this process. */
static inline void in_child(const char *name, void (*work)(void)) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
        alarm(CHILD_SECONDS);
        checks_failed = 0;
        work();
        fflush(NULL);
        _exit(checks_failed != 0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        checks_failed++;
        fprintf(stderr, "the child '%s' %s %d\n", name, WIFEXITED(status) ? "ended with" : "was ended by signal",
                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
}

#endif
