! Describes the content of a file in NDL: describe_content FILE
program describe_content
  use asdfkit
  implicit none
  type(asdf_file) :: file
  type(asdf_ndl) :: description
  character(1000) :: name
  character(:), allocatable :: text
  call get_command_argument(1, name)
  call file%open(name)
  call description%describe(file)
  call description%export(text)
  write (*, '(a)', advance='no') text
end program
