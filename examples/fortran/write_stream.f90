! Writes spectra as they come: write_stream FILE
program write_stream
  use asdfkit
  implicit none
  type(asdf_file) :: file
  type(asdf_stream) :: spectra
  character(1000) :: name
  real :: spectrum(4)
  integer :: number
  call get_command_argument(1, name)
  call file%new()
  call spectra%create(file, trim(name), 'spectra', mold=spectrum)
  do number = 1, 10
    spectrum = real(number)
    call spectra%push(spectrum)
  end do
  call spectra%finish()               ! the file gets its name
end program
