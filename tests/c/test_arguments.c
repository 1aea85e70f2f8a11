/* NULL for each required pointer of each function, and a handle of another kind for each handle, is an error that
 * names the argument. tests/header.rs sees to it that none is left out. */
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
static asdf_recovery *recovery;
static asdf_chunk_map *map;
static asdf_datatype *datatype;
static asdf_buffer *buffer;
static asdf_codec *codec;
static asdf_table *table;
static asdf_ndl *ndl;
static asdf_open_options *open_options;
static asdf_new_options *new_options;
static asdf_write_options *write_options;
static asdf_array_options *array_options;
static asdf_read_options *read_options;
static asdf_ndl_read_options *ndl_read_options;
static void *a_node, *a_file;

/* Outputs, and arguments that are right. */
static uint8_t mask[8];
static asdf_file *file_out;
static asdf_node *node_out;
static asdf_array *array_out;
static asdf_view *view_out;
static asdf_recovery *recovery_out;
static asdf_chunk_map *map_out;
static asdf_datatype *datatype_out;
static asdf_buffer *buffer_out;
static asdf_codec *codec_out;
static asdf_table *table_out;
static asdf_ndl *ndl_out;
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
    SILENT_REQUIRED(buffer, asdf_error_text(NULL, sizeof text, &size));
    SILENT_REQUIRED(buffer, asdf_error_file_name(NULL, sizeof text, &size));
    SILENT_REQUIRED(buffer, asdf_error_path(NULL, sizeof text, &size));
}

