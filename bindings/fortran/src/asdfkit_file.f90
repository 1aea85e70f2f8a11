!> ASDF files: opening, making, writing, saving and closing them; their history and properties.
module asdfkit_file
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_int64_t, c_null_ptr, c_ptr, c_size_t
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain, settle
  use asdfkit_node, only: asdf_node
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_owners, only: asdf_buffer_owner, asdf_file_owner, asdf_node_owner
  use asdfkit_report, only: asdf_report, text_of_buffer
  use asdfkit_schemas, only: asdf_schemas
  use asdfkit_texts
  use asdfkit_tree, only: c_path
  implicit none
  private

  !> An ASDF file, which is also the root of its tree: all procedures of asdf_node take paths from the root.
  !!
  !! Assignment makes another variable for the same file. The file is closed at the end of the life of the last
  !! variable that uses it, also of nodes and arrays; close() closes it at once and reports errors.
  type, extends(asdf_node), public :: asdf_file
    private
    type(asdf_file_owner) :: owner
  contains
    procedure :: c_file => file_c_file
    procedure :: free => file_free
    procedure :: node_assign => file_assign
    procedure :: new => file_new
    procedure :: open => file_open
    procedure :: open_for_update => file_open_for_update
    procedure, private :: write_file => file_write
    !> Writes the file under a name: write(name, replace, durable, checksums, options, stat, errmsg).
    generic :: write => write_file
    procedure :: save => file_save
    procedure :: compact => file_compact
    procedure :: close => file_close
    procedure :: name => file_name
    procedure :: standard => file_standard
    procedure :: format_version => file_format_version
    procedure :: transfers => file_transfers
    procedure :: verify => file_verify
    procedure :: validate => file_validate
    procedure :: explode => file_explode
    procedure :: implode => file_implode
    procedure :: history_count => file_history_count
    procedure :: get_history => file_get_history
    procedure :: add_history => file_add_history
    procedure :: extension_count => file_extension_count
    procedure :: get_extension => file_get_extension
    procedure :: add_extension => file_add_extension
    procedure :: add_comment => file_add_comment
    procedure :: forget_failure => file_forget_failure
  end type

  public :: asdf_export_references

