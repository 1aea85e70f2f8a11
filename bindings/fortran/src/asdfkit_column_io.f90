!> Reading and adding one column of a table, for memory of any kind and rank. Not for programs: their calls are in
!! asdfkit_columns.
!!
!! A column is an array whose first axis in C is the rows. The axes of Fortran are reversed, so rows are the last
!! dimension: cells with the shape (5, 2) in C become an array (2, 5, rows).
module asdfkit_column_io
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_int64_t, c_int8_t, c_loc, c_null_char, c_null_ptr, &
    c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use asdfkit_arguments
  use asdfkit_c
  use asdfkit_memory
  use asdfkit_options, only: asdf_options
  use asdfkit_owners, only: asdf_table_owner
  use asdfkit_strings, only: set_padded_strings, set_string_type
  implicit none
  private
  public :: column_read, add_column, add_lists, add_texts, change_cells, refuse_texts, set_property, UNIT_OF, DESCRIPTION_OF, &
    FORMAT_OF

  !> Text properties of a column.
  integer, parameter :: UNIT_OF = 1, DESCRIPTION_OF = 2, FORMAT_OF = 3

  !> One call that reads a column. After a step that failed, the following ones do nothing.
  type :: column_read
    integer(c_int32_t) :: status = ASDF_OK
    !> message of a failure that asdfkit itself found
    character(:), allocatable :: message
    !> shape of the values in Fortran
    integer(int64), allocatable :: extents(:)
    !> length of each text
    integer(int64) :: text_length = 0
    type(c_ptr), private :: table = c_null_ptr
    character(:), allocatable, private :: name
    integer(c_int64_t), private :: first = 0, count = 0
    type(asdf_options), allocatable, private :: options
    integer(c_int8_t), allocatable, private :: mask(:)
  contains
    procedure :: plan
    procedure :: plan_lists
    procedure :: plan_text
    procedure :: set_fill
    procedure :: set_unit
    procedure :: check_memory
    procedure :: read => read_elements
    procedure :: read_lengths
    procedure :: give_mask
  end type

