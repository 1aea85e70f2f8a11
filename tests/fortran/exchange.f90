!> Reads a file of Python asdf, and writes one that Python asdf reads: exchange INPUT OUTPUT
program exchange
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, int8, real32, real64
  implicit none
  character(1000) :: names(2)
  type(asdf_file) :: file
  call get_command_argument(1, names(1))
  call get_command_argument(2, names(2))
  call file%open(names(1))
  call read_all()
  call file%close()
  call write_all()
  call finish('exchange')

contains

  !> Element [k, j, i] of the numpy arrays is 12*k + 4*j + i, of shape (2, 3, 4).
  subroutine read_all()
    character(*), parameter :: kinds(10) = [character(8) :: 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', &
                                            'uint64', 'float32', 'float64']
    integer :: i, number, stat
    integer(int8) :: bytes(4, 3, 2)
    integer(int64) :: longs(4, 3, 2), row(3)
    integer(int32), allocatable :: loaded(:, :, :)
    real(real64) :: reals(4, 3, 2)
    real(real32), allocatable :: half(:), masked(:, :)
    complex(real64), allocatable :: z(:)
    logical, allocatable :: flags(:), mask(:, :)
    character(:), allocatable :: words(:), message, text
    integer(int8) :: small(2)
    do i = 1, size(kinds)
      associate (expected => reshape([(number, number=0, 23)], [4, 3, 2]))
        call file%read(kinds(i), bytes)
        call check(all(bytes == expected), kinds(i)//' as int8')
        call file%load(kinds(i), loaded)
        call check(all(loaded == expected), kinds(i)//' as int32')
        call file%read(kinds(i), longs)
        call check(all(longs == expected), kinds(i)//' as int64')
        call file%read(kinds(i), reals)
        call check(all(abs(reals - expected) <= 0), kinds(i)//' as real64')
        call file%read(kinds(i), row, start=[2, 1, 2], count=[1, 3, 1])
        call check(all(row == [13, 17, 21]), kinds(i)//': a row')
      end associate
    end do
    call file%read('large uint8', small, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_OVERFLOW, '200 as int8')
    call file%read('large uint64', row(:1), stat=stat)
    call expect(stat, ASDF_ERR_OVERFLOW, '2^64 - 1 as int64')
    call file%load('float16', half)
    call check(all(abs(half - [0.5, 1.5]) <= 0), 'float16')
    call file%load('complex', z)
    call check(all(abs(z - [(1._real64, 2._real64), (3._real64, -4._real64)]) <= 0), 'complex')
    call file%load('flags', flags)
    call check(all(flags .eqv. [.true., .false., .true.]), 'bool')
    call file%load('words', words)
    call check(all(words == [character(7) :: 'Größe', '', 'plain']), 'words')
    call file%load('list', words)
    call check(all(words == [character(3) :: 'a', 'bcd']), 'list of words')
    call file%load('masked', masked, mask=mask)
    call check(all(mask .eqv. reshape([.false., .true., .false., .false., .false., .true.], [3, 2])), 'mask')
    call file%get('meta/name', text)
    call check(text == 'Größe', 'text')
  end subroutine

  subroutine write_all()
    integer :: number
    integer, parameter :: numbers(24) = [(number, number=0, 23)]
    call file%new()
    call file%set('int8', reshape(int(numbers, int8), [4, 3, 2]))
    call file%set('int16', reshape(int(numbers, int16), [4, 3, 2]), byte_order=ASDF_BYTE_ORDER_BIG)
    call file%set('int32', reshape(numbers, [4, 3, 2]), compression='zlib')
    call file%set('int64', reshape(int(numbers, int64), [4, 3, 2]), compression='bzp2')
    call file%set('float32', reshape(real(numbers, real32), [4, 3, 2]), storage=ASDF_STORAGE_INLINE)
    call file%set('float64', reshape(real(numbers, real64), [4, 3, 2]), stored_order=ASDF_ORDER_FORTRAN)
    call file%set('complex64', reshape(cmplx(numbers, -numbers, real32), [4, 3, 2]))
    call file%set('complex128', reshape(cmplx(numbers, -numbers, real64), [4, 3, 2]))
    call file%set('bool8', reshape(mod(numbers, 3) == 0, [4, 3, 2]))
    call file%set('words', [character(7) :: 'Größe', '', 'plain'])
    call file%set('ascii', reshape([character(3) :: 'a', 'b c', '', 'd'], [2, 2]))
    call file%set('masked', reshape(real(numbers(:6)), [3, 2]), mask=reshape(numbers(:6) == 4, [3, 2]))
    call file%set('scalar', 2.5_real64)
    call file%set('text', 'Größe')
    call file%set('meta/list/-', 1)
    call file%set('meta/list/-', 'two')
    call file%add_history('written by Fortran')
    call file%write(names(2), replace=.true.)
  end subroutine
end program
