! Reads columns of a catalogue into arrays, numbers and names, and writes one of its bright stars: catalogue INPUT OUTPUT
program catalogue
  use asdf_tables_c
  use asdf_c, only: asdf_options_new, asdf_options_set_int, asdf_options_free
  implicit none
  integer, parameter :: name_length = 8
  type(c_ptr) :: table, names_type, padded
  character(1000) :: files(2)
  integer(c_int64_t) :: rows
  real(c_double), allocatable :: flux(:), position(:, :)
  character(name_length, c_char), allocatable :: names(:)
  integer(c_int8_t), allocatable, target :: missing(:)
  integer, allocatable :: bright(:)
  character(16, c_char) :: unit
  integer(c_size_t) :: length
  integer(c_int64_t), parameter :: no_axes(1) = 0
  integer :: i

  call get_command_argument(1, files(1))
  call get_command_argument(2, files(2))
  call check(asdf_datatype_string(ASDF_ASCII, int(name_length, c_int64_t), names_type))
  call check(asdf_table_read_ecsv(trim(files(1))//c_null_char, c_null_ptr, table))
  call check(asdf_table_row_count(table, rows))
  allocate (flux(rows), position(2, rows), names(rows), missing(rows))
  call check(asdf_table_read_column(table, 'position'//c_null_char, 0_c_int64_t, -1_c_int64_t, ASDF_FLOAT64, c_null_ptr, &
                                    position, 16*rows, c_loc(missing), 1_c_size_t), expected=ASDF_ERR_BUFFER_TOO_SMALL)
  call check(asdf_options_new(padded))
  call check(asdf_options_set_int(padded, ASDF_OPTION_BLANK_PADDED, 1_c_int64_t))
  call check(asdf_table_read_column_typed(table, 'name'//c_null_char, 0_c_int64_t, -1_c_int64_t, names_type, padded, &
                                          names, name_length*rows, c_loc(missing), int(rows, c_size_t)))
  if (any(missing /= 0)) error stop 'a name is missing'
  if (names(1) /= 'dim' .or. len_trim(names(2)) /= 4) error stop 'blanks do not fill the names up'
  call check(asdf_table_read_column(table, 'position'//c_null_char, 0_c_int64_t, rows, ASDF_FLOAT64, c_null_ptr, &
                                    position, 16*rows, c_null_ptr, 0_c_size_t))
  call check(asdf_table_read_column(table, 'flux'//c_null_char, 0_c_int64_t, -1_c_int64_t, ASDF_FLOAT64, c_null_ptr, &
                                    flux, 8*rows, c_loc(missing), int(rows, c_size_t)))
  call check(asdf_table_column_unit(table, 'flux'//c_null_char, unit, len(unit, c_size_t), length))
  call asdf_table_free(table)

  bright = pack([(i, i=1, int(rows))], missing == 0 .and. flux > 1)
  do i = 1, size(bright)
    print '(a, 3f9.3, 1x, a)', names(bright(i)), flux(bright(i)), position(:, bright(i)), unit(:length)
  end do
  call check(asdf_table_new(size(bright, kind=c_int64_t), table))
  call check(asdf_table_add_column_typed(table, 'name'//c_null_char, names_type, 0, no_axes, &
                                         names(bright), name_length*size(bright, kind=c_size_t), c_null_ptr, &
                                         0_c_size_t, padded))
  call check(asdf_table_add_column(table, 'flux'//c_null_char, ASDF_FLOAT64, 0, no_axes, flux(bright), &
                                   8*size(bright, kind=c_size_t), c_null_ptr, 0_c_size_t, c_null_ptr))
  call check(asdf_table_set_column_unit(table, 'flux'//c_null_char, unit, length))
  call check(asdf_table_write_ecsv(table, trim(files(2))//c_null_char, c_null_ptr))
  call asdf_table_free(table)
  call asdf_datatype_free(names_type)
  call asdf_options_free(padded)

contains

  subroutine check(status, expected)
    integer(c_int32_t), intent(in) :: status
    integer(c_int32_t), intent(in), optional :: expected
    character(1000, c_char) :: message
    integer(c_size_t) :: needed
    integer(c_int32_t) :: wanted
    wanted = ASDF_OK
    if (present(expected)) wanted = expected
    if (status == wanted) return
    needed = 0
    if (asdf_error_message(message, len(message, c_size_t), needed) == ASDF_OK) print '(a)', message(:needed)
    error stop 'another status'
  end subroutine
end program
