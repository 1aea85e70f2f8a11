/* Registration of the routines that R calls. */
#include "package.h"

#include <R_ext/Rdynload.h>

SEXP C_table_get_coordinates(SEXP table, SEXP name);
SEXP C_table_export_arrow(SEXP table, SEXP options, SEXP pointer);
SEXP C_table_reader_export_arrow(SEXP reader, SEXP options, SEXP pointer);
SEXP C_table_import_arrow(SEXP pointer);
SEXP C_arrow_stream_new(void);
SEXP C_ndl_builder_new(SEXP from);
SEXP C_ndl_builder_add_group(SEXP owner, SEXP path);
SEXP C_ndl_builder_add_dimcoord(SEXP owner, SEXP path, SEXP extent, SEXP datatype);
SEXP C_ndl_builder_add_ndarray(SEXP owner, SEXP path, SEXP rank, SEXP extents, SEXP coordinates, SEXP datatype);
SEXP C_ndl_builder_set_text(SEXP owner, SEXP path, SEXP name, SEXP value);
SEXP C_ndl_builder_set_attribute(SEXP owner, SEXP path, SEXP name, SEXP extents, SEXP datatype);
SEXP C_ndl_builder_set_values(SEXP owner, SEXP path, SEXP name, SEXP extents, SEXP values);
SEXP C_ndl_builder_set_texts(SEXP owner, SEXP path, SEXP name, SEXP extents, SEXP values);
SEXP C_ndl_builder_set_storage(SEXP owner, SEXP path, SEXP directive, SEXP value);
SEXP C_ndl_builder_remove(SEXP owner, SEXP path, SEXP name);
SEXP C_ndl_builder_finish(SEXP owner, SEXP options);
SEXP C_array_get(SEXP place, SEXP path);
SEXP C_array_field(SEXP array, SEXP name);
SEXP C_array_fields(SEXP array);
SEXP C_array_info(SEXP owner);
SEXP C_array_unit(SEXP owner);
SEXP C_array_read(SEXP owner, SEXP start, SEXP count, SEXP step, SEXP bigint, SEXP options, SEXP in_unit);
SEXP C_file_open(SEXP path, SEXP update, SEXP options);
SEXP C_file_open_memory(SEXP bytes, SEXP options);
SEXP C_file_new(SEXP options);
SEXP C_file_close(SEXP owner);
SEXP C_is_open(SEXP owner);
SEXP C_file_write(SEXP file, SEXP path, SEXP options);
SEXP C_file_explode(SEXP file, SEXP path, SEXP options);
SEXP C_file_implode(SEXP file, SEXP path, SEXP options);
SEXP C_file_write_memory(SEXP file, SEXP options);
SEXP C_file_save(SEXP file, SEXP options);
SEXP C_file_compact(SEXP file, SEXP options);
SEXP C_file_repair(SEXP file, SEXP what, SEXP options);
SEXP C_file_recover(SEXP path, SEXP new_path, SEXP what, SEXP options);
SEXP C_file_forget_failure(SEXP file);
SEXP C_file_report(SEXP file);
SEXP C_schemas(SEXP packages);
SEXP C_validate(SEXP target, SEXP schemas, SEXP options);
SEXP C_describe_entry(SEXP schemas, SEXP node, SEXP path, SEXP field);
SEXP C_file_info(SEXP file);
SEXP C_file_history(SEXP file);
SEXP C_file_add_history(SEXP file, SEXP description, SEXP time, SEXP software);
SEXP C_file_extensions(SEXP file);
SEXP C_file_add_extension(SEXP file, SEXP class, SEXP uri, SEXP name, SEXP version);
SEXP C_node_software(SEXP place, SEXP path);
SEXP C_node_set_software(SEXP place, SEXP path, SEXP name, SEXP version, SEXP author, SEXP homepage);
SEXP C_file_verify(SEXP file, SEXP options);
SEXP C_file_blocks(SEXP file);
SEXP C_file_transfers(SEXP file);
SEXP C_library_version(void);
SEXP C_unit_convert(SEXP values, SEXP unit, SEXP to, SEXP spelling, SEXP options);
SEXP C_unit_equal(SEXP unit, SEXP spelling, SEXP other, SEXP other_spelling);
SEXP C_unit_format(SEXP unit, SEXP spelling, SEXP to);
SEXP C_unit_kind(SEXP unit, SEXP spelling);
SEXP C_unit_physical(SEXP unit, SEXP spelling);
SEXP C_ndl_read(SEXP path, SEXP options);
SEXP C_ndl_parse(SEXP text, SEXP options);
SEXP C_ndl_describe(SEXP file, SEXP options);
SEXP C_ndl_is_valid(SEXP ndl);
SEXP C_ndl_report(SEXP ndl);
SEXP C_ndl_create(SEXP ndl, SEXP path, SEXP options);
SEXP C_ndl_compare(SEXP ndl, SEXP newer, SEXP ignore);
SEXP C_ndl_conform(SEXP ndl, SEXP file, SEXP subset);
SEXP C_ndl_export(SEXP ndl, SEXP format, SEXP name, SEXP options);
SEXP C_ndl_write(SEXP ndl, SEXP path, SEXP options);
SEXP C_ndl_paths(SEXP owner, SEXP kind);
SEXP C_node_by_key(SEXP place, SEXP path, SEXP key, SEXP is_made);
SEXP C_node_get(SEXP place, SEXP path);
SEXP C_node_new_mapping(void);
SEXP C_node_item(SEXP place, SEXP path, SEXP index);
SEXP C_node_exists(SEXP place, SEXP path);
SEXP C_node_kind(SEXP place, SEXP path);
SEXP C_node_tag(SEXP place, SEXP path);
SEXP C_node_typed_keys(SEXP place, SEXP path);
SEXP C_node_path(SEXP place);
SEXP C_node_count(SEXP place, SEXP path);
SEXP C_node_keys(SEXP place, SEXP path);
SEXP C_node_value(SEXP place, SEXP path, SEXP bigint_name);
SEXP C_node_set_scalar(SEXP place, SEXP path, SEXP value);
SEXP C_node_set_timestamp(SEXP place, SEXP path, SEXP text);
SEXP C_node_make(SEXP place, SEXP path);
SEXP C_node_set_collection(SEXP place, SEXP path, SEXP is_mapping, SEXP flow);
SEXP C_node_get_quantity(SEXP place, SEXP path, SEXP unit, SEXP spelling, SEXP options);
SEXP C_node_set_quantity(SEXP place, SEXP path, SEXP unit);
SEXP C_node_set_note(SEXP place, SEXP path, SEXP text);
SEXP C_node_note(SEXP place, SEXP path);
SEXP C_node_set_comment(SEXP place, SEXP path, SEXP position, SEXP text);
SEXP C_node_comment(SEXP place, SEXP path, SEXP position);
SEXP C_node_set_time(SEXP place, SEXP path, SEXP text);
SEXP C_node_get_times(SEXP place, SEXP path, SEXP options);
SEXP C_node_get_wcs(SEXP place, SEXP path, SEXP options);
SEXP C_wcs_read_cards(SEXP cards, SEXP options);
SEXP C_wcs_make_cards(SEXP wcs, SEXP options);
SEXP C_node_get_transform(SEXP place, SEXP path, SEXP options);
SEXP C_wcs_transform(SEXP wcs, SEXP from, SEXP to);
SEXP C_transform_inverse(SEXP transform);
SEXP C_transform_arity(SEXP transform);
SEXP C_points(SEXP object, SEXP direction, SEXP points, SEXP outputs, SEXP options);
SEXP C_sky_points(SEXP object, SEXP to_sky, SEXP first, SEXP second, SEXP options);
SEXP C_wcs_frames(SEXP wcs);
SEXP C_wcs_footprint(SEXP wcs, SEXP center);
SEXP C_wcs_center(SEXP wcs, SEXP axes);
SEXP C_wcs_orientation(SEXP wcs, SEXP x, SEXP y);
SEXP C_node_set_times(SEXP place, SEXP path, SEXP seconds, SEXP options);
SEXP C_node_get_coordinates(SEXP place, SEXP path);
SEXP C_node_set_coordinates(SEXP place, SEXP path, SEXP frame, SEXP shape, SEXP angles, SEXP unit, SEXP distances,
                            SEXP distance_unit, SEXP options);
