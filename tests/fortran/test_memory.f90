!> Elements and tables beyond copies: views, zeros that are filled by regions, codecs of the program, Arrow.
module runs
  use, intrinsic :: iso_fortran_env, only: int64, int8
  use asdfkit
  implicit none
contains
  !> Encodes bytes as pairs of a count and a value.
  subroutine encode_runs(bytes, stored, count, stat)
    integer(int8), intent(in) :: bytes(:)
    integer(int8), intent(inout) :: stored(:)
    integer(int64), intent(inout) :: count
    integer, intent(inout) :: stat
    integer(int64) :: i
    i = 1
    do while (i <= size(bytes, kind=int64))
      if (count + 2 > size(stored)) then
        count = 2*size(bytes, kind=int64)
        stat = ASDF_ERR_BUFFER_TOO_SMALL
        return
      end if
      stored(count + 1:count + 2) = [1_int8, bytes(i)]
      i = i + 1
      do while (i <= size(bytes, kind=int64))
        if (bytes(i) /= stored(count + 2) .or. stored(count + 1) == huge(1_int8)) exit
        stored(count + 1) = stored(count + 1) + 1_int8
        i = i + 1
      end do
      count = count + 2
    end do
  end subroutine

  subroutine decode_runs(stored, bytes, count, stat)
    integer(int8), intent(in) :: stored(:)
    integer(int8), intent(inout) :: bytes(:)
    integer(int64), intent(inout) :: count
    integer, intent(inout) :: stat
    integer(int64) :: i
    count = 0
    do i = 1, size(stored, kind=int64) - 1, 2
      if (stored(i) < 1 .or. count + stored(i) > size(bytes)) then
        stat = ASDF_ERR_CORRUPT
        return
      end if
      bytes(count + 1:count + stored(i)) = stored(i + 1)
      count = count + stored(i)
    end do
  end subroutine
end module

program test_memory
  use asdfkit
  use checks
  use runs
  use, intrinsic :: iso_c_binding, only: c_associated, c_bool
  use, intrinsic :: iso_fortran_env, only: int16, int32, real32, real64
  implicit none
  character(:), allocatable :: message
  integer :: stat
  call views()
  call zeros()
  call codecs()
  call arrow()
  call finish('memory')
  if (allocated(message)) deallocate (message)

