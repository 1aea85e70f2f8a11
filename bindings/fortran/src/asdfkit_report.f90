!> Lists of findings: the warnings of a file or table, the diagnostics of a description, the differences of two.
!!
!!     type(asdf_report) :: warnings
!!     integer :: i
!!     call table%warnings(warnings)
!!     do i = 1, warnings%count()
!!       print '(a)', warnings%text(i)
!!     end do
module asdfkit_report
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int32_t, c_int64_t, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64, output_unit
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain, settle
  use asdfkit_owners, only: asdf_buffer_owner, asdf_report_owner
  use asdfkit_texts, only: report_text_string
  implicit none
  private
  public :: text_of_buffer

  !> A list of findings. Entries count from 1. A variable without a list has none.
  type, extends(asdf_report_owner), public :: asdf_report
  contains
    procedure :: count => report_count
    procedure :: dropped => report_dropped
    procedure :: text => report_text
    procedure :: message => report_message
    procedure :: code => report_code
    procedure :: path => report_path
    procedure :: severity => report_severity
    procedure :: line => report_line
    procedure :: get_int => report_get_int
    procedure :: get_text => report_get_text
    procedure :: print => report_print
    procedure :: json => report_json
  end type

contains

  !> Number of entries.
  integer function report_count(self) result(count)
    class(asdf_report), intent(in) :: self
    integer(c_int64_t) :: entries, dropped
    count = 0
    if (.not. c_associated(self%c_handle())) return
    call settle(asdf_report_count(self%c_handle(), entries, dropped))
    count = int(entries)
  end function

  !> Number of findings that the list does not contain because there were too many.
  integer(int64) function report_dropped(self) result(dropped)
    class(asdf_report), intent(in) :: self
    integer(c_int64_t) :: entries
    dropped = 0
    if (c_associated(self%c_handle())) call settle(asdf_report_count(self%c_handle(), entries, dropped))
  end function

  !> The whole entry as one line, with its position. It is meant for people.
  function report_text(self, index, stat, errmsg) result(text)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = text_field(self, index, ASDF_REPORT_ENTRY, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The sentence of the entry, without its position.
  function report_message(self, index, stat, errmsg) result(text)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = text_field(self, index, ASDF_REPORT_MESSAGE, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The stable code of the finding, such as E-VALUE-RANGE; empty if it has none.
  function report_code(self, index, stat, errmsg) result(text)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = text_field(self, index, ASDF_REPORT_CODE, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The path of the node, or the path name in a description; empty if it has none.
  function report_path(self, index, stat, errmsg) result(text)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = text_field(self, index, ASDF_REPORT_PATH, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> ASDF_SEVERITY_NOTE, ASDF_SEVERITY_WARNING or ASDF_SEVERITY_ERROR; -1 after a failure.
  integer(int64) function report_severity(self, index, stat, errmsg) result(value)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    value = -1
    status = asdf_report_int(self%c_handle(), index - 1_c_int64_t, ASDF_REPORT_SEVERITY, value)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Line of the file or text, from 1; -1 if unknown, and after a failure.
  integer(int64) function report_line(self, index, stat, errmsg) result(value)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    value = -1
    status = asdf_report_int(self%c_handle(), index - 1_c_int64_t, ASDF_REPORT_LINE, value)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets an integer field of an entry.
  subroutine report_get_int(self, index, field, value, stat, errmsg)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    !> an integer field ASDF_REPORT_...
    integer(c_int32_t), intent(in) :: field
    !> gets the value; -1 if the entry does not have the field, and after a failure
    integer(int64), intent(out) :: value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    value = -1
    status = asdf_report_int(self%c_handle(), index - 1_c_int64_t, field, value)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets a text field of an entry.
  subroutine report_get_text(self, index, field, text, stat, errmsg)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    !> a text field ASDF_REPORT_...
    integer(c_int32_t), intent(in) :: field
    !> gets the text; empty if the entry does not have the field, and after a failure
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = text_field(self, index, field, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  integer(c_int32_t) function text_field(self, index, field, text) result(status)
    class(asdf_report), intent(in) :: self
    integer, intent(in) :: index
    integer(c_int32_t), intent(in) :: field
    character(:), allocatable, intent(inout) :: text
    status = report_text_string(self%c_handle(), index - 1_c_int64_t, field, text)
    if (status /= ASDF_OK) text = ''
    if (status == ASDF_ERR_NOT_FOUND) status = ASDF_OK
  end function

  !> Prints each entry on one line.
  subroutine report_print(self, unit)
    class(asdf_report), intent(in) :: self
    !> unit to write to; by default standard output
    integer, intent(in), optional :: unit
    integer :: i, output
    output = output_unit
    if (present(unit)) output = unit
    do i = 1, self%count()
      write (output, '(a)') self%text(i)
    end do
  end subroutine

  !> Gets the list as JSON on one line: an array of objects.
  subroutine report_json(self, json, stat, errmsg)
    class(asdf_report), intent(in) :: self
    character(:), allocatable, intent(out) :: json
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_buffer_owner) :: buffer
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_report_json(self%c_handle(), handle)
    call buffer%adopt(handle)
    if (status == ASDF_OK) status = text_of_buffer(buffer, json)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Copies a buffer of the library to a text.
  integer(c_int32_t) function text_of_buffer(buffer, text) result(status)
    type(asdf_buffer_owner), intent(in) :: buffer
    character(:), allocatable, intent(out) :: text
    character(kind=c_char), pointer :: bytes(:)
    type(c_ptr) :: address
    integer(c_size_t) :: size, i
    size = 0
    status = asdf_buffer_bytes(buffer%c_handle(), address, size)
    if (status /= ASDF_OK) return
    allocate (character(size) :: text)
    call c_f_pointer(address, bytes, [size])
    do i = 1, size
      text(i:i) = bytes(i)
    end do
  end function
end module asdfkit_report
