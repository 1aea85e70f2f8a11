"""World coordinates: pixels to the sky and back, and transforms of trees as functions.

    >>> with asdfkit.open("r0000101001001001001_0001_wfi01_cal.asdf") as file:
    ...     wcs = file["roman/meta/wcs"]
    >>> ra, dec = wcs(1024.0, 2048.0)
    >>> x, y = wcs.invert(ra, dec)

A `WCS` has the low-level interface of astropy (APE 14), so that tools of astropy take it. `wcs.pixel_to_world(x, y)` gives
a `SkyCoord` if astropy is installed.
"""

from __future__ import annotations

from ctypes import byref, c_char_p, c_double, c_int32, c_int64, c_void_p
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ._converters import astropy_part
from ._library import Buffer, Handle, check, encoded, extents, int32, int64, lib, pointer, text
from ._memory import doubles
from ._options import Options, options_for
from .arrays import set_fill
from .constants import FrameKind, Status
from .errors import AsdfError
from .nodes import Node, Tree, cards_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from ._option_types import EvaluatingTransformsAndWorldCoordinatesOptions as EvaluateOptions
    from ._option_types import FindingPixelsOfWorldCoordinatesOptions as InvertOptions
    from ._option_types import MakingCardsOfFITSHeadersOptions as MakeCardsOptions
    from ._option_types import ReadingCardsOfFITSHeadersOptions as ReadCardsOptions

    Units = str | Sequence[str | None] | None

__all__ = ["WCS", "Axis", "Cards", "Frame", "Transform"]


@dataclass(frozen=True)
class Axis:
    """An axis of a frame. `unit` is "" for a number without dimension."""

    name: str
    unit: str
    type: str
    physical_type: str


@dataclass(frozen=True)
class Frame:
    """A coordinate frame: of pixels, of the world, or of a step between.

    Attributes
    ----------
    name : str
        Name that `WCS.get_transform` takes.
    kind : FrameKind
        Kind, such as CELESTIAL.
    axes : tuple of Axis
        Axes in the order of the coordinates; empty for a name without information.
    axes_order : tuple of int
        Coordinate that each axis is in the native order of the frame: longitude, latitude.
    reference_frame : str or None
        Name of the reference frame, such as "icrs".
    attributes : dict of str
        Attributes of the reference frame as texts, such as {"equinox": "J2000.0"}.
    frames : tuple of Frame
        Parts of a composite frame.
    """

    name: str
    kind: FrameKind
    axes: tuple[Axis, ...]
    axes_order: tuple[int, ...]
    reference_frame: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    frames: tuple[Frame, ...] = ()


@dataclass(frozen=True)
class Cards:
    """Cards of a FITS header that approximate a WCS: `fits.Header.fromstring(cards.text)`.

    Attributes
    ----------
    text : str
        Cards of 80 characters in a row; the last one is END.
    error, inverse_error : float
        Largest distance from the WCS in pixels: of positions on the sky, and of pixels.
    """

    text: str
    error: float
    inverse_error: float


class TransformHandle(Handle):
    """Handle of a transform."""

    __slots__ = ()
    _free = lib.asdf_transform_free


class WcsHandle(Handle):
    """Handle of world coordinates."""

    __slots__ = ()
    _free = lib.asdf_wcs_free


