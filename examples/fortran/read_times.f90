! Reads a column of times of an ECSV table: read_times TABLE
program read_times
  use asdfkit
  implicit none
  type(asdf_table) :: table
  character(1000) :: name
  integer, allocatable :: start(:, :)
  logical, allocatable :: missing(:)
  integer :: row
  call get_command_argument(1, name)
  call table%read_ecsv(name)
  call table%get_times('start', start, mask=missing)
  do row = 1, size(missing)
    if (missing(row)) then
      print '(a)', 'missing'
    else
      ! Year, month, day, hour, minute, second and millisecond, in UTC.
      print '(i4, 2("-", i2.2), 1x, i2.2, 2(":", i2.2), ".", i3.3)', start(1:3, row), start(5:8, row)
    end if
  end do
end program
