/*
 * The kernel reports the calls. Wrappers of C library functions would miss some of them: renaming, locks and clones
 * bypass the C library. The process under test is not modified.
 */
#define _GNU_SOURCE
#include "trace.h"
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const call_names[CALLS] = {"write", "sync",   "rename", "truncate", "allocate", "copy",
                                       "clone", "unlink", "create", "link",     "times",    "mode",
                                       "lock",  "open",   "close",  "stat",     "read"};

#ifndef __x86_64__
int trace_possible(void) {
    printf("skipped: calls are traced on x86-64 only\n");
    return 0;
}

struct outcome trace(const struct plan *plan, void (*before)(void), void (*traced)(void), void (*between)(void),
                     int (*after)(void)) {
    (void)plan, (void)before, (void)traced, (void)between, (void)after;
    abort();
}

struct identity trace_file(int file) {
    (void)file;
    abort();
}
#else

static void stop(const char *what) {
    perror(what);
    exit(2);
}

int trace_possible(void) {
    pid_t child = fork();
    if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) != 0);
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child) stop("fork");
    if (status != 0) printf("skipped: the system does not let calls be traced\n");
    return status == 0;
}

/* A call in progress. */
struct current {
    pid_t thread;
    int seen;
    struct user_regs_struct entry;
    enum call call;
    int existed;                 /* whether the file to create existed before */
    char name[100], target[100]; /* in the folder; empty if elsewhere */
    enum { AS_IT_IS, ANSWERED, DIES } then;
    long answer;
};

enum { THREADS = 64, FILES = 64 };

static struct tracer {
    const struct plan *plan;
    struct outcome outcome;
    pid_t process;
    struct current threads[THREADS];
    struct identity identities[FILES];
    int files;
    char folder[4000];
} tracer;

/* Reads a string of the other process. */
static void text_of(uint64_t address, char *text, size_t capacity) {
    size_t length = 0;
    memset(text, 0, capacity);
    while (address && length + 1 < capacity) {
        struct iovec here = {text + length, 1}, there = {(void *)(uintptr_t)(address + length), 1};
        if (process_vm_readv(tracer.process, &here, 1, &there, 1, 0) != 1 || !text[length]) break;
        length++;
    }
    text[length] = 0;
}

/* Returns the name of a file in the folder under test, from a path relative to an open folder, or "". */
static void name_of(int folder, uint64_t path, char name[100]) {
    char text[4200], link[64], base[4100] = "";
    text_of(path, text, sizeof text);
    name[0] = 0;
    char *slash = strrchr(text, '/');
    if (text[0] != '/') {
        if (folder == AT_FDCWD) {
            snprintf(link, sizeof link, "/proc/%d/cwd", (int)tracer.process);
        } else {
            snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)tracer.process, folder);
        }
        ssize_t length = readlink(link, base, sizeof base - 1);
        base[length > 0 ? length : 0] = 0;
        if (slash && strncmp(text, "./", 2) != 0) return;
    } else if (slash) {
        memcpy(base, text, (size_t)(slash - text));
        base[slash - text] = 0;
    }
    if (strcmp(base, tracer.folder) != 0) return;
    const char *last = slash ? slash + 1 : text;
    if (strlen(last) < 100) strcpy(name, last);
}

static int path_of(int descriptor, char *path, size_t capacity) {
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)tracer.process, descriptor);
    ssize_t length = readlink(link, path, capacity - 1);
    path[length > 0 ? length : 0] = 0;
    return length > 0;
}

static int number_of(ino_t inode) {
    for (int i = tracer.files; i-- > 0;)
        if (tracer.identities[i].inode == inode) return i;
    return -1;
}

static int add_file(const char *path) {
    if (tracer.files == FILES) stop("too many files");
    tracer.identities[tracer.files] = identity_of(path);
    return tracer.files++;
}

struct identity trace_file(int file) {
    return tracer.identities[file];
}

/* Returns the file behind a descriptor; -1 if it is not in the folder. */
static int file_of(int descriptor) {
    char path[4200], link[64];
    struct stat status;
    size_t length = strlen(tracer.folder);
    if (!path_of(descriptor, path, sizeof path) || strncmp(path, tracer.folder, length) != 0 || path[length] != '/')
        return -1;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)tracer.process, descriptor);
    return stat(link, &status) || !S_ISREG(status.st_mode) ? -1 : number_of(status.st_ino);
}

static int64_t position_of(int descriptor) {
    char path[64];
    long long position = -1;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", (int)tracer.process, descriptor);
    FILE *stream = fopen(path, "r");
    if (!stream || fscanf(stream, "pos: %lld", &position) != 1) stop("fdinfo");
    fclose(stream);
    return position;
}

