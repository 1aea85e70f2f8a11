!> Descriptions of files of arrays in the Ndarray Data Language (NDL): reading, checking, describing ASDF files.
!!
!!     call asdf_describe('image.asdf', 'image.yaml')
!!     call asdf_check('model.yaml', valid=valid, report=report)
!!     if (.not. valid) call report%print()
!!
!! Objects of a description (groups, dimension coordinates, arrays) have path names: '/', '/site/wind'. An optional
!! argument `attribute` selects an attribute of the object instead of the object itself. Shapes are in the order of
!! Fortran: the dimensions of NDL reversed. Texts in the notation of NDL keep the order of NDL.
module asdfkit_ndl
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_int64_t, c_null_char, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use asdfkit_arguments, only: copy_options, integer_text
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_file, only: asdf_file
  use asdfkit_ndl_datatype, only: asdf_ndl_datatype
  use asdfkit_ndl_io
  use asdfkit_ndl_values, only: asdf_ndl_values
  use asdfkit_options, only: asdf_options
  use asdfkit_owners, only: asdf_buffer_owner
  use asdfkit_report, only: asdf_report, text_of_buffer
  use asdfkit_texts
  implicit none
  private
  public :: asdf_describe, asdf_check

  !> A description, which never changes. get() and load() return values.
  type, extends(asdf_ndl_values), public :: asdf_ndl
  contains
    procedure :: read => ndl_read
    procedure :: read_text => ndl_read_text
    procedure :: describe => ndl_describe
    procedure :: write => ndl_write
    procedure :: export => ndl_export
    procedure :: create_asdf => ndl_create_asdf
    procedure :: valid => ndl_valid
    procedure :: get_report => ndl_get_report
    procedure :: count => ndl_count
    procedure :: path => ndl_path
    procedure :: kind => ndl_kind
    procedure :: attribute_count => ndl_attribute_count
    procedure :: attribute => ndl_attribute
    procedure :: get_shape => ndl_get_shape
    procedure :: coordinate => ndl_coordinate
    procedure :: keyword => ndl_keyword
    procedure :: get_datatype => ndl_get_datatype
    procedure :: storage => ndl_storage
    procedure :: notation => ndl_notation
    procedure :: get_size => ndl_get_size
    procedure :: get_total_size => ndl_get_total_size
    procedure :: same => ndl_same
    procedure :: compare => ndl_compare
    procedure :: conform => ndl_conform
  end type

  !> Describes an ASDF file, given by its name or open, and writes the description.
  interface asdf_describe
    procedure :: describe_name
    procedure :: describe_file
  end interface

