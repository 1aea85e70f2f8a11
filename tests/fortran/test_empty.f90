!> Empty arrays: variables, and expressions such as pack() without a match, whose descriptors gfortran fills otherwise.
program test_empty
  use asdfkit
  use checks
  use, intrinsic :: iso_fortran_env, only: int64, real32
  implicit none
  ! No constants: gfortran would compute the expressions itself.
  real(real32) :: flux(3) = [1., 2., 3.]
  integer :: numbers_of_rows(3) = [1, 2, 3]
  character(:), allocatable :: message
  integer :: stat

  call set_arrays()
  call change_arrays()
  call fill_tables()
  call push_rows()
  call describe_values()
  call finish('empty')
  if (allocated(message)) deallocate (message)

contains

  !> Checks the shape and the datatype of an array that was written and read.
  subroutine expect_array(file, path, extents, name)
    type(asdf_file), intent(in) :: file
    character(*), intent(in) :: path, name
    integer, intent(in) :: extents(:)
    type(asdf_array) :: array
    integer(int64), allocatable :: found(:)
    call file%get_array(path, array)
    found = array%shape()
    call check(size(found) == size(extents), 'rank of '//path)
    if (size(found) == size(extents)) call check(all(found == extents), 'shape of '//path)
    call check(array%datatype_name() == name, 'datatype of '//path//': '//array%datatype_name())
  end subroutine

  subroutine set_arrays()
    type(asdf_file) :: file
    real(real32), allocatable :: variable(:)
    integer, allocatable :: none(:, :)
    allocate (variable(0), none(2, 0))
    call file%new()
    call file%set('variable', variable)
    call file%set('pack', pack(flux, flux > 5))
    call file%set('constructor', [integer ::])
    call file%set('section', flux(1:0))
    call file%set('expression', 2*flux(1:0))
    call file%set('first', reshape([real(real32) ::], [0, 3]))
    call file%set('last', reshape([real(real32) ::], [3, 0]))
    call file%set('middle', reshape([real(real32) ::], [2, 0, 3]))
    call file%set('both', reshape([integer ::], [0, 0]))
    call file%set('flags', pack(flux > 5, flux > 5))
    call file%set('texts', pack(['abc', 'def', 'ghi'], flux > 5))
    call file%set('masked', pack(flux, flux > 5), mask=pack(flux > 5, flux > 5))
    call file%set('compressed', [complex(real32) ::], mask=[logical ::], compression='zlib')
    call file%set('copy', none)
    call file%set_zeros('scalar', [integer ::], ASDF_FLOAT32)
    call file%write('empty.asdf', replace=.true.)
    call file%open('empty.asdf')
    call expect_array(file, 'variable', [0], 'float32')
    call expect_array(file, 'pack', [0], 'float32')
    call expect_array(file, 'constructor', [0], 'int32')
    call expect_array(file, 'section', [0], 'float32')
    call expect_array(file, 'expression', [0], 'float32')
    call expect_array(file, 'first', [0, 3], 'float32')
    call expect_array(file, 'last', [3, 0], 'float32')
    call expect_array(file, 'middle', [2, 0, 3], 'float32')
    call expect_array(file, 'both', [0, 0], 'int32')
    call expect_array(file, 'flags', [0], 'bool8')
    call check(all(file%shape('texts') == [0]), 'shape of texts')
    call expect_array(file, 'masked', [0], 'float32')
    call expect_array(file, 'masked/mask', [0], 'bool8')
    call expect_array(file, 'compressed', [0], 'complex64')
    call expect_array(file, 'copy', [2, 0], 'int32')
    call expect_array(file, 'scalar', [integer ::], 'float32')
    call file%read('variable', variable)
    call file%load('last', variable, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'at /last')
    call file%load('pack', variable)
    call check(size(variable) == 0, 'load an empty array')
    ! A mask of another shape is still refused.
    call file%new()
    call file%set('data', pack(flux, flux > 5), mask=[.true.], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'at /data: the mask must have the shape of the variable')
  end subroutine

  subroutine change_arrays()
    type(asdf_file) :: file
    real(real32) :: grown(3, 1)
    call file%new()
    call file%set('data', flux)
    call file%set_zeros('grows', [3, 0], ASDF_FLOAT32)
    call file%write('empty.asdf', replace=.true.)
    call file%open_for_update('empty.asdf')
    call file%write('data', pack(flux, flux > 5), start=[1], count=[0])
    call file%write('data', flux(:1), start=[2])
    call file%write('data', pack(flux, flux > 5), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'has the shape (3), but the variable has (0)')
    call file%save()
    call file%append('grows', spread(flux, 2, 0))
    call file%append('grows', flux)
    call file%append('grows', reshape([real(real32) ::], [3, 0]))
    call file%append('grows', pack(flux, flux > 5), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'must have the extents of the array')
    call file%save()
    call file%close()
    call file%open('empty.asdf')
    call check(all(file%shape('grows') == [3, 1]), 'empty steps add nothing')
    call file%read('grows', grown)
    call check(all(abs(grown(:, 1) - flux) < 1e-6), 'the appended step')
  end subroutine

  subroutine fill_tables()
    type(asdf_table) :: table, chosen
    integer, allocatable :: numbers(:)
    integer(int64), allocatable :: lengths(:)
    call table%new(0)
    call table%add('constructor', [integer ::])
    call table%add('pack', pack(flux, flux > 5), mask=[logical ::], unit='mJy')
    call table%add('texts', pack(['abc', 'def', 'ghi'], flux > 5))
    call table%add('json', pack(['abc', 'def', 'ghi'], flux > 5), datatype=ASDF_JSON)
    call table%add('flags', pack(flux > 5, flux > 5))
    call table%add('cells', reshape([real(real32) ::], [2, 0]))
    call table%add_lists('lists', [integer ::], lengths=[integer(int64) ::])
    call table%set_cells('constructor', 1, [integer ::])
    call check(table%rows() == 0 .and. table%columns() == 7, 'a table without rows')
    call table%get('constructor', numbers)
    call check(size(numbers) == 0, 'read a column without rows')
    call table%get_lists('lists', numbers, lengths)
    call check(size(numbers) == 0 .and. size(lengths) == 0, 'read lists without rows')
    call chosen%select(table, rows=numbers)
    call check(chosen%rows() == 0 .and. chosen%columns() == 7, 'no rows of a table without rows')
    call table%write_ecsv('empty.ecsv', replace=.true.)
    call table%free()
    call table%add('a', [1, 2, 3])
    call chosen%select(table, rows=pack(numbers_of_rows, flux > 5))
    call check(chosen%rows() == 0, 'no rows of a table')
    call chosen%select(table, rows=pack(numbers_of_rows, flux > 2))
    call check(chosen%rows() == 1, 'one row of a table')
    call table%free()
    call table%add('a', pack(flux, flux > 5))
    call check(table%rows() == 0, 'the first column has no rows')
    call table%add('b', [1], stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'there are values for 1 rows, but the table has 0 rows')
  end subroutine

  subroutine push_rows()
    type(asdf_file) :: file
    type(asdf_stream) :: stream
    call file%new()
    call stream%create(file, 'empty_stream.asdf', 'a', mold=flux)
    call stream%push(spread(flux, 2, 0))
    call stream%push(flux)
    call stream%push(pack(flux, flux > 5), stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'the rows have the shape (0), but a row has (3)')
    call stream%finish()
    call check(stream%rows() == 1, 'empty rows add nothing')
  end subroutine

  subroutine describe_values()
    type(asdf_ndl_builder) :: builder
    call builder%new()
    call builder%add_ndarray('/none', [0], 'float32')
    call builder%add_ndarray('/scalar', [integer ::], 'float32')
    call builder%set_values('/none', pack(flux, flux > 5))
    call builder%set_attribute('/none', 'numbers', [integer ::])
    call builder%set_values('/none', pack(flux, flux > 2), stat=stat, errmsg=message)
    call check(stat /= ASDF_OK, 'too many values')
  end subroutine
end program