static void files(void) {
    REQUIRED(path, asdf_file_open_for_update(NULL, open_options, &file_out));
    TYPED(options, asdf_file_open_for_update("name.asdf", a_node, &file_out));
    REQUIRED(file, asdf_file_open_for_update("name.asdf", open_options, NULL));
    REQUIRED(path, asdf_file_open(NULL, open_options, &file_out));
    TYPED(options, asdf_file_open("name.asdf", a_node, &file_out));
    REQUIRED(file, asdf_file_open("name.asdf", open_options, NULL));
    REQUIRED(bytes, asdf_file_open_memory(NULL, sizeof empty_file - 1, open_options, &file_out));
    TYPED(options, asdf_file_open_memory(empty_file, sizeof empty_file - 1, a_node, &file_out));
    REQUIRED(file, asdf_file_open_memory(empty_file, sizeof empty_file - 1, open_options, NULL));
    TYPED(options, asdf_file_open_descriptor(1, a_node, &file_out));
    REQUIRED(file, asdf_file_open_descriptor(1, open_options, NULL));
    REQUIRED(read, asdf_file_open_source(NULL, NULL, NULL, sizeof empty_file - 1, open_options, &file_out));
    TYPED(options, asdf_file_open_source(give, NULL, NULL, sizeof empty_file - 1, a_node, &file_out));
    REQUIRED(file, asdf_file_open_source(give, NULL, NULL, sizeof empty_file - 1, open_options, NULL));
    TYPED(options, asdf_file_new(a_node, &file_out));
    REQUIRED(file, asdf_file_new(new_options, NULL));
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
    REQUIRED(file, asdf_file_warning_count(NULL, &i64));
    TYPED(file, asdf_file_warning_count(a_node, &i64));
    REQUIRED(count, asdf_file_warning_count(file, NULL));
    REQUIRED(file, asdf_file_warning(NULL, 0, text, sizeof text, &size));
    TYPED(file, asdf_file_warning(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_file_warning(file, 0, NULL, sizeof text, &size));
    REQUIRED(file, asdf_file_warning_position(NULL, 0, &i64, &i64, &i64));
    TYPED(file, asdf_file_warning_position(a_node, 0, &i64, &i64, &i64));
    REQUIRED(path, asdf_file_recover(NULL, "b", 0, open_options, write_options, &recovery_out));
    REQUIRED(new_path, asdf_file_recover("a", NULL, 0, open_options, write_options, &recovery_out));
    TYPED(open_options, asdf_file_recover("a", "b", 0, a_node, write_options, &recovery_out));
    TYPED(write_options, asdf_file_recover("a", "b", 0, open_options, a_node, &recovery_out));
    REQUIRED(recovery, asdf_file_recover("a", "b", 0, open_options, write_options, NULL));
    REQUIRED(recovery, asdf_recovery_count(NULL, &i64));
    TYPED(recovery, asdf_recovery_count(a_node, &i64));
    REQUIRED(count, asdf_recovery_count(recovery, NULL));
    REQUIRED(recovery, asdf_recovery_loss(NULL, 0, &i32, &i64, &i64, &i64));
    TYPED(recovery, asdf_recovery_loss(a_node, 0, &i32, &i64, &i64, &i64));
    REQUIRED(kind, asdf_recovery_loss(recovery, 0, NULL, &i64, &i64, &i64));
    REQUIRED(recovery, asdf_recovery_path(NULL, 0, text, sizeof text, &size));
    TYPED(recovery, asdf_recovery_path(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_recovery_path(recovery, 0, NULL, sizeof text, &size));
    REQUIRED(recovery, asdf_recovery_text(NULL, 0, text, sizeof text, &size));
    TYPED(recovery, asdf_recovery_text(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_recovery_text(recovery, 0, NULL, sizeof text, &size));
    REQUIRED(recovery, asdf_recovery_retain(NULL, &recovery_out));
    TYPED(recovery, asdf_recovery_retain(a_node, &recovery_out));
    REQUIRED(another, asdf_recovery_retain(recovery, NULL));
    REQUIRED(file, asdf_file_repair(NULL, ASDF_REPAIR_INDEX, &i32, &i64, write_options));
    TYPED(file, asdf_file_repair(a_node, ASDF_REPAIR_INDEX, &i32, &i64, write_options));
    TYPED(options, asdf_file_repair(file, ASDF_REPAIR_INDEX, &i32, &i64, a_node));
    REQUIRED(file, asdf_file_compact(NULL, write_options));
    TYPED(file, asdf_file_compact(a_node, write_options));
    TYPED(options, asdf_file_compact(file, a_node));
    REQUIRED(file, asdf_file_save(NULL, write_options));
    TYPED(file, asdf_file_save(a_node, write_options));
    TYPED(options, asdf_file_save(file, a_node));
    REQUIRED(file, asdf_file_write(NULL, "name.asdf", write_options));
    TYPED(file, asdf_file_write(a_node, "name.asdf", write_options));
    REQUIRED(path, asdf_file_write(file, NULL, write_options));
    TYPED(options, asdf_file_write(file, "name.asdf", a_node));
    REQUIRED(file, asdf_file_explode(NULL, "name.asdf", write_options));
    TYPED(file, asdf_file_explode(a_node, "name.asdf", write_options));
    REQUIRED(path, asdf_file_explode(file, NULL, write_options));
    TYPED(options, asdf_file_explode(file, "name.asdf", a_node));
    REQUIRED(file, asdf_file_implode(NULL, "name.asdf", write_options));
    TYPED(file, asdf_file_implode(a_node, "name.asdf", write_options));
    REQUIRED(path, asdf_file_implode(file, NULL, write_options));
    TYPED(options, asdf_file_implode(file, "name.asdf", a_node));
    REQUIRED(file, asdf_file_write_memory(NULL, write_options, &buffer_out));
    TYPED(file, asdf_file_write_memory(a_node, write_options, &buffer_out));
    TYPED(options, asdf_file_write_memory(file, a_node, &buffer_out));
    REQUIRED(buffer, asdf_file_write_memory(file, write_options, NULL));
    REQUIRED(file, asdf_file_write_descriptor(NULL, 1, write_options));
    TYPED(file, asdf_file_write_descriptor(a_node, 1, write_options));
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
    REQUIRED(file, asdf_file_read_stored_block(NULL, 0, text, sizeof text, read_options));
    TYPED(file, asdf_file_read_stored_block(a_node, 0, text, sizeof text, read_options));
    TYPED(options, asdf_file_read_stored_block(file, 0, text, sizeof text, a_node));
    REQUIRED(file, asdf_file_read_decoded_block(NULL, 0, text, sizeof text, read_options));
    TYPED(file, asdf_file_read_decoded_block(a_node, 0, text, sizeof text, read_options));
    TYPED(options, asdf_file_read_decoded_block(file, 0, text, sizeof text, a_node));
    REQUIRED(file, asdf_file_verify(NULL, read_options, &i64, &i64, &i64));
    TYPED(file, asdf_file_verify(a_node, read_options, &i64, &i64, &i64));
    TYPED(options, asdf_file_verify(file, a_node, &i64, &i64, &i64));
    REQUIRED(file, asdf_file_verify_block(NULL, 0, read_options, &i32));
    TYPED(file, asdf_file_verify_block(a_node, 0, read_options, &i32));
    TYPED(options, asdf_file_verify_block(file, 0, a_node, &i32));
    REQUIRED(outcome, asdf_file_verify_block(file, 0, read_options, NULL));
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
    REQUIRED(node, asdf_node_tag(NULL, "a", text, sizeof text, &size));
    TYPED(node, asdf_node_tag(a_file, "a", text, sizeof text, &size));
    REQUIRED(path, asdf_node_tag(node, NULL, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_tag(node, "a", NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_path(NULL, text, sizeof text, &size));
    TYPED(node, asdf_node_path(a_file, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_path(node, NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_position(NULL, &i64, &i64, &i64));
    TYPED(node, asdf_node_position(a_file, &i64, &i64, &i64));
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
    REQUIRED(node, asdf_node_item(NULL, 0, &node_out));
    TYPED(node, asdf_node_item(a_file, 0, &node_out));
    REQUIRED(item, asdf_node_item(node, 0, NULL));
    REQUIRED(node, asdf_node_key_type(NULL, 0, &i32));
    TYPED(node, asdf_node_key_type(a_file, 0, &i32));
    REQUIRED(type, asdf_node_key_type(node, 0, NULL));
    REQUIRED(node, asdf_node_key_string(NULL, 0, text, sizeof text, &size));
    TYPED(node, asdf_node_key_string(a_file, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_node_key_string(node, 0, NULL, sizeof text, &size));
    REQUIRED(node, asdf_node_key_i64(NULL, 0, &i64));
    TYPED(node, asdf_node_key_i64(a_file, 0, &i64));
    REQUIRED(value, asdf_node_key_i64(node, 0, NULL));
    REQUIRED(node, asdf_node_key_bool(NULL, 0, &i32));
    TYPED(node, asdf_node_key_bool(a_file, 0, &i32));
    REQUIRED(value, asdf_node_key_bool(node, 0, NULL));
    REQUIRED(node, asdf_node_get_by_string(NULL, "a", 1, &node_out));
    TYPED(node, asdf_node_get_by_string(a_file, "a", 1, &node_out));
    REQUIRED(key, asdf_node_get_by_string(node, NULL, 1, &node_out));
    REQUIRED(found, asdf_node_get_by_string(node, "a", 1, NULL));
    REQUIRED(node, asdf_node_get_by_i64(NULL, 0, &node_out));
    TYPED(node, asdf_node_get_by_i64(a_file, 0, &node_out));
    REQUIRED(found, asdf_node_get_by_i64(node, 0, NULL));
    REQUIRED(node, asdf_node_get_by_bool(NULL, 0, &node_out));
    TYPED(node, asdf_node_get_by_bool(a_file, 0, &node_out));
    REQUIRED(found, asdf_node_get_by_bool(node, 0, NULL));
    REQUIRED(node, asdf_node_is_array(NULL, "a", &i32));
    TYPED(node, asdf_node_is_array(a_file, "a", &i32));
    REQUIRED(path, asdf_node_is_array(node, NULL, &i32));
    REQUIRED(is_array, asdf_node_is_array(node, "a", NULL));
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
    REQUIRED(node, asdf_node_set_array(NULL, "a", ASDF_UINT8, 1, eight, text, 8, array_options));
    TYPED(node, asdf_node_set_array(a_file, "a", ASDF_UINT8, 1, eight, text, 8, array_options));
    REQUIRED(path, asdf_node_set_array(node, NULL, ASDF_UINT8, 1, eight, text, 8, array_options));
    TYPED(options, asdf_node_set_array(node, "a", ASDF_UINT8, 1, eight, text, 8, a_node));
    REQUIRED(node, asdf_node_set_array_typed(NULL, "a", datatype, 1, eight, text, 8, array_options));
    TYPED(node, asdf_node_set_array_typed(a_file, "a", datatype, 1, eight, text, 8, array_options));
    REQUIRED(path, asdf_node_set_array_typed(node, NULL, datatype, 1, eight, text, 8, array_options));
    REQUIRED(datatype, asdf_node_set_array_typed(node, "a", NULL, 1, eight, text, 8, array_options));
    TYPED(datatype, asdf_node_set_array_typed(node, "a", a_node, 1, eight, text, 8, array_options));
    TYPED(options, asdf_node_set_array_typed(node, "a", datatype, 1, eight, text, 8, a_node));
    REQUIRED(node, asdf_node_set_array_callback(NULL, "a", ASDF_UINT8, 1, eight, give, NULL, NULL, array_options));
    TYPED(node, asdf_node_set_array_callback(a_file, "a", ASDF_UINT8, 1, eight, give, NULL, NULL, array_options));
    REQUIRED(path, asdf_node_set_array_callback(node, NULL, ASDF_UINT8, 1, eight, give, NULL, NULL, array_options));
    REQUIRED(read, asdf_node_set_array_callback(node, "a", ASDF_UINT8, 1, eight, NULL, NULL, NULL, array_options));
    TYPED(options, asdf_node_set_array_callback(node, "a", ASDF_UINT8, 1, eight, give, NULL, NULL, a_node));
    REQUIRED(node, asdf_node_set_array_callback_typed(NULL, "a", datatype, 1, eight, give, NULL, NULL, array_options));
    TYPED(node, asdf_node_set_array_callback_typed(a_file, "a", datatype, 1, eight, give, NULL, NULL, array_options));
    REQUIRED(path, asdf_node_set_array_callback_typed(node, NULL, datatype, 1, eight, give, NULL, NULL, array_options));
    REQUIRED(datatype, asdf_node_set_array_callback_typed(node, "a", NULL, 1, eight, give, NULL, NULL, array_options));
    TYPED(datatype, asdf_node_set_array_callback_typed(node, "a", a_node, 1, eight, give, NULL, NULL, array_options));
    REQUIRED(read, asdf_node_set_array_callback_typed(node, "a", datatype, 1, eight, NULL, NULL, NULL, array_options));
    TYPED(options, asdf_node_set_array_callback_typed(node, "a", datatype, 1, eight, give, NULL, NULL, a_node));
    REQUIRED(node, asdf_node_set_array_zeros(NULL, "a", ASDF_UINT8, 1, eight, array_options));
    TYPED(node, asdf_node_set_array_zeros(a_file, "a", ASDF_UINT8, 1, eight, array_options));
    REQUIRED(path, asdf_node_set_array_zeros(node, NULL, ASDF_UINT8, 1, eight, array_options));
    TYPED(options, asdf_node_set_array_zeros(node, "a", ASDF_UINT8, 1, eight, a_node));
    REQUIRED(node, asdf_node_set_array_zeros_typed(NULL, "a", datatype, 1, eight, array_options));
    TYPED(node, asdf_node_set_array_zeros_typed(a_file, "a", datatype, 1, eight, array_options));
    REQUIRED(path, asdf_node_set_array_zeros_typed(node, NULL, datatype, 1, eight, array_options));
    REQUIRED(datatype, asdf_node_set_array_zeros_typed(node, "a", NULL, 1, eight, array_options));
    TYPED(datatype, asdf_node_set_array_zeros_typed(node, "a", a_node, 1, eight, array_options));
    TYPED(options, asdf_node_set_array_zeros_typed(node, "a", datatype, 1, eight, a_node));
    REQUIRED(node, asdf_node_set_storage(NULL, "a", ASDF_STORAGE_INLINE, array_options));
    TYPED(node, asdf_node_set_storage(a_file, "a", ASDF_STORAGE_INLINE, array_options));
    REQUIRED(path, asdf_node_set_storage(node, NULL, ASDF_STORAGE_INLINE, array_options));
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
    REQUIRED(node, asdf_node_insert_key(NULL, "a", "b", ASDF_AFTER, NULL));
    TYPED(node, asdf_node_insert_key(a_file, "a", "b", ASDF_AFTER, NULL));
    REQUIRED(path, asdf_node_insert_key(node, NULL, "b", ASDF_AFTER, NULL));
    REQUIRED(key, asdf_node_insert_key(node, "a", NULL, ASDF_AFTER, NULL));
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
    REQUIRED(node, asdf_node_recompress_array(NULL, "a", NULL, -1));
    TYPED(node, asdf_node_recompress_array(a_file, "a", NULL, -1));
    REQUIRED(path, asdf_node_recompress_array(node, NULL, NULL, -1));
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
    REQUIRED(array, asdf_array_write_region(NULL, 1, zeros, eight, NULL, ASDF_UINT8, text, 8, read_options));
    TYPED(array, asdf_array_write_region(a_node, 1, zeros, eight, NULL, ASDF_UINT8, text, 8, read_options));
    REQUIRED(start, asdf_array_write_region(array, 1, NULL, eight, NULL, ASDF_UINT8, text, 8, read_options));
    REQUIRED(count, asdf_array_write_region(array, 1, zeros, NULL, NULL, ASDF_UINT8, text, 8, read_options));
    TYPED(options, asdf_array_write_region(array, 1, zeros, eight, NULL, ASDF_UINT8, text, 8, a_node));
    REQUIRED(array, asdf_array_write_region_typed(NULL, 1, zeros, eight, NULL, datatype, text, 8, read_options));
    TYPED(array, asdf_array_write_region_typed(a_node, 1, zeros, eight, NULL, datatype, text, 8, read_options));
    REQUIRED(start, asdf_array_write_region_typed(array, 1, NULL, eight, NULL, datatype, text, 8, read_options));
    REQUIRED(count, asdf_array_write_region_typed(array, 1, zeros, NULL, NULL, datatype, text, 8, read_options));
    REQUIRED(datatype, asdf_array_write_region_typed(array, 1, zeros, eight, NULL, NULL, text, 8, read_options));
    TYPED(datatype, asdf_array_write_region_typed(array, 1, zeros, eight, NULL, a_node, text, 8, read_options));
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
    REQUIRED(array, asdf_array_read(NULL, ASDF_UINT8, text, sizeof text, read_options));
    TYPED(array, asdf_array_read(a_node, ASDF_UINT8, text, sizeof text, read_options));
    TYPED(options, asdf_array_read(array, ASDF_UINT8, text, sizeof text, a_node));
    REQUIRED(array, asdf_array_read_typed(NULL, datatype, text, sizeof text, read_options));
    TYPED(array, asdf_array_read_typed(a_node, datatype, text, sizeof text, read_options));
    REQUIRED(datatype, asdf_array_read_typed(array, NULL, text, sizeof text, read_options));
    TYPED(datatype, asdf_array_read_typed(array, a_node, text, sizeof text, read_options));
    TYPED(options, asdf_array_read_typed(array, datatype, text, sizeof text, a_node));
    REQUIRED(array, asdf_array_read_region(NULL, 1, zeros, eight, ones, ASDF_UINT8, text, sizeof text, read_options));
    TYPED(array, asdf_array_read_region(a_node, 1, zeros, eight, ones, ASDF_UINT8, text, sizeof text, read_options));
    REQUIRED(start, asdf_array_read_region(array, 1, NULL, eight, ones, ASDF_UINT8, text, sizeof text, read_options));
    REQUIRED(count, asdf_array_read_region(array, 1, zeros, NULL, ones, ASDF_UINT8, text, sizeof text, read_options));
    TYPED(options, asdf_array_read_region(array, 1, zeros, eight, ones, ASDF_UINT8, text, sizeof text, a_node));
    REQUIRED(array,
             asdf_array_read_region_typed(NULL, 1, zeros, eight, ones, datatype, text, sizeof text, read_options));
    TYPED(array,
          asdf_array_read_region_typed(a_node, 1, zeros, eight, ones, datatype, text, sizeof text, read_options));
    REQUIRED(start,
             asdf_array_read_region_typed(array, 1, NULL, eight, ones, datatype, text, sizeof text, read_options));
    REQUIRED(count,
             asdf_array_read_region_typed(array, 1, zeros, NULL, ones, datatype, text, sizeof text, read_options));
    REQUIRED(datatype,
             asdf_array_read_region_typed(array, 1, zeros, eight, ones, NULL, text, sizeof text, read_options));
    TYPED(datatype,
          asdf_array_read_region_typed(array, 1, zeros, eight, ones, a_node, text, sizeof text, read_options));
    TYPED(options, asdf_array_read_region_typed(array, 1, zeros, eight, ones, datatype, text, sizeof text, a_node));
    REQUIRED(array, asdf_array_read_string(NULL, 1, zeros, text, sizeof text, &size, read_options));
    TYPED(array, asdf_array_read_string(a_node, 1, zeros, text, sizeof text, &size, read_options));
    TYPED(options, asdf_array_read_string(array, 1, zeros, text, sizeof text, &size, a_node));
    REQUIRED(buffer, asdf_array_read_string(array, 1, zeros, NULL, sizeof text, &size, read_options));
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
    REQUIRED(array, asdf_array_read_mask(NULL, mask, sizeof mask, read_options));
    TYPED(array, asdf_array_read_mask(a_node, mask, sizeof mask, read_options));
    REQUIRED(mask, asdf_array_read_mask(array, NULL, sizeof mask, read_options));
    TYPED(options, asdf_array_read_mask(array, mask, sizeof mask, a_node));
    REQUIRED(array, asdf_array_read_mask_region(NULL, 1, zeros, eight, ones, mask, sizeof mask, read_options));
    TYPED(array, asdf_array_read_mask_region(a_node, 1, zeros, eight, ones, mask, sizeof mask, read_options));
    REQUIRED(start, asdf_array_read_mask_region(array, 1, NULL, eight, ones, mask, sizeof mask, read_options));
    REQUIRED(count, asdf_array_read_mask_region(array, 1, zeros, NULL, ones, mask, sizeof mask, read_options));
    REQUIRED(mask, asdf_array_read_mask_region(array, 1, zeros, eight, ones, NULL, sizeof mask, read_options));
    TYPED(options, asdf_array_read_mask_region(array, 1, zeros, eight, ones, mask, sizeof mask, a_node));
    REQUIRED(options, asdf_read_options_set_mask(NULL, mask, sizeof mask));
    TYPED(options, asdf_read_options_set_mask(a_node, mask, sizeof mask));
    REQUIRED(options, asdf_read_options_set_fill(NULL, ASDF_UINT8, mask, 1));
    TYPED(options, asdf_read_options_set_fill(a_node, ASDF_UINT8, mask, 1));
    REQUIRED(options, asdf_read_options_set_fill_typed(NULL, datatype, mask, 1));
    TYPED(options, asdf_read_options_set_fill_typed(a_node, datatype, mask, 1));
    REQUIRED(datatype, asdf_read_options_set_fill_typed(read_options, NULL, mask, 1));
    TYPED(datatype, asdf_read_options_set_fill_typed(read_options, a_node, mask, 1));
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

static void options(void) {
    REQUIRED(label, asdf_codec_new(NULL, decode, NULL, NULL, NULL, &codec_out));
    REQUIRED(decode, asdf_codec_new("toy", NULL, NULL, NULL, NULL, &codec_out));
    REQUIRED(codec, asdf_codec_new("toy", decode, NULL, NULL, NULL, NULL));
    REQUIRED(codec, asdf_codec_retain(NULL, &codec_out));
    TYPED(codec, asdf_codec_retain(a_node, &codec_out));
    REQUIRED(another, asdf_codec_retain(codec, NULL));
    REQUIRED(options, asdf_open_options_new(NULL));
    REQUIRED(options, asdf_open_options_set_durable(NULL, 1));
    TYPED(options, asdf_open_options_set_durable(a_node, 1));
    REQUIRED(options, asdf_open_options_set_mapped(NULL, 0));
    TYPED(options, asdf_open_options_set_mapped(a_node, 0));
    REQUIRED(options, asdf_open_options_set_lock(NULL, 0));
    TYPED(options, asdf_open_options_set_lock(a_node, 0));
    REQUIRED(options, asdf_open_options_set_cache(NULL, 0));
    TYPED(options, asdf_open_options_set_cache(a_node, 0));
    REQUIRED(options, asdf_open_options_set_temporary_directory(NULL, "."));
    TYPED(options, asdf_open_options_set_temporary_directory(a_node, "."));
    REQUIRED(options, asdf_open_options_set_limit(NULL, ASDF_LIMIT_NODES, 0));
    TYPED(options, asdf_open_options_set_limit(a_node, ASDF_LIMIT_NODES, 0));
    REQUIRED(options, asdf_open_options_set_verify_checksums(NULL, 0));
    TYPED(options, asdf_open_options_set_verify_checksums(a_node, 0));
    REQUIRED(options, asdf_open_options_set_strict(NULL, 0));
    TYPED(options, asdf_open_options_set_strict(a_node, 0));
    REQUIRED(options, asdf_open_options_set_borrow(NULL, 0));
    TYPED(options, asdf_open_options_set_borrow(a_node, 0));
    REQUIRED(options, asdf_open_options_set_access(NULL, ASDF_ACCESS_DENY));
    TYPED(options, asdf_open_options_set_access(a_node, ASDF_ACCESS_DENY));
    REQUIRED(options, asdf_open_options_add_root(NULL, "."));
    TYPED(options, asdf_open_options_add_root(a_node, "."));
    REQUIRED(directory, asdf_open_options_add_root(open_options, NULL));
    REQUIRED(options, asdf_open_options_set_resolver(NULL, find, NULL));
    TYPED(options, asdf_open_options_set_resolver(a_node, find, NULL));
    REQUIRED(resolve, asdf_open_options_set_resolver(open_options, NULL, NULL));
    REQUIRED(options, asdf_open_options_add_codec(NULL, codec));
    TYPED(options, asdf_open_options_add_codec(a_node, codec));
    REQUIRED(codec, asdf_open_options_add_codec(open_options, NULL));
    TYPED(codec, asdf_open_options_add_codec(open_options, a_node));
    REQUIRED(options, asdf_new_options_new(NULL));
    REQUIRED(options, asdf_new_options_set_standard(NULL, "1.6.0"));
    TYPED(options, asdf_new_options_set_standard(a_node, "1.6.0"));
    REQUIRED(version, asdf_new_options_set_standard(new_options, NULL));
    REQUIRED(options, asdf_write_options_new(NULL));
    REQUIRED(options, asdf_write_options_set_durable(NULL, 0));
    TYPED(options, asdf_write_options_set_durable(a_node, 0));
    REQUIRED(options, asdf_write_options_set_alignment(NULL, 64));
    TYPED(options, asdf_write_options_set_alignment(a_node, 64));
    REQUIRED(options, asdf_write_options_set_tree_slack(NULL, 0));
    TYPED(options, asdf_write_options_set_tree_slack(a_node, 0));
    REQUIRED(options, asdf_write_options_set_checksums(NULL, 0));
    TYPED(options, asdf_write_options_set_checksums(a_node, 0));
    REQUIRED(options, asdf_write_options_set_block_index(NULL, 0));
    TYPED(options, asdf_write_options_set_block_index(a_node, 0));
    REQUIRED(options, asdf_array_options_new(NULL));
    REQUIRED(options, asdf_array_options_set_compression(NULL, "zlib", 1));
    TYPED(options, asdf_array_options_set_compression(a_node, "zlib", 1));
    REQUIRED(options, asdf_array_options_set_codec(NULL, codec));
    TYPED(options, asdf_array_options_set_codec(a_node, codec));
    REQUIRED(codec, asdf_array_options_set_codec(array_options, NULL));
    TYPED(codec, asdf_array_options_set_codec(array_options, a_node));
    REQUIRED(options, asdf_array_options_set_external_name(NULL, "name"));
    TYPED(options, asdf_array_options_set_external_name(a_node, "name"));
    REQUIRED(options, asdf_array_options_set_storage(NULL, 0));
    TYPED(options, asdf_array_options_set_storage(a_node, 0));
    REQUIRED(options, asdf_array_options_set_order(NULL, 0));
    TYPED(options, asdf_array_options_set_order(a_node, 0));
    REQUIRED(options, asdf_array_options_set_strides(NULL, 1, ones));
    TYPED(options, asdf_array_options_set_strides(a_node, 1, ones));
    REQUIRED(strides, asdf_array_options_set_strides(array_options, 1, NULL));
    REQUIRED(options, asdf_array_options_set_stored_order(NULL, 0));
    TYPED(options, asdf_array_options_set_stored_order(a_node, 0));
    REQUIRED(options, asdf_array_options_set_byte_order(NULL, 0));
    TYPED(options, asdf_array_options_set_byte_order(a_node, 0));
    REQUIRED(options, asdf_array_options_set_borrow(NULL, 0));
    TYPED(options, asdf_array_options_set_borrow(a_node, 0));
    REQUIRED(options, asdf_array_options_set_slack(NULL, 0));
    TYPED(options, asdf_array_options_set_slack(a_node, 0));
    REQUIRED(options, asdf_array_options_set_keep(NULL, 1));
    TYPED(options, asdf_array_options_set_keep(a_node, 1));
    REQUIRED(options, asdf_array_options_set_checksum(NULL, 0));
    TYPED(options, asdf_array_options_set_checksum(a_node, 0));
    REQUIRED(options, asdf_read_options_new(NULL));
    REQUIRED(options, asdf_read_options_set_clamp(NULL, 0));
    TYPED(options, asdf_read_options_set_clamp(a_node, 0));
    REQUIRED(options, asdf_read_options_set_order(NULL, ASDF_ORDER_C));
    TYPED(options, asdf_read_options_set_order(a_node, ASDF_ORDER_C));
    REQUIRED(options, asdf_write_options_set_external_names(NULL, "{number}"));
    TYPED(options, asdf_write_options_set_external_names(a_node, "{number}"));
    REQUIRED(options, asdf_write_options_set_threads(NULL, 1));
    TYPED(options, asdf_write_options_set_threads(a_node, 1));
    REQUIRED(options, asdf_write_options_set_save_mode(NULL, ASDF_SAVE_AUTO));
    TYPED(options, asdf_write_options_set_save_mode(a_node, ASDF_SAVE_AUTO));
    REQUIRED(options, asdf_write_options_set_insert_room(NULL, 0));
    TYPED(options, asdf_write_options_set_insert_room(a_node, 0));
    REQUIRED(options, asdf_read_options_set_threads(NULL, 1));
    TYPED(options, asdf_read_options_set_threads(a_node, 1));
    REQUIRED(options, asdf_read_options_set_strides(NULL, 1, ones));
    TYPED(options, asdf_read_options_set_strides(a_node, 1, ones));
    REQUIRED(strides, asdf_read_options_set_strides(read_options, 1, NULL));
}

static void descriptions(void) {
    REQUIRED(options, asdf_ndl_read_options_new(NULL));
    REQUIRED(options, asdf_ndl_read_options_set_strict(NULL, 1));
    TYPED(options, asdf_ndl_read_options_set_strict(a_node, 1));
    REQUIRED(options, asdf_ndl_read_options_set_unknown_keys(NULL, 1));
    TYPED(options, asdf_ndl_read_options_set_unknown_keys(a_node, 1));
    REQUIRED(path, asdf_ndl_read(NULL, ndl_read_options, &ndl_out));
    TYPED(options, asdf_ndl_read("name.yaml", a_node, &ndl_out));
    REQUIRED(ndl, asdf_ndl_read("name.yaml", ndl_read_options, NULL));
    REQUIRED(text, asdf_ndl_parse(NULL, 2, ndl_read_options, &ndl_out));
    TYPED(options, asdf_ndl_parse("{}", 2, a_node, &ndl_out));
    REQUIRED(ndl, asdf_ndl_parse("{}", 2, ndl_read_options, NULL));
    REQUIRED(ndl, asdf_ndl_is_valid(NULL, &i32));
    TYPED(ndl, asdf_ndl_is_valid(a_node, &i32));
    REQUIRED(valid, asdf_ndl_is_valid(ndl, NULL));
    REQUIRED(ndl, asdf_ndl_diagnostic_count(NULL, &i64));
    TYPED(ndl, asdf_ndl_diagnostic_count(a_node, &i64));
    REQUIRED(count, asdf_ndl_diagnostic_count(ndl, NULL));
    REQUIRED(ndl, asdf_ndl_diagnostic(NULL, 0, &i32, &i64, &i64));
    TYPED(ndl, asdf_ndl_diagnostic(a_node, 0, &i32, &i64, &i64));
    REQUIRED(ndl, asdf_ndl_diagnostic_code(NULL, 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_diagnostic_code(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_diagnostic_code(ndl, 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_diagnostic_place(NULL, 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_diagnostic_place(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_diagnostic_place(ndl, 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_diagnostic_message(NULL, 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_diagnostic_message(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_diagnostic_message(ndl, 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_diagnostic_text(NULL, 0, text, sizeof text, &size));
    TYPED(ndl, asdf_ndl_diagnostic_text(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_ndl_diagnostic_text(ndl, 0, NULL, sizeof text, &size));
    REQUIRED(ndl, asdf_ndl_retain(NULL, &ndl_out));
    TYPED(ndl, asdf_ndl_retain(a_node, &ndl_out));
    REQUIRED(another, asdf_ndl_retain(ndl, NULL));
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
    asdf_recovery_free(NULL);
    asdf_recovery_free(a_node);
    asdf_table_free(NULL);
    asdf_table_free(a_node);
    asdf_ndl_free(NULL);
    asdf_ndl_free(a_node);
    asdf_ndl_read_options_free(NULL);
    asdf_ndl_read_options_free(a_node);
    asdf_buffer_free(NULL);
    asdf_buffer_free(a_node);
    asdf_open_options_free(NULL);
    asdf_open_options_free(a_node);
    asdf_new_options_free(NULL);
    asdf_new_options_free(a_node);
    asdf_write_options_free(NULL);
    asdf_write_options_free(a_node);
    asdf_codec_free(NULL);
    asdf_codec_free(a_node);
    asdf_array_options_free(NULL);
    asdf_array_options_free(a_node);
    asdf_read_options_free(NULL);
    asdf_read_options_free(a_node);
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
    FAILS(ASDF_ERR_NULL_POINTER, asdf_array_read(array, ASDF_UINT8, NULL, 8, NULL));
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
    OK(asdf_stream_open(file, "streamed.asdf", "a", ASDF_UINT8, 1, eight, array_options, write_options, &own));
    REQUIRED(file,
             asdf_stream_open(NULL, "name.asdf", "a", ASDF_UINT8, 1, eight, array_options, write_options, &stream_out));
    TYPED(file,
          asdf_stream_open(a_node, "name.asdf", "a", ASDF_UINT8, 1, eight, array_options, write_options, &stream_out));
    REQUIRED(path, asdf_stream_open(file, NULL, "a", ASDF_UINT8, 1, eight, array_options, write_options, &stream_out));
    REQUIRED(node_path, asdf_stream_open(file, "name.asdf", NULL, ASDF_UINT8, 1, eight, array_options, write_options,
                                         &stream_out));
    TYPED(array_options,
          asdf_stream_open(file, "name.asdf", "a", ASDF_UINT8, 1, eight, a_node, write_options, &stream_out));
    TYPED(write_options,
          asdf_stream_open(file, "name.asdf", "a", ASDF_UINT8, 1, eight, array_options, a_node, &stream_out));
    REQUIRED(stream,
             asdf_stream_open(file, "name.asdf", "a", ASDF_UINT8, 1, eight, array_options, write_options, NULL));
    REQUIRED(file, asdf_stream_open_typed(NULL, "name.asdf", "a", datatype, 1, eight, array_options, write_options,
                                          &stream_out));
    TYPED(file, asdf_stream_open_typed(a_node, "name.asdf", "a", datatype, 1, eight, array_options, write_options,
                                       &stream_out));
    REQUIRED(path,
             asdf_stream_open_typed(file, NULL, "a", datatype, 1, eight, array_options, write_options, &stream_out));
    REQUIRED(node_path, asdf_stream_open_typed(file, "name.asdf", NULL, datatype, 1, eight, array_options,
                                               write_options, &stream_out));
    REQUIRED(datatype,
             asdf_stream_open_typed(file, "name.asdf", "a", NULL, 1, eight, array_options, write_options, &stream_out));
    TYPED(datatype,
          asdf_stream_open_typed(file, "name.asdf", "a", a_node, 1, eight, array_options, write_options, &stream_out));
    TYPED(array_options,
          asdf_stream_open_typed(file, "name.asdf", "a", datatype, 1, eight, a_node, write_options, &stream_out));
    TYPED(write_options,
          asdf_stream_open_typed(file, "name.asdf", "a", datatype, 1, eight, array_options, a_node, &stream_out));
    REQUIRED(stream,
             asdf_stream_open_typed(file, "name.asdf", "a", datatype, 1, eight, array_options, write_options, NULL));
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
    REQUIRED(table, asdf_table_column_meta(NULL, "x", &node_out));
    TYPED(table, asdf_table_column_meta(a_node, "x", &node_out));
    REQUIRED(name, asdf_table_column_meta(table, NULL, &node_out));
    REQUIRED(meta, asdf_table_column_meta(table, "x", NULL));
    REQUIRED(table, asdf_table_meta(NULL, &node_out));
    TYPED(table, asdf_table_meta(a_node, &node_out));
    REQUIRED(meta, asdf_table_meta(table, NULL));
    REQUIRED(table, asdf_table_warning_count(NULL, &i64));
    TYPED(table, asdf_table_warning_count(a_node, &i64));
    REQUIRED(count, asdf_table_warning_count(table, NULL));
    REQUIRED(table, asdf_table_warning(NULL, 0, text, sizeof text, &size));
    TYPED(table, asdf_table_warning(a_node, 0, text, sizeof text, &size));
    REQUIRED(buffer, asdf_table_warning(table, 0, NULL, sizeof text, &size));
    REQUIRED(table, asdf_table_retain(NULL, &table_out));
    TYPED(table, asdf_table_retain(a_node, &table_out));
    REQUIRED(another, asdf_table_retain(table, NULL));
    REQUIRED(table, asdf_table_read_column(NULL, "x", ASDF_UINT8, bytes, 8, mask, 8, read_options));
    TYPED(table, asdf_table_read_column(a_node, "x", ASDF_UINT8, bytes, 8, mask, 8, read_options));
    REQUIRED(name, asdf_table_read_column(table, NULL, ASDF_UINT8, bytes, 8, mask, 8, read_options));
    REQUIRED(elements, asdf_table_read_column(table, "x", ASDF_UINT8, NULL, 8, mask, 8, read_options));
    TYPED(options, asdf_table_read_column(table, "x", ASDF_UINT8, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_read_column_typed(NULL, "x", datatype, bytes, 8, mask, 8, read_options));
    TYPED(table, asdf_table_read_column_typed(a_node, "x", datatype, bytes, 8, mask, 8, read_options));
    REQUIRED(name, asdf_table_read_column_typed(table, NULL, datatype, bytes, 8, mask, 8, read_options));
    REQUIRED(datatype, asdf_table_read_column_typed(table, "x", NULL, bytes, 8, mask, 8, read_options));
    TYPED(datatype, asdf_table_read_column_typed(table, "x", a_node, bytes, 8, mask, 8, read_options));
    REQUIRED(elements, asdf_table_read_column_typed(table, "x", datatype, NULL, 8, mask, 8, read_options));
    TYPED(options, asdf_table_read_column_typed(table, "x", datatype, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_read_rows(NULL, "x", 0, 8, ASDF_UINT8, bytes, 8, mask, 8, read_options));
    TYPED(table, asdf_table_read_rows(a_node, "x", 0, 8, ASDF_UINT8, bytes, 8, mask, 8, read_options));
    REQUIRED(name, asdf_table_read_rows(table, NULL, 0, 8, ASDF_UINT8, bytes, 8, mask, 8, read_options));
    REQUIRED(elements, asdf_table_read_rows(table, "x", 0, 8, ASDF_UINT8, NULL, 8, mask, 8, read_options));
    TYPED(options, asdf_table_read_rows(table, "x", 0, 8, ASDF_UINT8, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_read_rows_typed(NULL, "x", 0, 8, datatype, bytes, 8, mask, 8, read_options));
    TYPED(table, asdf_table_read_rows_typed(a_node, "x", 0, 8, datatype, bytes, 8, mask, 8, read_options));
    REQUIRED(name, asdf_table_read_rows_typed(table, NULL, 0, 8, datatype, bytes, 8, mask, 8, read_options));
    REQUIRED(datatype, asdf_table_read_rows_typed(table, "x", 0, 8, NULL, bytes, 8, mask, 8, read_options));
    TYPED(datatype, asdf_table_read_rows_typed(table, "x", 0, 8, a_node, bytes, 8, mask, 8, read_options));
    REQUIRED(elements, asdf_table_read_rows_typed(table, "x", 0, 8, datatype, NULL, 8, mask, 8, read_options));
    TYPED(options, asdf_table_read_rows_typed(table, "x", 0, 8, datatype, bytes, 8, mask, 8, a_node));
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
    REQUIRED(table, asdf_table_add_column(NULL, "new", ASDF_UINT8, 1, ones, bytes, 8, mask, 8, array_options));
    TYPED(table, asdf_table_add_column(a_node, "new", ASDF_UINT8, 1, ones, bytes, 8, mask, 8, array_options));
    REQUIRED(name, asdf_table_add_column(table, NULL, ASDF_UINT8, 1, ones, bytes, 8, mask, 8, array_options));
    REQUIRED(shape, asdf_table_add_column(table, "new", ASDF_UINT8, 1, NULL, bytes, 8, mask, 8, array_options));
    REQUIRED(elements, asdf_table_add_column(table, "new", ASDF_UINT8, 1, ones, NULL, 8, mask, 8, array_options));
    TYPED(options, asdf_table_add_column(table, "new", ASDF_UINT8, 1, ones, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_add_column_typed(NULL, "new", datatype, 1, ones, bytes, 8, mask, 8, array_options));
    TYPED(table, asdf_table_add_column_typed(a_node, "new", datatype, 1, ones, bytes, 8, mask, 8, array_options));
    REQUIRED(name, asdf_table_add_column_typed(table, NULL, datatype, 1, ones, bytes, 8, mask, 8, array_options));
    REQUIRED(datatype, asdf_table_add_column_typed(table, "new", NULL, 1, ones, bytes, 8, mask, 8, array_options));
    TYPED(datatype, asdf_table_add_column_typed(table, "new", a_node, 1, ones, bytes, 8, mask, 8, array_options));
    REQUIRED(shape, asdf_table_add_column_typed(table, "new", datatype, 1, NULL, bytes, 8, mask, 8, array_options));
    REQUIRED(elements, asdf_table_add_column_typed(table, "new", datatype, 1, ones, NULL, 8, mask, 8, array_options));
    TYPED(options, asdf_table_add_column_typed(table, "new", datatype, 1, ones, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_add_variable_column(NULL, "new", ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                   array_options));
    TYPED(table, asdf_table_add_variable_column(a_node, "new", ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                array_options));
    REQUIRED(name, asdf_table_add_variable_column(table, NULL, ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                  array_options));
    REQUIRED(shape, asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, NULL, extents, 8, bytes, 8, mask, 8,
                                                   array_options));
    REQUIRED(lengths, asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, ones, NULL, 8, bytes, 8, mask, 8,
                                                     array_options));
    REQUIRED(elements, asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, ones, extents, 8, NULL, 8, mask, 8,
                                                      array_options));
    TYPED(options,
          asdf_table_add_variable_column(table, "new", ASDF_UINT8, 1, ones, extents, 8, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_add_variable_column_typed(NULL, "new", datatype, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                         array_options));
    TYPED(table, asdf_table_add_variable_column_typed(a_node, "new", datatype, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                      array_options));
    REQUIRED(name, asdf_table_add_variable_column_typed(table, NULL, datatype, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                        array_options));
    REQUIRED(datatype, asdf_table_add_variable_column_typed(table, "new", NULL, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                            array_options));
    TYPED(datatype, asdf_table_add_variable_column_typed(table, "new", a_node, 1, ones, extents, 8, bytes, 8, mask, 8,
                                                         array_options));
    REQUIRED(shape, asdf_table_add_variable_column_typed(table, "new", datatype, 1, NULL, extents, 8, bytes, 8, mask, 8,
                                                         array_options));
    REQUIRED(lengths, asdf_table_add_variable_column_typed(table, "new", datatype, 1, ones, NULL, 8, bytes, 8, mask, 8,
                                                           array_options));
    REQUIRED(elements, asdf_table_add_variable_column_typed(table, "new", datatype, 1, ones, extents, 8, NULL, 8, mask,
                                                            8, array_options));
    TYPED(options,
          asdf_table_add_variable_column_typed(table, "new", datatype, 1, ones, extents, 8, bytes, 8, mask, 8, a_node));
    REQUIRED(table, asdf_table_add_text_column(NULL, "new", ASDF_STRING, texts, 8));
    TYPED(table, asdf_table_add_text_column(a_node, "new", ASDF_STRING, texts, 8));
    REQUIRED(name, asdf_table_add_text_column(table, NULL, ASDF_STRING, texts, 8));
    REQUIRED(texts, asdf_table_add_text_column(table, "new", ASDF_STRING, NULL, 8));
    REQUIRED(table, asdf_table_set_unit(NULL, "x", "y"));
    TYPED(table, asdf_table_set_unit(a_node, "x", "y"));
    REQUIRED(name, asdf_table_set_unit(table, NULL, "y"));
    REQUIRED(table, asdf_table_set_description(NULL, "x", "y"));
    TYPED(table, asdf_table_set_description(a_node, "x", "y"));
    REQUIRED(name, asdf_table_set_description(table, NULL, "y"));
    REQUIRED(table, asdf_table_set_format(NULL, "x", "y"));
    TYPED(table, asdf_table_set_format(a_node, "x", "y"));
    REQUIRED(name, asdf_table_set_format(table, NULL, "y"));
    REQUIRED(table, asdf_table_set_column_meta(NULL, "x", node));
    TYPED(table, asdf_table_set_column_meta(a_node, "x", node));
    REQUIRED(name, asdf_table_set_column_meta(table, NULL, node));
    TYPED(meta, asdf_table_set_column_meta(table, "x", a_file));
    REQUIRED(table, asdf_table_set_meta(NULL, node));
    TYPED(table, asdf_table_set_meta(a_node, node));
    TYPED(meta, asdf_table_set_meta(table, a_file));
}

int main(void) {
    file = new_file(&node);
    OK(asdf_node_set_array(node, "array", ASDF_UINT8, 1, eight, text, 8, NULL));
    OK(asdf_node_get_array(node, "array", &array));
    OK(asdf_array_view(array, ASDF_UINT8, &view));
    map = map_of_written(file);
    OK(asdf_file_write(file, "whole.asdf", NULL));
    OK(asdf_file_recover("whole.asdf", "recovered.asdf", ASDF_RECOVER_REPLACE, NULL, NULL, &recovery));
    OK(asdf_datatype_scalar(ASDF_UINT8, &datatype));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    OK(asdf_codec_new("toy", decode, NULL, NULL, NULL, &codec));
    OK(asdf_open_options_new(&open_options));
    OK(asdf_new_options_new(&new_options));
    OK(asdf_write_options_new(&write_options));
    OK(asdf_array_options_new(&array_options));
    OK(asdf_read_options_new(&read_options));
    OK(asdf_table_new(8, &table));
    OK(asdf_table_add_column(table, "x", ASDF_UINT8, 0, NULL, text, 8, NULL, 0, NULL));
    OK(asdf_ndl_read_options_new(&ndl_read_options));
    OK(asdf_ndl_parse("a: 1", 4, NULL, &ndl));
    a_node = node;
    a_file = file;

    errors();
    files();
    nodes();
    streams();
    datatypes();
    arrays();
    masks();
    views();
    options();
    tables();
    descriptions();
    freeing();
    empty_inputs();

    asdf_read_options_free(read_options);
    asdf_array_options_free(array_options);
    asdf_write_options_free(write_options);
    asdf_new_options_free(new_options);
    asdf_open_options_free(open_options);
    asdf_ndl_free(ndl);
    asdf_ndl_read_options_free(ndl_read_options);
    asdf_table_free(table);
    asdf_codec_free(codec);
    asdf_buffer_free(buffer);
    asdf_datatype_free(datatype);
    asdf_recovery_free(recovery);
    asdf_chunk_map_free(map);
    asdf_view_free(view);
    asdf_array_free(array);
    asdf_node_free(node);
    asdf_file_free(file);
    return report();
}
