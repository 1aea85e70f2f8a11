!> Optional arguments of calls: integers of two kinds, options, and numbers in messages. Not for programs.
module asdfkit_arguments
  use, intrinsic :: iso_c_binding, only: c_int32_t
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use asdfkit_constants
  use asdfkit_errors, only: library_message, settle
  use asdfkit_options, only: asdf_options
  implicit none
  private
  public :: conclude, explain, take_integer, take_integers, copy_options, integer_text, shape_text

contains

  !> Ends a call: returns its status, or stops the program after a failure if the caller wants neither status nor message.
  !! The message is returned by explain(). It is not an optional argument here, because gfortran 12 loses the length of a
  !! text that passes through two optional arguments.
  subroutine conclude(status, stat, wants_message, message)
    integer(c_int32_t), intent(in) :: status
    integer, intent(out), optional :: stat
    logical, intent(in) :: wants_message
    !> message of a failure that asdfkit itself found; absent for the message of the library
    character(*), intent(in), optional :: message
    if (present(stat)) stat = int(status)
    if (.not. (present(stat) .or. wants_message)) call settle(status, message=message)
  end subroutine

  !> Returns the message of a failure. After success it is not allocated.
  subroutine explain(status, errmsg, message)
    integer(c_int32_t), intent(in) :: status
    character(:), allocatable, intent(inout) :: errmsg
    character(*), intent(in), optional :: message
    if (allocated(errmsg)) deallocate (errmsg)
    if (status == ASDF_OK) return
    if (present(message)) then
      errmsg = message
    else
      errmsg = library_message()
    end if
  end subroutine

  !> Takes a number of kind int32 or int64, if it is present.
  subroutine take_integer(given, name, number, status, message)
    class(*), intent(in), optional :: given
    !> name of the argument, for the message
    character(*), intent(in) :: name
    integer(int64), intent(inout) :: number
    integer(c_int32_t), intent(inout) :: status
    character(:), allocatable, intent(inout) :: message
    if (.not. present(given)) return
    select type (given)
    type is (integer(int32))
      number = given
    type is (integer(int64))
      number = given
    class default
      status = ASDF_ERR_INVALID_ARGUMENT
      message = name//' must be an integer of kind int32 or int64'
    end select
  end subroutine

  !> Takes numbers of kind int32 or int64.
  subroutine take_integers(given, name, numbers, status, message)
    class(*), intent(in) :: given(:)
    !> name of the argument, for the message
    character(*), intent(in) :: name
    integer(int64), allocatable, intent(out) :: numbers(:)
    integer(c_int32_t), intent(inout) :: status
    character(:), allocatable, intent(inout) :: message
    select type (given)
    type is (integer(int32))
      numbers = int(given, int64)
    type is (integer(int64))
      numbers = given
    class default
      numbers = [integer(int64) ::]
      status = ASDF_ERR_INVALID_ARGUMENT
      message = name//' must have integers of kind int32 or int64'
    end select
  end subroutine

  !> Makes options for one call: a copy of the given ones, or new ones.
  integer(c_int32_t) function copy_options(all, options) result(status)
    type(asdf_options), intent(inout) :: all
    class(asdf_options), intent(in), optional :: options
    if (present(options)) then
      status = all%prepare_copy(options%c_handle())
    else
      status = all%prepare()
    end if
  end function

  pure function integer_text(number) result(text)
    integer(int64), intent(in) :: number
    character(:), allocatable :: text
    character(20) :: buffer
    write (buffer, '(i0)') number
    text = trim(buffer)
  end function

  !> A shape in Fortran, such as "(2, 5)".
  pure function shape_text(extents) result(text)
    integer(int64), intent(in) :: extents(:)
    character(:), allocatable :: text
    integer :: axis
    text = '('
    do axis = 1, size(extents)
      if (axis > 1) text = text//', '
      text = text//integer_text(extents(axis))
    end do
    text = text//')'
  end function
end module asdfkit_arguments
