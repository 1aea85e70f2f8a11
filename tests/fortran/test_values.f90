!> Scalars of the tree: every conversion and its limits, strings of any length, units; and the messages of failures.
program test_values
  use asdfkit
  use checks
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, int8, real128, real32, real64
  implicit none
  character(*), parameter :: name = 'values.asdf'
  type(asdf_file) :: file
  call make()
  call file%open(name)
  call test_numbers()
  call test_strings()
  call test_failures()
  call file%close()
  call finish('values')

contains

  subroutine make()
    character(3000) :: long
    long = repeat('x', len(long))
    call file%new()
    call file%set('small', -127_int8 - 1_int8)
    call file%set('medium', 300_int16)
    call file%set('large', 3000000000_int64)
    call file%set('half', 0.5_real32)
    call file%set('huge', 1e300_real64)
    call file%set('z', (1._real64, -2._real64))
    call file%set('wide z', (1e300_real64, 0._real64))
    call file%set('yes', .true.)
    call file%set('no', .false._c_bool)
    call file%set('text', 'Roman   ')
    call file%set('long', long)
    call file%set('empty', '   ')
    call file%set('umlaut', 'Größe')
    call file%set_timestamp('start', '2027-01-31T04:05:06Z')
    call file%set_null('nothing')
    call file%write(name, replace=.true., durable=.false.)
    call file%close()
  end subroutine

  subroutine test_numbers()
    integer(int8) :: i8
    integer(int16) :: i16
    integer(int32) :: i32
    integer(int64) :: i64
    real(real32) :: r32
    real(real64) :: r64
    complex(real32) :: c32
    complex(real64) :: c64
    logical :: yes
    logical(c_bool) :: no
    integer :: stat
    character(:), allocatable :: message

    call file%get('small', i8)
    call check(i8 == -128, 'get int8')
    call file%get('small', i64)
    call check(i64 == -128, 'get int64')
    call file%get('small', r32)
    call check(abs(r32 + 128) <= 0, 'get real32 from an integer')
    call file%get('medium', i16)
    call check(i16 == 300, 'get int16')
    call file%get('medium', i8, stat, message)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'get int8 from 300')
    call expect_message(message, ', at /medium: 300 does not fit int8')
    call file%read('medium', i8, stat=stat)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'read int8 from 300')
    i16 = 7
    call file%get('large', i16, stat)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'get int16 from 3000000000')
    call check(i16 == 7, 'a failed get changes nothing')
    call file%get('large', i32, stat, message)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'get int32 from 3000000000')
    call expect_message(message, ', at /large: 3000000000 does not fit int32')
    message = 'old'
    call file%get('large', i64, stat, message)
    call expect(stat, ASDF_OK, 'get int64 from 3000000000')
    call check(message == 'old', 'a success leaves the message')
    call check(i64 == 3000000000_int64, 'get int64')
    call file%get('half', r64)
    call check(abs(r64 - 0.5) <= 0, 'get real64')
    call file%get('half', i32, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'get int32 from 0.5')
    call file%get('huge', r64)
    call check(abs(r64 - 1e300_real64) <= 0, 'get 1e300')
    call file%get('huge', r32, stat, message)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'get real32 from 1e300')
    call expect_message(message, ', at /huge: 1.0e+300 does not fit real32')
    call file%get('z', c64)
    call check(abs(c64 - (1._real64, -2._real64)) <= 0, 'get complex64')
    call file%get('z', c32)
    call check(abs(c32 - (1., -2.)) <= 0, 'get complex32')
    call file%get('half', c32)
    call check(abs(c32 - (0.5, 0.)) <= 0, 'get complex32 from a real number')
    call file%get('wide z', c32, stat)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'get complex32 from 1e300')
    call file%get('z', r64, stat)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'get real64 from a complex number')
    call file%get('yes', yes)
    call file%get('no', no)
    call check(yes .and. .not. no, 'get logicals')
    call file%get('small', yes, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'get a logical from an integer')
  end subroutine

  subroutine test_strings()
    character(:), allocatable :: text, message
    character(8) :: fixed
    character(4) :: short
    integer :: stat
    call file%get('text', text)
    call check(text == 'Roman' .and. len(text) == 5, 'get a string without padding')
    call file%read('text', fixed)
    call check(fixed == 'Roman', 'read a string of fixed length')
    short = 'old'
    call file%read('text', short, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_VALUE_RANGE, 'read a string into a short variable')
    call expect_message(message, ', at /text: Roman does not fit a variable of length 4')
    call check(short == 'old', 'the variable stays')
    call file%get('long', text)
    call check(text == repeat('x', 3000), 'get a long string')
    call file%get('empty', text)
    call check(len(text) == 0, 'get an empty string')
    call file%get('umlaut', text)
    call check(text == 'Größe', 'get UTF-8')
    call file%get('start', text)
    call check(text == '2027-01-31T04:05:06Z', 'get a timestamp')
    call check(file%text('half') == '0.5', 'text of a number')
    call file%get('small', text, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'get a string from an integer')
  end subroutine

  subroutine test_failures()
    character(:), allocatable :: message, path, name_of_file
    character(21) :: short
    character(300) :: long
    ! Compilers without real128 have a kind of 80 bits.
    integer, parameter :: wide = merge(real128, selected_real_kind(18), real128 > 0)
    real(wide) :: quad
    real(wide), allocatable :: quads(:)
    real :: value
    integer :: stat, status, line, column
    integer(int64) :: offset
    call file%get('txt', value, stat, message)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'get what is not there')
    call check(index(message, "no key 'txt'") > 0, 'message of the library')
    call file%get('text', value, stat, message)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'get a number from a string')
    call expect_message(message, ', at /text: expected a number, found a string')
    call asdf_error(status, line, column, offset, path, name_of_file)
    call expect(status, ASDF_ERR_WRONG_TYPE, 'status of the last failure')
    call check(line == 16 .and. column == 7 .and. offset > 300, 'position of the last failure')
    call check(path == '/text' .and. name_of_file == 'values.asdf', 'place of the last failure')
    call file%set('new', 1, stat=stat)
    call expect(stat, ASDF_ERR_READ_ONLY, 'set in a file that is open for reading')
    call file%get('text', value, stat)
    call asdf_error(message=short)
    call check(short == 'values.asdf:16:7, byt', 'the message in a text of fixed length')
    call file%get('half', value, stat)
    call check(short == 'values.asdf:16:7, byt', 'a success leaves the text')
    call file%set('new', 1.0_wide, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_UNSUPPORTED, 'real128')
    call asdf_error(status=status, line=line, message=long)
    call expect(status, ASDF_ERR_UNSUPPORTED, 'status of a failure that the binding found')
    call check(line == -1 .and. long == message, 'its message')
    quad = 1
    call file%load('half', quads, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_UNSUPPORTED, 'arrays of kind real128')
    call file%get('half', quad, stat=stat)
    call expect(stat, ASDF_ERR_UNSUPPORTED, 'get real128')
  end subroutine
end program
