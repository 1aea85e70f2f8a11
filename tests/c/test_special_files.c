/* Pipes, devices and sockets under the names of files: every call that opens a name refuses them at once, and the
 * writer of a pipe does not notice. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char NAMES[][16] = {"pipe", "socket", "/dev/null", "/dev/zero", "folder"};

/* A call that waits for the other end of the pipe is ended by this alarm, which fails the test. */
enum { SECONDS = 20 };

static void make_names(void) {
    unlink("pipe");
    CHECK(mkfifo("pipe", 0600) == 0);
    mkdir("folder", 0700);
    unlink("socket");
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int made = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(made >= 0 && bind(made, (const struct sockaddr *)&address, sizeof address) == 0);
    close(made);
}

static void open_name(const char *name) {
    asdf_file *file = NULL;
    FAILS(ASDF_ERR_IO, asdf_file_open(name, NULL, &file));
    FAILS(ASDF_ERR_IO, asdf_file_open_for_update(name, NULL, &file));
    asdf_table *table = NULL;
    FAILS(ASDF_ERR_IO, asdf_table_read_ecsv(name, NULL, &table));
    asdf_table_reader *reader = NULL;
    FAILS(ASDF_ERR_IO, asdf_table_reader_open(name, NULL, &reader));
    asdf_ndl *ndl = NULL;
    FAILS(ASDF_ERR_IO, asdf_ndl_read(name, NULL, &ndl));
    asdf_report *report = NULL;
    FAILS(ASDF_ERR_IO, asdf_file_recover(name, "recovered.asdf", 0, NULL, &report));
    CHECK(access("recovered.asdf", F_OK) != 0);
}

/* The header of a table, and the elements of an array, in a file of this name. */
static void refer_to_name(const char *name) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_FILE, SIZED(name)));
    asdf_table *table = NULL;
    static const char text[] = "a\n1\n";
    FAILS(ASDF_ERR_IO, asdf_table_read_ecsv_memory(text, sizeof text - 1, options, &table));
    asdf_options_free(options);
    if (name[0] == '/') {
        return;
    }
    FILE *out = fopen("refers.asdf", "wb");
    fprintf(out,
            "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%%YAML 1.1\n%%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
            "a: !core/ndarray-1.0.0 {source: %s, datatype: int8, byteorder: little, shape: [1]}\n"
            "b: {$ref: \"%s#/x\"}\n...\n",
            name, name);
    fclose(out);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    asdf_file *file = NULL;
    OK(asdf_file_open("refers.asdf", options, &file));
    asdf_node *root = NULL;
    OK(asdf_file_root(file, &root));
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, "a", &array));
    int8_t element = 0;
    FAILS(ASDF_ERR_IO, asdf_array_read(array, ASDF_INT8, NULL, &element, sizeof element, NULL, 0));
    int64_t value = 0;
    FAILS(ASDF_ERR_IO, asdf_node_get_i64(root, "b", &value));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
}

int main(void) {
    alarm(SECONDS);
    make_names();
    /* The open end for writing: a call that opened the pipe for reading would leave it without a reader. */
    int both = open("pipe", O_RDWR | O_NONBLOCK);
    CHECK(both >= 0 && write(both, "x", 1) == 1);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        open_name(NAMES[i]);
        refer_to_name(NAMES[i]);
    }
    char byte = 0;
    CHECK(read(both, &byte, 1) == 1 && byte == 'x');
    close(both);
    open_name("pipe");
    return report();
}
