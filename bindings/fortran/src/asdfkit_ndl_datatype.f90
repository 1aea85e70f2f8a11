!> Datatypes of descriptions: members of a compound, constants of an enum, elements of an array or a vlen.
module asdfkit_ndl_datatype
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t, c_ptr
  use, intrinsic :: iso_fortran_env, only: int64
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_owners, only: asdf_ndl_datatype_owner
  use asdfkit_texts
  implicit none
  private

  !> A datatype of a description. Members and constants count from 1. A call for another sort of datatype is
  !! ASDF_ERR_WRONG_TYPE.
  type, extends(asdf_ndl_datatype_owner), public :: asdf_ndl_datatype
  contains
    procedure :: keyword => datatype_keyword
    procedure :: text => datatype_text
    procedure :: element_size => datatype_element_size
    procedure :: member_count => datatype_member_count
    procedure :: member_name => datatype_member_name
    procedure :: get_member => datatype_get_member
    procedure :: constant => datatype_constant
    procedure :: get_base => datatype_get_base
    procedure :: get_shape => datatype_get_shape
    procedure :: tag => datatype_tag
    procedure :: selection => datatype_selection
  end type

contains

  !> The keyword: 'string', 'int8' to 'uint64', 'float32', 'float64', 'objref', 'opaque', 'enum', 'regref', 'compound',
  !! 'vlen' or 'array'; empty after a failure.
  function datatype_keyword(self, stat, errmsg) result(text)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = ndl_datatype_keyword_string(self%c_handle(), text)
    if (.not. allocated(text)) text = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The notation of NDL on one line: 'float32', '{array: {base: float32, shape: [3, 3]}}'; empty after a failure.
  function datatype_text(self, stat, errmsg) result(text)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: text
    status = ndl_datatype_text_string(self%c_handle(), text)
    if (.not. allocated(text)) text = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Size of an element in bytes without padding; -1 if it is not fixed, and after a failure.
  integer(int64) function datatype_element_size(self, stat, errmsg) result(size)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    size = -1
    status = asdf_ndl_datatype_element_size(self%c_handle(), size)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Number of members of a compound, or of constants of an enum; 0 after a failure.
  integer function datatype_member_count(self, stat, errmsg) result(members)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    integer(c_int64_t) :: count
    count = 0
    status = asdf_ndl_datatype_member_count(self%c_handle(), count)
    members = int(count)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Name of a member of a compound, or of a constant of an enum; empty after a failure.
  function datatype_member_name(self, index, stat, errmsg) result(name)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: name
    status = ndl_datatype_member_name_string(self%c_handle(), index - 1_c_int64_t, name)
    if (.not. allocated(name)) name = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the datatype of a member of a compound.
  subroutine datatype_get_member(self, index, member, stat, errmsg)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(in) :: index
    type(asdf_ndl_datatype), intent(inout) :: member
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    type(c_ptr) :: handle
    status = asdf_ndl_datatype_member(self%c_handle(), index - 1_c_int64_t, handle)
    call member%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Number of a constant of an enum; 0 after a failure. ASDF_ERR_VALUE_RANGE if it does not fit int64.
  integer(int64) function datatype_constant(self, index, stat, errmsg) result(number)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    number = 0
    status = asdf_ndl_datatype_constant_i64(self%c_handle(), index - 1_c_int64_t, number)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the datatype of the elements of an array or a vlen, or of the constants of an enum.
  subroutine datatype_get_base(self, base, stat, errmsg)
    class(asdf_ndl_datatype), intent(in) :: self
    type(asdf_ndl_datatype), intent(inout) :: base
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    type(c_ptr) :: handle
    status = asdf_ndl_datatype_base(self%c_handle(), handle)
    call base%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets the shape of an array datatype, in the order of Fortran.
  subroutine datatype_get_shape(self, shape, stat, errmsg)
    class(asdf_ndl_datatype), intent(in) :: self
    integer(int64), allocatable, intent(out) :: shape(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: extents(ASDF_MAX_RANK)
    integer(c_int32_t) :: status, rank
    rank = 0
    status = asdf_ndl_datatype_shape(self%c_handle(), extents, ASDF_MAX_RANK, rank)
    if (status == ASDF_OK) shape = extents(rank:1:-1)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Tag of opaque bytes, such as a media type; empty after a failure. ASDF_ERR_NOT_FOUND if there is none.
  function datatype_tag(self, stat, errmsg) result(tag)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: tag
    status = ndl_datatype_tag_string(self%c_handle(), tag)
    if (.not. allocated(tag)) tag = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Selection of a region reference, 'block' or 'element'; empty after a failure.
  function datatype_selection(self, stat, errmsg) result(selection)
    class(asdf_ndl_datatype), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    character(:), allocatable :: selection
    status = ndl_datatype_selection_string(self%c_handle(), selection)
    if (.not. allocated(selection)) selection = ''
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function
end module asdfkit_ndl_datatype
