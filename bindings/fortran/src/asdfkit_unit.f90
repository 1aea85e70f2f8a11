!> Units of physical quantities: texts, kinds and conversions.
!!
!!     real(real64) :: factor
!!     call asdf_get_unit_factor('km / h', 'm / s', factor)
!!     print '(a)', asdf_format_unit('km/s', ASDF_SPELLING_GENERIC, ASDF_SPELLING_FITS)
!!
!! Spellings are ASDF_SPELLING_ constants; without one, a unit is in the generic spelling of astropy. Any text is
!! accepted. One that is no unit equals only itself.
module asdfkit_unit
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_null_char, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: real64
  use asdfkit_c
  use asdfkit_errors, only: conclude, explain
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_texts, only: unit_format_string, unit_physical_string
  implicit none
  private
  public :: asdf_format_unit, asdf_physical_unit, asdf_kind_of_unit, asdf_same_unit, asdf_get_unit_factor, &
    asdf_convert_units

contains

  !> A unit in another spelling, as astropy writes it.
  function asdf_format_unit(unit, spelling, new_spelling, stat, errmsg) result(text)
    character(*), intent(in) :: unit
    !> spelling of the unit
    integer, intent(in) :: spelling
    !> spelling of the result
    integer, intent(in) :: new_spelling
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = unit_format_string(trim(unit), int(spelling, c_int32_t), int(new_spelling, c_int32_t), text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The unit whose logarithm a unit is, in the generic spelling: 'AB' of 'mag(AB)'. ASDF_ERR_NOT_FOUND for others.
  function asdf_physical_unit(unit, spelling, stat, errmsg) result(text)
    character(*), intent(in) :: unit
    integer, intent(in), optional :: spelling
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = unit_physical_string(trim(unit), number_of(spelling), text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The kind of a unit: an ASDF_UNIT_KIND_ constant.
  integer function asdf_kind_of_unit(unit, spelling, stat, errmsg) result(kind)
    character(*), intent(in) :: unit
    integer, intent(in), optional :: spelling
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, found
    found = ASDF_UNIT_KIND_UNKNOWN
    status = asdf_unit_kind(trim(unit)//c_null_char, number_of(spelling), found)
    kind = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Whether two units are equal, as 'N' and 'kg m / s2'.
  logical function asdf_same_unit(unit, other, spelling, other_spelling, stat, errmsg) result(same)
    character(*), intent(in) :: unit, other
    integer, intent(in), optional :: spelling, other_spelling
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, equal
    equal = 0
    status = asdf_unit_equal(trim(unit)//c_null_char, number_of(spelling), trim(other)//c_null_char, &
      number_of(other_spelling), equal)
    same = equal /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets factor and offset between two units: a value in the new unit is factor * value + offset.
  subroutine asdf_get_unit_factor(unit, new_unit, factor, offset, spelling, new_spelling, options, stat, errmsg)
    character(*), intent(in) :: unit, new_unit
    real(real64), intent(inout) :: factor
    !> 0 unless the units are temperatures in degrees, or logarithms
    real(real64), intent(inout), optional :: offset
    integer, intent(in), optional :: spelling, new_spelling
    !> equivalencies='temperature' allows degrees Celsius and kelvins
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_unit_factor(trim(unit)//c_null_char, number_of(spelling), trim(new_unit)//c_null_char, &
      number_of(new_spelling), options_handle(options), factor, offset)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Converts values from one unit to another, logarithms included.
  subroutine asdf_convert_units(values, unit, new_unit, converted, spelling, new_spelling, options, stat, errmsg)
    real(real64), intent(in) :: values(:)
    character(*), intent(in) :: unit, new_unit
    real(real64), allocatable, intent(inout) :: converted(:)
    integer, intent(in), optional :: spelling, new_spelling
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(c_double), allocatable :: results(:)
    integer(c_int32_t) :: status
    allocate (results(size(values)))
    status = asdf_unit_convert(trim(unit)//c_null_char, number_of(spelling), trim(new_unit)//c_null_char, &
      number_of(new_spelling), values, size(values, kind=c_size_t), options_handle(options), results, &
      size(results, kind=c_size_t))
    if (status == ASDF_OK) call move_alloc(results, converted)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  integer(c_int32_t) function number_of(spelling)
    integer, intent(in), optional :: spelling
    number_of = ASDF_SPELLING_GENERIC
    if (present(spelling)) number_of = int(spelling, c_int32_t)
  end function

end module asdfkit_unit
