!> World coordinates: pixels to the sky and back, frames; transforms as functions.
!!
!!     type(asdf_wcs) :: wcs
!!     real(real64) :: ra(100), dec(100)
!!     call wcs%load(file, 'roman/meta/wcs')
!!     call wcs%sky(x, y, ra, dec)
!!     call wcs%pixel(ra, dec, x, y)
!!
!! Pixel (0, 0) is the center of the first pixel: the element (i, j) of an image is the pixel (i - 1, j - 1). Points
!! outside of the bounding box give NaN. The objects do not keep the file open. Frames and axes count from 1.
module asdfkit_wcs
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_int32_t, c_int64_t, c_null_char, c_null_ptr, &
    c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use asdfkit_arguments, only: shape_text
  use asdfkit_c
  use asdfkit_constants, only: ASDF_ERR_INVALID_ARGUMENT, ASDF_ERR_NOT_FOUND, ASDF_OK
  use asdfkit_errors, only: conclude, explain, settle
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_owners, only: asdf_buffer_owner, asdf_node_owner, asdf_transform_owner, asdf_wcs_owner
  use asdfkit_texts, only: transform_tag_string, wcs_axis_name_string, wcs_axis_physical_type_string, &
    wcs_axis_type_string, wcs_axis_unit_string, wcs_frame_name_string, wcs_frame_reference_string, &
    wcs_reference_attribute_name_string, wcs_reference_attribute_value_string
  implicit none
  private
  public :: asdf_transform, asdf_wcs

  !> A function of several numbers to several numbers.
  type, extends(asdf_transform_owner) :: asdf_transform
  contains
    procedure :: load => transform_load
    procedure :: input_count => transform_input_count
    procedure :: output_count => transform_output_count
    procedure :: tag => transform_tag
    procedure, private :: transform_value, value_of_number, value_of_list
    !> value(x, stat, errmsg): the result for a number, or an array of them, of a transform of one input to one output
    generic :: value => transform_value, value_of_number, value_of_list
    procedure :: evaluate => transform_evaluate
    procedure :: invert => transform_invert
  end type

  !> World coordinates of an image or a spectrum.
  type, extends(asdf_wcs_owner) :: asdf_wcs
  contains
    procedure :: load => wcs_load
    procedure :: read_cards => wcs_read_cards
    procedure :: make_cards => wcs_make_cards
    procedure, private :: wcs_sky, sky_of_pixel, sky_of_pixels
    procedure, private :: wcs_pixel, pixel_of_point, pixels_of_points
    procedure, private :: wcs_pixel_scale, scale_at_pixel, scale_at_pixels
    !> sky(x, y, longitude, latitude, stat, errmsg)
    generic :: sky => wcs_sky, sky_of_pixel, sky_of_pixels
    !> pixel(longitude, latitude, x, y, stat, errmsg)
    generic :: pixel => wcs_pixel, pixel_of_point, pixels_of_points
    !> pixel_scale(x, y, stat, errmsg)
    generic :: pixel_scale => wcs_pixel_scale, scale_at_pixel, scale_at_pixels
    procedure :: pixel_to_world => wcs_pixel_to_world
    procedure :: world_to_pixel => wcs_world_to_pixel
    procedure :: transform => wcs_transform
    procedure :: frame_count => wcs_frame_count
    procedure :: frame_name => wcs_frame_name
    procedure :: frame_kind => wcs_frame_kind
    procedure :: frame_part => wcs_frame_part
    procedure :: axis_count => wcs_axis_count
    procedure :: axis_name => wcs_axis_name
    procedure :: axis_unit => wcs_axis_unit
    procedure :: axis_type => wcs_axis_type
    procedure :: axis_physical_type => wcs_axis_physical_type
    procedure :: reference => wcs_reference
    procedure :: reference_attribute => wcs_reference_attribute
    procedure :: bounding_box => wcs_bounding_box
    procedure :: footprint => wcs_footprint
    procedure :: orientation => wcs_orientation
  end type

