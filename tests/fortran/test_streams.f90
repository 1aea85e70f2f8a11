!> Arrays written row by row: rows of each kind and of ranks 0 to 6, several rows in one call, compression, errors.
!! Python asdf reads the files; see streams.py.
program test_streams
  use asdfkit
  use checks
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  character(:), allocatable :: message
  integer :: stat

  call stream_kinds()
  call stream_shapes()
  call stream_storage()
  call refuse()
  call finish('streams')
  if (allocated(message)) deallocate (message)

contains

  !> One array of three numbers for each kind, pushed as one row and two.
  subroutine stream_kinds()
    type(asdf_file) :: file
    type(asdf_stream) :: stream
    integer, parameter :: numbers(3) = [1, -2, 3]
    logical, parameter :: flags(3) = [.true., .false., .true.]
    complex(real64), parameter :: complexes(3) = [(1d0, 2d0), (-3d0, 0d0), (0d0, 0.5d0)]
    character(5), parameter :: texts(3) = ['Vega ', '     ', 'Deneb']
    call file%new()
    call file%set('note', 'kinds')
    call stream%create(file, 'stream_int8.asdf', 'a', mold=0_int8)
    call stream%push(int(numbers(1), int8))
    call stream%push(int(numbers(2:), int8))
    call stream%finish()
    call stream%create(file, 'stream_int16.asdf', 'a', mold=0_int16)
    call stream%push(int(numbers(1), int16))
    call stream%push(int(numbers(2:), int16))
    call stream%finish()
    call stream%create(file, 'stream_int32.asdf', 'a', mold=0_int32)
    call stream%push(int(numbers(1), int32))
    call stream%push(int(numbers(2:), int32))
    call stream%finish()
    call stream%create(file, 'stream_int64.asdf', 'a', mold=0_int64)
    call stream%push(int(numbers(1), int64))
    call stream%push(int(numbers(2:), int64))
    call stream%finish()
    call stream%create(file, 'stream_float32.asdf', 'a', mold=0.0_real32)
    call stream%push(real(numbers(1), real32))
    call stream%push(real(numbers(2:), real32))
    call stream%finish()
    call stream%create(file, 'stream_float64.asdf', 'a', mold=0.0_real64)
    call stream%push(real(numbers(1), real64))
    call stream%push(real(numbers(2:), real64))
    call stream%finish()
    call stream%create(file, 'stream_complex64.asdf', 'a', mold=(0.0_real32, 0.0_real32))
    call stream%push(cmplx(complexes(1), kind=real32))
    call stream%push(cmplx(complexes(2:), kind=real32))
    call stream%finish()
    call stream%create(file, 'stream_complex128.asdf', 'a', mold=(0.0_real64, 0.0_real64))
    call stream%push(complexes(1))
    call stream%push(complexes(2:))
    call stream%finish()
    call stream%create(file, 'stream_logical.asdf', 'a', mold=.true.)
    call stream%push(flags(1))
    call stream%push(flags(2:))
    call stream%finish()
    call stream%create(file, 'stream_bool.asdf', 'a', mold=.true._c_bool)
    call stream%push(logical(flags(1), c_bool))
    call stream%push(logical(flags(2:), c_bool))
    call stream%finish()
    call stream%create(file, 'stream_text.asdf', 'a', mold=texts(1))
    call stream%push(texts(1))
    call stream%push(texts(2:))
    call stream%finish()
  end subroutine

  !> Rows of ranks 1 to 6, one by one and two at once, also sections with gaps.
  subroutine stream_shapes()
    type(asdf_file) :: file
    type(asdf_stream) :: stream
    integer(int32) :: matrix(2, 3), several(2, 3, 4), deep(1, 2, 1, 2, 1, 2)
    integer(int32), allocatable :: back(:, :, :)
    integer :: i
    several = reshape([(i, i=1, 24)], shape(several))
    matrix = several(:, :, 1)
    call file%new()
    call stream%create(file, 'stream_matrix.asdf', 'm/a', mold=matrix)
    call stream%push(matrix)
    call stream%push(several(:, :, 2:3))
    call stream%push(several(:, :, 4:4))
    call stream%push(several(:, :, 4:1:-3))
    call stream%push(several(:, :, 1:0))
    call check(stream%rows() == 6, 'number of rows')
    call stream%finish()
    call check(stream%rows() == 6, 'number of rows at the end')
    call file%open('stream_matrix.asdf')
    call file%load('m/a', back)
    call check(all(shape(back) == [2, 3, 6]), 'shape of the array')
    call check(all(back(:, :, :4) == several), 'rows of the array')
    call check(all(back(:, :, 5) == several(:, :, 4)) .and. all(back(:, :, 6) == matrix), 'rows of a section')
    deep = reshape([(i, i=1, 8)], shape(deep))
    call file%new()
    call stream%create(file, 'stream_deep.asdf', 'a', mold=deep)
    call stream%push(deep)
    call stream%push(reshape([deep, -deep], [1, 2, 1, 2, 1, 2, 2]))
    call stream%finish()
  end subroutine

  subroutine stream_storage()
    type(asdf_file) :: file
    type(asdf_stream) :: stream
    real(real64) :: row(1000)
    logical :: exists
    integer :: i
    call file%new()
    call stream%create(file, 'stream_zlib.asdf', 'a', mold=row, compression='zlib', level=9, durable=.false.)
    do i = 1, 20
      row = i
      call stream%push(row)
    end do
    call stream%finish()
    call stream%create(file, 'stream_open.asdf', 'a', mold=row, storage=ASDF_STORAGE_STREAMED)
    call stream%push(row)
    call stream%finish()
    ! The old file stays until the new one is complete, and a stream without an end leaves no file.
    call stream%create(file, 'stream_open.asdf', 'a', mold=1, replace=.true.)
    call stream%push(5)
    call stream%free()
    inquire (file='stream_open.asdf', exist=exists)
    call check(exists, 'the old file')
    call stream%create(file, 'stream_none.asdf', 'a', mold=1)
    call stream%free()
    inquire (file='stream_none.asdf', exist=exists)
    call check(.not. exists, 'no file without an end')
  end subroutine

  subroutine refuse()
    type(asdf_file) :: file, none
    type(asdf_stream) :: stream
    type(asdf_options) :: options
    real, allocatable :: nothing(:)
    integer(int64) :: rows
    allocate (nothing(1))
    deallocate (nothing)
    call stream%push([1, 2], stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'stream')
    call stream%finish(stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'stream')
    rows = stream%rows(stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'stream')
    call stream%create(none, 'x.asdf', 'a', mold=1, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'file')
    call file%new()
    call stream%create(file, 'x.asdf', 'a', mold=nothing, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'x.asdf: the mold is not allocated')
    call stream%create(file, 'stream_zlib.asdf', 'a', mold=1, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_EXISTS, 'stream_zlib.asdf')
    call stream%create(file, 'x.asdf', 'a', mold=1, compression='xyz', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'xyz')
    call options%set(described_values=1)
    call stream%create(file, 'x.asdf', 'a', mold=1, options=options, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "'described_values'")
    call stream%create(file, 'x.asdf', 'a', mold=[1, 2])
    call stream%push([1.0, 2.0], stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'x.asdf: the rows have another kind')
    call stream%push([1, 2, 3], stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'the rows have the shape (3), but a row has (2)')
    call stream%push(1, stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'the rows have the shape (), but a row has (2)')
    call stream%push([1, 2])
    call check(stream%rows() == 1, 'only the right row')
    call stream%finish()
    call stream%push([1, 2], stat, message)
    call check_failure(stat, message, ASDF_ERR_CLOSED, 'finished')
    call stream%finish(stat, message)
    call check_failure(stat, message, ASDF_ERR_CLOSED, 'finished')
  end subroutine
end program
