! Fails without stat=, and with errmsg= if there is an argument: the program must end with the message of the library.
program stop_without_stat
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(:), allocatable :: message
  if (command_argument_count() == 0) then
    call file%open('nowhere.asdf')
  else
    call file%open('nowhere.asdf', errmsg=message)
  end if
  print '(a)', 'unreachable'
end program
