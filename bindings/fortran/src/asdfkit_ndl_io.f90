!> Values and texts of descriptions, for memory of any kind and rank. Not for programs.
module asdfkit_ndl_io
  use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int32_t, c_int64_t, c_int8_t, c_loc, c_null_char, &
    c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use asdfkit_arguments
  use asdfkit_c
  use asdfkit_errors, only: library_message
  use asdfkit_memory
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_owners, only: asdf_ndl_builder_owner, asdf_ndl_datatype_owner, asdf_ndl_owner
  use asdfkit_strings, only: set_padded_strings
  use asdfkit_texts
  implicit none
  private
  public :: c_attribute, place_of, locate, element_extents, longest_text, read_values, text_of, set_values, set_texts, &
    VALUE_TEXT, VALUE_NOTATION, KEYWORD_TEXT, STORAGE_TEXT

  !> Texts of an object or an attribute.
  integer, parameter :: VALUE_TEXT = 1, VALUE_NOTATION = 2, KEYWORD_TEXT = 3, STORAGE_TEXT = 4

contains

  !> The name of an attribute for C; not allocated if there is none.
  subroutine c_attribute(attribute, name)
    character(*), intent(in), optional :: attribute
    character(:), allocatable, intent(out) :: name
    if (present(attribute)) name = trim(attribute)//c_null_char
  end subroutine

  !> Name of an object or attribute in messages, as in diagnostics: "/wind@units: ".
  function place_of(path, attribute) result(place)
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    character(:), allocatable :: place
    place = trim(path)//': '
    if (present(attribute)) place = trim(path)//'@'//trim(attribute)//': '
  end function

  !> Puts the name of the object or attribute before a message of the library that does not have it.
  subroutine locate(status, path, attribute, message)
    integer(c_int32_t), intent(in) :: status
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    character(:), allocatable, intent(inout) :: message
    character(:), allocatable :: sentence
    if (status == ASDF_OK .or. allocated(message)) return
    sentence = library_message()
    if (index(sentence, trim(path)) == 0) sentence = place_of(path, attribute)//sentence
    message = sentence
  end subroutine

  !> Gets a text of an object or an attribute. `index` counts from 0.
  integer(c_int32_t) function text_of(ndl, which, path, attribute, text, index, directive) result(status)
    class(asdf_ndl_owner), intent(in) :: ndl
    integer, intent(in) :: which
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    character(:), allocatable, intent(inout) :: text
    integer(int64), intent(in), optional :: index
    character(*), intent(in), optional :: directive
    character(:), allocatable :: name
    integer(c_size_t) :: needed
    call c_attribute(attribute, name)
    needed = 0
    text = repeat(' ', 256)
    do
      select case (which)
      case (VALUE_TEXT)
        status = asdf_ndl_value_text(ndl%c_handle(), trim(path)//c_null_char, name, index, text, len(text, c_size_t), &
          needed)
      case (VALUE_NOTATION)
        status = asdf_ndl_value_notation(ndl%c_handle(), trim(path)//c_null_char, name, index, text, &
          len(text, c_size_t), needed)
      case (KEYWORD_TEXT)
        status = asdf_ndl_keyword(ndl%c_handle(), trim(path)//c_null_char, name, text, len(text, c_size_t), needed)
      case default
        status = asdf_ndl_storage(ndl%c_handle(), trim(path)//c_null_char, name, trim(directive)//c_null_char, text, &
          len(text, c_size_t), needed)
      end select
      if (status /= ASDF_ERR_BUFFER_TOO_SMALL) exit
      text = repeat(' ', int(needed) + 1)
    end do
    if (status /= ASDF_OK) needed = 0
    text = text(:needed)
  end function

  !> Finds the shape of values as numbers, in the order of Fortran: array datatypes and opaque bytes append extents.
  integer(c_int32_t) function element_extents(ndl, path, attribute, extents, with_elements) result(status)
    class(asdf_ndl_owner), intent(in) :: ndl
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    integer(int64), allocatable, intent(out) :: extents(:)
    !> false for the values alone
    logical, intent(in) :: with_elements
    type(asdf_ndl_datatype_owner) :: datatype
    character(:), allocatable :: name, keyword
    integer(c_int64_t) :: part(ASDF_MAX_RANK), bytes
    integer(c_int32_t) :: rank
    type(c_ptr) :: handle
    call c_attribute(attribute, name)
    rank = 0
    status = asdf_ndl_value_shape(ndl%c_handle(), trim(path)//c_null_char, name, part, ASDF_MAX_RANK, rank)
    if (status /= ASDF_OK) return
    extents = part(rank:1:-1)
    if (.not. with_elements) return
    status = asdf_ndl_get_datatype(ndl%c_handle(), trim(path)//c_null_char, name, handle)
    do while (status == ASDF_OK)
      call datatype%adopt(handle)
      status = ndl_datatype_keyword_string(datatype%c_handle(), keyword)
      if (status /= ASDF_OK) return
      if (keyword == 'opaque') then
        bytes = 0
        status = asdf_ndl_datatype_element_size(datatype%c_handle(), bytes)
        extents = [bytes, extents]
        return
      else if (keyword /= 'array') then
        return
      end if
      status = asdf_ndl_datatype_shape(datatype%c_handle(), part, ASDF_MAX_RANK, rank)
      if (status /= ASDF_OK) return
      extents = [part(rank:1:-1), extents]
      status = asdf_ndl_datatype_base(datatype%c_handle(), handle)
    end do
  end function

  !> Finds the length in bytes of the longest text.
  integer(c_int32_t) function longest_text(ndl, path, attribute, count, longest) result(status)
    class(asdf_ndl_owner), intent(in) :: ndl
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    integer(int64), intent(in) :: count
    integer(int64), intent(out) :: longest
    character(:), allocatable :: text
    integer(int64) :: i
    status = ASDF_OK
    ! The library has no strings without bytes.
    longest = 1
    do i = 0, count - 1
      status = text_of(ndl, VALUE_TEXT, path, attribute, text, i)
      if (status /= ASDF_OK) return
      longest = max(longest, len(text, int64))
    end do
  end function

  !> Reads all values into memory without gaps.
  integer(c_int32_t) function read_values(ndl, path, attribute, memory, options) result(status)
    class(asdf_ndl_owner), intent(in) :: ndl
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    type(memory_layout), intent(in) :: memory
    class(asdf_options), intent(in), optional :: options
    character(:), allocatable :: name
    type(asdf_options) :: all
    integer(c_int8_t), allocatable, target :: bytes(:)
    type(c_ptr) :: handle
    integer(c_size_t) :: size
    call c_attribute(attribute, name)
    size = int(memory%element_count()*memory%item_size, c_size_t)
    handle = options_handle(options)
    if (memory%datatype == ASDF_ASCII) then
      status = copy_options(all, options)
      if (status == ASDF_OK) status = set_padded_strings(all%c_handle(), memory%item_size)
      if (status /= ASDF_OK) return
      handle = all%c_handle()
    end if
    if (memory%flags) then
      allocate (bytes(max(memory%element_count(), 1_int64)))
      status = asdf_ndl_read_values(ndl%c_handle(), trim(path)//c_null_char, name, memory%datatype, handle, &
        c_loc(bytes), int(memory%element_count(), c_size_t))
      if (status == ASDF_OK) call scatter_flags(bytes, packed_strides(memory%extents, 1_int64), memory)
    else
      status = asdf_ndl_read_values(ndl%c_handle(), trim(path)//c_null_char, name, memory%code(), handle, &
        memory%address, size)
    end if
  end function

  !> Sets values of a description in the making. The first `inner_rank` dimensions belong to the datatype.
  subroutine set_values(builder, path, attribute, memory, inner_rank, status, message)
    class(asdf_ndl_builder_owner), intent(in) :: builder
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    type(memory_layout), intent(in) :: memory
    integer, intent(in), optional :: inner_rank
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    character(:), allocatable :: name
    type(asdf_options) :: options
    type(memory_layout) :: layout
    integer(c_int8_t), allocatable, target :: bytes(:)
    integer(c_int64_t) :: extents(max_rank), strides(max_rank)
    integer(c_int32_t) :: rank
    integer :: inner
    call c_attribute(attribute, name)
    layout = memory
    inner = 0
    if (present(inner_rank)) inner = inner_rank
    status = ASDF_ERR_INVALID_ARGUMENT
    if (layout%unallocated) then
      message = place_of(path, attribute)//'the values are not allocated'
      return
    else if (inner < 0 .or. inner > layout%rank) then
      message = place_of(path, attribute)//'inner_rank is '//integer_text(int(inner, int64))// &
        ', but the values have rank '//integer_text(int(layout%rank, int64))
      return
    end if
    status = ASDF_OK
    rank = layout%rank - inner
    extents(:rank) = layout%extents(layout%rank:inner + 1:-1)
    if (layout%flags) then
      allocate (bytes(max(layout%element_count(), 1_int64)))
      call gather_flags(layout, bytes)
      layout%address = c_loc(bytes)
      layout%item_size = 1
      layout%strides = packed_strides(layout%extents, 1_int64)
    else if (.not. layout%is_packed()) then
      strides(:layout%rank) = layout%strides(layout%rank:1:-1)
      status = options%prepare()
      if (status == ASDF_OK) status = asdf_options_set_ints(options%c_handle(), ASDF_OPTION_STRIDES, strides, &
        int(layout%rank, c_int64_t))
    end if
    if (status == ASDF_OK) status = asdf_ndl_builder_set_values(builder%c_handle(), trim(path)//c_null_char, name, &
      layout%datatype, rank, extents, layout%lowest(), int(layout%span(), c_size_t), options%c_handle())
  end subroutine

  !> Sets texts as values of a description in the making, without the blanks at their ends. They have no gaps in memory.
  subroutine set_texts(builder, path, attribute, memory, status, message)
    class(asdf_ndl_builder_owner), intent(in) :: builder
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    type(memory_layout), intent(in) :: memory
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    character(:), allocatable :: name, bytes
    character(kind=c_char), pointer :: stored(:)
    integer(c_int64_t), allocatable :: offsets(:)
    integer(c_int64_t) :: extents(max_rank), i, k, position, length
    call c_attribute(attribute, name)
    if (memory%unallocated) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = place_of(path, attribute)//'the values are not allocated'
      return
    end if
    extents(:memory%rank) = memory%extents(memory%rank:1:-1)
    allocate (offsets(memory%element_count() + 1))
    allocate (character(memory%element_count()*memory%item_size) :: bytes)
    position = 0
    offsets(1) = 0
    if (len(bytes) > 0) call c_f_pointer(memory%address, stored, [len(bytes)])
    do i = 1, memory%element_count()
      length = memory%item_size
      do while (length > 0)
        if (stored((i - 1)*memory%item_size + length) /= ' ') exit
        length = length - 1
      end do
      do k = 1, length
        bytes(position + k:position + k) = stored((i - 1)*memory%item_size + k)
      end do
      position = position + length
      offsets(i + 1) = position
    end do
    status = asdf_ndl_builder_set_texts(builder%c_handle(), trim(path)//c_null_char, name, memory%rank, extents, &
      bytes, int(position, c_size_t), offsets, size(offsets, kind=c_int64_t))
  end subroutine
end module asdfkit_ndl_io
