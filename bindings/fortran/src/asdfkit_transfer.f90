!> Moves elements between arrays of the library and variables, whatever their kind and rank.
!!
!! Here the axes change their order: the library counts them slowest first and from 0, Fortran fastest first and
!! from 1. Elements of variables with strides are moved without a copy. Not for programs.
module asdfkit_transfer
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_int32_t, c_int64_t, c_int8_t, c_loc, c_null_funptr, &
    c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use asdfkit_c
  use asdfkit_errors, only: last_place
  use asdfkit_memory, only: gather_flags, max_rank, memory_layout, packed_strides, scatter_flags
  use asdfkit_strings, only: is_ascii, longest_string, set_padded_strings, set_string_type, stored_length, &
    to_code_points
  use asdfkit_tree, only: place
  implicit none
  private
  public :: array_region, plan_region, fit_region, read_elements, write_elements, append_elements, set_elements, array_place, &
    load_length, &
    own_options, to_int64

  !> Part of a stored array. Axes are in the order of Fortran; `start` counts from 1.
  type :: array_region
    integer :: rank = 0
    !> true for the whole array in its own order
    logical :: whole = .true.
    !> numbers of the first `rank` axes; without defaults, whose cost would show in small calls
    integer(int64), dimension(ASDF_MAX_RANK) :: extents, start, count, step
  contains
    !> extents of a variable for the region: `count`, without extents of 1 if the rank of the variable asks for it
    procedure :: variable_extents
  end type

