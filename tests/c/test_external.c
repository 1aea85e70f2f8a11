/* Arrays and references in other files: what the options allow, callbacks that open them, and what fails. */
#include "check.h"

static const char head[] =
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
#define BYTES(source) "!core/ndarray-1.1.0 {source: " source ", datatype: uint8, byteorder: big, shape: [4]}\n"

/* Makes a file with this tree and one block of four bytes; returns its size. */
static size_t make(char *out, size_t capacity, const char *tree, const char *block) {
    static const unsigned char block_head[] = {0xD3, 'B', 'L', 'K', 0, 48};
    int length = snprintf(out, capacity, "%s%s...\n", head, tree);
    if (length < 0 || (size_t)length + 6 + 48 + 4 > capacity) exit(1);
    unsigned char *at = (unsigned char *)out + length;
    memcpy(at, block_head, 6);
    memset(at + 6, 0, 48);
    for (int i = 0; i < 3; i++) at[6 + 8 + 8 * i + 7] = 4;
    memcpy(at + 6 + 48, block, 4);
    return (size_t)length + 6 + 48 + 4;
}

static void store(const char *name, const char *tree, const char *block) {
    char bytes[2048];
    size_t size = make(bytes, sizeof bytes, tree, block);
    FILE *out = fopen(name, "wb");
    if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0) exit(1);
}

/* Reads the four bytes of an array of the file. */
static asdf_status read_bytes(asdf_file *file, const char *path, char *text) {
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    OK(asdf_file_root(file, &root));
    asdf_status status = asdf_node_get_array(root, path, &array);
    if (status == ASDF_OK) status = asdf_array_read(array, ASDF_UINT8, NULL, text, 4, NULL, 0);
    asdf_array_free(array);
    asdf_node_free(root);
    return status;
}

static void policies(void) {
    store("other.asdf", "x: {deep: 7}\n", "DATA");
    store("main.asdf",
          "a: " BYTES("other.asdf") "up: " BYTES("../secret.asdf") "none: " BYTES("none.asdf") "web: " BYTES(
              "'http://localhost/x.asdf'") "r: {$ref: 'other.asdf#/x/deep'}\nlost: {$ref: 'other.asdf#/y'}\n",
          "MAIN");
    asdf_options *options = NULL;
    asdf_file *file = NULL, *behind = NULL;
    asdf_node *root = NULL, *node = NULL;
    char text[5] = "";
    int64_t number = 0;

    OK(asdf_file_open("main.asdf", NULL, &file));
    FAILS(ASDF_ERR_EXTERNAL_REFERENCE, read_bytes(file, "a", text));
    asdf_file_free(file);

    OK(asdf_options_new(&options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ACCESS, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ACCESS, -1));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open("main.asdf", options, &file));
    OK(read_bytes(file, "a", text));
    CHECK(strcmp(text, "DATA") == 0);
    FAILS(ASDF_ERR_ACCESS_DENIED, read_bytes(file, "up", text));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, read_bytes(file, "none", text));
    CHECK(message_holds("/none.asdf'"));
    FAILS(ASDF_ERR_ACCESS_DENIED, read_bytes(file, "web", text));
    CHECK(message_holds("'http://localhost/x.asdf'"));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_i64(root, "r", &number));
    CHECK(number == 7);
    TEXT("other.asdf#/x/deep", asdf_node_reference, root, "r");
    FAILS(ASDF_ERR_DANGLING_REFERENCE, asdf_node_get_i64(root, "lost", &number));

    /* A node behind a reference keeps its own file alive, and that file keeps the first one alive. */
    store("whole.asdf", "w: {$ref: other.asdf}\n", "MAIN");
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("whole.asdf", options, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get(root, "w/x", &node));
    asdf_node_free(root);
    asdf_file_free(file);
    TEXT("/x", asdf_node_path, node, "");
    OK(asdf_node_file(node, &behind));
    char name[512] = "";
    OK(asdf_file_name(behind, name, sizeof name, NULL));
    CHECK(strstr(name, "other.asdf") != NULL);
    OK(asdf_file_close(behind));
    FAILS(ASDF_ERR_CLOSED, asdf_node_get_i64(node, "deep", &number));
    asdf_file_free(behind);
    asdf_node_free(node);

    OK(asdf_options_unset(options, ASDF_OPTION_ACCESS));
    OK(asdf_options_add_text(options, ASDF_OPTION_DIRECTORIES, "none", 4));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("main.asdf", options, &file));
    OK(asdf_options_unset(options, ASDF_OPTION_DIRECTORIES));
    OK(asdf_options_add_text(options, ASDF_OPTION_DIRECTORIES, "/", 1));
    OK(asdf_options_add_text(options, ASDF_OPTION_DIRECTORIES, ".", 1));
    OK(asdf_file_open("main.asdf", options, &file));
    OK(read_bytes(file, "a", text));
    asdf_file_free(file);
    asdf_options_free(options);
}

