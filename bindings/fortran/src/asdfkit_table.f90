!> Tables: columns with units, descriptions and missing values; ECSV files, and tables in ASDF files.
!!
!!     type(asdf_table) :: stars
!!     real(real64), allocatable :: flux(:)
!!     logical, allocatable :: missing(:)
!!     call stars%read_ecsv('catalogue.ecsv')
!!     call stars%get('flux', flux, mask=missing)
!!     print *, sum(flux, mask=.not. missing), stars%unit('flux')
!!
!! A table of some rows, or of all in another order:
!!
!!     call faint%select(stars, mask=flux < 1, columns=['name', 'flux'])
!!     call sorted%sort(stars, ['flux'], descending=[.true.])
!!     call brightest%slice(sorted, 1, 10)
!!
!! Columns are selected by their exact names, without blanks at the end; ASDF_ERR_NOT_FOUND if there is none. Rows and
!! columns count from 1. asdf_columns has get(), add() and the functions for lists.
module asdfkit_table
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_int32_t, c_int64_t, c_loc, c_null_char, c_null_ptr, &
    c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int8, int64
  use asdfkit_arguments
  use asdfkit_c
  use asdfkit_column_io, only: set_property, UNIT_OF, DESCRIPTION_OF, FORMAT_OF
  use asdfkit_errors, only: conclude, explain, settle
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_owners, only: asdf_node_owner
  use asdfkit_report, only: asdf_report
  use asdfkit_schemas, only: asdf_schemas
  use asdfkit_texts
  use asdfkit_time_columns, only: asdf_time_columns
  implicit none
  private
  public :: ecsv_reading, ecsv_writing

  !> A table in memory. Assignment adds an owner: both variables are the same table.
  type, extends(asdf_time_columns), public :: asdf_table
  contains
    procedure :: new => table_new
    procedure :: read_ecsv => table_read_ecsv
    procedure :: read_ecsv_text => table_read_ecsv_text
    procedure :: write_ecsv => table_write_ecsv
    procedure :: load => table_load
    procedure :: store => table_store
    procedure :: select => table_select
    procedure :: slice => table_slice
    procedure :: sort => table_sort
    procedure :: validate => table_validate
    procedure :: rows => table_rows
    procedure :: columns => table_columns
    procedure :: names => table_names
    procedure :: name => table_name
    procedure :: has => table_has
    procedure :: position => table_position
    procedure :: datatype => table_datatype
    procedure :: get_shape => table_get_shape
    procedure :: unit => table_unit
    procedure :: description => table_description
    procedure :: format => table_format
    procedure :: has_unit => table_has_unit
    procedure :: has_description => table_has_description
    procedure :: has_format => table_has_format
    procedure :: declared_datatype => table_declared_datatype
    procedure :: declared_subtype => table_declared_subtype
    procedure :: schema => table_schema
    procedure :: get_meta => table_get_meta
    procedure :: warnings => table_warnings
    procedure :: has_mask => table_has_mask
    procedure :: set_missing => table_set_missing
    procedure :: set_unit => table_set_unit
    procedure :: convert => table_convert
    procedure :: set_description => table_set_description
    procedure :: set_format => table_set_format
    procedure :: set_schema => table_set_schema
    procedure :: set_meta => table_set_meta
  end type

