!> Counts reports of progress, and cancels if told so.
module listener
  use checks
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  integer(int64) :: reports = 0, last_done = 0, last_total = 0
  logical :: cancel_next = .false.

contains

  subroutine show(done, total, cancel)
    integer(int64), intent(in) :: done, total
    logical, intent(inout) :: cancel
    call check(.not. cancel, 'not cancelled yet')
    reports = reports + 1
    last_done = done
    last_total = total
    cancel = cancel_next
  end subroutine
end module

!> ECSV in batches: reading with bounded memory, writing, progress, cancelling, and errors that end loops.
program test_ecsv
  use asdfkit
  use checks
  use listener
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  character(:), allocatable :: message
  integer :: stat

  call write_batches()
  call store_batches()
  call read_batches()
  call use_index()
  call refuse()
  call follow_progress()
  call finish('ecsv')
  if (allocated(message)) deallocate (message)

contains

  subroutine make(table, first, rows)
    type(asdf_table), intent(inout) :: table
    integer, intent(in) :: first, rows
    integer :: i
    call table%new()
    call table%add('n', [(i, i=first, first + rows - 1)])
    call table%add('x', [(i/4d0, i=first, first + rows - 1)], unit='m')
  end subroutine

  subroutine write_batches()
    type(asdf_table_writer) :: writer, abandoned
    type(asdf_table) :: table
    logical :: exists
    call make(table, 1, 100)
    call writer%create('batches.ecsv.gz', table)
    call writer%append(table)
    call make(table, 101, 100)
    call writer%append(table)
    inquire (file='batches.ecsv.gz', exist=exists)
    call check(.not. exists, 'no name before the end')
    call writer%finish()
    inquire (file='batches.ecsv.gz', exist=exists)
    call check(exists, 'name at the end')
    call writer%append(table, stat, message)
    call check_failure(stat, message, ASDF_ERR_CLOSED, 'finished')
    call writer%finish(stat, message)
    call check_failure(stat, message, ASDF_ERR_CLOSED, 'finished')

    call writer%create('batches.ecsv.gz', table, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_EXISTS, 'batches.ecsv.gz')
    call writer%create('other.ecsv', table, delimiter=',', durable=.false., replace=.true.)
    call table%new()
    call table%add('other', [1])
    call writer%append(table, stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'the batch has 1 columns')
    call writer%finish()
    call abandoned%create('abandoned.ecsv', table)
    call abandoned%append(table)
    call abandoned%free()
    inquire (file='abandoned.ecsv', exist=exists)
    call check(.not. exists, 'no file without an end')
    call abandoned%append(table, stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'writer')
    call abandoned%create('abandoned.ecsv', table, delimiter='x', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "the delimiter is 'x'")
  end subroutine

  subroutine store_batches()
    type(asdf_file) :: file
    type(asdf_table_writer) :: writer
    type(asdf_table) :: table, other
    type(asdf_options) :: options
    integer, allocatable :: n(:)
    call make(table, 1, 3)
    call file%new()
    call options%set(temporary_directory='nowhere')
    call writer%begin(file, 't', table, options=options, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_NOT_FOUND, 'nowhere')
    call writer%begin(file, 't', table, form=ASDF_TABLE_FORM_STANDARD, compression='zlib')
    call writer%append(table)
    call make(table, 4, 2)
    call writer%append(table)
    call other%new()
    call other%add('other', [1])
    call writer%append(other, stat, message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'the batch has 1 columns')
    call writer%finish()
    call writer%finish(stat, message)
    call check_failure(stat, message, ASDF_ERR_CLOSED, 'finished')
    call file%write('stored.asdf', replace=.true.)
    call file%open('stored.asdf')
    call table%load(file, 't')
    call table%get('n', n)
    call check(size(n) == 5 .and. all(n == [1, 2, 3, 4, 5]), 'stored batches')
    call check(table%unit('x') == 'm', 'unit of stored batches')
  end subroutine

  subroutine read_batches()
    type(asdf_table_reader) :: reader
    type(asdf_table) :: batch
    integer, allocatable :: n(:)
    real(real64), allocatable :: x(:)
    integer :: batches
    integer(int64) :: rows, total
    logical :: more
    call reader%open('batches.ecsv.gz', batch_rows=64)
    call reader%get_header(batch)
    call check(batch%rows() == 0 .and. batch%columns() == 2 .and. batch%unit('x') == 'm', 'header')
    batches = 0
    rows = 0
    total = 0
    do
      call reader%next(batch, more)
      if (.not. more) exit
      batches = batches + 1
      rows = rows + batch%rows()
      call batch%get('n', n)
      call batch%get('x', x)
      total = total + sum(n)
      call check(all(abs(x - n/4d0) <= 0), 'rows of a batch')
    end do
    call check(batches == 4 .and. rows == 200 .and. total == 20100, 'all batches')
    call check(batch%columns() == 0, 'no table after the last batch')
    call reader%next(batch, more)
    call check(.not. more, 'no batch after the last one')

    call reader%open('batches.ecsv.gz', columns=['n'], first=150, count=10_int64)
    call reader%next(batch, more)
    call batch%get('n', n)
    call check(more .and. size(n) == 10 .and. n(1) == 150 .and. batch%columns() == 1, 'part of a file')
    call reader%free()
    call batch%get('n', n)
    call check(n(10) == 159, 'table without its reader')
  end subroutine

  subroutine use_index()
    type(asdf_table) :: table
    type(asdf_options) :: options
    character(:), allocatable :: index
    integer, allocatable :: n(:)
    integer(int64) :: rows
    call make(table, 1, 100)
    call table%write_ecsv('indexed.ecsv')
    call asdf_index_ecsv('indexed.ecsv', index, rows, step=7_int64)
    call check(rows == 100, 'rows of an index')
    call options%set(table_index=index)
    call table%read_ecsv('indexed.ecsv', first=71, count=3, options=options)
    call table%get('n', n)
    call check(size(n) == 3 .and. n(1) == 71, 'rows by an index')
    call asdf_index_ecsv('batches.ecsv.gz', index, rows, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_UNSUPPORTED, 'compressed')
  end subroutine

  subroutine refuse()
    type(asdf_table_reader) :: reader
    type(asdf_table) :: batch
    integer :: unit
    logical :: more
    call reader%open('none.ecsv', stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_FILE_NOT_FOUND, 'none.ecsv')
    call reader%next(batch, more, stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'reader')
    call check(.not. more, 'no batch without a reader')
    call reader%get_header(batch, stat, message)
    call check_failure(stat, message, ASDF_ERR_NULL_POINTER, 'reader')
    call reader%open('batches.ecsv.gz', batch_rows=.true., stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, 'batch_rows must be an integer')

    open (newunit=unit, file='damaged.ecsv')
    write (unit, '(a)') '# %ECSV 1.0', '# ---', '# datatype:', '# - {name: a, datatype: int8}', 'a', '1', '2', '300'
    close (unit)
    call reader%open('damaged.ecsv', batch_rows=2)
    call reader%next(batch, more)
    call check(more .and. batch%rows() == 2, 'batch before the damage')
    call reader%next(batch, more, stat, message)
    call check_failure(stat, message, ASDF_ERR_VALUE_RANGE, 'damaged.ecsv:8')
    call check(.not. more .and. batch%rows() == 0, 'a loop ends at an error')
    call reader%next(batch, more, stat, message)
    call check_failure(stat, message, ASDF_ERR_VALUE_RANGE, 'damaged.ecsv:8')
  end subroutine

  subroutine follow_progress()
    type(asdf_options) :: options, copy
    type(asdf_table) :: table
    type(asdf_table_reader) :: reader
    logical :: more, exists
    call asdf_set_progress(options, show)
    copy = options
    call table%read_ecsv('batches.ecsv.gz', options=copy)
    call check(reports >= 2 .and. last_done == last_total .and. last_done > 0, 'reports of a reading call')
    cancel_next = .true.
    call table%write_ecsv('cancelled.ecsv', options=options, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_CANCELLED, 'cancelled')
    inquire (file='cancelled.ecsv', exist=exists)
    call check(.not. exists, 'no file of a cancelled call')
    cancel_next = .false.
    call reader%open('batches.ecsv.gz', options=options)
    call options%free()
    call copy%free()
    cancel_next = .true.
    call reader%next(table, more, stat, message)
    call check_failure(stat, message, ASDF_ERR_CANCELLED, 'cancelled')
    cancel_next = .false.
    call reader%next(table, more)
    call check(more .and. table%rows() == 200, 'the same rows after a cancelled call')
    ! A second procedure replaces the first one, which is released.
    call asdf_set_progress(options, show)
    call asdf_set_progress(options, show)
    call options%set(delimiter=ASDF_DELIMITER_COMMA)
    call table%read_ecsv('batches.ecsv.gz', options=options, stat=stat, errmsg=message)
    call check_failure(stat, message, ASDF_ERR_INVALID_ARGUMENT, "'delimiter'")
  end subroutine
end program
