! Passes arrays that are not allocated, without the checks of the compiler: each call must fail with a message.
program unallocated
  use asdfkit
  use checks
  implicit none
  type(asdf_file) :: file
  real, allocatable :: line(:), image(:, :)
  character(:), allocatable :: message
  integer :: stat
  call file%new()
  call file%set('data', image, stat=stat, errmsg=message)
  call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'set an array that is not allocated')
  call expect_message(message, 'at /data: the variable is not allocated')
  call file%set('data', [1., 2.])
  call file%read('data', line, stat=stat, errmsg=message)
  call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'read into an array that is not allocated')
  call expect_message(message, 'at /data: the variable is not allocated')
  call finish('unallocated')
end program
