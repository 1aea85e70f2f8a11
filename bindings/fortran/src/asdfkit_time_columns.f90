!> Columns of times and of spans of time in tables. Not for programs.
module asdfkit_time_columns
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_null_char, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64, int8, real64
  use asdfkit_arguments, only: integer_text
  use asdfkit_c
  use asdfkit_columns, only: asdf_columns
  use asdfkit_errors, only: conclude, explain
  use asdfkit_owners, only: asdf_time_owner
  use asdfkit_texts, only: time_text_string
  implicit none
  private

  !> Nanoseconds that the library takes for a missing span.
  integer(int64), parameter :: no_span = -huge(0_int64) - 1

  type, extends(asdf_columns), public :: asdf_time_columns
  contains
    procedure :: add_times => table_add_times
    procedure :: set_times => table_set_times
    procedure :: get_times => table_get_times
    procedure :: add_durations => table_add_durations
    procedure :: get_durations => table_get_durations
  end type

contains

  !> Appends a column of times, which astropy reads as a Time in UTC. Each column of `values` has the eight values of the
  !! intrinsic date_and_time: year, month, day, minutes from UTC to the local time, hour, minute, second, millisecond.
  subroutine table_add_times(self, name, values, stat, errmsg, mask)
    class(asdf_time_columns), intent(inout) :: self
    character(*), intent(in) :: name
    integer, intent(in) :: values(:, :)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    !> true for a missing time, whose values are not used
    logical, intent(in), optional :: mask(:)
    type(asdf_time_owner) :: time
    type(c_ptr) :: handle
    character(:), allocatable :: message
    integer(c_int32_t) :: status
    call times_of_values(values, time, status, message, mask)
    if (status == ASDF_OK .and. .not. c_associated(self%c_handle())) then
      status = asdf_table_new(size(values, 2, kind=int64), handle)
      call self%adopt(handle)
    end if
    if (status == ASDF_OK) status = asdf_table_add_time(self%c_handle(), trim(name)//c_null_char, time%c_handle())
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Replaces cells of a column of times from the row `first` on, in the scale and the format of the column. `values` are
  !! those of add_times. ASDF_ERR_WRONG_TYPE for another column, ASDF_ERR_OUT_OF_RANGE for rows that do not exist.
  subroutine table_set_times(self, name, first, values, stat, errmsg, mask)
    class(asdf_time_columns), intent(in) :: self
    character(*), intent(in) :: name
    !> first row to replace, from 1
    integer(int64), intent(in) :: first
    integer, intent(in) :: values(:, :)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    !> true for a missing time, whose values are not used
    logical, intent(in), optional :: mask(:)
    type(asdf_time_owner) :: time
    character(:), allocatable :: message
    integer(c_int32_t) :: status
    call times_of_values(values, time, status, message, mask)
    if (status == ASDF_OK) &
      status = asdf_table_set_time(self%c_handle(), trim(name)//c_null_char, first - 1, time%c_handle())
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Makes times from the values of the intrinsic date_and_time. After an error of the values, `message` says which.
  subroutine times_of_values(values, time, status, message, mask)
    integer, intent(in) :: values(:, :)
    type(asdf_time_owner), intent(inout) :: time
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(out) :: message
    logical, intent(in), optional :: mask(:)
    integer(int64), parameter :: nanoseconds_of_minute = 60000000000_int64
    integer, parameter :: length = 23
    type(c_ptr) :: handle
    character(:), allocatable :: texts
    integer(int64), allocatable :: since(:), offsets(:)
    integer(int8), allocatable :: bytes(:)
    integer(int64) :: count
    integer :: i
    status = ASDF_OK
    count = size(values, 2, kind=int64)
    if (size(values, 1) /= 8) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = 'the first extent of the values is '//integer_text(size(values, 1, kind=int64))//', not 8'
      return
    end if
    allocate (bytes(count), source=0_int8)
    if (present(mask)) then
      if (size(mask) /= size(values, 2)) then
        status = ASDF_ERR_INVALID_ARGUMENT
        message = 'there are '//integer_text(count)//' times, but the mask has '// &
                  integer_text(size(mask, kind=int64))//' elements'
        return
      end if
      where (mask) bytes = 1_int8
    end if
    allocate (character(length*size(values, 2)) :: texts)
    allocate (offsets(count + 1), source=0_int64)
    do i = 1, size(values, 2)
      offsets(i + 1) = int(length, int64)*i
      if (bytes(i) /= 0) then
        texts(length*(i - 1) + 1:length*i) = '2000-01-01T00:00:00.000'
      else
        write (texts(length*(i - 1) + 1:length*i), '(i4.4,2("-",i2.2),"T",i2.2,2(":",i2.2),".",i3.3)') &
          values(1:3, i), values(5:8, i)
      end if
    end do
    status = asdf_time_from_texts(texts, len(texts, c_size_t), offsets, 1_c_int32_t, [count], ASDF_TIME_SCALE_UTC, &
                                  ASDF_TIME_FORMAT_ISOT, c_null_ptr, handle)
    call time%adopt(handle)
    if (status == ASDF_OK .and. any(values(4, :) /= 0 .and. bytes == 0)) then
      allocate (since(count), source=0_int64)
      do i = 1, size(values, 2)
        if (status /= ASDF_OK) exit
        if (bytes(i) /= 0) cycle
        status = asdf_time_from_texts(texts(length*(i - 1) + 1:length*i), int(length, c_size_t), [0_int64, &
          int(length, int64)], 0_c_int32_t, scale=ASDF_TIME_SCALE_UTC, format=ASDF_TIME_FORMAT_ISOT, &
          options=c_null_ptr, time=handle)
        call time%adopt(handle)
        if (status == ASDF_OK) status = asdf_time_read_nanoseconds(handle, ASDF_TIME_SCALE_UTC, since(i), &
          capacity=1_c_size_t)
        since(i) = since(i) - values(4, i)*nanoseconds_of_minute
      end do
      if (status == ASDF_OK) then
        status = asdf_time_from_nanoseconds(since, 1_c_int32_t, [count], ASDF_TIME_SCALE_UTC, c_null_ptr, handle)
        call time%adopt(handle)
      end if
    end if
    if (status == ASDF_OK .and. any(bytes /= 0)) then
      status = asdf_time_with_mask(time%c_handle(), bytes, int(count, c_size_t), handle)
      call time%adopt(handle)
    end if
  end subroutine

  !> Gets a column of times as the values of the intrinsic date_and_time, in UTC, one column for each time. A leap second
  !! is second 60.
  subroutine table_get_times(self, name, values, nanoseconds, mask, stat, errmsg)
    class(asdf_time_columns), intent(in) :: self
    character(*), intent(in) :: name
    !> gets the values; unchanged after a failure
    integer, allocatable, intent(inout) :: values(:, :)
    !> gets the nanoseconds after each millisecond; without it, the times are cut to milliseconds
    integer, allocatable, intent(inout), optional :: nanoseconds(:)
    !> gets which times are missing; their values are zero
    logical, allocatable, intent(inout), optional :: mask(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_time_owner) :: time, utc
    type(c_ptr) :: handle
    character(:), allocatable :: text
    integer(int8), allocatable :: bytes(:)
    integer, allocatable :: found(:, :), rests(:)
    integer(int64) :: count, index
    integer :: numbers(7)
    integer(c_int32_t) :: status
    count = 0
    status = asdf_table_time(self%c_handle(), trim(name)//c_null_char, c_null_ptr, handle)
    call time%adopt(handle)
    if (status == ASDF_OK) then
      status = asdf_time_convert(time%c_handle(), ASDF_TIME_SCALE_UTC, handle)
      call utc%adopt(handle)
    end if
    if (status == ASDF_OK) status = asdf_time_count(handle, count)
    allocate (found(8, count), rests(count), source=0)
    allocate (bytes(count), source=0_int8)
    if (status == ASDF_OK) status = asdf_time_read_mask(handle, bytes, int(count, c_size_t))
    do index = 1, count
      if (status /= ASDF_OK) exit
      if (bytes(index) /= 0) cycle
      status = time_text_string(handle, index - 1, ASDF_TIME_FORMAT_ISOT, 9_c_int32_t, text)
      if (status /= ASDF_OK) exit
      read (text, '(i4,5(1x,i2),1x,i9)') numbers
      found(:, index) = [numbers(1:3), 0, numbers(4:6), numbers(7)/1000000]
      rests(index) = mod(numbers(7), 1000000)
    end do
    if (status == ASDF_OK) then
      call move_alloc(found, values)
      if (present(nanoseconds)) call move_alloc(rests, nanoseconds)
      if (present(mask)) mask = bytes /= 0
    end if
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Appends a column of spans of time, which astropy reads as a TimeDelta.
  subroutine table_add_durations(self, name, nanoseconds, stat, errmsg, mask)
    class(asdf_time_columns), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int64), intent(in) :: nanoseconds(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    !> true for a missing span, whose nanoseconds are not used
    logical, intent(in), optional :: mask(:)
    integer(int64), allocatable :: given(:)
    real(real64), allocatable :: jd1(:), jd2(:)
    character(:), allocatable :: message
    type(c_ptr) :: handle
    integer(int64) :: count
    integer(c_int32_t) :: status
    count = size(nanoseconds, kind=int64)
    status = ASDF_OK
    allocate (given(count), source=nanoseconds)
    if (present(mask)) then
      if (size(mask) == size(nanoseconds)) then
        where (mask) given = no_span
      else
        status = ASDF_ERR_INVALID_ARGUMENT
        message = 'there are '//integer_text(count)//' spans, but the mask has '// &
                  integer_text(size(mask, kind=int64))//' elements'
      end if
    end if
    allocate (jd1(count), jd2(count))
    if (status == ASDF_OK) status = asdf_time_delta_from_nanoseconds(given, count, jd1, jd2, int(count, c_size_t))
    if (status == ASDF_OK .and. .not. c_associated(self%c_handle())) then
      status = asdf_table_new(count, handle)
      call self%adopt(handle)
    end if
    if (status == ASDF_OK) &
      status = asdf_table_add_time_delta(self%c_handle(), trim(name)//c_null_char, jd1, jd2, 0_c_int32_t, scale=0_c_int32_t, &
                                         format_name='sec'//c_null_char)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Gets a column of spans of time in nanoseconds. ASDF_ERR_VALUE_RANGE for a span between two nanoseconds,
  !! ASDF_ERR_OUT_OF_RANGE for one of more than 292 years.
  subroutine table_get_durations(self, name, nanoseconds, mask, stat, errmsg)
    class(asdf_time_columns), intent(in) :: self
    character(*), intent(in) :: name
    !> gets the spans; unchanged after a failure
    integer(int64), allocatable, intent(inout) :: nanoseconds(:)
    !> gets which spans are missing; their nanoseconds are zero. Without it, a missing span is ASDF_ERR_MASKED
    logical, allocatable, intent(inout), optional :: mask(:)
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int64), allocatable :: found(:)
    real(real64), allocatable :: jd1(:), jd2(:)
    logical, allocatable :: is_missing(:)
    character(:), allocatable :: message
    integer(int64) :: count
    integer(c_int32_t) :: status
    count = 0
    status = asdf_table_read_time_delta(self%c_handle(), trim(name)//c_null_char, capacity=0_c_size_t, count=count)
    allocate (jd1(count), jd2(count), found(count))
    if (status == ASDF_OK) &
      status = asdf_table_read_time_delta(self%c_handle(), trim(name)//c_null_char, jd1, jd2, int(count, c_size_t), count)
    if (status == ASDF_OK) &
      status = asdf_time_delta_to_nanoseconds(jd1, jd2, count, found, capacity=int(count, c_size_t))
    if (status == ASDF_OK) then
      is_missing = found == no_span
      if (any(is_missing) .and. .not. present(mask)) then
        status = ASDF_ERR_MASKED
        message = 'the column '//trim(name)//' has missing spans of time: pass mask to get which'
      end if
    end if
    if (status == ASDF_OK) then
      where (is_missing) found = 0
      call move_alloc(found, nanoseconds)
      if (present(mask)) call move_alloc(is_missing, mask)
    end if
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine
end module asdfkit_time_columns
