!> ECSV files in batches of rows, with the memory of one batch.
!!
!!     call reader%open('gaia.ecsv.gz', batch_rows=100000)
!!     do
!!       call reader%next(batch, more)
!!       if (.not. more) exit
!!       call batch%get('ra', ra)
!!     end do
!!
!! - After a failed next(), `more` is false, so that a loop ends; every further call fails with the same error.
!! - A writer gives the file its name in finish(). Until then an existing file of that name stays unchanged; a writer
!!   that ends its life before leaves no file.
!! - A writer that began by begin() stores its table in the tree of an ASDF file in finish().
module asdfkit_ecsv
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_int64_t, c_null_char, c_null_ptr, c_ptr
  use asdfkit_arguments, only: copy_options
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_options, only: asdf_options
  use asdfkit_owners, only: asdf_buffer_owner, asdf_node_owner, asdf_table_reader_owner, asdf_table_writer_owner
  use asdfkit_report, only: text_of_buffer
  use asdfkit_table, only: asdf_table, ecsv_reading, ecsv_writing
  implicit none
  private

  !> Reads a table in batches. It has one owner.
  type, extends(asdf_table_reader_owner), public :: asdf_table_reader
  contains
    procedure :: open => reader_open
    procedure :: get_header => reader_get_header
    procedure :: next => reader_next
  end type

  !> Writes a table in batches. It has one owner.
  type, extends(asdf_table_writer_owner), public :: asdf_table_writer
  contains
    procedure :: create => writer_create
    procedure :: begin => writer_begin
    procedure :: append => writer_append
    procedure :: finish => writer_finish
  end type

  public :: asdf_index_ecsv

contains

  !> Makes the index of an ECSV file. With it as the option table_index, several processes (images of a coarray, ranks of
  !! MPI) read disjoint ranges of its rows.
  subroutine asdf_index_ecsv(path, index, rows, step, options, stat, errmsg)
    character(*), intent(in) :: path
    !> text of the index
    character(:), allocatable, intent(out) :: index
    !> number of rows of the table
    integer(c_int64_t), intent(out) :: rows
    !> rows from one offset to the next; by default about a thousand offsets
    integer(c_int64_t), intent(in), optional :: step
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(asdf_buffer_owner) :: buffer
    type(c_ptr) :: handle
    integer(c_int64_t) :: every
    integer(c_int32_t) :: status
    every = 0
    if (present(step)) every = step
    rows = 0
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) &
      status = asdf_table_index(trim(path)//c_null_char, every, all%c_handle(), rows, handle)
    call buffer%adopt(handle)
    if (status == ASDF_OK) status = text_of_buffer(buffer, index)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Opens a file and reads its header.
  subroutine reader_open(self, path, batch_rows, columns, first, count, null_values, strict, options, stat, errmsg)
    class(asdf_table_reader), intent(inout) :: self
    character(*), intent(in) :: path
    !> integer: largest number of rows of a batch; by default as many as take a few MiB
    class(*), intent(in), optional :: batch_rows
    !> names of the columns to read; by default all
    character(*), intent(in), optional :: columns(:)
    !> integers: first row, from 1, and largest number of rows; by default all rows
    class(*), intent(in), optional :: first, count
    !> texts of fields that mean a missing value, besides the empty field
    character(*), intent(in), optional :: null_values(:)
    !> true to read ECSV strictly as its specification (APE 6) says
    logical, intent(in), optional :: strict
    !> further options; they apply to next(), too
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    character(:), allocatable :: message
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = ecsv_reading(all, message, options, columns, first, count, null_values, strict, batch_rows)
    if (status == ASDF_OK) status = asdf_table_reader_open(trim(path)//c_null_char, all%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Gets a table without rows: the columns to read, with their units, descriptions and metadata.
  subroutine reader_get_header(self, table, stat, errmsg)
    class(asdf_table_reader), intent(in) :: self
    type(asdf_table), intent(inout) :: table
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_table_reader_header(self%c_handle(), handle)
    call table%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Reads the next batch of rows.
  subroutine reader_next(self, table, more, stat, errmsg)
    class(asdf_table_reader), intent(in) :: self
    !> gets the rows; empty after the last row, and after a failure
    type(asdf_table), intent(inout) :: table
    !> gets .true. if there were rows, .false. after the last row and after a failure
    logical, intent(out) :: more
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_table_reader_next(self%c_handle(), handle)
    call table%adopt(handle)
    more = c_associated(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Starts writing a file.
  subroutine writer_create(self, path, table, replace, delimiter, durable, options, stat, errmsg)
    class(asdf_table_writer), intent(inout) :: self
    character(*), intent(in) :: path
    !> table with the columns, their properties and the metadata; its rows are not written
    class(asdf_table), intent(in) :: table
    !> true to replace an existing file, which otherwise is ASDF_ERR_FILE_EXISTS
    logical, intent(in), optional :: replace
    !> ' ' or ',' between the fields; by default that of the file that the table was read from, or ' '
    character, intent(in), optional :: delimiter
    !> false not to wait until the file is on disk
    logical, intent(in), optional :: durable
    !> further options; they apply to append() and finish(), too
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    character(:), allocatable :: message
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = ecsv_writing(all, options, replace, delimiter, durable, message)
    if (status == ASDF_OK) &
      status = asdf_table_writer_create(trim(path)//c_null_char, table%c_handle(), all%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Starts to store a table in an ASDF file in batches, for a table that does not fit in memory. finish() stores it in the
  !! tree, and writing the file writes it. Until then the rows are in a temporary file without a name.
  subroutine writer_begin(self, place, path, table, form, compression, level, options, stat, errmsg)
    class(asdf_table_writer), intent(inout) :: self
    !> the file, or a node that the path starts from
    class(asdf_node_owner), intent(in) :: place
    character(*), intent(in) :: path
    !> table with the columns, their properties and the metadata; its rows are not stored
    class(asdf_table), intent(in) :: table
    !> form of the table, ASDF_TABLE_FORM_...; by default that of astropy if the table has objects of astropy
    integer(c_int32_t), intent(in), optional :: form
    !> compression of the columns, such as 'zlib', and its level; by default none
    character(*), intent(in), optional :: compression
    integer, intent(in), optional :: level
    !> further options, such as temporary_directory
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(table_form=form, codec=compression, level=level, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_node_begin_table(place%c_handle(), trim(path)//c_null_char, &
      table%c_handle(), all%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Appends the rows of a table. Its columns must have the names, types and order of the table that the writer was made
  !! with; otherwise nothing is written. After any other failure the writer can only be freed.
  subroutine writer_append(self, table, stat, errmsg)
    class(asdf_table_writer), intent(in) :: self
    class(asdf_table), intent(in) :: table
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_table_writer_append(self%c_handle(), table%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Writes the remaining data and gives the file its name, or stores the table in the tree.
  subroutine writer_finish(self, stat, errmsg)
    class(asdf_table_writer), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_table_writer_finish(self%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine
end module asdfkit_ecsv
