!> Coordinates: positions on the sky, frames, places on Earth and angles, as components with units, and attributes.
!!
!!     type(asdf_coordinates) :: sky
!!     real(real64), allocatable :: ra(:)
!!     call sky%load(file, 'target')
!!     call sky%get('lon', ra, 'deg')
!!
!! A component is found under its name in the frame, such as 'ra', and under its general name: 'lon', 'lat',
!! 'distance', 'x'.
module asdfkit_coordinates
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t, c_loc, c_null_char, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use asdfkit_c
  use asdfkit_constants, only: ASDF_ERR_INVALID_ARGUMENT, ASDF_MAX_RANK, ASDF_OK
  use asdfkit_errors, only: conclude, explain
  use asdfkit_node, only: asdf_node
  use asdfkit_options, only: asdf_options, options_handle
  use asdfkit_owners, only: asdf_coordinates_owner, asdf_node_owner, asdf_table_owner
  use asdfkit_texts, only: coordinates_attribute_name_string, coordinates_component_name_string, &
    coordinates_differential_string, coordinates_frame_string, coordinates_representation_string, &
    coordinates_unit_string
  implicit none
  private
  public :: asdf_coordinates, asdf_set_coordinates

  !> Coordinates of a file or of a column of a table.
  type, extends(asdf_coordinates_owner) :: asdf_coordinates
  contains
    !> load(place, path): reads the coordinates at a path, or those of a logical column of a table
    generic :: load => load_node, load_table
    procedure, private :: load_node => coordinates_load_node
    procedure, private :: load_table => coordinates_load_table
    procedure :: kind => coordinates_kind
    procedure :: frame => coordinates_frame
    procedure :: representation => coordinates_representation
    procedure :: differential => coordinates_differential
    procedure :: count => coordinates_count
    procedure :: shape => coordinates_shape
    procedure :: component_count => coordinates_component_count
    procedure :: component_name => coordinates_component_name
    procedure :: has => coordinates_has
    procedure :: unit => coordinates_unit
    procedure :: get => coordinates_get
    procedure :: attribute_count => coordinates_attribute_count
    procedure :: attribute_name => coordinates_attribute_name
    procedure :: attribute => coordinates_attribute
  end type

