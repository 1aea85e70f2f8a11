! Reads a whole image of any size as real64: read_array FILE
program read_array
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  real(real64), allocatable :: image(:, :)
  call get_command_argument(1, name)
  call file%open(name)
  call file%load('data', image)
  print '(2(i0, a), f0.3)', size(image, 1), ' x ', size(image, 2), ', last pixel ', image(size(image, 1), size(image, 2))
end program
