! Reads numbers and images of a file, writes a new file, and compares: quickstart INPUT OUTPUT
program quickstart
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  type(asdf_file) :: file, copy
  type(asdf_node) :: meta
  type(asdf_array) :: cube
  character(1000) :: names(2)
  real(real64) :: seconds
  real(real32), allocatable :: image(:, :), again(:, :)
  real(real64) :: plane(16, 16)
  character(:), allocatable, save :: bands(:)
  integer :: i
  call get_command_argument(1, names(1))
  call get_command_argument(2, names(2))

  call file%open(names(1))                          ! without stat=, a failure stops with a message
  call file%get('meta/exposure/time', seconds)
  call file%load('data', image)                     ! allocates
  call file%load('bands', bands)
  print '(f0.1, a, 2(i0, a), *(1x, a))', seconds, ' s, ', size(image, 1), ' x ', size(image, 2), ' pixels,', bands

  call file%get_array('cube', cube)                 ! numpy's cube[k, :, :] is cube(:, :, k + 1)
  do i = 1, 3
    call cube%read(plane, start=[1, 1, i], count=[16, 16, 1])
    print '(a, i0, a, f0.3)', 'plane ', i, ': sum ', sum(plane)
  end do

  call copy%new()
  call file%get_node('meta', meta)
  call copy%copy('meta', meta)
  call copy%set('data', image, compression='zlib')
  call copy%set('corner', image(:32, :32))          ! a section, without a copy in between
  call copy%add_history('copied by the quickstart')
  call copy%write(names(2), replace=.true.)
  call copy%close()

  call copy%open(names(2), verify_checksums=.true.)
  call copy%load('data', again)
  if (any(abs(again - image) > 0)) error stop 'another image'
end program