contains

  !> Place of an array for messages, such as "image.asdf:11:3, at /data: ".
  function array_place(array) result(place)
    type(c_ptr), intent(in) :: array
    character(:), allocatable :: place
    integer(c_int64_t), parameter :: none(1) = 0
    ! The library names the place of an array only in errors, so an error is provoked: the region has no axes, or the
    ! memory for its element is too small.
    place = ''
    if (asdf_array_read_region(array, 0_c_int32_t, none, none, datatype=ASDF_INT8, options=c_null_ptr, &
                               elements=c_null_ptr, capacity=0_c_size_t, mask_capacity=0_c_size_t) /= ASDF_OK) &
      place = last_place()
  end function

  !> Finds the region that start, count and step name.
  subroutine plan_region(array, rank, variable_shape, start, count, step, region, status, message)
    type(c_ptr), intent(in) :: array
    !> rank and extents of the variable; without extents, the region ends where the array ends
    integer(c_int32_t), intent(in) :: rank
    integer(int64), intent(in), optional :: variable_shape(:)
    !> integers of kind int32 or int64
    class(*), intent(in), optional :: start(:), count(:), step(:)
    type(array_region), intent(out) :: region
    integer(c_int32_t), intent(out) :: status
    !> allocated if the failure was found here
    character(:), allocatable, intent(inout) :: message
    integer(c_int64_t) :: stored(ASDF_MAX_RANK)
    integer(c_int32_t) :: stored_rank
    integer :: axis

    stored_rank = 0
    status = asdf_array_shape(array, stored, ASDF_MAX_RANK, stored_rank)
    if (status /= ASDF_OK) return
    region%rank = int(stored_rank)
    do axis = 1, region%rank
      region%extents(axis) = stored(region%rank + 1 - axis)
      region%start(axis) = 1
      region%count(axis) = region%extents(axis)
      region%step(axis) = 1
    end do
    region%whole = .not. (present(start) .or. present(count) .or. present(step))
    if (region%whole) return

    call take(step, 'step', region%step)
    if (status == ASDF_OK) then
      do axis = 1, region%rank
        if (region%step(axis) < 0) region%start(axis) = region%extents(axis)
      end do
      call take(start, 'start', region%start)
    end if
    if (status /= ASDF_OK) return
    if (present(count)) then
      call take(count, 'count', region%count)
    else if (present(variable_shape)) then
      if (rank /= region%rank) then
        call fail('the array has '//axes(int(region%rank))//', but the variable has '//axes(int(rank))// &
                  ': pass count to say which')
      else
        region%count(:rank) = variable_shape
      end if
    else
      do axis = 1, region%rank
        region%count(axis) = to_the_end(region%extents(axis), region%start(axis), region%step(axis))
      end do
    end if
    if (status == ASDF_OK) call check_inside()

  contains

    ! The library counts axes and elements as the file does, so its message would have other numbers.
    subroutine check_inside()
      do axis = 1, region%rank
        associate (extent => region%extents(axis), first => region%start(axis), length => region%count(axis), &
                   step => region%step(axis))
          if (length < 1 .or. step == 0) cycle
          if (first >= 1 .and. first <= extent .and. length <= to_the_end(extent, first, step)) cycle
          call fail('start '//text_of(first)//', count '//text_of(length)//' and step '//text_of(step)// &
                    ' reach outside of axis '//text_of(int(axis, int64))//', which has '//text_of(extent)//' elements')
        end associate
        status = ASDF_ERR_OUT_OF_RANGE
        return
      end do
    end subroutine

    subroutine take(given, name, numbers)
      class(*), intent(in), optional :: given(:)
      character(*), intent(in) :: name
      integer(int64), intent(inout) :: numbers(:)
      if (.not. present(given)) return
      if (size(given) /= region%rank) then
        call fail(name//' has '//text_of(size(given, kind=int64))//' numbers, but the array has '//axes(int(region%rank)))
        return
      end if
      if (.not. to_int64(given, numbers)) call fail(name//' must have integers of kind int32 or int64')
    end subroutine

    subroutine fail(text)
      character(*), intent(in) :: text
      status = ASDF_ERR_INVALID_ARGUMENT
      message = array_place(array)//text
    end subroutine
  end subroutine

  !> Converts integers of kind int32 or int64; false if they are something else.
  logical function to_int64(given, numbers) result(converted)
    class(*), intent(in) :: given(:)
    integer(int64), intent(inout) :: numbers(:)
    converted = .true.
    ! An empty expression can lack an address.
    if (size(given) == 0) return
    select type (given)
    type is (integer(int32))
      numbers(:size(given)) = given
    type is (integer(int64))
      numbers(:size(given)) = given
    class default
      converted = .false.
    end select
  end function

  !> Number of elements from start on to the end of an axis, in steps.
  pure integer(int64) function to_the_end(extent, start, step) result(count)
    integer(int64), intent(in) :: extent, start, step
    if (step > 0) then
      count = max(0_int64, (extent - start)/step + 1)
    else if (step < 0) then
      count = max(0_int64, (start - 1)/(-step) + 1)
    else
      count = extent
    end if
  end function

  pure function variable_extents(self, rank) result(extents)
    class(array_region), intent(in) :: self
    integer(c_int32_t), intent(in) :: rank
    integer(int64), allocatable :: extents(:)
    if (rank == self%rank .or. self%whole) then
      extents = self%count(:self%rank)
    else
      extents = pack(self%count(:self%rank), self%count(:self%rank) /= 1)
    end if
  end function

  !> Tests whether a variable has the shape of a region, and finds its strides along the axes of the array.
  subroutine fit_region(array, region, layout, strides, status, message)
    type(c_ptr), intent(in) :: array
    type(array_region), intent(in) :: region
    type(memory_layout), intent(in) :: layout
    !> bytes between elements along each axis of the array, in the order of Fortran
    integer(int64), intent(out) :: strides(ASDF_MAX_RANK)
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(int64) :: kept_strides(max_rank), kept_extents(max_rank)
    integer :: axis, number, kept

    status = ASDF_OK
    if (layout%unallocated) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = array_place(array)//'the variable is not allocated'
      return
    end if
    strides(:region%rank) = layout%item_size
    if (layout%rank == region%rank) then
      strides(:region%rank) = layout%strides(:region%rank)
      if (all(layout%extents(:layout%rank) == region%count(:region%rank))) return
    else if (.not. region%whole .or. layout%rank == 0) then
      ! Axes of extent 1 may be missing on either side.
      kept = 0
      do axis = 1, layout%rank
        if (layout%extents(axis) == 1) cycle
        kept = kept + 1
        kept_strides(kept) = layout%strides(axis)
        kept_extents(kept) = layout%extents(axis)
      end do
      number = 0
      do axis = 1, region%rank
        if (region%count(axis) == 1) cycle
        number = number + 1
        if (number > kept) exit
        if (kept_extents(number) /= region%count(axis)) exit
        strides(axis) = kept_strides(number)
      end do
      if (axis > region%rank .and. number == kept) return
    end if
    status = ASDF_ERR_INVALID_ARGUMENT
    if (region%whole) then
      message = array_place(array)//'the array has the shape '//shape_text(region%extents(:region%rank))
    else
      message = array_place(array)//'the region has the shape '//shape_text(region%count(:region%rank))
    end if
    message = message//', but the variable has '//shape_text(layout%extents(:layout%rank))
  end subroutine

  !> Reads a region of an array into a variable.
  subroutine read_elements(array, region, layout, options, mask, status, message)
    type(c_ptr), intent(in) :: array
    type(array_region), intent(in) :: region
    type(memory_layout), intent(in) :: layout
    !> options of the call; null for the defaults
    type(c_ptr), intent(in) :: options
    !> default logicals that get .true. where an element is missing; absent for none
    type(memory_layout), intent(in), optional :: mask
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    type(c_ptr) :: own
    own = c_null_ptr
    call read_with(array, region, layout, options, mask, own, status, message)
    if (c_associated(own)) call asdf_options_free(own)
  end subroutine

  subroutine read_with(array, region, layout, options, mask, own, status, message)
    type(c_ptr), intent(in) :: array
    type(array_region), intent(in) :: region
    type(memory_layout), intent(in) :: layout
    type(c_ptr), intent(in) :: options
    type(memory_layout), intent(in), optional :: mask
    type(c_ptr), intent(inout) :: own
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(c_int8_t), allocatable, target :: bytes(:), missing(:)
    integer(int64) :: strides(ASDF_MAX_RANK), mask_strides(max_rank)
    type(c_ptr) :: address, call_options
    integer(c_size_t) :: capacity

    call fit_region(array, region, layout, strides, status, message)
    if (status == ASDF_OK .and. present(mask)) call check_mask(array, layout, mask, status, message)
    if (status /= ASDF_OK) return
    call_options = options
    if (layout%flags) then
      allocate (bytes(layout%element_count()))
      address = c_null_ptr
      if (size(bytes) > 0) address = c_loc(bytes)
      capacity = size(bytes, kind=c_size_t)
    else
      address = layout%lowest()
      capacity = int(layout%span(), c_size_t)
      if (.not. layout%is_packed()) call set_strides(options, own, strides(:region%rank), call_options, status)
    end if
    if (layout%datatype == ASDF_ASCII) call set_strings(layout, own, call_options, status)
    if (status /= ASDF_OK) return
    if (present(mask)) then
      ! The library gives the mask the strides of the elements.
      if (layout%flags .or. layout%item_size == 0 .or. layout%is_packed()) then
        allocate (missing(layout%element_count()))
        mask_strides = packed_strides(layout%extents, 1_int64)
      else
        allocate (missing((capacity + layout%item_size - 1)/layout%item_size))
        mask_strides = layout%strides/layout%item_size
      end if
      status = read_call(array, region, layout, call_options, address, capacity, missing)
    else
      status = read_call(array, region, layout, call_options, address, capacity)
    end if
    if (status /= ASDF_OK) return
    if (layout%flags) call scatter_flags(bytes, packed_strides(layout%extents, 1_int64), layout)
    if (present(mask)) call scatter_flags(missing, mask_strides, mask)
  end subroutine

  !> Length that strings of a region need. Strings of UCS4 are read for it.
  subroutine load_length(array, region, options, length, status, message)
    type(c_ptr), intent(in) :: array
    type(array_region), intent(in) :: region
    type(c_ptr), intent(in) :: options
    integer(int64), intent(out) :: length
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    type(memory_layout) :: layout, mask
    character(kind=c_char), allocatable, target :: bytes(:)
    logical, allocatable, target :: missing(:)
    logical :: is_exact
    call stored_length(array, length, is_exact, status)
    if (status /= ASDF_OK .or. is_exact) return
    layout%rank = min(region%rank, max_rank)
    layout%extents(:layout%rank) = region%count(:layout%rank)
    allocate (bytes(length*layout%element_count()), missing(layout%element_count()))
    layout%datatype = ASDF_ASCII
    layout%item_size = length
    layout%strides = packed_strides(layout%extents, length)
    mask = layout
    mask%item_size = storage_size(missing)/8
    mask%strides = packed_strides(layout%extents, mask%item_size)
    if (size(bytes) > 0) then
      layout%address = c_loc(bytes)
      mask%address = c_loc(missing)
    end if
    call read_elements(array, region, layout, options, mask, status, message)
    if (status == ASDF_OK) length = longest_string(bytes, layout%item_size)
  end subroutine

  integer(c_int32_t) function read_call(array, region, layout, options, address, capacity, missing) result(status)
    type(c_ptr), intent(in) :: array, options, address
    type(array_region), intent(in) :: region
    type(memory_layout), intent(in) :: layout
    integer(c_size_t), intent(in) :: capacity
    integer(c_int8_t), intent(inout), optional :: missing(:)
    integer(c_int32_t) :: rank
    integer(c_int64_t), dimension(ASDF_MAX_RANK) :: start, count, step
    integer(c_size_t) :: mask_capacity
    mask_capacity = 0
    if (present(missing)) mask_capacity = size(missing, kind=c_size_t)
    if (region%whole) then
      status = asdf_array_read(array, layout%code(), options, address, capacity, missing, mask_capacity)
    else
      call in_c_order(region, rank, start, count, step)
      status = asdf_array_read_region(array, rank, start, count, step, layout%code(), options, address, capacity, &
                                      missing, mask_capacity)
    end if
  end function

  !> Replaces a region of an array in a file that is open for update.
  subroutine write_elements(array, region, layout, options, status, message)
    type(c_ptr), intent(in) :: array
    type(array_region), intent(in) :: region
    type(memory_layout), intent(in) :: layout
    type(c_ptr), intent(in) :: options
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    type(c_ptr) :: own
    own = c_null_ptr
    call write_with(array, region, layout, options, own, status, message)
    if (c_associated(own)) call asdf_options_free(own)
  end subroutine

  subroutine write_with(array, region, layout, options, own, status, message)
    type(c_ptr), intent(in) :: array
    type(array_region), intent(in) :: region
    type(memory_layout), intent(in) :: layout
    type(c_ptr), intent(in) :: options
    type(c_ptr), intent(inout) :: own
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(c_int8_t), allocatable, target :: bytes(:)
    integer(int64) :: strides(ASDF_MAX_RANK)
    integer(c_int32_t) :: rank
    integer(c_int64_t), dimension(ASDF_MAX_RANK) :: start, count, step
    type(c_ptr) :: address, call_options
    integer(c_size_t) :: bytes_size

    call fit_region(array, region, layout, strides, status, message)
    if (status /= ASDF_OK) return
    call_options = options
    call elements_to_write(layout, bytes, address, bytes_size)
    if (.not. layout%flags .and. .not. layout%is_packed()) &
      call set_strides(options, own, strides(:region%rank), call_options, status)
    if (layout%datatype == ASDF_ASCII) call set_strings(layout, own, call_options, status)
    if (status /= ASDF_OK) return
    call in_c_order(region, rank, start, count, step)
    status = asdf_array_write_region(array, rank, start, count, step, layout%code(), address, bytes_size, call_options)
  end subroutine

  !> Adds the elements of a packed variable to an array along its last axis: one step, or several if the variable has
  !! that axis, too.
  subroutine append_elements(array, layout, options, status, message)
    type(c_ptr), intent(in) :: array
    type(memory_layout), intent(in) :: layout
    type(c_ptr), intent(in) :: options
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(c_int8_t), allocatable, target :: bytes(:)
    integer(c_int64_t) :: extents(ASDF_MAX_RANK), steps
    integer(c_int32_t) :: rank
    type(c_ptr) :: own, address, call_options
    integer(c_size_t) :: bytes_size
    logical :: fits
    status = asdf_array_shape(array, extents, int(ASDF_MAX_RANK, c_int32_t), rank)
    if (status /= ASDF_OK) return
    steps = 1
    if (layout%rank == rank .and. rank > 0) steps = layout%extents(rank)
    fits = .not. layout%unallocated .and. (layout%rank == rank .or. layout%rank == rank - 1) .and. rank > 0
    if (fits) fits = all(layout%extents(:rank - 1) == extents(rank:2:-1))
    if (.not. fits) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = array_place(array)//'the variable must have the extents of the array, without the last one or with it'
      return
    end if
    own = c_null_ptr
    call_options = options
    call elements_to_write(layout, bytes, address, bytes_size)
    if (layout%datatype == ASDF_ASCII) call set_strings(layout, own, call_options, status)
    if (status == ASDF_OK) &
      status = asdf_array_append(array, steps, layout%code(), address, bytes_size, call_options)
    if (c_associated(own)) call asdf_options_free(own)
  end subroutine

  !> Sets an array of a tree to the elements of a variable.
  subroutine set_elements(node, path, layout, lent, options, status, message)
    type(c_ptr), intent(in) :: node
    !> path with a final NUL
    character(*), intent(in) :: path
    type(memory_layout), intent(in) :: layout
    !> true if the variable outlives the use of the elements, so that they are not copied
    logical, intent(in) :: lent
    type(c_ptr), intent(in) :: options
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    type(c_ptr) :: own
    own = c_null_ptr
    call set_with(node, path, layout, lent, options, own, status, message)
    if (c_associated(own)) call asdf_options_free(own)
  end subroutine

  subroutine set_with(node, path, layout, lent, options, own, status, message)
    type(c_ptr), intent(in) :: node
    character(*), intent(in) :: path
    type(memory_layout), intent(in) :: layout
    logical, intent(in) :: lent
    type(c_ptr), intent(in) :: options
    type(c_ptr), intent(inout) :: own
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer(c_int8_t), allocatable, target :: bytes(:)
    integer(c_int32_t), allocatable, target :: points(:)
    integer(c_int64_t) :: extents(max_rank), length
    type(c_ptr) :: address, call_options
    integer(c_size_t) :: bytes_size
    integer(c_int32_t) :: rank

    status = ASDF_OK
    if (layout%unallocated) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = place(path(:len(path) - 1))//'the variable is not allocated'
      return
    end if
    if (lent .and. (layout%flags .or. layout%datatype == ASDF_ASCII)) then
      status = ASDF_ERR_INVALID_ARGUMENT
      message = place(path(:len(path) - 1))//'default logicals and strings cannot be lent'
      return
    end if
    rank = int(layout%rank, c_int32_t)
    extents(:rank) = layout%extents(rank:1:-1)
    call_options = options
    if (layout%datatype == ASDF_ASCII) then
      if (.not. is_ascii(layout)) then
        call to_code_points(layout, points, length)
        status = own_options(options, own)
        if (status == ASDF_OK) status = set_string_type(own, ASDF_UCS4, length)
        if (status == ASDF_OK) status = asdf_node_set_array(node, path, 0_c_int32_t, rank, extents, c_loc(points), &
                                                            4*size(points, kind=c_size_t), own)
        return
      end if
    end if
    call elements_to_write(layout, bytes, address, bytes_size)
    if (.not. layout%flags .and. .not. layout%is_packed()) &
      call set_strides(options, own, layout%strides(:layout%rank), call_options, status)
    if (layout%datatype == ASDF_ASCII) call set_strings(layout, own, call_options, status)
    if (status /= ASDF_OK) return
    if (lent) then
      status = asdf_node_set_array_borrowed(node, path, layout%code(), rank, extents, address, bytes_size, &
                                            c_null_funptr, c_null_ptr, call_options)
    else
      status = asdf_node_set_array(node, path, layout%code(), rank, extents, address, bytes_size, call_options)
    end if
  end subroutine

  !> Memory that the library reads: that of the variable, or bytes for default logicals.
  subroutine elements_to_write(layout, bytes, address, bytes_size)
    type(memory_layout), intent(in) :: layout
    integer(c_int8_t), allocatable, target, intent(out) :: bytes(:)
    type(c_ptr), intent(out) :: address
    integer(c_size_t), intent(out) :: bytes_size
    if (layout%flags) then
      allocate (bytes(layout%element_count()))
      call gather_flags(layout, bytes)
      address = c_null_ptr
      if (size(bytes) > 0) address = c_loc(bytes)
      bytes_size = size(bytes, kind=c_size_t)
    else
      address = layout%lowest()
      bytes_size = int(layout%span(), c_size_t)
    end if
  end subroutine

  !> Adds the strides of a variable to the options of a call.
  subroutine set_strides(options, own, strides, call_options, status)
    type(c_ptr), intent(in) :: options
    type(c_ptr), intent(inout) :: own
    !> in the order of Fortran
    integer(int64), intent(in) :: strides(:)
    type(c_ptr), intent(inout) :: call_options
    integer(c_int32_t), intent(inout) :: status
    integer(c_int64_t) :: c_strides(size(strides))
    c_strides = strides(size(strides):1:-1)
    status = own_options(options, own)
    if (status /= ASDF_OK) return
    call_options = own
    status = asdf_options_set_ints(own, ASDF_OPTION_STRIDES, c_strides, size(c_strides, kind=c_int64_t))
  end subroutine

  !> Describes the strings of a variable, which are padded with blanks.
  subroutine set_strings(layout, own, call_options, status)
    type(memory_layout), intent(in) :: layout
    type(c_ptr), intent(inout) :: own, call_options
    integer(c_int32_t), intent(inout) :: status
    if (status == ASDF_OK) status = own_options(call_options, own)
    if (status /= ASDF_OK) return
    call_options = own
    status = set_padded_strings(own, layout%item_size)
  end subroutine

  !> Makes options of this call, with those of the caller, unless it has some already. They are no variable of type
  !! asdf_options: gfortran spends some hundred instructions on the end of life of such a variable, even if it is empty.
  integer(c_int32_t) function own_options(options, own) result(status)
    type(c_ptr), intent(in) :: options
    type(c_ptr), intent(inout) :: own
    status = ASDF_OK
    if (c_associated(own)) return
    if (c_associated(options)) then
      status = asdf_options_copy(options, own)
    else
      status = asdf_options_new(own)
    end if
  end function

  subroutine check_mask(array, layout, mask, status, message)
    type(c_ptr), intent(in) :: array
    type(memory_layout), intent(in) :: layout, mask
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    status = ASDF_OK
    if (layout%rank == mask%rank .and. all(layout%extents == mask%extents) .and. .not. mask%unallocated) return
    status = ASDF_ERR_INVALID_ARGUMENT
    if (mask%unallocated) then
      message = array_place(array)//'the mask is not allocated'
      return
    end if
    message = array_place(array)//'the mask has the shape '//shape_text(mask%extents(:mask%rank))// &
      ', but the variable has '//shape_text(layout%extents(:layout%rank))
  end subroutine

  pure subroutine in_c_order(region, rank, start, count, step)
    type(array_region), intent(in) :: region
    integer(c_int32_t), intent(out) :: rank
    integer(c_int64_t), dimension(ASDF_MAX_RANK), intent(out) :: start, count, step
    rank = int(region%rank, c_int32_t)
    start(:rank) = region%start(rank:1:-1) - 1
    count(:rank) = region%count(rank:1:-1)
    step(:rank) = region%step(rank:1:-1)
  end subroutine

  pure function shape_text(extents) result(text)
    integer(int64), intent(in) :: extents(:)
    character(:), allocatable :: text
    integer :: axis
    text = '('
    do axis = 1, size(extents)
      if (axis > 1) text = text//', '
      text = text//text_of(extents(axis))
    end do
    text = text//')'
  end function

  pure function axes(rank) result(text)
    integer, intent(in) :: rank
    character(:), allocatable :: text
    text = text_of(int(rank, int64))//' axes'
    if (rank == 1) text = '1 axis'
  end function

  pure function text_of(number) result(text)
    integer(int64), intent(in) :: number
    character(:), allocatable :: text
    character(20) :: digits
    write (digits, '(i0)') number
    text = trim(digits)
  end function
end module asdfkit_transfer