contains

  !> Reads the coordinates at a path: astropy's positions on the sky, frames, places on Earth or angles.
  subroutine coordinates_load_node(self, place, path, stat, errmsg)
    class(asdf_coordinates), intent(inout) :: self
    !> the file, or a node that the path starts from
    class(asdf_node_owner), intent(in) :: place
    character(*), intent(in) :: path
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = asdf_node_get_coordinates(place%c_handle(), trim(path)//c_null_char, handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Gets the coordinates of a logical column of a table.
  subroutine coordinates_load_table(self, table, name, stat, errmsg)
    class(asdf_coordinates), intent(inout) :: self
    class(asdf_table_owner), intent(in) :: table
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = asdf_table_get_coordinates(table%c_handle(), trim(name)//c_null_char, handle)
    call self%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> The kind: an ASDF_COORDINATES_KIND_ constant.
  integer function coordinates_kind(self, stat, errmsg) result(kind)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, found
    found = 0
    status = asdf_coordinates_kind(self%c_handle(), found)
    kind = found
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of the frame: 'icrs', 'fk5', 'galactic'; empty without a frame.
  function coordinates_frame(self, stat, errmsg) result(text)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = coordinates_frame_string(self%c_handle(), text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of the representation of positions: 'spherical', 'cartesian'; empty without positions.
  function coordinates_representation(self, stat, errmsg) result(text)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = coordinates_representation_string(self%c_handle(), text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of the representation of velocities: 'sphericalcoslat'; empty without velocities.
  function coordinates_differential(self, stat, errmsg) result(text)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = coordinates_differential_string(self%c_handle(), text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The number of points.
  integer(int64) function coordinates_count(self, stat, errmsg) result(count)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status
    count = 0
    status = asdf_coordinates_count(self%c_handle(), count)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The extents of the points in the order of Fortran; none for a single point.
  function coordinates_shape(self, stat, errmsg) result(extents)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(int64), allocatable :: extents(:)
    integer(c_int64_t) :: found(ASDF_MAX_RANK)
    integer(c_int32_t) :: status, rank
    rank = 0
    status = asdf_coordinates_shape(self%c_handle(), found, ASDF_MAX_RANK, rank)
    extents = found(rank:1:-1)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The number of components.
  integer function coordinates_component_count(self, stat, errmsg) result(count)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found
    integer(c_int32_t) :: status
    found = 0
    status = asdf_coordinates_component_count(self%c_handle(), found)
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of a component in its frame, from 1.
  function coordinates_component_name(self, index, stat, errmsg) result(text)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = coordinates_component_name_string(self%c_handle(), index - 1_c_int64_t, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Whether there is a component of this name.
  logical function coordinates_has(self, name, stat, errmsg) result(has)
    class(asdf_coordinates), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int32_t) :: status, found
    found = 0
    status = asdf_coordinates_has_component(self%c_handle(), trim(name)//c_null_char, found)
    has = found /= 0
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The unit of a component, as the file has it.
  function coordinates_unit(self, name, stat, errmsg) result(text)
    class(asdf_coordinates), intent(in) :: self
    character(*), intent(in) :: name
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = coordinates_unit_string(self%c_handle(), trim(name), text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Reads the numbers of a component, in the order of memory. Missing ones are NaN.
  subroutine coordinates_get(self, name, values, unit, options, stat, errmsg)
    class(asdf_coordinates), intent(in) :: self
    character(*), intent(in) :: name
    !> gets a number for each point; unchanged after a failure
    real(real64), allocatable, intent(inout) :: values(:)
    !> unit to which the numbers are converted; by default that of the component
    character(*), intent(in), optional :: unit
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    real(c_double), allocatable, target :: found(:)
    character(:), allocatable, target :: wanted
    type(c_ptr) :: given
    integer(int64) :: count
    integer(c_int32_t) :: status
    given = options_handle(options)
    count = 0
    status = asdf_coordinates_count(self%c_handle(), count)
    if (status == ASDF_OK) then
      allocate (found(max(count, 1_int64)))
      if (present(unit)) then
        wanted = trim(unit)//c_null_char
        status = asdf_coordinates_read(self%c_handle(), trim(name)//c_null_char, wanted, given, found, &
                                       int(count, c_size_t))
      else
        status = asdf_coordinates_read(self%c_handle(), trim(name)//c_null_char, options=given, values=found, &
                                       capacity=int(count, c_size_t))
      end if
    end if
    if (status == ASDF_OK) values = found(:count)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> The number of attributes.
  integer function coordinates_attribute_count(self, stat, errmsg) result(count)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    integer(c_int64_t) :: found
    integer(c_int32_t) :: status
    found = 0
    status = asdf_coordinates_attribute_count(self%c_handle(), found)
    count = int(found)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> The name of an attribute, from 1: 'equinox', 'obstime', 'location'.
  function coordinates_attribute_name(self, index, stat, errmsg) result(text)
    class(asdf_coordinates), intent(in) :: self
    integer, intent(in) :: index
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: text
    integer(c_int32_t) :: status
    text = ''
    status = coordinates_attribute_name_string(self%c_handle(), index - 1_c_int64_t, text)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end function

  !> Gets the node of an attribute: a time, coordinates, a quantity or text.
  subroutine coordinates_attribute(self, name, node, stat, errmsg)
    class(asdf_coordinates), intent(in) :: self
    character(*), intent(in) :: name
    type(asdf_node), intent(inout) :: node
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    type(c_ptr) :: handle
    integer(c_int32_t) :: status
    handle = c_null_ptr
    status = asdf_coordinates_attribute(self%c_handle(), trim(name)//c_null_char, handle)
    call node%adopt(handle)
    call conclude(status, stat)
    if (present(errmsg)) call explain(status, errmsg)
  end subroutine

  !> Sets positions on the sky as astropy's SkyCoord. Attributes of the frame and velocities are set below the path, such
  !! as `call file%set_time('target/equinox', 'J1975.0')`.
  subroutine asdf_set_coordinates(place, path, longitudes, latitudes, frame, unit, distances, distance_unit, options, &
                                  stat, errmsg)
    !> the file, or a node that the path starts from
    class(asdf_node_owner), intent(in) :: place
    character(*), intent(in) :: path
    real(real64), intent(in) :: longitudes(:), latitudes(:)
    !> name of the frame as astropy has it; by default 'icrs'
    character(*), intent(in), optional :: frame
    !> unit of the angles; by default 'deg'
    character(*), intent(in), optional :: unit
    !> distances and their unit
    real(real64), intent(in), optional :: distances(:)
    character(*), intent(in), optional :: distance_unit
    class(asdf_options), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(:), allocatable, intent(inout), optional :: errmsg
    character(:), allocatable :: message, in_frame, in_unit
    real(c_double), allocatable, target :: angles(:, :), far(:)
    type(c_ptr) :: given
    integer(c_int64_t) :: extents(1)
    integer(c_int32_t) :: status
    given = options_handle(options)
    in_frame = 'icrs'
    if (present(frame)) in_frame = trim(frame)
    in_unit = 'deg'
    if (present(unit)) in_unit = trim(unit)
    extents = size(longitudes)
    status = ASDF_OK
    if (size(latitudes) /= size(longitudes) .or. (present(distances) .neqv. present(distance_unit))) then
      status = ASDF_ERR_INVALID_ARGUMENT
    else if (present(distances)) then
      if (size(distances) /= size(longitudes)) status = ASDF_ERR_INVALID_ARGUMENT
    end if
    if (status /= ASDF_OK) message = 'the numbers of the coordinates differ in number, or distances have no unit'
    if (status == ASDF_OK) then
      allocate (angles(size(longitudes), 2))
      angles(:, 1) = longitudes
      angles(:, 2) = latitudes
      if (present(distances)) then
        allocate (far, source=real(distances, c_double))
        status = asdf_node_set_coordinates(place%c_handle(), trim(path)//c_null_char, in_frame//c_null_char, &
                                           1_c_int32_t, extents, angles(:, 1), angles(:, 2), in_unit//c_null_char, &
                                           far, trim(distance_unit)//c_null_char, given)
      else
        status = asdf_node_set_coordinates(place%c_handle(), trim(path)//c_null_char, in_frame//c_null_char, &
                                           1_c_int32_t, extents, angles(:, 1), angles(:, 2), in_unit//c_null_char, &
                                           options=given)
      end if
    end if
    call conclude(status, stat, message)
    if (present(errmsg)) call explain(status, errmsg, message)
  end subroutine
end module