contains

  subroutine views()
    type(asdf_file) :: file
    type(asdf_array) :: array
    type(asdf_view) :: view, other
    real(real64), pointer :: image(:, :), line(:)
    integer(int16), pointer :: small(:, :)
    logical(c_bool), pointer :: flags(:)
    real(real64), pointer :: scalar
    integer :: i
    nullify (image, line, small, flags, scalar)
    call file%new()
    call file%set('image', reshape([(real(i, real64), i=1, 12)], [4, 3]))
    call file%set('scalar', 2.5_real64, storage=ASDF_STORAGE_INTERNAL)
    call file%set('zlib', [1, 2, 3], compression='zlib')
    call file%set('flags', [.true., .false.])
    call file%set('turned', reshape([1, 2, 3, 4], [2, 2]), stored_order=ASDF_ORDER_FORTRAN)
    call file%write('views.asdf', replace=.true.)
    call file%open('views.asdf')
    call view%open(file, 'image')
    call view%get(image)
    call check(all(shape(image) == [4, 3]) .and. abs(image(2, 3) - 10) <= 0, 'elements in the file')
    call check(all(view%shape() == [4, 3]) .and. view%datatype() == ASDF_FLOAT64, 'shape and datatype')
    call file%get_array('flags', array)
    call other%open(array)
    call other%get(flags)
    call check(logical(flags(1) .and. .not. flags(2)), 'logicals')
    call other%open(file, 'scalar')
    call other%get(scalar)
    call check(abs(scalar - 2.5) <= 0, 'a single element')
    call file%close()
    call check(abs(image(1, 1) - 1) <= 0, 'a view outlives its file')
    call view%get(line, stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '(4, 3)')
    call view%get(small, stat, message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'kind')
    call check(.not. associated(line) .and. .not. associated(small), 'pointers stay')
    call file%open('views.asdf')
    call view%open(file, 'zlib', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_VIEWABLE, 'no view is possible because the elements are compressed')
    call view%open(file, 'none', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'none')
    call other%free()
    call other%get(flags, stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'empty')
  end subroutine

  subroutine zeros()
    type(asdf_file) :: file
    real(real32), allocatable :: cube(:, :, :)
    integer :: k, quality(3)
    call file%new()
    call file%set_zeros('cube', [4, 3, 2], ASDF_FLOAT32)
    call file%set_zeros('wrong', [4._real64], ASDF_FLOAT32, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'int64')
    call file%set_zeros('wrong', [4], 99, stat=stat, errmsg=message)
    call check(stat /= ASDF_OK, 'no datatype')
    call file%set_zeros('quality', shape(quality), ASDF_UINT8)
    call file%forget_failure()
    call file%write('zeros.asdf', replace=.true.)
    call file%open_for_update('zeros.asdf')
    do k = 1, 2
      call file%write('cube', reshape([real(k), real(-k)], [2, 1, 1]), start=[2, 3, k])
    end do
    call file%write('quality', [0, 200, 255])
    call file%write('quality', [0, 200, 256], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OVERFLOW, 'element 3 is 256, which uint8 cannot hold')
    call file%save(durable=.false.)
    call file%close()
    call file%open('zeros.asdf')
    call file%read('quality', quality)
    call check(all(quality == [0, 200, 255]), 'unsigned integers')
    call file%load('cube', cube)
    call check(all(abs(cube(2, 3, :) - [1., 2.]) <= 0) .and. all(abs(cube(3, 3, :) + [1., 2.]) <= 0), 'filled regions')
    call check(count(abs(cube) > 0) == 4, 'zeros elsewhere')
  end subroutine

  subroutine codecs()
    type(asdf_file) :: file
    type(asdf_options) :: options
    integer(int32), allocatable :: found(:)
    integer(int32) :: values(1000)
    values = 7
    values(:10) = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    call asdf_add_codec(options, 'runs', decode_runs, encode_runs)
    call file%new()
    call file%set('values', values, options=options)
    call file%write('runs.asdf', replace=.true.)
    call file%open('runs.asdf', options=options)
    call file%load('values', found)
    call check(all(found == values), 'a codec of the program')
    call file%open('runs.asdf')
    call file%load('values', found, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_UNKNOWN_CODEC, 'runs')
    call asdf_add_codec(options, 'zlib', decode_runs, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'zlib')
  end subroutine

  subroutine arrow()
    type(asdf_table) :: table, copy
    type(asdf_table_reader) :: reader
    type(asdf_arrow_stream), target :: stream
    type(asdf_arrow_schema), target :: schema
    type(asdf_arrow_array), target :: array
    integer, allocatable :: n(:)
    logical, allocatable :: missing(:)
    call table%add('n', [1, 2, 3], mask=[.false., .true., .false.], unit='m')
    call asdf_export_arrow(table, stream)
    call check(c_associated(stream%release), 'a stream')
    call asdf_import_arrow(stream, copy)
    call check(.not. c_associated(stream%release), 'the stream is released')
    call copy%get('n', n, mask=missing)
    call check(n(3) == 3 .and. all(missing .eqv. [.false., .true., .false.]) .and. copy%unit('n') == 'm', 'the same table')
    call asdf_export_arrow(table, schema, array)
    call check(array%length == 3 .and. array%n_children == 1, 'an array')
    call asdf_import_arrow(schema, array, copy)
    call check(copy%rows() == 3 .and. .not. c_associated(array%release), 'the table of an array')
    call asdf_export_arrow(table, schema, array)
    call asdf_release_arrow(schema)
    call asdf_release_arrow(array)
    call asdf_release_arrow(array)
    call check(.not. c_associated(array%release), 'released')
    call table%write_ecsv('arrow.ecsv', replace=.true.)
    call reader%open('arrow.ecsv')
    call asdf_export_arrow(reader, stream)
    call asdf_import_arrow(stream, copy)
    call check(copy%rows() == 3, 'the rows of a reader')
    call table%free()
    call asdf_export_arrow(table, stream, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'empty')
    call asdf_import_arrow(stream, copy, stat=stat, errmsg=message)
    call check(stat /= ASDF_OK .and. copy%rows() == 0, 'no stream')
  end subroutine
end program
