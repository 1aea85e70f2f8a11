!> Checks of the tests: each one stops the program with a message if it fails.
module testing
  implicit none
  private
  public :: check, check_failure

contains

  !> Checks that something is true.
  subroutine check(true, what)
    logical, intent(in) :: true
    character(*), intent(in) :: what
    if (.not. true) error stop 'not true: '//what
  end subroutine

  !> Checks that a call failed with a status, and that its message contains a text.
  subroutine check_failure(stat, errmsg, expected, contained)
    integer, intent(in) :: stat, expected
    character(:), allocatable, intent(in) :: errmsg
    character(*), intent(in) :: contained
    if (stat == 0) error stop 'no failure, expected: '//contained
    if (.not. allocated(errmsg)) error stop 'no message, expected: '//contained
    if (index(errmsg, contained) == 0) error stop 'another message: "'//errmsg//'", expected: '//contained
    if (stat /= expected) error stop 'another status, message: '//errmsg
  end subroutine
end module
