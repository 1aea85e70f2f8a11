!> Interface blocks, written by hand, for the functions of asdf.h that the program needs.
module asdf_c
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int32_t), parameter :: ASDF_OK = 0, ASDF_FLOAT64 = 23, ASDF_ORDER_FORTRAN = 1, ASDF_OPTION_ORDER = 400, &
    ASDF_OPTION_STRIDES = 401

  interface
    integer(c_int32_t) function asdf_error_message(buffer, capacity, needed) bind(c)
      import
      character(kind=c_char), intent(inout) :: buffer(*)
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: needed
    end function
    integer(c_int32_t) function asdf_file_open(path, options, file) bind(c)
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: file
    end function
    integer(c_int32_t) function asdf_file_new(options, file) bind(c)
      import
      type(c_ptr), value :: options
      type(c_ptr), intent(out) :: file
    end function
    integer(c_int32_t) function asdf_file_root(file, root) bind(c)
      import
      type(c_ptr), value :: file
      type(c_ptr), intent(out) :: root
    end function
    integer(c_int32_t) function asdf_file_write(file, path, options) bind(c)
      import
      type(c_ptr), value :: file, options
      character(kind=c_char), intent(in) :: path(*)
    end function
    subroutine asdf_file_free(file) bind(c)
      import
      type(c_ptr), value :: file
    end subroutine
    integer(c_int32_t) function asdf_node_get_f64(node, path, value) bind(c)
      import
      type(c_ptr), value :: node
      character(kind=c_char), intent(in) :: path(*)
      real(c_double), intent(inout) :: value
    end function
    integer(c_int32_t) function asdf_node_get_string(node, path, buffer, capacity, needed) bind(c)
      import
      type(c_ptr), value :: node
      character(kind=c_char), intent(in) :: path(*)
      character(kind=c_char), intent(inout) :: buffer(*)
      integer(c_size_t), value :: capacity
      integer(c_size_t), intent(inout) :: needed
    end function
    integer(c_int32_t) function asdf_node_set_string(node, path, text, length) bind(c)
      import
      type(c_ptr), value :: node
      character(kind=c_char), intent(in) :: path(*), text(*)
      integer(c_size_t), value :: length
    end function
    integer(c_int32_t) function asdf_node_set_array(node, path, datatype, rank, shape, elements, size, options) bind(c)
      import
      type(c_ptr), value :: node, options
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int32_t), value :: datatype, rank
      integer(c_int64_t), intent(in) :: shape(*)
      real(c_double), intent(in) :: elements(*)
      integer(c_size_t), value :: size
    end function
    integer(c_int32_t) function asdf_options_new(options) bind(c)
      import
      type(c_ptr), intent(out) :: options
    end function
    integer(c_int32_t) function asdf_options_set_int(options, key, value) bind(c)
      import
      type(c_ptr), value :: options
      integer(c_int32_t), value :: key
      integer(c_int64_t), value :: value
    end function
    integer(c_int32_t) function asdf_options_set_ints(options, key, ints, count) bind(c)
      import
      type(c_ptr), value :: options
      integer(c_int32_t), value :: key
      integer(c_int64_t), intent(in) :: ints(*)
      integer(c_int64_t), value :: count
    end function
    integer(c_int32_t) function asdf_options_unset(options, key) bind(c)
      import
      type(c_ptr), value :: options
      integer(c_int32_t), value :: key
    end function
    subroutine asdf_options_free(options) bind(c)
      import
      type(c_ptr), value :: options
    end subroutine
    integer(c_int32_t) function asdf_node_get_array(node, path, array) bind(c)
      import
      type(c_ptr), value :: node
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: array
    end function
    subroutine asdf_node_free(node) bind(c)
      import
      type(c_ptr), value :: node
    end subroutine
    integer(c_int32_t) function asdf_array_shape(array, shape, capacity, rank) bind(c)
      import
      type(c_ptr), value :: array
      integer(c_int64_t), intent(inout) :: shape(*)
      integer(c_int32_t), value :: capacity
      integer(c_int32_t), intent(inout) :: rank
    end function
    integer(c_int32_t) function asdf_array_read(array, datatype, options, elements, capacity, mask, mask_capacity) bind(c)
      import
      type(c_ptr), value :: array, options, mask
      integer(c_int32_t), value :: datatype
      real(c_double), intent(inout) :: elements(*)
      integer(c_size_t), value :: capacity, mask_capacity
    end function
    subroutine asdf_array_free(array) bind(c)
      import
      type(c_ptr), value :: array
    end subroutine
  end interface
end module
