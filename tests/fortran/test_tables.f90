!> Tables: columns of every kind and rank, masks, properties; ECSV files of astropy, and files for astropy to read.
!! tables.py makes the input and checks the output.
program test_tables
  use asdfkit
  use checks
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  character(1000) :: folder
  character(:), allocatable :: message
  integer :: stat

  call get_command_argument(1, folder)
  folder = trim(folder)//'/'
  call read_columns()
  call read_masks()
  call read_texts()
  call read_lists()
  call read_rows()
  call read_properties()
  call refuse_reading()
  call add_columns()
  call refuse_adding()
  call write_files()
  call use_asdf_files()
  call share()
  call finish('tables')
  if (allocated(message)) deallocate (message)

contains

  function path(name)
    character(*), intent(in) :: name
    character(:), allocatable :: path
    path = trim(folder)//name
  end function

  !> Each kind reads the columns that it can hold.
  subroutine read_columns()
    type(asdf_table) :: stars
    integer(int8), allocatable :: i1(:)
    integer(int16), allocatable :: i2(:, :, :)
    integer(int32), allocatable :: i4(:)
    integer(int64), allocatable :: i8(:)
    real(real32), allocatable :: r4(:, :)
    real(real64), allocatable :: r8(:)
    complex(real32), allocatable :: c4(:)
    complex(real64), allocatable :: c8(:)
    logical, allocatable :: flags(:), missing(:, :, :)
    logical(c_bool), allocatable :: bytes(:)
    integer :: i
    call stars%read_ecsv(path('stars.ecsv'))
    call check(stars%rows() == 4 .and. stars%columns() == 11, 'size of the table')
    call stars%get('id', i8)
    call check(all(i8 == [1_int64, 2_int64, 3_int64, 2_int64**40]), 'int64')
    call stars%get('counts ', i4)
    call check(all(i4 == [0, 1, 200, 255]), 'int32 from uint8')
    call stars%get('counts', i1, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OVERFLOW, "column 'counts': element 2 is 200")
    call stars%get('counts', i1, first=1, count=2_int64)
    call check(all(i1 == [0, 1]), 'int8')
    call stars%get('cube', i2, mask=missing)
    call check(all(shape(i2) == [3, 2, 4]), 'shape of int16')
    call check(all(pack(i2, .not. missing) == pack([(int(i, int16), i=0, 23)], [(mod(i, 7) /= 3, i=0, 23)])), 'int16')
    call stars%get('position', r4)
    call check(all(shape(r4) == [2, 4]), 'shape of real32')
    call check(all(r4 == reshape([(i/8.0, i=0, 7)], [2, 4])), 'real32')
    call stars%get('flux', r8, fill=-5.0_real64)
    call check(all(r8 == [0.5d0, 2.25d0, -5d0, 1000d0]), 'real64')
    call stars%get('wave', c4)
    call check(all(c4 == [(1.0, 2.0), (3.0, -4.0), (0.5, 0.0), (0.0, -1.0)]), 'complex of real32')
    call stars%get('wave', c8)
    call check(all(c8 == c4), 'complex of real64')
    call stars%get('good', flags)
    call check(all(flags .eqv. [.true., .false., .true., .true.]), 'default logicals')
    call stars%get('good', bytes)
    call check(all(bytes .eqv. [.true., .false., .true., .true.]), 'logicals of kind c_bool')
  end subroutine

  subroutine read_masks()
    type(asdf_table) :: stars
    real(real64), allocatable :: flux(:)
    integer(int32), allocatable :: cube(:, :, :)
    logical, allocatable :: missing(:), wrong(:, :), missing_cube(:, :, :), flags(:)
    integer :: i
    call stars%read_ecsv(path('stars.ecsv'))
    call stars%get('flux', flux, mask=missing)
    call check(all(missing .eqv. [.false., .false., .true., .false.]), 'mask')
    call check(sum(flux, mask=.not. missing) == 1002.75, 'masked sum')
    call stars%get('cube', cube, mask=missing_cube, fill=-1)
    call check(all(pack(missing_cube, .true.) .eqv. [(mod(i, 7) == 3, i=0, 23)]), 'mask of rank 3')
    call check(all(pack(cube, .true.) == [(merge(-1, i, mod(i, 7) == 3), i=0, 23)]), 'fill')
    call stars%get('good', flags, mask=missing, fill=.true.)
    call check(.not. any(missing), 'no missing flag')
    call stars%get('flux', flux, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_MASKED, "column 'flux': some values are missing")
    call stars%get('flux', flux, mask=wrong, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "column 'flux': the mask needs rank 1")
    call check(.not. allocated(wrong), 'no mask after a failure')
  end subroutine

  subroutine read_texts()
    type(asdf_table) :: stars
    character(:), allocatable :: names(:), labels(:, :), extra(:)
    logical, allocatable :: missing(:)
    call stars%read_ecsv(path('stars.ecsv'))
    call stars%get('name', names, mask=missing)
    call check(len(names) == 6 .and. size(names) == 4, 'length of names')
    call check(all(names(:3) == ['Vega  ', 'Sirius', 'Mira A']), 'names')
    call check(all(missing .eqv. [.false., .false., .false., .true.]), 'missing name')
    call stars%get('name', names, fill='nameless')
    call check(len(names) == 8 .and. names(4) == 'nameless' .and. names(1) == 'Vega', 'name that replaces a missing one')
    call stars%get('labels', labels)
    call check(all(shape(labels) == [2, 4]) .and. len(labels) == 3, 'shape of labels')
    call check(all(labels(1, :) == ['a ', 'd ', 'ef', 'h ']), 'first labels')
    call check(all(labels(2, :) == ['bc ', '   ', 'g  ', 'ijk']), 'second labels')
    call stars%get('extra', extra, mask=missing)
    call check(extra(1) == '{"a":1}' .and. extra(3) == '[1,"x"]' .and. extra(2) == 'null', 'JSON')
    call stars%get('flux', names, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, "column 'flux'")
  end subroutine

  subroutine read_lists()
    type(asdf_table) :: stars
    integer(int32), allocatable :: elements(:)
    integer(int64), allocatable :: lengths(:)
    real(real64), allocatable :: positions(:), matrix(:, :)
    character(:), allocatable :: labels(:)
    logical, allocatable :: missing(:)
    call stars%read_ecsv(path('stars.ecsv'))
    call stars%get_lists('lists', elements, lengths)
    call check(all(elements == [1, 2, 3, 4, 5, 6]), 'elements of lists')
    call check(all(lengths == [2, 1, 0, 3]), 'lengths of lists')
    call stars%get_lists('lists', elements, lengths, first=3, mask=missing)
    call check(all(elements == [4, 5, 6]) .and. all(lengths == [0, 3]) .and. size(missing) == 3, 'some lists')
    call stars%get_lists('position', positions, lengths)
    call check(all(lengths == 2) .and. positions(8) == 0.875, 'cells of fixed shape as lists')
    call stars%get_lists('labels', labels, lengths)
    call check(labels(8) == 'ijk' .and. size(labels) == 8, 'texts as lists')
    call stars%get_lists('nothing', elements, lengths, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "no column 'nothing'")
    call stars%get('lists', matrix, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "column 'lists': its cells are lists")
  end subroutine

  subroutine read_rows()
    type(asdf_table) :: stars
    real(real64), allocatable :: flux(:)
    integer(int64), allocatable :: id(:)
    call stars%read_ecsv(path('stars.ecsv'), columns=['id  ', 'flux'], first=2, count=2)
    call check(stars%rows() == 2 .and. stars%columns() == 2 .and. stars%name(1) == 'flux', 'part of a file')
    call stars%get('id', id, first=2_int64)
    call check(all(id == [3]), 'last row')
    call stars%get('flux', flux, first=3)
    call check(size(flux) == 0, 'no row')
    call stars%get('flux', flux, first=4, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, "column 'flux'")
    call stars%get('flux', flux, first=0, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, "column 'flux': first is 0, but rows count from 1")
    call stars%get('flux', flux, count=-1, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, '-1')
    call stars%get('flux', flux, count=1.5, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'count must be an integer')
    call stars%read_ecsv(path('stars.ecsv'), columns=['nix'], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'nix')
    call check(stars%rows() == 0 .and. stars%columns() == 0, 'no table after a failure')
    call stars%read_ecsv(path('stars.ecsv'), first='one', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'first must be an integer')
    call stars%read_ecsv(path('stars.ecsv'), first=0, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, 'first is 0')
    call stars%read_ecsv(path('no.ecsv'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_NOT_FOUND, 'no.ecsv')
    call stars%read_ecsv_text('# %ECSV 1.0'//new_line('a')//'# ---'//new_line('a')//'# datatype:'//new_line('a')// &
                              '# - {name: a, datatype: int8}'//new_line('a')//'a'//new_line('a')//'null'// &
                              new_line('a')//'5', null_values=['null'])
    call stars%get('a', id, fill=-1_int64)
    call check(all(id == [-1, 5]), 'text of a file')
    call stars%read_ecsv_text('a', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_ECSV, 'ECSV')
  end subroutine

  subroutine read_properties()
    type(asdf_table) :: stars
    type(asdf_node) :: meta
    type(asdf_report) :: warnings
    character(:), allocatable :: names(:), text
    integer(int64), allocatable :: extents(:)
    integer :: year
    call stars%read_ecsv(path('stars.ecsv'))
    call stars%names(names)
    call check(len(names) == 8 .and. names(1) == 'name' .and. names(6) == 'position', 'names')
    call check(stars%name(11) == 'extra' .and. stars%position('extra') == 11, 'position')
    call check(stars%has('flux') .and. .not. stars%has('Flux'), 'has')
    call check(stars%datatype('counts') == ASDF_UINT8 .and. stars%datatype('extra') == ASDF_JSON, 'datatype')
    call stars%get_shape('cube', extents)
    call check(all(extents == [3, 2, 4]), 'shape')
    call stars%get_shape('lists', extents)
    call check(all(extents == [-1, 4]), 'shape of lists')
    call check(stars%unit('flux') == 'Jy' .and. stars%unit('id') == '', 'unit')
    call check(stars%description('flux') == 'peak flux', 'description')
    call check(stars%format('flux') == '%.2f', 'format')
    call check(stars%schema() == 'astropy-2.0', 'schema')
    call check(stars%declared_datatype('cube') == 'string', 'declared datatype')
    call check(stars%declared_subtype('cube') == 'int16[2,3]', 'declared subtype')
    call stars%get_meta(meta)
    call meta%get('observer/year', year)
    call check(year == 1785, 'metadata')
    call stars%get_meta(meta, column='flux')
    call check(meta%has('band'), 'metadata of a column')
    call stars%warnings(warnings)
    call check(warnings%count() == 0 .and. warnings%dropped() == 0, 'no warning')

    call stars%get_meta(meta, column='id', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'id'")
    text = stars%name(12, stat, message)
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, '11')
    call check(text == '', 'no name')
    call check(stars%position('nix', stat, message) == 0, 'no position')
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    call check(stars%datatype('nix', stat, message) == 0, 'no datatype')
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    call stars%get_shape('nix', extents, stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    text = stars%unit('nix', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    text = stars%description('nix', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    text = stars%format('nix', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    text = stars%declared_datatype('nix', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    text = stars%declared_subtype('nix', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'nix'")
    call stars%free()
    text = stars%schema(stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'table')
    call stars%warnings(warnings, stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'table')
    call stars%names(names, stat, message)
    call check(stat == 0 .and. size(names) == 0, 'no names')
  end subroutine

  subroutine refuse_reading()
    type(asdf_table) :: stars
    real(real64), allocatable :: vector(:), matrix(:, :)
    call stars%read_ecsv(path('stars.ecsv'))
    call stars%get('position', vector, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, &
      "column 'position': the values need rank 2 and the shape (2, 4), not rank 1")
    call stars%get('flux', matrix, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'the shape (4), not rank 2')
    call stars%get('name', vector, fill=0d0, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_CONVERSION, "column 'name'")
    call stars%free()
    call stars%get('flux', vector, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'table')
  end subroutine

  subroutine add_columns()
    type(asdf_table) :: table, stars
    type(asdf_node) :: meta
    integer :: i
    integer, parameter :: numbers(3) = [-1, 2, 3]
    real, parameter :: reals(3) = [0.5, -2.25, 8.0]
    complex, parameter :: complexes(3) = [(1.0, 2.0), (-3.0, 0.0), (0.0, 4.0)]
    logical, parameter :: flags(3) = [.true., .false., .true.]
    integer(int32) :: cube(2, 4, 3)
    character(4), parameter :: labels(2, 3) = reshape(['a   ', 'bc  ', 'd   ', 'e   ', '    ', 'fgh '], [2, 3])
    call table%add('int8', int(numbers, int8))
    call check(table%rows() == 3, 'rows of the first column')
    call table%add('int16', int(numbers, int16))
    call table%add('int32', numbers)
    call table%add('int64', int(numbers, int64), mask=[.false., .true., .false.])
    call table%add('real32', reals)
    call table%add('real64', real(reals, real64), unit='Jy', description='flux of the star', format='%.3f')
    call table%add('complex32', complexes)
    call table%add('complex64', cmplx(complexes, kind=real64))
    call table%add('logical', flags)
    call table%add('bool', logical(flags, c_bool))
    call table%add('text', ['Vega  ', '      ', 'Mira A'])
    cube = reshape([(i, i=0, 23)], shape(cube))
    call table%add('cube', cube, mask=mod(cube, 5) == 0)
    call table%add('column', cube(1, 2, :))
    call table%add('back', cube(2, 1, 3:1:-1))
    call table%add('labels', labels)
    call table%add_lists('lists', [1, 2, 3], [2_int64, 0_int64, 1_int64])
    call table%add_lists('words', ['x ', 'yz', 'w '], [1_int64, 2_int64, 0_int64])
    call table%add('json', ['{"a": 1}', '[1, 2]  ', 'null    '], datatype=ASDF_JSON)
    call stars%read_ecsv(path('stars.ecsv'))
    call stars%get_meta(meta)
    call table%set_meta(meta)
    call table%set_meta(meta, column='text')
    call table%write_ecsv(path('written.ecsv'))

    call table%new(2)
    call table%add('logical', [.true., .false.], mask=[.false., .true.])
    call table%add('a', [1, 2])
    call table%set_unit('a', 'm')
    call table%set_description('a', 'a number')
    call table%set_format('a', '%d')
    call table%set_schema('mine-1.0')
    call check(table%unit('a') == 'm' .and. table%description('a') == 'a number', 'set properties')
    call check(table%format('a') == '%d' .and. table%schema() == 'mine-1.0', 'set format and schema')
    call table%set_unit('a', '')
    call table%set_schema('')
    call check(table%unit('a') == '' .and. table%schema() == '', 'removed properties')
  end subroutine

  subroutine refuse_adding()
    type(asdf_table) :: table
    type(asdf_node) :: none
    real, allocatable :: nothing(:)
    call table%add('a', 1.0, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "column 'a': the values need a rank from 1 to 7")
    ! Defines the bounds, which gfortran reads.
    allocate (nothing(1))
    deallocate (nothing)
    call table%add('a', nothing, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "column 'a': the values are not allocated")
    call table%add('a', [1, 2], mask=[.true.], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "column 'a': the mask has the shape (1), the values have (2)")
    call check(table%columns() == 0, 'no table after a failure')
    call table%add('a', [1, 2])
    call table%add('a', [1, 2], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "'a'")
    call table%add('b', [1, 2, 3], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, &
      "column 'b': there are values for 3 rows, but the table has 2 rows")
    call table%add('b', reshape(['x', 'y'], [1, 2]), datatype=ASDF_JSON, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "column 'b': texts with a given datatype need rank 1")
    call table%add('b', ['x', '1'], datatype=ASDF_FLOAT128, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_VALUE_RANGE, 'not a valid float128 value')
    call table%add_lists('b', [1], [2_int64, 0_int64], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, &
      "column 'b': the lengths add up to 2, but the number of values is 1")
    call table%add_lists('b', [1], [1_int64], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "column 'b': there are values for 1 rows")
    call table%set_unit('b', 'm', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'b'")
    call table%set_description('b', 'm', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'b'")
    call table%set_format('b', 'm', stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'b'")
    call table%set_meta(none, column='b', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, "'b'")
    call table%new(-1, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '-1')
    call table%set_schema('x', stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'table')
    call table%new(2.0, stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'rows must be an integer')
  end subroutine

  subroutine write_files()
    type(asdf_table) :: table
    type(asdf_options) :: options
    call table%add('a', [1, 2])
    call table%add('b', ['x', 'y'])
    call table%write_ecsv(path('commas.ecsv'), delimiter=',')
    call table%write_ecsv(path('compressed.ecsv.gz'), durable=.false.)
    call table%write_ecsv(path('commas.ecsv'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_EXISTS, 'commas.ecsv')
    call table%write_ecsv(path('commas.ecsv'), replace=.true., delimiter=',')
    call table%write_ecsv(path('semicolons.ecsv'), delimiter=';', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "the delimiter is ';'")
    call options%set(level=5)
    call table%write_ecsv(path('level.ecsv'), options=options, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'LEVEL')
    call table%free()
    call table%write_ecsv(path('none.ecsv'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'table')
  end subroutine

  subroutine use_asdf_files()
    type(asdf_file) :: file
    type(asdf_table) :: table
    type(asdf_options) :: options
    real(real64), allocatable :: flux(:)
    character(:), allocatable :: names(:)
    call file%open(path('stars.asdf'))
    call table%load(file, 'catalogue')
    call table%get('flux', flux)
    call table%get('name', names)
    call check(all(flux == [0.5d0, 2.25d0, -1d0, 1000d0]) .and. table%unit('flux') == 'Jy', 'table of an ASDF file')
    call check(names(3) == 'Mira A', 'texts of an ASDF file')
    call table%load(file, 'asdf_library/name', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'asdf_library/name')
    call check(table%columns() == 0, 'no table')
    call file%new()
    call table%add('a', [1, 2])
    call table%add('b', ['x', 'y'])
    call file%set_mapping('tables')
    call table%store(file, 'tables/copy', form=ASDF_TABLE_FORM_ARRAYS, compression='zlib', level=9)
    call table%store(file, 'tables/level', compression='zlib', level=99, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '99')
    call options%set(delimiter=ASDF_DELIMITER_COMMA)
    call table%store(file, 'x', options=options, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'DELIMITER')
    call file%forget_failure()
    call file%write(path('written.asdf'))
  end subroutine

  !> Assignment adds an owner; every variable frees its own.
  subroutine share()
    type(asdf_table) :: first, second, third
    integer, allocatable :: a(:)
    call first%add('a', [1, 2, 3])
    second = first
    call second%add('b', [4, 5, 6])
    call check(first%columns() == 2, 'one table')
    call first%free()
    call first%free()
    second = second
    third = second
    call third%get('b', a)
    call check(all(a == [4, 5, 6]), 'table of the last owner')
    third = first
    call check(third%rows() == 0, 'no table')
  end subroutine
end program
