// Loads libraries without RTLD_DEEPBIND, which Julia asks for and AddressSanitizer refuses. Preloaded before its
// runtime.
#define _GNU_SOURCE
#include <dlfcn.h>

void *dlopen(const char *name, int flags) {
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(name, flags & ~RTLD_DEEPBIND);
}
