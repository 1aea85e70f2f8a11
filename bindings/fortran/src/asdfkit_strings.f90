!> Strings as elements of arrays: their length when they are read, and characters beyond ASCII when they are written.
!! Texts of variables are UTF-8. Not for programs.
module asdfkit_strings
  use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int32_t, c_int64_t, c_loc, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use asdfkit_c
  use asdfkit_memory, only: memory_layout, packed_strides, row_start
  use asdfkit_owners, only: asdf_datatype_owner
  implicit none
  private
  public :: set_string_type, set_padded_strings, stored_length, longest_string, is_ascii, to_code_points

contains

  !> Sets a datatype of strings in options. The code 0 of a call then stands for it.
  integer(c_int32_t) function set_string_type(options, code, length) result(status)
    type(c_ptr), intent(in) :: options
    !> ASDF_ASCII or ASDF_UCS4
    integer(c_int32_t), intent(in) :: code
    integer(int64), intent(in) :: length
    type(c_ptr) :: datatype
    status = asdf_datatype_string(code, length, datatype)
    if (status /= ASDF_OK) return
    status = asdf_options_set_datatype(options, datatype)
    call asdf_datatype_free(datatype)
  end function

  !> Describes the strings of a variable, which are padded with blanks, in options.
  integer(c_int32_t) function set_padded_strings(options, length) result(status)
    type(c_ptr), intent(in) :: options
    integer(int64), intent(in) :: length
    status = set_string_type(options, ASDF_ASCII, length)
    if (status == ASDF_OK) status = asdf_options_set_int(options, ASDF_OPTION_BLANK_PADDED, 1_c_int64_t)
  end function

  !> Largest number of bytes that a string of an array can have in UTF-8; at least 1.
  subroutine stored_length(array, length, is_exact, status)
    type(c_ptr), intent(in) :: array
    integer(int64), intent(out) :: length
    !> false if the strings are shorter as a rule
    logical, intent(out) :: is_exact
    integer(c_int32_t), intent(out) :: status
    type(asdf_datatype_owner) :: datatype
    type(c_ptr) :: handle
    integer(c_int32_t) :: code
    length = 1
    code = 0
    is_exact = .true.
    status = asdf_array_datatype_handle(array, handle)
    call datatype%adopt(handle)
    if (status == ASDF_OK) status = asdf_datatype_code(handle, code)
    ! Elements that are no strings are refused when they are read.
    if (status /= ASDF_OK .or. (code /= ASDF_ASCII .and. code /= ASDF_UCS4)) return
    status = asdf_datatype_string_length(handle, length)
    length = max(length, 1_int64)
    is_exact = code == ASDF_ASCII
    if (.not. is_exact) length = 4*length
  end subroutine

  !> Length of the longest of some strings of equal size that are padded with blanks; at least 1.
  pure integer(int64) function longest_string(bytes, item_size) result(longest)
    character(kind=c_char), intent(in) :: bytes(:)
    integer(int64), intent(in) :: item_size
    integer(int64) :: item, length
    longest = 1
    do item = 0, size(bytes, kind=int64)/item_size - 1
      do length = item_size, longest + 1, -1
        if (bytes(item*item_size + length) /= ' ') exit
      end do
      longest = max(longest, length)
    end do
  end function

  !> Tests whether all strings of a variable are ASCII.
  logical function is_ascii(layout)
    type(memory_layout), intent(in) :: layout
    character(kind=c_char), pointer :: bytes(:)
    integer(int64) :: item, start
    is_ascii = .true.
    if (layout%element_count() == 0 .or. layout%item_size == 0) return
    call c_f_pointer(layout%lowest(), bytes, [layout%span()])
    do item = 0, layout%element_count() - 1
      start = item_start(layout, item)
      if (any(iachar(bytes(start:start + layout%item_size - 1)) > 127)) is_ascii = .false.
    end do
  end function

  !> Strings of a variable as UTF-32, one after the other, padded with NULs to the length of the longest one. Bytes that
  !! are not UTF-8 become numbers that are no characters, which the library refuses.
  subroutine to_code_points(layout, points, length)
    type(memory_layout), intent(in) :: layout
    integer(c_int32_t), allocatable, intent(out) :: points(:)
    integer(int64), intent(out) :: length
    character(kind=c_char), pointer :: bytes(:)
    integer(c_int32_t), allocatable :: wide(:)
    integer(int64) :: item, start, count, end
    call c_f_pointer(layout%lowest(), bytes, [layout%span()])
    allocate (wide(layout%item_size))
    length = 1
    do item = 0, layout%element_count() - 1
      start = item_start(layout, item)
      call decode(bytes(start:start + layout%item_size - 1), wide, count)
      length = max(length, count)
    end do
    allocate (points(length*layout%element_count()))
    points = 0
    do item = 0, layout%element_count() - 1
      start = item_start(layout, item)
      call decode(bytes(start:start + layout%item_size - 1), wide, count)
      end = item*length + count
      points(item*length + 1:end) = wide(:count)
    end do
  end subroutine

  !> Position, from 1, of the first byte of an element by its number from 0.
  pure integer(int64) function item_start(layout, item) result(start)
    type(memory_layout), intent(in) :: layout
    integer(int64), intent(in) :: item
    start = row_start(item/layout%extents(1), layout%extents, layout%strides) + &
            mod(item, layout%extents(1))*layout%strides(1)
  end function

  !> Code points of one text in UTF-8 without trailing blanks.
  pure subroutine decode(bytes, points, count)
    character(kind=c_char), intent(in) :: bytes(:)
    integer(c_int32_t), intent(inout) :: points(:)
    integer(int64), intent(out) :: count
    integer(c_int32_t) :: byte, point
    integer(int64) :: last, position, more
    integer :: follow
    do last = size(bytes, kind=int64), 1, -1
      if (bytes(last) /= ' ') exit
    end do
    count = 0
    position = 1
    do while (position <= last)
      byte = iachar(bytes(position), c_int32_t)
      follow = 0
      point = byte
      if (byte >= 240) then
        follow = 3
        point = iand(byte, 7_c_int32_t)
      else if (byte >= 224) then
        follow = 2
        point = iand(byte, 15_c_int32_t)
      else if (byte >= 192) then
        follow = 1
        point = iand(byte, 31_c_int32_t)
      else if (byte >= 128) then
        point = -1
      end if
      if (position + follow > last) point = -1
      do more = position + 1, min(position + follow, last)
        byte = iachar(bytes(more), c_int32_t)
        if (byte < 128 .or. byte > 191) point = -1
        if (point >= 0) point = point*64 + iand(byte, 63_c_int32_t)
      end do
      count = count + 1
      points(count) = point
      position = position + follow + 1
    end do
  end subroutine
end module asdfkit_strings
