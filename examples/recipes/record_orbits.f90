! Writes the positions of bodies at each step of a simulation, whose length is not known: record_orbits FILE
program record_orbits
  use asdfkit
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: bodies = 4
  real(real64) :: positions(3, bodies), time
  type(asdf_file) :: file
  type(asdf_stream) :: stream
  character(1000) :: name
  integer :: body
  call get_command_argument(1, name)
  call file%new()
  call file%set('meta/unit', 'AU')
  call file%set('meta/step', 0.01d0)
  call stream%create(file, name, 'positions', mold=positions)
  time = 0
  do while (time < 1)
    do body = 1, bodies
      positions(:, body) = body*[cos(time), sin(time), 0d0]
    end do
    call stream%push(positions)
    time = time + 0.01d0
  end do
  call stream%finish()
end program
