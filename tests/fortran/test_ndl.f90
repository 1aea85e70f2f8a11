!> Descriptions: checking, objects, datatypes, values of each kind, making, comparing; ASDF files described and made.
program test_ndl
  use asdfkit
  use checks
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  character, parameter :: nl = new_line('a')
  character(1000) :: folder
  character(:), allocatable :: message
  integer :: stat

  call get_command_argument(1, folder)
  folder = trim(folder)//'/'
  call make_description()
  call read_objects()
  call read_values()
  call read_datatypes()
  call check_files()
  call describe_files()
  call compare_descriptions()
  call refuse_making()
  call refuse_reading()
  call finish('ndl')
  if (allocated(message)) deallocate (message)

contains

  function path(name)
    character(*), intent(in) :: name
    character(:), allocatable :: path
    path = trim(folder)//name
  end function

  !> Makes a description with every function of the builder, and compares its text.
  subroutine make_description()
    type(asdf_ndl_builder) :: builder
    type(asdf_ndl) :: ndl, again
    character(:), allocatable :: text
    real(real32) :: levels(4)
    integer(int16) :: table(3, 2), wide(6, 2)
    integer :: i
    levels = [1.0, 2.5, 4.0, 8.0]
    table = reshape([(int(i, int16), i=1, 6)], shape(table))
    wide = 0
    wide(::2, :) = table
    call builder%new()
    call builder%add_group('/site')
    call builder%add_dimcoord('/level', 5, 'float32')
    call builder%set_size('/level', 4)
    call builder%set_values('/level', levels)
    call builder%add_dimcoord('/time', -1_int64, 'float64')
    call builder%add_ndarray('/site/wind', [3, -1], 'int32', coordinates=['     ', '/time'])
    call builder%set_datatype('/site/wind', 'float32')
    call builder%set_storage('/site/wind', 'chunk', '[512, 3]')
    call builder%set_storage('/site/wind', 'fillvalue', '-1.0')
    call builder%add_ndarray('/table', [1], 'int16')
    call builder%set_shape('/table', [3_int64, 2_int64])
    call builder%set_values('/table', wide(::2, :))
    call builder%add_ndarray('/names', [2, 2], 'string')
    call builder%set_values('/names', reshape(['a ', 'bc', '  ', 'd '], [2, 2]))
    call builder%add_ndarray('/flag', [2], '{enum: {base: int8, members: {FALSE: 0, TRUE: 1}}}')
    call builder%set_values('/flag', [.false., .true.])
    call builder%add_ndarray('/matrix', [2], '{array: {base: float32, shape: [3]}}')
    call builder%set_values('/matrix', real(table), inner_rank=1)
    call builder%set_attribute('/site/wind', 'units', 'm/s')
    call builder%set_attribute('/site/wind', 'words', ['one  ', 'three'])
    call builder%set_attribute('/table', 'int8', 1_int8)
    call builder%set_attribute('/table', 'int16', [1_int16, -2_int16])
    call builder%set_attribute('/table', 'int32', 3)
    call builder%set_attribute('/table', 'int64', 2_int64**40)
    call builder%set_attribute('/table', 'real32', [0.5, 1.5])
    call builder%set_attribute('/table', 'real64', 0.1_real64)
    call builder%declare_attribute('/table', 'pairs', [2, 1], 'int32')
    call builder%set_notation('/table', '[[7, 8]]', attribute='pairs')
    call builder%set_attribute('/table', 'gone', 'x')
    call builder%remove('/table', 'gone')
    call builder%set_extension('x-origin', '{author: me}')
    call builder%set_extension('x-note', 'kept', path='/table')
    call builder%set_extension('x-note', path='/table')
    call builder%finish(ndl)
    call check(ndl%valid(), 'valid description')
    call ndl%export(text)
    call check(index(text, 'chunk: [512, 3]') > 0 .and. index(text, 'x-origin') > 0, 'canonical text')
    call check(index(text, 'x-note') == 0 .and. index(text, 'gone') == 0, 'removed parts')
    call ndl%write(path('model.yaml'), durable=.false.)
    call again%read(path('model.yaml'))
    call check(again%same(ndl), 'the written description is the same')
    call builder%new(from=again)
    call builder%set_notation('/level')
    call builder%remove('/site')
    call builder%finish(again)
    call check(.not. again%same(ndl) .and. again%count(ASDF_NDL_KIND_NDARRAY) == 4, 'a changed copy')
    call ndl%export(text, format=ASDF_NDL_FORMAT_FORTRAN, name='model')
    call check(index(text, 'module model') > 0, 'exported module')
    call ndl%write(path('model.yaml'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_EXISTS, 'model.yaml')
    call ndl%export(text, format=99, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '99')
  end subroutine

  subroutine read_objects()
    type(asdf_ndl) :: ndl
    integer(int64), allocatable :: extents(:)
    integer(int64) :: elements, element_bytes, bytes, unknown
    call ndl%read(path('model.yaml'))
    call check(ndl%count(ASDF_NDL_KIND_NDARRAY) == 5, 'number of arrays')
    call check(ndl%count(ASDF_NDL_KIND_DIMCOORD) == 2, 'number of coordinates')
    call check(ndl%path(ASDF_NDL_KIND_DIMCOORD, 1) == '/level', 'path name')
    call check(ndl%kind('/time') == ASDF_NDL_KIND_DIMCOORD .and. ndl%kind('/site') == ASDF_NDL_KIND_GROUP, 'kind')
    call check(ndl%attribute_count('/table') == 7 .and. ndl%attribute('/table', 2) == 'int16', 'attributes')
    call ndl%get_shape('/site/wind', extents)
    call check(all(extents == [3, -1]), 'shape')
    call ndl%get_shape('/table', extents, attribute='pairs')
    call check(all(extents == [2, 1]), 'shape of an attribute')
    call check(ndl%coordinate('/site/wind', 2) == '/time' .and. ndl%coordinate('/site/wind', 1) == '', 'coordinate')
    call check(ndl%keyword('/table') == 'int16' .and. ndl%keyword('/table', 'int64') == 'int64', 'keyword')
    call check(ndl%storage('/site/wind', 'chunk') == '[512, 3]', 'chunk')
    call ndl%get_size('/table', elements, element_bytes, bytes)
    call check(elements == 6 .and. element_bytes == 2 .and. bytes == 12, 'size')
    call ndl%get_total_size(bytes, unknown)
    call check(bytes == 16 + 12 + 2 + 24 .and. unknown == 3, 'total size')

    call check(ndl%path(ASDF_NDL_KIND_NDARRAY, 6, stat, message) == '', 'no path name')
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, '5')
    call check(ndl%count(9, stat, message) == 0, 'no objects')
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '9')
    call check(ndl%kind('/none', stat, message) == 0, 'no kind')
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'the description has no')
    call check(ndl%attribute_count('/none', stat, message) == 0, 'no attributes')
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'the description has no')
    call check(ndl%attribute('/table', 0, stat, message) == '', 'no attribute')
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, 'does not exist')
    call ndl%get_shape('/none', extents, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'the description has no')
    call check(ndl%coordinate('/site/wind', 3, stat, message) == '', 'no coordinate')
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, '/site/wind: there is no dimension 3: the rank is 2')
    call check(ndl%keyword('/none', stat=stat, errmsg=message) == '', 'no keyword')
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'the description has no')
    call check(ndl%storage('/table', 'chunk', stat=stat, errmsg=message) == '', 'no chunk')
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'no storage directive')
    call ndl%get_size('/none', elements, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'the description has no')
  end subroutine

  subroutine read_values()
    type(asdf_ndl) :: ndl
    integer(int8) :: i1
    integer(int16), allocatable :: i2(:)
    integer(int32), allocatable :: i4(:, :), pairs(:, :)
    integer(int64) :: i8
    real(real32), allocatable :: r4(:), matrix(:, :)
    real(real64) :: r8
    complex(real64), allocatable :: c8(:)
    logical, allocatable :: flags(:)
    logical(c_bool), allocatable :: bytes(:)
    character(:), allocatable :: text, texts(:), names(:, :)
    call ndl%read(path('model.yaml'))
    call ndl%get('/table', i1, attribute='int8')
    call ndl%get('/table', i8, attribute='int64')
    call ndl%get('/table', r8, attribute='real64')
    call check(i1 == 1 .and. i8 == 2_int64**40 .and. abs(r8 - 0.1d0) <= 0, 'single numbers')
    call ndl%get('/site/wind', text, attribute='units')
    call check(text == 'm/s' .and. len(text) == 3, 'text')
    call ndl%load('/table', i2, attribute='int16')
    call check(all(i2 == [1, -2]), 'vector of integers')
    call ndl%load('/table', r4, attribute='real32')
    call check(all(abs(r4 - [0.5, 1.5]) <= 0), 'vector of reals')
    call ndl%load('/table', i4)
    call check(all(shape(i4) == [3, 2]) .and. all(i4(:, 2) == [4, 5, 6]), 'matrix')
    call ndl%load('/table', pairs, attribute='pairs')
    call check(all(shape(pairs) == [2, 1]) .and. all(pairs(:, 1) == [7, 8]), 'matrix of an attribute')
    call ndl%load('/matrix', matrix)
    call check(all(shape(matrix) == [3, 2]) .and. abs(matrix(3, 2) - 6) <= 0, 'values of an array datatype')
    call ndl%load('/level', c8)
    call check(all(abs(c8 - [1.0, 2.5, 4.0, 8.0]) <= 0), 'complex numbers')
    call ndl%load('/flag', flags)
    call ndl%load('/flag', bytes)
    call check(all(flags .eqv. [.false., .true.]) .and. all(flags .eqv. logical(bytes)), 'truth values')
    call ndl%load('/flag', texts)
    call check(all(texts == ['FALSE', 'TRUE ']), 'names of constants')
    call ndl%load('/site/wind', texts, attribute='words')
    call check(len(texts) == 5 .and. texts(2) == 'three', 'texts')
    call ndl%load('/names', names)
    call check(all(shape(names) == [2, 2]) .and. names(2, 1) == 'bc' .and. names(2, 2) == 'd', 'matrix of texts')
    call check(ndl%notation('/matrix', 2_int64) == '[4.0, 5.0, 6.0]', 'notation')

    call ndl%get('/table', i8, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '/table: the values have the shape (3, 2)')
    call ndl%get('/table', i1, attribute='int64', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OVERFLOW, 'which int8 cannot hold')
    call ndl%get('/table', text, attribute='int64', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int64')
    call ndl%load('/table', i2, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, &
      '/table: the values need rank 2 and the shape (3, 2), not rank 1')
    call ndl%load('/site/wind', r4, attribute='words', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_CONVERSION, 'from string to float32')
    call ndl%load('/time', r4, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'no values')
    call ndl%load('/names', texts, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '/names: the values need rank 2')
    call check(ndl%notation('/matrix', 3_int64, stat=stat, errmsg=message) == '', 'no notation')
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, 'there is no element')
  end subroutine

  subroutine read_datatypes()
    type(asdf_ndl) :: ndl
    type(asdf_ndl_datatype) :: datatype, base, member, copy
    integer(int64), allocatable :: extents(:)
    call ndl%read_text('ndarrays:'//nl// &
                       '  c: {shape: [2], type: {compound: [x: int8, data: {opaque: {size: 4, tag: image/png}}]}}'//nl// &
                       '  r: {shape: [2], type: {regref: {selection: element}}}'//nl)
    call check(ndl%valid(), 'description of a text')
    call ndl%get_datatype('/c', datatype)
    call check(datatype%member_count() == 2 .and. datatype%member_name(2) == 'data', 'members')
    call datatype%get_member(2, member)
    call check(member%tag() == 'image/png' .and. member%element_size() == 4, 'opaque bytes')
    call ndl%get_datatype('/r', datatype)
    call check(datatype%selection() == 'element', 'selection')
    call ndl%read(path('model.yaml'))
    call ndl%get_datatype('/matrix', datatype)
    call check(datatype%keyword() == 'array' .and. datatype%element_size() == 12, 'array datatype')
    call datatype%get_shape(extents)
    call check(all(extents == [3]), 'shape of an array datatype')
    call datatype%get_base(base)
    call check(base%text() == 'float32', 'base')
    call ndl%get_datatype('/flag', datatype)
    call check(datatype%member_count() == 2 .and. datatype%member_name(2) == 'TRUE', 'constants')
    call check(datatype%constant(2) == 1, 'number of a constant')
    copy = datatype
    call ndl%get_datatype('/table', datatype, attribute='int8')
    call check(datatype%keyword() == 'int8' .and. copy%keyword() == 'enum', 'copy of a datatype')

    call datatype%get_shape(extents, stat, message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call datatype%get_base(base, stat, message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call datatype%get_member(1, member, stat, message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call check(datatype%member_count(stat, message) == 0, 'no members')
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call check(datatype%member_name(1, stat, message) == '', 'no name')
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call check(datatype%constant(1, stat, message) == 0, 'no constant')
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call check(datatype%tag(stat, message) == '', 'no tag')
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call check(datatype%selection(stat, message) == '', 'no selection')
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, 'int8')
    call ndl%get_datatype('/none', datatype, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, 'the description has no')
    call check(datatype%keyword(stat, message) == '', 'no datatype')
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'datatype')
    call check(datatype%text(stat, message) == '', 'no text')
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'datatype')
    call check(datatype%element_size(stat, message) == -1, 'no size')
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'datatype')
  end subroutine

  subroutine check_files()
    type(asdf_report) :: report
    type(asdf_ndl) :: ndl
    character(:), allocatable :: json
    integer :: unit, i
    logical :: valid, named
    call asdf_check(path('model.yaml'))
    call asdf_check(path('model.yaml'), valid, report)
    call check(valid .and. report%count() == 0, 'a correct description')
    open (newunit=unit, file=path('wrong.yaml'))
    write (unit, '(a)') 'ndarrays:', '  a: {shape: [2], type: int8, value: [1, 300]}'
    close (unit)
    call asdf_check(path('wrong.yaml'), valid, report)
    call check(.not. valid .and. report%count() >= 1, 'a wrong description')
    named = .false.
    do i = 1, report%count()
      if (report%severity(i) == ASDF_SEVERITY_ERROR .and. report%line(i) == 2 .and. report%path(i) == '/a' .and. &
          report%code(i) == 'E-VALUE-RANGE' .and. index(report%message(i), '300') > 0) named = .true.
      if (index(report%text(i), 'wrong.yaml:2:') > 0) named = named .and. .true.
    end do
    call check(named, 'the error in the report')
    call report%json(json)
    call check(json(1:1) == '[' .and. index(json, '"E-VALUE-RANGE"') > 0, 'report as JSON')
    call asdf_check(path('wrong.yaml'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INCOMPLETE, 'wrong.yaml:2')
    call asdf_check(path('none.yaml'), valid, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_NOT_FOUND, 'none.yaml')
    call check(.not. valid, 'a missing file is not valid')
    call check(report%code(0, stat, message) == '', 'no entry')
    call check_failure(stat, message, ASDF_ERR_OUT_OF_RANGE, 'entr')
    call report%free()
    call check(report%count() == 0, 'no list')
    call report%json(json, stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'report')
    call ndl%read_text('ndarrays:'//nl//'  a: {shape: 3, type: int8}')
    call ndl%write(path('rewritten.yaml'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INCOMPLETE, 'a')
  end subroutine

  subroutine describe_files()
    type(asdf_file) :: file
    type(asdf_ndl) :: ndl, part
    type(asdf_report) :: notes
    type(asdf_options) :: options
    integer(int64), allocatable :: extents(:)
    character(:), allocatable :: text
    real(real32) :: image(5, 3)
    logical :: exists
    image = 1
    call file%new()
    call file%set('meta/telescope', 'Roman')
    call file%set('image', image)
    call file%set('wide/image', image)
    call file%write(path('image.asdf'))
    call asdf_describe(path('image.asdf'))
    inquire (file=path('image.yaml'), exist=exists)
    call check(exists, 'description beside the file')
    call asdf_describe(path('image.asdf'), path('other.yaml'))
    call asdf_describe(file, path('other.yaml'), replace=.true.)
    call ndl%read(path('image.yaml'))
    call ndl%get_shape('/image', extents)
    call check(all(extents == [5, 3]) .and. ndl%keyword('/image') == 'float32', 'described array')
    call ndl%get('/meta', text, attribute='telescope')
    call check(text == 'Roman', 'described text')
    call part%describe(file, only='/wide', values=ASDF_NDL_VALUES_ALL, annotate=.true., all=.true.)
    call check(part%count(ASDF_NDL_KIND_NDARRAY) == 1, 'description of a part')
    call part%get_report(notes)
    call check(notes%count() == 0, 'no notes')
    call ndl%create_asdf(path('made.asdf'), notes)
    call ndl%create_asdf(path('made.asdf'), replace=.true.)
    call file%open(path('made.asdf'))
    call file%read('image', image)
    call check(all(abs(image) <= 0), 'made array')

    call asdf_describe(path('image.asdf'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_EXISTS, 'image.yaml')
    call asdf_describe(path('none.asdf'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_NOT_FOUND, 'none.asdf')
    call asdf_describe(file, path('other.yaml'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_EXISTS, 'other.yaml')
    call ndl%create_asdf(path('made.asdf'), notes, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_EXISTS, 'made.asdf')
    call part%describe(file, only='/none', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, '/none')
    call options%set(delimiter=1)
    call part%describe(file, options=options, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'DELIMITER')
    call check(.not. part%valid(stat, message), 'no description')
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'ndl')
    call part%get_report(notes, stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'ndl')
  end subroutine

  subroutine compare_descriptions()
    type(asdf_ndl) :: old, new, none
    type(asdf_ndl_builder) :: builder
    type(asdf_report) :: differences
    integer(int64) :: operation
    call old%read(path('model.yaml'))
    call builder%new(from=old)
    call builder%set_attribute('/site/wind', 'units', 'km/h')
    call builder%add_ndarray('/more', [2], 'int8')
    call builder%finish(new)
    call old%compare(new, differences)
    call check(differences%count() == 2, 'differences')
    call differences%get_int(1, ASDF_REPORT_OPERATION, operation)
    call check(any(operation == [ASDF_OPERATION_ADD, ASDF_OPERATION_CHANGE]), 'operation')
    call old%compare(new, differences, ignore=ASDF_NDL_IGNORE_ATTRIBUTES)
    call check(differences%count() == 1 .and. differences%path(1) == '/more', 'differences without attributes')
    call old%conform(new, differences)
    call check(differences%count() == 2, 'file with more')
    call old%conform(new, differences, subset=.true.)
    call check(differences%count() == 1, 'file that may have more')
    call old%compare(none, differences, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'newer')
    call old%compare(new, differences, ignore=99, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '99')
    call old%conform(none, differences, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'file')
    call check(.not. old%same(none, stat, message), 'not the same')
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'other')
  end subroutine

  subroutine refuse_making()
    type(asdf_ndl_builder) :: builder
    type(asdf_ndl) :: ndl
    real, allocatable :: nothing(:)
    allocate (nothing(1))
    deallocate (nothing)
    call builder%add_group('/a', stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'builder')
    call builder%finish(ndl, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'builder')
    call builder%new()
    call builder%add_group('a//', stat, message)
    call check_failure(stat, message, ASDF_ERR_PATH, 'a//')
    call builder%add_dimcoord('/d', 0, 'int8', stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'at /d: the size')
    call builder%add_dimcoord('/d', 'one', 'int8', stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'extent must be an integer')
    call builder%add_ndarray('/a', [2], 'int7', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_BAD_DATATYPE, 'int7')
    call builder%add_ndarray('/a', [2.0], 'int8', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'shape must have integers')
    call builder%add_ndarray('/a', [2], 'int8', coordinates=['x', 'y'], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '/a: there are 2 coordinates for 1 dimensions')
    call builder%add_ndarray('/a', [2], 'int8')
    call builder%set_size('/a', 2, stat, message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, '/a')
    call builder%set_shape('/b', [2], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, '/b')
    call builder%set_datatype('/a', 'x', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_BAD_DATATYPE, 'x')
    call builder%set_values('/a', [1, 300], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_OVERFLOW, '300')
    call builder%set_values('/a', [1, 2, 3], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '/a')
    call builder%set_values('/a', nothing, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '/a: the values are not allocated')
    call builder%set_values('/a', [1, 2], inner_rank=2, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '/a: inner_rank is 2, but the values have rank 1')
    call builder%set_values('/a', ['x', 'y'], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, '/a')
    call builder%set_attribute('/b', 'x', 1, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NOT_FOUND, '/b')
    call builder%set_attribute('/a', '', 'text', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'name')
    call builder%declare_attribute('/a', 'x', [-1], 'int8', stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, '-1')
    call builder%set_notation('/a', '[1, x]', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_WRONG_TYPE, '/a')
    call builder%set_storage('/a', 'colour', 'red', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'colour')
    call builder%set_extension('origin', 'x', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'origin')
    call builder%remove('/', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'root')
  end subroutine

  subroutine refuse_reading()
    type(asdf_ndl) :: ndl
    character(:), allocatable :: text
    real(real64) :: value
    integer(int64) :: bytes
    call ndl%read(path('none.yaml'), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_NOT_FOUND, 'none.yaml')
    call ndl%read_text('{a: [', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_YAML, '1:')
    call ndl%export(text, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'ndl')
    call ndl%get('/a', value, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'ndl')
    bytes = 0
    call ndl%get_total_size(bytes, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'ndl')
  end subroutine
end program
