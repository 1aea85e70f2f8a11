! Lists the keys at the root of a file: list_tree FILE
program list_tree
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  integer :: i
  call get_command_argument(1, name)
  call file%open(name)
  do i = 1, file%count('')
    print '(a)', file%key('', i)
  end do
end program
