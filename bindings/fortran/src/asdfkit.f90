!> asdfkit: read and write ASDF files, ECSV tables and NDL descriptions.
!!
!!     use asdfkit
!!     type(asdf_file) :: file
!!     real, allocatable :: image(:, :)
!!     call file%open('image.asdf')
!!     call file%load('data', image)
!!
!! - Every procedure that can fail takes `stat` and `errmsg`, with the rules of the language: without `stat`, a failure
!!   stops the program with a message, and `errmsg` is unchanged after success.
!! - Variables of the types free what they hold at the end of their life. Assignment shares it.
!! - Indices have the order of Fortran: a numpy array of shape (ny, nx) is a Fortran array (nx, ny).
!!
!! Known defects of gfortran 12:
!!
!! - Assigning a variable of a type that has components of these types copies the components bit by bit. Such copies
!!   are empty; assign the components one by one. The same holds for overlapping sections of an array of these types.
!! - -Wall warns that the length of a local array of type character(:), allocatable is uninitialised, in any program.
!!   Give such a variable the attribute `save`, or make it a component of a type.
module asdfkit
  use asdfkit_array, only: asdf_array
  use asdfkit_arrow, only: asdf_arrow_array, asdf_arrow_schema, asdf_arrow_stream, asdf_export_arrow, asdf_import_arrow, &
    asdf_release_arrow
  use asdfkit_codec, only: asdf_add_codec, asdf_decoder, asdf_encoder
  use asdfkit_constants
  use asdfkit_coordinates, only: asdf_coordinates, asdf_set_coordinates
  use asdfkit_ecsv, only: asdf_table_reader, asdf_table_writer, asdf_index_ecsv
  use asdfkit_errors, only: asdf_error
  use asdfkit_file, only: asdf_file, asdf_export_references
  use asdfkit_ndl, only: asdf_check, asdf_describe, asdf_ndl
  use asdfkit_ndl_builder, only: asdf_ndl_builder
  use asdfkit_ndl_datatype, only: asdf_ndl_datatype
  use asdfkit_node, only: asdf_new_mapping, asdf_node
  use asdfkit_options, only: asdf_options
  use asdfkit_progress, only: asdf_progress, asdf_set_progress
  use asdfkit_report, only: asdf_report
  use asdfkit_schemas, only: asdf_schemas
  use asdfkit_stream, only: asdf_stream
  use asdfkit_table, only: asdf_table
  use asdfkit_unit, only: asdf_convert_units, asdf_format_unit, asdf_get_unit_factor, asdf_kind_of_unit, &
    asdf_physical_unit, asdf_same_unit
  use asdfkit_view, only: asdf_view
  use asdfkit_wcs, only: asdf_transform, asdf_wcs
  implicit none
end module asdfkit
