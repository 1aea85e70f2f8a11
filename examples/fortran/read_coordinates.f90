! Reads positions on the sky and their frame: read_coordinates FILE
program read_coordinates
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(asdf_file) :: file
  type(asdf_coordinates) :: sky
  character(1000) :: name
  real(real64), allocatable :: ra(:), dec(:)
  integer :: point
  call get_command_argument(1, name)
  call file%open(name)
  call sky%load(file, 'targets')
  call sky%get('ra', ra, 'deg')
  call sky%get('dec', dec, 'deg')
  do point = 1, size(ra)
    print '(2a, f0.4, a, f0.4)', sky%frame(), ': ra ', ra(point), ', dec ', dec(point)
  end do
end program
