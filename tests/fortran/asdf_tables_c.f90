!> Interface blocks, written by hand, for the table functions of asdf.h that the program needs.
module asdf_tables_c
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int32_t), parameter :: ASDF_OK = 0, ASDF_ERR_BUFFER_TOO_SMALL = 106, ASDF_FLOAT64 = 23, ASDF_ASCII = 51, &
    ASDF_OPTION_BLANK_PADDED = 404

  interface
    integer(c_int32_t) function asdf_error_message(buffer, capacity, needed) bind(c)
      import
      character(kind=c_char), intent(inout) :: buffer(*)
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: needed
    end function
    integer(c_int32_t) function asdf_datatype_string(code, length, datatype) bind(c)
      import
      integer(c_int32_t), value :: code
      integer(c_int64_t), value :: length
      type(c_ptr), intent(out) :: datatype
    end function
    subroutine asdf_datatype_free(datatype) bind(c)
      import
      type(c_ptr), value :: datatype
    end subroutine
    integer(c_int32_t) function asdf_table_read_ecsv(path, options, table) bind(c)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: table
    end function
    integer(c_int32_t) function asdf_table_write_ecsv(table, path, options) bind(c)
      import
      type(c_ptr), value :: table, options
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_int32_t) function asdf_table_new(row_count, table) bind(c)
      import
      integer(c_int64_t), value :: row_count
      type(c_ptr), intent(out) :: table
    end function
    subroutine asdf_table_free(table) bind(c)
      import
      type(c_ptr), value :: table
    end subroutine
    integer(c_int32_t) function asdf_table_row_count(table, count) bind(c)
      import
      type(c_ptr), value :: table
      integer(c_int64_t), intent(inout) :: count
    end function
    integer(c_int32_t) function asdf_table_column_unit(table, name, buffer, capacity, needed) bind(c)
      import
      type(c_ptr), value :: table
      character(kind=c_char), intent(in) :: name(*)
      character(kind=c_char), intent(inout) :: buffer(*)
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: needed
    end function
    integer(c_int32_t) function asdf_table_set_column_unit(table, name, unit, length) bind(c)
      import
      type(c_ptr), value :: table
      character(kind=c_char), intent(in) :: name(*), unit(*)
      integer(c_size_t), value :: length
    end function
    integer(c_int32_t) function asdf_table_read_column(table, name, first, count, datatype, options, elements, capacity, &
                                                       mask, mask_capacity) bind(c)
      import
      type(c_ptr), value :: table, mask, options
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: first, count
      integer(c_int32_t), value :: datatype
      real(c_double), intent(inout) :: elements(*)
      integer(c_size_t), value :: capacity, mask_capacity
    end function
    integer(c_int32_t) function asdf_table_read_column_typed(table, name, first, count, datatype, options, elements, &
                                                             capacity, mask, mask_capacity) bind(c)
      import
      type(c_ptr), value :: table, datatype, mask, options
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), value :: first, count
      character(kind=c_char), intent(inout) :: elements(*)
      integer(c_size_t), value :: capacity, mask_capacity
    end function
    integer(c_int32_t) function asdf_table_add_column(table, name, datatype, rank, shape, elements, size, mask, mask_size, &
                                                      options) bind(c)
      import
      type(c_ptr), value :: table, mask, options
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int32_t), value :: datatype, rank
      integer(c_int64_t), intent(in) :: shape(*)
      real(c_double), intent(in) :: elements(*)
      integer(c_size_t), value :: size, mask_size
    end function
    integer(c_int32_t) function asdf_table_add_column_typed(table, name, datatype, rank, shape, elements, size, mask, &
                                                            mask_size, options) bind(c)
      import
      type(c_ptr), value :: table, datatype, mask, options
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int32_t), value :: rank
      integer(c_int64_t), intent(in) :: shape(*)
      character(kind=c_char), intent(in) :: elements(*)
      integer(c_size_t), value :: size, mask_size
    end function
  end interface
end module
