!> Checks of the Fortran tests: each failed one prints a line, and finish() ends with status 1 if there was one.
module checks
  implicit none
  private
  public :: check, check_failure, expect, expect_message, finish
  integer :: passed = 0, failed = 0

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) then
      passed = passed + 1
    else
      failed = failed + 1
      print '(2a)', 'FAILED: ', what
    end if
  end subroutine

  !> Checks the status of a call that must fail in this way, or succeed.
  subroutine expect(stat, wanted, what)
    integer, intent(in) :: stat, wanted
    character(*), intent(in) :: what
    if (stat /= wanted) print '(2(a, i0))', 'status ', stat, ' instead of ', wanted
    call check(stat == wanted, what)
  end subroutine

  !> Checks the end of the message of a call that must fail. The bytes before a place depend on the version.
  subroutine expect_message(message, wanted)
    character(:), allocatable, intent(in) :: message
    character(*), intent(in) :: wanted
    logical :: same
    if (.not. allocated(message)) then
      call check(.false., 'no message instead of: '//wanted)
    else
      same = .false.
      if (len(message) >= len(wanted)) same = message(len(message) - len(wanted) + 1:) == wanted
      if (.not. same) print '(2a)', 'message: ', message
      call check(same, wanted)
    end if
  end subroutine

  !> Checks that a call failed with a status, and that its message contains a text.
  subroutine check_failure(stat, errmsg, wanted, contained)
    integer, intent(in) :: stat, wanted
    character(:), allocatable, intent(in) :: errmsg
    character(*), intent(in) :: contained
    call expect(stat, wanted, 'status of: '//contained)
    if (.not. allocated(errmsg)) then
      call check(.false., 'no message instead of: '//contained)
    else
      call check(index(errmsg, contained) > 0, 'message "'//errmsg//'" with: '//contained)
    end if
  end subroutine

  subroutine finish(name)
    character(*), intent(in) :: name
    print '(2a, 2(i0, a))', name, ': ', passed, ' passed, ', failed, ' failed'
    if (failed > 0) error stop 1, quiet=.true.
  end subroutine
end module checks