static struct change *record(int kind, int file, int64_t offset, int64_t length) {
    struct log *log = tracer.plan->log;
    if (log->count % 64 == 0) log->changes = realloc(log->changes, (log->count + 64) * sizeof *log->changes);
    if (!log->changes) stop("memory");
    struct change *change = &log->changes[log->count++];
    memset(change, 0, sizeof *change);
    change->kind = kind;
    change->file = file;
    change->offset = offset;
    change->length = length;
    return change;
}

static void record_written(int descriptor, int64_t offset, int64_t length) {
    int file = file_of(descriptor);
    char path[64];
    if (file < 0 || length <= 0) return;
    struct change *change = record(WRITTEN, file, offset, length);
    change->bytes = malloc((size_t)length);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)tracer.process, descriptor);
    int own = open(path, O_RDONLY | O_CLOEXEC);
    if (own < 0 || !change->bytes || pread(own, change->bytes, (size_t)length, offset) != length) stop("reading back");
    close(own);
}

static int64_t length_of(int descriptor) {
    char link[64];
    struct stat status;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)tracer.process, descriptor);
    if (stat(link, &status)) stop("stat");
    return status.st_size;
}

void log_free(struct log *log) {
    for (size_t i = 0; i < log->count; i++) free(log->changes[i].bytes);
    free(log->changes);
    log->changes = NULL;
    log->count = 0;
}

/* Returns the kind of this call, or -1 if it does not matter, and the names in the folder that it uses. */
static int kind_of(struct current *current) {
    const struct user_regs_struct *entry = &current->entry;
    int first = (int)entry->rdi;
    struct stat status;
    current->name[0] = current->target[0] = 0;
    switch (entry->orig_rax) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
        return first == 1 || first == 2 ? -1 : CALL_WRITE;
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_syncfs:
    case SYS_sync_file_range:
        return CALL_SYNC;
    case SYS_rename:
        name_of(AT_FDCWD, entry->rdi, current->name);
        name_of(AT_FDCWD, entry->rsi, current->target);
        return CALL_RENAME;
    case SYS_renameat:
    case SYS_renameat2:
        name_of(first, entry->rsi, current->name);
        name_of((int)entry->rdx, entry->r10, current->target);
        return CALL_RENAME;
    case SYS_link:
    case SYS_linkat:
    case SYS_symlink:
    case SYS_mkdir:
    case SYS_mkdirat:
        return CALL_LINK;
    case SYS_unlink:
        name_of(AT_FDCWD, entry->rdi, current->name);
        return CALL_UNLINK;
    case SYS_unlinkat:
        name_of(first, entry->rsi, current->name);
        return CALL_UNLINK;
    case SYS_ftruncate:
    case SYS_truncate:
        return CALL_TRUNCATE;
    case SYS_fallocate:
        return CALL_ALLOCATE;
    case SYS_copy_file_range:
    case SYS_sendfile:
        return CALL_COPY;
    case SYS_ioctl:
        return entry->rsi == FICLONE || entry->rsi == FICLONERANGE ? CALL_CLONE : -1;
    case SYS_utimensat:
        return CALL_TIMES;
    case SYS_fchmod:
    case SYS_chmod:
    case SYS_fchmodat:
        return CALL_MODE;
    case SYS_flock:
        return CALL_LOCK;
    case SYS_fcntl:
        return entry->rsi == F_OFD_SETLK || entry->rsi == F_SETLK ? CALL_LOCK : -1;
    case SYS_open:
    case SYS_openat: {
        int at = entry->orig_rax == SYS_openat;
        uint64_t path = at ? entry->rsi : entry->rdi, flags = at ? entry->rdx : entry->rsi;
        name_of(at ? first : AT_FDCWD, path, current->name);
        char whole[4200];
        snprintf(whole, sizeof whole, "%s/%s", tracer.folder, current->name);
        current->existed = !current->name[0] || lstat(whole, &status) == 0;
        return (flags & (O_CREAT | O_TRUNC)) ? CALL_CREATE : CALL_OPEN;
    }
    case SYS_openat2:
        return CALL_OPEN;
    case SYS_close:
        return CALL_CLOSE;
    case SYS_statx:
    case SYS_stat:
    case SYS_fstat:
    case SYS_lstat:
    case SYS_newfstatat:
        return CALL_STAT;
    case SYS_read:
    case SYS_pread64:
    case SYS_preadv:
        return CALL_READ;
    case SYS_mmap: /* stores through a map would not be seen */
        if ((entry->rdx & PROT_WRITE) && (entry->r10 & MAP_SHARED) && !(entry->r10 & MAP_ANONYMOUS))
            stop("a map for writing");
        return -1;
    default:
        return -1;
    }
}