class Transform:
    """A transform of a tree as a function: `Transform(file.node("model"))(x, y)`.

    It is called with one array, or number, for each input, and returns as many as it has outputs: a tuple, or a single
    one. Inputs are broadcast. It does not keep the file open.

    Parameters
    ----------
    node : Node
        Node of the transform.
    strict_labels : bool
        True for errors outside of arrays of labels, where there is no label otherwise.
    """

    def __init__(self, node: Node, *, strict_labels: bool = False) -> None:
        with options_for("asdf_node_get_transform", {"strict_labels": strict_labels or None}) as made:
            self._handle = TransformHandle(pointer(lib.asdf_node_get_transform, node._pointer, b"", made.pointer))

    @classmethod
    def _of(cls, address: int) -> Transform:
        transform = cls.__new__(cls)
        transform._handle = TransformHandle(address)
        return transform

    @property
    def n_inputs(self) -> int:
        """Number of inputs."""
        return int64(lib.asdf_transform_input_count, self._handle._pointer)

    @property
    def n_outputs(self) -> int:
        """Number of outputs."""
        return int64(lib.asdf_transform_output_count, self._handle._pointer)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return tuple(
            text(lib.asdf_transform_input_name, self._handle._pointer, index) for index in range(self.n_inputs)
        )

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        names = range(self.n_outputs)
        return tuple(text(lib.asdf_transform_output_name, self._handle._pointer, index) for index in names)

    @property
    def input_units(self) -> tuple[str | None, ...]:
        """Units of the inputs; None for an input without one."""
        return tuple(self._unit(lib.asdf_transform_input_unit, index) for index in range(self.n_inputs))

    @property
    def output_units(self) -> tuple[str | None, ...]:
        """Units of the outputs; None for an output without one."""
        return tuple(self._unit(lib.asdf_transform_output_unit, index) for index in range(self.n_outputs))

    def _unit(self, function: Any, index: int) -> Any:
        return unless_missing(text, function, self._handle._pointer, index)

    @property
    def tag(self) -> str:
        """Full tag; "" for a transform that is not a node of its own."""
        return text(lib.asdf_transform_tag, self._handle._pointer)

    @property
    def name(self) -> str | None:
        """Name in the file."""
        name: str | None = unless_missing(text, lib.asdf_transform_name, self._handle._pointer)
        return name

    @property
    def parts(self) -> list[tuple[str, str]]:
        """Path and tag of each part that is a node of the file. A part follows its own parts."""
        lines = text(lib.asdf_transform_describe, self._handle._pointer).splitlines()
        return [(path, tag) for path, tag, *_ in (line.split("\t") for line in lines)]

    @property
    def bounding_box(self) -> tuple[tuple[float, float], ...] | None:
        """Interval of each input; None without a bounding box. Inputs without limits have infinite ends."""
        return box_of(lib.asdf_transform_bounding_box, self._handle._pointer, self.n_inputs)

    @property
    def inverse(self) -> Transform:
        """The inverse in the file, or else the analytic one; AsdfError with the status NO_INVERSE if there is none."""
        return Transform._of(pointer(lib.asdf_transform_inverse, self._handle._pointer))

    @property
    def dependence(self) -> NDArray[np.bool_]:
        """Matrix that tells for each output and each input whether the output depends on the input."""
        return matrix_of(lib.asdf_transform_dependence, self._handle._pointer, (self.n_outputs, self.n_inputs))

    def fix(self, values: dict[int, float]) -> Transform:
        """The transform of the other inputs, with constants for some inputs by their numbers."""
        numbers = (c_int64 * len(values))(*values)
        constants = (c_double * len(values))(*values.values())
        return Transform._of(pointer(lib.asdf_transform_fix, self._handle._pointer, numbers, len(values), constants))

    def in_units(self, inputs: Units = None, outputs: Units = None) -> Transform:
        """The same transform for values in other units: one for all inputs, or a list with a unit or None for each."""
        given: list[Any] = []
        for units in (inputs, outputs):
            texts = [units] if units is None or isinstance(units, str) else list(units)
            names = [None if unit is None else encoded(unit, "unit") for unit in texts]
            given += [(c_char_p * len(names))(*names), len(names)]
        return Transform._of(pointer(lib.asdf_transform_in_units, self._handle._pointer, *given))

    def __call__(self, *inputs: Any, with_bounding_box: bool = False, **options: Unpack[EvaluateOptions]) -> Any:
        given: dict[str, Any] = {"bounding_box": with_bounding_box or None, **options}
        address, outputs = self._handle._pointer, self.n_outputs
        return evaluated(lib.asdf_transform_evaluate, address, (self.n_inputs, outputs), inputs, given)

    def __repr__(self) -> str:
        return f"<Transform {', '.join(self.inputs)} -> {', '.join(self.outputs)}>"


