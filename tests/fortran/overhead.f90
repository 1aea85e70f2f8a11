!> Makes the same calls through asdfkit or through the C functions, for a count of instructions:
!! overhead FILE CALL binding|c TIMES
program overhead
  use asdfkit
  use asdfkit_c, only: asdf_array_free, asdf_array_read, asdf_array_read_region, asdf_array_shape, asdf_node_get_array, &
    asdf_node_get_f64, asdf_node_get_string, asdf_node_set_array, asdf_node_set_f64, asdf_options_free, &
    asdf_options_new, asdf_options_set_ints, asdf_stream_push, asdf_table_column_shape, asdf_table_read_column, &
    asdf_table_row_count
  use, intrinsic :: iso_c_binding, only: c_double, c_float, c_int32_t, c_int64_t, c_loc, c_null_char, c_null_ptr, c_ptr, &
    c_size_t
  implicit none
  type(asdf_file) :: file
  type(asdf_array) :: array
  type(asdf_table) :: table
  type(asdf_stream) :: stream
  character(1000) :: name, call_name, way, times
  character(:), allocatable :: text
  character(256) :: buffer
  real(c_double) :: seconds
  real(c_float), target :: image(16, 16), large(32, 32)
  real(c_float), allocatable, target :: loaded(:, :)
  type(c_ptr) :: handle, options
  integer(c_int64_t) :: extents(2), strides(2), found(2), rows
  integer(c_size_t) :: needed
  integer(c_int32_t) :: status, rank
  integer :: count, i
  logical :: c
  call get_command_argument(1, name)
  call get_command_argument(2, call_name)
  call get_command_argument(3, way)
  call get_command_argument(4, times)
  read (times, *) count
  c = way == 'c'
  image = 0
  large = 0
  extents = 16
  strides = [2*32*4, 2*4]
  call file%new()
  call file%set('time', 139.8d0)
  call file%set('name', 'Roman')
  call file%set('data', image)
  call file%get_array('data', array)
  allocate (loaded(8, 8))
  call table%add('a', image)
  call stream%create(file, 'overhead.asdf', 'rows', mold=image)
  status = ASDF_OK
  do i = 1, count
    select case (call_name)
    case ('get')
      if (c) then
        status = asdf_node_get_f64(file%c_handle(), 'time'//c_null_char, seconds)
      else
        call file%get('time', seconds)
      end if
    case ('get_string')
      if (c) then
        status = asdf_node_get_string(file%c_handle(), 'name'//c_null_char, buffer, 256_c_size_t, needed)
      else
        call file%get('name', text)
      end if
    case ('set')
      if (c) then
        status = asdf_node_set_f64(file%c_handle(), 'time'//c_null_char, seconds)
      else
        call file%set('time', seconds)
      end if
    case ('set_array')
      if (c) then
        status = asdf_node_set_array(file%c_handle(), 'new'//c_null_char, ASDF_FLOAT32, 2_c_int32_t, extents, &
                                     c_loc(image), 1024_c_size_t, c_null_ptr)
      else
        call file%set('new', image)
      end if
    case ('set_section')
      if (c) then
        status = asdf_options_new(options)
        status = asdf_options_set_ints(options, ASDF_OPTION_STRIDES, strides, 2_c_int64_t)
        status = asdf_node_set_array(file%c_handle(), 'new'//c_null_char, ASDF_FLOAT32, 2_c_int32_t, extents, &
                                     c_loc(large), 3964_c_size_t, options)
        call asdf_options_free(options)
      else
        call file%set('new', large(::2, ::2))
      end if
    case ('read')
      if (c) then
        status = asdf_node_get_array(file%c_handle(), 'data'//c_null_char, handle)
        status = asdf_array_read(handle, ASDF_FLOAT32, c_null_ptr, c_loc(image), 1024_c_size_t, &
                                 mask_capacity=0_c_size_t)
        call asdf_array_free(handle)
      else
        call file%read('data', image)
      end if
    case ('load')
      if (c) then
        status = asdf_node_get_array(file%c_handle(), 'data'//c_null_char, handle)
        status = asdf_array_shape(handle, found, 2_c_int32_t, rank)
        if (allocated(loaded)) deallocate (loaded)
        allocate (loaded(found(2), found(1)))
        status = asdf_array_read(handle, ASDF_FLOAT32, c_null_ptr, c_loc(loaded), 1024_c_size_t, &
                                 mask_capacity=0_c_size_t)
        call asdf_array_free(handle)
      else
        call file%load('data', loaded)
      end if
    case ('read_region')
      if (c) then
        status = asdf_array_read_region(array%c_handle(), 2_c_int32_t, [1_c_int64_t, 1_c_int64_t], &
                                        [8_c_int64_t, 8_c_int64_t], datatype=ASDF_FLOAT32, options=c_null_ptr, &
                                        elements=c_loc(loaded), capacity=256_c_size_t, mask_capacity=0_c_size_t)
      else
        call array%read(loaded, start=[2, 2])
      end if
    case ('column')
      if (c) then
        status = asdf_table_row_count(table%c_handle(), rows)
        status = asdf_table_column_shape(table%c_handle(), 'a'//c_null_char, extents, 2_c_int32_t)
        if (allocated(loaded)) deallocate (loaded)
        allocate (loaded(extents(1), rows))
        status = asdf_table_read_column(table%c_handle(), 'a'//c_null_char, 0_c_int64_t, -1_c_int64_t, ASDF_FLOAT32, &
                                        c_null_ptr, c_loc(loaded), 1024_c_size_t, mask_capacity=0_c_size_t)
      else
        call table%get('a', loaded)
      end if
    case ('push')
      if (c) then
        status = asdf_stream_push(stream%c_handle(), 1_c_int64_t, c_loc(image), 1024_c_size_t)
      else
        call stream%push(image)
      end if
    case default
      error stop 'no such call'
    end select
    if (status /= ASDF_OK) error stop 'a call failed'
  end do
end program
