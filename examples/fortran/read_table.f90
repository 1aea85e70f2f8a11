! Reads a column with missing values of an ECSV table: read_table TABLE
program read_table
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  type(asdf_table) :: table
  character(1000) :: name
  real(real64), allocatable :: flux(:)
  logical, allocatable :: missing(:)
  integer :: row
  call get_command_argument(1, name)
  call table%read_ecsv(name)
  call table%get('flux', flux, mask=missing)
  do row = 1, size(flux)
    if (missing(row)) then
      print '(a)', 'missing'
    else
      print '(g0.6, 1x, a)', flux(row), table%unit('flux')
    end if
  end do
end program