class WCS(Tree):
    """World coordinates of an image or a spectrum: `file["roman/meta/wcs"]`, or `WCS(node)`.

    It is a mapping like other nodes, and a function from pixels to the world. Pixel (0, 0) is the center of the first
    pixel; x is the index along the last axis of the array. Evaluation does not need the file to be open. A transform that
    is not known, or not valid, is an error of the calls that need it.

    Parameters
    ----------
    node : Node
        Node of the WCS.
    """

    __slots__ = ("_arity", "_problem", "_wcs")

    def __init__(self, node: Node) -> None:
        super().__init__(pointer(lib.asdf_node_get, node._pointer, b""), node._file)
        self._problem: AsdfError | None = None
        self._wcs: Any = None
        self._arity: tuple[int, int] | None = None
        try:
            self._wcs = WcsHandle(pointer(lib.asdf_node_get_wcs, node._pointer, b"", None))
        except AsdfError as problem:
            # The node can still be looked at.
            self._problem = problem

    @classmethod
    def from_cards(cls, cards: Any, **options: Unpack[ReadCardsOptions]) -> WCS:
        """Makes a WCS of cards of a FITS header. It is an empty mapping: `Tree.set_wcs_cards` writes it to a file.

        Parameters
        ----------
        cards : str, bytes or astropy.io.fits.Header
            Cards of 80 characters in a row, or a card in each line. Others may be among them.
        alternate : str
            Letter of an alternate WCS.
        """
        wcs = cls.__new__(cls)
        Tree.__init__(wcs, pointer(lib.asdf_node_new_mapping), None)
        given = cards_of(cards)
        with options_for("asdf_wcs_read_cards", options) as made:
            wcs._wcs = WcsHandle(pointer(lib.asdf_wcs_read_cards, given, len(given), made.pointer))
        wcs._problem = wcs._arity = None
        return wcs

    @property
    def _handle(self) -> int:
        if self._problem is not None:
            raise self._problem
        address: int = self._wcs._pointer
        return address

    def __reduce__(self) -> Any:
        return WCS, (self.node(),)

    # Evaluation

    def __call__(self, *pixel: Any, with_bounding_box: bool = True, **options: Unpack[EvaluateOptions]) -> Any:
        """Computes the world coordinates of pixels: one array, or number, for each pixel axis.

        Parameters
        ----------
        *pixel : array-like
            Coordinates along each axis, x first. They are broadcast.
        with_bounding_box : bool
            False to evaluate the transforms outside of the bounding box as well, where results are NaN otherwise.
        threads : int
            Number of threads.

        Returns
        -------
        tuple of arrays or floats
            World coordinates in the units of the last frame; a single one without a tuple.
        """
        given: dict[str, Any] = {"bounding_box": None if with_bounding_box else False, **options}
        return evaluated(lib.asdf_wcs_pixel_to_world, self._handle, self._axes(), pixel, given)

    def invert(self, *world: Any, with_bounding_box: bool = True, **options: Unpack[InvertOptions]) -> Any:
        """Computes the pixels of world coordinates.

        Points outside of the bounding box are NaN, and so are those for which an iteration does not converge. The
        arguments are those of a call.
        """
        given: dict[str, Any] = {"bounding_box": None if with_bounding_box else False, **options}
        return evaluated(lib.asdf_wcs_world_to_pixel, self._handle, self._axes()[::-1], world, given, [None])

    def get_transform(self, from_frame: str | None = None, to_frame: str | None = None) -> Transform:
        """The transform from one frame to another, by their names; None for the pixels, and for the world."""
        names = (None if name is None else encoded(name, "name") for name in (from_frame, to_frame))
        return Transform._of(pointer(lib.asdf_wcs_transform, self._handle, *names))

    @property
    def is_inverse_numerical(self) -> bool:
        """True if pixels are found by iteration, because a step has no inverse."""
        return bool(int32(lib.asdf_wcs_is_inverse_numerical, self._handle))

    def to_cards(self, **options: Unpack[MakeCardsOptions]) -> Cards:
        """Makes cards of a FITS header that approximate the WCS of an image: a tangent plane with polynomials of SIP.

        Parameters
        ----------
        max_error, max_inverse_error : float
            Largest errors in pixels, 0.01 by default. An error with the status NO_CONVERGENCE if they are not reached.
        degree, inverse_degree : int
            Degrees of the polynomials; 0 for the smallest ones that reach the errors.
        grid_points : int
            Number of points along each axis.
        """
        error, inverse_error = c_double(), c_double()
        with options_for("asdf_wcs_make_cards", options) as made:
            buffer = c_void_p()
            made.check(
                lib.asdf_wcs_make_cards(self._handle, made.pointer, byref(buffer), byref(error), byref(inverse_error))
            )
        return Cards(Buffer(buffer.value or 0).bytes().decode("ascii"), error.value, inverse_error.value)

    # Frames and the image

    @property
    def frames(self) -> tuple[Frame, ...]:
        """Frames in the order of the steps: that of the pixels first, that of the world last."""
        return tuple(frame_of(self._handle, number) for number in range(int64(lib.asdf_wcs_frame_count, self._handle)))

    @property
    def available_frames(self) -> list[str]:
        """Names of the frames."""
        return [frame.name for frame in self.frames]

    @property
    def bounding_box(self) -> tuple[tuple[float, float], ...] | None:
        """Interval of each pixel axis, x first; None without a bounding box."""
        return box_of(lib.asdf_wcs_bounding_box, self._handle, self.pixel_n_dim)

    def footprint(self, center: bool = False) -> NDArray[np.float64]:
        """World coordinates of the corners of the image, a row for each.

        The corners of an image are (low x, low y), (low x, high y), (high x, high y), (high x, low y).
        """
        count, axes = c_int64(), c_int64()
        check(lib.asdf_wcs_footprint(self._handle, center, None, 0, byref(count), byref(axes)))
        corners = np.empty((count.value, axes.value))
        check(lib.asdf_wcs_footprint(self._handle, center, doubles(corners), corners.size, byref(count), byref(axes)))
        return corners

    @property
    def center(self) -> tuple[float, ...]:
        """Pixel in the middle of the image, x first."""
        pixel = np.empty(self.pixel_n_dim)
        check(lib.asdf_wcs_center(self._handle, doubles(pixel), pixel.size))
        return tuple(pixel.tolist())

    def pixel_scale(self, x: float, y: float) -> float:
        """Scale of an image of the sky at a pixel in degrees: the square root of the area of the pixel."""
        scale = c_double()
        check(lib.asdf_wcs_pixel_scale(self._handle, x, y, byref(scale)))
        return scale.value

    def orientation(self, x: float, y: float) -> tuple[float, bool]:
        """Position angle of the y axis in degrees, from north through east, and whether the image is mirrored."""
        angle, mirrored, x_scale, y_scale = c_double(), c_int32(), c_double(), c_double()
        outputs = (byref(each) for each in (angle, mirrored, x_scale, y_scale))
        check(lib.asdf_wcs_orientation(self._handle, x, y, *outputs))
        return angle.value, bool(mirrored.value)

    # The low-level interface of astropy

    @property
    def pixel_n_dim(self) -> int:
        """Number of pixel axes."""
        return self._axes_or_those_of_frames()[0]

    @property
    def world_n_dim(self) -> int:
        """Number of world coordinates."""
        return self._axes_or_those_of_frames()[1]

    def _axes(self) -> tuple[int, int]:
        """Numbers of pixel axes and world coordinates. Fails if a transform cannot be evaluated."""
        if self._arity is None:
            whole = self.get_transform()
            self._arity = whole.n_inputs, whole.n_outputs
        return self._arity

    def _axes_or_those_of_frames(self) -> tuple[int, int]:
        try:
            return self._axes()
        except AsdfError:
            return len(self.frames[0].axes), len(self.frames[-1].axes)

    @property
    def pixel_shape(self) -> tuple[int, ...] | None:
        """Numbers of pixels along the axes, x first; None if the file does not tell them."""
        shape: tuple[int, ...] | None = unless_missing(extents, lib.asdf_wcs_pixel_shape, self._handle)
        return shape

    @property
    def array_shape(self) -> tuple[int, ...] | None:
        """Shape of the array of the pixels."""
        shape = self.pixel_shape
        return None if shape is None else shape[::-1]

    @property
    def pixel_bounds(self) -> list[tuple[float, float]] | None:
        """Bounding box as a list; None without one."""
        box = self.bounding_box
        return None if box is None else list(box)

    @property
    def pixel_axis_names(self) -> list[str]:
        """Names of the pixel axes."""
        return [axis.name for axis in self.frames[0].axes] or [""] * self.pixel_n_dim

    @property
    def world_axis_names(self) -> list[str]:
        """Names of the world coordinates."""
        return [axis.name for axis in self.frames[-1].axes] or [""] * self.world_n_dim

    @property
    def world_axis_units(self) -> list[str]:
        """Units of the world coordinates."""
        return [axis.unit for axis in self.frames[-1].axes] or [""] * self.world_n_dim

    @property
    def world_axis_physical_types(self) -> list[str | None]:
        """Physical types of the world coordinates, such as "pos.eq.ra"."""
        return [axis.physical_type for axis in self.frames[-1].axes] or [None] * self.world_n_dim

    @property
    def axis_correlation_matrix(self) -> NDArray[np.bool_]:
        """Matrix that tells for each world coordinate and each pixel axis whether the coordinate depends on the axis."""
        return matrix_of(lib.asdf_wcs_axis_correlation, self._handle, (self.world_n_dim, self.pixel_n_dim))

    @property
    def serialized_classes(self) -> bool:
        """False: the classes are no texts."""
        return False

    def pixel_to_world_values(self, *pixel_arrays: Any) -> Any:
        """Like a call."""
        return self(*pixel_arrays)

    def world_to_pixel_values(self, *world_arrays: Any) -> Any:
        """Like `invert`."""
        return self.invert(*world_arrays)

    def array_index_to_world_values(self, *index_arrays: Any) -> Any:
        """World coordinates of array elements: the indices in the order of the array."""
        return self(*index_arrays[::-1])

    def world_to_array_index_values(self, *world_arrays: Any) -> Any:
        """Indices of the array elements that contain points, in the order of the array."""
        pixel = self.invert(*world_arrays)
        rounded = [np.asarray(np.floor(np.asarray(each) + 0.5), dtype=np.int_)[()] for each in tupled(pixel)[::-1]]
        return rounded[0] if len(rounded) == 1 else tuple(rounded)

    @property
    def world_axis_object_components(self) -> Any:
        """Where each world coordinate is in the objects of astropy."""
        return astropy_part("_astropy_wcs").objects(self.frames[-1], self.world_n_dim)[0]

    @property
    def world_axis_object_classes(self) -> Any:
        """Classes of the objects of astropy, and how they are made."""
        return astropy_part("_astropy_wcs").objects(self.frames[-1], self.world_n_dim)[1]

    # The high-level interface of astropy

    def pixel_to_world(self, *pixel_arrays: Any) -> Any:
        """World coordinates as objects of astropy, such as a SkyCoord. Needs astropy."""
        return astropy_part("_astropy_wcs").high_level(self).pixel_to_world(*pixel_arrays)

    def world_to_pixel(self, *world_objects: Any) -> Any:
        """Pixels of objects of astropy, such as a SkyCoord, which is converted to the frame of the WCS. Needs astropy."""
        return astropy_part("_astropy_wcs").high_level(self).world_to_pixel(*world_objects)

    def array_index_to_world(self, *index_arrays: Any) -> Any:
        """Objects of astropy at array elements. Needs astropy."""
        return astropy_part("_astropy_wcs").high_level(self).array_index_to_world(*index_arrays)

    def world_to_array_index(self, *world_objects: Any) -> Any:
        """Indices of the array elements that contain objects of astropy. Needs astropy."""
        return astropy_part("_astropy_wcs").high_level(self).world_to_array_index(*world_objects)

    def _as_mpl_axes(self) -> Any:
        """Makes `matplotlib.pyplot.subplot(projection=wcs)` draw on the sky."""
        return astropy_part("_astropy_wcs").axes_of(self)

    def __repr__(self) -> str:
        if self._problem is not None:
            return f"<WCS that is not valid: {self._problem}>"
        return f"<WCS {' -> '.join(self.available_frames)}>"