/* Halves the number of bytes to write; 0 if that is not possible. */
static int halve(struct user_regs_struct *entry) {
    unsigned long long *count;
    switch (entry->orig_rax) {
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
        count = &entry->rdx;
        break;
    case SYS_sendfile:
        count = &entry->r10;
        break;
    case SYS_copy_file_range:
        count = &entry->r8;
        break;
    default:
        return 0;
    }
    if (*count < 2) return 0;
    *count /= 2;
    return 1;
}

static void set_registers(pid_t thread, struct user_regs_struct *registers) {
    struct iovec vector = {registers, sizeof *registers};
    if (ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &vector)) stop("ptrace");
}

/* Skips the call, and returns this result in its place. */
static void answer(struct current *current, long value) {
    struct user_regs_struct changed = current->entry;
    changed.orig_rax = (unsigned long long)-1;
    set_registers(current->thread, &changed);
    current->then = ANSWERED;
    current->answer = value;
}

static void on_entry(struct current *current) {
    const struct plan *plan = tracer.plan;
    uint32_t calls = plan->calls ? plan->calls : (1U << CALL_OPEN) - 1;
    int kind = kind_of(current);
    current->then = AS_IT_IS;
    current->seen = kind >= 0;
    if (kind < 0) return;
    current->call = (enum call)kind;
    if (calls >> kind & 1) {
        struct user_regs_struct halved = current->entry;
        int halves = (plan->action == KILL_HALF || plan->action == SHORT) && halve(&halved);
        if ((plan->action == KILL_HALF || plan->action == SHORT) && !halves) return;
        long number = ++tracer.outcome.counted;
        if (number == plan->number || (plan->action == FAIL_ON && number > plan->number)) {
            tracer.outcome.fired = plan->action != LET;
            tracer.outcome.call = current->call;
            switch (plan->action) {
            case KILL_BEFORE:
                answer(current, -EINTR);
                kill(tracer.process, SIGKILL);
                return;
            case KILL_HALF:
                set_registers(current->thread, &halved);
                current->then = DIES;
                return;
            case SHORT:
                set_registers(current->thread, &halved);
                return;
            case FAIL:
            case FAIL_ON:
                if (kind == CALL_CLOSE) {
                    current->then = ANSWERED;
                    current->answer = -plan->error;
                } else {
                    answer(current, -plan->error);
                }
                return;
            case LET:
                return;
            }
        }
    }
    /* Data that the system has accepted survive the kill of a process, so waits are skipped. */
    if (kind == CALL_SYNC) answer(current, 0);
}

static void set_name(char name[100], const char *text) {
    snprintf(name, 100, "%s", text);
}

static void record_call(const struct current *current, long result) {
    const struct user_regs_struct *entry = &current->entry;
    int descriptor = (int)entry->rdi, file;
    if (result < 0) return;
    switch (current->call) {
    case CALL_WRITE:
        if (entry->orig_rax == SYS_write || entry->orig_rax == SYS_writev ||
            (entry->orig_rax == SYS_pwritev2 && entry->r10 + 1 == 0)) {
            if (file_of(descriptor) >= 0) record_written(descriptor, position_of(descriptor) - result, result);
        } else {
            record_written(descriptor, (int64_t)entry->r10, result);
        }
        break;
    case CALL_COPY: {
        int output = entry->orig_rax == SYS_sendfile ? descriptor : (int)entry->rdx;
        if (file_of(output) < 0) break;
        if (entry->orig_rax == SYS_copy_file_range && entry->r10) {
            int64_t end = 0;
            struct iovec here = {&end, sizeof end}, there = {(void *)(uintptr_t)entry->r10, sizeof end};
            if (process_vm_readv(tracer.process, &here, 1, &there, 1, 0) != sizeof end) stop("reading an offset");
            record_written(output, end - result, result);
        } else {
            record_written(output, position_of(output) - result, result);
        }
        break;
    }
    case CALL_CLONE:
        record_written(descriptor, 0, length_of(descriptor));
        break;
    case CALL_TRUNCATE:
        if ((file = file_of(descriptor)) >= 0) record(RESIZED, file, 0, (int64_t)entry->rsi);
        break;
    case CALL_ALLOCATE: {
        int mode = (int)entry->rsi;
        int64_t offset = (int64_t)entry->rdx, length = (int64_t)entry->r10;
        if ((file = file_of(descriptor)) < 0) break;
        if (mode & (FALLOC_FL_INSERT_RANGE | FALLOC_FL_COLLAPSE_RANGE)) {
            stop("a call that moves bytes");
        } else if (mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE)) {
            record_written(descriptor, offset, length);
        } else if (!(mode & FALLOC_FL_KEEP_SIZE)) {
            record(RESIZED, file, 0, length_of(descriptor));
        }
        break;
    }
    case CALL_SYNC: {
        char path[4200];
        if ((file = file_of(descriptor)) >= 0) {
            if (entry->orig_rax == SYS_fsync || entry->orig_rax == SYS_fdatasync) record(SYNCED, file, 0, 0);
        } else if (path_of(descriptor, path, sizeof path) && strcmp(path, tracer.folder) == 0) {
            record(FOLDER_SYNCED, -1, 0, 0);
        }
        break;
    }
    case CALL_CREATE: {
        uint64_t flags = entry->orig_rax == SYS_openat ? entry->rdx : entry->rsi;
        char link[64];
        if (!current->name[0]) break;
        if (current->existed) {
            if ((flags & O_TRUNC) && (file = file_of((int)result)) >= 0) record(RESIZED, file, 0, 0);
            break;
        }
        snprintf(link, sizeof link, "/proc/%d/fd/%ld", (int)tracer.process, result);
        set_name(record(CREATED, add_file(link), 0, 0)->name, current->name);
        break;
    }
    case CALL_RENAME: {
        struct change *change = record(RENAMED, -1, 0, 0);
        set_name(change->name, current->name);
        set_name(change->new_name, current->target);
        break;
    }
    case CALL_UNLINK:
        if (current->name[0]) set_name(record(UNLINKED, -1, 0, 0)->name, current->name);
        break;
    case CALL_LINK:
        stop("a link or a folder that cannot be recorded");
        break;
    default:
        break;
    }
}

