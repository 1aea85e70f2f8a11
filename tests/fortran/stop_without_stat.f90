! Fails without stat= and errmsg=: the program must end with the message of the library.
program stop_without_stat
  use asdfkit
  implicit none
  type(asdf_file) :: file
  call file%open('nowhere.asdf')
  print '(a)', 'unreachable'
end program
