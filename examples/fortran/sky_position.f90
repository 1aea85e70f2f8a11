! Converts a pixel of an image to a position on the sky, and back: sky_position FILE X Y
program sky_position
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(asdf_file) :: file
  type(asdf_wcs) :: wcs
  character(1000) :: name, text
  real(real64) :: x, y, ra, dec
  call get_command_argument(1, name)
  call file%open(name)
  call wcs%load(file, 'meta/wcs')
  call get_command_argument(2, text)
  read (text, *) x
  call get_command_argument(3, text)
  read (text, *) y
  call wcs%sky(x, y, ra, dec)
  call wcs%pixel(ra, dec, x, y)
  print '(a, f0.6, a, f0.6, a, f0.3, a, f0.3)', 'ra ', ra, ', dec ', dec, ': pixel ', x, ', ', y
end program
