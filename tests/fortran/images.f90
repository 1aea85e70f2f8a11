! Reads a scalar, a string and an image, writes a string, images and an array section, reads them again: images INPUT OUTPUT
program images
  use asdf_c
  implicit none
  type(c_ptr) :: file, root, options
  character(1000) :: names(2)
  character(:), allocatable :: telescope
  real(c_double) :: seconds
  real(c_double), allocatable :: image(:, :), part(:, :)

  call get_command_argument(1, names(1))
  call get_command_argument(2, names(2))
  call open (names(1))
  call check(asdf_node_get_f64(root, 'meta/exposure/time'//c_null_char, seconds))
  telescope = string('meta/telescope')
  image = array('data')
  print '(2a, f8.2, 2(1x, i0), 2f10.3)', telescope, ':', seconds, shape(image), image(61, 81), sum(image)/size(image)
  call free()

  part = 2*image(:200, :100)
  call check(asdf_file_new(c_null_ptr, file))
  call check(asdf_file_root(file, root))
  call check(asdf_node_set_string(root, 'meta/telescope'//c_null_char, telescope, len(telescope, c_size_t)))
  call check(asdf_node_set_array(root, 'data'//c_null_char, ASDF_FLOAT64, 2, [100_c_int64_t, 200_c_int64_t], &
                                 part, 8_c_size_t*size(part), c_null_ptr))  ! extents slowest first
  ! With Fortran's order of indices; then every second column and third row of the image, directly from its memory.
  call check(asdf_options_new(options))
  call check(asdf_options_set_int(options, ASDF_OPTION_ORDER, int(ASDF_ORDER_FORTRAN, c_int64_t)))
  call check(asdf_node_set_array(root, 'turned'//c_null_char, ASDF_FLOAT64, 2, [200_c_int64_t, 100_c_int64_t], &
                                 part, 8_c_size_t*size(part), options))
  call check(asdf_options_unset(options, ASDF_OPTION_ORDER))
  call check(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, 8*[2_c_int64_t, 3_c_int64_t*size(image, 1)], 2_c_int64_t))
  call check(asdf_node_set_array(root, 'section'//c_null_char, ASDF_FLOAT64, 2, [50_c_int64_t, 60_c_int64_t], &
                                 image(11, 21), 8_c_size_t*(size(image) - 10 - 20*size(image, 1)), options))
  call asdf_options_free(options)
  call check(asdf_file_write(file, trim(names(2))//c_null_char, c_null_ptr))
  call free()

  call open (names(2))
  if (string('meta/telescope') /= telescope) error stop 'another string'
  image = array('data')
  if (any(shape(image) /= shape(part))) error stop 'another shape'
  if (any(abs(image - part) > 0)) error stop 'other elements'
  call free()

contains

  subroutine open (name)
    character(*), intent(in) :: name
    call check(asdf_file_open(trim(name)//c_null_char, c_null_ptr, file))
    call check(asdf_file_root(file, root))
  end subroutine

  subroutine free()
    call asdf_node_free(root)
    call asdf_file_free(file)
  end subroutine

  function string(path)
    character(*), intent(in) :: path
    character(:), allocatable :: string
    character(kind=c_char) :: buffer(100)
    integer(c_size_t) :: length
    call check(asdf_node_get_string(root, path//c_null_char, buffer, size(buffer, kind=c_size_t), length))
    allocate (character(length) :: string)
    string = transfer(buffer(:length), string)
  end function

  function array(path)
    character(*), intent(in) :: path
    real(c_double), allocatable :: array(:, :)
    type(c_ptr) :: handle
    integer(c_int64_t) :: extents(2)
    integer(c_int32_t) :: rank
    call check(asdf_node_get_array(root, path//c_null_char, handle))
    call check(asdf_array_shape(handle, extents, 2, rank))
    allocate (array(extents(2), extents(1)))
    call check(asdf_array_read(handle, ASDF_FLOAT64, c_null_ptr, array, 8_c_size_t*size(array), c_null_ptr, 0_c_size_t))
    call asdf_array_free(handle)
  end function

  subroutine check(status)
    integer(c_int32_t), intent(in) :: status
    character(kind=c_char) :: message(1000)
    integer(c_size_t) :: length
    if (status == ASDF_OK) return
    if (asdf_error_message(message, size(message, kind=c_size_t), length) == ASDF_OK) print *, message(:length)
    error stop
  end subroutine
end program
