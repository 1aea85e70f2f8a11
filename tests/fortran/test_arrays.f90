!> Arrays: masks, fill values, options, conversions, strings beyond ASCII, records; wrong calls and their messages.
program test_arrays
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, int8, real32, real64
  implicit none
  character(*), parameter :: name = 'arrays.asdf'
  type(asdf_file) :: file
  integer :: i
  integer, parameter :: numbers(12) = [(i, i=1, 12)]
  call make()
  call test_masks()
  call test_conversions()
  call test_strings()
  call test_storage()
  call test_lent()
  call test_regions()
  call test_wrong_calls()
  call file%close()
  call test_writing()
  call test_chunks()
  call finish('arrays')

contains

  subroutine make()
    real(real64) :: image(4, 3)
    logical :: mask(4, 3)
    image = reshape(real(numbers, real64), [4, 3])
    mask = image > 10
    call file%new()
    call file%set('image', image)
    call file%set('masked', image, mask=mask)
    call file%set('masked section', image(4:1:-2, :), mask=mask(4:1:-2, :))
    call file%set('whole', reshape([127, 300, 5, -6], [2, 2]))
    call file%set('names', [character(7) :: 'Größe', 'Å', 'plain'])
    call file%set('sections of names', reshape([character(6) :: 'a', 'bb', '', 'd d'], [2, 2]))
    call file%set('inline', image(:2, 1), storage=ASDF_STORAGE_INLINE)
    call file%set('zlib', image, compression='zlib', level=9, stored_order=ASDF_ORDER_FORTRAN, &
                  byte_order=ASDF_BYTE_ORDER_BIG)
    call file%set('nothing', image(:, 1:0))
    call file%set('flags', mask)
    call file%write(name, replace=.true., durable=.false.)
    call file%open(name)
  end subroutine

  subroutine test_masks()
    real(real64) :: image(4, 3), wide(8, 6)
    real(real64), allocatable :: loaded(:, :), row(:)
    logical :: mask(4, 3), wide_mask(4, 6)
    logical, allocatable :: loaded_mask(:, :), wrong(:)
    integer :: stat
    character(:), allocatable :: message
    call file%read('masked', image, stat=stat)
    call expect(stat, ASDF_ERR_MASKED, 'read missing elements without a mask')
    call file%read('masked', image, mask=mask)
    call check(all(mask .eqv. reshape(numbers > 10, [4, 3])), 'mask')
    wide_mask = .true.
    call file%read('masked', wide(::2, 2::2), mask=wide_mask(:, ::2))
    call check(all(wide_mask(:, ::2) .eqv. mask) .and. all(wide_mask(:, 2::2)), 'mask of a section')
    call check(all(abs(wide(::2, 2::2) - image) <= 0), 'elements with a mask')
    call file%read('masked', image, fill=-1._real64)
    call check(all((image < 0) .eqv. mask), 'fill')
    call file%load('masked', loaded, mask=loaded_mask, start=[4, 1], step=[-2, 1])
    call check(all(loaded_mask .eqv. mask(4:1:-2, :)), 'load a mask of a region')
    call file%load('masked section', loaded, mask=loaded_mask)
    call check(all(loaded_mask .eqv. mask(4:1:-2, :)), 'mask of a section, written')
    call file%load('image', loaded, mask=loaded_mask)
    call check(.not. any(loaded_mask), 'mask of an array without one')
    call file%read('image', image, mask=mask(:3, :), stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'mask of another shape')
    call expect_message(message, ', at /image: the mask has the shape (3, 3), but the variable '// &
                        'has (4, 3)')
    call file%load('image', loaded, mask=wrong, stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'mask of another rank')
    call file%load('masked', row, start=[1, 3], count=[4, 1], fill=0._real64)
    call check(all(abs(row - [9, 10, 0, 0]) <= 0), 'fill a row')
    call file%set('masked', image, mask=mask(:3, :), stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'set a mask of another shape')
  end subroutine

  subroutine test_conversions()
    integer(int8) :: small(2, 2)
    real(real32) :: real_small(2, 2)
    complex(real64), allocatable :: z(:, :)
    logical, allocatable :: flags(:, :)
    integer :: stat
    character(:), allocatable :: message
    call file%read('whole', small, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_OVERFLOW, 'int8 from 300')
    call check(index(message, 'is 300, which int8 cannot hold') > 0, 'message of an overflow')
    call file%read('whole', small, clamp=.true.)
    call check(all(small == reshape([127_int8, 127_int8, 5_int8, -6_int8], [2, 2])), 'clamp')
    call file%read('whole', real_small, threads=2)
    call check(abs(real_small(2, 1) - 300) <= 0, 'real32 from int32')
    call file%load('whole', z)
    call check(abs(z(2, 2) + 6) <= 0, 'complex from int32')
    call file%load('flags', flags)
    call check(count(flags) == 2, 'flags')
    call file%load('image', flags, stat=stat)
    call check(stat /= ASDF_OK .and. .not. allocated(flags), 'flags from numbers')
  end subroutine

  subroutine test_strings()
    character(:), allocatable :: names(:), grid(:, :)
    character(7) :: fixed(3)
    character(2) :: short(3)
    logical, allocatable :: flags(:)
    integer :: stat
    call file%load('names', names)
    call check(len(names) == 7 .and. all(names == [character(7) :: 'Größe', 'Å', 'plain']), 'strings beyond ASCII')
    call file%read('names', fixed)
    call check(all(fixed == names), 'read strings beyond ASCII')
    call file%read('names', short, stat=stat)
    call expect(stat, ASDF_ERR_OVERFLOW, 'read long strings into short ones')
    call file%load('sections of names', grid)
    call check(len(grid) == 6 .and. grid(2, 1) == 'bb' .and. grid(1, 2) == '' .and. grid(2, 2) == 'd d', 'strings')
    call file%load('inline', names, stat=stat)
    call expect(stat, ASDF_ERR_CONVERSION, 'strings from numbers')
    call file%load('names', flags, stat=stat)
    call expect(stat, ASDF_ERR_CONVERSION, 'flags from strings')
  end subroutine

  subroutine test_storage()
    real(real64), allocatable :: a(:, :), column(:)
    call file%load('zlib', a)
    call check(all(abs(a - reshape(numbers, [4, 3])) <= 0), 'compressed, big-endian, Fortran order')
    call file%load('inline', column)
    call check(all(abs(column - [1, 2]) <= 0), 'inline')
    call file%load('nothing', a)
    call check(all(shape(a) == [4, 0]), 'no elements')
    call file%read('nothing', a)
    call file%load('image', a, start=[2, 2], count=[0, 2])
    call check(all(shape(a) == [0, 2]), 'empty region')
  end subroutine

  !> Lent elements are written from where they are: a change before writing would be in the file.
  subroutine test_lent()
    real(real64), target :: image(4, 6)
    real(real64) :: section(4, 3)
    type(asdf_file) :: lent
    integer :: stat
    character(:), allocatable :: message
    image = reshape([(real(i, real64), i=1, 24)], [4, 6])
    call lent%new()
    call lent%set('section', image(4:1:-1, ::2), lend=.true.)
    call lent%set('copied', image(4:1:-1, ::2))
    image(4, 1) = -1
    call lent%set('names', ['a', 'b'], lend=.true., stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'lent strings')
    call check(index(message, 'names: default logicals and strings cannot be lent') > 0, 'message of lent strings')
    call lent%set('flags', image > 0, lend=.true., stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'lent logicals')
    call lent%write('lent.asdf', replace=.true., durable=.false.)
    call lent%close()
    call lent%open('lent.asdf')
    call lent%read('section', section)
    call check(all(abs(section - image(4:1:-1, ::2)) <= 0), 'lent section')
    call lent%read('copied', section)
    call check(abs(section(1, 1) - 4) <= 0, 'copied section')
  end subroutine

  subroutine test_regions()
    real(real64) :: window(2, 2), column(4), element
    real(real64), allocatable :: a(:, :), b(:)
    type(asdf_array) :: array
    call file%read('image', window, start=[2_int64, 2_int64])
    call check(all(abs(window - reshape([6, 7, 10, 11], [2, 2])) <= 0), 'window')
    call file%read('image', window, step=[3, 2])
    call check(all(abs(window - reshape([1, 4, 9, 12], [2, 2])) <= 0), 'steps')
    call file%read('image', window, start=[4, 3], step=[-3, -2])
    call check(all(abs(window - reshape([12, 9, 4, 1], [2, 2])) <= 0), 'backwards')
    call file%read('image', column, start=[1, 2], count=[4, 1])
    call check(all(abs(column - [5, 6, 7, 8]) <= 0), 'a column into a vector')
    call file%read('image', column(:3), start=[3, 1], count=[1, 3])
    call check(all(abs(column(:3) - [3, 7, 11]) <= 0), 'a row into a vector')
    call file%read('image', element, start=[3, 3], count=[1, 1])
    call check(abs(element - 11) <= 0, 'an element into a scalar')
    call file%get_array('image', array)
    call array%load(a, start=[3, 1], step=[-2, 2])
    call check(all(abs(a - reshape([3, 1, 11, 9], [2, 2])) <= 0), 'load steps to the end')
    call array%load(b, start=[3, 1], count=[1, 3])
    call check(all(abs(b - [3, 7, 11]) <= 0), 'load a row')
  end subroutine

  subroutine test_wrong_calls()
    real(real64) :: image(4, 3), cube(4, 3, 1), column(4)
    real(real64), allocatable :: never(:, :), vector(:)
    type(asdf_options) :: options
    type(asdf_array) :: empty
    type(asdf_file) :: halves
    integer :: stat, i, square(2, 2)
    integer, allocatable :: whole(:)
    character(:), allocatable :: message
    character(*), parameter :: place = ', at /image: '
    call file%read('image', cube, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'another rank')
    call expect_message(message, place//'the array has the shape (4, 3), but the variable has (4, 3, 1)')
    call file%read('image', image(:3, :), stat=stat, errmsg=message)
    call expect_message(message, place//'the array has the shape (4, 3), but the variable has (3, 3)')
    call file%read('image', image, start=[2, 2], stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_OUT_OF_RANGE, 'a region beyond the array')
    call expect_message(message, place//'start 2, count 4 and step 1 reach outside of axis 1, which has 4 elements')
    call file%read('image', image, start=[1, 0], stat=stat, errmsg=message)
    call expect_message(message, place//'start 0, count 3 and step 1 reach outside of axis 2, which has 3 elements')
    call file%read('image', image(:2, :), start=[1, 1], count=[2, 3], step=[-1, 1], stat=stat, errmsg=message)
    call expect_message(message, place//'start 1, count 2 and step -1 reach outside of axis 1, which has 4 elements')
    call file%read('image', image, start=[1, 1, 1], stat=stat, errmsg=message)
    call expect_message(message, place//'start has 3 numbers, but the array has 2 axes')
    call file%read('image', image, start=[1., 1.], stat=stat, errmsg=message)
    call expect_message(message, place//'start must have integers of kind int32 or int64')
    call file%read('image', column, start=[1, 1], stat=stat, errmsg=message)
    call expect_message(message, place//'the array has 2 axes, but the variable has 1 axis: pass count to say which')
    call file%read('image', column, start=[1, 1], count=[3, 1], stat=stat, errmsg=message)
    call expect_message(message, place//'the region has the shape (3, 1), but the variable has (4)')
    call file%read('image', image, step=[0, 1], stat=stat)
    call check(stat /= ASDF_OK, 'a step of 0')
    call file%load('image', vector, stat=stat, errmsg=message)
    call expect_message(message, place//'the array has 2 axes, but the variable has 1')
    call check(.not. allocated(vector), 'a failed load allocates nothing')
    call file%load('image', vector, start=[1, 1], count=[4, 2], stat=stat, errmsg=message)
    call expect_message(message, place//'the array has 2 axes, but the variable has 1')
    call halves%new()
    call halves%set('row', [(1d0, i = 1, 9), 2.5d0])
    call halves%set('matrix', reshape([1d0, 2d0, 2.5d0, 3d0], [2, 2]))
    call halves%load('row', whole, stat=stat, errmsg=message)
    call expect_message(message, 'at /row: element 10 is 2.5, which int32 cannot hold')
    call halves%load('row', whole, start=[10], stat=stat, errmsg=message)
    call expect_message(message, 'at /row: element 1 is 2.5, which int32 cannot hold')
    call halves%read('matrix', square, stat=stat, errmsg=message)
    call expect_message(message, 'at /matrix: element 3 is 2.5, which int32 cannot hold')
    call halves%read('row', square, stat=stat, errmsg=message)
    call expect_message(message, 'at /row: the array has the shape (10), but the variable has (2, 2)')
    call file%load('imag', never, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'load what is not there')
    call file%write('image', image, stat=stat)
    call expect(stat, ASDF_ERR_READ_ONLY, 'write over a file that is open for reading')
    call options%set(durable=.false.)
    call file%read('image', image, options=options, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'an option of other calls')
    call empty%read(image, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'an empty variable')
    call check(index(message, 'its file is not open') > 0, 'the message tells why')
    call check(size(file%shape('imag', stat)) == 0, 'shape of nothing')
    call expect(stat, ASDF_ERR_NOT_FOUND, 'shape of nothing')
  end subroutine

  subroutine test_writing()
    real(real64) :: image(4, 3), section(2, 6)
    integer(int16) :: small(1, 3)
    logical :: flags(4, 3)
    character(3) :: short(2, 1)
    character(:), allocatable :: grid(:, :)
    type(asdf_array) :: array
    integer :: stat
    call file%open_for_update(name)
    image = 0
    section = -1
    call file%write('image', section(:, ::2), start=[2, 1], step=[2, 1])
    small = 77
    call file%write('image', small, start=[1, 1])
    call file%write('flags', reshape([(.true., i=1, 4)], [4, 1]), start=[1, 1])
    short = reshape(['x  ', 'yy '], [2, 1])
    call file%write('sections of names', short, start=[1, 2])
    call file%get_array('whole', array)
    call array%write(reshape([1, 2, 3, 4], [2, 2]))
    call array%write(reshape([5000000000_int64], [1, 1]), start=[1, 1], stat=stat)
    call expect(stat, ASDF_ERR_OVERFLOW, 'write beyond int32')
    call array%write(reshape([5000000000_int64], [1, 1]), start=[2, 2], clamp=.true.)
    call file%write('zlib', image, stat=stat)
    call expect(stat, ASDF_ERR_UNSUPPORTED, 'write over a compressed array')
    call file%set('masked', image, keep=.true., compression='lz4')
    call file%set('bad', image, compression='gzip', stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'an unknown codec')
    call file%save(stat=stat)
    call expect(stat, ASDF_ERR_INCOMPLETE, 'save after a failed setter')
    call file%forget_failure()
    call file%save(durable=.false.)
    call file%close()
    call file%open(name, verify_checksums=.true.)
    call file%read('image', image)
    call check(all(abs(image(2::2, :) + 1) <= 0) .and. all(abs(image(1, :) - 77) <= 0) .and. abs(image(3, 2) - 7) <= 0, &
               'written regions')
    call file%read('flags', flags)
    call check(all(flags(:, 1)), 'written flags')
    call file%load('sections of names', grid)
    call check(grid(1, 2) == 'x' .and. grid(2, 2) == 'yy' .and. grid(2, 1) == 'bb', 'written strings')
    call file%get_array('masked', array)
    call check(array%has_mask(), 'the mask stays')
    call file%get_array('whole', array)
    call array%read(image(:2, :2))
    call check(abs(image(1, 1) - 1) <= 0 .and. abs(image(2, 2) - huge(1)) <= 0, 'clamped')
  end subroutine

  subroutine test_chunks()
    type(asdf_options) :: options
    type(asdf_file) :: reader
    real(real32) :: step(4, 3)
    real(real32), allocatable :: steps(:, :, :)
    integer(int32), allocatable :: found(:, :)
    integer :: stat, number
    call file%new()
    call options%set(chunks=[4, 3, 2], codec='zlib')
    call file%set_zeros('run/heat', [4, 3, 0], ASDF_FLOAT32, options)
    call options%set(chunks=[3_int64, 2_int64], chunk_codec='gzip', chunk_filters=[character(7) :: 'delta', 'shuffle'])
    call options%unset(ASDF_OPTION_CODEC)
    call file%set('z', reshape(numbers, [4, 3]), options=options)
    call options%set(chunks=[3.0, 2.0], stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'chunks that are no integers')
    call file%get('z/.zarray/chunks/0', number)
    call check(number == 2, 'the order of chunks')
    call file%write('chunked.asdf', replace=.true.)
    call file%open_for_update('chunked.asdf')
    do i = 1, 5
      step = real(i, real32)
      if (i == 3) then
        call file%append('run/heat', reshape(step, [4, 3, 1]))
      else
        call file%append('run/heat', step)
      end if
      call file%save()
      call reader%open('chunked.asdf')
      call reader%load('run/heat', steps)
      call check(all(shape(steps) == [4, 3, i]) .and. all(abs(steps(:, :, i) - i) <= 0), 'steps after each save')
      call reader%close()
    end do
    call file%append('run/heat', step(:, 1), stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'a step of another rank')
    call file%append('run/heat', step(:3, :), stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'a step of another shape')
    call file%resize('run/heat', [4, 3, 2])
    call file%load('run/heat', steps)
    call check(all(shape(steps) == [4, 3, 2]) .and. all(abs(steps(:, :, 2) - 2) <= 0), 'cut steps')
    call file%load('z', found)
    call check(all(found == reshape(numbers, [4, 3])), 'codecs of zarr')
    call file%close()
  end subroutine

end program
