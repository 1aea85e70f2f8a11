!> Arguments of calls of the library: options from its optional arguments, the region, the mask.
!! Not for programs.
module asdfkit_calls
  use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_int32_t, c_int64_t, c_int8_t, c_loc, c_null_char, &
    c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64
  use asdfkit_c
  use asdfkit_memory, only: describe, gather_flags, memory_layout
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_strings, only: set_string_type
  use asdfkit_transfer
  use asdfkit_tree, only: c_path
  implicit none
  private
  public :: read_variable, plan_load, write_variable, append_variable, reading_options, storing_options, set_unit, get_number_in

contains

  !> Reads a region of an array into a variable, with the optional arguments of `read`.
  subroutine read_variable(array, layout, start, count, step, mask, fill, clamp, threads, unit, options, status, message)
    type(c_ptr), intent(in) :: array
    type(memory_layout), intent(in) :: layout
    class(*), intent(in), optional :: start(:), count(:), step(:)
    logical, intent(inout), optional, target :: mask(..)
    type(memory_layout), intent(in), optional :: fill
    logical, intent(in), optional :: clamp
    integer, intent(in), optional :: threads
    character(*), intent(in), optional :: unit
    class(asdf_options), intent(in), optional :: options
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    type(array_region) :: region
    type(memory_layout), allocatable :: mask_layout
    type(c_ptr) :: own, call_options

    call plan_region(array, layout%rank, layout%extents(:layout%rank), start, count, step, region, status, message)
    if (status /= ASDF_OK) return
    if (present(mask)) then
      allocate (mask_layout)
      call describe(mask, mask_layout)
    end if
    call reading_options(fill, clamp, threads, options, own, call_options, status, unit)
    if (status == ASDF_OK) call read_elements(array, region, layout, call_options, mask_layout, status, message)
    if (c_associated(own)) call asdf_options_free(own)
  end subroutine

  !> Finds the extents of the variable that `load` allocates.
  subroutine plan_load(array, rank, start, count, step, region, extents, status, message)
    type(c_ptr), intent(in) :: array
    integer, intent(in) :: rank
    class(*), intent(in), optional :: start(:), count(:), step(:)
    type(array_region), intent(out) :: region
    integer(int64), allocatable, intent(out) :: extents(:)
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    character(80) :: text
    call plan_region(array, int(rank, c_int32_t), start=start, count=count, step=step, region=region, &
      status=status, message=message)
    if (status /= ASDF_OK) return
    extents = region%variable_extents(int(rank, c_int32_t))
    if (size(extents) == rank) return
    write (text, '(2(a, i0))') 'the array has ', region%rank, ' axes, but the variable has ', rank
    message = array_place(array)//trim(text)
    status = ASDF_ERR_INVALID_ARGUMENT
  end subroutine

  !> Writes a variable over a region of an array, with the optional arguments of `write`.
  subroutine write_variable(array, layout, start, count, step, clamp, threads, options, status, message)
    type(c_ptr), intent(in) :: array
    type(memory_layout), intent(in) :: layout
    class(*), intent(in), optional :: start(:), count(:), step(:)
    logical, intent(in), optional :: clamp
    integer, intent(in), optional :: threads
    class(asdf_options), intent(in), optional :: options
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    type(array_region) :: region
    type(c_ptr) :: own, call_options
    call plan_region(array, layout%rank, layout%extents(:layout%rank), start, count, step, region, status, message)
    if (status /= ASDF_OK) return
    call reading_options(clamp=clamp, threads=threads, options=options, own=own, call_options=call_options, status=status)
    if (status == ASDF_OK) call write_elements(array, region, layout, call_options, status, message)
    if (c_associated(own)) call asdf_options_free(own)
  end subroutine

  !> Adds a variable to an array along its last axis, with the optional arguments of `append`.
  subroutine append_variable(array, layout, clamp, threads, options, status, message)
    type(c_ptr), intent(in) :: array
    type(memory_layout), intent(in) :: layout
    logical, intent(in), optional :: clamp
    integer, intent(in), optional :: threads
    class(asdf_options), intent(in), optional :: options
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    type(c_ptr) :: own, call_options
    call reading_options(clamp=clamp, threads=threads, options=options, own=own, call_options=call_options, status=status)
    if (status == ASDF_OK) call append_elements(array, layout, call_options, status, message)
    if (c_associated(own)) call asdf_options_free(own)
  end subroutine

  !> Options of a call that reads elements, or writes a region. Without a need for own ones, those of the caller.
  subroutine reading_options(fill, clamp, threads, options, own, call_options, status, unit)
    type(memory_layout), intent(in), optional :: fill
    logical, intent(in), optional :: clamp
    integer, intent(in), optional :: threads
    class(asdf_options), intent(in), optional :: options
    !> own options, to be freed by the caller; null if there are none
    type(c_ptr), intent(out) :: own
    !> options for the call of the library
    type(c_ptr), intent(out) :: call_options
    integer(c_int32_t), intent(out) :: status
    character(*), intent(in), optional :: unit
    own = c_null_ptr
    call_options = options_handle(options)
    status = ASDF_OK
    if (.not. (present(fill) .or. present(clamp) .or. present(threads) .or. present(unit))) return
    status = own_options(call_options, own)
    if (status /= ASDF_OK) return
    call_options = own
    if (present(fill)) status = set_fill(own, fill)
    if (status == ASDF_OK .and. present(clamp)) &
      status = asdf_options_set_int(own, ASDF_OPTION_CLAMP, merge(1_c_int64_t, 0_c_int64_t, clamp))
    if (status == ASDF_OK .and. present(threads)) &
      status = asdf_options_set_int(own, ASDF_OPTION_THREADS, int(threads, c_int64_t))
    if (status == ASDF_OK .and. present(unit)) status = set_unit(own, unit)
  end subroutine

  !> Sets the unit that numbers are read in, without trailing blanks.
  integer(c_int32_t) function set_unit(options, unit) result(status)
    type(c_ptr), intent(in) :: options
    character(*), intent(in) :: unit
    status = asdf_options_set_text(options, ASDF_OPTION_UNIT, trim(unit), len_trim(unit, c_size_t))
  end function

  integer(c_int32_t) function set_fill(options, fill) result(status)
    type(c_ptr), intent(in) :: options
    type(memory_layout), intent(in) :: fill
    integer(c_int8_t), target :: flag(1)
    status = ASDF_OK
    if (fill%flags) then
      call gather_flags(fill, flag)
      status = asdf_options_set_fill(options, ASDF_BOOL8, c_loc(flag), 1_c_size_t)
    else
      ! Reading strings replaces this datatype by that of the variable.
      if (fill%datatype == ASDF_ASCII) status = set_string_type(options, ASDF_ASCII, fill%item_size)
      if (status == ASDF_OK) &
        status = asdf_options_set_fill(options, fill%code(), fill%address, int(fill%item_size, c_size_t))
    end if
  end function

  !> Reads the number of a quantity in another unit.
  subroutine get_number_in(node, path, unit, options, number, status)
    type(c_ptr), intent(in) :: node
    character(*), intent(in) :: path, unit
    class(asdf_options), intent(in), optional :: options
    real(c_double), intent(out) :: number
    integer(c_int32_t), intent(out) :: status
    type(c_ptr) :: call_options
    call_options = options_handle(options)
    number = 0
    status = asdf_node_get_quantity(node, c_path(path), trim(unit)//c_null_char, ASDF_SPELLING_GENERIC, call_options, &
      number)
  end subroutine

  !> Options of a call that stores an array. Without a need for own ones, those of the caller.
  subroutine storing_options(compression, level, storage, external_name, stored_order, byte_order, keep, threads, &
    options, own, call_options, status)
    character(*), intent(in), optional :: compression, external_name
    integer, intent(in), optional :: level, threads
    integer(c_int32_t), intent(in), optional :: storage, stored_order, byte_order
    logical, intent(in), optional :: keep
    class(asdf_options), intent(in), optional :: options
    !> own options, to be freed by the caller; null if there are none
    type(c_ptr), intent(out) :: own
    !> options for the call of the library
    type(c_ptr), intent(out) :: call_options
    integer(c_int32_t), intent(out) :: status
    own = c_null_ptr
    call_options = options_handle(options)
    status = ASDF_OK
    if (.not. (present(compression) .or. present(level) .or. present(storage) .or. present(external_name) .or. &
               present(stored_order) .or. present(byte_order) .or. present(keep) .or. present(threads))) return
    block
      type(asdf_options) :: all
      integer :: stat
      status = all%prepare_copy(call_options)
      if (status == ASDF_OK) then
        call all%set(codec=compression, level=level, storage=storage, external_name=external_name, &
                     stored_order=stored_order, byte_order=byte_order, keep=keep, threads=threads, stat=stat)
        status = int(stat, c_int32_t)
      end if
      if (status == ASDF_OK) status = asdf_options_copy(all%c_handle(), own)
    end block
    call_options = own
  end subroutine
end module asdfkit_calls
