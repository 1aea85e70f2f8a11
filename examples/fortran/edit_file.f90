! Changes a number in a file and saves it: edit_file FILE
program edit_file
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  call get_command_argument(1, name)
  call file%open_for_update(name)
  call file%set('meta/exposure/time', 140.5d0)
  call file%save()
end program
