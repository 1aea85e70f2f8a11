!> Trees: kinds, keys, places, edits, references, copies, history; saving in place and as a whole.
program test_trees
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  character(*), parameter :: name = 'trees.asdf'
  call make()
  call test_walk()
  call test_edits()
  call test_keys()
  call test_history()
  call test_references()
  call test_files()
  call test_failures()
  call test_several_times()
  call finish('trees')

contains

  subroutine make()
    type(asdf_file) :: file
    integer :: i
    call file%new()
    call file%set('meta/telescope', 'Roman')
    call file%set('meta/filters/-', 'F146')
    call file%set('meta/filters/-', 'F62')
    call file%set('data', reshape([(real(i), i=1, 12)], [4, 3]))
    call file%set_sequence('list', flow=.true.)
    do i = 1, 3
      call file%set('list/-', i*i)
    end do
    call file%set_mapping('empty')
    call file%set('length/value', 2.5d0)
    call file%set_quantity('length', 'm')
    call file%set_reference('twin', target='data')
    call file%write(name, replace=.true., durable=.false.)
  end subroutine

  subroutine test_walk()
    type(asdf_file) :: file
    type(asdf_node) :: meta, item
    type(asdf_array) :: array
    character(:), allocatable :: keys(:), filters(:), text
    integer, allocatable :: list(:)
    real(kind(0d0)) :: metres
    integer(int64) :: requests, bytes
    integer :: stat, line, column
    call file%open(name)
    call file%keys('', keys)
    call check(all(keys == [character(12) :: 'asdf_library', 'meta', 'data', 'list', 'empty', 'length', 'twin']), 'keys')
    call check(file%count('') == 7 .and. file%count('meta/filters') == 2, 'count')
    call check(file%key('', 2) == 'meta', 'key')
    text = file%key('', 8, stat)
    call expect(stat, ASDF_ERR_OUT_OF_RANGE, 'key beyond the last')
    call file%keys('list', keys, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'keys of a sequence')
    call check(.not. allocated(keys), 'no keys after a failure')
    call check(file%has('meta/telescope') .and. .not. file%has('meta/camera'), 'has')
    call check(file%kind('meta') == ASDF_KIND_MAPPING .and. file%kind('data') == ASDF_KIND_ARRAY, 'kind')
    call check(file%kind('list') == ASDF_KIND_NUMBER_LIST .and. file%kind('twin') == ASDF_KIND_ARRAY, 'kinds')
    call check(file%kind('nothing', stat) == -1, 'kind of nothing')
    call expect(stat, ASDF_ERR_NOT_FOUND, 'kind of nothing')
    call check(file%type('meta/telescope') == ASDF_NODE_STRING, 'type')
    call check(index(file%tag('data'), 'core/ndarray') > 0 .and. file%tag('meta') == '', 'tag')
    call check(file%unit('length') == 'm', 'unit')
    call file%get('length', metres)
    call check(abs(metres - 2.5) <= 0, 'value of a quantity')
    call file%read('length', metres)
    call file%load('meta/filters', filters)
    call check(all(filters == ['F146', 'F62 ']), 'load a list of strings')
    call file%load('list', list)
    call check(all(list == [1, 4, 9]), 'load a list of numbers')
    call file%position('meta', line=line, column=column)
    call check(line > 5 .and. column > 0, 'position')
    call file%get_node('meta', meta)
    call meta%get_item('filters', 2, item)
    call item%get('', text)
    call check(text == 'F62' .and. item%path() == '/meta/filters/1', 'item')
    call meta%get_item('filters', 3, item, stat)
    call expect(stat, ASDF_ERR_OUT_OF_RANGE, 'item beyond the last')
    call file%get_array('twin', array)
    call check(all(array%shape() == [4, 3]) .and. array%rank() == 2, 'array through a reference')
    call check(array%datatype() == ASDF_FLOAT32 .and. array%datatype_name() == 'float32', 'datatype')
    call check(.not. array%has_mask(), 'no mask')
    call file%get_array('meta', array, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'array that is none')
    call check(file%format_version() == '1.0.0' .and. file%standard() == '1.6.0', 'versions')
    call check(index(file%name(), name) > 0, 'name')
    call file%transfers(requests, bytes)
    call check(requests == 0 .and. bytes == 0, 'requests for a file on the disk')
    ! Nodes outlive the variable of the file, but not close().
    call meta%get('telescope', text)
    call file%close()
    call meta%get('telescope', text, stat)
    call expect(stat, ASDF_ERR_CLOSED, 'node of a closed file')
    call file%get('meta', text, stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'empty variable')
  end subroutine

  subroutine test_edits()
    type(asdf_file) :: file, other
    type(asdf_node) :: meta
    integer, allocatable :: list(:)
    real, allocatable :: image(:, :)
    integer :: stat
    character(:), allocatable :: text
    call file%open_for_update(name)
    call file%rename('meta/telescope', 'observatory')
    call file%move('meta/filters', 'filters')
    call file%insert('list', 1)
    call file%set('list/0', 0)
    call file%insert('list', 0, stat)
    call expect(stat, ASDF_ERR_OUT_OF_RANGE, 'insert as item 0')
    call file%remove('empty')
    call file%remove('empty', stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'remove what is not there')
    call file%resize('data', [5, 3])
    call file%resize('data', [5], stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'resize to another rank')
    call file%forget_failure()
    call file%compress('data', 'zlib', 4)
    call file%compress('data', 'gzip', stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'compress with an unknown codec')
    call file%get_node('meta', meta)
    call file%copy('copied', meta)
    call file%save(durable=.false.)
    call file%close()
    call file%open(name, verify_checksums=.true.)
    call file%get('meta/observatory', text)
    call check(text == 'Roman', 'renamed')
    call check(.not. file%has('meta/filters') .and. file%count('filters') == 2, 'moved')
    call file%load('list', list)
    call check(all(list == [0, 1, 4, 9]), 'inserted')
    call check(.not. file%has('empty') .and. file%has('copied/observatory'), 'removed and copied')
    call file%load('data', image)
    call check(all(shape(image) == [5, 3]) .and. abs(image(4, 3) - 12) <= 0 .and. all(abs(image(5, :)) <= 0), 'resized')
    call other%open_for_update(name)
    call other%set('meta/observatory', 'Euclid')
    call other%save(save_mode=ASDF_SAVE_IN_PLACE, durable=.false.)
    call other%compact()
    call other%close()
    call file%open(name)
    call file%get('meta/observatory', text)
    call check(text == 'Euclid', 'saved in place')
  end subroutine

  subroutine test_keys()
    type(asdf_file) :: file
    type(asdf_node) :: node
    integer :: stat, value
    character(:), allocatable :: text
    call file%new()
    call file%set_mapping('keys')
    call file%make_key('keys', 'a/b ', node)
    call node%set('', 1)
    call file%make_key('keys', 7, node)
    call node%set('', 'seven')
    call file%make_key('keys', -7_int64, node)
    call node%set('', 3)
    call file%make_key('keys', '7', node)
    call node%set('', 4)
    call file%make_key('keys', .true., node)
    call node%set('', 5)
    call check(file%count('keys') == 5 .and. file%key('keys', 1) == 'a/b', 'keys of each type')
    call file%get('keys/a~1b', value)
    call check(value == 1, 'a key that is no path')
    call file%make_key('keys', 7, node)
    call node%get('', text)
    call check(text == 'seven', 'an existing key')
    call file%make_key('nothing', 7, node, stat, text)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'a key of nothing')
    call file%make_key('keys/7', 'x', node, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'a key of a scalar')
    call file%make_key('keys/7', .false., node, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'a key of a scalar')
  end subroutine

  subroutine test_references()
    type(asdf_file) :: made, files(2)
    type(asdf_options) :: options
    character(:), allocatable :: json, problem
    integer :: status
    call made%new()
    call made%set('data', [1d0, 2d0, 3d0])
    call made%write('references.asdf', replace=.true.)
    call files(1)%open('references.asdf')
    call options%set(url='https://a/b/')
    call asdf_export_references(files(:1), json, options)
    call check(index(json, '"data/0":["https://a/b/references.asdf",') > 0, 'references')
    files(2) = files(1)
    call asdf_export_references(files, json, options, stat=status, errmsg=problem)
    call check_failure(status, problem, ASDF_ERR_INVALID_ARGUMENT, 'added before')
  end subroutine

  subroutine test_history()
    type(asdf_file) :: file
    character(:), allocatable :: description, time, author
    integer :: stat
    call file%open_for_update(name)
    call check(file%history_count() == 0, 'no history')
    call check(file%extension_count() == 0, 'no extension')
    call file%add_extension('a.B', 'asdf://x.org/e-1.0.0', 'pipe', '2')
    call file%add_extension('a.C', 'asdf://x.org/e-1.0.0')
    call file%get_extension(1, description, time)
    call check(description == 'a.C' .and. time == 'asdf://x.org/e-1.0.0', 'extension')
    call file%get_extension(2, description, stat=stat)
    call expect(stat, ASDF_ERR_OUT_OF_RANGE, 'extension beyond the last')
    call file%set_software('by', 'pipe', '2.1', author='we')
    call file%get_software('by', 1, description, time, author)
    call check(file%software_count('by') == 1 .and. description == 'pipe' .and. time == '2.1' .and. author == 'we', 'program')
    call file%get_software('by/name', 1, description, stat=stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'no program')
    call file%remove('by')
    call file%add_history('flat field', time='2027-01-31T04:05:06Z', software_name='pipe', software_version='2')
    call file%add_history('dark')
    call file%add_history('bad', software_name='pipe', stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'software without a version')
    call check(file%history_count() == 2, 'history')
    call file%get_history(1, description, time)
    call check(description == 'flat field' .and. index(time, '2027-01-31') == 1, 'entry of the history')
    call file%get_history(3, description, stat=stat)
    call expect(stat, ASDF_ERR_OUT_OF_RANGE, 'entry beyond the last')
  end subroutine

  subroutine test_files()
    type(asdf_file) :: file, exploded
    type(asdf_options) :: options, copy
    character(:), allocatable :: message
    real, allocatable :: image(:, :)
    integer :: stat, absent
    call file%open(name)
    call file%write(name, stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_FILE_EXISTS, 'write over a file')
    call file%verify(absent)
    call check(absent == 0, 'all blocks have checksums')
    call file%explode('exploded.asdf', replace=.true.)
    call exploded%open('exploded.asdf')
    call exploded%load('data', image, stat=stat)
    call expect(stat, ASDF_ERR_EXTERNAL_REFERENCE, 'other files are not read without leave')
    call check(.not. allocated(image), 'a failed load allocates nothing')
    call exploded%open('exploded.asdf', access=ASDF_ACCESS_SAME_DIRECTORY)
    call exploded%load('data', image)
    call check(abs(image(1, 1) - 1) <= 0, 'read from another file')
    call exploded%implode('imploded.asdf', replace=.true.)
    call options%set(limit_tree_bytes=10_int64)
    copy = options
    call file%open(name, options=copy, stat=stat)
    call expect(stat, ASDF_ERR_LIMIT, 'a limit')
    call copy%unset(ASDF_OPTION_LIMIT_TREE_BYTES)
    call file%open(name, options=copy)
    call file%open(name, options=options, stat=stat)
    call expect(stat, ASDF_ERR_LIMIT, 'the first options are unchanged')
    call options%set(threads=0, stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'an option out of range')
    call file%new(standard='9.9.9', stat=stat)
    call check(stat /= ASDF_OK, 'an unknown standard')
    call file%new(standard='1.4.0')
    call file%add_comment('by a test')
    call check(file%standard() == '1.4.0', 'another standard')
    call file%open('nowhere.asdf', stat=stat, errmsg=message)
    call expect(stat, ASDF_ERR_FILE_NOT_FOUND, 'no file')
    call check(index(message, 'nowhere.asdf: ') == 1, 'message without a file')
  end subroutine

  !> Schemas from memory: validation of places and tables, as an option of opening and writing, and descriptions.
  subroutine test_schemas()
    character(*), parameter :: root = 'asdf://example.org/schemas/root-1.0.0'
    type(asdf_file) :: file
    type(asdf_schemas) :: schemas, empty
    type(asdf_options) :: options
    type(asdf_report) :: findings
    type(asdf_table) :: table
    integer :: stat
    logical :: exists
    call schemas%add_text('{id: "'//root//'", properties: {a: {title: An entry, type: string}, datatype: {minItems: 2}}}')
    call schemas%add_text('{', stat)
    call expect(stat, ASDF_ERR_YAML, 'add_text of no YAML')
    call file%new()
    call file%set('a', 5)
    call schemas%validate(file, '', findings, root_schema=root)
    call check(findings%count() == 1, 'a violation below a place')
    call schemas%validate(file, 'a', findings)
    call check(findings%count() == 0, 'no schema for a place')
    call schemas%validate(file, 'nothing', findings, stat=stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'validate nothing')
    call options%set(root_schema=root)
    call schemas%demand(options)
    call empty%demand(options, stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'demand without schemas')
    call file%write('invalid.asdf', options=options, stat=stat)
    call expect(stat, ASDF_ERR_INVALID, 'write what schemas refuse')
    inquire (file='invalid.asdf', exist=exists)
    call check(.not. exists, 'an invalid file is not written')
    call file%write('schemas.asdf', replace=.true.)
    call file%open('schemas.asdf', options=options, stat=stat)
    call expect(stat, ASDF_ERR_INVALID, 'open what schemas refuse')
    call file%open('schemas.asdf')
    call check(schemas%describe(file, 'a', ASDF_DESCRIPTION_TITLE, stat) == '', 'no schema of a tag')
    call expect(stat, ASDF_ERR_NOT_FOUND, 'describe without a schema')
    call check(schemas%describe(file, 'a', ASDF_DESCRIPTION_JSON) == '{}', 'an empty description')
    call table%new(2)
    call table%validate(schemas, findings, root_schema=root)
    call check(findings%count() == 1, 'a table without columns')
    call table%validate(schemas, findings, root_schema='asdf://example.org/none', stat=stat)
    call expect(stat, ASDF_ERR_SCHEMA_NOT_FOUND, 'validate a table by a schema that does not exist')
    call file%close()
  end subroutine

  !> Procedures that the other tests call with success only.
  subroutine test_failures()
    type(asdf_file) :: file, empty
    type(asdf_node) :: node
    type(asdf_array) :: array, field
    type(asdf_schemas) :: schemas
    type(asdf_report) :: findings
    character(:), allocatable :: text
    integer(int64) :: requests, bytes
    integer :: values(8), rest
    integer :: stat, line, count
    line = 7
    call file%open_for_update(name)
    call file%set_storage('data', ASDF_STORAGE_INLINE)
    call check(file%kind('data') == ASDF_KIND_ARRAY, 'set_storage')
    call file%set_storage('data', 99, stat=stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'set_storage with an unknown place')
    call file%set_reference('far', uri='other.asdf#/data')
    call check(file%kind('far') == ASDF_KIND_REFERENCE, 'set_reference to another file')
    call file%set_reference('far', target='data', uri='other.asdf', stat=stat, errmsg=text)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'set_reference to two places')
    call expect_message(text, 'at /far: pass either target or uri')
    call file%set_tag('far')
    call file%set_tag('nothing', '!unit/unit-1.0.0', stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'set_tag of nothing')
    call file%set_quantity('data', 'Jy', stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'set_quantity of an array')
    call file%set_mapping('explained')
    call file%set_note('explained', 'for people')
    call file%set_comment('explained', 'set by hand')
    call file%set_comment('', 'the end', ASDF_COMMENT_DOCUMENT_END)
    call check(file%note('explained') == 'for people' .and. file%comment('explained') == 'set by hand' &
               .and. file%comment('', ASDF_COMMENT_DOCUMENT_END) == 'the end', 'note and comment')
    call check(file%note('') == '' .and. file%comment('explained', ASDF_COMMENT_LINE_END) == '', 'no note, no comment')
    text = file%comment('nothing', stat=stat)
    call expect(stat, ASDF_OK, 'comment of nothing')
    call file%set_null('explained/nothing')
    call file%set_note('explained/nothing', 'x', stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'set_note of null')
    call file%set_comment('', 'x', stat=stat)
    call expect(stat, ASDF_ERR_UNSUPPORTED, 'set_comment before the root')
    call file%set_time('start', 'now', stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'set_time of no time')
    call file%set_time('start', 'J2000.0')
    call check(file%kind('start') == ASDF_KIND_TIME, 'set_time')
    call file%set_time('clock', [2027, 1, 31, 60, 0, 30, 6, 789])
    values = 0
    call file%get_time('clock', values, rest)
    call check(all(values == [2027, 1, 30, 0, 23, 30, 6, 789]) .and. rest == 0, 'set_time and get_time of numbers')
    call file%set_time('clock', '2016-12-31T23:59:60.123456789')
    call file%get_time('clock', values, rest)
    call check(all(values == [2016, 12, 31, 0, 23, 59, 60, 123]) .and. rest == 456789, 'get_time of a leap second')
    call file%get_time('data', values, stat=stat)
    call expect(stat, ASDF_ERR_TAG_CONTENT, 'get_time of an array')
    call file%set_time('clock', [2027, 2, 30, 0, 0, 0, 0, 0], stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'set_time of an impossible date')
    call file%forget_failure()
    text = file%tag('nothing', stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'tag of nothing')
    text = file%unit('meta', stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'unit of nothing')
    text = file%text('meta', stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'text of a mapping')
    call file%position('nothing', line=line, stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND .and. line == 7, 'position of nothing')
    count = file%count('meta/observatory', stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'count of a scalar')
    count = file%type('nothing', stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'type of nothing')
    call file%get_array('data', array)
    call array%get_field('x', field, stat)
    call expect(stat, ASDF_ERR_WRONG_TYPE, 'field of numbers')
    call file%set_timestamp('time', 'yesterday', stat)
    call expect(stat, ASDF_ERR_INVALID_ARGUMENT, 'set_timestamp of another text')
    call file%set_null('meta/observatory/x', stat)
    call check(stat /= ASDF_OK, 'set_null below a scalar')
    call file%set_mapping('meta/observatory/x', stat=stat)
    call check(stat /= ASDF_OK, 'set_mapping below a scalar')
    call file%set_sequence('meta/observatory/x', stat=stat)
    call check(stat /= ASDF_OK, 'set_sequence below a scalar')
    call file%rename('nothing', 'x', stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'rename nothing')
    call file%move('nothing', 'x', stat)
    call expect(stat, ASDF_ERR_NOT_FOUND, 'move nothing')
    call file%copy('x', node, stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'copy an empty variable')
    call file%explode(name, stat=stat)
    call check(stat /= ASDF_OK, 'explode over a file')
    call file%implode(name, stat=stat)
    call check(stat /= ASDF_OK, 'implode over a file')
    call file%close()
    call file%open(name)
    call file%save(stat=stat)
    call expect(stat, ASDF_ERR_READ_ONLY, 'save a file that is open for reading')
    call file%compact(stat=stat)
    call expect(stat, ASDF_ERR_READ_ONLY, 'compact a file that is open for reading')
    call file%add_comment('late', stat)
    call check(stat /= ASDF_OK, 'add_comment to a file that is open for reading')
    call schemas%load('no-such-package', stat)
    call expect(stat, ASDF_ERR_SCHEMA_NOT_FOUND, 'load a package that does not exist')
    call file%validate(schemas, findings, stat=stat)
    call expect(stat, ASDF_OK, 'validate without schemas')
    call check(findings%count() == 0, 'no findings without schemas')
    call file%validate(schemas, findings, root_schema='asdf://example.org/none', stat=stat)
    call expect(stat, ASDF_ERR_SCHEMA_NOT_FOUND, 'validate by a schema that does not exist')
    call test_schemas()
    call empty%verify(stat=stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'verify an empty variable')
    count = empty%history_count(stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'history of an empty variable')
    text = empty%name(stat)//empty%standard(stat)//empty%format_version(stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'properties of an empty variable')
    call empty%forget_failure(stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'forget_failure of an empty variable')
    call empty%transfers(requests, bytes, stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'transfers of an empty variable')
    call array%free()
    count = array%rank(stat)
    call expect(stat, ASDF_ERR_NULL_POINTER, 'rank of an empty variable')
  end subroutine

  subroutine test_several_times()
    use, intrinsic :: iso_c_binding, only: c_null_char, c_null_ptr, c_ptr
    use asdfkit_c, only: asdf_node_set_times, asdf_time_free, asdf_time_from_nanoseconds
    type(asdf_file) :: file
    type(c_ptr) :: times
    character(:), allocatable :: message
    integer :: values(8), stat
    call file%new()
    stat = asdf_time_from_nanoseconds([0_int64, 1000000000_int64], 1, [2_int64], ASDF_TIME_SCALE_UTC, c_null_ptr, times)
    stat = asdf_node_set_times(file%c_handle(), 'when'//c_null_char, times, c_null_ptr)
    call asdf_time_free(times)
    values = 7
    call file%get_time('when', values, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'there are several times')
    call check(all(values == 7), 'values stay')
  end subroutine
end program