contains

  ! Whole descriptions ------------------------------------------------------------------------------------------------

  !> Describes the ASDF file of a name.
  subroutine describe_name(file, output, replace, options, stat, errmsg)
    character(*), intent(in) :: file
    !> name of the description; by default 'image.yaml' for 'image.asdf'
    character(*), intent(in), optional :: output
    !> true to replace an existing description, which otherwise is ASDF_ERR_FILE_EXISTS
    logical, intent(in), optional :: replace
    !> options of asdf_ndl%describe()
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_file) :: opened
    type(asdf_ndl) :: ndl
    character(:), allocatable :: name
    integer :: status
    call opened%open(file, stat=status)
    if (status == ASDF_OK .and. present(output)) name = output
    if (status == ASDF_OK .and. .not. present(output)) status = ndl_file_name_string(trim(file), name)
    if (status == ASDF_OK) call ndl%describe(opened, options=options, stat=status)
    if (status == ASDF_OK) call ndl%write(name, replace=replace, stat=status)
    call conclude(int(status, c_int32_t), stat)
    if (present(errmsg)) call explain(int(status, c_int32_t), errmsg)
  end subroutine

  !> Describes an open ASDF file.
  subroutine describe_file(file, output, replace, options, stat, errmsg)
    class(asdf_file), intent(in) :: file
    !> name of the description
    character(*), intent(in) :: output
    !> true to replace an existing description, which otherwise is ASDF_ERR_FILE_EXISTS
    logical, intent(in), optional :: replace
    !> options of asdf_ndl%describe()
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_ndl) :: ndl
    integer :: status
    call ndl%describe(file, options=options, stat=status)
    if (status == ASDF_OK) call ndl%write(output, replace=replace, stat=status)
    call conclude(int(status, c_int32_t), stat)
    if (present(errmsg)) call explain(int(status, c_int32_t), errmsg)
  end subroutine

  !> Reads a description and checks it. If the caller asks for neither `valid` nor `report`, an error in the description
  !! is a failure: ASDF_ERR_INCOMPLETE with the first error as message.
  subroutine asdf_check(path, valid, report, unknown_keys, warnings_as_errors, options, stat, errmsg)
    character(*), intent(in) :: path
    !> gets .true. if the description has no errors; .false. after a failure
    logical, intent(out), optional :: valid
    !> gets errors and warnings, possibly none
    type(asdf_report), intent(inout), optional :: report
    !> true to accept keys that NDL does not define, with a warning; otherwise they are errors
    logical, intent(in), optional :: unknown_keys
    !> true to treat each warning as an error
    logical, intent(in), optional :: warnings_as_errors
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_ndl) :: ndl
    type(asdf_report) :: found
    character(:), allocatable :: message
    logical :: correct
    integer :: status, i
    correct = .false.
    call ndl%read(path, unknown_keys, warnings_as_errors, options, stat=status)
    if (status == ASDF_OK) correct = ndl%valid()
    if (status == ASDF_OK) call ndl%get_report(found, stat=status)
    if (status == ASDF_OK .and. .not. (correct .or. present(valid) .or. present(report))) then
      status = ASDF_ERR_INCOMPLETE
      message = trim(path)//': the description has errors'
      do i = found%count(), 1, -1
        if (found%severity(i) == ASDF_SEVERITY_ERROR) message = found%text(i)
      end do
    end if
    if (present(valid)) valid = correct
    if (present(report)) report = found
    call conclude(int(status, c_int32_t), stat, message)
    if (present(errmsg)) call explain(int(status, c_int32_t), errmsg, message)
  end subroutine

  !> Reads a description from a file. It succeeds if the text is YAML; valid() tests whether the description is correct.
  subroutine ndl_read(self, path, unknown_keys, warnings_as_errors, options, stat, errmsg)
    class(asdf_ndl), intent(inout) :: self
    character(*), intent(in) :: path
    !> true to accept keys that NDL does not define, with a warning; otherwise they are errors
    logical, intent(in), optional :: unknown_keys
    !> true to treat each warning as an error
    logical, intent(in), optional :: warnings_as_errors
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(unknown_keys=unknown_keys, warnings_as_errors=warnings_as_errors, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_ndl_read(trim(path)//c_null_char, all%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Reads a description from a text; see read().
  subroutine ndl_read_text(self, text, unknown_keys, warnings_as_errors, options, stat, errmsg)
    class(asdf_ndl), intent(inout) :: self
    character(*), intent(in) :: text
    logical, intent(in), optional :: unknown_keys, warnings_as_errors
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(unknown_keys=unknown_keys, warnings_as_errors=warnings_as_errors, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_ndl_read_memory(text, len(text, c_size_t), all%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Describes an ASDF file. get_report() lists what the description cannot express.
  subroutine ndl_describe(self, file, only, values, all, annotate, options, stat, errmsg)
    class(asdf_ndl), intent(inout) :: self
    class(asdf_file), intent(in) :: file
    !> path name of the part to describe; by default the whole file
    character(*), intent(in), optional :: only
    !> arrays whose values are included: ASDF_NDL_VALUES_...; by default those in the tree
    integer(c_int32_t), intent(in), optional :: values
    !> true to describe `asdf_library` and `history`, too
    logical, intent(in), optional :: all
    !> true to store information that NDL cannot express under `x-asdf` keys
    logical, intent(in), optional :: annotate
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: collected
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(collected, options)
    if (status == ASDF_OK) then
      call collected%set(only=only, described_values=values, all=all, annotate=annotate, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_ndl_describe(file%c_file(), collected%c_handle(), handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Writes the canonical text to a file. ASDF_ERR_INCOMPLETE if the description was read with errors.
  subroutine ndl_write(self, path, replace, sort, durable, options, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    !> true to replace an existing file, which otherwise is ASDF_ERR_FILE_EXISTS
    logical, intent(in), optional :: replace
    !> true to sort objects by path name; otherwise they keep their order
    logical, intent(in), optional :: sort
    !> false not to wait until the file is on disk
    logical, intent(in), optional :: durable
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    integer(c_int32_t) :: status
    integer :: outcome
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(replace=replace, sort=sort, durable=durable, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_ndl_write(self%c_handle(), trim(path)//c_null_char, all%c_handle())
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Exports the description as text.
  subroutine ndl_export(self, text, format, name, sort, options, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    character(:), allocatable, intent(out) :: text
    !> ASDF_NDL_FORMAT_TEXT (the default), _JSON, _CDL, _C or _FORTRAN
    integer(c_int32_t), intent(in), optional :: format
    !> name of the CDL data set, prefix of the C identifiers, or name of the Fortran module
    character(*), intent(in), optional :: name
    !> true to sort objects by path name; otherwise they keep their order
    logical, intent(in), optional :: sort
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(asdf_buffer_owner) :: buffer
    character(:), allocatable :: c_name
    type(c_ptr) :: handle
    integer(c_int32_t) :: status, chosen
    integer :: outcome
    chosen = ASDF_NDL_FORMAT_TEXT
    if (present(format)) chosen = format
    call c_attribute(name, c_name)
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(sort=sort, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) status = asdf_ndl_export(self%c_handle(), chosen, c_name, all%c_handle(), handle)
    call buffer%adopt(handle)
    if (status == ASDF_OK) status = text_of_buffer(buffer, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes an ASDF file from the description: arrays get their values, or fill values or zeros.
  subroutine ndl_create_asdf(self, path, report, replace, options, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    !> gets notes about differences between file and description, possibly none
    type(asdf_report), intent(inout), optional :: report
    !> true to replace an existing file, which otherwise is ASDF_ERR_FILE_EXISTS
    logical, intent(in), optional :: replace
    !> further options, such as codec, string_length or extent
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_options) :: all
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    integer :: outcome
    handle = c_null_ptr
    status = copy_options(all, options)
    if (status == ASDF_OK) then
      call all%set(replace=replace, stat=outcome)
      status = int(outcome, c_int32_t)
    end if
    if (status == ASDF_OK) &
      status = asdf_ndl_create_asdf(self%c_handle(), trim(path)//c_null_char, all%c_handle(), handle)
    if (present(report)) then
      call report%adopt(handle)
    else if (c_associated(handle)) then
      call asdf_report_free(handle)
    end if
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Tests whether the description has no errors; .false. after a failure.
  logical function ndl_valid(self, stat, errmsg) result(valid)
    class(asdf_ndl), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, answer
    answer = 0
    status = asdf_ndl_is_valid(self%c_handle(), answer)
    valid = answer /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets errors, warnings, and notes about content of a file that the description cannot express.
  subroutine ndl_get_report(self, report, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    type(asdf_report), intent(inout) :: report
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    status = asdf_ndl_report(self%c_handle(), handle)
    call report%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! Objects -----------------------------------------------------------------------------------------------------------

  !> Number of objects of a kind: ASDF_NDL_KIND_GROUP, _DIMCOORD or _NDARRAY; 0 after a failure.
  integer function ndl_count(self, kind, stat, errmsg) result(objects)
    class(asdf_ndl), intent(in) :: self
    integer(c_int32_t), intent(in) :: kind
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    integer(c_int64_t) :: count
    count = 0
    status = asdf_ndl_count(self%c_handle(), kind, count)
    objects = int(count)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Path name of an object of a kind; empty after a failure.
  function ndl_path(self, kind, index, stat, errmsg) result(path)
    class(asdf_ndl), intent(in) :: self
    integer(c_int32_t), intent(in) :: kind
    !> its number, from 1, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: path
    status = ndl_path_string(self%c_handle(), kind, index - 1_c_int64_t, path)
    if (.not. allocated(path)) path = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Kind of the object that has a path name; 0 after a failure.
  integer(c_int32_t) function ndl_kind(self, path, stat, errmsg) result(kind)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    kind = 0
    status = asdf_ndl_kind(self%c_handle(), trim(path)//c_null_char, kind)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Number of attributes of an object; 0 after a failure.
  integer function ndl_attribute_count(self, path, stat, errmsg) result(attributes)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    integer(c_int64_t) :: count
    count = 0
    status = asdf_ndl_attribute_count(self%c_handle(), trim(path)//c_null_char, count)
    attributes = int(count)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Name of an attribute of an object; empty after a failure.
  function ndl_attribute(self, path, index, stat, errmsg) result(name)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    !> its number, from 1, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: name
    status = ndl_attribute_name_string(self%c_handle(), trim(path), index - 1_c_int64_t, name)
    if (.not. allocated(name)) name = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the shape of an array, a dimension coordinate or an attribute: -1 for an unlimited or unknown extent.
  subroutine ndl_get_shape(self, path, shape, attribute, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    integer(int64), allocatable, intent(out) :: shape(:)
    character(*), intent(in), optional :: attribute
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: name
    integer(c_int64_t) :: extents(ASDF_MAX_RANK)
    integer(c_int32_t) :: status, rank
    call c_attribute(attribute, name)
    rank = 0
    status = asdf_ndl_shape(self%c_handle(), trim(path)//c_null_char, name, extents, ASDF_MAX_RANK, rank)
    if (status == ASDF_OK) shape = extents(rank:1:-1)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Path name of the dimension coordinate of a dimension of an array; empty if there is none, and after a failure.
  function ndl_coordinate(self, path, dimension, stat, errmsg) result(coordinate)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    !> number of the dimension in Fortran, from 1
    integer, intent(in) :: dimension
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: coordinate, message
    integer(c_int32_t) :: status, rank
    rank = 0
    status = asdf_ndl_shape(self%c_handle(), trim(path)//c_null_char, capacity=0_c_int32_t, rank=rank)
    if (status == ASDF_OK .and. (dimension < 1 .or. dimension > rank)) then
      status = ASDF_ERR_OUT_OF_RANGE
      message = place_of(path)//'there is no dimension '//integer_text(int(dimension, int64))//': the rank is '// &
        integer_text(int(rank, int64))
    end if
    if (status == ASDF_OK) &
      status = ndl_coordinate_string(self%c_handle(), trim(path), int(rank - dimension, c_int64_t), coordinate)
    if (.not. allocated(coordinate)) coordinate = ''
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end function

  !> Keyword of the datatype, such as 'float32'; empty after a failure. See asdf_ndl_datatype%keyword().
  function ndl_keyword(self, path, attribute, stat, errmsg) result(keyword)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    character(*), intent(in), optional :: attribute
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: keyword
    status = text_of(self, KEYWORD_TEXT, path, attribute, keyword)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the datatype of an array, a dimension coordinate or an attribute.
  subroutine ndl_get_datatype(self, path, datatype, attribute, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    type(asdf_ndl_datatype), intent(inout) :: datatype
    character(*), intent(in), optional :: attribute
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: name
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    call c_attribute(attribute, name)
    status = asdf_ndl_get_datatype(self%c_handle(), trim(path)//c_null_char, name, handle)
    call datatype%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> A storage directive in the notation of NDL, such as '[512, 3]'; empty after a failure. ASDF_ERR_NOT_FOUND if the
  !! description does not have it.
  function ndl_storage(self, path, directive, attribute, stat, errmsg) result(text)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    !> 'shape' or 'size' (stored extents), 'chunk', 'filter', 'endian', 'charset' or 'fillvalue'
    character(*), intent(in) :: directive
    character(*), intent(in), optional :: attribute
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = text_of(self, STORAGE_TEXT, path, attribute, text, directive=directive)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> One value of any datatype in the notation of NDL; empty after a failure.
  function ndl_notation(self, path, index, attribute, stat, errmsg) result(text)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    !> number of the value, from 1, in the order of the elements
    integer(int64), intent(in) :: index
    character(*), intent(in), optional :: attribute
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = text_of(self, VALUE_NOTATION, path, attribute, text, index - 1)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  ! Sizes and differences ---------------------------------------------------------------------------------------------

  !> Gets the size of an array or a dimension coordinate; -1 for a number that is unknown.
  subroutine ndl_get_size(self, path, elements, element_bytes, bytes, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    character(*), intent(in) :: path
    !> number of stored elements or, if that is not described, of all elements
    integer(int64), intent(inout), optional :: elements
    !> size of an element in bytes without padding, and of all elements
    integer(int64), intent(inout), optional :: element_bytes, bytes
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_ndl_size(self%c_handle(), trim(path)//c_null_char, elements, element_bytes, bytes)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets the total size of all arrays and dimension coordinates in bytes, and the number of those of unknown size.
  subroutine ndl_get_total_size(self, bytes, unknown, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    integer(int64), intent(inout) :: bytes
    integer(int64), intent(inout), optional :: unknown
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_ndl_total_size(self%c_handle(), bytes, unknown)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Tests whether two descriptions have the same meaning; .false. after a failure.
  logical function ndl_same(self, other, stat, errmsg) result(same)
    class(asdf_ndl), intent(in) :: self, other
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, answer
    answer = 0
    status = asdf_ndl_is_same(self%c_handle(), other%c_handle(), answer)
    same = answer /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Lists the differences between this description and a newer one.
  subroutine ndl_compare(self, newer, report, ignore, stat, errmsg)
    class(asdf_ndl), intent(in) :: self, newer
    type(asdf_report), intent(inout) :: report
    !> sum of ASDF_NDL_IGNORE_ constants
    integer(c_int32_t), intent(in), optional :: ignore
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status, ignored
    ignored = 0
    if (present(ignore)) ignored = ignore
    status = asdf_ndl_compare(self%c_handle(), newer%c_handle(), ignored, handle)
    call report%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Lists the places where a file does not conform to this description.
  subroutine ndl_conform(self, file, report, subset, stat, errmsg)
    class(asdf_ndl), intent(in) :: self
    !> the description of the file
    class(asdf_ndl), intent(in) :: file
    type(asdf_report), intent(inout) :: report
    !> true if the file may have more than this description
    logical, intent(in), optional :: subset
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status, more
    more = 0
    if (present(subset)) more = merge(1_c_int32_t, 0_c_int32_t, subset)
    status = asdf_ndl_conform(self%c_handle(), file%c_handle(), more, handle)
    call report%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine
end module asdfkit_ndl