static void on_exit_of(struct current *current, struct user_regs_struct *registers) {
    long result = (long)registers->rax;
    if (current->then == DIES) {
        kill(tracer.process, SIGKILL);
        return;
    }
    if (current->then == ANSWERED) {
        result = current->answer;
        registers->rax = (unsigned long long)result;
        set_registers(current->thread, registers);
    }
    if (tracer.plan->log) record_call(current, result);
}

static struct current *of_thread(pid_t thread) {
    for (int i = 0; i < THREADS; i++) {
        if (tracer.threads[i].thread == thread) return &tracer.threads[i];
        if (tracer.threads[i].thread == 0) {
            tracer.threads[i].thread = thread;
            return &tracer.threads[i];
        }
    }
    stop("too many threads");
    return NULL;
}

static int by_name(const void *left, const void *right) {
    return strcmp(left, right);
}

/* Numbers the files that already exist. */
static void number_files(void) {
    char names[FILES][256];
    size_t count = 0;
    struct stat status;
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && count < FILES)
            strcpy(names[count++], entry->d_name);
    if (folder) closedir(folder);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++)
        if (stat(names[i], &status) == 0) add_file(names[i]);
}

struct outcome trace(const struct plan *plan, void (*before)(void), void (*traced)(void), void (*between)(void),
                     int (*after)(void)) {
    memset(&tracer, 0, sizeof tracer);
    tracer.plan = plan;
    if (!getcwd(tracer.folder, sizeof tracer.folder)) stop("getcwd");
    number_files();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0)) _exit(99);
        before();
        raise(SIGSTOP);
        traced();
        raise(SIGSTOP);
        _exit(after());
    }
    tracer.process = child;
    int status, stops = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) stop("fork");
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP) {
        fprintf(stderr, "the process ended before it was traced: %#x\n", (unsigned)status);
        exit(2);
    }
    if (ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL))
        stop("ptrace");
    ptrace(PTRACE_SYSCALL, child, 0, 0);
    int tracing = 1;
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) stop("waitpid");
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread != child) continue;
            tracer.outcome.killed = WIFSIGNALED(status);
            tracer.outcome.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            return tracer.outcome;
        }
        int signal_number = WSTOPSIG(status);
        if (signal_number == (SIGTRAP | 0x80) && tracing) {
            struct current *current = of_thread(thread);
            struct user_regs_struct registers;
            struct iovec vector = {&registers, sizeof registers};
            /* A process that was killed in between has no registers. */
            if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &vector)) continue;
            struct __ptrace_syscall_info information = {0};
            if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof information, &information) <= 0) continue;
            if (information.op == PTRACE_SYSCALL_INFO_ENTRY) {
                current->entry = registers;
                on_entry(current);
            } else if (information.op == PTRACE_SYSCALL_INFO_EXIT && current->seen) {
                on_exit_of(current, &registers);
                current->seen = 0;
            }
            signal_number = 0;
        } else if (signal_number == SIGSTOP && thread == child && ++stops == 1 && tracing) {
            tracing = 0;
            signal_number = 0;
            if (plan->action == KILL_BEFORE || plan->action == KILL_HALF) {
                kill(child, SIGKILL); /* after the last call */
            } else {
                between();
            }
        } else if (signal_number == SIGSTOP || signal_number == SIGTRAP || signal_number == (SIGTRAP | 0x80)) {
            signal_number = 0; /* a new thread, or a call that does not matter */
        }
        ptrace(tracing ? PTRACE_SYSCALL : PTRACE_CONT, thread, 0, (void *)(intptr_t)signal_number);
    }
}
#endif