contains

  ! Transforms ---------------------------------------------------------------------------------------------------------

  !> Makes the transform at a path.
  subroutine transform_load(self, place, path, options, stat, errmsg)
    class(asdf_transform), intent(inout) :: self
    !> the file, or a node that the path starts from
    class(asdf_node_owner), intent(in) :: place
    character(*), intent(in) :: path
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = asdf_node_get_transform(place%c_handle(), trim(path)//c_null_char, options_handle(options), handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> The number of inputs.
  integer function transform_input_count(self, stat, errmsg) result(count)
    class(asdf_transform), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found
    integer(c_int32_t) :: status
    found = 0
    status = asdf_transform_input_count(self%c_handle(), found)
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The number of outputs.
  integer function transform_output_count(self, stat, errmsg) result(count)
    class(asdf_transform), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found
    integer(c_int32_t) :: status
    found = 0
    status = asdf_transform_output_count(self%c_handle(), found)
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The full tag.
  function transform_tag(self, stat, errmsg) result(text)
    class(asdf_transform), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = transform_tag_string(self%c_handle(), text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  ! An elemental procedure cannot return the status of an array of points, so value(), sky(), pixel() and pixel_scale() have
  ! forms with `stat` for numbers and for lists.

  !> The result for a number of a transform of one input to one output. A failure stops the program.
  impure elemental function transform_value(self, x) result(y)
    class(asdf_transform), intent(in) :: self
    real(real64), intent(in) :: x
    real(real64) :: y
    real(c_double) :: found(1)
    call settle(asdf_transform_at(self%c_handle(), [x], 1_c_size_t, c_null_ptr, found, 1_c_size_t))
    y = found(1)
  end function

  !> The same with a status; 0 after a failure.
  function value_of_number(self, x, stat, errmsg) result(y)
    class(asdf_transform), intent(in) :: self
    real(real64), intent(in) :: x
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(real64) :: y
    real(c_double) :: found(1)
    integer(c_int32_t) :: status
    found = 0
    status = asdf_transform_at(self%c_handle(), [x], 1_c_size_t, c_null_ptr, found, 1_c_size_t)
    y = found(1)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The same for a list; 0 from the first failure on.
  function value_of_list(self, x, stat, errmsg) result(y)
    class(asdf_transform), intent(in) :: self
    real(real64), intent(in) :: x(:)
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(real64) :: y(size(x))
    real(c_double) :: found(1)
    integer(c_int32_t) :: status
    integer :: i
    status = ASDF_OK
    y = 0
    do i = 1, size(x)
      status = asdf_transform_at(self%c_handle(), x(i:i), 1_c_size_t, c_null_ptr, found, 1_c_size_t)
      if (status /= ASDF_OK) exit
      y(i) = found(1)
    end do
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Evaluates points: the first extent of the arrays is the number of coordinates, the second that of the points.
  subroutine transform_evaluate(self, input, output, options, outside, stat, errmsg)
    class(asdf_transform), intent(in) :: self
    real(real64), intent(in), contiguous :: input(:, :)
    !> gets the results
    real(real64), intent(inout), contiguous :: output(:, :)
    class(asdf_options), intent(in), optional :: options
    !> gets the number of points outside of the bounding box
    integer(int64), intent(out), optional :: outside
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: beyond
    integer(c_int32_t) :: status
    beyond = 0
    status = asdf_transform_evaluate(self%c_handle(), size(input, 2, c_int64_t), input, size(input, kind=c_size_t), &
                                     1_c_int64_t, size(input, 1, c_int64_t), options_handle(options), output, &
                                     size(output, kind=c_size_t), 1_c_int64_t, size(output, 1, c_int64_t), beyond)
    if (present(outside)) outside = beyond
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes the inverse.
  subroutine transform_invert(self, inverse, stat, errmsg)
    class(asdf_transform), intent(in) :: self
    type(asdf_transform), intent(inout) :: inverse
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = asdf_transform_inverse(self%c_handle(), handle)
    call inverse%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  ! World coordinates --------------------------------------------------------------------------------------------------

  !> Makes the world coordinates of the node at a path.
  subroutine wcs_load(self, place, path, options, stat, errmsg)
    class(asdf_wcs), intent(inout) :: self
    !> the file, or a node that the path starts from
    class(asdf_node_owner), intent(in) :: place
    character(*), intent(in) :: path
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = asdf_node_get_wcs(place%c_handle(), trim(path)//c_null_char, options_handle(options), handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes world coordinates of cards of a FITS header: cards of 80 characters in a row, or lines with a card each. The
  !! option `alternate` is the letter of an alternate description.
  subroutine wcs_read_cards(self, cards, options, stat, errmsg)
    class(asdf_wcs), intent(inout) :: self
    character(*), intent(in) :: cards
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = asdf_wcs_read_cards(cards, len(cards, c_size_t), options_handle(options), handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes cards of a FITS header that approximate the image: a tangent plane with polynomials of SIP. The options
  !! `max_error` and `max_inverse_error` are the largest errors in pixels.
  subroutine wcs_make_cards(self, cards, error, inverse_error, options, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    !> cards of 80 characters in a row; the last one is END
    character(:), allocatable, intent(out) :: cards
    !> largest error of a position, and of a pixel, in pixels
    real(real64), intent(out), optional :: error, inverse_error
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(asdf_buffer_owner) :: buffer
    character(kind=c_char), pointer :: bytes(:)
    type(c_ptr) :: handle, address
    real(real64) :: errors(2)
    integer(c_size_t) :: size, i
    integer(c_int32_t) :: status
    errors = 0
    handle = c_null_ptr
    status = asdf_wcs_make_cards(self%c_handle(), options_handle(options), handle, errors(1), errors(2))
    call buffer%adopt(handle)
    size = 0
    if (status == ASDF_OK) status = asdf_buffer_bytes(buffer%c_handle(), address, size)
    allocate (character(size) :: cards)
    if (size > 0) then
      call c_f_pointer(address, bytes, [size])
      do i = 1, size
        cards(i:i) = bytes(i)
      end do
    end if
    if (present(error)) error = errors(1)
    if (present(inverse_error)) inverse_error = errors(2)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Longitude and latitude of a pixel in degrees, also for arrays. A failure stops the program.
  impure elemental subroutine wcs_sky(self, x, y, longitude, latitude)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: x, y
    real(real64), intent(inout) :: longitude, latitude
    call settle(asdf_wcs_sky_at(self%c_handle(), x, y, c_null_ptr, longitude, latitude))
  end subroutine

  !> The same with a status; longitude and latitude are unchanged after a failure.
  subroutine sky_of_pixel(self, x, y, longitude, latitude, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: x, y
    real(real64), intent(inout) :: longitude, latitude
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_wcs_sky_at(self%c_handle(), x, y, c_null_ptr, longitude, latitude)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> The same for lists of one length; the values from the first failure on are unchanged.
  subroutine sky_of_pixels(self, x, y, longitude, latitude, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: x(:), y(:)
    real(real64), intent(inout) :: longitude(:), latitude(:)
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    integer(c_int32_t) :: status
    call evaluate_lists(asdf_wcs_sky_at, self, x, y, longitude, latitude, status, message)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Calls a function of the library with each pair of numbers in two lists.
  subroutine evaluate_lists(point_at, self, a, b, first, second, status, message)
    procedure(asdf_wcs_sky_at) :: point_at
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: a(:), b(:)
    real(real64), intent(inout) :: first(:), second(:)
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    integer :: i
    call compare_lengths(size(a), size(b), size(first), size(second), status, message)
    do i = 1, size(a)
      if (status /= ASDF_OK) exit
      status = point_at(self%c_handle(), a(i), b(i), c_null_ptr, first(i), second(i))
    end do
  end subroutine

  !> Fails if the lists of one call have different lengths.
  subroutine compare_lengths(x, y, first, second, status, message)
    integer, intent(in) :: x, y, first, second
    integer(c_int32_t), intent(out) :: status
    character(:), allocatable, intent(inout) :: message
    status = ASDF_OK
    if (all([y, first, second] == x)) return
    status = ASDF_ERR_INVALID_ARGUMENT
    message = 'the lists of the coordinates have different lengths: '//shape_text(int([x, y, first, second], int64))
  end subroutine

  !> The pixel at a longitude and latitude in degrees, also for arrays. A failure stops the program.
  impure elemental subroutine wcs_pixel(self, longitude, latitude, x, y)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: longitude, latitude
    real(real64), intent(inout) :: x, y
    call settle(asdf_wcs_pixel_at(self%c_handle(), longitude, latitude, c_null_ptr, x, y))
  end subroutine

  !> The same with a status; the pixel is unchanged after a failure.
  subroutine pixel_of_point(self, longitude, latitude, x, y, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: longitude, latitude
    real(real64), intent(inout) :: x, y
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_wcs_pixel_at(self%c_handle(), longitude, latitude, c_null_ptr, x, y)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> The same for lists of one length; the pixels from the first failure on are unchanged.
  subroutine pixels_of_points(self, longitude, latitude, x, y, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: longitude(:), latitude(:)
    real(real64), intent(inout) :: x(:), y(:)
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message
    integer(c_int32_t) :: status
    call evaluate_lists(asdf_wcs_pixel_at, self, longitude, latitude, x, y, status, message)
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine

  !> Computes the world coordinates of pixels: the first extent of the arrays is the number of coordinates, the second
  !! that of the points.
  subroutine wcs_pixel_to_world(self, pixels, world, options, outside, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in), contiguous :: pixels(:, :)
    !> gets the world coordinates
    real(real64), intent(inout), contiguous :: world(:, :)
    class(asdf_options), intent(in), optional :: options
    !> gets the number of pixels outside of the bounding box
    integer(int64), intent(out), optional :: outside
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: beyond
    integer(c_int32_t) :: status
    beyond = 0
    status = asdf_wcs_pixel_to_world(self%c_handle(), size(pixels, 2, c_int64_t), pixels, &
                                     size(pixels, kind=c_size_t), 1_c_int64_t, size(pixels, 1, c_int64_t), &
                                     options_handle(options), world, size(world, kind=c_size_t), 1_c_int64_t, &
                                     size(world, 1, c_int64_t), beyond)
    if (present(outside)) outside = beyond
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Computes the pixels of world coordinates; the extents are those of pixel_to_world().
  subroutine wcs_world_to_pixel(self, world, pixels, options, outside, unconverged, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in), contiguous :: world(:, :)
    !> gets the pixels
    real(real64), intent(inout), contiguous :: pixels(:, :)
    class(asdf_options), intent(in), optional :: options
    !> gets the number of pixels outside of the bounding box
    integer(int64), intent(out), optional :: outside
    !> gets the number of points for which an iteration did not converge, whose pixels are NaN
    integer(int64), intent(out), optional :: unconverged
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: beyond, lost
    integer(c_int32_t) :: status
    beyond = 0
    lost = 0
    status = asdf_wcs_world_to_pixel(self%c_handle(), size(world, 2, c_int64_t), world, size(world, kind=c_size_t), &
                                     1_c_int64_t, size(world, 1, c_int64_t), options_handle(options), pixels, &
                                     size(pixels, kind=c_size_t), 1_c_int64_t, size(pixels, 1, c_int64_t), beyond, lost)
    if (present(outside)) outside = beyond
    if (present(unconverged)) unconverged = lost
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Makes the transform from one frame to another, by their names; by default from the pixels to the world.
  subroutine wcs_transform(self, transform, from, to, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    type(asdf_transform), intent(inout) :: transform
    character(*), intent(in), optional :: from, to
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: first, last
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    if (present(from)) first = trim(from)//c_null_char
    if (present(to)) last = trim(to)//c_null_char
    ! An absent name is an allocatable variable without a value, which stands for an absent argument.
    status = asdf_wcs_transform(self%c_handle(), first, last, handle)
    call transform%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> The number of frames: that of the pixels first, that of the world last.
  integer function wcs_frame_count(self, stat, errmsg) result(count)
    class(asdf_wcs), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found
    integer(c_int32_t) :: status
    found = 0
    status = asdf_wcs_frame_count(self%c_handle(), found)
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of a frame, from 1.
  function wcs_frame_name(self, frame, stat, errmsg) result(text)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = wcs_frame_name_string(self%c_handle(), frame - 1_c_int64_t, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The kind of a frame: an ASDF_FRAME_ constant.
  integer function wcs_frame_kind(self, frame, stat, errmsg) result(kind)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, found
    found = 0
    status = asdf_wcs_frame_kind(self%c_handle(), frame - 1_c_int64_t, found)
    kind = found
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The number of a part of a composite frame as a frame; 0 if there are fewer parts.
  integer function wcs_frame_part(self, frame, index, stat, errmsg) result(part)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame
    !> number of the part in its frame, from 1
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: count, found
    integer(c_int32_t) :: status
    count = 0
    found = -1
    status = asdf_wcs_frame_part_count(self%c_handle(), frame - 1_c_int64_t, count)
    if (status == ASDF_OK .and. index >= 1 .and. index <= count) &
      status = asdf_wcs_frame_part(self%c_handle(), frame - 1_c_int64_t, index - 1_c_int64_t, found)
    part = int(found) + 1
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The number of axes of a frame.
  integer function wcs_axis_count(self, frame, stat, errmsg) result(count)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found
    integer(c_int32_t) :: status
    found = 0
    status = asdf_wcs_frame_axis_count(self%c_handle(), frame - 1_c_int64_t, found)
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of an axis of a frame, both from 1.
  function wcs_axis_name(self, frame, axis, stat, errmsg) result(text)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame, axis
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = wcs_axis_name_string(self%c_handle(), frame - 1_c_int64_t, axis - 1_c_int64_t, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The unit of an axis of a frame; empty for a number without dimension.
  function wcs_axis_unit(self, frame, axis, stat, errmsg) result(text)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame, axis
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = wcs_axis_unit_string(self%c_handle(), frame - 1_c_int64_t, axis - 1_c_int64_t, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The type of an axis of a frame: 'SPATIAL', 'SPECTRAL' or another word.
  function wcs_axis_type(self, frame, axis, stat, errmsg) result(text)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame, axis
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = wcs_axis_type_string(self%c_handle(), frame - 1_c_int64_t, axis - 1_c_int64_t, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The physical type of an axis of a frame, such as 'pos.eq.ra'.
  function wcs_axis_physical_type(self, frame, axis, stat, errmsg) result(text)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame, axis
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = wcs_axis_physical_type_string(self%c_handle(), frame - 1_c_int64_t, axis - 1_c_int64_t, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of the reference frame of a frame, such as 'icrs'; empty without one.
  function wcs_reference(self, frame, stat, errmsg) result(text)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = wcs_frame_reference_string(self%c_handle(), frame - 1_c_int64_t, text)
    if (status == ASDF_ERR_NOT_FOUND) then
      text = ''
      status = ASDF_OK
    end if
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The value of an attribute of the reference frame of a frame, such as 'equinox'; empty without one.
  function wcs_reference_attribute(self, frame, name, stat, errmsg) result(text)
    class(asdf_wcs), intent(in) :: self
    integer, intent(in) :: frame
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text, found
    integer(c_int64_t) :: count, index
    integer(c_int32_t) :: status
    text = ''
    found = ''
    count = 0
    status = asdf_wcs_reference_attribute_count(self%c_handle(), frame - 1_c_int64_t, count)
    do index = 0, count - 1
      if (status == ASDF_OK) &
        status = wcs_reference_attribute_name_string(self%c_handle(), frame - 1_c_int64_t, index, found)
      if (status /= ASDF_OK) exit
      if (found == name) status = wcs_reference_attribute_value_string(self%c_handle(), frame - 1_c_int64_t, index, text)
    end do
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The interval of a pixel axis in the bounding box; infinite ends without one.
  subroutine wcs_bounding_box(self, axis, low, high, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    !> number of the axis, from 1 for the fastest
    integer, intent(in) :: axis
    real(real64), intent(inout) :: low, high
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    status = asdf_wcs_bounding_box(self%c_handle(), axis - 1_c_int64_t, low, high)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> World coordinates of the corners of the image: (low x, low y), (low x, high y), (high x, high y), (high x, low y).
  subroutine wcs_footprint(self, corners, center, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    !> gets a column for each corner
    real(real64), allocatable, intent(inout) :: corners(:, :)
    !> true for the centers of the pixels in the corners
    logical, intent(in), optional :: center
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(c_double), allocatable :: found(:, :)
    integer(c_int64_t) :: count, axes
    integer(c_int32_t) :: status, inside
    inside = 0
    if (present(center)) inside = merge(1_c_int32_t, 0_c_int32_t, center)
    count = 0
    axes = 0
    status = asdf_wcs_footprint(self%c_handle(), inside, capacity=0_c_size_t, count=count, axes=axes)
    if (status == ASDF_OK) then
      allocate (found(axes, count))
      status = asdf_wcs_footprint(self%c_handle(), inside, found, size(found, kind=c_size_t), count, axes)
    end if
    if (status == ASDF_OK) call move_alloc(found, corners)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> The scale of an image of the sky at a pixel in degrees: the square root of the area of the pixel. A failure stops the
  !! program.
  impure elemental function wcs_pixel_scale(self, x, y) result(scale)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: x, y
    real(real64) :: scale
    call settle(asdf_wcs_pixel_scale(self%c_handle(), x, y, scale))
  end function

  !> The same with a status; 0 after a failure.
  function scale_at_pixel(self, x, y, stat, errmsg) result(scale)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: x, y
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(real64) :: scale
    integer(c_int32_t) :: status
    scale = 0
    status = asdf_wcs_pixel_scale(self%c_handle(), x, y, scale)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The same for lists of one length; 0 from the first failure on.
  function scale_at_pixels(self, x, y, stat, errmsg) result(scale)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: x(:), y(:)
    integer, intent(out) :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(real64) :: scale(size(x))
    character(:), allocatable :: message
    integer(c_int32_t) :: status
    integer :: i
    scale = 0
    call compare_lengths(size(x), size(y), size(x), size(y), status, message)
    do i = 1, size(x)
      if (status /= ASDF_OK) exit
      status = asdf_wcs_pixel_scale(self%c_handle(), x(i), y(i), scale(i))
    end do
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end function

  !> The orientation of an image of the sky at a pixel.
  subroutine wcs_orientation(self, x, y, angle, is_mirrored, stat, errmsg)
    class(asdf_wcs), intent(in) :: self
    real(real64), intent(in) :: x, y
    !> gets the position angle of the y axis in degrees, from north through east
    real(real64), intent(inout) :: angle
    !> gets whether east is to the right where north is up
    logical, intent(out), optional :: is_mirrored
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(c_double) :: x_scale, y_scale
    integer(c_int32_t) :: status, mirrored
    mirrored = 0
    status = asdf_wcs_orientation(self%c_handle(), x, y, angle, mirrored, x_scale, y_scale)
    if (present(is_mirrored)) is_mirrored = mirrored /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

end module asdfkit_wcs
