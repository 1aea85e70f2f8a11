! Reads an image with missing pixels: read_masked FILE
program read_masked
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  real, allocatable :: image(:, :)
  logical, allocatable :: missing(:, :)
  call get_command_argument(1, name)
  call file%open(name)
  call file%load('data', image, mask=missing)
  print '(i0, a, f0.1)', count(missing), ' missing, the others from ', minval(image, mask=.not. missing)
end program