def tupled(values: Any) -> tuple[Any, ...]:
    return values if isinstance(values, tuple) else (values,)


def unless_missing(function: Any, *arguments: Any) -> Any:
    """Result of a call; None if it finds nothing."""
    try:
        return function(*arguments)
    except AsdfError as problem:
        if problem.status != Status.NOT_FOUND:
            raise
        return None


def box_of(function: Any, address: int, axes: int) -> tuple[tuple[float, float], ...] | None:
    low, high, has = c_double(), c_double(), c_int32(1)
    box = []
    for axis in range(axes):
        check(function(address, axis, byref(low), byref(high), byref(has)))
        box.append((low.value, high.value))
    return tuple(box) if has.value else None


def matrix_of(function: Any, address: int, shape: tuple[int, int]) -> NDArray[np.bool_]:
    matrix = np.zeros(shape, dtype=np.uint8)
    check(function(address, matrix.ctypes.data, matrix.size))
    return matrix.astype(bool)


def frame_of(wcs: int, number: int) -> Frame:
    axes = [
        Axis(*(text(function, wcs, number, axis) for function in AXIS_TEXTS))
        for axis in range(int64(lib.asdf_wcs_frame_axis_count, wcs, number))
    ]
    reference = unless_missing(text, lib.asdf_wcs_frame_reference, wcs, number)
    attributes = {}
    if reference is not None:
        for index in range(int64(lib.asdf_wcs_reference_attribute_count, wcs, number)):
            name = text(lib.asdf_wcs_reference_attribute_name, wcs, number, index)
            attributes[name] = text(lib.asdf_wcs_reference_attribute_value, wcs, number, index)
    parts = range(int64(lib.asdf_wcs_frame_part_count, wcs, number))
    return Frame(
        text(lib.asdf_wcs_frame_name, wcs, number),
        FrameKind(int32(lib.asdf_wcs_frame_kind, wcs, number)),
        tuple(axes),
        extents(lib.asdf_wcs_frame_axes_order, wcs, number),
        reference,
        attributes,
        tuple(frame_of(wcs, int64(lib.asdf_wcs_frame_part, wcs, number, index)) for index in parts),
    )


