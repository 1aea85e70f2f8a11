! Decides by the status of a call, and prints the place of an error: handle_errors FILE
program handle_errors
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  character(:), allocatable :: message
  real :: seconds
  integer :: stat, line
  call get_command_argument(1, name)
  call file%open(name, stat=stat, errmsg=message)
  if (stat /= ASDF_OK) error stop message
  call file%get('meta/exposure/start', seconds, stat, message)
  if (stat == ASDF_ERR_WRONG_TYPE) then
    call asdf_error(line=line)
    print '(a, i0, a)', 'line ', line, ' is no number'
    print '(a)', message
  end if
end program
