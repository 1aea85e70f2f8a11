/* Calls each function with each argument wrong in turn. outputs.py generates these calls (calls.h) from the interface
 * data. NULL and handles of another kind must be refused with a message that names the argument. After a failure,
 * handle outputs must be NULL, and other outputs unchanged. Freeing NULL, or a handle with the function of another
 * kind, must do nothing. */
#include "../c/check.h"

#define OUTPUTS 16
#define POISON 0xA5

static const char *function = "";
static int calls_failed, functions_seen, defects, quiet;
static union {
    int64_t aligned;
    unsigned char bytes[4096];
} outputs_[OUTPUTS];
static unsigned char *outputs[OUTPUTS];
static unsigned char poison[sizeof outputs_[0].bytes];
static const void *poisoned = poison;

static void begin(const char *name) {
    function = name;
    calls_failed = 0;
    functions_seen++;
}

static void end(int can_fail) {
    if (can_fail && calls_failed == 0) {
        fprintf(stderr, "%s: no argument makes it fail\n", function);
        checks_failed++;
    }
}

static void poison_outputs(void) {
    memset(poison, POISON, sizeof poison);
    for (int place = 0; place < OUTPUTS; place++) {
        outputs[place] = outputs_[place].bytes;
        memcpy(outputs[place], poison, sizeof poison);
    }
}

static void defect(const char *call, const char *what) {
    defects++;
    if (!quiet) fprintf(stderr, "%s: %s\n", call, what);
}

/* Checks outputs other than handles. If a buffer is too small, the needed length may be written. */
static void judge(asdf_status status, const char *call) {
    if (status == ASDF_OK) return;
    calls_failed++;
    for (int place = 0; status != ASDF_ERR_BUFFER_TOO_SMALL && place < OUTPUTS; place++) {
        if (memcmp(outputs[place], poison, sizeof poison) != 0) defect(call, "an output was written by a failed call");
    }
}

static void judge_handle(asdf_status status, const void *out, const char *call) {
    judge(status, call);
    if (status == ASDF_OK && out == poisoned) defect(call, "a call that succeeded left its handle output");
    if (status != ASDF_OK && out) defect(call, "a failed call left its handle output");
}

/* Checks the error for NULL or a handle of another kind: its status, and that its message names the argument. */
static void judge_refusal(asdf_status expected, const char *argument, asdf_status found, const char *call) {
    char quoted[64], message[512] = "";
    snprintf(quoted, sizeof quoted, "'%s'", argument);
    int is_silent = !strncmp(function, "asdf_error_", 11); /* keeps the last error */
    asdf_error_message(message, sizeof message, NULL);
    if (found != expected) {
        defect(call, asdf_status_name(found));
        defect(call, message);
    } else if (!is_silent && !strstr(message, quoted)) {
        defect(call, "the message does not name the argument");
    }
}