SEXP C_coordinates_texts(SEXP owner);
SEXP C_coordinates_kind(SEXP owner);
SEXP C_coordinates_components(SEXP owner);
SEXP C_coordinates_attributes(SEXP owner);
SEXP C_coordinates_attribute(SEXP owner, SEXP name);
SEXP C_coordinates_unit(SEXP owner, SEXP name);
SEXP C_coordinates_read(SEXP owner, SEXP name, SEXP unit, SEXP options);
SEXP C_node_set_tag(SEXP place, SEXP path, SEXP tag);
SEXP C_node_set_reference(SEXP place, SEXP path, SEXP uri);
SEXP C_node_set_wcs_cards(SEXP place, SEXP path, SEXP cards, SEXP options);
SEXP C_node_set_wcs_cutout(SEXP place, SEXP path, SEXP from, SEXP start, SEXP count, SEXP step);
SEXP C_node_copy(SEXP place, SEXP path, SEXP from, SEXP options);
SEXP C_node_remove(SEXP place, SEXP path);
SEXP C_node_rename(SEXP place, SEXP path, SEXP key);
SEXP C_node_move(SEXP place, SEXP path, SEXP to);
SEXP C_node_set_storage(SEXP place, SEXP path, SEXP storage, SEXP options);
SEXP C_node_recompress(SEXP place, SEXP path, SEXP options);
SEXP C_options(SEXP items);
SEXP C_report(SEXP owner);
SEXP C_node_set_array(SEXP place, SEXP path, SEXP values, SEXP dim, SEXP datatype, SEXP options, SEXP mask_options);
SEXP C_node_resize_array(SEXP place, SEXP path, SEXP dim, SEXP options);
SEXP C_node_set_zeros(SEXP place, SEXP path, SEXP code, SEXP dim, SEXP options);
SEXP C_array_append(SEXP array_owner, SEXP values, SEXP options);
SEXP C_array_write(SEXP array_owner, SEXP start, SEXP count, SEXP step, SEXP values, SEXP options);
SEXP C_stream_create(SEXP file, SEXP path, SEXP node_path, SEXP code, SEXP dim, SEXP options);
SEXP C_stream_push(SEXP owner, SEXP values, SEXP datatype, SEXP count);
SEXP C_stream_rows(SEXP owner);
SEXP C_stream_finish(SEXP owner);
SEXP C_stream_discard(SEXP owner);
SEXP C_table_read_ecsv(SEXP path, SEXP options);
SEXP C_table_index(SEXP path, SEXP step, SEXP options);
SEXP C_node_get_table(SEXP place, SEXP path, SEXP options);
SEXP C_node_begin_table(SEXP place, SEXP path, SEXP table, SEXP options);
SEXP C_node_set_table(SEXP place, SEXP path, SEXP table, SEXP options);
SEXP C_table_reader_open(SEXP path, SEXP options);
SEXP C_table_reader_next(SEXP reader);
SEXP C_table_reader_close(SEXP reader);
SEXP C_table_rows(SEXP table);
SEXP C_table_names(SEXP owner);
SEXP C_table_column_type(SEXP owner, SEXP name);
SEXP C_table_column_texts(SEXP owner, SEXP name);
SEXP C_table_has_mask(SEXP owner, SEXP name);
SEXP C_table_meta(SEXP owner, SEXP name);
SEXP C_table_report(SEXP table);
SEXP C_table_column(SEXP owner, SEXP name, SEXP bigint, SEXP options);
SEXP C_table_new(SEXP rows);
SEXP C_table_add(SEXP owner, SEXP name, SEXP values, SEXP dim, SEXP lengths);
SEXP C_table_convert_column(SEXP owner, SEXP name, SEXP unit);
SEXP C_table_time_kind(SEXP table, SEXP name);
SEXP C_table_times(SEXP table, SEXP name, SEXP dates);
SEXP C_table_spans(SEXP table, SEXP name);
SEXP C_table_add_times(SEXP table, SEXP name, SEXP seconds);
SEXP C_table_set_times(SEXP table, SEXP name, SEXP row, SEXP seconds);
SEXP C_table_add_dates(SEXP table, SEXP name, SEXP days);
SEXP C_table_add_spans(SEXP table, SEXP name, SEXP seconds, SEXP format);
SEXP C_table_describe(SEXP owner, SEXP name, SEXP unit, SEXP description, SEXP format);
SEXP C_table_set_meta(SEXP owner, SEXP name, SEXP meta);
SEXP C_table_set_cell(SEXP owner, SEXP name, SEXP row, SEXP values);
SEXP C_table_write_ecsv(SEXP table, SEXP path, SEXP options);
SEXP C_table_writer_create(SEXP path, SEXP table, SEXP options);
SEXP C_table_writer_append(SEXP writer, SEXP table);
SEXP C_table_writer_finish(SEXP writer);

