! Opens a file, prints the version of its format, closes it: open_file FILE
program open_file
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  call get_command_argument(1, name)
  call file%open(name)
  print '(a)', file%format_version()
  call file%close()
end program
