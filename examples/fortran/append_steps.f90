! Appends time steps, each safe on the disk, and goes on with a file that exists: append_steps FILE
program append_steps
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  type(asdf_file) :: file
  type(asdf_options) :: options
  character(1000) :: name
  real :: step(3, 2)
  integer(int64), allocatable :: extents(:)
  integer :: number
  logical :: exists
  call get_command_argument(1, name)
  inquire (file=trim(name), exist=exists)
  if (.not. exists) then
    call options%set(chunks=[3, 2, 4], codec='zlib')
    call file%new()
    call file%set_zeros('heat', [3, 2, 0], ASDF_FLOAT32, options)
    call file%write(trim(name))
  end if
  call file%open_for_update(trim(name))
  do number = 1, 5
    extents = file%shape('heat')
    step = real(extents(3))
    call file%append('heat', step)
    call file%save()                  ! the step is on the disk
  end do
  extents = file%shape('heat')
  print '(i0, a)', extents(3), ' steps'
  call file%close()
end program