contains

  !> Gets references to the arrays of files, for readers of zarr: JSON (kerchunk, version 1). The arrays of the same path
  !! in several files become one array. Its list `notes` under the key `asdfkit` names arrays that zarr cannot express.
  subroutine asdf_export_references(files, json, options, stat, errmsg)
    !> the files, in the order in which they are joined; elements of a variable, not of a constructor
    type(asdf_file), intent(in) :: files(:)
    character(:), allocatable, intent(out) :: json
    !> options such as slab_bytes, url, join_axis and join_dimension
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handles(max(size(files), 1))
    type(asdf_options) :: all
    type(asdf_buffer_owner) :: buffer
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: i
    do i = 1, size(files)
      handles(i) = files(i)%c_file()
    end do
    handle = c_null_ptr
    status = copy_options(options, all)
    if (status == ASDF_OK) &
      status = asdf_file_export_references(handles, size(files, kind=c_int64_t), all%c_handle(), handle)
    call buffer%adopt(handle)
    if (status == ASDF_OK) status = text_of_buffer(buffer, json)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Handle of the file for calls of asdfkit_c; c_handle() is that of the root. The variable keeps it.
  pure type(c_ptr) function file_c_file(self) result(handle)
    class(asdf_file), intent(in) :: self
    handle = self%owner%c_handle()
  end function

  impure elemental subroutine file_free(self)
    class(asdf_file), intent(inout) :: self
    call self%asdf_node%free()
    call self%owner%free()
  end subroutine

  impure elemental subroutine file_assign(left, right)
    class(asdf_file), intent(inout) :: left
    class(asdf_node_owner), intent(in) :: right
    call left%asdf_node%node_assign(right)
    select type (right)
    class is (asdf_file)
      left%owner = right%owner
    class default
      call left%owner%free()
    end select
  end subroutine

  ! Opening and making ------------------------------------------------------------------------------------------------

  !> Makes an empty file in memory; write() gives it a name.
  subroutine file_new(self, standard, options, stat, errmsg)
    class(asdf_file), intent(inout) :: self
    !> version of the ASDF standard, '1.0.0' to '1.6.0'; default: '1.6.0'
    character(*), intent(in), optional :: standard
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: own
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(options, own)
    if (status == ASDF_OK) then
      call own%set(standard=standard, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_file_new(own%c_handle(), handle)
    call use_file(self, handle, status)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Opens a file for reading.
  subroutine file_open(self, name, verify_checksums, mapped, access, threads, options, stat, errmsg)
    class(asdf_file), intent(inout) :: self
    !> name of the file; blanks at the end do not count
    character(*), intent(in) :: name
    !> true to compare each block with its MD5 checksum before it is used
    logical, intent(in), optional :: verify_checksums
    !> true to read through a memory map
    logical, intent(in), optional :: mapped
    !> access to files that this one refers to, one of ASDF_ACCESS_...; default: none
    integer(c_int32_t), intent(in), optional :: access
    !> number of threads that the call may use; default: 1
    integer, intent(in), optional :: threads
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: own
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(options, own)
    if (status == ASDF_OK) then
      call own%set(verify_checksums=verify_checksums, mapped=mapped, access=access, &
        threads=threads, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_file_open(c_path(name), own%c_handle(), handle)
    call use_file(self, handle, status)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Opens a file to change it; save() writes the changes.
  subroutine file_open_for_update(self, name, verify_checksums, lock, access, threads, options, stat, errmsg)
    class(asdf_file), intent(inout) :: self
    !> name of the file; blanks at the end do not count
    character(*), intent(in) :: name
    !> true to compare each block with its MD5 checksum before it is used
    logical, intent(in), optional :: verify_checksums
    !> false to hold no lock while the file is open
    logical, intent(in), optional :: lock
    !> access to files that this one refers to, one of ASDF_ACCESS_...; default: none
    integer(c_int32_t), intent(in), optional :: access
    !> number of threads that the call may use; default: 1
    integer, intent(in), optional :: threads
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: own
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(options, own)
    if (status == ASDF_OK) then
      call own%set(verify_checksums=verify_checksums, lock=lock, access=access, threads=threads, &
        stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_file_open_for_update(c_path(name), own%c_handle(), handle)
    call use_file(self, handle, status)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes a handle the file of a variable, or leaves the variable empty after a failure.
  subroutine use_file(self, handle, status)
    class(asdf_file), intent(inout) :: self
    type(c_ptr), intent(in) :: handle
    integer(c_int32_t), intent(inout) :: status
    type(c_ptr) :: root
    root = c_null_ptr
    call self%owner%adopt(handle)
    if (status == ASDF_OK) status = asdf_file_root(handle, root)
    call self%adopt(root)
  end subroutine

  integer(c_int32_t) function copy_options(options, own) result(status)
    class(asdf_options), intent(in), optional :: options
    type(asdf_options), intent(inout) :: own
    type(c_ptr) :: given
    given = options_handle(options)
    status = own%prepare_copy(given)
  end function

  ! Writing -----------------------------------------------------------------------------------------------------------

  !> Writes the file under a name. After a failure no new file is left, and an old one of that name is unchanged.
  subroutine file_write(self, name, options, replace, durable, checksums, threads, stat, errmsg)
    class(asdf_file), intent(in) :: self
    character(*), intent(in) :: name
    class(asdf_options), intent(in), optional :: options
    !> true to replace a file of that name, which is ASDF_ERR_FILE_EXISTS otherwise
    logical, intent(in), optional :: replace
    !> false not to wait until the file is on the disk
    logical, intent(in), optional :: durable
    !> false to write no MD5 checksums
    logical, intent(in), optional :: checksums
    !> number of threads that the call may use; default: 1
    integer, intent(in), optional :: threads
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: own
    integer(c_int32_t) :: status
    integer :: outcome
    status = copy_options(options, own)
    if (status == ASDF_OK) then
      call own%set(replace=replace, durable=durable, checksums=checksums, threads=threads, &
        stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_file_write(self%c_file(), c_path(name), own%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Saves the changes of a file that is open for update.
  subroutine file_save(self, durable, save_mode, threads, options, stat, errmsg)
    class(asdf_file), intent(in) :: self
    !> false not to wait until the file is on the disk
    logical, intent(in), optional :: durable
    !> ASDF_SAVE_AUTO (default), ASDF_SAVE_WHOLE or ASDF_SAVE_IN_PLACE
    integer(c_int32_t), intent(in), optional :: save_mode
    !> number of threads that the call may use; default: 1
    integer, intent(in), optional :: threads
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: own
    integer(c_int32_t) :: status
    integer :: outcome
    status = copy_options(options, own)
    if (status == ASDF_OK) then
      call own%set(durable=durable, save_mode=save_mode, threads=threads, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_file_save(self%c_file(), own%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Saves a file that is open for update in its smallest form, without unused blocks.
  subroutine file_compact(self, options, stat, errmsg)
    class(asdf_file), intent(in) :: self
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_file_compact(self%c_file(), options_handle(options))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Writes a copy whose blocks are files of their own beside it.
  subroutine file_explode(self, name, replace, options, stat, errmsg)
    class(asdf_file), intent(in) :: self
    character(*), intent(in) :: name
    logical, intent(in), optional :: replace
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: own
    integer(c_int32_t) :: status
    integer :: outcome
    status = copy_options(options, own)
    if (status == ASDF_OK) then
      call own%set(replace=replace, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_file_explode(self%c_file(), c_path(name), own%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Writes a copy that contains the blocks of the arrays in other files.
  subroutine file_implode(self, name, replace, options, stat, errmsg)
    class(asdf_file), intent(in) :: self
    character(*), intent(in) :: name
    logical, intent(in), optional :: replace
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: own
    integer(c_int32_t) :: status
    integer :: outcome
    status = copy_options(options, own)
    if (status == ASDF_OK) then
      call own%set(replace=replace, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_file_implode(self%c_file(), c_path(name), own%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Closes the file at once. Calls with its nodes and arrays then fail with ASDF_ERR_CLOSED.
  subroutine file_close(self, stat, errmsg)
    class(asdf_file), intent(inout) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_file_close(self%c_file())
    call self%free()
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Allows a file to be written although a setter failed; its value is missing in the file.
  subroutine file_forget_failure(self, stat, errmsg)
    class(asdf_file), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_file_forget_failure(self%c_file())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! Properties --------------------------------------------------------------------------------------------------------

  !> Name of the file; empty if it has none, and after a failure.
  function file_name(self, stat, errmsg) result(name)
    class(asdf_file), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: name
    integer(c_int32_t) :: status
    status = file_name_string(self%c_file(), name)
    if (status /= ASDF_OK) name = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Version of the ASDF standard that the file follows, such as "1.6.0". Empty after a failure.
  function file_standard(self, stat, errmsg) result(version)
    class(asdf_file), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: version
    integer(c_int32_t) :: status
    status = file_standard_string(self%c_file(), version)
    if (status /= ASDF_OK) version = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Version of the file format, such as "1.0.0". Empty after a failure.
  function file_format_version(self, stat, errmsg) result(version)
    class(asdf_file), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: version
    integer(c_int32_t) :: status
    status = file_format_version_string(self%c_file(), version)
    if (status /= ASDF_OK) version = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Checks that the file is whole: blocks and checksums, arrays in their blocks, references. Reads no elements.
  subroutine file_verify(self, absent, stat, errmsg)
    class(asdf_file), intent(in) :: self
    !> number of blocks without a checksum
    integer, intent(inout), optional :: absent
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found
    integer(c_int32_t) :: status
    status = asdf_file_verify(self%c_file(), c_null_ptr, found)
    if (status == ASDF_OK .and. present(absent)) absent = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Validates the tree by the schemas of its tags. Each violation is an entry of the report with the severity error.
  subroutine file_validate(self, schemas, report, root_schema, stat, errmsg)
    class(asdf_file), intent(in) :: self
    class(asdf_schemas), intent(in) :: schemas
    type(asdf_report), intent(inout) :: report
    !> URI of a schema that the root must match besides those of its tags
    character(*), intent(in), optional :: root_schema
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: options
    type(c_ptr) :: made
    integer(c_int32_t) :: status
    integer :: set
    made = c_null_ptr
    call options%set(root_schema=root_schema, stat=set)
    status = int(set, c_int32_t)
    if (status == ASDF_OK) status = asdf_file_validate(self%c_file(), schemas%c_handle(), options%c_handle(), made)
    if (status == ASDF_OK) call report%adopt(made)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Adds a comment line to the head of a new file.
  subroutine file_add_comment(self, text, stat, errmsg)
    class(asdf_file), intent(in) :: self
    character(*), intent(in) :: text
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_file_add_comment(self%c_file(), text, len_trim(text, c_size_t))
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! History -----------------------------------------------------------------------------------------------------------

  !> Number of entries of the history. 0 after a failure.
  integer function file_history_count(self, stat, errmsg) result(count)
    class(asdf_file), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_node) :: entries
    integer(c_int32_t) :: status
    integer(c_int64_t) :: found
    found = 0
    status = find_history(self, entries)
    if (status == ASDF_OK) status = asdf_node_count(entries%c_handle(), c_path(''), found)
    if (status == ASDF_ERR_NOT_FOUND) status = ASDF_OK
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets an entry of the history by its number, from 1, in the order in which they were added.
  subroutine file_get_history(self, number, description, time, stat, errmsg)
    class(asdf_file), intent(in) :: self
    integer, intent(in) :: number
    character(:), allocatable, intent(inout) :: description
    !> time of the entry as text; empty if it has none
    character(:), allocatable, intent(inout), optional :: time
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_node) :: entries, entry
    integer :: status
    status = int(find_history(self, entries))
    if (status == ASDF_OK) call entries%get_item('', number, entry, stat=status)
    if (status == ASDF_OK) call entry%get('description', description, stat=status)
    if (status == ASDF_OK .and. present(time)) then
      time = ''
      if (entry%has('time')) call entry%get('time', time, stat=status)
    end if
    call conclude(int(status, c_int32_t), stat)
    if (present(errmsg)) call explain(int(status, c_int32_t), errmsg)
  end subroutine

  integer(c_int32_t) function find_history(self, entries) result(status)
    class(asdf_file), intent(in) :: self
    type(asdf_node), intent(inout) :: entries
    type(c_ptr) :: handle
    status = asdf_file_history(self%c_file(), handle)
    call entries%adopt(handle)
  end function

  !> Appends an entry to the history.
  subroutine file_add_history(self, description, time, software_name, software_version, software_author, &
    software_homepage, stat, errmsg)
    class(asdf_file), intent(in) :: self
    character(*), intent(in) :: description
    !> time of the entry: '2027-01-31T04:05:06Z'; default: now
    character(*), intent(in), optional :: time
    !> program that made the change; with a name, a version is required, too
    character(*), intent(in), optional :: software_name, software_version, software_author, software_homepage
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    ! An unallocated text is an absent argument.
    character(:), allocatable :: c_time, name, version, author, homepage
    if (present(time)) c_time = c_path(time)
    if (present(software_name)) name = c_path(software_name)
    if (present(software_version)) version = c_path(software_version)
    if (present(software_author)) author = c_path(software_author)
    if (present(software_homepage)) homepage = c_path(software_homepage)
    status = asdf_file_add_history(self%c_file(), description, len_trim(description, c_size_t), c_time, name, &
      version, author, homepage)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets how much was asked for so far from the server that this file is on, and for files that it refers to. Files on a
  !! disk have none.
  subroutine file_transfers(self, requests, bytes, stat, errmsg)
    class(asdf_file), intent(in) :: self
    !> number of calls; each may need several requests of the protocol of the server
    integer(c_int64_t), intent(out) :: requests
    !> number of bytes asked for, with those that were read ahead
    integer(c_int64_t), intent(out) :: bytes
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    requests = 0
    bytes = 0
    status = asdf_file_transfers(self%c_file(), requests, bytes)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Number of extensions that the file was written with. 0 after a failure.
  integer function file_extension_count(self, stat, errmsg) result(count)
    class(asdf_file), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_node) :: entries
    integer(c_int32_t) :: status
    integer(c_int64_t) :: found
    found = 0
    status = find_extensions(self, entries)
    if (status == ASDF_OK) status = asdf_node_count(entries%c_handle(), c_path(''), found)
    if (status == ASDF_ERR_NOT_FOUND) status = ASDF_OK
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets an extension by its number, from 1: its class and its URI, empty if it has none.
  subroutine file_get_extension(self, number, class_name, uri, stat, errmsg)
    class(asdf_file), intent(in) :: self
    integer, intent(in) :: number
    character(:), allocatable, intent(inout) :: class_name
    character(:), allocatable, intent(inout), optional :: uri
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_node) :: entries, entry
    integer :: status
    status = int(find_extensions(self, entries))
    if (status == ASDF_OK) call entries%get_item('', number, entry, stat=status)
    if (status == ASDF_OK) call entry%get('extension_class', class_name, stat=status)
    if (status == ASDF_OK .and. present(uri)) then
      uri = ''
      if (entry%has('extension_uri')) call entry%get('extension_uri', uri, stat=status)
    end if
    call conclude(int(status, c_int32_t), stat)
    if (present(errmsg)) call explain(int(status, c_int32_t), errmsg)
  end subroutine

  integer(c_int32_t) function find_extensions(self, entries) result(status)
    class(asdf_file), intent(in) :: self
    type(asdf_node), intent(inout) :: entries
    type(c_ptr) :: handle
    handle = c_null_ptr
    status = asdf_file_extensions(self%c_file(), handle)
    call entries%adopt(handle)
  end function

  !> Records an extension. An entry with the same URI, or without one with the same class, is replaced.
  subroutine file_add_extension(self, class_name, uri, software_name, software_version, stat, errmsg)
    class(asdf_file), intent(in) :: self
    !> name of the code that implements the extension
    character(*), intent(in) :: class_name
    character(*), intent(in), optional :: uri
    !> package that implements it; with a name, a version is required, too
    character(*), intent(in), optional :: software_name, software_version
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    ! An unallocated text is an absent argument.
    character(:), allocatable :: c_uri, name, version
    if (present(uri)) c_uri = c_path(uri)
    if (present(software_name)) name = c_path(software_name)
    if (present(software_version)) version = c_path(software_version)
    status = asdf_file_add_extension(self%c_file(), c_path(class_name), c_uri, name, version)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine
end module asdfkit_file
