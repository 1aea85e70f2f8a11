!> Units: texts, kinds, equality, conversions.
program test_units
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  call test_texts()
  call test_conversions()
  call finish('units')

contains

  subroutine test_texts()
    character(:), allocatable :: text
    integer :: stat
    call check(asdf_format_unit('km/s', ASDF_SPELLING_GENERIC, ASDF_SPELLING_FITS) == 'km s-1', 'FITS')
    call check(asdf_format_unit('km.s**-1', ASDF_SPELLING_VOUNIT, ASDF_SPELLING_GENERIC) == 'km / s', 'VOUnit')
    text = asdf_format_unit('mag(AB)', ASDF_SPELLING_GENERIC, ASDF_SPELLING_FITS, stat=stat)
    call check(stat == ASDF_ERR_UNITS .and. len(text) == 0, 'FITS has no magnitudes of units')
    call check(asdf_physical_unit('mag(AB)') == 'AB', 'unit of a magnitude')
    text = asdf_physical_unit('m', stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND, 'a length is no logarithm')
    call check(asdf_kind_of_unit('dB(W)') == ASDF_UNIT_KIND_DECIBEL, 'kind of decibels')
    call check(asdf_kind_of_unit('m', 77, stat=stat) == ASDF_UNIT_KIND_UNKNOWN .and. stat == ASDF_ERR_INVALID_ARGUMENT, &
      'wrong spelling')
    call check(asdf_same_unit('N', 'kg m / s2'), 'equal units')
    call check(.not. asdf_same_unit('G', 'gauss', ASDF_SPELLING_CDS), 'G in CDS')
    call check(.not. asdf_same_unit('m', 'm', 77, stat=stat) .and. stat == ASDF_ERR_INVALID_ARGUMENT, 'no spelling')
  end subroutine

  subroutine test_conversions()
    real(real64) :: factor, offset
    real(real64), allocatable :: converted(:)
    type(asdf_options) :: options
    integer :: stat
    call asdf_get_unit_factor('deg', 'arcsec', factor)
    call check(abs(factor - 3600) <= 0, 'arc seconds of a degree')
    call asdf_get_unit_factor('m', 'kg', factor, stat=stat)
    call check(stat == ASDF_ERR_UNITS, 'lengths are no masses')
    call options%set(equivalencies='temperature')
    call asdf_get_unit_factor('deg_C', 'K', factor, offset, options=options)
    call check(abs(factor - 1) <= 0 .and. abs(offset - 273.15_real64) <= 0, 'degrees Celsius')
    call asdf_convert_units([1.0_real64, 2.5_real64], 'mm', 'm', converted)
    call check(all(abs(converted - [0.001_real64, 0.0025_real64]) <= 0), 'millimetres')
    call asdf_convert_units([1.0_real64], 'deg_C', 'K', converted, stat=stat)
    call check(stat == ASDF_ERR_UNITS .and. size(converted) == 2, 'temperatures only by name')
  end subroutine

end program