/* A source that the program implements: its bytes, and whether it was closed. */
struct source {
    char bytes[512];
    size_t size;
    int opened, closed;
    asdf_status answer;
    char asked[64];
};

static asdf_status give(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    memcpy(buffer, ((struct source *)user)->bytes + offset, size);
    *got = size;
    return ASDF_OK;
}

static asdf_status end(void *user) {
    ((struct source *)user)->closed++;
    return ASDF_OK;
}

static asdf_status find(void *user, const char *uri, asdf_read_callback *read, asdf_close_callback *close,
                        void **source, int64_t *length) {
    struct source *found = user;
    CHECK(*read == NULL && *close == NULL && *source == NULL && *length == 0);
    snprintf(found->asked, sizeof found->asked, "%s", uri);
    *source = found;
    *length = found->size;
    *close = end;
    if (found->answer == ASDF_OK) *read = give;
    if (found->answer >= 0) found->opened++;
    return found->answer < 0 ? ASDF_OK : found->answer;
}

static void resolvers(void) {
    char bytes[1024];
    size_t size =
        make(bytes, sizeof bytes, "a: " BYTES("'http://host/a/../b%2e%20.asdf#f'") "b: " BYTES("c.asdf"), "MAIN");
    static struct source source;
    const size_t size_far = make(source.bytes, sizeof source.bytes, "x: 1\n", "FAR.");
    source.size = size_far;
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    char text[5] = "";
    OK(asdf_options_new(&options));
    OK(asdf_options_set_resolver(options, find, NULL, &source));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_EXTERNAL_FILES, 1));
    OK(asdf_file_open_memory(bytes, size, options, &file));
    CHECK(source.opened == 0);

    static const struct {
        asdf_status answer, becomes;
    } failures[] = {{ASDF_ERR_ACCESS_DENIED, ASDF_ERR_ACCESS_DENIED},
                    {ASDF_ERR_FILE_NOT_FOUND, ASDF_ERR_FILE_NOT_FOUND},
                    {ASDF_ERR_IO, ASDF_ERR_CALLBACK},
                    {12345, ASDF_ERR_CALLBACK}};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        source.answer = failures[i].answer;
        FAILS(failures[i].becomes, read_bytes(file, "a", text));
    }
    CHECK(source.opened == 4 && source.closed == 0);
    source.answer = -1; /* No failure, but nothing to read with. */
    FAILS(ASDF_ERR_CALLBACK, read_bytes(file, "a", text));
    CHECK(source.closed == 1);

    source.answer = ASDF_OK;
    source.size = (size_t)-3;
    FAILS(ASDF_ERR_CALLBACK, read_bytes(file, "a", text));
    CHECK(source.closed == 2 && message_holds("-3 bytes"));
    source.size = size_far;
    source.opened = source.closed = 0;
    for (int i = 0; i < 3; i++) OK(read_bytes(file, "a", text));
    CHECK(strcmp(text, "FAR.") == 0 && source.opened == 1 && source.closed == 0);
    CHECK(strcmp(source.asked, "http://host/b.%20.asdf") == 0);
    FAILS(ASDF_ERR_LIMIT, read_bytes(file, "b", text));
    OK(asdf_file_close(file));
    CHECK(source.closed == 1);
    asdf_file_free(file);

    /* A source that is not an ASDF file is closed again. */
    source.bytes[0] = '?';
    source.opened = source.closed = 0;
    OK(asdf_file_open_memory(bytes, size, options, &file));
    FAILS(ASDF_ERR_NOT_ASDF, read_bytes(file, "b", text));
    CHECK(strcmp(source.asked, "c.asdf") == 0);
    CHECK(source.opened == 1 && source.closed == 1);
    asdf_file_free(file);
    asdf_options_free(options);
}

/* A core/externalarray names the place of an array. The functions of nodes read its parts. */
static void described_arrays(void) {
    asdf_file *file = open_tree(
        "e: !core/externalarray-1.0.0 {fileuri: other.fits, target: 1, datatype: float32, shape: [10, 20]}\n");
    asdf_node *root = NULL;
    int64_t extent = 0;
    int32_t kind = -1;
    OK(asdf_file_root(file, &root));
    TEXT("tag:stsci.edu:asdf/core/externalarray-1.0.0", asdf_node_tag, root, "e");
    TEXT("other.fits", asdf_node_get_string, root, "e/fileuri");
    TEXT("1", asdf_node_get_text, root, "e/target");
    TEXT("float32", asdf_node_get_string, root, "e/datatype");
    OK(asdf_node_get_i64(root, "e/shape/1", &extent));
    CHECK(extent == 20);
    OK(asdf_node_kind(root, "e", &kind));
    CHECK(kind == ASDF_KIND_ARRAY);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    policies();
    resolvers();
    described_arrays();
    return report();
}
