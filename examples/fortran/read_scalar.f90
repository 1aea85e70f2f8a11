! Reads a number and a string by their paths: read_scalar FILE
program read_scalar
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  real(real64) :: seconds
  character(:), allocatable :: telescope
  call get_command_argument(1, name)
  call file%open(name)
  call file%get('meta/exposure/time', seconds)
  call file%get('meta/telescope', telescope)
  print '(a, f0.1, a)', telescope//': ', seconds, ' s'
end program