#define REFUSED(expected, argument, call)                                                                              \
    do {                                                                                                               \
        void *out[HANDLE_OUTPUTS] = {NULL};                                                                            \
        poison_outputs();                                                                                              \
        judge_refusal(expected, argument, (call), #call);                                                              \
        (void)out;                                                                                                     \
    } while (0)

#define STATUS(call)                                                                                                   \
    do {                                                                                                               \
        poison_outputs();                                                                                              \
        judge((call), #call);                                                                                          \
    } while (0)

/* Maximum number of handles that one call makes. */
#define HANDLE_OUTPUTS 3

/* Checks a call with the handle outputs `out[0]` and so on; the bits of `places` mark the outputs that it gets. */
#define HANDLES(type, places, call)                                                                                    \
    do {                                                                                                               \
        void *poison_ = poison;                                                                                        \
        type *out[HANDLE_OUTPUTS] = {poison_, poison_, poison_};                                                       \
        poison_outputs();                                                                                              \
        asdf_status status_ = (call);                                                                                  \
        for (int place_ = 0; place_ < HANDLE_OUTPUTS; place_++) {                                                      \
            if (!((places) >> place_ & 1)) continue;                                                                   \
            judge_handle(status_, out[place_], #call);                                                                 \
            if (status_ == ASDF_OK) type##_free(out[place_]);                                                          \
        }                                                                                                              \
    } while (0)

/* Releases an Arrow struct in an output, because it belongs to the program. */
#define RELEASE(type, place)                                                                                           \
    do {                                                                                                               \
        type *given_ = (void *)outputs[place];                                                                         \
        if (memcmp(given_, poison, sizeof *given_) != 0) given_->release(given_);                                      \
    } while (0)

static asdf_status a_asdf_read_callback(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    (void)user, (void)offset;
    memset(buffer, ' ', size);
    *got = size;
    return ASDF_OK;
}

static asdf_status failing_asdf_read_callback(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    (void)user, (void)offset, (void)buffer, (void)size, (void)got;
    return ASDF_ERR_IO;
}

static asdf_status a_asdf_read_ranges_callback(void *user, size_t count, const int64_t *offsets, const size_t *sizes,
                                               void *const *buffers) {
    (void)user, (void)offsets;
    for (size_t i = 0; i < count; i++) {
        memset(buffers[i], ' ', sizes[i]);
    }
    return ASDF_OK;
}

static asdf_status failing_asdf_read_ranges_callback(void *user, size_t count, const int64_t *offsets,
                                                     const size_t *sizes, void *const *buffers) {
    (void)user, (void)count, (void)offsets, (void)sizes, (void)buffers;
    return ASDF_ERR_IO;
}

static asdf_status a_asdf_close_callback(void *user) {
    (void)user;
    return ASDF_OK;
}

static asdf_status failing_asdf_close_callback(void *user) {
    (void)user;
    return ASDF_ERR_IO;
}

static asdf_status a_asdf_resolve_callback(void *user, const char *uri, asdf_read_callback *read,
                                           asdf_close_callback *close, void **source, int64_t *length) {
    (void)user, (void)uri, (void)read, (void)close, (void)source, (void)length;
    return ASDF_ERR_FILE_NOT_FOUND;
}

static int32_t a_asdf_progress_callback(void *user, int64_t done, int64_t total) {
    (void)user, (void)done, (void)total;
    return 0;
}

static int32_t a_asdf_find_callback(void *user, const asdf_node *node) {
    (void)user, (void)node;
    return 1;
}

static int32_t failing_asdf_find_callback(void *user, const asdf_node *node) {
    (void)user, (void)node;
    return 0;
}

static void a_asdf_release_callback(void *user) {
    (void)user;
}
#define failing_asdf_release_callback NULL

static asdf_status a_asdf_decode_callback(void *user, const void *stored, size_t stored_size, void *out,
                                          size_t out_size, size_t *decoded) {
    (void)user, (void)stored, (void)stored_size, (void)out;
    *decoded = out_size;
    return ASDF_OK;
}

static asdf_status failing_asdf_decode_callback(void *user, const void *stored, size_t stored_size, void *out,
                                                size_t out_size, size_t *decoded) {
    (void)user, (void)stored, (void)stored_size, (void)out, (void)out_size, (void)decoded;
    return ASDF_ERR_CORRUPT;
}

static asdf_status a_asdf_encode_callback(void *user, const void *data, size_t size, void *out, size_t capacity,
                                          size_t *encoded) {
    (void)user, (void)data, (void)out, (void)capacity;
    *encoded = size;
    return ASDF_OK;
}

static asdf_status failing_asdf_encode_callback(void *user, const void *data, size_t size, void *out, size_t capacity,
                                                size_t *encoded) {
    (void)user, (void)data, (void)size, (void)out, (void)capacity, (void)encoded;
    return ASDF_ERR_OUT_OF_MEMORY;
}

static struct ArrowSchema a_ArrowSchema;
static struct ArrowArray a_ArrowArray;
static struct ArrowArrayStream a_ArrowArrayStream;

/* A valid handle of each kind; and a handle of the same kind with which later steps of a call fail, or NULL. */
#define BOTH(type) static type *a_##type, *broken_##type
BOTH(asdf_file);
BOTH(asdf_node);
BOTH(asdf_array);
BOTH(asdf_stream);
BOTH(asdf_view);
BOTH(asdf_chunk_map);
BOTH(asdf_time);
BOTH(asdf_coordinates);
BOTH(asdf_wcs);
BOTH(asdf_transform);
BOTH(asdf_report);
BOTH(asdf_datatype);
BOTH(asdf_table);
BOTH(asdf_logical_columns);
BOTH(asdf_table_reader);
static asdf_table_writer *a_asdf_table_writer;
BOTH(asdf_buffer);
BOTH(asdf_options);
BOTH(asdf_ndl);
BOTH(asdf_ndl_builder);
BOTH(asdf_ndl_datatype);
BOTH(asdf_codec);
BOTH(asdf_schemas);

static const int64_t numbers[128] = {0};
static const char *names[128];
static const asdf_datatype *datatypes[128], *no_datatypes[128];
static const asdf_file *files[128], *no_files[128];

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The broken WCS has a transform that is not known; the broken transform has an input too many, and no inverse; the
   broken coordinates are a frame without values. */
static void make_views(void) {
    asdf_file *file = open_tree("good: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n  name: a\n  steps:\n"
                                "  - !<tag:stsci.edu:gwcs/step-1.1.0>\n    frame: a\n"
                                "    transform: !transform/shift-1.2.0 {offset: 1.0, bounding_box: [0.0, 1.0]}\n"
                                "  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: b}\n"
                                "bad: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n  name: a\n  steps:\n"
                                "  - !<tag:stsci.edu:gwcs/step-1.1.0>\n    frame: a\n"
                                "    transform: !transform/unheard_of-1.0.0 {}\n"
                                "  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: b}\n"
                                "shift: !transform/shift-1.2.0 {offset: 1.0}\n"
                                "sum: !transform/remap_axes-1.3.0 {mapping: [0], n_inputs: 2}\n"
                                "angle: !<tag:astropy.org:astropy/coordinates/angle-1.1.0> {unit: deg, value: 1.0}\n"
                                "frame: !<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0>\n"
                                "  {frame_attributes: {}}\n");
    asdf_node *root = root_of(file);
    OK(asdf_node_get_wcs(root, "good", NULL, &a_asdf_wcs));
    OK(asdf_node_get_wcs(root, "bad", NULL, &broken_asdf_wcs));
    OK(asdf_node_get_transform(root, "shift", NULL, &a_asdf_transform));
    OK(asdf_node_get_transform(root, "sum", NULL, &broken_asdf_transform));
    OK(asdf_node_get_coordinates(root, "angle", &a_asdf_coordinates));
    OK(asdf_node_get_coordinates(root, "frame", &broken_asdf_coordinates));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void make_handles(void) {
    static const int64_t eight[] = {8};
    static const char good[] = "ndarrays: {n: {shape: [1], type: int8, value: [5]}}";
    static const char other[] = "ndarrays: {n: {shape: [1, 2], type: int16}}";
    static const char bad[] = "ndarrays: {n: {shape: [1], type: [unheard of]}}";
    asdf_node *root = NULL;
    asdf_ndl *ndl = NULL;
    a_asdf_file = new_file(&a_asdf_node);
    OK(asdf_node_set_array(a_asdf_node, "a", ASDF_UINT8, 1, eight, numbers, 8, NULL));
    OK(asdf_node_get_array(a_asdf_node, "a", &a_asdf_array));
    OK(asdf_array_view(a_asdf_array, ASDF_UINT8, NULL, &a_asdf_view));
    OK(asdf_file_write(a_asdf_file, "whole.asdf", NULL));
    asdf_file *file = written(a_asdf_file);
    asdf_array *array = NULL;
    root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_chunk_map(array, &a_asdf_chunk_map));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("whole.asdf", NULL, &broken_asdf_file));
    broken_asdf_node = root_of(broken_asdf_file);
    OK(asdf_node_get_array(broken_asdf_node, "a", &broken_asdf_array));
    OK(asdf_file_close(broken_asdf_file));
    OK(asdf_stream_create(a_asdf_file, "s", "s", ASDF_UINT8, 0, NULL, NULL, &a_asdf_stream));
    OK(asdf_stream_create(a_asdf_file, "t", "s", ASDF_UINT8, 0, NULL, NULL, &broken_asdf_stream));
    OK(asdf_stream_finish(broken_asdf_stream));
    const void *zero = numbers;
    OK(asdf_time_from_jd(zero, zero, 0, NULL, ASDF_TIME_SCALE_UTC, ASDF_TIME_FORMAT_JD, NULL, &a_asdf_time));
    OK(asdf_time_from_jd(zero, zero, 0, NULL, ASDF_TIME_SCALE_TDB, ASDF_TIME_FORMAT_JD, NULL, &broken_asdf_time));
    make_views();
    OK(asdf_datatype_scalar(ASDF_UINT8, &a_asdf_datatype));
    OK(asdf_table_new(8, &a_asdf_table));
    OK(asdf_table_add_column(a_asdf_table, "a", ASDF_UINT8, 0, NULL, numbers, 8, NULL, 0, NULL));
    OK(asdf_table_logical_columns(a_asdf_table, &a_asdf_logical_columns));
    write_text("good.ecsv", "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n1\n2\n");
    write_text("bad.ecsv", "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\nx\n");
    OK(asdf_table_reader_open("good.ecsv", NULL, &a_asdf_table_reader));
    OK(asdf_table_reader_open("bad.ecsv", NULL, &broken_asdf_table_reader));
    OK(asdf_table_writer_create("new.ecsv", a_asdf_table, NULL, &a_asdf_table_writer));
    OK(asdf_file_write_memory(a_asdf_file, NULL, &a_asdf_buffer));
    OK(asdf_codec_new("toy", a_asdf_decode_callback, NULL, NULL, NULL, &a_asdf_codec));
    OK(asdf_schemas_new(&a_asdf_schemas));
    OK(asdf_options_new(&a_asdf_options));
    OK(asdf_options_set_int(a_asdf_options, ASDF_OPTION_LIMIT_DEPTH, 8));
    OK(asdf_options_new(&broken_asdf_options));
    OK(asdf_options_set_int(broken_asdf_options, ASDF_OPTION_LIMIT_TREE_BYTES, 1));
    OK(asdf_ndl_read_memory(good, sizeof good - 1, NULL, &a_asdf_ndl));
    OK(asdf_ndl_read_memory(bad, sizeof bad - 1, NULL, &broken_asdf_ndl));
    OK(asdf_ndl_read_memory(other, sizeof other - 1, NULL, &ndl));
    OK(asdf_ndl_compare(a_asdf_ndl, ndl, 0, &a_asdf_report));
    asdf_ndl_free(ndl);
    OK(asdf_ndl_builder_new(NULL, &a_asdf_ndl_builder));
    OK(asdf_ndl_builder_new(broken_asdf_ndl, &broken_asdf_ndl_builder));
    OK(asdf_ndl_get_datatype(a_asdf_ndl, "/n", NULL, &a_asdf_ndl_datatype));
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        names[index] = "a";
        datatypes[index] = a_asdf_datatype;
        files[index] = a_asdf_file;
    }
}

/* Tests the checks themselves with calls that break each rule. */
static void judges_are_awake(void) {
    unsigned char byte = 0;
    quiet = 1;
    HANDLES(asdf_node, 1, (out[0] == poisoned ? ASDF_ERR_YAML : ASDF_OK));
    HANDLES(asdf_buffer, 1, (out[0] ? ASDF_OK : ASDF_ERR_YAML));
    STATUS((outputs[3][7] = byte, ASDF_ERR_YAML));
    CHECK(defects == 3 && calls_failed == 2);
    REFUSED(ASDF_ERR_NULL_POINTER, "file", ASDF_OK);
    CHECK(defects == 5);
    REFUSED(ASDF_ERR_NULL_POINTER, "root", asdf_file_root(NULL, &a_asdf_node));
    CHECK(defects == 6);
    REFUSED(ASDF_ERR_NULL_POINTER, "file", asdf_file_root(NULL, &a_asdf_node));
    CHECK(defects == 6 && !a_asdf_node);
    OK(asdf_file_root(a_asdf_file, &a_asdf_node));
    defects = quiet = 0;
}

static void call_all(void) {
#include "calls.h"
}

int main(void) {
    make_handles();
    judges_are_awake();
    call_all();
    checks_failed += defects;
    printf("%d functions, %d defects\n", functions_seen, defects);
    return report();
}
