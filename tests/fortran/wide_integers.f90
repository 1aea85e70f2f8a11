!> Default integers and logicals of 8 bytes (-fdefault-integer-8): values, arrays, regions, options, tables.
program wide_integers
  use asdfkit
  use checks
  implicit none
  type(asdf_file) :: file
  type(asdf_table) :: table
  integer, allocatable :: numbers(:), part(:, :)
  logical, allocatable :: flags(:), missing(:)
  character(:), allocatable :: message
  integer :: stat, i
  logical :: flag
  call check(storage_size(i) == 64 .and. storage_size(flag) == 64, 'wide defaults')
  call file%new()
  call file%set('count', 2**40)
  call file%set('flag', .true.)
  call file%set('numbers', [(i, i=1, 6)], compression='zlib', level=9)
  call file%set('flags', [.true., .false., .true.])
  call file%set('square', reshape([(i, i=1, 12)], [4, 3]))
  call file%set_zeros('zeros', [4, 3], ASDF_INT32)
  call file%write('wide.asdf', replace=.true.)
  call file%open_for_update('wide.asdf')
  call file%write('zeros', reshape([7, 8], [2, 1]), start=[2, 3])
  call file%save(durable=.false.)
  call file%open('wide.asdf', threads=2)
  call file%get('count', i)
  call check(i == 2**40, 'a scalar')
  call file%get('flag', flag)
  call check(flag, 'a logical')
  call file%load('numbers', numbers)
  call check(all(numbers == [1, 2, 3, 4, 5, 6]), 'an array')
  call file%load('flags', flags)
  call check(all(flags .eqv. [.true., .false., .true.]), 'logicals')
  call file%load('square', part, start=[2, 1], step=[2, 2])
  call check(all(part == reshape([2, 4, 10, 12], [2, 2])), 'a region')
  call file%load('zeros', part)
  call check(part(2, 3) == 7 .and. part(3, 3) == 8 .and. sum(part) == 15, 'zeros that were filled')
  call file%get('none', i, stat, message)
  call check_failure(stat, message, int(ASDF_ERR_NOT_FOUND), 'none')
  call table%add('n', [1, 2, 3], mask=[.false., .true., .false.])
  call table%write_ecsv('wide.ecsv', replace=.true.)
  call table%read_ecsv('wide.ecsv', first=2, count=2)
  call table%get('n', numbers, mask=missing)
  call check(numbers(2) == 3 .and. missing(1) .and. .not. missing(2), 'a table')
  call finish('wide integers')
end program
