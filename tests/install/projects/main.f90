! First Fortran program of another project: prints the version, opens a file, reads one value.
program main
  use asdfkit
  use asdfkit_c, only: asdf_library_version_numbers
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(asdf_file) :: file
  character(:), allocatable :: path
  real(real64) :: seconds
  integer :: length, major, minor, patch

  call get_command_argument(1, length=length)
  allocate (character(length) :: path)
  call get_command_argument(1, path)

  call asdf_library_version_numbers(major, minor, patch)
  call file%open(path)
  call file%get('meta/exposure/time', seconds)
  print '(a, i0, 2(".", i0), ": ", f0.1, " s")', 'asdfkit ', major, minor, patch, seconds
end program
