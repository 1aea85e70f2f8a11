!> World coordinates of FITS headers and of parts of images.
program test_wcs_fits
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  character(*), parameter :: nl = new_line('a')
  character(*), parameter :: cards = 'NAXIS   = 2'//nl//'NAXIS1  = 100'//nl//'NAXIS2  = 80'//nl// &
    "CTYPE1  = 'RA---TAN'"//nl//"CTYPE2  = 'DEC--TAN'"//nl//'CRPIX1  = 50'//nl//'CRPIX2  = 40'//nl// &
    'CRVAL1  = 150'//nl//'CRVAL2  = 2'//nl//'CDELT1  = -1E-4'//nl//'CDELT2  = 1E-4'//nl
  call test_cards()
  call test_parts()
  call test_without_file()
  call finish('world coordinates of FITS headers')

contains

  subroutine test_cards()
    type(asdf_file) :: file
    type(asdf_options) :: options
    character(:), allocatable :: message
    integer :: stat
    integer(int64), allocatable :: shape(:)
    call file%new()
    call file%set_wcs_cards('meta/wcs', cards)
    call file%load('meta/wcs/pixel_shape', shape)
    call check(all(shape == [100, 80]), 'shape of the pixels')
    call file%set_wcs_cards('other', "CTYPE1  = 'RA---TAN'", stat=stat, errmsg=message)
    call check(stat == ASDF_ERR_INVALID_ARGUMENT .and. index(message, 'latitude') > 0, 'a longitude alone')
    call options%set(alternate='A')
    call file%set_wcs_cards('other', cards, options, stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND, 'no alternate description')
    call check(.not. file%has('other'), 'nothing is written')
  end subroutine

  subroutine test_parts()
    type(asdf_file) :: file
    type(asdf_node) :: wcs
    real(real64) :: offset
    integer :: stat
    call file%new()
    call file%set_wcs_cards('wcs', cards)
    call file%get_node('wcs', wcs)
    call file%set_wcs_cutout('part', wcs, [11_int64, 21_int64], [30_int64, 20_int64])
    call file%get('part/steps/0/transform/forward/0/forward/0/offset', offset)
    call check(abs(offset - 10) <= 0, 'first pixel along x')
    call file%get('part/steps/0/transform/forward/0/forward/1/offset', offset)
    call check(abs(offset - 20) <= 0, 'first pixel along y')
    call file%set_wcs_cutout('part', wcs, [1_int64, 1_int64], [3_int64, 2_int64], [2_int64, 1_int64])
    call file%get('part/steps/0/transform/forward/0/forward/0/forward/0/factor', offset)
    call check(abs(offset - 2) <= 0, 'every second column')
    call file%set_wcs_cutout('no', wcs, [1_int64, 1_int64], [0_int64, 1_int64], stat=stat)
    call check(stat == ASDF_ERR_INVALID_ARGUMENT, 'an empty part')
    call file%set_wcs_cutout('no', wcs, [1_int64, 1_int64], [1_int64], stat=stat)
    call check(stat == ASDF_ERR_INVALID_ARGUMENT, 'another number of counts')
  end subroutine

  subroutine test_without_file()
    type(asdf_wcs) :: wcs, again
    type(asdf_options) :: options
    character(:), allocatable :: text
    real(real64) :: ra, dec, error, inverse_error
    integer :: stat
    call wcs%read_cards(cards)
    call wcs%sky(49d0, 39d0, ra, dec)
    call check(abs(ra - 150) < 1d-9 .and. abs(dec - 2) < 1d-9, 'reference pixel')
    call wcs%read_cards('SIMPLE  = T', stat=stat)
    call check(stat == ASDF_ERR_INVALID_ARGUMENT, 'no world coordinates')
    call wcs%read_cards(cards)
    call options%set(max_error=1d-6)
    call wcs%make_cards(text, error, inverse_error, options)
    call check(error < 1d-6 .and. modulo(len(text), 80) == 0, 'cards of a tangent plane')
    call again%read_cards(text)
    call again%sky(49d0, 39d0, ra, dec)
    call check(abs(ra - 150) < 1d-9 .and. abs(dec - 2) < 1d-9, 'cards read again')
    call options%set(degree=99, stat=stat)
    call check(stat == ASDF_ERR_INVALID_ARGUMENT, 'no such degree')
    call wcs%read_cards("CTYPE1  = 'WAVE'")
    call wcs%make_cards(text, stat=stat)
    call check(stat == ASDF_ERR_UNSUPPORTED .and. len(text) == 0, 'a spectrum')
  end subroutine

end program test_wcs_fits
