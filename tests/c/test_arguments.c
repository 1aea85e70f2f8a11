/* NULL for each required pointer of each function, and a handle of another kind for each handle, is an error that
 * names the argument. tests/header sees to it that none is left out. */
#include "check.h"

#define REQUIRED(argument, call) refused(ASDF_ERR_NULL_POINTER, #argument, (call), __LINE__, #call)
#define TYPED(argument, call) refused(ASDF_ERR_WRONG_HANDLE, #argument, (call), __LINE__, #call)
/* These functions ask for the error, so they do not replace it by theirs. */
#define SILENT_REQUIRED(argument, call) CHECK((call) == ASDF_ERR_NULL_POINTER && asdf_error_status() == ASDF_OK)

static void refused(asdf_status expected, const char *argument, asdf_status found, int line, const char *call) {
    char quoted[64];
    check_status(expected, found, __FILE__, line, call);
    snprintf(quoted, sizeof quoted, "'%s'", argument);
    if (!message_holds(quoted)) {
        checks_failed++;
        fprintf(stderr, "%s:%d: the message does not name %s: %s\n", __FILE__, line, quoted, call);
    }
}

static const char empty_file[] = "#ASDF 1.0.0\n";

static asdf_status give(void *user, uint64_t offset, void *buffer, size_t size, size_t *got) {
    (void)user;
    memcpy(buffer, empty_file + offset, size);
    *got = size;
    return ASDF_OK;
}

static asdf_status find(void *user, const char *uri, asdf_read_callback *read, asdf_close_callback *close,
                        void **source, uint64_t *length) {
    (void)user, (void)uri, (void)close, (void)source;
    *read = give;
    *length = sizeof empty_file - 1;
    return ASDF_OK;
}

static asdf_status decode(void *user, const void *stored, size_t stored_size, void *out, size_t out_size,
                          size_t *decoded) {
    (void)user, (void)stored, (void)stored_size, (void)out;
    *decoded = out_size;
    return ASDF_OK;
}

/* One handle of each kind, and two to pass for others. */
static asdf_file *file;
static asdf_node *node;
static asdf_array *array;
static asdf_view *view;
static asdf_report *found;
static asdf_chunk_map *map;
static asdf_datatype *datatype;
static asdf_buffer *buffer;
static asdf_codec *codec;
static asdf_table *table;
static asdf_logical_columns *columns;
static asdf_ndl *ndl;
static asdf_ndl_builder *ndl_builder;
static asdf_ndl_datatype *ndl_datatype;
static asdf_options *options, *options_out;
static void *a_node, *a_file;

/* Outputs, and arguments that are right. */
static uint8_t mask[8];
static asdf_file *file_out;
static asdf_node *node_out;
static asdf_array *array_out;
static asdf_view *view_out;
static asdf_report *report_out;
static asdf_chunk_map *map_out;
static asdf_datatype *datatype_out;
static asdf_buffer *buffer_out;
static asdf_codec *codec_out;
static asdf_table *table_out;
static asdf_logical_columns *columns_out;
static asdf_ndl *ndl_out;
static asdf_ndl_builder *ndl_builder_out;
static asdf_ndl_datatype *ndl_datatype_out;
static asdf_stream *stream_out;
static int32_t i32;
static int64_t i64, extents[8];
static uint64_t u64;
static double f64;
static size_t size;
static char text[64];
static unsigned char bytes[64];
static const void *pointer;
static const int64_t zeros[] = {0}, ones[] = {1}, eight[] = {8};

static void errors(void) {
    asdf_error_clear();
    SILENT_REQUIRED(buffer, asdf_error_message(NULL, sizeof text, &size));
    SILENT_REQUIRED(buffer, asdf_error_text(ASDF_REPORT_TEXT, NULL, sizeof text, &size));
    SILENT_REQUIRED(value, asdf_error_int(ASDF_REPORT_LINE, NULL));
}

static void reports(void) {
    REQUIRED(report, asdf_report_count(NULL, &i64, &i64));
    TYPED(report, asdf_report_count(a_node, &i64, &i64));
    REQUIRED(count, asdf_report_count(found, NULL, &i64));
    REQUIRED(report, asdf_report_int(NULL, 0, ASDF_REPORT_KIND, &i64));
    TYPED(report, asdf_report_int(a_node, 0, ASDF_REPORT_KIND, &i64));
    REQUIRED(value, asdf_report_int(found, 0, ASDF_REPORT_KIND, NULL));
    REQUIRED(report, asdf_report_text(NULL, 0, ASDF_REPORT_TEXT, text, sizeof text, &size));
    TYPED(report, asdf_report_text(a_node, 0, ASDF_REPORT_TEXT, text, sizeof text, &size));
    REQUIRED(buffer, asdf_report_text(found, 0, ASDF_REPORT_TEXT, NULL, sizeof text, &size));
    REQUIRED(report, asdf_report_json(NULL, &buffer_out));
    TYPED(report, asdf_report_json(a_node, &buffer_out));
    REQUIRED(json, asdf_report_json(found, NULL));
    REQUIRED(report, asdf_report_retain(NULL, &report_out));
    TYPED(report, asdf_report_retain(a_node, &report_out));
    REQUIRED(another, asdf_report_retain(found, NULL));
}

