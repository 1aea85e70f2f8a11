! Reads every second pixel of a window of an image: read_region FILE
program read_region
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  real :: window(6, 4)
  call get_command_argument(1, name)
  call file%open(name)
  call file%read('data', window, start=[55, 77], step=[2, 2])
  print '(2(a, f0.3))', 'first ', window(1, 1), ', last ', window(6, 4)
end program
