!> Behaviour of asdfkit after a failure: status and message, or a stop of the program.
!!
!! Every procedure that can fail has the optional arguments `stat` and `errmsg`, with the rules of the language:
!!
!! - `stat` is 0 (ASDF_OK) after success, and otherwise one of ASDF_ERR_....
!! - `errmsg` gets the message of a failure, in its full length. After success it is unchanged.
!! - Without `stat`, a failure stops the program with the message on standard error and exit code 1.
!!
!! asdf_error() returns the place and the message of the last failure, also in a text of fixed length.
module asdfkit_errors
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
  use, intrinsic :: iso_fortran_env, only: error_unit
  use asdfkit_c
  use asdfkit_texts, only: error_message_from_one_string, error_message_string, error_text_string
  implicit none
  private
  public :: conclude, explain, settle, library_message, last_place, asdf_error

  ! Message of the last failure that asdfkit itself found; of length 0 if the library has the message.
  character(2000), save :: own_message = ''
  integer, save :: own_length = 0
  integer(c_int32_t), save :: own_status = ASDF_OK
  !$omp threadprivate(own_message, own_length, own_status)

contains

  !> Ends a call: hands its status over to the caller, or stops the program after a failure if the caller does not take
  !! it. explain() hands the message over. It is no argument here, because gfortran 12 loses the length of a text of
  !! deferred length that passes through two optional arguments.
  subroutine conclude(status, stat, message)
    !> status of the call
    integer(c_int32_t), intent(in) :: status
    integer, intent(out), optional :: stat
    !> message of a failure that asdfkit itself found; absent for the message of the library
    character(*), intent(in), optional :: message
    if (present(stat)) stat = int(status)
    if (status == ASDF_OK) return
    own_length = 0
    if (present(message)) then
      own_message = message
      own_length = min(len(message), len(own_message))
      own_status = status
    end if
    if (.not. present(stat)) call settle(status, message)
  end subroutine

  !> Hands the message of a failure over to the caller. Without a failure, the text is unchanged.
  subroutine explain(status, errmsg, message)
    integer(c_int32_t), intent(in) :: status
    character(:), allocatable, intent(inout) :: errmsg
    character(*), intent(in), optional :: message
    if (status == ASDF_OK) return
    if (present(message)) then
      errmsg = message
    else
      errmsg = library_message()
    end if
  end subroutine

  !> Stops the program after a failure.
  subroutine settle(status, message)
    integer(c_int32_t), intent(in) :: status
    character(*), intent(in), optional :: message
    if (status == ASDF_OK) return
    if (present(message)) then
      write (error_unit, '(a)') message
    else
      write (error_unit, '(a)') library_message()
    end if
    flush (error_unit)
    error stop 1, quiet=.true.
  end subroutine

  !> Message of the last failure of this thread: its place, if known, and a sentence. Elements and rows count from 1.
  function library_message() result(message)
    character(:), allocatable :: message
    if (error_message_from_one_string(message) /= ASDF_OK) message = 'failed'
    ! Only a variable without a handle passes a null pointer to the library.
    if (asdf_error_status() == ASDF_ERR_NULL_POINTER) then
      message = 'the variable is empty, because its file is not open or nothing was assigned to it: '//message
    end if
  end function

  !> Place of the last failure of this thread as its message begins: "image.asdf:11:3, at /data: ".
  function last_place() result(place)
    character(:), allocatable :: place
    character(:), allocatable :: text
    if (error_message_string(place) /= ASDF_OK) place = ''
    if (error_text_string(ASDF_REPORT_MESSAGE, text) /= ASDF_OK) text = place
    place = place(:len(place) - len(text))
  end function

  !> Gets details of the last call that failed on this thread.
  subroutine asdf_error(status, line, column, offset, path, file, message)
    !> its number, ASDF_ERR_...; ASDF_OK if there was none
    integer, intent(out), optional :: status
    !> line and column in the file, from 1; -1 if unknown
    integer, intent(out), optional :: line, column
    !> position in the file in bytes, from 0; -1 if unknown
    integer(c_int64_t), intent(out), optional :: offset
    !> path in the tree; empty if unknown
    character(:), allocatable, intent(inout), optional :: path
    !> name of the file; empty if unknown
    character(:), allocatable, intent(inout), optional :: file
    !> its message, in a text of fixed length: cut off or padded with blanks
    character(*), intent(inout), optional :: message
    if (present(status)) status = int(merge(own_status, asdf_error_status(), own_length > 0))
    if (present(line)) line = int(detail(ASDF_REPORT_LINE))
    if (present(column)) column = int(detail(ASDF_REPORT_COLUMN))
    if (present(offset)) offset = detail(ASDF_REPORT_OFFSET)
    if (present(path)) path = text_detail(ASDF_REPORT_PATH)
    if (present(file)) file = text_detail(ASDF_REPORT_FILE)
    if (.not. present(message)) return
    if (own_length > 0) then
      message = own_message(:own_length)
    else
      message = library_message()
    end if
  end subroutine

  integer(c_int64_t) function detail(field)
    integer(c_int32_t), intent(in) :: field
    detail = -1
    if (own_length > 0) return
    if (asdf_error_int(field, detail) /= ASDF_OK) detail = -1
  end function

  function text_detail(field) result(text)
    integer(c_int32_t), intent(in) :: field
    character(:), allocatable :: text
    text = ''
    if (own_length > 0) return
    if (error_text_string(field, text) /= ASDF_OK) text = ''
  end function
end module asdfkit_errors