static void files(void) {
    REQUIRED(path, asdf_file_open_for_update(NULL, options, &file_out));
    TYPED(options, asdf_file_open_for_update("name.asdf", a_node, &file_out));
    REQUIRED(file, asdf_file_open_for_update("name.asdf", options, NULL));
    REQUIRED(path, asdf_file_open(NULL, options, &file_out));
    TYPED(options, asdf_file_open("name.asdf", a_node, &file_out));
    REQUIRED(file, asdf_file_open("name.asdf", options, NULL));
    REQUIRED(bytes, asdf_file_open_borrowed(NULL, 8, NULL, NULL, options, &file_out));
    TYPED(options, asdf_file_open_borrowed(empty_file, sizeof empty_file - 1, NULL, NULL, a_node, &file_out));
    REQUIRED(file, asdf_file_open_borrowed(empty_file, sizeof empty_file - 1, NULL, NULL, options, NULL));
    REQUIRED(bytes, asdf_file_open_memory(NULL, sizeof empty_file - 1, options, &file_out));
    TYPED(options, asdf_file_open_memory(empty_file, sizeof empty_file - 1, a_node, &file_out));
    REQUIRED(file, asdf_file_open_memory(empty_file, sizeof empty_file - 1, options, NULL));
    TYPED(options, asdf_file_open_descriptor(1, a_node, &file_out));
    REQUIRED(file, asdf_file_open_descriptor(1, options, NULL));
    REQUIRED(read, asdf_file_open_source(NULL, NULL, NULL, sizeof empty_file - 1, options, &file_out));
    TYPED(options, asdf_file_open_source(give, NULL, NULL, sizeof empty_file - 1, a_node, &file_out));
    REQUIRED(file, asdf_file_open_source(give, NULL, NULL, sizeof empty_file - 1, options, NULL));
    TYPED(options, asdf_file_new(a_node, &file_out));
    REQUIRED(file, asdf_file_new(options, NULL));
    REQUIRED(file, asdf_file_root(NULL, &node_out));
    TYPED(file, asdf_file_root(a_node, &node_out));
    REQUIRED(root, asdf_file_root(file, NULL));
    REQUIRED(file, asdf_file_close(NULL));
    TYPED(file, asdf_file_close(a_node));
    REQUIRED(file, asdf_file_retain(NULL, &file_out));
    TYPED(file, asdf_file_retain(a_node, &file_out));
    REQUIRED(another, asdf_file_retain(file, NULL));
    REQUIRED(file, asdf_file_name(NULL, text, sizeof text, &size));
    TYPED(file, asdf_file_name(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_file_name(file, NULL, sizeof text, &size));
    REQUIRED(file, asdf_file_format_version(NULL, text, sizeof text, &size));
    TYPED(file, asdf_file_format_version(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_file_format_version(file, NULL, sizeof text, &size));
    REQUIRED(file, asdf_file_standard(NULL, text, sizeof text, &size));
    TYPED(file, asdf_file_standard(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_file_standard(file, NULL, sizeof text, &size));
    REQUIRED(file, asdf_file_declared_standard(NULL, text, sizeof text, &size));
    TYPED(file, asdf_file_declared_standard(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_file_declared_standard(file, NULL, sizeof text, &size));
    REQUIRED(file, asdf_file_comment_count(NULL, &i64));
    TYPED(file, asdf_file_comment_count(a_node, &i64));
    REQUIRED(count, asdf_file_comment_count(file, NULL));
    REQUIRED(file, asdf_file_comment(NULL, 0, text, sizeof text, &size));
    TYPED(file, asdf_file_comment(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_file_comment(file, 0, NULL, sizeof text, &size));
    REQUIRED(file, asdf_file_add_comment(NULL, "a", 1));
    TYPED(file, asdf_file_add_comment(a_node, "a", 1));
    REQUIRED(text, asdf_file_add_comment(file, NULL, 1));
    REQUIRED(path, asdf_file_recover(NULL, "b", 0, options, &report_out));
    REQUIRED(new_path, asdf_file_recover("a", NULL, 0, options, &report_out));
    TYPED(options, asdf_file_recover("a", "b", 0, a_node, &report_out));
    REQUIRED(file, asdf_file_report(NULL, &report_out));
    TYPED(file, asdf_file_report(a_node, &report_out));
    REQUIRED(report, asdf_file_report(file, NULL));
    REQUIRED(file, asdf_file_repair(NULL, ASDF_REPAIR_INDEX, options, &i32, &i64));
    TYPED(file, asdf_file_repair(a_node, ASDF_REPAIR_INDEX, options, &i32, &i64));
    TYPED(options, asdf_file_repair(file, ASDF_REPAIR_INDEX, a_node, &i32, &i64));
    REQUIRED(file, asdf_file_compact(NULL, options));
    TYPED(file, asdf_file_compact(a_node, options));
    TYPED(options, asdf_file_compact(file, a_node));
    REQUIRED(file, asdf_file_save(NULL, options));
    TYPED(file, asdf_file_save(a_node, options));
    TYPED(options, asdf_file_save(file, a_node));
    REQUIRED(file, asdf_file_write(NULL, "name.asdf", options));
    TYPED(file, asdf_file_write(a_node, "name.asdf", options));
    REQUIRED(path, asdf_file_write(file, NULL, options));
    TYPED(options, asdf_file_write(file, "name.asdf", a_node));
    REQUIRED(file, asdf_file_explode(NULL, "name.asdf", options));
    TYPED(file, asdf_file_explode(a_node, "name.asdf", options));
    REQUIRED(path, asdf_file_explode(file, NULL, options));
    TYPED(options, asdf_file_explode(file, "name.asdf", a_node));
    REQUIRED(file, asdf_file_implode(NULL, "name.asdf", options));
    TYPED(file, asdf_file_implode(a_node, "name.asdf", options));
    REQUIRED(path, asdf_file_implode(file, NULL, options));
    TYPED(options, asdf_file_implode(file, "name.asdf", a_node));
    REQUIRED(file, asdf_file_write_memory(NULL, options, &buffer_out));
    TYPED(file, asdf_file_write_memory(a_node, options, &buffer_out));
    TYPED(options, asdf_file_write_memory(file, a_node, &buffer_out));
    REQUIRED(buffer, asdf_file_write_memory(file, options, NULL));
    REQUIRED(file, asdf_file_write_descriptor(NULL, 1, options));
    TYPED(file, asdf_file_write_descriptor(a_node, 1, options));
    TYPED(options, asdf_file_write_descriptor(file, 1, a_node));
    REQUIRED(file, asdf_file_forget_failure(NULL));
    TYPED(file, asdf_file_forget_failure(a_node));
    REQUIRED(file, asdf_file_block_count(NULL, &i64));
    TYPED(file, asdf_file_block_count(a_node, &i64));
    REQUIRED(count, asdf_file_block_count(file, NULL));
    REQUIRED(file, asdf_file_check_blocks(NULL));
    TYPED(file, asdf_file_check_blocks(a_node));
    REQUIRED(file, asdf_file_block_offset(NULL, 0, &i64));
    TYPED(file, asdf_file_block_offset(a_node, 0, &i64));
    REQUIRED(offset, asdf_file_block_offset(file, 0, NULL));
    REQUIRED(file, asdf_file_block_payload_offset(NULL, 0, &i64));
    TYPED(file, asdf_file_block_payload_offset(a_node, 0, &i64));
    REQUIRED(offset, asdf_file_block_payload_offset(file, 0, NULL));
    REQUIRED(file, asdf_file_block_allocated_size(NULL, 0, &i64));
    TYPED(file, asdf_file_block_allocated_size(a_node, 0, &i64));
    REQUIRED(size, asdf_file_block_allocated_size(file, 0, NULL));
    REQUIRED(file, asdf_file_block_stored_size(NULL, 0, &i64));
    TYPED(file, asdf_file_block_stored_size(a_node, 0, &i64));
    REQUIRED(size, asdf_file_block_stored_size(file, 0, NULL));
    REQUIRED(file, asdf_file_block_decoded_size(NULL, 0, &i64));
    TYPED(file, asdf_file_block_decoded_size(a_node, 0, &i64));
    REQUIRED(size, asdf_file_block_decoded_size(file, 0, NULL));
    REQUIRED(file, asdf_file_block_compression(NULL, 0, text, sizeof text, &size));
    TYPED(file, asdf_file_block_compression(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_file_block_compression(file, 0, NULL, sizeof text, &size));
    REQUIRED(file, asdf_file_block_checksum(NULL, 0, bytes, sizeof text));
    TYPED(file, asdf_file_block_checksum(a_node, 0, bytes, sizeof text));
    REQUIRED(checksum, asdf_file_block_checksum(file, 0, NULL, sizeof text));
    REQUIRED(file, asdf_file_block_is_streamed(NULL, 0, &i32));
    TYPED(file, asdf_file_block_is_streamed(a_node, 0, &i32));
    REQUIRED(streamed, asdf_file_block_is_streamed(file, 0, NULL));
    REQUIRED(file, asdf_file_read_block_stored(NULL, 0, options, text, sizeof text));
    TYPED(file, asdf_file_read_block_stored(a_node, 0, options, text, sizeof text));
    TYPED(options, asdf_file_read_block_stored(file, 0, a_node, text, sizeof text));
    REQUIRED(file, asdf_file_read_block(NULL, 0, options, text, sizeof text));
    TYPED(file, asdf_file_read_block(a_node, 0, options, text, sizeof text));
    TYPED(options, asdf_file_read_block(file, 0, a_node, text, sizeof text));
    REQUIRED(file, asdf_file_verify(NULL, options, &i64, &i64, &i64));
    TYPED(file, asdf_file_verify(a_node, options, &i64, &i64, &i64));
    TYPED(options, asdf_file_verify(file, a_node, &i64, &i64, &i64));
    REQUIRED(file, asdf_file_verify_block(NULL, 0, options, &i32));
    TYPED(file, asdf_file_verify_block(a_node, 0, options, &i32));
    TYPED(options, asdf_file_verify_block(file, 0, a_node, &i32));
    REQUIRED(outcome, asdf_file_verify_block(file, 0, options, NULL));
}

static void nodes(void) {
    REQUIRED(node, asdf_node_get(NULL, "a", &node_out));
    TYPED(node, asdf_node_get(a_file, "a", &node_out));
    REQUIRED(path, asdf_node_get(node, NULL, &node_out));
    REQUIRED(found, asdf_node_get(node, "a", NULL));
    REQUIRED(node, asdf_node_retain(NULL, &node_out));
    TYPED(node, asdf_node_retain(a_file, &node_out));
    REQUIRED(another, asdf_node_retain(node, NULL));
    REQUIRED(node, asdf_node_file(NULL, &file_out));
    TYPED(node, asdf_node_file(a_file, &file_out));
    REQUIRED(file, asdf_node_file(node, NULL));
    REQUIRED(node, asdf_node_exists(NULL, "a", &i32));
    TYPED(node, asdf_node_exists(a_file, "a", &i32));
    REQUIRED(path, asdf_node_exists(node, NULL, &i32));
    REQUIRED(exists, asdf_node_exists(node, "a", NULL));
    REQUIRED(node, asdf_node_type(NULL, "a", &i32));
    TYPED(node, asdf_node_type(a_file, "a", &i32));
    REQUIRED(path, asdf_node_type(node, NULL, &i32));
    REQUIRED(type, asdf_node_type(node, "a", NULL));
    REQUIRED(node, asdf_node_kind(NULL, "a", &i32));
    TYPED(node, asdf_node_kind(a_file, "a", &i32));
    REQUIRED(path, asdf_node_kind(node, NULL, &i32));
    REQUIRED(kind, asdf_node_kind(node, "a", NULL));
    REQUIRED(node, asdf_node_tag(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_tag(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_tag(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_tag(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_path(NULL, "", text, sizeof text, &size));
    TYPED(node, asdf_node_path(a_file, "", text, sizeof text, &size));
    REQUIRED(path, asdf_node_path(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_path(node, "", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_position(NULL, "", &i64, &i64, &i64));
    TYPED(node, asdf_node_position(a_file, "", &i64, &i64, &i64));
    REQUIRED(path, asdf_node_position(node, NULL, &i64, &i64, &i64));
    REQUIRED(node, asdf_node_identity(NULL, "a", &i64));
    TYPED(node, asdf_node_identity(a_file, "a", &i64));
    REQUIRED(path, asdf_node_identity(node, NULL, &i64));
    REQUIRED(identity, asdf_node_identity(node, "a", NULL));
    REQUIRED(node, asdf_node_reference(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_reference(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_reference(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_reference(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_count(NULL, "a", &i64));
    TYPED(node, asdf_node_count(a_file, "a", &i64));
    REQUIRED(path, asdf_node_count(node, NULL, &i64));
    REQUIRED(count, asdf_node_count(node, "a", NULL));
    REQUIRED(node, asdf_node_item(NULL, "", 0, &node_out));
    TYPED(node, asdf_node_item(a_file, "", 0, &node_out));
    REQUIRED(path, asdf_node_item(node, NULL, 0, &node_out));
    REQUIRED(item, asdf_node_item(node, "", 0, NULL));
    REQUIRED(node, asdf_node_key_type(NULL, "", 0, &i32));
    TYPED(node, asdf_node_key_type(a_file, "", 0, &i32));
    REQUIRED(path, asdf_node_key_type(node, NULL, 0, &i32));
    REQUIRED(type, asdf_node_key_type(node, "", 0, NULL));
    REQUIRED(node, asdf_node_key_string(NULL, "", 0, text, sizeof text, &size));
    TYPED(node, asdf_node_key_string(a_file, "", 0, text, sizeof text, &size));
    REQUIRED(path, asdf_node_key_string(node, NULL, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_key_string(node, "", 0, NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_key_i64(NULL, "", 0, &i64));
    TYPED(node, asdf_node_key_i64(a_file, "", 0, &i64));
    REQUIRED(path, asdf_node_key_i64(node, NULL, 0, &i64));
    REQUIRED(value, asdf_node_key_i64(node, "", 0, NULL));
    REQUIRED(node, asdf_node_key_bool(NULL, "", 0, &i32));
    TYPED(node, asdf_node_key_bool(a_file, "", 0, &i32));
    REQUIRED(path, asdf_node_key_bool(node, NULL, 0, &i32));
    REQUIRED(value, asdf_node_key_bool(node, "", 0, NULL));
    REQUIRED(node, asdf_node_get_by_string(NULL, "", "a", 1, &node_out));
    TYPED(node, asdf_node_get_by_string(a_file, "", "a", 1, &node_out));
    REQUIRED(path, asdf_node_get_by_string(node, NULL, "a", 1, &node_out));
    REQUIRED(key, asdf_node_get_by_string(node, "", NULL, 1, &node_out));
    REQUIRED(found, asdf_node_get_by_string(node, "", "a", 1, NULL));
    REQUIRED(node, asdf_node_get_by_i64(NULL, "", 0, &node_out));
    TYPED(node, asdf_node_get_by_i64(a_file, "", 0, &node_out));
    REQUIRED(path, asdf_node_get_by_i64(node, NULL, 0, &node_out));
    REQUIRED(found, asdf_node_get_by_i64(node, "", 0, NULL));
    REQUIRED(node, asdf_node_get_by_bool(NULL, "", 0, &node_out));
    TYPED(node, asdf_node_get_by_bool(a_file, "", 0, &node_out));
    REQUIRED(path, asdf_node_get_by_bool(node, NULL, 0, &node_out));
    REQUIRED(found, asdf_node_get_by_bool(node, "", 0, NULL));
    REQUIRED(node, asdf_node_get_array(NULL, "a", &array_out));
    TYPED(node, asdf_node_get_array(a_file, "a", &array_out));
    REQUIRED(path, asdf_node_get_array(node, NULL, &array_out));
    REQUIRED(array, asdf_node_get_array(node, "a", NULL));
    REQUIRED(node, asdf_node_get_bool(NULL, "a", &i32));
    TYPED(node, asdf_node_get_bool(a_file, "a", &i32));
    REQUIRED(path, asdf_node_get_bool(node, NULL, &i32));
    REQUIRED(value, asdf_node_get_bool(node, "a", NULL));
    REQUIRED(node, asdf_node_get_i32(NULL, "a", &i32));
    TYPED(node, asdf_node_get_i32(a_file, "a", &i32));
    REQUIRED(path, asdf_node_get_i32(node, NULL, &i32));
    REQUIRED(value, asdf_node_get_i32(node, "a", NULL));
    REQUIRED(node, asdf_node_get_i64(NULL, "a", &i64));
    TYPED(node, asdf_node_get_i64(a_file, "a", &i64));
    REQUIRED(path, asdf_node_get_i64(node, NULL, &i64));
    REQUIRED(value, asdf_node_get_i64(node, "a", NULL));
    REQUIRED(node, asdf_node_get_u64(NULL, "a", &u64));
    TYPED(node, asdf_node_get_u64(a_file, "a", &u64));
    REQUIRED(path, asdf_node_get_u64(node, NULL, &u64));
    REQUIRED(value, asdf_node_get_u64(node, "a", NULL));
    REQUIRED(node, asdf_node_get_integer(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_get_integer(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_get_integer(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_get_integer(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_get_f64(NULL, "a", &f64));
    TYPED(node, asdf_node_get_f64(a_file, "a", &f64));
    REQUIRED(path, asdf_node_get_f64(node, NULL, &f64));
    REQUIRED(value, asdf_node_get_f64(node, "a", NULL));
    REQUIRED(node, asdf_node_get_complex(NULL, "a", &f64, &f64));
    TYPED(node, asdf_node_get_complex(a_file, "a", &f64, &f64));
    REQUIRED(path, asdf_node_get_complex(node, NULL, &f64, &f64));
    REQUIRED(real, asdf_node_get_complex(node, "a", NULL, &f64));
    REQUIRED(imaginary, asdf_node_get_complex(node, "a", &f64, NULL));
    REQUIRED(node, asdf_node_get_string(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_get_string(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_get_string(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_get_string(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_get_string_buffer(NULL, "a", &buffer_out));
    TYPED(node, asdf_node_get_string_buffer(a_file, "a", &buffer_out));
    REQUIRED(path, asdf_node_get_string_buffer(node, NULL, &buffer_out));
    REQUIRED(buffer, asdf_node_get_string_buffer(node, "a", NULL));
    REQUIRED(node, asdf_node_get_unit(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_get_unit(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_get_unit(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_get_unit(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_get_text(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_get_text(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_get_text(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_get_text(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_get_binary(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_get_binary(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_get_binary(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_get_binary(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_set_null(NULL, "a"));
    TYPED(node, asdf_node_set_null(a_file, "a"));
    REQUIRED(path, asdf_node_set_null(node, NULL));
    REQUIRED(node, asdf_node_set_bool(NULL, "a", 0));
    TYPED(node, asdf_node_set_bool(a_file, "a", 0));
    REQUIRED(path, asdf_node_set_bool(node, NULL, 0));
    REQUIRED(node, asdf_node_set_i64(NULL, "a", 0));
    TYPED(node, asdf_node_set_i64(a_file, "a", 0));
    REQUIRED(path, asdf_node_set_i64(node, NULL, 0));
    REQUIRED(node, asdf_node_set_u64(NULL, "a", 0));
    TYPED(node, asdf_node_set_u64(a_file, "a", 0));
    REQUIRED(path, asdf_node_set_u64(node, NULL, 0));
    REQUIRED(node, asdf_node_set_integer(NULL, "a", "1", 1));
    TYPED(node, asdf_node_set_integer(a_file, "a", "1", 1));
    REQUIRED(path, asdf_node_set_integer(node, NULL, "1", 1));
    REQUIRED(digits, asdf_node_set_integer(node, "a", NULL, 1));
    REQUIRED(node, asdf_node_set_f64(NULL, "a", 0));
    TYPED(node, asdf_node_set_f64(a_file, "a", 0));
    REQUIRED(path, asdf_node_set_f64(node, NULL, 0));
    REQUIRED(node, asdf_node_set_complex(NULL, "a", 0, 0));
    TYPED(node, asdf_node_set_complex(a_file, "a", 0, 0));
    REQUIRED(path, asdf_node_set_complex(node, NULL, 0, 0));
    REQUIRED(node, asdf_node_set_string(NULL, "a", "a", 1));
    TYPED(node, asdf_node_set_string(a_file, "a", "a", 1));
    REQUIRED(path, asdf_node_set_string(node, NULL, "a", 1));
    REQUIRED(node, asdf_node_set_timestamp(NULL, "a", "2027-01-31", 10));
    TYPED(node, asdf_node_set_timestamp(a_file, "a", "2027-01-31", 10));
    REQUIRED(path, asdf_node_set_timestamp(node, NULL, "2027-01-31", 10));
    REQUIRED(value, asdf_node_set_timestamp(node, "a", NULL, 10));
    REQUIRED(node, asdf_node_set_binary(NULL, "a", "a", 1));
    TYPED(node, asdf_node_set_binary(a_file, "a", "a", 1));
    REQUIRED(path, asdf_node_set_binary(node, NULL, "a", 1));
    REQUIRED(node, asdf_node_set_sequence(NULL, "a", 0));
    TYPED(node, asdf_node_set_sequence(a_file, "a", 0));
    REQUIRED(path, asdf_node_set_sequence(node, NULL, 0));
    REQUIRED(node, asdf_node_set_mapping(NULL, "a", 0));
    TYPED(node, asdf_node_set_mapping(a_file, "a", 0));
    REQUIRED(path, asdf_node_set_mapping(node, NULL, 0));
    REQUIRED(node, asdf_node_set_tag(NULL, "a", "!a-1.0.0"));
    TYPED(node, asdf_node_set_tag(a_file, "a", "!a-1.0.0"));
    REQUIRED(path, asdf_node_set_tag(node, NULL, "!a-1.0.0"));
    REQUIRED(node, asdf_node_set_reference(NULL, "a", "#/a"));
    TYPED(node, asdf_node_set_reference(a_file, "a", "#/a"));
    REQUIRED(path, asdf_node_set_reference(node, NULL, "#/a"));
    REQUIRED(uri, asdf_node_set_reference(node, "a", NULL));
    REQUIRED(node, asdf_node_set_reference_to(NULL, "a", "a"));
    TYPED(node, asdf_node_set_reference_to(a_file, "a", "a"));
    REQUIRED(path, asdf_node_set_reference_to(node, NULL, "a"));
    REQUIRED(target, asdf_node_set_reference_to(node, "a", NULL));
    REQUIRED(node, asdf_node_set_array(NULL, "a", ASDF_UINT8, 1, eight, text, 8, options));
    TYPED(node, asdf_node_set_array(a_file, "a", ASDF_UINT8, 1, eight, text, 8, options));
    REQUIRED(path, asdf_node_set_array(node, NULL, ASDF_UINT8, 1, eight, text, 8, options));
    TYPED(options, asdf_node_set_array(node, "a", ASDF_UINT8, 1, eight, text, 8, a_node));
    REQUIRED(node, asdf_node_set_array_borrowed(NULL, "a", ASDF_UINT8, 1, eight, text, 8, NULL, NULL, options));
    TYPED(node, asdf_node_set_array_borrowed(a_file, "a", ASDF_UINT8, 1, eight, text, 8, NULL, NULL, options));
    REQUIRED(path, asdf_node_set_array_borrowed(node, NULL, ASDF_UINT8, 1, eight, text, 8, NULL, NULL, options));
    TYPED(options, asdf_node_set_array_borrowed(node, "a", ASDF_UINT8, 1, eight, text, 8, NULL, NULL, a_node));
    REQUIRED(node, asdf_node_set_array_borrowed_typed(NULL, "a", datatype, 1, eight, text, 8, NULL, NULL, options));
    TYPED(node, asdf_node_set_array_borrowed_typed(a_file, "a", datatype, 1, eight, text, 8, NULL, NULL, options));
    REQUIRED(path, asdf_node_set_array_borrowed_typed(node, NULL, datatype, 1, eight, text, 8, NULL, NULL, options));
    REQUIRED(datatype, asdf_node_set_array_borrowed_typed(node, "a", NULL, 1, eight, text, 8, NULL, NULL, options));
    TYPED(datatype, asdf_node_set_array_borrowed_typed(node, "a", a_node, 1, eight, text, 8, NULL, NULL, options));
    TYPED(options, asdf_node_set_array_borrowed_typed(node, "a", datatype, 1, eight, text, 8, NULL, NULL, a_node));
    REQUIRED(node, asdf_node_set_array_typed(NULL, "a", datatype, 1, eight, text, 8, options));
    TYPED(node, asdf_node_set_array_typed(a_file, "a", datatype, 1, eight, text, 8, options));
    REQUIRED(path, asdf_node_set_array_typed(node, NULL, datatype, 1, eight, text, 8, options));
    REQUIRED(datatype, asdf_node_set_array_typed(node, "a", NULL, 1, eight, text, 8, options));
    TYPED(datatype, asdf_node_set_array_typed(node, "a", a_node, 1, eight, text, 8, options));
    TYPED(options, asdf_node_set_array_typed(node, "a", datatype, 1, eight, text, 8, a_node));
    REQUIRED(node, asdf_node_set_array_callback(NULL, "a", ASDF_UINT8, 1, eight, give, NULL, NULL, options));
    TYPED(node, asdf_node_set_array_callback(a_file, "a", ASDF_UINT8, 1, eight, give, NULL, NULL, options));
    REQUIRED(path, asdf_node_set_array_callback(node, NULL, ASDF_UINT8, 1, eight, give, NULL, NULL, options));
    REQUIRED(read, asdf_node_set_array_callback(node, "a", ASDF_UINT8, 1, eight, NULL, NULL, NULL, options));
    TYPED(options, asdf_node_set_array_callback(node, "a", ASDF_UINT8, 1, eight, give, NULL, NULL, a_node));
    REQUIRED(node, asdf_node_set_array_callback_typed(NULL, "a", datatype, 1, eight, give, NULL, NULL, options));
    TYPED(node, asdf_node_set_array_callback_typed(a_file, "a", datatype, 1, eight, give, NULL, NULL, options));
    REQUIRED(path, asdf_node_set_array_callback_typed(node, NULL, datatype, 1, eight, give, NULL, NULL, options));
    REQUIRED(datatype, asdf_node_set_array_callback_typed(node, "a", NULL, 1, eight, give, NULL, NULL, options));
    TYPED(datatype, asdf_node_set_array_callback_typed(node, "a", a_node, 1, eight, give, NULL, NULL, options));
    REQUIRED(read, asdf_node_set_array_callback_typed(node, "a", datatype, 1, eight, NULL, NULL, NULL, options));
    TYPED(options, asdf_node_set_array_callback_typed(node, "a", datatype, 1, eight, give, NULL, NULL, a_node));
    REQUIRED(node, asdf_node_set_array_zeros(NULL, "a", ASDF_UINT8, 1, eight, options));
    TYPED(node, asdf_node_set_array_zeros(a_file, "a", ASDF_UINT8, 1, eight, options));
    REQUIRED(path, asdf_node_set_array_zeros(node, NULL, ASDF_UINT8, 1, eight, options));
    TYPED(options, asdf_node_set_array_zeros(node, "a", ASDF_UINT8, 1, eight, a_node));
    REQUIRED(node, asdf_node_set_array_zeros_typed(NULL, "a", datatype, 1, eight, options));
    TYPED(node, asdf_node_set_array_zeros_typed(a_file, "a", datatype, 1, eight, options));
    REQUIRED(path, asdf_node_set_array_zeros_typed(node, NULL, datatype, 1, eight, options));
    REQUIRED(datatype, asdf_node_set_array_zeros_typed(node, "a", NULL, 1, eight, options));
    TYPED(datatype, asdf_node_set_array_zeros_typed(node, "a", a_node, 1, eight, options));
    TYPED(options, asdf_node_set_array_zeros_typed(node, "a", datatype, 1, eight, a_node));
    REQUIRED(node, asdf_node_set_storage(NULL, "a", ASDF_STORAGE_INLINE, options));
    TYPED(node, asdf_node_set_storage(a_file, "a", ASDF_STORAGE_INLINE, options));
    REQUIRED(path, asdf_node_set_storage(node, NULL, ASDF_STORAGE_INLINE, options));
    TYPED(options, asdf_node_set_storage(node, "a", ASDF_STORAGE_INLINE, a_node));
    REQUIRED(node, asdf_node_copy(NULL, "a", node, NULL));
    TYPED(node, asdf_node_copy(a_file, "a", node, NULL));
    REQUIRED(path, asdf_node_copy(node, NULL, node, NULL));
    REQUIRED(from, asdf_node_copy(node, "a", NULL, NULL));
    TYPED(from, asdf_node_copy(node, "a", a_file, NULL));
    TYPED(options, asdf_node_copy(node, "a", node, a_node));
    REQUIRED(node, asdf_node_insert_item(NULL, "a", 0));
    TYPED(node, asdf_node_insert_item(a_file, "a", 0));
    REQUIRED(path, asdf_node_insert_item(node, NULL, 0));
    REQUIRED(node, asdf_node_insert_key(NULL, "a", "b", ASDF_INSERT_AFTER, NULL));
    TYPED(node, asdf_node_insert_key(a_file, "a", "b", ASDF_INSERT_AFTER, NULL));
    REQUIRED(path, asdf_node_insert_key(node, NULL, "b", ASDF_INSERT_AFTER, NULL));
    REQUIRED(key, asdf_node_insert_key(node, "a", NULL, ASDF_INSERT_AFTER, NULL));
    REQUIRED(node, asdf_node_rename_key(NULL, "a", "b"));
    TYPED(node, asdf_node_rename_key(a_file, "a", "b"));
    REQUIRED(path, asdf_node_rename_key(node, NULL, "b"));
    REQUIRED(key, asdf_node_rename_key(node, "a", NULL));
    REQUIRED(node, asdf_node_move(NULL, "a", "b"));
    TYPED(node, asdf_node_move(a_file, "a", "b"));
    REQUIRED(path, asdf_node_move(node, NULL, "b"));
    REQUIRED(to, asdf_node_move(node, "a", NULL));
    REQUIRED(node, asdf_node_resize_array(NULL, "a", 1, eight, NULL, 0));
    TYPED(node, asdf_node_resize_array(a_file, "a", 1, eight, NULL, 0));
    REQUIRED(path, asdf_node_resize_array(node, NULL, 1, eight, NULL, 0));
    REQUIRED(node, asdf_node_recompress_array(NULL, "a", options));
    TYPED(node, asdf_node_recompress_array(a_file, "a", options));
    REQUIRED(path, asdf_node_recompress_array(node, NULL, options));
    TYPED(options, asdf_node_recompress_array(node, "a", a_node));
    REQUIRED(node, asdf_node_remove(NULL, "a"));
    TYPED(node, asdf_node_remove(a_file, "a"));
    REQUIRED(path, asdf_node_remove(node, NULL));
    REQUIRED(file, asdf_file_history(NULL, &node_out));
    TYPED(file, asdf_file_history(a_node, &node_out));
    REQUIRED(entries, asdf_file_history(file, NULL));
    REQUIRED(file, asdf_file_add_history(NULL, "a", 1, NULL, NULL, NULL, NULL, NULL));
    TYPED(file, asdf_file_add_history(a_node, "a", 1, NULL, NULL, NULL, NULL, NULL));
    REQUIRED(description, asdf_file_add_history(file, NULL, 1, NULL, NULL, NULL, NULL, NULL));
}

static void datatypes(void) {
    REQUIRED(datatype, asdf_datatype_scalar(ASDF_UINT8, NULL));
    REQUIRED(datatype, asdf_datatype_string(ASDF_ASCII, 4, NULL));
    const char *const names[] = {"x"};
    const asdf_datatype *const datatypes[] = {datatype};
    REQUIRED(names, asdf_datatype_record(1, NULL, datatypes, NULL, NULL, &datatype_out));
    REQUIRED(datatypes, asdf_datatype_record(1, names, NULL, NULL, NULL, &datatype_out));
    REQUIRED(record, asdf_datatype_record(1, names, datatypes, NULL, NULL, NULL));
    REQUIRED(datatype, asdf_datatype_code(NULL, &i32));
    TYPED(datatype, asdf_datatype_code(a_node, &i32));
    REQUIRED(code, asdf_datatype_code(datatype, NULL));
    REQUIRED(datatype, asdf_datatype_item_size(NULL, &i64));
    TYPED(datatype, asdf_datatype_item_size(a_node, &i64));
    REQUIRED(size, asdf_datatype_item_size(datatype, NULL));
    REQUIRED(datatype, asdf_datatype_string_length(NULL, &i64));
    TYPED(datatype, asdf_datatype_string_length(a_node, &i64));
    REQUIRED(length, asdf_datatype_string_length(datatype, NULL));
    REQUIRED(datatype, asdf_datatype_name(NULL, text, sizeof text, &size));
    TYPED(datatype, asdf_datatype_name(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_datatype_name(datatype, NULL, sizeof text, &size));
    REQUIRED(first, asdf_datatype_equal(NULL, datatype, &i32));
    TYPED(first, asdf_datatype_equal(a_node, datatype, &i32));
    REQUIRED(second, asdf_datatype_equal(datatype, NULL, &i32));
    TYPED(second, asdf_datatype_equal(datatype, a_node, &i32));
    REQUIRED(equal, asdf_datatype_equal(datatype, datatype, NULL));
    REQUIRED(datatype, asdf_datatype_field_count(NULL, &i64));
    TYPED(datatype, asdf_datatype_field_count(a_node, &i64));
    REQUIRED(count, asdf_datatype_field_count(datatype, NULL));
    REQUIRED(datatype, asdf_datatype_field_name(NULL, 0, text, sizeof text, &size));
    TYPED(datatype, asdf_datatype_field_name(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_datatype_field_name(datatype, 0, NULL, sizeof text, &size));
    REQUIRED(datatype, asdf_datatype_field_datatype(NULL, 0, &datatype_out));
    TYPED(datatype, asdf_datatype_field_datatype(a_node, 0, &datatype_out));
    REQUIRED(found, asdf_datatype_field_datatype(datatype, 0, NULL));
    REQUIRED(datatype, asdf_datatype_field_offset(NULL, 0, &i64));
    TYPED(datatype, asdf_datatype_field_offset(a_node, 0, &i64));
    REQUIRED(offset, asdf_datatype_field_offset(datatype, 0, NULL));
    REQUIRED(datatype, asdf_datatype_field_shape(NULL, 0, extents, 8, &i32));
    TYPED(datatype, asdf_datatype_field_shape(a_node, 0, extents, 8, &i32));
    REQUIRED(shape, asdf_datatype_field_shape(datatype, 0, NULL, 8, &i32));
    REQUIRED(datatype, asdf_datatype_retain(NULL, &datatype_out));
    TYPED(datatype, asdf_datatype_retain(a_node, &datatype_out));
    REQUIRED(another, asdf_datatype_retain(datatype, NULL));
}

static void arrays(void) {
    REQUIRED(array, asdf_array_write_region(NULL, 1, zeros, eight, NULL, ASDF_UINT8, text, 8, options));
    TYPED(array, asdf_array_write_region(a_node, 1, zeros, eight, NULL, ASDF_UINT8, text, 8, options));
    REQUIRED(start, asdf_array_write_region(array, 1, NULL, eight, NULL, ASDF_UINT8, text, 8, options));
    REQUIRED(count, asdf_array_write_region(array, 1, zeros, NULL, NULL, ASDF_UINT8, text, 8, options));
    TYPED(options, asdf_array_write_region(array, 1, zeros, eight, NULL, ASDF_UINT8, text, 8, a_node));
    REQUIRED(array, asdf_array_write_region_typed(NULL, 1, zeros, eight, NULL, datatype, text, 8, options));
    TYPED(array, asdf_array_write_region_typed(a_node, 1, zeros, eight, NULL, datatype, text, 8, options));
    REQUIRED(start, asdf_array_write_region_typed(array, 1, NULL, eight, NULL, datatype, text, 8, options));
    REQUIRED(count, asdf_array_write_region_typed(array, 1, zeros, NULL, NULL, datatype, text, 8, options));
    REQUIRED(datatype, asdf_array_write_region_typed(array, 1, zeros, eight, NULL, NULL, text, 8, options));
    TYPED(datatype, asdf_array_write_region_typed(array, 1, zeros, eight, NULL, a_node, text, 8, options));
    TYPED(options, asdf_array_write_region_typed(array, 1, zeros, eight, NULL, datatype, text, 8, a_node));
    REQUIRED(array, asdf_array_shape(NULL, extents, 8, &i32));
    TYPED(array, asdf_array_shape(a_node, extents, 8, &i32));
    REQUIRED(shape, asdf_array_shape(array, NULL, 8, &i32));
    REQUIRED(array, asdf_array_datatype(NULL, &i32));
    TYPED(array, asdf_array_datatype(a_node, &i32));
    REQUIRED(datatype, asdf_array_datatype(array, NULL));
    REQUIRED(array, asdf_array_datatype_handle(NULL, &datatype_out));
    TYPED(array, asdf_array_datatype_handle(a_node, &datatype_out));
    REQUIRED(datatype, asdf_array_datatype_handle(array, NULL));
    REQUIRED(array, asdf_array_datatype_name(NULL, text, sizeof text, &size));
    TYPED(array, asdf_array_datatype_name(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_array_datatype_name(array, NULL, sizeof text, &size));
    REQUIRED(array, asdf_array_byte_order(NULL, &i32));
    TYPED(array, asdf_array_byte_order(a_node, &i32));
    REQUIRED(byteorder, asdf_array_byte_order(array, NULL));
    REQUIRED(array, asdf_array_element_count(NULL, &i64));
    TYPED(array, asdf_array_element_count(a_node, &i64));
    REQUIRED(count, asdf_array_element_count(array, NULL));
    REQUIRED(array, asdf_array_byte_size(NULL, ASDF_UINT8, &size));
    TYPED(array, asdf_array_byte_size(a_node, ASDF_UINT8, &size));
    REQUIRED(size, asdf_array_byte_size(array, ASDF_UINT8, NULL));
    REQUIRED(array, asdf_array_byte_size_typed(NULL, datatype, &size));
    TYPED(array, asdf_array_byte_size_typed(a_node, datatype, &size));
    REQUIRED(datatype, asdf_array_byte_size_typed(array, NULL, &size));
    TYPED(datatype, asdf_array_byte_size_typed(array, a_node, &size));
    REQUIRED(size, asdf_array_byte_size_typed(array, datatype, NULL));
    REQUIRED(array, asdf_array_is_inline(NULL, &i32));
    TYPED(array, asdf_array_is_inline(a_node, &i32));
    REQUIRED(is_inline, asdf_array_is_inline(array, NULL));
    REQUIRED(array, asdf_array_block(NULL, &i64));
    TYPED(array, asdf_array_block(a_node, &i64));
    REQUIRED(block, asdf_array_block(array, NULL));
    REQUIRED(array, asdf_array_read(NULL, ASDF_UINT8, options, text, sizeof text, NULL, 0));
    TYPED(array, asdf_array_read(a_node, ASDF_UINT8, options, text, sizeof text, NULL, 0));
    TYPED(options, asdf_array_read(array, ASDF_UINT8, a_node, text, sizeof text, NULL, 0));
    REQUIRED(array, asdf_array_read_typed(NULL, datatype, options, text, sizeof text, NULL, 0));
    TYPED(array, asdf_array_read_typed(a_node, datatype, options, text, sizeof text, NULL, 0));
    REQUIRED(datatype, asdf_array_read_typed(array, NULL, options, text, sizeof text, NULL, 0));
    TYPED(datatype, asdf_array_read_typed(array, a_node, options, text, sizeof text, NULL, 0));
    TYPED(options, asdf_array_read_typed(array, datatype, a_node, text, sizeof text, NULL, 0));
    REQUIRED(array,
             asdf_array_read_region(NULL, 1, zeros, eight, ones, ASDF_UINT8, options, text, sizeof text, NULL, 0));
    TYPED(array,
          asdf_array_read_region(a_node, 1, zeros, eight, ones, ASDF_UINT8, options, text, sizeof text, NULL, 0));
    REQUIRED(start,
             asdf_array_read_region(array, 1, NULL, eight, ones, ASDF_UINT8, options, text, sizeof text, NULL, 0));
    REQUIRED(count,
             asdf_array_read_region(array, 1, zeros, NULL, ones, ASDF_UINT8, options, text, sizeof text, NULL, 0));
    TYPED(options,
          asdf_array_read_region(array, 1, zeros, eight, ones, ASDF_UINT8, a_node, text, sizeof text, NULL, 0));
    REQUIRED(array,
             asdf_array_read_region_typed(NULL, 1, zeros, eight, ones, datatype, options, text, sizeof text, NULL, 0));
    TYPED(array,
          asdf_array_read_region_typed(a_node, 1, zeros, eight, ones, datatype, options, text, sizeof text, NULL, 0));
    REQUIRED(start,
             asdf_array_read_region_typed(array, 1, NULL, eight, ones, datatype, options, text, sizeof text, NULL, 0));
    REQUIRED(count,
             asdf_array_read_region_typed(array, 1, zeros, NULL, ones, datatype, options, text, sizeof text, NULL, 0));
    REQUIRED(datatype,
             asdf_array_read_region_typed(array, 1, zeros, eight, ones, NULL, options, text, sizeof text, NULL, 0));
    TYPED(datatype,
          asdf_array_read_region_typed(array, 1, zeros, eight, ones, a_node, options, text, sizeof text, NULL, 0));
    TYPED(options,
          asdf_array_read_region_typed(array, 1, zeros, eight, ones, datatype, a_node, text, sizeof text, NULL, 0));
    REQUIRED(array, asdf_array_read_string(NULL, 1, zeros, options, text, sizeof text, &size, NULL));
    TYPED(array, asdf_array_read_string(a_node, 1, zeros, options, text, sizeof text, &size, NULL));
    TYPED(options, asdf_array_read_string(array, 1, zeros, a_node, text, sizeof text, &size, NULL));
    REQUIRED(buffer, asdf_array_read_string(array, 1, zeros, options, NULL, sizeof text, &size, NULL));
    REQUIRED(array, asdf_array_field(NULL, "x", &array_out));
    TYPED(array, asdf_array_field(a_node, "x", &array_out));
    REQUIRED(name, asdf_array_field(array, NULL, &array_out));
    REQUIRED(field, asdf_array_field(array, "x", NULL));
    REQUIRED(array, asdf_array_retain(NULL, &array_out));
    TYPED(array, asdf_array_retain(a_node, &array_out));
    REQUIRED(another, asdf_array_retain(array, NULL));
    REQUIRED(array, asdf_array_view(NULL, ASDF_UINT8, &view_out));
    TYPED(array, asdf_array_view(a_node, ASDF_UINT8, &view_out));
    REQUIRED(view, asdf_array_view(array, ASDF_UINT8, NULL));
    REQUIRED(array, asdf_array_view_typed(NULL, datatype, &view_out));
    TYPED(array, asdf_array_view_typed(a_node, datatype, &view_out));
    REQUIRED(datatype, asdf_array_view_typed(array, NULL, &view_out));
    TYPED(datatype, asdf_array_view_typed(array, a_node, &view_out));
    REQUIRED(view, asdf_array_view_typed(array, datatype, NULL));
}

static void masks(void) {
    REQUIRED(array, asdf_array_has_mask(NULL, &i32));
    TYPED(array, asdf_array_has_mask(a_node, &i32));
    REQUIRED(has_mask, asdf_array_has_mask(array, NULL));
    REQUIRED(array, asdf_array_without_mask(NULL, &array_out));
    TYPED(array, asdf_array_without_mask(a_node, &array_out));
    REQUIRED(plain, asdf_array_without_mask(array, NULL));
    REQUIRED(array, asdf_array_read_mask(NULL, options, mask, sizeof mask));
    TYPED(array, asdf_array_read_mask(a_node, options, mask, sizeof mask));
    REQUIRED(mask, asdf_array_read_mask(array, options, NULL, sizeof mask));
    TYPED(options, asdf_array_read_mask(array, a_node, mask, sizeof mask));
    REQUIRED(array, asdf_array_read_mask_region(NULL, 1, zeros, eight, ones, options, mask, sizeof mask));
    TYPED(array, asdf_array_read_mask_region(a_node, 1, zeros, eight, ones, options, mask, sizeof mask));
    REQUIRED(start, asdf_array_read_mask_region(array, 1, NULL, eight, ones, options, mask, sizeof mask));
    REQUIRED(count, asdf_array_read_mask_region(array, 1, zeros, NULL, ones, options, mask, sizeof mask));
    REQUIRED(mask, asdf_array_read_mask_region(array, 1, zeros, eight, ones, options, NULL, sizeof mask));
    TYPED(options, asdf_array_read_mask_region(array, 1, zeros, eight, ones, a_node, mask, sizeof mask));
}

static void views(void) {
    REQUIRED(array, asdf_array_chunk_map(NULL, &map_out));
    TYPED(array, asdf_array_chunk_map(a_node, &map_out));
    REQUIRED(map, asdf_array_chunk_map(array, NULL));
    REQUIRED(map, asdf_chunk_map_count(NULL, &i64));
    TYPED(map, asdf_chunk_map_count(a_node, &i64));
    REQUIRED(count, asdf_chunk_map_count(map, NULL));
    REQUIRED(map, asdf_chunk_map_file(NULL, text, sizeof text, &size));
    TYPED(map, asdf_chunk_map_file(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_chunk_map_file(map, NULL, sizeof text, &size));
    REQUIRED(map, asdf_chunk_map_codec(NULL, text, sizeof text, &size));
    TYPED(map, asdf_chunk_map_codec(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_chunk_map_codec(map, NULL, sizeof text, &size));
    REQUIRED(map, asdf_chunk_map_bytes(NULL, 0, &i64, &i64, &i64));
    TYPED(map, asdf_chunk_map_bytes(a_node, 0, &i64, &i64, &i64));
    REQUIRED(map, asdf_chunk_map_origin(NULL, 0, extents, 8, &i32));
    TYPED(map, asdf_chunk_map_origin(a_node, 0, extents, 8, &i32));
    REQUIRED(origin, asdf_chunk_map_origin(map, 0, NULL, 8, &i32));
    REQUIRED(map, asdf_chunk_map_shape(NULL, 0, extents, 8, &i32));
    TYPED(map, asdf_chunk_map_shape(a_node, 0, extents, 8, &i32));
    REQUIRED(shape, asdf_chunk_map_shape(map, 0, NULL, 8, &i32));
    REQUIRED(map, asdf_chunk_map_first_element(NULL, 0, &i64, &i32));
    TYPED(map, asdf_chunk_map_first_element(a_node, 0, &i64, &i32));
    REQUIRED(first, asdf_chunk_map_first_element(map, 0, NULL, &i32));
    REQUIRED(map, asdf_chunk_map_retain(NULL, &map_out));
    TYPED(map, asdf_chunk_map_retain(a_node, &map_out));
    REQUIRED(another, asdf_chunk_map_retain(map, NULL));
    REQUIRED(array, asdf_array_prefetch(NULL, 1, zeros, eight, ones));
    TYPED(array, asdf_array_prefetch(a_node, 1, zeros, eight, ones));
    REQUIRED(start, asdf_array_prefetch(array, 1, NULL, eight, ones));
    REQUIRED(count, asdf_array_prefetch(array, 1, zeros, NULL, ones));
    REQUIRED(array, asdf_array_strides(NULL, extents, 8, &i32));
    TYPED(array, asdf_array_strides(a_node, extents, 8, &i32));
    REQUIRED(strides, asdf_array_strides(array, NULL, 8, &i32));
    REQUIRED(view, asdf_view_bytes(NULL, &pointer, &size));
    TYPED(view, asdf_view_bytes(a_node, &pointer, &size));
    REQUIRED(bytes, asdf_view_bytes(view, NULL, &size));
    REQUIRED(size, asdf_view_bytes(view, &pointer, NULL));
    REQUIRED(view, asdf_view_first_element(NULL, &pointer));
    TYPED(view, asdf_view_first_element(a_node, &pointer));
    REQUIRED(element, asdf_view_first_element(view, NULL));
    REQUIRED(view, asdf_view_shape(NULL, extents, 8, &i32));
    TYPED(view, asdf_view_shape(a_node, extents, 8, &i32));
    REQUIRED(shape, asdf_view_shape(view, NULL, 8, &i32));
    REQUIRED(view, asdf_view_strides(NULL, extents, 8, &i32));
    TYPED(view, asdf_view_strides(a_node, extents, 8, &i32));
    REQUIRED(strides, asdf_view_strides(view, NULL, 8, &i32));
    REQUIRED(view, asdf_view_datatype(NULL, &i32));
    TYPED(view, asdf_view_datatype(a_node, &i32));
    REQUIRED(datatype, asdf_view_datatype(view, NULL));
    REQUIRED(view, asdf_view_retain(NULL, &view_out));
    TYPED(view, asdf_view_retain(a_node, &view_out));
    REQUIRED(another, asdf_view_retain(view, NULL));
    REQUIRED(buffer, asdf_buffer_bytes(NULL, &pointer, &size));
    TYPED(buffer, asdf_buffer_bytes(a_node, &pointer, &size));
    REQUIRED(size, asdf_buffer_bytes(buffer, &pointer, NULL));
    REQUIRED(buffer, asdf_buffer_retain(NULL, &buffer_out));
    TYPED(buffer, asdf_buffer_retain(a_node, &buffer_out));
    REQUIRED(another, asdf_buffer_retain(buffer, NULL));
}

static void option_values(void) {
    REQUIRED(options, asdf_options_new(NULL));
    REQUIRED(options, asdf_options_copy(NULL, &options_out));
    TYPED(options, asdf_options_copy(a_node, &options_out));
    REQUIRED(copy, asdf_options_copy(options, NULL));
    REQUIRED(options, asdf_options_unset(NULL, ASDF_OPTION_THREADS));
    TYPED(options, asdf_options_unset(a_node, ASDF_OPTION_THREADS));
    REQUIRED(options, asdf_options_set_int(NULL, ASDF_OPTION_THREADS, 1));
    TYPED(options, asdf_options_set_int(a_node, ASDF_OPTION_THREADS, 1));
    REQUIRED(options, asdf_options_set_int_at(NULL, ASDF_OPTION_EXTENT, "/a", 1));
    TYPED(options, asdf_options_set_int_at(a_node, ASDF_OPTION_EXTENT, "/a", 1));
    REQUIRED(path, asdf_options_set_int_at(options, ASDF_OPTION_EXTENT, NULL, 1));
    REQUIRED(options, asdf_options_set_ints(NULL, ASDF_OPTION_STRIDES, ones, 1));
    TYPED(options, asdf_options_set_ints(a_node, ASDF_OPTION_STRIDES, ones, 1));
    REQUIRED(ints, asdf_options_set_ints(options, ASDF_OPTION_STRIDES, NULL, 1));
    REQUIRED(options, asdf_options_set_text(NULL, ASDF_OPTION_CODEC, "zlib", 4));
    TYPED(options, asdf_options_set_text(a_node, ASDF_OPTION_CODEC, "zlib", 4));
    REQUIRED(text, asdf_options_set_text(options, ASDF_OPTION_CODEC, NULL, 4));
    REQUIRED(options, asdf_options_add_text(NULL, ASDF_OPTION_COLUMNS, "a", 1));
    TYPED(options, asdf_options_add_text(a_node, ASDF_OPTION_COLUMNS, "a", 1));
    REQUIRED(text, asdf_options_add_text(options, ASDF_OPTION_COLUMNS, NULL, 1));
    REQUIRED(options, asdf_options_get_int(NULL, ASDF_OPTION_LIMIT_DEPTH, &i64));
    TYPED(options, asdf_options_get_int(a_node, ASDF_OPTION_LIMIT_DEPTH, &i64));
    REQUIRED(value, asdf_options_get_int(options, ASDF_OPTION_LIMIT_DEPTH, NULL));
    REQUIRED(options, asdf_options_get_ints(NULL, ASDF_OPTION_STRIDES, extents, 8, &i32));
    TYPED(options, asdf_options_get_ints(a_node, ASDF_OPTION_STRIDES, extents, 8, &i32));
    REQUIRED(ints, asdf_options_get_ints(options, ASDF_OPTION_STRIDES, NULL, 8, &i32));
    REQUIRED(options, asdf_options_get_text(NULL, ASDF_OPTION_CODEC, 0, text, sizeof text, &size));
    TYPED(options, asdf_options_get_text(a_node, ASDF_OPTION_CODEC, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_options_get_text(options, ASDF_OPTION_CODEC, 0, NULL, sizeof text, &size));
    REQUIRED(options, asdf_options_set_fill(NULL, ASDF_UINT8, text, 1));
    TYPED(options, asdf_options_set_fill(a_node, ASDF_UINT8, text, 1));
    REQUIRED(value, asdf_options_set_fill(options, ASDF_UINT8, NULL, 1));
    REQUIRED(options, asdf_options_set_fill_typed(NULL, datatype, text, 1));
    TYPED(options, asdf_options_set_fill_typed(a_node, datatype, text, 1));
    REQUIRED(datatype, asdf_options_set_fill_typed(options, NULL, text, 1));
    TYPED(datatype, asdf_options_set_fill_typed(options, a_node, text, 1));
    REQUIRED(value, asdf_options_set_fill_typed(options, datatype, NULL, 1));
    REQUIRED(options, asdf_options_add_codec(NULL, codec));
    TYPED(options, asdf_options_add_codec(a_node, codec));
    REQUIRED(codec, asdf_options_add_codec(options, NULL));
    TYPED(codec, asdf_options_add_codec(options, a_node));
    REQUIRED(options, asdf_options_set_resolver(NULL, find, NULL, NULL));
    TYPED(options, asdf_options_set_resolver(a_node, find, NULL, NULL));
    REQUIRED(resolve, asdf_options_set_resolver(options, NULL, NULL, NULL));
    REQUIRED(label, asdf_codec_new(NULL, decode, NULL, NULL, NULL, &codec_out));
    REQUIRED(decode, asdf_codec_new("toy", NULL, NULL, NULL, NULL, &codec_out));
    REQUIRED(codec, asdf_codec_new("toy", decode, NULL, NULL, NULL, NULL));
    REQUIRED(codec, asdf_codec_retain(NULL, &codec_out));
    TYPED(codec, asdf_codec_retain(a_node, &codec_out));
    REQUIRED(another, asdf_codec_retain(codec, NULL));
}

static void descriptions_of_files(void) {
    REQUIRED(file, asdf_ndl_describe(NULL, options, &ndl_out));
    TYPED(file, asdf_ndl_describe(a_node, options, &ndl_out));
    TYPED(options, asdf_ndl_describe(file, a_node, &ndl_out));
    REQUIRED(ndl, asdf_ndl_describe(file, options, NULL));
    REQUIRED(ndl, asdf_ndl_create_asdf(NULL, "name.asdf", options, &report_out));
    TYPED(ndl, asdf_ndl_create_asdf(a_node, "name.asdf", options, &report_out));
    REQUIRED(path, asdf_ndl_create_asdf(ndl, NULL, options, &report_out));
    TYPED(options, asdf_ndl_create_asdf(ndl, "name.asdf", a_node, &report_out));
}

static void descriptions(void) {
    REQUIRED(path, asdf_ndl_read(NULL, options, &ndl_out));
    TYPED(options, asdf_ndl_read("name.yaml", a_node, &ndl_out));
    REQUIRED(ndl, asdf_ndl_read("name.yaml", options, NULL));
    REQUIRED(text, asdf_ndl_read_memory(NULL, 2, options, &ndl_out));
    TYPED(options, asdf_ndl_read_memory("{}", 2, a_node, &ndl_out));
    REQUIRED(ndl, asdf_ndl_read_memory("{}", 2, options, NULL));
    REQUIRED(ndl, asdf_ndl_is_valid(NULL, &i32));
    TYPED(ndl, asdf_ndl_is_valid(a_node, &i32));
    REQUIRED(valid, asdf_ndl_is_valid(ndl, NULL));
    REQUIRED(ndl, asdf_ndl_retain(NULL, &ndl_out));
    TYPED(ndl, asdf_ndl_retain(a_node, &ndl_out));
    REQUIRED(another, asdf_ndl_retain(ndl, NULL));
}

static void described(void) {
    REQUIRED(ndl, asdf_ndl_report(NULL, &report_out));
    TYPED(ndl, asdf_ndl_report(a_node, &report_out));
    REQUIRED(report, asdf_ndl_report(ndl, NULL));
    REQUIRED(ndl, asdf_ndl_count(NULL, ASDF_NDL_KIND_GROUP, &i64));
    TYPED(ndl, asdf_ndl_count(a_node, ASDF_NDL_KIND_GROUP, &i64));
    REQUIRED(count, asdf_ndl_count(ndl, ASDF_NDL_KIND_GROUP, NULL));
    REQUIRED(ndl, asdf_ndl_path(NULL, ASDF_NDL_KIND_GROUP, 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_path(a_node, ASDF_NDL_KIND_GROUP, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_path(ndl, ASDF_NDL_KIND_GROUP, 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_kind(NULL, "/n", &i32));
    TYPED(ndl, asdf_ndl_kind(a_node, "/n", &i32));
    REQUIRED(path, asdf_ndl_kind(ndl, NULL, &i32));
    REQUIRED(kind, asdf_ndl_kind(ndl, "/n", NULL));
    REQUIRED(ndl, asdf_ndl_attribute_count(NULL, "/n", &i64));
    TYPED(ndl, asdf_ndl_attribute_count(a_node, "/n", &i64));
    REQUIRED(path, asdf_ndl_attribute_count(ndl, NULL, &i64));
    REQUIRED(count, asdf_ndl_attribute_count(ndl, "/n", NULL));
    REQUIRED(ndl, asdf_ndl_attribute_name(NULL, "/n", 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_attribute_name(a_node, "/n", 0, text, sizeof text, &size));
    REQUIRED(path, asdf_ndl_attribute_name(ndl, NULL, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_attribute_name(ndl, "/n", 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_coordinate(NULL, "/n", 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_coordinate(a_node, "/n", 0, text, sizeof text, &size));
    REQUIRED(path, asdf_ndl_coordinate(ndl, NULL, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_coordinate(ndl, "/n", 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_keyword(NULL, "/n", NULL, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_keyword(a_node, "/n", NULL, text, sizeof text, &size));
    REQUIRED(path, asdf_ndl_keyword(ndl, NULL, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_keyword(ndl, "/n", NULL, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_value_i64(NULL, "/n", NULL, 0, &i64));
    TYPED(ndl, asdf_ndl_value_i64(a_node, "/n", NULL, 0, &i64));
    REQUIRED(path, asdf_ndl_value_i64(ndl, NULL, NULL, 0, &i64));
    REQUIRED(value, asdf_ndl_value_i64(ndl, "/n", NULL, 0, NULL));
    REQUIRED(ndl, asdf_ndl_value_f64(NULL, "/n", NULL, 0, &f64));
    TYPED(ndl, asdf_ndl_value_f64(a_node, "/n", NULL, 0, &f64));
    REQUIRED(path, asdf_ndl_value_f64(ndl, NULL, NULL, 0, &f64));
    REQUIRED(value, asdf_ndl_value_f64(ndl, "/n", NULL, 0, NULL));
    REQUIRED(ndl, asdf_ndl_value_text(NULL, "/n", NULL, 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_value_text(a_node, "/n", NULL, 0, text, sizeof text, &size));
    REQUIRED(path, asdf_ndl_value_text(ndl, NULL, NULL, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_value_text(ndl, "/n", NULL, 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_shape(NULL, "/n", NULL, extents, 8, &i32));
    TYPED(ndl, asdf_ndl_shape(a_node, "/n", NULL, extents, 8, &i32));
    REQUIRED(path, asdf_ndl_shape(ndl, NULL, NULL, extents, 8, &i32));
    REQUIRED(extents, asdf_ndl_shape(ndl, "/n", NULL, NULL, 8, &i32));
    REQUIRED(rank, asdf_ndl_shape(ndl, "/n", NULL, NULL, 0, NULL));
    REQUIRED(ndl, asdf_ndl_value_shape(NULL, "/n", NULL, extents, 8, &i32));
    TYPED(ndl, asdf_ndl_value_shape(a_node, "/n", NULL, extents, 8, &i32));
    REQUIRED(path, asdf_ndl_value_shape(ndl, NULL, NULL, extents, 8, &i32));
    REQUIRED(extents, asdf_ndl_value_shape(ndl, "/n", NULL, NULL, 8, &i32));
    REQUIRED(rank, asdf_ndl_value_shape(ndl, "/n", NULL, NULL, 0, NULL));
}

static void values_of_descriptions(void) {
    REQUIRED(ndl, asdf_ndl_value_notation(NULL, "/n", NULL, 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_value_notation(a_node, "/n", NULL, 0, text, sizeof text, &size));
    REQUIRED(path, asdf_ndl_value_notation(ndl, NULL, NULL, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_value_notation(ndl, "/n", NULL, 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_read_values(NULL, "/n", NULL, ASDF_UINT8, options, text, 8));
    TYPED(ndl, asdf_ndl_read_values(a_node, "/n", NULL, ASDF_UINT8, options, text, 8));
    REQUIRED(path, asdf_ndl_read_values(ndl, NULL, NULL, ASDF_UINT8, options, text, 8));
    REQUIRED(elements, asdf_ndl_read_values(ndl, "/n", NULL, ASDF_UINT8, options, NULL, 8));
    TYPED(options, asdf_ndl_read_values(ndl, "/n", NULL, ASDF_UINT8, a_node, text, 8));
    REQUIRED(ndl, asdf_ndl_read_values_typed(NULL, "/n", NULL, datatype, options, text, 8));
    TYPED(ndl, asdf_ndl_read_values_typed(a_node, "/n", NULL, datatype, options, text, 8));
    REQUIRED(path, asdf_ndl_read_values_typed(ndl, NULL, NULL, datatype, options, text, 8));
    REQUIRED(datatype, asdf_ndl_read_values_typed(ndl, "/n", NULL, NULL, options, text, 8));
    TYPED(datatype, asdf_ndl_read_values_typed(ndl, "/n", NULL, a_node, options, text, 8));
    REQUIRED(elements, asdf_ndl_read_values_typed(ndl, "/n", NULL, datatype, options, NULL, 8));
    TYPED(options, asdf_ndl_read_values_typed(ndl, "/n", NULL, datatype, a_node, text, 8));
}

static void made_descriptions(void) {
    static const char *const names[] = {"a"};
    TYPED(from, asdf_ndl_builder_new(a_node, &ndl_builder_out));
    REQUIRED(builder, asdf_ndl_builder_new(ndl, NULL));
    REQUIRED(builder, asdf_ndl_builder_add_group(NULL, "/g"));
    TYPED(builder, asdf_ndl_builder_add_group(a_node, "/g"));
    REQUIRED(path, asdf_ndl_builder_add_group(ndl_builder, NULL));
    REQUIRED(builder, asdf_ndl_builder_add_dimcoord(NULL, "/d", 1, "int8"));
    TYPED(builder, asdf_ndl_builder_add_dimcoord(a_node, "/d", 1, "int8"));
    REQUIRED(path, asdf_ndl_builder_add_dimcoord(ndl_builder, NULL, 1, "int8"));
    REQUIRED(builder, asdf_ndl_builder_add_ndarray(NULL, "/m", 1, ones, NULL, "int8"));
    TYPED(builder, asdf_ndl_builder_add_ndarray(a_node, "/m", 1, ones, NULL, "int8"));
    REQUIRED(path, asdf_ndl_builder_add_ndarray(ndl_builder, NULL, 1, ones, NULL, "int8"));
    REQUIRED(extents, asdf_ndl_builder_add_ndarray(ndl_builder, "/m", 1, NULL, NULL, "int8"));
    REQUIRED(builder, asdf_ndl_builder_set_size(NULL, "/d", 1));
    TYPED(builder, asdf_ndl_builder_set_size(a_node, "/d", 1));
    REQUIRED(path, asdf_ndl_builder_set_size(ndl_builder, NULL, 1));
    REQUIRED(builder, asdf_ndl_builder_set_shape(NULL, "/m", 1, ones, NULL));
    TYPED(builder, asdf_ndl_builder_set_shape(a_node, "/m", 1, ones, NULL));
    REQUIRED(path, asdf_ndl_builder_set_shape(ndl_builder, NULL, 1, ones, NULL));
    REQUIRED(extents, asdf_ndl_builder_set_shape(ndl_builder, "/m", 1, NULL, NULL));
    REQUIRED(builder, asdf_ndl_builder_set_datatype(NULL, "/m", NULL, "int8"));
    TYPED(builder, asdf_ndl_builder_set_datatype(a_node, "/m", NULL, "int8"));
    REQUIRED(path, asdf_ndl_builder_set_datatype(ndl_builder, NULL, NULL, "int8"));
    REQUIRED(datatype, asdf_ndl_builder_set_datatype(ndl_builder, "/m", NULL, NULL));
    REQUIRED(builder, asdf_ndl_builder_set_attribute_string(NULL, "/m", "u", "a", 1));
    TYPED(builder, asdf_ndl_builder_set_attribute_string(a_node, "/m", "u", "a", 1));
    REQUIRED(path, asdf_ndl_builder_set_attribute_string(ndl_builder, NULL, "u", "a", 1));
    REQUIRED(attribute, asdf_ndl_builder_set_attribute_string(ndl_builder, "/m", NULL, "a", 1));
    REQUIRED(text, asdf_ndl_builder_set_attribute_string(ndl_builder, "/m", "u", NULL, 1));
    REQUIRED(builder, asdf_ndl_builder_set_attribute_i64(NULL, "/m", "u", 1));
    TYPED(builder, asdf_ndl_builder_set_attribute_i64(a_node, "/m", "u", 1));
    REQUIRED(path, asdf_ndl_builder_set_attribute_i64(ndl_builder, NULL, "u", 1));
    REQUIRED(attribute, asdf_ndl_builder_set_attribute_i64(ndl_builder, "/m", NULL, 1));
    REQUIRED(builder, asdf_ndl_builder_set_attribute_f64(NULL, "/m", "u", 1));
    TYPED(builder, asdf_ndl_builder_set_attribute_f64(a_node, "/m", "u", 1));
    REQUIRED(path, asdf_ndl_builder_set_attribute_f64(ndl_builder, NULL, "u", 1));
    REQUIRED(attribute, asdf_ndl_builder_set_attribute_f64(ndl_builder, "/m", NULL, 1));
    REQUIRED(builder, asdf_ndl_builder_set_attribute(NULL, "/m", "u", 1, ones, "int8"));
    TYPED(builder, asdf_ndl_builder_set_attribute(a_node, "/m", "u", 1, ones, "int8"));
    REQUIRED(path, asdf_ndl_builder_set_attribute(ndl_builder, NULL, "u", 1, ones, "int8"));
    REQUIRED(attribute, asdf_ndl_builder_set_attribute(ndl_builder, "/m", NULL, 1, ones, "int8"));
    REQUIRED(extents, asdf_ndl_builder_set_attribute(ndl_builder, "/m", "u", 1, NULL, "int8"));
    REQUIRED(datatype, asdf_ndl_builder_set_attribute(ndl_builder, "/m", "u", 1, ones, NULL));
    REQUIRED(builder, asdf_ndl_builder_set_values(NULL, "/m", NULL, ASDF_FLOAT64, 1, ones, &f64, sizeof f64, options));
    TYPED(builder, asdf_ndl_builder_set_values(a_node, "/m", NULL, ASDF_FLOAT64, 1, ones, &f64, sizeof f64, options));
    REQUIRED(path,
             asdf_ndl_builder_set_values(ndl_builder, NULL, NULL, ASDF_FLOAT64, 1, ones, &f64, sizeof f64, options));
    REQUIRED(extents,
             asdf_ndl_builder_set_values(ndl_builder, "/m", NULL, ASDF_FLOAT64, 1, NULL, &f64, sizeof f64, options));
    REQUIRED(elements,
             asdf_ndl_builder_set_values(ndl_builder, "/m", NULL, ASDF_FLOAT64, 1, ones, NULL, sizeof f64, options));
    TYPED(options,
          asdf_ndl_builder_set_values(ndl_builder, "/m", NULL, ASDF_FLOAT64, 1, ones, &f64, sizeof f64, a_node));
    REQUIRED(builder, asdf_ndl_builder_set_texts(NULL, "/m", NULL, 1, ones, names, 1));
    TYPED(builder, asdf_ndl_builder_set_texts(a_node, "/m", NULL, 1, ones, names, 1));
    REQUIRED(path, asdf_ndl_builder_set_texts(ndl_builder, NULL, NULL, 1, ones, names, 1));
    REQUIRED(extents, asdf_ndl_builder_set_texts(ndl_builder, "/m", NULL, 1, NULL, names, 1));
    REQUIRED(texts, asdf_ndl_builder_set_texts(ndl_builder, "/m", NULL, 1, ones, NULL, 1));
    REQUIRED(builder, asdf_ndl_builder_set_value(NULL, "/m", NULL, "[1]"));
    TYPED(builder, asdf_ndl_builder_set_value(a_node, "/m", NULL, "[1]"));
    REQUIRED(path, asdf_ndl_builder_set_value(ndl_builder, NULL, NULL, "[1]"));
    REQUIRED(builder, asdf_ndl_builder_set_storage(NULL, "/m", NULL, "chunk", "[1]"));
    TYPED(builder, asdf_ndl_builder_set_storage(a_node, "/m", NULL, "chunk", "[1]"));
    REQUIRED(path, asdf_ndl_builder_set_storage(ndl_builder, NULL, NULL, "chunk", "[1]"));
    REQUIRED(directive, asdf_ndl_builder_set_storage(ndl_builder, "/m", NULL, NULL, "[1]"));
    REQUIRED(builder, asdf_ndl_builder_set_extension(NULL, "/m", NULL, "x-a", "1"));
    TYPED(builder, asdf_ndl_builder_set_extension(a_node, "/m", NULL, "x-a", "1"));
    REQUIRED(key, asdf_ndl_builder_set_extension(ndl_builder, "/m", NULL, NULL, "1"));
    REQUIRED(builder, asdf_ndl_builder_remove(NULL, "/m", NULL));
    TYPED(builder, asdf_ndl_builder_remove(a_node, "/m", NULL));
    REQUIRED(path, asdf_ndl_builder_remove(ndl_builder, NULL, NULL));
    REQUIRED(path, asdf_ndl_builder_set_extension(ndl_builder, NULL, "u", "x-a", "1"));
    REQUIRED(builder, asdf_ndl_builder_finish(NULL, options, &ndl_out));
    TYPED(builder, asdf_ndl_builder_finish(a_node, options, &ndl_out));
    TYPED(options, asdf_ndl_builder_finish(ndl_builder, a_node, &ndl_out));
    REQUIRED(ndl, asdf_ndl_builder_finish(ndl_builder, options, NULL));
}

static void written_descriptions(void) {
    REQUIRED(ndl, asdf_ndl_export(NULL, ASDF_NDL_FORMAT_TEXT, NULL, options, &buffer_out));
    TYPED(ndl, asdf_ndl_export(a_node, ASDF_NDL_FORMAT_TEXT, NULL, options, &buffer_out));
    REQUIRED(name, asdf_ndl_export(ndl, ASDF_NDL_FORMAT_CDL, NULL, options, &buffer_out));
    REQUIRED(name, asdf_ndl_export(ndl, ASDF_NDL_FORMAT_C, NULL, options, &buffer_out));
    TYPED(options, asdf_ndl_export(ndl, ASDF_NDL_FORMAT_TEXT, NULL, a_node, &buffer_out));
    REQUIRED(buffer, asdf_ndl_export(ndl, ASDF_NDL_FORMAT_TEXT, NULL, options, NULL));
    REQUIRED(ndl, asdf_ndl_write(NULL, "a.yaml", options));
    TYPED(ndl, asdf_ndl_write(a_node, "a.yaml", options));
    REQUIRED(path, asdf_ndl_write(ndl, NULL, options));
    TYPED(options, asdf_ndl_write(ndl, "a.yaml", a_node));
    REQUIRED(path, asdf_ndl_file_name(NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_file_name("a", NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_size(NULL, "/a", &i64, &i64, &i64));
    TYPED(ndl, asdf_ndl_size(a_node, "/a", &i64, &i64, &i64));
    REQUIRED(path, asdf_ndl_size(ndl, NULL, &i64, &i64, &i64));
    REQUIRED(ndl, asdf_ndl_total_size(NULL, &i64, &i64));
    TYPED(ndl, asdf_ndl_total_size(a_node, &i64, &i64));
    REQUIRED(bytes, asdf_ndl_total_size(ndl, NULL, &i64));
    REQUIRED(ndl, asdf_ndl_is_same(NULL, ndl, &i32));
    TYPED(ndl, asdf_ndl_is_same(a_node, ndl, &i32));
    REQUIRED(other, asdf_ndl_is_same(ndl, NULL, &i32));
    TYPED(other, asdf_ndl_is_same(ndl, a_node, &i32));
    REQUIRED(same, asdf_ndl_is_same(ndl, ndl, NULL));
    REQUIRED(ndl, asdf_ndl_compare(NULL, ndl, 0, &report_out));
    TYPED(ndl, asdf_ndl_compare(a_node, ndl, 0, &report_out));
    REQUIRED(newer, asdf_ndl_compare(ndl, NULL, 0, &report_out));
    TYPED(newer, asdf_ndl_compare(ndl, a_node, 0, &report_out));
    REQUIRED(report, asdf_ndl_compare(ndl, ndl, 0, NULL));
    REQUIRED(ndl, asdf_ndl_conform(NULL, ndl, 0, &report_out));
    TYPED(ndl, asdf_ndl_conform(a_node, ndl, 0, &report_out));
    REQUIRED(file, asdf_ndl_conform(ndl, NULL, 0, &report_out));
    TYPED(file, asdf_ndl_conform(ndl, a_node, 0, &report_out));
    REQUIRED(report, asdf_ndl_conform(ndl, ndl, 0, NULL));
}

static void storage_of_descriptions(void) {
    REQUIRED(ndl, asdf_ndl_storage(NULL, "/n", NULL, "chunk", text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_storage(a_node, "/n", NULL, "chunk", text, sizeof text, &size));
    REQUIRED(path, asdf_ndl_storage(ndl, NULL, NULL, "chunk", text, sizeof text, &size));
    REQUIRED(directive, asdf_ndl_storage(ndl, "/n", NULL, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_storage(ndl, "/n", NULL, "chunk", NULL, sizeof text, &size));
}

static void datatypes_of_descriptions(void) {
    REQUIRED(ndl, asdf_ndl_get_datatype(NULL, "/n", NULL, &ndl_datatype_out));
    TYPED(ndl, asdf_ndl_get_datatype(a_node, "/n", NULL, &ndl_datatype_out));
    REQUIRED(path, asdf_ndl_get_datatype(ndl, NULL, NULL, &ndl_datatype_out));
    REQUIRED(datatype, asdf_ndl_get_datatype(ndl, "/n", NULL, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_text(NULL, text, sizeof text, &size));
    TYPED(datatype, asdf_ndl_datatype_text(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_datatype_text(ndl_datatype, NULL, sizeof text, &size));
    REQUIRED(datatype, asdf_ndl_datatype_keyword(NULL, text, sizeof text, &size));
    TYPED(datatype, asdf_ndl_datatype_keyword(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_datatype_keyword(ndl_datatype, NULL, sizeof text, &size));
    REQUIRED(datatype, asdf_ndl_datatype_element_size(NULL, &i64));
    TYPED(datatype, asdf_ndl_datatype_element_size(a_node, &i64));
    REQUIRED(size, asdf_ndl_datatype_element_size(ndl_datatype, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_member_count(NULL, &i64));
    TYPED(datatype, asdf_ndl_datatype_member_count(a_node, &i64));
    REQUIRED(count, asdf_ndl_datatype_member_count(ndl_datatype, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_member_name(NULL, 0, text, sizeof text, &size));
    TYPED(datatype, asdf_ndl_datatype_member_name(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_datatype_member_name(ndl_datatype, 0, NULL, sizeof text, &size));
    REQUIRED(datatype, asdf_ndl_datatype_member(NULL, 0, &ndl_datatype_out));
    TYPED(datatype, asdf_ndl_datatype_member(a_node, 0, &ndl_datatype_out));
    REQUIRED(member, asdf_ndl_datatype_member(ndl_datatype, 0, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_constant_i64(NULL, 0, &i64));
    TYPED(datatype, asdf_ndl_datatype_constant_i64(a_node, 0, &i64));
    REQUIRED(value, asdf_ndl_datatype_constant_i64(ndl_datatype, 0, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_constant_u64(NULL, 0, &u64));
    TYPED(datatype, asdf_ndl_datatype_constant_u64(a_node, 0, &u64));
    REQUIRED(value, asdf_ndl_datatype_constant_u64(ndl_datatype, 0, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_base(NULL, &ndl_datatype_out));
    TYPED(datatype, asdf_ndl_datatype_base(a_node, &ndl_datatype_out));
    REQUIRED(base, asdf_ndl_datatype_base(ndl_datatype, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_shape(NULL, extents, 8, &i32));
    TYPED(datatype, asdf_ndl_datatype_shape(a_node, extents, 8, &i32));
    REQUIRED(extents, asdf_ndl_datatype_shape(ndl_datatype, NULL, 8, &i32));
    REQUIRED(rank, asdf_ndl_datatype_shape(ndl_datatype, NULL, 0, NULL));
    REQUIRED(datatype, asdf_ndl_datatype_tag(NULL, text, sizeof text, &size));
    TYPED(datatype, asdf_ndl_datatype_tag(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_datatype_tag(ndl_datatype, NULL, sizeof text, &size));
    REQUIRED(datatype, asdf_ndl_datatype_selection(NULL, text, sizeof text, &size));
    TYPED(datatype, asdf_ndl_datatype_selection(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_datatype_selection(ndl_datatype, NULL, sizeof text, &size));
    REQUIRED(datatype, asdf_ndl_datatype_retain(NULL, &ndl_datatype_out));
    TYPED(datatype, asdf_ndl_datatype_retain(a_node, &ndl_datatype_out));
    REQUIRED(another, asdf_ndl_datatype_retain(ndl_datatype, NULL));
}

/* Freeing cannot fail: NULL and handles of other kinds are left alone. */
static void freeing(void) {
    asdf_file_free(NULL);
    asdf_file_free(a_node);
    asdf_node_free(NULL);
    asdf_node_free(a_file);
    asdf_datatype_free(NULL);
    asdf_datatype_free(a_node);
    asdf_array_free(NULL);
    asdf_array_free(a_node);
    asdf_view_free(NULL);
    asdf_view_free(a_node);
    asdf_chunk_map_free(NULL);
    asdf_chunk_map_free(a_node);
    asdf_report_free(NULL);
    asdf_report_free(a_node);
    asdf_table_free(NULL);
    asdf_table_free(a_node);
    asdf_logical_columns_free(NULL);
    asdf_logical_columns_free(a_node);
    asdf_ndl_free(NULL);
    asdf_ndl_free(a_node);
    asdf_ndl_builder_free(NULL);
    asdf_ndl_builder_free(a_node);
    asdf_ndl_datatype_free(NULL);
    asdf_ndl_datatype_free(a_node);
    asdf_buffer_free(NULL);
    asdf_buffer_free(a_node);
    asdf_options_free(NULL);
    asdf_options_free(a_node);
    asdf_codec_free(NULL);
    asdf_codec_free(a_node);
    OK(asdf_node_type(node, "", &i32));
    OK(asdf_file_root(file, &node_out));
    asdf_node_free(node_out);
}

/* An input of no bytes may be NULL. */
static void empty_inputs(void) {
    OK(asdf_node_set_string(node, "empty", NULL, 0));
    OK(asdf_node_set_array(node, "none", ASDF_UINT8, 1, zeros, NULL, 0, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_string(node, "empty", NULL, 1));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_array(node, "none", ASDF_UINT8, 1, eight, NULL, 8, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_array(node, "none", ASDF_UINT8, 1, NULL, text, 8, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_array_read(array, ASDF_UINT8, NULL, NULL, 8, NULL, 0));
    /* Somewhere the length must go. */
    FAILS(ASDF_ERR_NULL_POINTER, asdf_file_name(file, NULL, 0, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_array_shape(array, NULL, 0, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_array_shape(array, NULL, 8, &i32));
}

/* The chunks of the array once it has been written, which is where they are. */
static asdf_chunk_map *map_of_written(const asdf_file *made) {
    asdf_file *again = written(made);
    asdf_node *root = root_of(again);
    asdf_array *stored = NULL;
    asdf_chunk_map *found = NULL;
    OK(asdf_node_get_array(root, "array", &stored));
    OK(asdf_array_chunk_map(stored, &found));
    asdf_array_free(stored);
    asdf_node_free(root);
    asdf_file_free(again);
    return found;
}

static void streams(void) {
    asdf_stream *own = NULL;
    OK(asdf_file_forget_failure(file));
    OK(asdf_stream_create(file, "streamed.asdf", "a", ASDF_UINT8, 1, eight, options, &own));
    REQUIRED(file, asdf_stream_create(NULL, "name.asdf", "a", ASDF_UINT8, 1, eight, options, &stream_out));
    TYPED(file, asdf_stream_create(a_node, "name.asdf", "a", ASDF_UINT8, 1, eight, options, &stream_out));
    REQUIRED(path, asdf_stream_create(file, NULL, "a", ASDF_UINT8, 1, eight, options, &stream_out));
    REQUIRED(node_path, asdf_stream_create(file, "name.asdf", NULL, ASDF_UINT8, 1, eight, options, &stream_out));
    TYPED(options, asdf_stream_create(file, "name.asdf", "a", ASDF_UINT8, 1, eight, a_node, &stream_out));
    REQUIRED(stream, asdf_stream_create(file, "name.asdf", "a", ASDF_UINT8, 1, eight, options, NULL));
    REQUIRED(file, asdf_stream_create_typed(NULL, "name.asdf", "a", datatype, 1, eight, options, &stream_out));
    TYPED(file, asdf_stream_create_typed(a_node, "name.asdf", "a", datatype, 1, eight, options, &stream_out));
    REQUIRED(path, asdf_stream_create_typed(file, NULL, "a", datatype, 1, eight, options, &stream_out));
    REQUIRED(node_path, asdf_stream_create_typed(file, "name.asdf", NULL, datatype, 1, eight, options, &stream_out));
    REQUIRED(datatype, asdf_stream_create_typed(file, "name.asdf", "a", NULL, 1, eight, options, &stream_out));
    TYPED(datatype, asdf_stream_create_typed(file, "name.asdf", "a", a_node, 1, eight, options, &stream_out));
    TYPED(options, asdf_stream_create_typed(file, "name.asdf", "a", datatype, 1, eight, a_node, &stream_out));
    REQUIRED(stream, asdf_stream_create_typed(file, "name.asdf", "a", datatype, 1, eight, options, NULL));
    REQUIRED(stream, asdf_stream_push(NULL, 1, text, 8));
    TYPED(stream, asdf_stream_push(a_node, 1, text, 8));
    REQUIRED(rows, asdf_stream_push(own, 1, NULL, 8));
    REQUIRED(stream, asdf_stream_row_count(NULL, &i64));
    TYPED(stream, asdf_stream_row_count(a_node, &i64));
    REQUIRED(count, asdf_stream_row_count(own, NULL));
    REQUIRED(stream, asdf_stream_finish(NULL));
    TYPED(stream, asdf_stream_finish(a_node));
    asdf_stream_free(NULL);
    asdf_stream_free(own);
}

static void tables_in_files(void) {
    REQUIRED(node, asdf_node_get_table(NULL, "t", options, &table_out));
    TYPED(node, asdf_node_get_table(a_file, "t", options, &table_out));
    REQUIRED(path, asdf_node_get_table(node, NULL, options, &table_out));
    TYPED(options, asdf_node_get_table(node, "t", a_node, &table_out));
    REQUIRED(table, asdf_node_get_table(node, "t", options, NULL));
    REQUIRED(node, asdf_node_set_table(NULL, "t", table, options));
    TYPED(node, asdf_node_set_table(a_file, "t", table, options));
    REQUIRED(path, asdf_node_set_table(node, NULL, table, options));
    REQUIRED(table, asdf_node_set_table(node, "t", NULL, options));
    TYPED(table, asdf_node_set_table(node, "t", a_node, options));
    TYPED(options, asdf_node_set_table(node, "t", table, a_node));
}

/* Structs of Arrow that were released, for a call that gets as far is refused then. */
static struct ArrowSchema arrow_schema;
static struct ArrowArray arrow_array;
static struct ArrowArrayStream arrow_stream;

static void arrow(void) {
    REQUIRED(table, asdf_table_export_arrow(NULL, &arrow_schema, &arrow_array));
    TYPED(table, asdf_table_export_arrow(a_node, &arrow_schema, &arrow_array));
    REQUIRED(schema, asdf_table_export_arrow(table, NULL, &arrow_array));
    REQUIRED(array, asdf_table_export_arrow(table, &arrow_schema, NULL));
    REQUIRED(table, asdf_table_export_arrow_stream(NULL, 0, &arrow_stream));
    TYPED(table, asdf_table_export_arrow_stream(a_node, 0, &arrow_stream));
    REQUIRED(stream, asdf_table_export_arrow_stream(table, 0, NULL));
    REQUIRED(schema, asdf_table_import_arrow(NULL, &arrow_array, &table_out));
    REQUIRED(array, asdf_table_import_arrow(&arrow_schema, NULL, &table_out));
    REQUIRED(table, asdf_table_import_arrow(&arrow_schema, &arrow_array, NULL));
    REQUIRED(stream, asdf_table_import_arrow_stream(NULL, &table_out));
    REQUIRED(table, asdf_table_import_arrow_stream(&arrow_stream, NULL));
}

static void logical(void) {
    OK(asdf_table_logical_columns(table, &columns));
    REQUIRED(table, asdf_table_logical_columns(NULL, &columns_out));
    TYPED(table, asdf_table_logical_columns(a_node, &columns_out));
    REQUIRED(columns, asdf_table_logical_columns(table, NULL));
    REQUIRED(columns, asdf_logical_columns_count(NULL, &i64));
    TYPED(columns, asdf_logical_columns_count(a_node, &i64));
    REQUIRED(count, asdf_logical_columns_count(columns, NULL));
    REQUIRED(columns, asdf_logical_columns_name(NULL, 0, text, sizeof text, &size));
    TYPED(columns, asdf_logical_columns_name(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_logical_columns_name(columns, 0, NULL, sizeof text, &size));
    REQUIRED(columns, asdf_logical_columns_class(NULL, 0, text, sizeof text, &size));
    TYPED(columns, asdf_logical_columns_class(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_logical_columns_class(columns, 0, NULL, sizeof text, &size));
    REQUIRED(columns, asdf_logical_columns_unit(NULL, 0, text, sizeof text, &size));
    TYPED(columns, asdf_logical_columns_unit(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_logical_columns_unit(columns, 0, NULL, sizeof text, &size));
    REQUIRED(columns, asdf_logical_columns_attributes(NULL, 0, &node_out));
    TYPED(columns, asdf_logical_columns_attributes(a_node, 0, &node_out));
    REQUIRED(attributes, asdf_logical_columns_attributes(columns, 0, NULL));
    REQUIRED(columns, asdf_logical_columns_member_count(NULL, 0, &i64));
    TYPED(columns, asdf_logical_columns_member_count(a_node, 0, &i64));
    REQUIRED(count, asdf_logical_columns_member_count(columns, 0, NULL));
    REQUIRED(columns, asdf_logical_columns_member_name(NULL, 0, 0, text, sizeof text, &size));
    TYPED(columns, asdf_logical_columns_member_name(a_node, 0, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_logical_columns_member_name(columns, 0, 0, NULL, sizeof text, &size));
    REQUIRED(columns, asdf_logical_columns_member_attribute(NULL, 0, 0, text, sizeof text, &size));
    TYPED(columns, asdf_logical_columns_member_attribute(a_node, 0, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_logical_columns_member_attribute(columns, 0, 0, NULL, sizeof text, &size));
    REQUIRED(columns, asdf_logical_columns_values(NULL, 0, &table_out));
    TYPED(columns, asdf_logical_columns_values(a_node, 0, &table_out));
    REQUIRED(values, asdf_logical_columns_values(columns, 0, NULL));
    REQUIRED(columns, asdf_logical_columns_retain(NULL, &columns_out));
    TYPED(columns, asdf_logical_columns_retain(a_node, &columns_out));
    REQUIRED(another, asdf_logical_columns_retain(columns, NULL));
    asdf_logical_columns_free(columns);
}

static void tables(void) {
    const char *const texts[8] = {""};
    REQUIRED(table, asdf_table_row_count(NULL, &i64));
    TYPED(table, asdf_table_row_count(a_node, &i64));
    REQUIRED(count, asdf_table_row_count(table, NULL));
    REQUIRED(table, asdf_table_column_count(NULL, &i64));
    TYPED(table, asdf_table_column_count(a_node, &i64));
    REQUIRED(count, asdf_table_column_count(table, NULL));
    REQUIRED(table, asdf_table_column_name(NULL, 0, text, sizeof text, &size));
    TYPED(table, asdf_table_column_name(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_column_name(table, 0, NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_column_index(NULL, "x", &i64));
    TYPED(table, asdf_table_column_index(a_node, "x", &i64));
    REQUIRED(name, asdf_table_column_index(table, NULL, &i64));
    REQUIRED(index, asdf_table_column_index(table, "x", NULL));
    REQUIRED(table, asdf_table_column_datatype(NULL, "x", &i32));
    TYPED(table, asdf_table_column_datatype(a_node, "x", &i32));
    REQUIRED(name, asdf_table_column_datatype(table, NULL, &i32));
    REQUIRED(datatype, asdf_table_column_datatype(table, "x", NULL));
    REQUIRED(table, asdf_table_column_shape(NULL, "x", extents, 8, &i32));
    TYPED(table, asdf_table_column_shape(a_node, "x", extents, 8, &i32));
    REQUIRED(name, asdf_table_column_shape(table, NULL, extents, 8, &i32));
    REQUIRED(shape, asdf_table_column_shape(table, "x", NULL, 8, &i32));
    REQUIRED(table, asdf_table_column_unit(NULL, "x", text, sizeof text, &size));
    TYPED(table, asdf_table_column_unit(a_node, "x", text, sizeof text, &size));
    REQUIRED(name, asdf_table_column_unit(table, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_column_unit(table, "x", NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_column_description(NULL, "x", text, sizeof text, &size));
    TYPED(table, asdf_table_column_description(a_node, "x", text, sizeof text, &size));
    REQUIRED(name, asdf_table_column_description(table, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_column_description(table, "x", NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_column_format(NULL, "x", text, sizeof text, &size));
    TYPED(table, asdf_table_column_format(a_node, "x", text, sizeof text, &size));
    REQUIRED(name, asdf_table_column_format(table, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_column_format(table, "x", NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_column_declared_datatype(NULL, "x", text, sizeof text, &size));
    TYPED(table, asdf_table_column_declared_datatype(a_node, "x", text, sizeof text, &size));
    REQUIRED(name, asdf_table_column_declared_datatype(table, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_column_declared_datatype(table, "x", NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_column_declared_subtype(NULL, "x", text, sizeof text, &size));
    TYPED(table, asdf_table_column_declared_subtype(a_node, "x", text, sizeof text, &size));
    REQUIRED(name, asdf_table_column_declared_subtype(table, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_column_declared_subtype(table, "x", NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_column_meta(NULL, "x", &node_out));
    TYPED(table, asdf_table_column_meta(a_node, "x", &node_out));
    REQUIRED(name, asdf_table_column_meta(table, NULL, &node_out));
    REQUIRED(meta, asdf_table_column_meta(table, "x", NULL));
    REQUIRED(table, asdf_table_meta(NULL, &node_out));
    TYPED(table, asdf_table_meta(a_node, &node_out));
    REQUIRED(meta, asdf_table_meta(table, NULL));
    REQUIRED(table, asdf_table_schema(NULL, text, sizeof text, &size));
    TYPED(table, asdf_table_schema(a_node, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_schema(table, NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_set_schema(NULL, "x"));
    TYPED(table, asdf_table_set_schema(a_node, "x"));
    REQUIRED(table, asdf_table_report(NULL, &report_out));
    TYPED(table, asdf_table_report(a_node, &report_out));
    REQUIRED(report, asdf_table_report(table, NULL));
    REQUIRED(table, asdf_table_retain(NULL, &table_out));
    TYPED(table, asdf_table_retain(a_node, &table_out));
    REQUIRED(another, asdf_table_retain(table, NULL));
    REQUIRED(table, asdf_table_read_column(NULL, "x", 0, -1, ASDF_UINT8, options, bytes, 8, mask, 8));
    TYPED(table, asdf_table_read_column(a_node, "x", 0, -1, ASDF_UINT8, options, bytes, 8, mask, 8));
    REQUIRED(name, asdf_table_read_column(table, NULL, 0, -1, ASDF_UINT8, options, bytes, 8, mask, 8));
    REQUIRED(elements, asdf_table_read_column(table, "x", 0, -1, ASDF_UINT8, options, NULL, 8, mask, 8));
    TYPED(options, asdf_table_read_column(table, "x", 0, -1, ASDF_UINT8, a_node, bytes, 8, mask, 8));
    REQUIRED(table, asdf_table_read_column_typed(NULL, "x", 0, -1, datatype, options, bytes, 8, mask, 8));
    TYPED(table, asdf_table_read_column_typed(a_node, "x", 0, -1, datatype, options, bytes, 8, mask, 8));
    REQUIRED(name, asdf_table_read_column_typed(table, NULL, 0, -1, datatype, options, bytes, 8, mask, 8));
    REQUIRED(datatype, asdf_table_read_column_typed(table, "x", 0, -1, NULL, options, bytes, 8, mask, 8));
    TYPED(datatype, asdf_table_read_column_typed(table, "x", 0, -1, a_node, options, bytes, 8, mask, 8));
    REQUIRED(elements, asdf_table_read_column_typed(table, "x", 0, -1, datatype, options, NULL, 8, mask, 8));
    TYPED(options, asdf_table_read_column_typed(table, "x", 0, -1, datatype, a_node, bytes, 8, mask, 8));
    REQUIRED(table, asdf_table_read_column(NULL, "x", 0, 8, ASDF_UINT8, options, bytes, 8, mask, 8));
    TYPED(table, asdf_table_read_column(a_node, "x", 0, 8, ASDF_UINT8, options, bytes, 8, mask, 8));
    REQUIRED(name, asdf_table_read_column(table, NULL, 0, 8, ASDF_UINT8, options, bytes, 8, mask, 8));
    REQUIRED(elements, asdf_table_read_column(table, "x", 0, 8, ASDF_UINT8, options, NULL, 8, mask, 8));
    TYPED(options, asdf_table_read_column(table, "x", 0, 8, ASDF_UINT8, a_node, bytes, 8, mask, 8));
    REQUIRED(table, asdf_table_read_column_typed(NULL, "x", 0, 8, datatype, options, bytes, 8, mask, 8));
    TYPED(table, asdf_table_read_column_typed(a_node, "x", 0, 8, datatype, options, bytes, 8, mask, 8));
    REQUIRED(name, asdf_table_read_column_typed(table, NULL, 0, 8, datatype, options, bytes, 8, mask, 8));
    REQUIRED(datatype, asdf_table_read_column_typed(table, "x", 0, 8, NULL, options, bytes, 8, mask, 8));
    TYPED(datatype, asdf_table_read_column_typed(table, "x", 0, 8, a_node, options, bytes, 8, mask, 8));
    REQUIRED(elements, asdf_table_read_column_typed(table, "x", 0, 8, datatype, options, NULL, 8, mask, 8));
    TYPED(options, asdf_table_read_column_typed(table, "x", 0, 8, datatype, a_node, bytes, 8, mask, 8));
    REQUIRED(table, asdf_table_element_count(NULL, "x", 0, 8, &i64));
    TYPED(table, asdf_table_element_count(a_node, "x", 0, 8, &i64));
    REQUIRED(name, asdf_table_element_count(table, NULL, 0, 8, &i64));
    REQUIRED(elements, asdf_table_element_count(table, "x", 0, 8, NULL));
    REQUIRED(table, asdf_table_read_cell_lengths(NULL, "x", 0, 8, extents, 8));
    TYPED(table, asdf_table_read_cell_lengths(a_node, "x", 0, 8, extents, 8));
    REQUIRED(name, asdf_table_read_cell_lengths(table, NULL, 0, 8, extents, 8));
    REQUIRED(lengths, asdf_table_read_cell_lengths(table, "x", 0, 8, NULL, 8));
    REQUIRED(table, asdf_table_longest_text(NULL, "x", ASDF_ASCII, &i64));
    TYPED(table, asdf_table_longest_text(a_node, "x", ASDF_ASCII, &i64));
    REQUIRED(name, asdf_table_longest_text(table, NULL, ASDF_ASCII, &i64));
    REQUIRED(length, asdf_table_longest_text(table, "x", ASDF_ASCII, NULL));
    REQUIRED(table, asdf_table_read_text(NULL, "x", 0, 0, &i32, text, sizeof text, &size));
    TYPED(table, asdf_table_read_text(a_node, "x", 0, 0, &i32, text, sizeof text, &size));
    REQUIRED(name, asdf_table_read_text(table, NULL, 0, 0, &i32, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_read_text(table, "x", 0, 0, &i32, NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_new(8, NULL));
    REQUIRED(table, asdf_table_add_column(NULL, "new", ASDF_UINT8, 1, ones, bytes, 8, mask, 8, options));
    TYPED(table, asdf_table_add_column(a_node, "new", ASDF_UINT8, 1, ones, bytes, 8, mask, 8, options));
    REQUIRED(name, asdf_table_add_column(table, NULL, ASDF_UINT8, 1, ones, bytes, 8, mask, 8, options));
    REQUIRED(shape, asdf_table_add_column(table, "new", ASDF_UINT8, 1, NULL, bytes, 8, mask, 8, options));
    REQUIRED(elements, asdf_table_add_column(table, "new", ASDF_UINT8, 1, ones, NULL, 8, mask, 8, options));
    TYPED(options, asdf_table_add_column(table, "new", ASDF_UINT8, 1, ones, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_add_column_typed(NULL, "new", datatype, 1, ones, bytes, 8, mask, 8, options));
    TYPED(table, asdf_table_add_column_typed(a_node, "new", datatype, 1, ones, bytes, 8, mask, 8, options));
    REQUIRED(name, asdf_table_add_column_typed(table, NULL, datatype, 1, ones, bytes, 8, mask, 8, options));
    REQUIRED(datatype, asdf_table_add_column_typed(table, "new", NULL, 1, ones, bytes, 8, mask, 8, options));
    TYPED(datatype, asdf_table_add_column_typed(table, "new", a_node, 1, ones, bytes, 8, mask, 8, options));
    REQUIRED(shape, asdf_table_add_column_typed(table, "new", datatype, 1, NULL, bytes, 8, mask, 8, options));
    REQUIRED(elements, asdf_table_add_column_typed(table, "new", datatype, 1, ones, NULL, 8, mask, 8, options));
    TYPED(options, asdf_table_add_column_typed(table, "new", datatype, 1, ones, bytes, 8, mask, 8, a_node));
    REQUIRED(table,
             asdf_table_add_variable_column(NULL, "new", ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8, options));
    TYPED(table,
          asdf_table_add_variable_column(a_node, "new", ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8, options));
    REQUIRED(name,
             asdf_table_add_variable_column(table, NULL, ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8, options));
    REQUIRED(shape,
             asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, NULL, extents, 8, bytes, 8, mask, 8, options));
    REQUIRED(lengths,
             asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, ones, NULL, 8, bytes, 8, mask, 8, options));
    REQUIRED(elements,
             asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, ones, extents, 8, NULL, 8, mask, 8, options));
    TYPED(options,
          asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_add_variable_column_typed(NULL, "new", datatype, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                         options));
    TYPED(table, asdf_table_add_variable_column_typed(a_node, "new", datatype, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                      options));
    REQUIRED(name, asdf_table_add_variable_column_typed(table, NULL, datatype, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                        options));
    REQUIRED(datatype,
             asdf_table_add_variable_column_typed(table, "new", NULL, 1, ones, extents, 8, bytes, 8, mask, 8, options));
    TYPED(datatype,
          asdf_table_add_variable_column_typed(table, "new", a_node, 1, ones, extents, 8, bytes, 8, mask, 8, options));
    REQUIRED(shape, asdf_table_add_variable_column_typed(table, "new", datatype, 1, NULL, extents, 8, bytes, 8, mask, 8,
                                                         options));
    REQUIRED(lengths, asdf_table_add_variable_column_typed(table, "new", datatype, 1, ones, NULL, 8, bytes, 8, mask, 8,
                                                           options));
    REQUIRED(elements, asdf_table_add_variable_column_typed(table, "new", datatype, 1, ones, extents, 8, NULL, 8, mask,
                                                            8, options));
    TYPED(options,
          asdf_table_add_variable_column_typed(table, "new", datatype, 1, ones, extents, 8, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_add_text_column(NULL, "new", ASDF_STRING, texts, 8));
    TYPED(table, asdf_table_add_text_column(a_node, "new", ASDF_STRING, texts, 8));
    REQUIRED(name, asdf_table_add_text_column(table, NULL, ASDF_STRING, texts, 8));
    REQUIRED(texts, asdf_table_add_text_column(table, "new", ASDF_STRING, NULL, 8));
    REQUIRED(table, asdf_table_set_column_unit(NULL, "x", "y"));
    TYPED(table, asdf_table_set_column_unit(a_node, "x", "y"));
    REQUIRED(name, asdf_table_set_column_unit(table, NULL, "y"));
    REQUIRED(table, asdf_table_set_column_description(NULL, "x", "y"));
    TYPED(table, asdf_table_set_column_description(a_node, "x", "y"));
    REQUIRED(name, asdf_table_set_column_description(table, NULL, "y"));
    REQUIRED(table, asdf_table_set_column_format(NULL, "x", "y"));
    TYPED(table, asdf_table_set_column_format(a_node, "x", "y"));
    REQUIRED(name, asdf_table_set_column_format(table, NULL, "y"));
    REQUIRED(table, asdf_table_set_column_meta(NULL, "x", node));
    TYPED(table, asdf_table_set_column_meta(a_node, "x", node));
    REQUIRED(name, asdf_table_set_column_meta(table, NULL, node));
    TYPED(meta, asdf_table_set_column_meta(table, "x", a_file));
    REQUIRED(table, asdf_table_set_meta(NULL, node));
    TYPED(table, asdf_table_set_meta(a_node, node));
    TYPED(meta, asdf_table_set_meta(table, a_file));
}

static void ecsv(void) {
    static const char header[] = "# %ECSV 1.0\n# ---\n# datatype: []\n";
    asdf_table_reader *reader = NULL, *reader_out = NULL;
    asdf_table_writer *writer = NULL, *writer_out = NULL;
    FILE *stream = fopen("empty.ecsv", "wb");
    CHECK(stream && fputs(header, stream) >= 0 && fclose(stream) == 0);
    OK(asdf_table_reader_open("empty.ecsv", NULL, &reader));
    OK(asdf_table_writer_create("new.ecsv", table, NULL, &writer));
    REQUIRED(reader, asdf_table_reader_export_arrow_stream(NULL, &arrow_stream));
    TYPED(reader, asdf_table_reader_export_arrow_stream(a_node, &arrow_stream));
    REQUIRED(stream, asdf_table_reader_export_arrow_stream(reader, NULL));
    REQUIRED(bytes, asdf_ecsv_probe(NULL, 8, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ecsv_probe(text, 8, NULL, sizeof text, &size));
    REQUIRED(path, asdf_table_read_ecsv(NULL, options, &table_out));
    TYPED(options, asdf_table_read_ecsv("x", a_node, &table_out));
    REQUIRED(table, asdf_table_read_ecsv("x", options, NULL));
    REQUIRED(bytes, asdf_table_read_ecsv_memory(NULL, 8, options, &table_out));
    TYPED(options, asdf_table_read_ecsv_memory(text, 8, a_node, &table_out));
    REQUIRED(table, asdf_table_read_ecsv_memory(text, 8, options, NULL));
    REQUIRED(path, asdf_table_reader_open(NULL, options, &reader_out));
    TYPED(options, asdf_table_reader_open("x", a_node, &reader_out));
    REQUIRED(reader, asdf_table_reader_open("x", options, NULL));
    REQUIRED(read, asdf_table_reader_open_source(NULL, NULL, NULL, 8, options, &reader_out));
    TYPED(options, asdf_table_reader_open_source(give, NULL, NULL, 8, a_node, &reader_out));
    REQUIRED(reader, asdf_table_reader_open_source(give, NULL, NULL, 8, options, NULL));
    REQUIRED(reader, asdf_table_reader_header(NULL, &table_out));
    TYPED(reader, asdf_table_reader_header(a_node, &table_out));
    REQUIRED(table, asdf_table_reader_header(reader, NULL));
    REQUIRED(reader, asdf_table_reader_next(NULL, &table_out));
    TYPED(reader, asdf_table_reader_next(a_node, &table_out));
    REQUIRED(table, asdf_table_reader_next(reader, NULL));
    REQUIRED(table, asdf_table_write_ecsv(NULL, "x.ecsv", options));
    TYPED(table, asdf_table_write_ecsv(a_node, "x.ecsv", options));
    REQUIRED(path, asdf_table_write_ecsv(table, NULL, options));
    TYPED(options, asdf_table_write_ecsv(table, "x.ecsv", a_node));
    REQUIRED(path, asdf_table_writer_create(NULL, table, options, &writer_out));
    REQUIRED(table, asdf_table_writer_create("x.ecsv", NULL, options, &writer_out));
    TYPED(table, asdf_table_writer_create("x.ecsv", a_node, options, &writer_out));
    TYPED(options, asdf_table_writer_create("x.ecsv", table, a_node, &writer_out));
    REQUIRED(writer, asdf_table_writer_create("x.ecsv", table, options, NULL));
    REQUIRED(writer, asdf_table_writer_append(NULL, table));
    TYPED(writer, asdf_table_writer_append(a_node, table));
    REQUIRED(table, asdf_table_writer_append(writer, NULL));
    TYPED(table, asdf_table_writer_append(writer, a_node));
    REQUIRED(writer, asdf_table_writer_finish(NULL));
    TYPED(writer, asdf_table_writer_finish(a_node));
    asdf_table_reader_free(NULL);
    asdf_table_reader_free(a_node);
    asdf_table_writer_free(NULL);
    asdf_table_writer_free(a_node);
    asdf_table_writer_free(writer);
    asdf_table_reader_free(reader);
}

int main(void) {
    file = new_file(&node);
    OK(asdf_node_set_array(node, "array", ASDF_UINT8, 1, eight, text, 8, NULL));
    OK(asdf_node_get_array(node, "array", &array));
    OK(asdf_array_view(array, ASDF_UINT8, &view));
    map = map_of_written(file);
    OK(asdf_file_write(file, "whole.asdf", NULL));
    OK(asdf_file_recover("whole.asdf", "recovered.asdf", ASDF_RECOVER_REPLACE, NULL, &found));
    OK(asdf_datatype_scalar(ASDF_UINT8, &datatype));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    OK(asdf_codec_new("toy", decode, NULL, NULL, NULL, &codec));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_DEPTH, 8));
    OK(asdf_table_new(8, &table));
    OK(asdf_table_add_column(table, "x", ASDF_UINT8, 0, NULL, text, 8, NULL, 0, NULL));
    OK(asdf_ndl_read_memory("ndarrays: {n: {shape: [1], type: int8, value: [5]}}", 51, NULL, &ndl));
    OK(asdf_ndl_get_datatype(ndl, "/n", NULL, &ndl_datatype));
    OK(asdf_ndl_builder_new(NULL, &ndl_builder));
    OK(asdf_ndl_builder_add_ndarray(ndl_builder, "/m", 1, ones, NULL, "int8"));
    a_node = node;
    a_file = file;

    errors();
    reports();
    files();
    nodes();
    streams();
    datatypes();
    arrays();
    masks();
    views();
    option_values();
    logical();
    tables();
    arrow();
    descriptions();
    described();
    made_descriptions();
    written_descriptions();
    descriptions_of_files();
    datatypes_of_descriptions();
    storage_of_descriptions();
    values_of_descriptions();
    ecsv();
    tables_in_files();
    freeing();
    empty_inputs();

    asdf_ndl_datatype_free(ndl_datatype);
    asdf_ndl_builder_free(ndl_builder);
    asdf_ndl_free(ndl);
    asdf_table_free(table);
    asdf_codec_free(codec);
    asdf_options_free(options);
    asdf_buffer_free(buffer);
    asdf_datatype_free(datatype);
    asdf_report_free(found);
    asdf_chunk_map_free(map);
    asdf_view_free(view);
    asdf_array_free(array);
    asdf_node_free(node);
    asdf_file_free(file);
    return report();
}
