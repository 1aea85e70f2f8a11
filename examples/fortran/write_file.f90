! Writes a new file with a string, a number and a compressed image: write_file FILE
program write_file
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  real :: image(6, 4) = 0
  image(:3, 1) = [1, 2, 3]
  call get_command_argument(1, name)
  call file%new()
  call file%set('meta/telescope', 'Roman')
  call file%set('meta/exposure/time', 139.8d0)
  call file%set('data', image, compression='zlib')
  call file%write(name)
end program
