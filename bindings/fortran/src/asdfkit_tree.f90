!> Places in the tree of a file: what is there, its children, changes of the tree.
!!
!! Every procedure takes a path, a JSON Pointer relative to the place; the leading "/" may be left out, as in
!! 'meta/exposure/time' or 'frames/0/name'. An empty path is the place itself. Blanks at the end of a path do not
!! count. Items of sequences count from 0 in paths, as in the file; they count from 1 as arguments.
module asdfkit_tree
  use, intrinsic :: iso_c_binding, only: c_char, c_int32_t, c_int64_t, c_null_char, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_owners, only: asdf_node_owner, asdf_time_owner
  use asdfkit_texts
  implicit none
  private
  public :: c_path, place

  !> A place in the tree of a file. asdf_node and asdf_file have all its procedures.
  type, extends(asdf_node_owner), public :: asdf_tree
  contains
    procedure :: has => tree_has
    procedure :: kind => tree_kind
    procedure :: type => tree_type
    procedure :: tag => tree_tag
    procedure :: unit => tree_unit
    procedure :: path => tree_path
    procedure :: text => tree_text
    procedure :: note => tree_note
    procedure :: comment => tree_comment
    procedure :: position => tree_position
    procedure :: count => tree_count
    procedure :: key => tree_key
    procedure :: keys => tree_keys
    procedure :: get_node => tree_get_node
    procedure :: get_item => tree_get_item
    !> make_key(path, key, node): makes the node under a key, which is no path: text, an integer or a truth value
    generic :: make_key => make_text_key, make_int32_key, make_int64_key, make_logical_key
    procedure, private :: make_text_key => tree_make_text_key
    procedure, private :: make_int32_key => tree_make_int32_key
    procedure, private :: make_int64_key => tree_make_int64_key
    procedure, private :: make_logical_key => tree_make_logical_key
    procedure :: set_null => tree_set_null
    procedure :: set_sequence => tree_set_sequence
    procedure :: set_mapping => tree_set_mapping
    procedure :: set_timestamp => tree_set_timestamp
    procedure :: set_quantity => tree_set_quantity
    procedure :: set_note => tree_set_note
    procedure :: set_comment => tree_set_comment
    !> set_time(path, value): sets a time of a text, or of the eight numbers of date_and_time
    generic :: set_time => set_time_text, set_time_numbers
    procedure, private :: set_time_text => tree_set_time
    procedure, private :: set_time_numbers => tree_set_time_numbers
    procedure :: get_time => tree_get_time
    procedure :: get_duration => tree_get_duration
    procedure :: set_duration => tree_set_duration
    procedure :: software_count => tree_software_count
    procedure :: get_software => tree_get_software
    procedure :: set_software => tree_set_software
    procedure :: set_tag => tree_set_tag
    procedure :: set_reference => tree_set_reference
    procedure :: set_wcs_cards => tree_set_wcs_cards
    procedure :: set_wcs_cutout => tree_set_wcs_cutout
    procedure :: insert => tree_insert
    procedure :: rename => tree_rename
    procedure :: move => tree_move
    procedure :: copy => tree_copy
    procedure :: remove => tree_remove
  end type

