/* A large allocation that fails inside a codec is ASDF_ERR_OUT_OF_MEMORY. The functions of the C library that allocate
   are replaced by some that fail on request. */
#define _GNU_SOURCE
#include "check.h"
#include <dlfcn.h>
#include <errno.h>

enum { COUNT = 200000 };

/* The size from which on allocations fail. */
static size_t large = 40000;

/* The number of large allocations before the one that fails, and how many failed; negative for none. */
static int before_failure = -1, failures;

static int fails(size_t size) {
    if (size < large || before_failure < 0 || before_failure-- > 0) return 0;
    failures++;
    return 1;
}

/* Finds the replaced function. Standard C has no conversion to a function. */
#define FIND(next, name)                                                                                               \
    do {                                                                                                               \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, name);                                                           \
    } while (0)

void *malloc(size_t size) {
    static void *(*next)(size_t);
    FIND(next, "malloc");
    return fails(size) ? NULL : next(size);
}

void *calloc(size_t count, size_t size) {
    static void *(*next)(size_t, size_t);
    FIND(next, "calloc");
    return fails(count * size) ? NULL : next(count, size);
}

void *realloc(void *memory, size_t size) {
    static void *(*next)(void *, size_t);
    FIND(next, "realloc");
    return fails(size) ? NULL : next(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    static int (*next)(void **, size_t, size_t);
    FIND(next, "posix_memalign");
    return fails(size) ? ENOMEM : next(memory, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    static void *(*next)(size_t, size_t);
    FIND(next, "aligned_alloc");
    return fails(size) ? NULL : next(alignment, size);
}

static int32_t numbers[COUNT], found[COUNT];

/* Calls with the first, the second, the third large allocation failing, until none fails. Returns the number of calls
   that failed. */
static int try_all(const char *codec, asdf_status (*call)(asdf_file *, asdf_array *), asdf_file *file,
                   asdf_array *array) {
    int out_of_memory = 0;
    for (int number = 0; number < 1000; number++) {
        failures = 0;
        before_failure = number;
        asdf_status status = call(file, array);
        before_failure = -1;
        if (status == ASDF_ERR_OUT_OF_MEMORY) out_of_memory++;
        if (status != ASDF_OK && status != ASDF_ERR_OUT_OF_MEMORY) {
            char message[256] = "";
            asdf_error_message(message, sizeof message, NULL);
            fprintf(stderr, "%s, allocation %d: %s: %s\n", codec, number, asdf_status_name(status), message);
            CHECK(!"out of memory");
        }
        if (!failures) {
            CHECK(status == ASDF_OK);
            return out_of_memory;
        }
    }
    CHECK(!"the allocations end");
    return out_of_memory;
}

static asdf_status write_file(asdf_file *file, asdf_array *array) {
    asdf_buffer *buffer = NULL;
    (void)array;
    asdf_status status = asdf_file_write_memory(file, NULL, &buffer);
    asdf_buffer_free(buffer);
    return status;
}

static asdf_status read_array(asdf_file *file, asdf_array *array) {
    (void)file;
    memset(found, 0, sizeof found);
    asdf_status status = asdf_array_read(array, ASDF_INT32, NULL, found, sizeof found, NULL, 0);
    if (status == ASDF_OK) CHECK(memcmp(found, numbers, sizeof found) == 0);
    return status;
}

static asdf_status read_table(asdf_file *file, asdf_array *array) {
    asdf_table *table = NULL;
    (void)file, (void)array;
    asdf_status status = asdf_table_read_ecsv("packed.ecsv.bz2", NULL, &table);
    asdf_table_free(table);
    return status;
}

int main(void) {
    static const char *const codecs[] = {"zlib", "bzp2", "zstd", "blsc", "bls2", "xz"};
    const int64_t shape[] = {COUNT};
    for (int index = 0; index < COUNT; index++) numbers[index] = index / 3 * 7;
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        asdf_node *root = NULL;
        asdf_array *array = NULL;
        asdf_options *options = NULL;
        asdf_file *file = new_file(&root);
        OK(asdf_options_new(&options));
        OK(set_codec(options, codecs[i], -1));
        OK(asdf_node_set_array(root, "a", ASDF_INT32, 1, shape, numbers, sizeof numbers, options));
        /* The encoder of xz looks for memory before it begins; a later failure would end the program. */
        if (strcmp(codecs[i], "xz")) CHECK(try_all(codecs[i], write_file, file, NULL) > 0);
        asdf_file *again = written(file);
        free_file(&file, &root, &array);
        root = root_of(again);
        OK(asdf_node_get_array(root, "a", &array));
        CHECK(try_all(codecs[i], read_array, again, array) > 0 || strcmp(codecs[i], "zlib") == 0);
        free_file(&again, &root, &array);
        asdf_options_free(options);
    }
    asdf_table *table = NULL;
    asdf_options *options = replacing();
    OK(asdf_table_new(COUNT, &table));
    OK(asdf_table_add_column(table, "a", ASDF_INT32, 0, NULL, numbers, sizeof numbers, NULL, 0, NULL));
    OK(asdf_table_write_ecsv(table, "packed.ecsv.bz2", options));
    large = 1 << 20;
    CHECK(try_all("table", read_table, NULL, NULL) > 0);
    asdf_options_free(options);
    asdf_table_free(table);
    return report();
}
