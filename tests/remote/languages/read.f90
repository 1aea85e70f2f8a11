! Opens a URL, reads a tile, and prints it with the counts of requests and bytes. A wrong URL prints the status.
program read_url
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  implicit none
  type(asdf_file) :: file
  type(asdf_array) :: array
  real(real32) :: tile(64, 64)
  integer(int64) :: requests, bytes
  integer :: stat, size
  character(:), allocatable :: url
  call get_command_argument(1, length=size)
  allocate (character(size) :: url)
  call get_command_argument(1, url)
  call file%open(url//'image.asdf')
  call file%get_array('data', array)
  call array%read(tile, start=[2001, 3001], count=[64, 64])
  call file%transfers(requests, bytes)
  print '(f0.1, 1x, i0, 1x, i0)', sum(real(tile, real64)), requests, bytes
  call file%open(url//'missing.asdf', stat=stat)
  print '(i0)', merge(1, 0, stat == ASDF_ERR_FILE_NOT_FOUND)
end program