contains

  !> Validates columns and metadata by schemas. The schema of the root applies to a mapping as in the header of an ECSV
  !! file, with "datatype" and "meta". Each violation is an entry of the report with the severity error.
  subroutine table_validate(self, schemas, report, root_schema, stat, errmsg)
    class(asdf_table), intent(in) :: self
    class(asdf_schemas), intent(in) :: schemas
    type(asdf_report), intent(inout) :: report
    !> URI of a schema that the header must match besides those of tags
    character(*), intent(in), optional :: root_schema
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: options
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    integer :: set
    made = c_null_ptr
    call options%set(root_schema=root_schema, stat=set)
    status = int(set, c_int32_t)
    if (status == ASDF_OK) &
      status = asdf_table_validate(self%c_handle(), schemas%c_handle(), options%c_handle(), made)
    if (status == ASDF_OK) call report%adopt(made)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! Whole tables ------------------------------------------------------------------------------------------------------

  !> Starts a table without columns.
  subroutine table_new(self, rows, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    !> integer: number of rows; by default the first column determines it
    class(*), intent(in), optional :: rows
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    type(c_ptr) :: handle
    integer(int64) :: count
    integer(c_int32_t) :: status
    status = ASDF_OK
    handle = c_null_ptr
    call take_integer(rows, 'rows', count, status, message)
    if (status == ASDF_OK .and. present(rows)) status = asdf_table_new(count, handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Reads a table from an ECSV file, which may be compressed.
  subroutine table_read_ecsv(self, path, columns, first, count, null_values, strict, options, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in) :: path
    !> names of the columns to read; by default all
    character(*), intent(in), optional :: columns(:)
    !> integers: first row, from 1, and largest number of rows; by default all rows
    class(*), intent(in), optional :: first, count
    !> texts of fields that mean a missing value, besides the empty field
    character(*), intent(in), optional :: null_values(:)
    !> true to read ECSV strictly as its specification (APE 6) says
    logical, intent(in), optional :: strict
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = ecsv_reading(all, message, options, columns, first, count, null_values, strict)
    if (status == ASDF_OK) status = asdf_table_read_ecsv(trim(path)//c_null_char, all%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Reads a table from the text of an ECSV file; see read_ecsv().
  subroutine table_read_ecsv_text(self, text, columns, first, count, null_values, strict, options, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in), target :: text
    character(*), intent(in), optional :: columns(:)
    class(*), intent(in), optional :: first, count
    character(*), intent(in), optional :: null_values(:)
    logical, intent(in), optional :: strict
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = ecsv_reading(all, message, options, columns, first, count, null_values, strict)
    if (status == ASDF_OK) &
      status = asdf_table_read_ecsv_memory(c_loc(text), len(text, c_size_t), all%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Writes the table to an ECSV file, which gets its name when it is complete. The end of the name can select a
  !! compression: .gz or .bz2.
  subroutine table_write_ecsv(self, path, replace, delimiter, durable, options, stat, errmsg)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: path
    !> true to replace an existing file, which otherwise is ASDF_ERR_FILE_EXISTS
    logical, intent(in), optional :: replace
    !> ' ' or ',' between the fields; by default that of the file that the table was read from, or ' '
    character, intent(in), optional :: delimiter
    !> false not to wait until the file is on disk
    logical, intent(in), optional :: durable
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    character(:), allocatable :: message
    integer(c_int32_t) :: status
    status = ecsv_writing(all, options, replace, delimiter, durable, message)
    if (status == ASDF_OK) status = asdf_table_write_ecsv(self%c_handle(), trim(path)//c_null_char, all%c_handle())
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Reads a table of an ASDF file: one of the standard or of astropy, an array of records, or a mapping of arrays.
  subroutine table_load(self, place, path, options, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    !> the file, or a node that the path starts from
    class(asdf_node_owner), intent(in) :: place
    character(*), intent(in) :: path
    !> leave_out, plain_metadata and others
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle, given
    integer(c_int32_t) :: status
    given = options_handle(options)
    status = asdf_node_get_table(place%c_handle(), trim(path)//c_null_char, given, handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Stores the table in an ASDF file that is new or open for update. Later changes of the table do not change the file.
  subroutine table_store(self, place, path, form, compression, level, options, stat, errmsg)
    class(asdf_table), intent(in) :: self
    !> the file, or a node that the path starts from
    class(asdf_node_owner), intent(in) :: place
    character(*), intent(in) :: path
    !> form of the table, ASDF_TABLE_FORM_...; by default that of astropy if the table has objects of astropy
    integer(c_int32_t), intent(in), optional :: form
    !> compression of the columns, such as 'zlib', and its level; by default none
    character(*), intent(in), optional :: compression
    integer, intent(in), optional :: level
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    integer(c_int32_t) :: status
    integer :: outcome
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(table_form=form, codec=compression, level=level, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) &
      status = asdf_node_set_table(place%c_handle(), trim(path)//c_null_char, self%c_handle(), all%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Collects the options of a call that reads ECSV.
  integer(c_int32_t) function ecsv_reading(all, message, options, columns, first, count, null_values, strict, &
    batch_rows) result(status)
    type(asdf_options), intent(inout) :: all
    character(:), allocatable, intent(inout) :: message
    class(asdf_options), intent(in), optional :: options
    character(*), intent(in), optional :: columns(:), null_values(:)
    class(*), intent(in), optional :: first, count, batch_rows
    logical, intent(in), optional :: strict
    integer(int64) :: row
    integer :: outcome
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(columns=columns, null_values=null_values, ecsv_strict=strict, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    row = 1
    if (status == ASDF_OK) call take_integer(first, 'first', row, status, message)
    if (status == ASDF_OK .and. row < 1) then
      status = ASDF_ERR_OUT_OF_RANGE
      message = 'first is '//integer_text(row)//', but rows count from 1'
    end if
    if (status == ASDF_OK .and. present(first)) then
      call all%set(first_row=row - 1, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) call take_integer(count, 'count', row, status, message)
    if (status == ASDF_OK .and. present(count)) then
      call all%set(row_count=row, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) call take_integer(batch_rows, 'batch_rows', row, status, message)
    if (status == ASDF_OK .and. present(batch_rows)) then
      call all%set(batch_rows=row, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
  end function

  !> Collects the options of a call that writes ECSV.
  integer(c_int32_t) function ecsv_writing(all, options, replace, delimiter, durable, message) result(status)
    type(asdf_options), intent(inout) :: all
    class(asdf_options), intent(in), optional :: options
    logical, intent(in), optional :: replace, durable
    character, intent(in), optional :: delimiter
    character(:), allocatable, intent(inout) :: message
    integer :: outcome
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(replace=replace, durable=durable, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status /= ASDF_OK .or. .not. present(delimiter)) return
    select case (delimiter)
    case (' ')
      call all%set(delimiter=ASDF_DELIMITER_SPACE, stat=outcome)
      status = int(outcome, c_int32_t)
    case (',')
      call all%set(delimiter=ASDF_DELIMITER_COMMA, stat=outcome)
      status = int(outcome, c_int32_t)
    case default
      status = ASDF_ERR_INVALID_ARGUMENT
      message = "the delimiter is '"//delimiter//"': ECSV allows ' ' and ','"
    end select
  end function

  ! Rows --------------------------------------------------------------------------------------------------------------

  !> Makes a table of some rows and columns of another one, with units, descriptions, formats and metadata.
  subroutine table_select(self, from, rows, mask, columns, options, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    class(asdf_table), intent(in) :: from
    !> integers: numbers of rows, from 1, in any order and possibly repeated; by default all rows
    class(*), intent(in), optional :: rows(:)
    !> one value for each row, true if it is selected; instead of the numbers
    logical, intent(in), optional :: mask(:)
    !> names of columns in the new order; by default all. The name of a logical column stands for all its members
    character(*), intent(in), optional :: columns(:)
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    character(kind=c_char), allocatable, target :: names(:, :)
    type(c_ptr), allocatable :: addresses(:)
    integer(int64), allocatable :: numbers(:)
    integer(int8), allocatable :: bytes(:)
    integer(c_int64_t) :: row_count, column_count
    integer(c_int32_t) :: status
    type(c_ptr) :: handle
    status = ASDF_OK
    handle = c_null_ptr
    row_count = -1
    column_count = -1
    if (present(rows)) then
      call take_integers(rows, 'rows', numbers, status, message)
      row_count = size(rows, kind=c_int64_t)
      numbers = numbers - 1
    end if
    if (present(mask)) bytes = [merge(1_int8, 0_int8, mask), 0_int8]
    if (present(columns)) then
      call list_names(columns, names, addresses)
      column_count = size(columns, kind=c_int64_t)
    end if
    ! Unallocated arrays are absent arguments. A mask of no rows has the address of its additional byte.
    if (status == ASDF_OK) status = asdf_table_select(from%c_handle(), numbers, row_count, bytes, &
      mask_size(bytes), addresses, column_count, options_handle(options), handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Makes a table of rows of another one at equal distances.
  subroutine table_slice(self, from, first, count, step, options, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    class(asdf_table), intent(in) :: from
    !> integer: first row, from 1
    class(*), intent(in) :: first
    !> integers: number of rows, by default all up to the end, and distance between two rows, by default 1, negative to go
    !! backwards
    class(*), intent(in), optional :: count, step
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    integer(int64) :: row, number, distance
    integer(c_int32_t) :: status
    type(c_ptr) :: handle
    status = ASDF_OK
    handle = c_null_ptr
    row = 1
    number = -1
    distance = 1
    call take_integer(first, 'first', row, status, message)
    if (status == ASDF_OK) call take_integer(count, 'count', number, status, message)
    if (status == ASDF_OK) call take_integer(step, 'step', distance, status, message)
    if (status == ASDF_OK .and. row < 1) then
      status = ASDF_ERR_OUT_OF_RANGE
      message = 'first is '//integer_text(row)//', but rows count from 1'
    end if
    if (status == ASDF_OK) &
      status = asdf_table_slice(from%c_handle(), row - 1, number, distance, options_handle(options), handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Makes a table of the rows of another one, sorted by columns. Rows that are equal in all of them keep their order. NaN
  !! comes after the other numbers, and missing values come last, also in descending order.
  subroutine table_sort(self, from, columns, descending, options, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    class(asdf_table), intent(in) :: from
    !> names of the columns to sort by, the most important one first
    character(*), intent(in) :: columns(:)
    !> one value for each of these columns, true to begin with its largest value; by default false
    logical, intent(in), optional :: descending(:)
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    character(kind=c_char), allocatable, target :: names(:, :)
    type(c_ptr), allocatable :: addresses(:)
    integer(c_int32_t), allocatable :: flags(:)
    integer(c_int32_t) :: status
    type(c_ptr) :: handle
    status = ASDF_OK
    handle = c_null_ptr
    call list_names(columns, names, addresses)
    if (present(descending)) then
      flags = merge(1_c_int32_t, 0_c_int32_t, descending)
      if (size(descending) /= size(columns)) then
        status = ASDF_ERR_INVALID_ARGUMENT
        message = 'descending has '//integer_text(size(descending, kind=int64))//' values for '// &
          integer_text(size(columns, kind=int64))//' columns'
      end if
    end if
    if (status == ASDF_OK) status = asdf_table_sort(from%c_handle(), addresses, flags, &
      size(columns, kind=c_int64_t), options_handle(options), handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Makes a list of names without the blanks at their ends.
  subroutine list_names(columns, names, addresses)
    character(*), intent(in) :: columns(:)
    !> NUL-terminated names, to which the addresses point
    character(kind=c_char), allocatable, target, intent(inout) :: names(:, :)
    type(c_ptr), allocatable, intent(out) :: addresses(:)
    integer :: i, k
    allocate (names(len(columns) + 1, size(columns)), addresses(size(columns)))
    names = c_null_char
    do i = 1, size(columns)
      do k = 1, len_trim(columns(i))
        names(k, i) = columns(i)(k:k)
      end do
      addresses(i) = c_loc(names(1, i))
    end do
  end subroutine

  !> Number of bytes of a mask without the additional one.
  pure integer(c_size_t) function mask_size(bytes) result(count)
    integer(int8), allocatable, intent(in) :: bytes(:)
    count = 0
    if (allocated(bytes)) count = size(bytes, kind=c_size_t) - 1
  end function

  ! Content -----------------------------------------------------------------------------------------------------------

  !> Number of rows; 0 if there is no table.
  integer(int64) function table_rows(self) result(rows)
    class(asdf_table), intent(in) :: self
    rows = 0
    if (c_associated(self%c_handle())) call settle(asdf_table_row_count(self%c_handle(), rows))
  end function

  !> Number of columns; 0 if there is no table.
  integer function table_columns(self) result(columns)
    class(asdf_table), intent(in) :: self
    integer(c_int64_t) :: count
    count = 0
    if (c_associated(self%c_handle())) call settle(asdf_table_column_count(self%c_handle(), count))
    columns = int(count)
  end function

  !> Gets the names of all columns, with blanks at their ends.
  subroutine table_names(self, names, stat, errmsg)
    class(asdf_table), intent(in) :: self
    character(:), allocatable, intent(out) :: names(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    integer :: i, longest
    status = ASDF_OK
    longest = 0
    do i = 1, self%columns()
      if (status == ASDF_OK) status = table_column_name_string(self%c_handle(), i - 1_c_int64_t, text)
      if (status == ASDF_OK) longest = max(longest, len(text))
    end do
    allocate (character(longest) :: names(self%columns()))
    do i = 1, size(names)
      if (status == ASDF_OK) status = table_column_name_string(self%c_handle(), i - 1_c_int64_t, text)
      if (status == ASDF_OK) names(i) = text
    end do
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Name of a column; empty after a failure.
  function table_name(self, position, stat, errmsg) result(name)
    class(asdf_table), intent(in) :: self
    !> position of the column; ASDF_ERR_OUT_OF_RANGE if there is none
    integer, intent(in) :: position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: name
    status = table_column_name_string(self%c_handle(), position - 1_c_int64_t, name)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    if (.not. allocated(name)) name = ''
  end function

  !> Tests whether there is a column.
  logical function table_has(self, name) result(has)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer(c_int64_t) :: position
    has = .false.
    if (c_associated(self%c_handle())) &
      has = asdf_table_column_index(self%c_handle(), trim(name)//c_null_char, position) == ASDF_OK
  end function

  !> Position of a column; 0 after a failure.
  integer function table_position(self, name, stat, errmsg) result(position)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    integer(c_int64_t) :: index
    index = -1
    status = asdf_table_column_index(self%c_handle(), trim(name)//c_null_char, index)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    position = int(index) + 1
  end function

  !> Datatype of a column: ASDF_INT8 to ASDF_BOOL8, ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256; 0 after a
  !! failure.
  integer(c_int32_t) function table_datatype(self, name, stat, errmsg) result(datatype)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    datatype = 0
    status = asdf_table_column_datatype(self%c_handle(), trim(name)//c_null_char, datatype)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the shape of a column as an array in Fortran: the cells reversed, then the rows. The first extent is -1 if
  !! cells are lists of different lengths.
  subroutine table_get_shape(self, name, shape, stat, errmsg)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer(int64), allocatable, intent(out) :: shape(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(ASDF_MAX_RANK)
    integer(c_int32_t) :: status, rank
    rank = 0
    status = asdf_table_column_shape(self%c_handle(), trim(name)//c_null_char, extents, ASDF_MAX_RANK, rank)
    if (status == ASDF_OK) shape = [extents(rank:1:-1), self%rows()]
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Unit of a column, as it is spelled; empty if it has none, and after a failure.
  function table_unit(self, name, stat, errmsg) result(unit)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: unit
    status = table_column_unit_string(self%c_handle(), trim(name), unit)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    if (.not. allocated(unit)) unit = ''
  end function

  !> Description of a column; empty if it has none, and after a failure.
  function table_description(self, name, stat, errmsg) result(description)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: description
    status = table_column_description_string(self%c_handle(), trim(name), description)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    if (.not. allocated(description)) description = ''
  end function

  !> Display format of a column, in the notation of printf or Python; empty if it has none, and after a failure.
  function table_format(self, name, stat, errmsg) result(format)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: format
    status = table_column_format_string(self%c_handle(), trim(name), format)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    if (.not. allocated(format)) format = ''
  end function

  !> Tests whether a column has a unit, which can be empty: that of a quantity without a dimension. False after a failure.
  logical function table_has_unit(self, name, stat, errmsg) result(has)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, answer
    answer = 0
    status = asdf_table_column_has_unit(self%c_handle(), trim(name)//c_null_char, answer)
    has = answer /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Whether a column has a mask, even if nothing is missing.
  logical function table_has_mask(self, name, stat, errmsg) result(has)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, answer
    answer = 0
    status = asdf_table_column_has_mask(self%c_handle(), trim(name)//c_null_char, answer)
    has = answer /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Tests whether a column has a description, which can be empty. False after a failure.
  logical function table_has_description(self, name, stat, errmsg) result(has)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, answer
    answer = 0
    status = asdf_table_column_has_description(self%c_handle(), trim(name)//c_null_char, answer)
    has = answer /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Tests whether a column has a display format, which can be empty. False after a failure.
  logical function table_has_format(self, name, stat, errmsg) result(has)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, answer
    answer = 0
    status = asdf_table_column_has_format(self%c_handle(), trim(name)//c_null_char, answer)
    has = answer /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Datatype of a column as its file spells it; empty if the table was not read from a file, and after a failure.
  function table_declared_datatype(self, name, stat, errmsg) result(datatype)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: datatype
    status = table_column_declared_datatype_string(self%c_handle(), trim(name), datatype)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    if (.not. allocated(datatype)) datatype = ''
  end function

  !> Subtype of a column as its file spells it; empty if it has none, and after a failure.
  function table_declared_subtype(self, name, stat, errmsg) result(subtype)
    class(asdf_table), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: subtype
    status = table_column_declared_subtype_string(self%c_handle(), trim(name), subtype)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    if (.not. allocated(subtype)) subtype = ''
  end function

  !> Name of the convention of the metadata, such as astropy-2.0; empty if there is none, and after a failure.
  function table_schema(self, stat, errmsg) result(schema)
    class(asdf_table), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: schema
    status = table_schema_string(self%c_handle(), schema)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    if (.not. allocated(schema)) schema = ''
  end function

  !> Gets the metadata of the table, or of a column. ASDF_ERR_NOT_FOUND if there are none.
  subroutine table_get_meta(self, meta, column, stat, errmsg)
    class(asdf_table), intent(in) :: self
    class(asdf_node_owner), intent(inout) :: meta
    !> name of a column; by default the table as a whole
    character(*), intent(in), optional :: column
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    if (present(column)) then
      status = asdf_table_column_meta(self%c_handle(), trim(column)//c_null_char, handle)
    else
      status = asdf_table_meta(self%c_handle(), handle)
    end if
    call meta%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets the warnings so far: irregularities that do not prevent reading. Reading columns can add warnings.
  subroutine table_warnings(self, report, stat, errmsg)
    class(asdf_table), intent(in) :: self
    type(asdf_report), intent(inout) :: report
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_table_report(self%c_handle(), handle)
    call report%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! Changes -----------------------------------------------------------------------------------------------------------

  !> Sets the unit of a column; removes it if it is not given. An empty one is
  !! stored.
  subroutine table_set_unit(self, name, unit, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in) :: name
    character(*), intent(in), optional :: unit
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = set_property(self, name, UNIT_OF, unit)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Converts the numbers of a column to another unit, which becomes that of the column. Integers become real numbers.
  !! ASDF_ERR_UNITS if the column has no unit, or if the units are not commensurable.
  subroutine table_convert(self, name, unit, spelling, options, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in) :: name
    character(*), intent(in) :: unit
    !> spelling of the unit, one of ASDF_SPELLING_...; default: generic
    integer(c_int32_t), intent(in), optional :: spelling
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, number
    type(c_ptr) :: call_options
    number = ASDF_SPELLING_GENERIC
    if (present(spelling)) number = spelling
    call_options = options_handle(options)
    status = asdf_table_convert_column(self%c_handle(), trim(name)//c_null_char, trim(unit)//c_null_char, number, &
      call_options)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets the description of a column; removes it if it is not given. An empty one is
  !! stored.
  subroutine table_set_description(self, name, description, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in) :: name
    character(*), intent(in), optional :: description
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = set_property(self, name, DESCRIPTION_OF, description)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets the display format of a column, in the notation of printf or Python; removes it if it is not given. An empty one is
  !! stored.
  subroutine table_set_format(self, name, format, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in) :: name
    character(*), intent(in), optional :: format
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = set_property(self, name, FORMAT_OF, format)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes cells of a column missing.
  subroutine table_set_missing(self, name, first, count, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in) :: name
    !> integers: first row, from 1, and number of rows, by default 1
    class(*), intent(in) :: first
    class(*), intent(in), optional :: count
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    integer(int64) :: row, number
    integer(c_int32_t) :: status
    status = ASDF_OK
    row = 1
    number = 1
    call take_integer(first, 'first', row, status, message)
    if (status == ASDF_OK) call take_integer(count, 'count', number, status, message)
    if (status == ASDF_OK) status = asdf_table_set_missing(self%c_handle(), trim(name)//c_null_char, row - 1, number)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Sets the name of the convention of the metadata; an empty one removes it.
  subroutine table_set_schema(self, schema, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    character(*), intent(in) :: schema
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    if (schema == '') then
      status = asdf_table_set_schema(self%c_handle())
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    else
      status = asdf_table_set_schema(self%c_handle(), trim(schema)//c_null_char)
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    end if
  end subroutine

  !> Sets the metadata of the table, or of a column, to a copy of a node of any tree. A variable without a node removes
  !! them.
  subroutine table_set_meta(self, meta, column, stat, errmsg)
    class(asdf_table), intent(inout) :: self
    class(asdf_node_owner), intent(in) :: meta
    !> name of a column; by default the table as a whole
    character(*), intent(in), optional :: column
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    if (present(column)) then
      status = asdf_table_set_column_meta(self%c_handle(), trim(column)//c_null_char, meta%c_handle())
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    else
      status = asdf_table_set_meta(self%c_handle(), meta%c_handle())
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    end if
  end subroutine
end module asdfkit_table
