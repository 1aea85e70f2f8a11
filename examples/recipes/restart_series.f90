! Continues a time series that another run wrote, on another number of subdomains: restart_series FILE SUBDOMAINS STEPS.
! The file holds all steps of a field; each subdomain reads and writes its own part of it.
program restart_series
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: nx = 12, ny = 8, room = 100
  type(asdf_file) :: file
  character(1000) :: name, argument
  real(real64) :: field(nx, ny)
  integer :: subdomains, steps, step, last, rank
  logical :: exists

  call get_command_argument(1, name)
  call get_command_argument(2, argument)
  read (argument, *) subdomains
  call get_command_argument(3, argument)
  read (argument, *) steps

  inquire (file=name, exist=exists)
  if (.not. exists) call create()
  call file%open_for_update(trim(name))
  call file%get('meta/last', last)
  if (last + steps > room) error stop 'the file has room for 100 steps'
  field = 1
  if (last > 0) then
    do rank = 0, subdomains - 1     ! one process each, in a parallel program
      associate (first => low(rank), next => low(rank + 1))
        call file%read('field', field(:, first:next - 1), start=[1, first, last], count=[nx, next - first, 1])
      end associate
    end do
  end if

  do step = last + 1, last + steps
    field = field + spread([(real(rank, real64), rank=1, ny)], 1, nx)
    do rank = 0, subdomains - 1
      associate (first => low(rank), next => low(rank + 1))
        call file%write('field', reshape(field(:, first:next - 1), [nx, next - first, 1]), start=[1, first, step])
      end associate
    end do
    call file%set('meta/last', step)
    call file%save()                ! the step is complete, or not there at all
  end do
  call file%close()
  print '(a, i0, a, f0.1)', 'step ', step - 1, ', sum ', sum(field)

contains

  ! First row of a subdomain; the rows are divided as evenly as possible.
  integer function low(rank)
    integer, intent(in) :: rank
    low = 1 + rank*ny/subdomains
  end function

  ! Zeros take no room on the disk until a step is written.
  subroutine create()
    call file%new()
    call file%set('meta/last', 0)
    call file%set_zeros('field', [nx, ny, room], ASDF_FLOAT64)
    call file%write(trim(name))
    call file%close()
  end subroutine
end program
