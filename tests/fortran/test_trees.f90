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
  call test_history()
  call test_files()
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
    call file%set('length/unit', 'm')
    call file%set_tag('length', '!unit/quantity-1.2.0')
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

  subroutine test_history()
    type(asdf_file) :: file
    character(:), allocatable :: description, time
    integer :: stat
    call file%open_for_update(name)
    call check(file%history_count() == 0, 'no history')
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
end program
