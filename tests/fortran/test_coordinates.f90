!> Coordinates: positions on the sky, in trees and in columns.
program test_coordinates
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  call test_positions()
  call test_failures()
  call finish('coordinates')

contains

  subroutine test_positions()
    type(asdf_file) :: file
    type(asdf_coordinates) :: sky, copy
    type(asdf_node) :: node
    real(real64), allocatable :: values(:)
    integer :: numbers(8)
    call file%new()
    call asdf_set_coordinates(file, 'sky', [10d0, 20d0], [-5d0, 41.25d0], 'fk5', distances=[1d0, 2d0], &
      distance_unit='kpc')
    call file%set_time('sky/equinox', 'J1975.0')
    call sky%load(file, 'sky')
    call check(sky%kind() == ASDF_COORDINATES_KIND_SKY .and. sky%frame() == 'fk5', 'kind and frame')
    call check(sky%representation() == 'spherical' .and. sky%differential() == '', 'representation')
    call check(sky%count() == 2 .and. all(sky%shape() == [2]), 'shape')
    call check(sky%component_count() == 3 .and. sky%component_name(1) == 'ra', 'components')
    call check(sky%has('lat') .and. .not. sky%has('x') .and. sky%unit('dec') == 'deg', 'names')
    call sky%get('lat', values)
    call check(all(abs(values - [-5d0, 41.25d0]) <= 0), 'latitudes')
    copy = sky
    call copy%get('distance', values, 'pc')
    call check(all(abs(values - [1000d0, 2000d0]) <= 0), 'distances')
    call check(sky%attribute_count() == 1 .and. sky%attribute_name(1) == 'equinox', 'attributes')
    call sky%attribute('equinox', node)
    call node%get_time('', numbers)
    call check(numbers(1) == 1975, 'equinox')
  end subroutine

  subroutine test_failures()
    type(asdf_file) :: file
    type(asdf_coordinates) :: sky
    type(asdf_node) :: node
    type(asdf_table) :: table
    real(real64), allocatable :: values(:)
    integer :: stat
    call file%new()
    call asdf_set_coordinates(file, 'sky', [10d0], [91d0], stat=stat)
    call check(stat == ASDF_ERR_OUT_OF_RANGE, 'latitude')
    call asdf_set_coordinates(file, 'sky', [10d0, 11d0], [20d0], stat=stat)
    call check(stat == ASDF_ERR_INVALID_ARGUMENT, 'numbers that differ')
    call asdf_set_coordinates(file, 'sky', [10d0], [20d0])
    call sky%load(file, 'sky/ra/value', stat=stat)
    call check(stat == ASDF_ERR_WRONG_TYPE, 'no coordinates')
    call sky%load(file, 'sky')
    call sky%get('x', values, stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND .and. .not. allocated(values), 'no component')
    call sky%get('ra', values, 'm', stat=stat)
    call check(stat == ASDF_ERR_UNITS, 'units')
    call sky%attribute('obstime', node, stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND, 'no attribute')
    call table%new(2)
    call sky%load(table, 'x', stat=stat)
    call check(stat == ASDF_ERR_NOT_FOUND, 'no column')
  end subroutine
end program
