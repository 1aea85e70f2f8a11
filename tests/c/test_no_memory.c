/* A large allocation that fails inside a codec is ASDF_ERR_OUT_OF_MEMORY. */
#include "failing_malloc.h"

#include "check.h"

enum { COUNT = 200000 };

static int32_t numbers[COUNT], found[COUNT];

/* Calls with the first, the second, the third large allocation failing, until none fails. Returns the number of calls
   that failed. */
static int try_all(const char *codec, asdf_status (*call)(asdf_file *, asdf_array *), asdf_file *file,
                   asdf_array *array) {
    int out_of_memory = 0;
    for (int number = 0; number < 1000; number++) {
        fail_after(number, 0);
        asdf_status status = call(file, array);
        int failed = stop_failing();
        if (status == ASDF_ERR_OUT_OF_MEMORY) out_of_memory++;
        if (status != ASDF_OK && status != ASDF_ERR_OUT_OF_MEMORY) {
            char message[256] = "";
            asdf_error_message(message, sizeof message, NULL);
            fprintf(stderr, "%s, allocation %d: %s: %s\n", codec, number, asdf_status_name(status), message);
            CHECK(!"out of memory");
        }
        if (!failed) {
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
    failing_size = 40000;
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
    failing_size = 1 << 20;
    CHECK(try_all("table", read_table, NULL, NULL) > 0);
    asdf_options_free(options);
    asdf_table_free(table);
    return report();
}