contains

  !> A path as C has it: without trailing blanks, with a final NUL.
  pure function c_path(path)
    character(*), intent(in) :: path
    character(len_trim(path) + 1, c_char) :: c_path
    c_path = trim(path)//c_null_char
  end function

  !> Place of a path from the root for messages: "at /data: ".
  pure function place(path)
    character(*), intent(in) :: path
    character(:), allocatable :: place
    if (index(path, '/') == 1) then
      place = 'at '//trim(path)//': '
    else
      place = 'at /'//trim(path)//': '
    end if
  end function

  ! Properties --------------------------------------------------------------------------------------------------------

  !> Tests whether something is at a path.
  logical function tree_has(self, path, stat, errmsg) result(has)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, exists
    exists = 0
    status = asdf_node_exists(self%c_handle(), c_path(path), exists)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    has = exists /= 0
  end function

  !> Meaning of what is at a path: one of ASDF_KIND_..., which determines how to read it. -1 after a failure.
  integer function tree_kind(self, path, stat, errmsg) result(kind)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, found
    found = -1
    status = asdf_node_kind(self%c_handle(), c_path(path), found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    kind = int(found)
  end function

  !> YAML type of what is at a path: one of ASDF_NODE_... -1 after a failure.
  integer function tree_type(self, path, stat, errmsg) result(type)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, found
    found = -1
    status = asdf_node_type(self%c_handle(), c_path(path), found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    type = int(found)
  end function

  !> Full tag, such as "tag:stsci.edu:asdf/core/ndarray-1.1.0"; empty if there is none, and after a failure.
  function tree_tag(self, path, stat, errmsg) result(tag)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: tag
    integer(c_int32_t) :: status
    status = node_tag_string(self%c_handle(), trim(path), tag)
    if (status /= ASDF_OK) tag = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Unit of a quantity, a column or another mapping with the key "unit". Empty if it is dimensionless, and after a
  !! failure.
  function tree_unit(self, path, stat, errmsg) result(unit)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: unit
    integer(c_int32_t) :: status
    status = node_get_unit_string(self%c_handle(), trim(path), unit)
    if (status /= ASDF_OK) unit = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Path from the root of the file to this place; empty for the root, and after a failure.
  function tree_path(self, stat, errmsg) result(path)
    class(asdf_tree), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: path
    integer(c_int32_t) :: status
    status = node_path_string(self%c_handle(), '', path)
    if (status /= ASDF_OK) path = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Note of a mapping, the text under its key "//"; empty if there is none.
  function tree_note(self, path, stat, errmsg) result(text)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    status = node_note_string(self%c_handle(), trim(path), text)
    call none_is_empty(status, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Comment of a node in the YAML text, without "#"; empty if there is none.
  function tree_comment(self, path, position, stat, errmsg) result(text)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> ASDF_COMMENT_BEFORE, the default, ASDF_COMMENT_LINE_END or ASDF_COMMENT_DOCUMENT_END
    integer, intent(in), optional :: position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    status = node_comment_string(self%c_handle(), trim(path), comment_position(position), text)
    call none_is_empty(status, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  pure integer(c_int32_t) function comment_position(position)
    integer, intent(in), optional :: position
    comment_position = ASDF_COMMENT_BEFORE
    if (present(position)) comment_position = int(position, c_int32_t)
  end function

  !> Makes an empty text of one that does not exist, and of a failure.
  subroutine none_is_empty(status, text)
    integer(c_int32_t), intent(inout) :: status
    character(:), allocatable, intent(inout) :: text
    if (status /= ASDF_OK) text = ''
    if (status == ASDF_ERR_NOT_FOUND) status = ASDF_OK
  end subroutine

  !> Text of a scalar of any type, as it is written in the file. Empty after a failure.
  function tree_text(self, path, stat, errmsg) result(text)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    status = node_get_text_string(self%c_handle(), trim(path), text)
    if (status /= ASDF_OK) text = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the position in the file. All are -1 if the place was not read from a file.
  subroutine tree_position(self, path, line, column, offset, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> line and column in characters, from 1
    integer, intent(inout), optional :: line, column
    !> bytes from the start of the file
    integer(int64), intent(inout), optional :: offset
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found_offset, found_line, found_column
    integer(c_int32_t) :: status
    status = asdf_node_position(self%c_handle(), c_path(path), found_offset, found_line, found_column)
    if (status == ASDF_OK) then
      if (present(line)) line = int(found_line)
      if (present(column)) column = int(found_column)
      if (present(offset)) offset = found_offset
    end if
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! Children ----------------------------------------------------------------------------------------------------------

  !> Number of items of a sequence or of keys of a mapping. 0 after a failure.
  integer function tree_count(self, path, stat, errmsg) result(count)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    integer(c_int64_t) :: found
    found = 0
    status = asdf_node_count(self%c_handle(), c_path(path), found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
    count = int(found)
  end function

  !> Key of a mapping by its number, from 1, in the order of the file. Empty after a failure.
  function tree_key(self, path, number, stat, errmsg) result(key)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(in) :: number
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: key
    integer(c_int32_t) :: status
    status = node_key_string_string(self%c_handle(), trim(path), int(number, c_int64_t) - 1, key)
    if (status /= ASDF_OK) key = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets all keys of a mapping in the order of the file, padded with blanks to the length of the longest one.
  subroutine tree_keys(self, path, keys, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> not allocated after a failure
    character(:), allocatable, intent(inout) :: keys(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: key
    integer(c_int64_t) :: count, number
    integer(c_int32_t) :: status
    integer :: longest
    if (allocated(keys)) deallocate (keys)
    longest = 0
    count = 0
    status = asdf_node_count(self%c_handle(), c_path(path), count)
    do number = 0, count - 1
      if (status == ASDF_OK) status = node_key_string_string(self%c_handle(), trim(path), number, key)
      if (status == ASDF_OK) longest = max(longest, len(key))
    end do
    if (status == ASDF_OK) allocate (character(longest) :: keys(count))
    do number = 0, count - 1
      if (status == ASDF_OK) status = node_key_string_string(self%c_handle(), trim(path), number, key)
      if (status == ASDF_OK) keys(number + 1) = key
    end do
    if (status /= ASDF_OK .and. allocated(keys)) deallocate (keys)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets the place at a path.
  subroutine tree_get_node(self, path, node, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> gets the place; empty after a failure
    class(asdf_node_owner), intent(inout) :: node
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_node_get(self%c_handle(), c_path(path), handle)
    call node%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets an item of a sequence or a value of a mapping by its number, from 1, in the order of the file.
  subroutine tree_get_item(self, path, number, node, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(in) :: number
    !> gets the place of the item; empty after a failure
    class(asdf_node_owner), intent(inout) :: node
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_node_item(self%c_handle(), c_path(path), int(number, c_int64_t) - 1, handle)
    call node%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! Changes -----------------------------------------------------------------------------------------------------------

  !> Makes the node under a text key of a mapping: "a/b" is one key, and no path. A missing key is appended, and its value
  !! is null until it is set. Blanks at the end do not count.
  subroutine tree_make_text_key(self, path, key, node, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    !> path of the mapping
    character(*), intent(in) :: path
    character(*), intent(in) :: key
    !> gets the place of the value; empty after a failure
    class(asdf_node_owner), intent(inout) :: node
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_node_make_by_string(self%c_handle(), c_path(path), trim(key), len_trim(key, c_size_t), handle)
    call node%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes the node under an integer key of a mapping, as for a text key.
  subroutine tree_make_int64_key(self, path, key, node, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    !> path of the mapping
    character(*), intent(in) :: path
    integer(int64), intent(in) :: key
    !> gets the place of the value; empty after a failure
    class(asdf_node_owner), intent(inout) :: node
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_node_make_by_i64(self%c_handle(), c_path(path), int(key, c_int64_t), handle)
    call node%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes the node under an integer key of a mapping, as for a text key.
  subroutine tree_make_int32_key(self, path, key, node, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    !> path of the mapping
    character(*), intent(in) :: path
    integer(int32), intent(in) :: key
    !> gets the place of the value; empty after a failure
    class(asdf_node_owner), intent(inout) :: node
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_node_make_by_i64(self%c_handle(), c_path(path), int(key, c_int64_t), handle)
    call node%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes the node under the key true or false of a mapping, as for a text key.
  subroutine tree_make_logical_key(self, path, key, node, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    !> path of the mapping
    character(*), intent(in) :: path
    logical, intent(in) :: key
    !> gets the place of the value; empty after a failure
    class(asdf_node_owner), intent(inout) :: node
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_node_make_by_bool(self%c_handle(), c_path(path), merge(1_c_int32_t, 0_c_int32_t, key), handle)
    call node%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets null.
  subroutine tree_set_null(self, path, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_null(self%c_handle(), c_path(path))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets an empty sequence; set('list/-', value) then appends items.
  subroutine tree_set_sequence(self, path, flow, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> true to write it in brackets; false, the default, to write it line by line
    logical, intent(in), optional :: flow
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_sequence(self%c_handle(), c_path(path), c_flag(flow))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets an empty mapping.
  subroutine tree_set_mapping(self, path, flow, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> true to write it in braces; false, the default, to write it line by line
    logical, intent(in), optional :: flow
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_mapping(self%c_handle(), c_path(path), c_flag(flow))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets a date, or a date with time, as a YAML timestamp: '2027-01-31T04:05:06.7Z'.
  subroutine tree_set_timestamp(self, path, value, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path, value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_timestamp(self%c_handle(), c_path(path), value, len_trim(value, c_size_t))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes a quantity of the mapping at a path, or of a new one, with a unit in VOUnit spelling. Its number or array is
  !! set below it, before or after: call file%set('step/value', 0.5). ASDF_ERR_WRONG_TYPE if another node is there.
  subroutine tree_set_quantity(self, path, unit, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path, unit
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_quantity(self%c_handle(), c_path(path), c_path(unit), len_trim(unit, c_size_t))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets the note of a mapping, for people who read the file: the text under its key "//".
  subroutine tree_set_note(self, path, note, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path, note
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_note(self%c_handle(), c_path(path), note, len_trim(note, c_size_t))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets the comment of a node in the YAML text. An empty one removes it.
  subroutine tree_set_comment(self, path, comment, position, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path, comment
    !> ASDF_COMMENT_BEFORE, the default, ASDF_COMMENT_LINE_END or ASDF_COMMENT_DOCUMENT_END
    integer, intent(in), optional :: position
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_comment(self%c_handle(), c_path(path), comment_position(position), comment, &
                                   len_trim(comment, c_size_t))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets a time of the standard: '2027-01-31T04:05:06.7', '2027:031:04:05:06.7', 'B1950.0' or 'J2000.0'.
  subroutine tree_set_time(self, path, value, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path, value
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_set_time(self%c_handle(), c_path(path), value, len_trim(value, c_size_t))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets a time of the standard from the values of the intrinsic date_and_time: year, month, day, minutes from UTC to
  !! the local time, hour, minute, second, millisecond. The time is stored in UTC.
  subroutine tree_set_time_numbers(self, path, values, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(in) :: values(8)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int64), parameter :: nanoseconds_of_minute = 60000000000_int64
    type(asdf_time_owner) :: time
    type(c_ptr) :: handle
    character(29) :: text
    integer(int64) :: since(1)
    integer(c_int32_t) :: status
    write (text, '(i4.4,2("-",i2.2),"T",i2.2,2(":",i2.2),".",i3.3)') values(1:3), values(5:8)
    status = asdf_time_from_texts(text, len_trim(text, c_size_t), [0_int64, len_trim(text, int64)], 0_c_int32_t, &
                                  scale=ASDF_TIME_SCALE_UTC, format=ASDF_TIME_FORMAT_ISOT, options=c_null_ptr, &
                                  time=handle)
    call time%adopt(handle)
    if (status == ASDF_OK .and. values(4) /= 0) then
      status = asdf_time_read_nanoseconds(handle, ASDF_TIME_SCALE_UTC, since(1), capacity=1_c_size_t)
      since = since - values(4)*nanoseconds_of_minute
      if (status == ASDF_OK) then
        status = asdf_time_from_nanoseconds(since, 0_c_int32_t, scale=ASDF_TIME_SCALE_UTC, options=c_null_ptr, &
                                            time=handle)
        call time%adopt(handle)
      end if
    end if
    if (status == ASDF_OK) status = asdf_node_set_times(self%c_handle(), c_path(path), time%c_handle(), c_null_ptr)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets a time as the values of the intrinsic date_and_time, in UTC: year, month, day, 0, hour, minute, second,
  !! millisecond. A leap second is second 60.
  subroutine tree_get_time(self, path, values, nanoseconds, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> gets the values; unchanged after a failure
    integer, intent(inout) :: values(8)
    !> gets the nanoseconds after the millisecond; without it, the time is cut to milliseconds
    integer, intent(inout), optional :: nanoseconds
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_time_owner) :: time, utc
    type(c_ptr) :: handle
    character(:), allocatable :: text
    character(*), parameter :: several = 'there are several times; asdf_node_get_time of the interface reads them'
    integer(c_int64_t) :: count
    integer :: numbers(7)
    integer(c_int32_t) :: status
    status = asdf_node_get_time(self%c_handle(), c_path(path), c_null_ptr, handle)
    call time%adopt(handle)
    count = 1
    if (status == ASDF_OK) status = asdf_time_count(time%c_handle(), count)
    if (status == ASDF_OK .and. count /= 1) then
      call conclude(ASDF_ERR_INVALID_ARGUMENT, stat, place(path)//several)
      if (present(errmsg)) call explain(ASDF_ERR_INVALID_ARGUMENT, errmsg, place(path)//several)
      return
    end if
    if (status == ASDF_OK) then
      status = asdf_time_convert(time%c_handle(), ASDF_TIME_SCALE_UTC, handle)
      call utc%adopt(handle)
    end if
    if (status == ASDF_OK) status = time_text_string(handle, 0_int64, ASDF_TIME_FORMAT_ISOT, 9_c_int32_t, text)
    if (status == ASDF_OK) then
      read (text, '(i4,5(1x,i2),1x,i9)') numbers
      values = [numbers(1:3), 0, numbers(4:6), numbers(7)/1000000]
      if (present(nanoseconds)) nanoseconds = mod(numbers(7), 1000000)
    end if
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets a span of time, astropy's time/timedelta, in nanoseconds. ASDF_ERR_VALUE_RANGE between two nanoseconds.
  subroutine tree_get_duration(self, path, nanoseconds, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> gets the span; unchanged after a failure
    integer(int64), intent(inout) :: nanoseconds
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(real64) :: jd1(1), jd2(1)
    integer(int64) :: found(1), count
    integer(c_int32_t) :: status
    count = 0
    status = asdf_node_get_time_delta(self%c_handle(), c_path(path), jd1, jd2, 1_c_size_t, count)
    if (status == ASDF_OK) status = asdf_time_delta_to_nanoseconds(jd1, jd2, count, found, capacity=1_c_size_t)
    if (status == ASDF_OK) nanoseconds = found(1)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets a span of time as astropy's time/timedelta.
  subroutine tree_set_duration(self, path, nanoseconds, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer(int64), intent(in) :: nanoseconds
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(real64) :: jd1(1), jd2(1)
    integer(c_int32_t) :: status
    status = asdf_time_delta_from_nanoseconds([nanoseconds], 1_int64, jd1, jd2, 1_c_size_t)
    if (status == ASDF_OK) &
      status = asdf_node_set_time_delta(self%c_handle(), c_path(path), jd1, jd2, 0_c_int32_t, scale=0_c_int32_t, &
                                        name='sec'//c_null_char, options=c_null_ptr)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Number of programs at a path: of a core/software, or of a list of them. 0 after a failure.
  integer function tree_software_count(self, path, stat, errmsg) result(count)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int64) :: found
    integer(c_int32_t) :: status
    found = 0
    status = asdf_node_software_count(self%c_handle(), c_path(path), found)
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the description of a program at a path by its number, from 1. Texts that the file does not have are empty.
  subroutine tree_get_software(self, path, number, name, version, author, homepage, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(in) :: number
    character(:), allocatable, intent(inout) :: name
    character(:), allocatable, intent(inout), optional :: version, author, homepage
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int64) :: index
    integer(c_int32_t) :: status
    index = number - 1
    status = node_get_software_string(self%c_handle(), path, index, ASDF_SOFTWARE_NAME, name)
    if (status == ASDF_OK .and. present(version)) &
      status = node_get_software_string(self%c_handle(), path, index, ASDF_SOFTWARE_VERSION, version)
    if (status == ASDF_OK .and. present(author)) &
      status = node_get_software_string(self%c_handle(), path, index, ASDF_SOFTWARE_AUTHOR, author)
    if (status == ASDF_OK .and. present(homepage)) &
      status = node_get_software_string(self%c_handle(), path, index, ASDF_SOFTWARE_HOMEPAGE, homepage)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets the description of a program, a core/software.
  subroutine tree_set_software(self, path, name, version, author, homepage, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    character(*), intent(in) :: name, version
    character(*), intent(in), optional :: author, homepage
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    ! An unallocated text is an absent argument.
    character(:), allocatable :: c_author, c_homepage
    if (present(author)) c_author = c_path(author)
    if (present(homepage)) c_homepage = c_path(homepage)
    status = asdf_node_set_software(self%c_handle(), c_path(path), c_path(name), c_path(version), c_author, c_homepage)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets the tag: a full tag, or "!" and the short form of a tag of the standard, as in '!unit/unit-1.0.0'. An absent
  !! tag removes it.
  subroutine tree_set_tag(self, path, tag, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    character(*), intent(in), optional :: tag
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    if (present(tag)) then
      status = asdf_node_set_tag(self%c_handle(), c_path(path), c_path(tag))
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    else
      status = asdf_node_set_tag(self%c_handle(), c_path(path))
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    end if
  end subroutine

  !> Sets a JSON reference, to a place in this file (`target`, a path from the root) or in any file (`uri`).
  subroutine tree_set_reference(self, path, target, uri, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    character(*), intent(in), optional :: target, uri
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    if (present(target) .eqv. present(uri)) then
      call conclude(ASDF_ERR_INVALID_ARGUMENT, stat, place(path)//'pass either target or uri')
      if (present(errmsg)) call explain(ASDF_ERR_INVALID_ARGUMENT, errmsg, &
        place(path)//'pass either target or uri')
    else if (present(target)) then
      status = asdf_node_set_reference_to(self%c_handle(), c_path(path), c_path(target))
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    else
      status = asdf_node_set_reference(self%c_handle(), c_path(path), c_path(uri))
      call conclude(status, stat)
      if (present(errmsg)) call explain(status, errmsg)
    end if
  end subroutine

  !> Writes the world coordinates of cards of a FITS header, as a tree that Python reads. The option `alternate` is the
  !! letter of an alternate description.
  subroutine tree_set_wcs_cards(self, path, cards, options, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> cards of 80 characters in a row, or lines with a card each
    character(*), intent(in) :: cards
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    type(c_ptr) :: given
    given = options_handle(options)
    status = asdf_node_set_wcs_cards(self%c_handle(), c_path(path), cards, len(cards, c_size_t), given)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Writes the world coordinates of a part of an image: those of `from`, for pixels that count from the start of a region.
  !! The first dimension of Fortran is the x axis.
  subroutine tree_set_wcs_cutout(self, path, from, start, count, step, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> world coordinates of the whole image, of any file
    class(asdf_node_owner), intent(in) :: from
    !> first index along each dimension, from 1
    integer(c_int64_t), intent(in) :: start(:)
    !> number of elements along each dimension
    integer(c_int64_t), intent(in) :: count(:)
    !> distance of indices, by default 1
    integer(c_int64_t), intent(in), optional :: step(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: steps(size(start))
    integer(c_int32_t) :: status
    integer :: rank
    logical :: differs
    rank = size(start)
    differs = size(count) /= rank
    steps = 1
    if (present(step)) then
      differs = differs .or. size(step) /= rank
      if (size(step) == rank) steps = step
    end if
    if (differs) then
      call conclude(ASDF_ERR_INVALID_ARGUMENT, stat, place(path)//'start, count and step differ in size')
      if (present(errmsg)) call explain(ASDF_ERR_INVALID_ARGUMENT, errmsg, &
        place(path)//'start, count and step differ in size')
      return
    end if
    status = asdf_node_set_wcs_cutout(self%c_handle(), c_path(path), from%c_handle(), int(rank, c_int32_t), &
      start(rank:1:-1) - 1, count(rank:1:-1), steps(rank:1:-1))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Inserts null into a sequence as item `number`, from 1; a setter then gives it a value.
  subroutine tree_insert(self, path, number, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(in) :: number
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    integer(c_int64_t) :: index
    ! The library takes -1 for the end, which 0 is not here.
    index = merge(-2_c_int64_t, int(number, c_int64_t) - 1, number < 1)
    status = asdf_node_insert_item(self%c_handle(), c_path(path), index)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Renames a key; value, position and comments stay.
  subroutine tree_rename(self, path, key, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    !> the new key
    character(*), intent(in) :: key
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_rename_key(self%c_handle(), c_path(path), c_path(key))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Moves a node with its children to another path of the file.
  subroutine tree_move(self, path, to, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path, to
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_move(self%c_handle(), c_path(path), c_path(to))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Copies a node with its children, of this or another file, to a path. Blocks are copied as they are stored.
  subroutine tree_copy(self, path, from, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    class(asdf_node_owner), intent(in) :: from
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_copy(self%c_handle(), c_path(path), from%c_handle(), c_null_ptr)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Removes a node with its children.
  subroutine tree_remove(self, path, stat, errmsg)
    class(asdf_tree), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_node_remove(self%c_handle(), c_path(path))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  pure integer(c_int32_t) function c_flag(flag)
    logical, intent(in), optional :: flag
    c_flag = 0
    if (present(flag)) c_flag = merge(1_c_int32_t, 0_c_int32_t, flag)
  end function
end module asdfkit_tree