contains

  ! Reading -----------------------------------------------------------------------------------------------------------

  !> Finds the shape of the values in some rows of a column, and compares it with the rank of the memory.
  subroutine plan(self, table, name, rank, mask, first, count, options)
    class(column_read), intent(inout) :: self
    class(asdf_table_owner), intent(in) :: table
    character(*), intent(in) :: name
    integer, intent(in) :: rank
    logical, allocatable, intent(in), optional :: mask(..)
    class(*), intent(in), optional :: first, count
    class(asdf_options), intent(in), optional :: options
    integer(c_int64_t) :: shape(ASDF_MAX_RANK)
    integer(c_int32_t) :: cell_rank
    call select_rows(self, table, name, first, count, options)
    if (self%status /= ASDF_OK) return
    cell_rank = 0
    self%status = asdf_table_column_shape(self%table, self%name, shape, ASDF_MAX_RANK, cell_rank)
    if (self%status /= ASDF_OK) return
    self%extents = [shape(cell_rank:1:-1), self%count]
    if (any(self%extents < 0)) then
      call reject(self, 'its cells are lists of different lengths, which get_lists() reads')
    else if (rank /= size(self%extents)) then
      call reject(self, 'the values need rank '//integer_text(size(self%extents, kind=int64))//' and the shape '// &
        shape_text(self%extents)//', not rank '//integer_text(int(rank, int64)))
    else if (present(mask)) then
      call check_rank_of_mask(self, mask)
      allocate (self%mask(product(self%extents)))
    end if
  end subroutine

  !> Finds the number of elements in some rows of a column, whatever the shape of its cells.
  subroutine plan_lists(self, table, name, mask, first, count, options)
    class(column_read), intent(inout) :: self
    class(asdf_table_owner), intent(in) :: table
    character(*), intent(in) :: name
    logical, allocatable, intent(in), optional :: mask(..)
    class(*), intent(in), optional :: first, count
    class(asdf_options), intent(in), optional :: options
    integer(c_int64_t) :: elements
    call select_rows(self, table, name, first, count, options)
    if (self%status /= ASDF_OK) return
    elements = 0
    self%status = asdf_table_element_count(self%table, self%name, self%first, self%count, elements)
    self%extents = [elements]
    if (present(mask)) allocate (self%mask(elements))
  end subroutine

  subroutine select_rows(self, table, name, first, count, options)
    class(column_read), intent(inout) :: self
    class(asdf_table_owner), intent(in) :: table
    character(*), intent(in) :: name
    class(*), intent(in), optional :: first, count
    class(asdf_options), intent(in), optional :: options
    integer(c_int64_t) :: rows, elements, start
    self%table = table%c_handle()
    self%name = trim(name)//c_null_char
    rows = 0
    self%status = asdf_table_row_count(self%table, rows)
    if (self%status /= ASDF_OK) return
    start = 1
    call take_integer(first, 'first', start, self%status, self%message)
    self%first = start - 1
    self%count = max(rows - self%first, 0_int64)
    call take_integer(count, 'count', self%count, self%status, self%message)
    if (self%status /= ASDF_OK) return
    if (start < 1) then
      call reject(self, 'first is '//integer_text(start)//', but rows count from 1', ASDF_ERR_OUT_OF_RANGE)
    else if (self%first > rows) then
      call reject(self, 'first is '//integer_text(start)//', but the table has '//integer_text(rows)//' rows', &
        ASDF_ERR_OUT_OF_RANGE)
    else if (self%count < 0 .or. self%count > rows - self%first) then
      self%status = asdf_table_element_count(self%table, self%name, self%first, self%count, elements)
    else if (present(options)) then
      allocate (self%options)
      self%status = self%options%prepare_copy(options%c_handle())
    end if
  end subroutine

  !> Finds the length of the longest text.
  subroutine plan_text(self)
    class(column_read), intent(inout) :: self
    if (self%status == ASDF_OK) &
      self%status = asdf_table_longest_text(self%table, self%name, ASDF_ASCII, self%text_length)
    ! The library has no strings without bytes.
    self%text_length = max(self%text_length, 1_int64)
  end subroutine

  !> Sets the value of missing elements.
  subroutine set_fill(self, fill)
    class(column_read), intent(inout) :: self
    type(memory_layout), intent(in) :: fill
    integer(c_int8_t), target :: byte(1)
    if (self%status == ASDF_OK) call prepare_options(self)
    if (self%status /= ASDF_OK) return
    if (fill%flags) then
      call gather_flags(fill, byte)
      self%status = asdf_options_set_fill(self%options%c_handle(), fill%datatype, c_loc(byte), 1_c_size_t)
      return
    end if
    if (fill%datatype == ASDF_ASCII) then
      self%text_length = max(self%text_length, fill%item_size)
      ! Reading texts replaces this datatype by that of the variable.
      self%status = set_string_type(self%options%c_handle(), ASDF_ASCII, fill%item_size)
    end if
    if (self%status == ASDF_OK) self%status = asdf_options_set_fill(self%options%c_handle(), fill%code(), &
      fill%address, int(fill%item_size, c_size_t))
  end subroutine

  !> Sets the unit that numbers are read in, without trailing blanks.
  subroutine set_unit(self, unit)
    class(column_read), intent(inout) :: self
    character(*), intent(in) :: unit
    if (self%status == ASDF_OK) call prepare_options(self)
    if (self%status == ASDF_OK) self%status = asdf_options_set_text(self%options%c_handle(), ASDF_OPTION_UNIT, &
      trim(unit), len_trim(unit, c_size_t))
  end subroutine

  !> Notes that there was not enough memory for the values.
  subroutine check_memory(self, failed)
    class(column_read), intent(inout) :: self
    logical, intent(in) :: failed
    if (failed) call reject(self, 'there is not enough memory', ASDF_ERR_OUT_OF_MEMORY)
  end subroutine

  !> Reads the elements.
  subroutine read_elements(self, memory)
    class(column_read), intent(inout) :: self
    type(memory_layout), intent(in) :: memory
    integer(c_int8_t), allocatable, target :: bytes(:)
    if (self%status /= ASDF_OK) return
    if (memory%datatype == ASDF_ASCII) then
      call prepare_options(self)
      if (self%status == ASDF_OK) self%status = describe_strings(self%options, memory)
      if (self%status /= ASDF_OK) return
    end if
    if (memory%flags) then
      allocate (bytes(max(memory%element_count(), 1_int64)))
      self%status = read_numbers(c_loc(bytes), memory%element_count())
      if (self%status == ASDF_OK) &
        call scatter_flags(bytes, packed_strides(memory%extents, 1_int64), memory)
    else
      self%status = read_numbers(memory%address, memory%element_count()*memory%item_size)
    end if

  contains

    integer(c_int32_t) function read_numbers(address, capacity) result(status)
      type(c_ptr), intent(in) :: address
      integer(int64), intent(in) :: capacity
      type(c_ptr) :: options
      options = c_null_ptr
      if (allocated(self%options)) options = self%options%c_handle()
      status = asdf_table_read_column(self%table, self%name, self%first, self%count, memory%code(), options, &
        address, int(capacity, c_size_t), self%mask, mask_size(self%mask))
    end function
  end subroutine

  subroutine prepare_options(self)
    class(column_read), intent(inout) :: self
    if (.not. allocated(self%options)) allocate (self%options)
    self%status = self%options%prepare()
  end subroutine

  !> Reads the number of elements of each cell.
  subroutine read_lengths(self, lengths)
    class(column_read), intent(inout) :: self
    integer(int64), allocatable, intent(out) :: lengths(:)
    if (self%status /= ASDF_OK) return
    allocate (lengths(self%count))
    self%status = asdf_table_read_cell_lengths(self%table, self%name, self%first, self%count, lengths, &
      size(lengths, kind=c_size_t))
  end subroutine

  !> Returns the mask, if the caller wants it.
  subroutine give_mask(self, mask)
    class(column_read), intent(inout) :: self
    logical, allocatable, target, intent(inout), optional :: mask(..)
    type(memory_layout) :: layout
    logical :: failed
    if (self%status /= ASDF_OK .or. .not. present(mask)) return
    call allocate_as(mask, self%extents, failed)
    call self%check_memory(failed)
    if (failed) return
    call describe(mask, layout)
    call scatter_flags(self%mask, packed_strides(layout%extents, 1_int64), layout)
  end subroutine

  subroutine check_rank_of_mask(self, mask)
    class(column_read), intent(inout) :: self
    logical, allocatable, intent(in) :: mask(..)
    if (rank(mask) /= size(self%extents)) call reject(self, 'the mask needs rank '// &
      integer_text(size(self%extents, kind=int64))//' as the values, not rank '//integer_text(int(rank(mask), int64)))
  end subroutine

  subroutine reject(self, reason, status)
    class(column_read), intent(inout) :: self
    character(*), intent(in) :: reason
    integer(c_int32_t), intent(in), optional :: status
    self%status = ASDF_ERR_INVALID_ARGUMENT
    if (present(status)) self%status = status
    self%message = about(self%name(:len(self%name) - 1), reason)
  end subroutine

  ! Adding ------------------------------------------------------------------------------------------------------------

  !> Appends a column. The first column of a variable without a table determines the number of rows.
  subroutine add_column(table, name, memory, mask, unit, description, format, status, message)
    class(asdf_table_owner), intent(inout) :: table
    character(*), intent(in) :: name
    type(memory_layout), intent(in) :: memory
    logical, intent(in), target, optional :: mask(..)
    character(*), intent(in), optional :: unit, description, format
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(c_int8_t), allocatable :: missing(:)
    integer(c_int8_t), allocatable, target :: bytes(:)
    type(asdf_options) :: options
    type(memory_layout) :: layout
    integer(c_int64_t) :: cell(max_rank)
    integer(c_int32_t) :: cell_rank
    logical :: is_new
    layout = memory
    if (layout%rank == 0 .or. layout%rank > max_rank) then
      message = about(name, 'the values need a rank from 1 to 7, not '//integer_text(int(layout%rank, int64)))
      status = ASDF_ERR_INVALID_ARGUMENT
      return
    end if
    status = begin(table, name, layout%extents(layout%rank), is_new, message, memory)
    if (status == ASDF_OK) status = collect_mask(name, layout, mask, missing, message)
    if (status == ASDF_OK .and. layout%flags) then
      allocate (bytes(max(layout%element_count(), 1_int64)))
      call gather_flags(layout, bytes)
      layout%address = c_loc(bytes)
      layout%item_size = 1
      layout%strides = packed_strides(layout%extents, 1_int64)
    end if
    if (status == ASDF_OK .and. .not. layout%is_packed()) status = set_strides(options, layout)
    cell_rank = layout%rank - 1
    cell(:cell_rank) = layout%extents(cell_rank:1:-1)
    if (status == ASDF_OK) status = describe_strings(options, layout)
    if (status == ASDF_OK) status = asdf_table_add_column(table%c_handle(), trim(name)//c_null_char, layout%code(), &
      cell_rank, cell, layout%lowest(), int(layout%span(), c_size_t), missing, mask_size(missing), options%c_handle())
    call complete(table, name, is_new, unit, description, format, status)
  end subroutine

  !> Appends a column whose cells are lists of different lengths: the elements of all lists, one after the other.
  subroutine add_lists(table, name, memory, lengths, mask, unit, description, format, status, message)
    class(asdf_table_owner), intent(inout) :: table
    character(*), intent(in) :: name
    type(memory_layout), intent(in) :: memory
    integer(int64), intent(in) :: lengths(:)
    logical, intent(in), target, optional :: mask(:)
    character(*), intent(in), optional :: unit, description, format
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(c_int8_t), allocatable :: missing(:)
    type(asdf_options) :: options
    logical :: is_new
    status = begin(table, name, size(lengths, kind=int64), is_new, message)
    if (status == ASDF_OK .and. sum(max(lengths, 0_int64)) /= memory%extents(1)) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = about(name, 'the lengths add up to '//integer_text(sum(max(lengths, 0_int64)))// &
        ', but the number of values is '//integer_text(memory%extents(1)))
    end if
    if (status == ASDF_OK) status = collect_mask(name, memory, mask, missing, message)
    if (status == ASDF_OK .and. .not. memory%is_packed()) status = set_strides(options, memory)
    if (status == ASDF_OK) status = describe_strings(options, memory)
    if (status == ASDF_OK) status = asdf_table_add_variable_column(table%c_handle(), trim(name)//c_null_char, &
      memory%code(), 0_c_int32_t, lengths=lengths, count=size(lengths, kind=int64), elements=memory%lowest(), &
      size=int(memory%span(), c_size_t), mask=missing, mask_size=mask_size(missing), options=options%c_handle())
    call complete(table, name, is_new, unit, description, format, status)
  end subroutine

  !> Fails, because only texts of rank 1 can have a given datatype.
  subroutine refuse_texts(name, rank, status, message)
    character(*), intent(in) :: name
    integer, intent(in) :: rank
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    status = ASDF_ERR_INVALID_ARGUMENT
    message = about(name, 'texts with a given datatype need rank 1, not '//integer_text(int(rank, int64)))
  end subroutine

  !> Appends a column of texts with a given datatype: ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256.
  subroutine add_texts(table, name, datatype, texts, mask, unit, description, format, status, message)
    class(asdf_table_owner), intent(inout) :: table
    character(*), intent(in) :: name, texts(:)
    integer(c_int32_t), intent(in) :: datatype
    logical, intent(in), target, optional :: mask(..)
    character(*), intent(in), optional :: unit, description, format
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    character(:), allocatable :: bytes
    integer(c_int8_t), allocatable :: missing(:)
    integer(c_int64_t) :: offsets(size(texts) + 1)
    type(memory_layout) :: memory
    integer :: i
    logical :: is_new
    memory%rank = 1
    memory%extents(1) = size(texts, kind=int64)
    status = begin(table, name, memory%extents(1), is_new, message)
    if (status == ASDF_OK) status = collect_mask(name, memory, mask, missing, message)
    if (status == ASDF_OK) then
      offsets(1) = 0
      do i = 1, size(texts)
        offsets(i + 1) = offsets(i) + len_trim(texts(i))
      end do
      allocate (character(offsets(size(offsets))) :: bytes)
      do i = 1, size(texts)
        bytes(offsets(i) + 1:offsets(i + 1)) = texts(i)
      end do
      status = asdf_table_add_text_column(table%c_handle(), trim(name)//c_null_char, datatype, bytes, &
        len(bytes, c_size_t), offsets, size(offsets, kind=c_int64_t), missing, mask_size(missing))
    end if
    call complete(table, name, is_new, unit, description, format, status)
  end subroutine

  ! Changing ----------------------------------------------------------------------------------------------------------

  !> Replaces cells of a column.
  subroutine change_cells(table, name, first, memory, mask, status, message)
    class(asdf_table_owner), intent(in) :: table
    character(*), intent(in) :: name
    class(*), intent(in) :: first
    type(memory_layout), intent(in) :: memory
    logical, intent(in), target, optional :: mask(..)
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(c_int8_t), allocatable :: missing(:)
    integer(c_int8_t), allocatable, target :: bytes(:)
    type(asdf_options) :: options
    type(memory_layout) :: layout
    integer(c_int64_t) :: shape(ASDF_MAX_RANK), row, count
    integer(c_int32_t) :: cell_rank
    layout = memory
    row = 1
    count = 1
    cell_rank = 0
    status = asdf_table_column_shape(table%c_handle(), trim(name)//c_null_char, shape, ASDF_MAX_RANK, cell_rank)
    if (status == ASDF_OK) call take_integer(first, 'first', row, status, message)
    if (status /= ASDF_OK) return
    if (row < 1) then
      status = ASDF_ERR_OUT_OF_RANGE
      message = about(name, 'first is '//integer_text(row)//', but rows count from 1')
      return
    else if (layout%unallocated) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = about(name, 'the values are not allocated')
      return
    end if
    status = collect_mask(name, layout, mask, missing, message)
    if (all(shape(:cell_rank) >= 0)) then
      if (layout%rank == cell_rank .and. cell_rank < max_rank) call add_axis(layout)
      if (layout%rank == cell_rank + 1) count = layout%extents(layout%rank)
    end if
    if (status == ASDF_OK .and. layout%flags) then
      allocate (bytes(max(layout%element_count(), 1_int64)))
      call gather_flags(layout, bytes)
      layout%address = c_loc(bytes)
      layout%item_size = 1
      layout%strides = packed_strides(layout%extents, 1_int64)
    end if
    if (status == ASDF_OK .and. .not. layout%is_packed()) status = set_strides(options, layout)
    if (status == ASDF_OK) status = describe_strings(options, layout)
    if (status == ASDF_OK) status = asdf_table_set_cells(table%c_handle(), trim(name)//c_null_char, row - 1, count, &
      layout%code(), layout%lowest(), int(layout%span(), c_size_t), missing, mask_size(missing), options%c_handle())
  end subroutine

  !> Makes an array of one cell.
  pure subroutine add_axis(layout)
    type(memory_layout), intent(inout) :: layout
    integer(int64) :: size_of_cell
    size_of_cell = layout%item_size*layout%element_count()
    layout%rank = layout%rank + 1
    layout%extents(layout%rank) = 1
    layout%strides(layout%rank) = size_of_cell
  end subroutine

  !> Sets a text property of a column; removes it if the text is not given. An empty text is stored.
  integer(c_int32_t) function set_property(table, name, property, text) result(status)
    class(asdf_table_owner), intent(in) :: table
    character(*), intent(in) :: name
    integer, intent(in) :: property
    character(*), intent(in), optional :: text
    integer(c_size_t) :: length
    length = 0
    if (present(text)) length = len_trim(text, c_size_t)
    status = ASDF_OK
    select case (property)
    case (UNIT_OF)
      status = asdf_table_set_column_unit(table%c_handle(), trim(name)//c_null_char, text, length)
    case (DESCRIPTION_OF)
      status = asdf_table_set_column_description(table%c_handle(), trim(name)//c_null_char, text, length)
    case (FORMAT_OF)
      status = asdf_table_set_column_format(table%c_handle(), trim(name)//c_null_char, text, length)
    end select
  end function

  !> Makes the table with the first column, and compares the number of rows.
  integer(c_int32_t) function begin(table, name, rows, is_new, message, memory) result(status)
    class(asdf_table_owner), intent(inout) :: table
    character(*), intent(in) :: name
    integer(int64), intent(in) :: rows
    logical, intent(out) :: is_new
    character(:), allocatable, intent(inout) :: message
    !> variable with the values, which must be allocated
    type(memory_layout), intent(in), optional :: memory
    type(c_ptr) :: handle
    integer(c_int64_t) :: expected
    is_new = .false.
    if (present(memory)) then
      if (memory%unallocated) then
        status = ASDF_ERR_INVALID_ARGUMENT
        message = about(name, 'the values are not allocated')
        return
      end if
    end if
    is_new = .not. c_associated(table%c_handle())
    if (is_new) then
      status = asdf_table_new(rows, handle)
      if (status == ASDF_OK) call table%adopt(handle)
      return
    end if
    expected = 0
    status = asdf_table_row_count(table%c_handle(), expected)
    if (status /= ASDF_OK .or. rows == expected) return
    status = ASDF_ERR_INVALID_ARGUMENT
    message = about(name, 'there are values for '//integer_text(rows)//' rows, but the table has '// &
      integer_text(expected)//' rows')
  end function

  !> Sets the properties of a new column. After a failure, a table that the call made is freed.
  subroutine complete(table, name, is_new, unit, description, format, status)
    class(asdf_table_owner), intent(inout) :: table
    character(*), intent(in) :: name
    logical, intent(in) :: is_new
    character(*), intent(in), optional :: unit, description, format
    integer(c_int32_t), intent(inout) :: status
    if (status == ASDF_OK .and. present(unit)) status = set_property(table, name, UNIT_OF, unit)
    if (status == ASDF_OK .and. present(description)) status = set_property(table, name, DESCRIPTION_OF, description)
    if (status == ASDF_OK .and. present(format)) status = set_property(table, name, FORMAT_OF, format)
    if (status /= ASDF_OK .and. is_new) call table%free()
  end subroutine

  !> Gets the bytes of a mask, if there is one.
  integer(c_int32_t) function collect_mask(name, memory, mask, missing, message) result(status)
    character(*), intent(in) :: name
    type(memory_layout), intent(in) :: memory
    logical, intent(in), target, optional :: mask(..)
    integer(c_int8_t), allocatable, intent(out) :: missing(:)
    character(:), allocatable, intent(inout) :: message
    type(memory_layout) :: layout
    status = ASDF_OK
    if (.not. present(mask)) return
    call describe(mask, layout)
    if (layout%unallocated) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = about(name, 'the mask is not allocated')
    else if (layout%rank /= memory%rank .or. any(layout%extents /= memory%extents)) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = about(name, 'the mask has the shape '//shape_text(layout%extents(:layout%rank))// &
        ', the values have '//shape_text(memory%extents(:memory%rank)))
    else
      allocate (missing(layout%element_count()))
      call gather_flags(layout, missing)
    end if
  end function

  ! Both --------------------------------------------------------------------------------------------------------------

  !> Describes the strings of a variable in the options of a call.
  integer(c_int32_t) function describe_strings(options, memory) result(status)
    type(asdf_options), intent(inout) :: options
    type(memory_layout), intent(in) :: memory
    status = ASDF_OK
    if (memory%datatype /= ASDF_ASCII) return
    status = options%prepare()
    if (status == ASDF_OK) status = set_padded_strings(options%c_handle(), memory%item_size)
  end function

  integer(c_int32_t) function set_strides(options, memory) result(status)
    type(asdf_options), intent(inout) :: options
    type(memory_layout), intent(in) :: memory
    integer(c_int64_t) :: strides(max_rank)
    strides(:memory%rank) = memory%strides(memory%rank:1:-1)
    status = options%prepare()
    if (status == ASDF_OK) status = asdf_options_set_ints(options%c_handle(), ASDF_OPTION_STRIDES, strides, &
      int(memory%rank, c_int64_t))
  end function

  pure integer(c_size_t) function mask_size(mask)
    integer(c_int8_t), allocatable, intent(in) :: mask(:)
    mask_size = 0
    if (allocated(mask)) mask_size = size(mask, kind=c_size_t)
  end function

  !> A message about a column, in the style of the library.
  pure function about(name, reason) result(message)
    character(*), intent(in) :: name, reason
    character(:), allocatable :: message
    message = "column '"//trim(name)//"': "//reason
  end function
end module asdfkit_column_io
