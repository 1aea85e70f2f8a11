!> Units: texts, kinds, equality, conversions.
program test_units
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: int16, real32, real64
  implicit none
  call test_texts()
  call test_conversions()
  call test_reads()
  call test_columns()
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

  subroutine test_reads()
    type(asdf_file) :: file
    type(asdf_array) :: array
    character(:), allocatable :: text
    real(real64) :: values(3), number
    real(real32), allocatable :: loaded(:)
    integer(int16) :: integers(3)
    integer :: stat
    call file%new()
    call file%set('distance/value', [1_int16, 2_int16, 3_int16])
    call file%set_quantity('distance', 'km')
    call file%set('angle/value', 180.0_real64)
    call file%set_quantity('angle', 'deg')
    call file%set('plain', [1.0_real64])
    call file%read('distance', values, unit='m')
    call check(all(abs(values - [1000, 2000, 3000]) <= 0), 'metres')
    call file%load('distance', loaded, start=[2], unit='m ')
    call check(size(loaded) == 2 .and. abs(loaded(1) - 2000) <= 0, 'a region in metres')
    call file%read('distance', integers, unit='m')
    call check(all(integers == [1000_int16, 2000_int16, 3000_int16]), 'integers in metres')
    call file%read('distance', integers, unit='Mm', stat=stat)
    call check(stat == ASDF_ERR_OVERFLOW, 'integers are exact')
    call file%read('distance', values, unit='s', stat=stat)
    call check(stat == ASDF_ERR_UNITS, 'no seconds')
    call file%load('plain', loaded, unit='m', stat=stat)
    call check(stat == ASDF_ERR_UNITS, 'no unit')
    call file%read('angle', number, unit='arcmin')
    call check(abs(number - 10800) <= 0, 'a number in arc minutes')
    call file%read('angle', number, unit='m', stat=stat)
    call check(stat == ASDF_ERR_UNITS .and. abs(number - 10800) <= 0, 'an angle is no length')
    call file%get_array('distance', array)
    call check(array%unit() == 'km', 'unit of an array')
    call array%read(values, unit='cm')
    call check(abs(values(1) - 100000) <= 0, 'centimetres')
    call file%get_array('plain', array)
    text = array%unit(stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND .and. len(text) == 0, 'array without a unit')
  end subroutine

  subroutine test_columns()
    type(asdf_table) :: table
    real(real64), allocatable :: values(:)
    integer :: stat
    call table%new()
    call table%add('d', [1, 2], unit='km')
    call table%add('n', [1, 2])
    call table%get('d', values, unit='m')
    call check(all(abs(values - [1000, 2000]) <= 0), 'a column in metres')
    call table%get('d', values, unit='s', stat=stat)
    call check(stat == ASDF_ERR_UNITS, 'a column has no seconds')
    call table%convert('d', 'm')
    call check(table%unit('d') == 'm' .and. table%datatype('d') == ASDF_FLOAT64, 'a converted column')
    call table%convert('n', 'm', stat=stat)
    call check(stat == ASDF_ERR_UNITS, 'a column without a unit')
  end subroutine

end program
