/* Changes the floating-point environment of a program before main(): `traps` ends it at an invalid operation, a
   division by zero or an overflow, as Fortran programs often ask for; `upward` rounds upward. The variable
   ASDFKIT_FLOATS says which. A library to be preloaded. */
#define _GNU_SOURCE
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void change(void) {
    const char *wanted = getenv("ASDFKIT_FLOATS");
    if (!wanted) return;
    if (strcmp(wanted, "traps") == 0) feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    if (strcmp(wanted, "upward") == 0) fesetround(FE_UPWARD);
}
