! Reads a time in UTC: read_time FILE
program read_time
  use asdfkit
  implicit none
  type(asdf_file) :: file
  character(1000) :: name
  integer :: start(8), nanoseconds
  call get_command_argument(1, name)
  call file%open(name)
  call file%get_time('meta/exposure/start', start, nanoseconds)
  ! Year, month, day, hour, minute, second and millisecond, as date_and_time has them.
  print '(i4, 2("-", i2.2), 1x, i2.2, 2(":", i2.2), ".", i3.3, i6.6, a)', start(1:3), start(5:8), nanoseconds, ' UTC'
end program