AXIS_TEXTS = (
    lib.asdf_wcs_axis_name,
    lib.asdf_wcs_axis_unit,
    lib.asdf_wcs_axis_type,
    lib.asdf_wcs_axis_physical_type,
)


def evaluated(
    function: Any,
    address: int,
    axes: tuple[int, int],
    inputs: tuple[Any, ...],
    given: dict[str, Any],
    more: list[Any] | None = None,
) -> Any:
    """Results of a function of points for inputs that are broadcast: a tuple of arrays or floats, or a single one."""
    n_inputs, n_outputs = axes
    if len(inputs) != n_inputs:
        raise TypeError(f"expected {n_inputs} coordinates, got {len(inputs)}")
    arrays = np.broadcast_arrays(*inputs)
    shape = arrays[0].shape if arrays else ()
    memory = np.empty((max(axes), *shape))
    for axis, array in enumerate(arrays):
        memory[axis, ...] = array
    count = memory[0].size
    fill = given.pop("fill", None)
    with options_for(function.__name__, given) as options:
        if fill is not None:
            set_fill(options, fill)
        place = doubles(memory), memory.size, count, 1
        call(function, options, (address, count, *place, options.pointer, *place, None, *(more or ())))
    results = tuple(memory[axis][()] for axis in range(n_outputs))
    return results[0] if n_outputs == 1 else results


def call(function: Any, options: Options, arguments: tuple[Any, ...]) -> None:
    options.check(function(*arguments))


def read(node: Node, tag: str) -> WCS:
    """The WCS of a node, for `file["meta/wcs"]`."""
    return WCS(node)
