! Reads and writes a large array in Fortran: arrays open|read|write FILE
program arrays
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  character(16) :: action
  character(4096) :: path
  type(asdf_file) :: file
  type(asdf_array) :: array
  real(real64), allocatable, target :: data(:, :)

  call get_command_argument(1, action)
  call get_command_argument(2, path)
  if (action == 'write') then
    allocate (data(8192, 4096), source=1.5_real64)
    call file%new()
    call file%set('data', data, lend=.true.)
    call file%write(path)
    stop
  end if
  call file%open(path)
  if (action == 'open') then
    call file%get_array('data', array)
    stop
  end if
  call file%load('data', data)
  if (abs(data(8192, 4096) - 1.5_real64) > 0) error stop 'another element'
end program
