! Reads a column of angles in hours instead of degrees: read_in_unit TABLE
program read_in_unit
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(asdf_table) :: table
  character(1000) :: name
  real(real64), allocatable :: hours(:)
  integer :: row
  call get_command_argument(1, name)
  call table%read_ecsv(name)
  call table%get('ra', hours, unit='hourangle')
  do row = 1, size(hours)
    print '(f0.4, a)', hours(row), ' h'
  end do
end program
