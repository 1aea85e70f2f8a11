!> Optional arguments of calls: integers of two kinds, options, and numbers in messages. Not for programs.
module asdfkit_arguments
  use, intrinsic :: iso_c_binding, only: c_int32_t
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use asdfkit_constants
  use asdfkit_options, only: asdf_options
  implicit none
  private
  public :: take_integer, take_integers, copy_options, integer_text, shape_text

contains

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
    ! An empty expression can lack an address.
    numbers = [integer(int64) ::]
    if (size(given) == 0) return
    select type (given)
    type is (integer(int32))
      numbers = int(given, int64)
    type is (integer(int64))
      numbers = given
    class default
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