#define ROUTINE(name, count)                                                                                           \
    { #name, (DL_FUNC)(void (*)(void)) & name, count }

static const R_CallMethodDef routines[] = {
    ROUTINE(C_table_get_coordinates, 2),
    ROUTINE(C_table_export_arrow, 3),
    ROUTINE(C_table_reader_export_arrow, 3),
    ROUTINE(C_table_import_arrow, 1),
    ROUTINE(C_arrow_stream_new, 0),
    ROUTINE(C_ndl_builder_new, 1),
    ROUTINE(C_ndl_builder_add_group, 2),
    ROUTINE(C_ndl_builder_add_dimcoord, 4),
    ROUTINE(C_ndl_builder_add_ndarray, 6),
    ROUTINE(C_ndl_builder_set_text, 4),
    ROUTINE(C_ndl_builder_set_attribute, 5),
    ROUTINE(C_ndl_builder_set_values, 5),
    ROUTINE(C_ndl_builder_set_texts, 5),
    ROUTINE(C_ndl_builder_set_storage, 4),
    ROUTINE(C_ndl_builder_remove, 3),
    ROUTINE(C_ndl_builder_finish, 2),
    ROUTINE(C_array_get, 2),
    ROUTINE(C_array_field, 2),
    ROUTINE(C_array_fields, 1),
    ROUTINE(C_array_info, 1),
    ROUTINE(C_array_unit, 1),
    ROUTINE(C_array_read, 7),
    ROUTINE(C_file_open, 3),
    ROUTINE(C_file_open_memory, 2),
    ROUTINE(C_file_new, 1),
    ROUTINE(C_file_close, 1),
    ROUTINE(C_is_open, 1),
    ROUTINE(C_file_write, 3),
    ROUTINE(C_file_explode, 3),
    ROUTINE(C_file_implode, 3),
    ROUTINE(C_file_write_memory, 2),
    ROUTINE(C_file_save, 2),
    ROUTINE(C_file_compact, 2),
    ROUTINE(C_file_repair, 3),
    ROUTINE(C_file_recover, 4),
    ROUTINE(C_file_forget_failure, 1),
    ROUTINE(C_file_report, 1),
    ROUTINE(C_schemas, 1),
    ROUTINE(C_validate, 3),
    ROUTINE(C_describe_entry, 4),
    ROUTINE(C_file_info, 1),
    ROUTINE(C_file_history, 1),
    ROUTINE(C_file_add_history, 4),
    ROUTINE(C_file_extensions, 1),
    ROUTINE(C_file_add_extension, 5),
    ROUTINE(C_node_software, 2),
    ROUTINE(C_node_set_software, 6),
    ROUTINE(C_file_verify, 2),
    ROUTINE(C_file_blocks, 1),
    ROUTINE(C_file_transfers, 1),
    ROUTINE(C_library_version, 0),
    ROUTINE(C_unit_convert, 5),
    ROUTINE(C_unit_equal, 4),
    ROUTINE(C_unit_format, 3),
    ROUTINE(C_unit_kind, 2),
    ROUTINE(C_unit_physical, 2),
    ROUTINE(C_ndl_read, 2),
    ROUTINE(C_ndl_parse, 2),
    ROUTINE(C_ndl_describe, 2),
    ROUTINE(C_ndl_is_valid, 1),
    ROUTINE(C_ndl_report, 1),
    ROUTINE(C_ndl_create, 3),
    ROUTINE(C_ndl_compare, 3),
    ROUTINE(C_ndl_conform, 3),
    ROUTINE(C_ndl_export, 4),
    ROUTINE(C_ndl_write, 3),
    ROUTINE(C_ndl_paths, 2),
    ROUTINE(C_node_by_key, 4),
    ROUTINE(C_node_get, 2),
    ROUTINE(C_node_new_mapping, 0),
    ROUTINE(C_node_item, 3),
    ROUTINE(C_node_exists, 2),
    ROUTINE(C_node_kind, 2),
    ROUTINE(C_node_tag, 2),
    ROUTINE(C_node_typed_keys, 2),
    ROUTINE(C_node_path, 1),
    ROUTINE(C_node_count, 2),
    ROUTINE(C_node_keys, 2),
    ROUTINE(C_node_value, 3),
    ROUTINE(C_node_set_scalar, 3),
    ROUTINE(C_node_set_timestamp, 3),
    ROUTINE(C_node_make, 2),
    ROUTINE(C_node_set_collection, 4),
    ROUTINE(C_node_get_quantity, 5),
    ROUTINE(C_node_set_quantity, 3),
    ROUTINE(C_node_set_note, 3),
    ROUTINE(C_node_note, 2),
    ROUTINE(C_node_set_comment, 4),
    ROUTINE(C_node_comment, 3),
    ROUTINE(C_node_set_time, 3),
    ROUTINE(C_node_get_times, 3),
    ROUTINE(C_node_get_wcs, 3),
    ROUTINE(C_wcs_read_cards, 2),
    ROUTINE(C_wcs_make_cards, 2),
    ROUTINE(C_node_get_transform, 3),
    ROUTINE(C_wcs_transform, 3),
    ROUTINE(C_transform_inverse, 1),
    ROUTINE(C_transform_arity, 1),
    ROUTINE(C_points, 5),
    ROUTINE(C_sky_points, 5),
    ROUTINE(C_wcs_frames, 1),
    ROUTINE(C_wcs_footprint, 2),
    ROUTINE(C_wcs_center, 2),
    ROUTINE(C_wcs_orientation, 3),
    ROUTINE(C_node_set_times, 4),
    ROUTINE(C_node_get_coordinates, 2),
    ROUTINE(C_node_set_coordinates, 9),
    ROUTINE(C_coordinates_texts, 1),
    ROUTINE(C_coordinates_kind, 1),
    ROUTINE(C_coordinates_components, 1),
    ROUTINE(C_coordinates_attributes, 1),
    ROUTINE(C_coordinates_attribute, 2),
    ROUTINE(C_coordinates_unit, 2),
    ROUTINE(C_coordinates_read, 4),
    ROUTINE(C_node_set_tag, 3),
    ROUTINE(C_node_set_reference, 3),
    ROUTINE(C_node_set_wcs_cards, 4),
    ROUTINE(C_node_set_wcs_cutout, 6),
    ROUTINE(C_node_copy, 4),
    ROUTINE(C_node_remove, 2),
    ROUTINE(C_node_rename, 3),
    ROUTINE(C_node_move, 3),
    ROUTINE(C_node_set_storage, 4),
    ROUTINE(C_node_recompress, 3),
    ROUTINE(C_options, 1),
    ROUTINE(C_report, 1),
    ROUTINE(C_node_set_array, 7),
    ROUTINE(C_node_resize_array, 4),
    ROUTINE(C_node_set_zeros, 5),
    ROUTINE(C_array_append, 3),
    ROUTINE(C_array_write, 6),
    ROUTINE(C_stream_create, 6),
    ROUTINE(C_stream_push, 4),
    ROUTINE(C_stream_rows, 1),
    ROUTINE(C_stream_finish, 1),
    ROUTINE(C_stream_discard, 1),
    ROUTINE(C_table_read_ecsv, 2),
    ROUTINE(C_table_index, 3),
    ROUTINE(C_node_get_table, 3),
    ROUTINE(C_node_begin_table, 4),
    ROUTINE(C_node_set_table, 4),
    ROUTINE(C_table_reader_open, 2),
    ROUTINE(C_table_reader_next, 1),
    ROUTINE(C_table_reader_close, 1),
    ROUTINE(C_table_rows, 1),
    ROUTINE(C_table_names, 1),
    ROUTINE(C_table_column_texts, 2),
    ROUTINE(C_table_has_mask, 2),
    ROUTINE(C_table_column_type, 2),
    ROUTINE(C_table_meta, 2),
    ROUTINE(C_table_report, 1),
    ROUTINE(C_table_column, 4),
    ROUTINE(C_table_new, 1),
    ROUTINE(C_table_add, 5),
    ROUTINE(C_table_convert_column, 3),
    ROUTINE(C_table_time_kind, 2),
    ROUTINE(C_table_times, 3),
    ROUTINE(C_table_spans, 2),
    ROUTINE(C_table_add_times, 3),
    ROUTINE(C_table_set_times, 4),
    ROUTINE(C_table_add_dates, 3),
    ROUTINE(C_table_add_spans, 4),
    ROUTINE(C_table_describe, 5),
    ROUTINE(C_table_set_meta, 3),
    ROUTINE(C_table_set_cell, 4),
    ROUTINE(C_table_write_ecsv, 3),
    ROUTINE(C_table_writer_create, 3),
    ROUTINE(C_table_writer_append, 2),
    ROUTINE(C_table_writer_finish, 1),
    {NULL, NULL, 0},
};

void R_init_asdfkit(DllInfo *library) {
    R_registerRoutines(library, NULL, routines, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
    R_forceSymbols(library, TRUE);
}
