!> World coordinates: elemental calls, arrays, frames, transforms, what cannot be evaluated.
program test_wcs
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  call write_tree()
  call test_sky()
  call test_image()
  call test_transforms()
  call finish('wcs')

contains

  !> An image of 100 * 50 pixels of 0.36 arc seconds around (150, 30) degrees, with its reference pixel at (10, 20).
  subroutine write_tree()
    integer :: unit
    open (newunit=unit, file='wcs.asdf', action='write', status='replace')
    write (unit, '(a)') '#ASDF 1.0.0'
    write (unit, '(a)') '#ASDF_STANDARD 1.6.0'
    write (unit, '(a)') '%YAML 1.1'
    write (unit, '(a)') '%TAG ! tag:stsci.edu:asdf/'
    write (unit, '(a)') '--- !core/asdf-1.1.0'
    write (unit, '(a)') 'wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>'
    write (unit, '(a)') '  name: camera'
    write (unit, '(a)') '  pixel_shape: [100, 50]'
    write (unit, '(a)') '  steps:'
    write (unit, '(a)') '  - !<tag:stsci.edu:gwcs/step-1.1.0>'
    write (unit, '(a)') '    frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0>'
    write (unit, '(a)') '      {axes_names: [x, y], axes_order: [0, 1], name: detector, unit: [pixel, pixel]}'
    write (unit, '(a)') '    transform: !transform/compose-1.3.0'
    write (unit, '(a)') '      bounding_box: [[-0.5, 49.5], [-0.5, 99.5]]'
    write (unit, '(a)') '      forward:'
    write (unit, '(a)') '      - !transform/concatenate-1.3.0'
    write (unit, '(a)') '        forward: [!transform/shift-1.2.0 {offset: -10.0}, !transform/shift-1.2.0'// &
      ' {offset: -20.0}]'
    write (unit, '(a)') '      - !transform/concatenate-1.3.0'
    write (unit, '(a)') '        forward: [!transform/scale-1.2.0 {factor: -1.0e-4}, !transform/scale-1.2'// &
      '.0 {factor: 1.0e-4}]'
    write (unit, '(a)') '  - !<tag:stsci.edu:gwcs/step-1.1.0>'
    write (unit, '(a)') '    frame: plane'
    write (unit, '(a)') '    transform: !transform/compose-1.3.0'
    write (unit, '(a)') '      forward:'
    write (unit, '(a)') '      - !transform/gnomonic-1.2.0 {direction: pix2sky}'
    write (unit, '(a)') '      - !transform/rotate3d-1.3.0 {direction: native2celestial, phi: 150.0, thet'// &
      'a: 30.0, psi: 180.0}'
    write (unit, '(a)') '  - !<tag:stsci.edu:gwcs/step-1.1.0>'
    write (unit, '(a)') '    frame: !<tag:stsci.edu:gwcs/celestial_frame-1.0.0>'
    write (unit, '(a)') '      axes_names: [ra, dec]'
    write (unit, '(a)') '      axes_order: [0, 1]'
    write (unit, '(a)') '      name: sky'
    write (unit, '(a)') '      reference_frame: !<tag:astropy.org:astropy/coordinates/frames/fk5-1.1.0>'
    write (unit, '(a)') '        {frame_attributes: {equinox: J1975.0}}'
    write (unit, '(a)') '      unit: [deg, deg]'
    write (unit, '(a)') 'shift: !transform/shift-1.2.0 {name: move, offset: 2.5, bounding_box: [0.0, 10.0]}'
    write (unit, '(a)') 'unknown: !transform/unheard_of-1.0.0 {}'
    write (unit, '(a)') '...'
    close (unit)
  end subroutine

  subroutine test_sky()
    type(asdf_file) :: file
    type(asdf_wcs) :: wcs, copy
    type(asdf_options) :: options
    real(real64) :: ra, dec, x(3), y(3), longitudes(3), latitudes(3), pixels(2, 3), world(2, 3)
    integer(int64) :: outside, unconverged
    integer :: stat
    call file%open('wcs.asdf')
    call wcs%load(file, 'wcs')
    call file%free()
    call wcs%sky(10d0, 20d0, ra, dec)
    call check(abs(ra - 150) < 1e-9 .and. abs(dec - 30) < 1e-9, 'one pixel')
    x = [10d0, 0.25d0, 99d0]
    y = [20d0, 30d0, 0d0]
    call wcs%sky(x, y, longitudes, latitudes)
    call check(abs(longitudes(1) - ra) <= 0, 'elemental')
    copy = wcs
    pixels(1, :) = x
    pixels(2, :) = y
    call copy%pixel_to_world(pixels, world, outside=outside)
    call check(all(abs(world(1, :) - longitudes) <= 0) .and. outside == 0, 'arrays')
    call wcs%pixel(longitudes, latitudes, x, y)
    call check(all(abs(x - pixels(1, :)) < 1e-8), 'back')
    call options%set(threads=2, tolerance=1d-6)
    pixels = 0
    call wcs%world_to_pixel(world, pixels, options, outside, unconverged)
    call check(all(abs(pixels(2, :) - y) < 1e-8) .and. unconverged == 0, 'arrays back')
    call wcs%pixel_to_world(pixels, world, options, stat=stat)
    call check(stat == ASDF_ERR_INVALID_ARGUMENT, 'an option of the other direction')
    call wcs%pixel_to_world(pixels, world(:, :2), stat=stat)
    call check(stat == ASDF_ERR_BUFFER_TOO_SMALL, 'too few results')
    call test_statuses(wcs)
  end subroutine

  !> The forms with a status, for numbers and lists.
  subroutine test_statuses(wcs)
    type(asdf_wcs), intent(in) :: wcs
    type(asdf_wcs) :: empty
    real(real64) :: ra, dec, x(2), y(2), longitudes(2), latitudes(2), scales(2)
    character(:), allocatable :: message
    integer :: stat
    call wcs%sky(10d0, 20d0, ra, dec, stat, message)
    call check(stat == ASDF_OK .and. abs(ra - 150) < 1e-9 .and. .not. allocated(message), 'one pixel with a status')
    call wcs%sky([10d0, 11d0], [20d0, 21d0], longitudes, latitudes, stat=stat)
    call check(stat == ASDF_OK .and. abs(longitudes(1) - ra) <= 0, 'pixels with a status')
    call wcs%pixel(longitudes, latitudes, x, y, stat=stat)
    call check(stat == ASDF_OK .and. all(abs(x - [10, 11]) < 1e-8), 'positions with a status')
    x = 7
    call wcs%pixel(longitudes, [latitudes(1), 91d0], x, y, stat=stat, errmsg=message)
    call check(stat /= ASDF_OK .and. abs(x(1) - 10) < 1e-8 .and. abs(x(2) - 7) <= 0, 'no such latitude in a list')
    call check(index(message, '91') > 0, message)
    call wcs%pixel(longitudes(1), 91d0, x(1), y(1), stat=stat, errmsg=message)
    call check(stat /= ASDF_OK .and. index(message, '91') > 0, message)
    call wcs%pixel(longitudes, latitudes(:1), x, y, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'different lengths: (2, 1, 2, 2)')
    ra = wcs%pixel_scale(10d0, 20d0, stat)
    call check(stat == ASDF_OK .and. abs(ra - 1d-4) < 1d-12, 'scale with a status')
    scales = wcs%pixel_scale(x, y, stat=stat)
    call check(stat == ASDF_OK .and. all(scales > 0), 'scales with a status')
    scales = wcs%pixel_scale(x, y(:1), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'different lengths')
    call empty%sky(x, y, longitudes, latitudes, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'the variable is empty')
    call empty%pixel(ra, dec, x(1), y(1), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'the variable is empty')
    ra = empty%pixel_scale(1d0, 1d0, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'the variable is empty')
  end subroutine

  subroutine test_image()
    type(asdf_file) :: file
    type(asdf_wcs) :: wcs
    real(real64), allocatable :: corners(:, :)
    real(real64) :: low, high, angle
    logical :: is_mirrored
    integer :: stat
    call file%open('wcs.asdf')
    call wcs%load(file, 'wcs')
    call check(wcs%frame_count() == 3 .and. wcs%frame_name(2) == 'plane', 'frames')
    call check(wcs%frame_kind(3) == ASDF_FRAME_CELESTIAL .and. wcs%axis_count(3) == 2, 'kind')
    call check(wcs%axis_name(3, 2) == 'dec' .and. wcs%axis_unit(3, 2) == 'deg', 'axis')
    call check(wcs%axis_type(3, 1) == 'SPATIAL' .and. wcs%axis_physical_type(3, 1) == 'pos.eq.ra', 'type')
    call check(wcs%reference(3) == 'fk5' .and. wcs%reference(1) == '', 'reference frame')
    call check(wcs%reference_attribute(3, 'equinox') == 'J1975.0', 'equinox')
    call check(wcs%reference_attribute(3, 'obstime') == '' .and. wcs%frame_part(3, 1) == 0, 'nothing')
    call wcs%bounding_box(1, low, high)
    call check(abs(low + 0.5d0) <= 0 .and. abs(high - 99.5d0) <= 0, 'box')
    call wcs%footprint(corners)
    call check(all(shape(corners) == [2, 4]) .and. corners(1, 1) > corners(1, 4), 'footprint')
    call wcs%footprint(corners, center=.true.)
    call check(corners(1, 1) > 150, 'footprint of centers')
    call check(abs(wcs%pixel_scale(10d0, 20d0) - 1d-4) < 1d-12, 'scale')
    call wcs%orientation(10d0, 20d0, angle, is_mirrored)
    call check(min(angle, 360 - angle) < 1d-6 .and. .not. is_mirrored, 'orientation')
    call wcs%bounding_box(3, low, high, stat=stat)
    call check(stat == ASDF_ERR_OUT_OF_RANGE, 'no third axis')
    call wcs%load(file, 'shift', stat=stat)
    call check(stat == ASDF_ERR_NOT_TRANSFORM, 'no WCS')
  end subroutine

  subroutine test_transforms()
    type(asdf_file) :: file
    type(asdf_wcs) :: wcs
    type(asdf_transform) :: shift, back, plane
    real(real64) :: output(2, 1)
    character(:), allocatable :: message
    integer :: stat
    call file%open('wcs.asdf')
    call shift%load(file, 'shift')
    call check(all(abs(shift%value([1d0, 20d0]) - [3.5d0, 22.5d0]) <= 0), 'elemental function')
    call check(abs(shift%value(1d0, stat) - 3.5d0) <= 0 .and. stat == ASDF_OK, 'value with a status')
    call check(all(abs(shift%value([1d0, 20d0], stat=stat) - [3.5d0, 22.5d0]) <= 0) .and. stat == ASDF_OK, 'values')
    call check(abs(plane%value(1d0, stat, message)) <= 0, 'no value')
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'the variable is empty')
    call shift%invert(back)
    call check(abs(back%value(3.5d0) - 1) <= 0, 'inverse')
    call check(shift%input_count() == 1 .and. shift%output_count() == 1, 'numbers')
    call check(shift%tag() == 'tag:stsci.edu:asdf/transform/shift-1.2.0', 'tag')
    call wcs%load(file, 'wcs')
    call wcs%transform(plane, to='plane')
    call plane%evaluate(reshape([110d0, 20d0], [2, 1]), output)
    call check(abs(output(1, 1) + 0.01d0) < 1e-12, 'step')
    call wcs%transform(plane, 'nowhere', stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND, 'no such frame')
    call shift%load(file, 'unknown', stat=stat, errmsg=message)
    call check(stat == ASDF_ERR_UNKNOWN_TRANSFORM .and. index(message, 'unheard_of') > 0, 'unknown')
  end subroutine
end program
