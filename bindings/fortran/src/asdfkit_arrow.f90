!> Exchange of tables with other libraries in one process, through the C structures of Apache Arrow.
!!
!!     type(asdf_arrow_stream), target :: stream
!!     call asdf_export_arrow(table, stream)        ! pass c_loc(stream) to the consumer, which releases it
!!     call asdf_import_arrow(stream, table)        ! takes over the stream of a producer
!!
!! Values are not copied when a table is exported.
module asdfkit_arrow
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_procpointer, c_funptr, c_int32_t, c_int64_t, c_loc, &
    c_null_funptr, c_null_ptr, c_ptr
  use asdfkit_arguments, only: copy_options
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_options, only: asdf_options
  use asdfkit_owners, only: asdf_table_owner, asdf_table_reader_owner
  implicit none
  private
  public :: asdf_export_arrow, asdf_import_arrow, asdf_release_arrow

  !> struct ArrowArrayStream.
  type, bind(C), public :: asdf_arrow_stream
    type(c_funptr) :: get_schema = c_null_funptr
    type(c_funptr) :: get_next = c_null_funptr
    type(c_funptr) :: get_last_error = c_null_funptr
    !> null after the release
    type(c_funptr) :: release = c_null_funptr
    type(c_ptr) :: private_data = c_null_ptr
  end type

  !> struct ArrowSchema.
  type, bind(C), public :: asdf_arrow_schema
    type(c_ptr) :: format = c_null_ptr
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: metadata = c_null_ptr
    integer(c_int64_t) :: flags = 0
    integer(c_int64_t) :: n_children = 0
    type(c_ptr) :: children = c_null_ptr
    type(c_ptr) :: dictionary = c_null_ptr
    !> null after the release
    type(c_funptr) :: release = c_null_funptr
    type(c_ptr) :: private_data = c_null_ptr
  end type

  !> struct ArrowArray.
  type, bind(C), public :: asdf_arrow_array
    integer(c_int64_t) :: length = 0
    integer(c_int64_t) :: null_count = 0
    integer(c_int64_t) :: offset = 0
    integer(c_int64_t) :: n_buffers = 0
    integer(c_int64_t) :: n_children = 0
    type(c_ptr) :: buffers = c_null_ptr
    type(c_ptr) :: children = c_null_ptr
    type(c_ptr) :: dictionary = c_null_ptr
    !> null after the release
    type(c_funptr) :: release = c_null_funptr
    type(c_ptr) :: private_data = c_null_ptr
  end type

  abstract interface
    subroutine release_structure(structure) bind(C)
      import :: c_ptr
      type(c_ptr), value :: structure
    end subroutine
  end interface

  !> Exports a table, or the remaining rows of a reader: asdf_export_arrow(table, stream, batch_rows, options, stat,
  !! errmsg), asdf_export_arrow(table, schema, array, options, stat, errmsg).
  interface asdf_export_arrow
    procedure :: export_table
    procedure :: export_reader
    procedure :: export_array
  end interface

  !> Makes a table: asdf_import_arrow(stream, table, options, stat, errmsg), asdf_import_arrow(schema, array, table,
  !! options, stat, errmsg). The structures are released, also after a failure.
  interface asdf_import_arrow
    procedure :: import_stream
    procedure :: import_array
  end interface

  !> Releases a structure that no consumer took over.
  interface asdf_release_arrow
    procedure :: release_stream
    procedure :: release_schema
    procedure :: release_array
  end interface

contains

  subroutine export_table(table, stream, batch_rows, options, stat, errmsg)
    class(asdf_table_owner), intent(in) :: table
    type(asdf_arrow_stream), intent(inout), target :: stream
    !> largest number of rows of an array of the stream; default: all
    integer(c_int64_t), intent(in), optional :: batch_rows
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    integer(c_int32_t) :: status
    integer :: outcome
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(batch_rows=batch_rows, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_table_export_arrow_stream(table%c_handle(), all%c_handle(), c_loc(stream))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Each batch is read when the consumer asks for it.
  subroutine export_reader(reader, stream, options, stat, errmsg)
    class(asdf_table_reader_owner), intent(in) :: reader
    type(asdf_arrow_stream), intent(inout), target :: stream
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    integer(c_int32_t) :: status
    status = copy_options(all, options)
    if (status == ASDF_OK) &
      status = asdf_table_reader_export_arrow_stream(reader%c_handle(), all%c_handle(), c_loc(stream))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  subroutine export_array(table, schema, array, options, stat, errmsg)
    class(asdf_table_owner), intent(in) :: table
    type(asdf_arrow_schema), intent(inout), target :: schema
    type(asdf_arrow_array), intent(inout), target :: array
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    integer(c_int32_t) :: status
    status = copy_options(all, options)
    if (status == ASDF_OK) &
      status = asdf_table_export_arrow(table%c_handle(), all%c_handle(), c_loc(schema), c_loc(array))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  subroutine import_stream(stream, table, options, stat, errmsg)
    type(asdf_arrow_stream), intent(inout), target :: stream
    !> gets the table; empty after a failure
    class(asdf_table_owner), intent(inout) :: table
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) status = asdf_table_import_arrow_stream(c_loc(stream), all%c_handle(), handle)
    call table%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  subroutine import_array(schema, array, table, options, stat, errmsg)
    type(asdf_arrow_schema), intent(inout), target :: schema
    type(asdf_arrow_array), intent(inout), target :: array
    !> gets the table; empty after a failure
    class(asdf_table_owner), intent(inout) :: table
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) status = asdf_table_import_arrow(c_loc(schema), c_loc(array), all%c_handle(), handle)
    call table%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  subroutine release_stream(stream)
    type(asdf_arrow_stream), intent(inout), target :: stream
    call release(stream%release, c_loc(stream))
  end subroutine

  subroutine release_schema(schema)
    type(asdf_arrow_schema), intent(inout), target :: schema
    call release(schema%release, c_loc(schema))
  end subroutine

  subroutine release_array(array)
    type(asdf_arrow_array), intent(inout), target :: array
    call release(array%release, c_loc(array))
  end subroutine

  subroutine release(function, structure)
    type(c_funptr), intent(in) :: function
    type(c_ptr), intent(in) :: structure
    procedure(release_structure), pointer :: call_release
    if (.not. c_associated(function)) return
    call c_f_procpointer(function, call_release)
    call call_release(structure)
  end subroutine
end module asdfkit_arrow
