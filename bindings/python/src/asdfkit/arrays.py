"""Arrays of a file: shape and dtype without reading, elements by indexing, regions that are written in place."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from ctypes import byref, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _array_display, _datatypes
from ._casting import fitting, fitting_fill, fitting_numbers
from ._chunks import slab
from ._foreign import elements_only
from ._functions import OPTIONS
from ._library import Buffer, Handle, check, encoded, extents, int32, int64, int64s, lib, pointer, text
from ._memory import place
from ._options import Options, constant, options_for
from ._reductions import Reductions
from ._regions import Region, region_of
from ._selection import Selection, is_fancy
from .blocks import Block
from .constants import ByteOrder, Status
from .errors import ArrayError, NotFoundError, UsageError

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray
    from typing_extensions import Unpack

    from ._option_types import WritingRegionsOptions as WriteOptions
    from .nodes import Node


class Array(Reductions, Handle):
    """An array of a file. Shape and dtype are known without reading; indexing reads elements.

    `array[2:8, ::-1]` reads a region; its cost depends on the size of the region, not of the array. Every index of NumPy
    is possible: integers, slices with any step, `...`, `numpy.newaxis`, lists, arrays of integers, and masks, such as
    `array[array[...] > 3]`. Elements of a list that are close to each other are read as one region. `array["name"]` is a
    field of an array of records.

    The result is a `numpy.ndarray` in native byte order, or a `numpy.ma.MaskedArray` if the array has a mask.

    `min`, `max`, `sum` and `mean` read the array piece by piece; `T`, `astype` and `tolist` read the whole array.

    Attributes
    ----------
    shape : tuple of int
        Extents, slowest axis first.
    dtype : numpy.dtype
        Datatype of the elements in memory, in native byte order.
    ndim, size, itemsize, nbytes : int
        Number of axes and of elements, and bytes of an element and of all in memory.
    """

    __slots__ = ("_dtype", "_fields", "_is_unmasked", "_node", "_shape")
    _free = lib.asdf_array_free

    def __init__(self, address: int, node: Node, fields: tuple[str, ...] = (), is_unmasked: bool = False) -> None:
        super().__init__(address)
        self._node = node
        self._fields = fields
        self._is_unmasked = is_unmasked
        self._shape: tuple[int, ...] | None = None
        self._dtype: np.dtype[Any] | None = None

    # Description ------------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        if self._shape is None:
            self._shape = extents(lib.asdf_array_shape, self._pointer)
        return self._shape

    @property
    def chunk_shape(self) -> tuple[int, ...] | None:
        """Shape of the stored chunks; None if the array is not chunked."""
        try:
            return extents(lib.asdf_array_chunk_shape, self._pointer)
        except NotFoundError:
            return None

    @property
    def chunks(self) -> tuple[int, ...]:
        """Shape of the parts in which the array is best read, for Dask: the stored chunks, or rows of about 16 MiB."""
        return self.chunk_shape or slab(self.shape, self.dtype.itemsize)

    @property
    def maxshape(self) -> tuple[int | None, ...]:
        """Largest extents of the array, as h5py has them: None for those that `resize` changes without a copy."""
        return self.shape if self.chunk_shape is None else (None,) * self.ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        if self._dtype is None:
            self._dtype = self._datatype().dtype
        return self._dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int64(lib.asdf_array_element_count, self._pointer)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def path(self) -> str:
        """Path of the array in its file."""
        return self._node.path

    @property
    def tag(self) -> str | None:
        """Tag of the node."""
        return self._node.tag

    @property
    def has_mask(self) -> bool:
        """True if the array can have missing elements."""
        return bool(int32(lib.asdf_array_has_mask, self._pointer))

    @property
    def byte_order(self) -> ByteOrder:
        """Stored byte order."""
        return ByteOrder(int32(lib.asdf_array_byte_order, self._pointer))

    @property
    def unit(self) -> str | None:
        """Unit as it is spelled: of the quantity, the column or another mapping whose value the array is; None without."""
        try:
            return text(lib.asdf_array_unit, self._pointer)
        except NotFoundError:
            return None

    @property
    def is_inline(self) -> bool:
        """True if the elements are text in the tree."""
        return bool(int32(lib.asdf_array_is_inline, self._pointer))

    @property
    def block(self) -> int:
        """Number of the block with the elements; negative numbers count from the last block."""
        return int64(lib.asdf_array_block, self._pointer)

    @property
    def compression(self) -> str | None:
        """Compression of the elements, such as "zlib"; None without, and for elements that are no block of the file."""
        try:
            return Block(self._node._file, self.block).compression
        except NotFoundError:
            return None

    @property
    def datatype_name(self) -> str:
        """Stored datatype, such as "float32", "[ascii, 8]" or "[x: int16, y: float64]"."""
        return text(lib.asdf_array_datatype_name, self._pointer)

    def __repr__(self) -> str:
        try:
            return f"<asdfkit.Array {self.shape} {self.datatype_name}>"
        except Exception as problem:
            return f"<asdfkit.Array: {problem}>"

    def _repr_html_(self) -> str:
        return _array_display.as_html(self)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self[...]) if self.shape else iter(self[()])

    def __contains__(self, value: object) -> bool:
        found = self[...] == value
        return bool(np.ma.filled(found, False).any()) if isinstance(found, np.ndarray) else bool(found)

    def __bool__(self) -> bool:
        return bool(self[...])

    def _datatype(self) -> _datatypes.Datatype:
        return _datatypes.Datatype(pointer(lib.asdf_array_datatype_handle, self._pointer))

    def field(self, name: str) -> Array:
        """Field of an array of records, as an array whose last axes are those of the field."""
        address = pointer(lib.asdf_array_field, self._pointer, encoded(name, "name of a field"))
        return Array(address, self._node, (*self._fields, name), self._is_unmasked)

    def without_mask(self) -> Array:
        """The same array without its mask."""
        return Array(pointer(lib.asdf_array_without_mask, self._pointer), self._node, self._fields, True)

    @property
    def _is_whole(self) -> bool:
        """True if this is all that the node describes."""
        return not self._fields and not self._is_unmasked

    # Reading ----------------------------------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            return self.field(index)
        if isinstance(index, list) and index and all(isinstance(name, str) for name in index):
            return self.read()[index]
        return self.read(index)

    def read(
        self,
        index: Any = ...,
        *,
        dtype: DTypeLike | None = None,
        out: NDArray[Any] | None = None,
        fill: Any = None,
        **options: Any,
    ) -> Any:
        """Reads elements into memory.

        Parameters
        ----------
        index : index of NumPy
            Region to read; the whole array by default.
        dtype : dtype
            Datatype to convert the elements to. An element that does not fit is an `ArrayError`, or is clamped with
            `clamp=True`.
        out : numpy.ndarray
            Memory for the elements, in native byte order, with the shape of the result and any strides that do not
            overlap. A `numpy.ma.MaskedArray` also gets the mask.
        fill : scalar
            Value for missing elements; the result is then no masked array.
        unit : str
            Unit to read a quantity or a column in. Integers then become float64 by default.
        equivalencies : str
            Names of conversions of astropy that are allowed, such as "spectral", separated by commas.
        threads : int
            Number of threads of the call.
        progress : bool or callable
            True for a progress bar (tqdm), or a callable that gets the done and the total bytes.

        Returns
        -------
        numpy.ndarray, numpy.ma.MaskedArray or scalar
            Elements in native byte order. A masked array if the array has a mask and there is no fill value.
        """
        if dtype is None and out is None and options.get("unit") is not None:
            dtype = _datatypes.in_unit(self.dtype)
        if is_fancy(index):
            return self._read_selection(Selection(index, self.shape), dtype, out, fill, options)
        region = region_of(index, self.shape)
        if out is None:
            memory = np.empty(region.count, self._requested(dtype))
        else:
            # New axes and single indices change no element, so the same memory has the shape of the region.
            memory = with_shape(self._output(out, dtype, region.shape), region.count)
        is_masked = fill is None and self.has_mask and (out is None or isinstance(out, np.ma.MaskedArray))
        mask = np.zeros(memory.shape, np.uint8) if is_masked else None
        self._read(region, memory, mask, fill, options)
        if out is not None:
            return masked_output(out, mask)
        result: Any = memory.reshape(region.shape)
        if mask is not None:
            result = np.ma.MaskedArray(result, whole_mask(result.dtype, mask.reshape(result.shape)))
        return result[()] if region.is_scalar else result

    def _read_selection(
        self, selection: Selection, dtype: DTypeLike | None, out: NDArray[Any] | None, fill: Any, options: Any
    ) -> Any:
        """Elements of an index with lists."""
        wanted = self._requested(dtype if out is None else out.dtype)
        masks: list[NDArray[Any]] | None = None
        if fill is None and self.has_mask and (out is None or isinstance(out, np.ma.MaskedArray)):
            masks = []

        def read(region: Region) -> NDArray[Any]:
            memory = np.empty(region.count, wanted)
            mask = None if masks is None else np.zeros(region.count, np.uint8)
            self._read(region, memory, mask, fill, options)
            if masks is not None and mask is not None:
                masks.append(mask)
            return memory

        elements = selection.read(read, wanted)
        mask = None if masks is None else selection.read(lambda region: masks.pop(0), np.uint8)
        if out is not None:
            self._output(out, dtype, selection.shape)[...] = elements
            return masked_output(out, mask)
        return elements if mask is None else np.ma.MaskedArray(elements, whole_mask(elements.dtype, mask))

    def _requested(self, dtype: DTypeLike | None) -> np.dtype[Any]:
        if dtype is None:
            return self.dtype
        wanted = np.dtype(dtype)
        if wanted.kind in "SU" and wanted.itemsize == 0 and self.dtype.kind in "SU":
            length = self.dtype.itemsize // (4 if self.dtype.kind == "U" else 1)
            wanted = np.dtype(f"{wanted.kind}{length}")
        if wanted != _datatypes.native(wanted):
            raise TypeError(f"elements are read packed and in native byte order, not as {wanted}")
        return wanted

    def _output(self, out: NDArray[Any], dtype: DTypeLike | None, shape: tuple[int, ...]) -> NDArray[Any]:
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out must be a numpy.ndarray, not {type(out).__name__}")
        if out.shape != shape:
            raise ValueError(f"out has the shape {out.shape}; the elements have {shape}")
        if dtype is not None and np.dtype(dtype) != out.dtype:
            raise TypeError(f"out has the dtype {out.dtype}, not {np.dtype(dtype)}")
        self._requested(out.dtype)
        memory = np.asarray(out)
        if not memory.flags.writeable:
            raise ValueError("out is read-only")
        return memory

    def _read(self, region: Region, memory: NDArray[Any], mask: Any, fill: Any, given: dict[str, Any]) -> None:
        for name in ("order", "strides"):
            if given.get(name) is not None:
                raise TypeError(f"the option {name!r} follows from `out`")
        with options_for("asdf_array_read_region", given, memory.nbytes) as options:
            first, size = place(memory, options)
            if mask is not None and options.pointer and not memory.flags.c_contiguous:
                # The mask would need the strides of the elements, so it is read on its own.
                self._mask_into(region, mask)
                plain = self.without_mask()
                plain._read(region, memory, None, None, given)
                return
            if fill is not None:
                set_fill(options, fill)
            # The stored datatype also serves records whose fields have no names.
            code = 0 if memory.dtype == self.dtype else _datatypes.code_for(memory.dtype, options)
            options.check(
                lib.asdf_array_read_region(
                    self._pointer,
                    len(region.count),
                    int64s(region.start),
                    int64s(region.count),
                    int64s(region.step),
                    code,
                    options.pointer,
                    first,
                    size,
                    mask.ctypes.data if mask is not None else None,
                    mask.nbytes if mask is not None else 0,
                )
            )

    def to_dask(self, chunks: Any = None, **options: Any) -> Any:
        """The array as one of Dask, which reads its parts when it computes, also in other processes.

        `chunks` are those of Dask; by default `Array.chunks`. The options are those of `dask.array.from_array`. An array
        with a mask has blocks that are masked arrays, which `dask.array.from_array(array)` would lose.
        """
        import dask.array

        from_array: Any = dask.array.from_array  # has no types
        if self.has_mask:
            options = {"asarray": False, "meta": np.ma.MaskedArray(np.empty((0,) * self.ndim, self.dtype)), **options}
        return from_array(self, self.chunks if chunks is None else chunks, **options)

    def mask(self, index: Any = ...) -> NDArray[np.bool_]:
        """Reads the mask: True where an element is missing."""
        if is_fancy(index):
            return Selection(index, self.shape).read(self._mask_of, np.uint8).astype(bool)
        region = region_of(index, self.shape)
        return self._mask_of(region).astype(bool).reshape(region.shape)

    def _mask_of(self, region: Region) -> NDArray[np.uint8]:
        mask = np.zeros(region.count, np.uint8)
        self._mask_into(region, mask)
        return mask

    def _mask_into(self, region: Region, mask: NDArray[np.uint8]) -> None:
        rank, start, count, step = len(region.count), region.start, region.count, region.step
        check(
            lib.asdf_array_read_mask_region(
                self._pointer, rank, int64s(start), int64s(count), int64s(step), None, mask.ctypes.data, mask.nbytes
            )
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Elements for NumPy. Fails with ArrayError if the array has a mask: read it with `[...]` or with `fill`."""
        if copy is False:
            try:
                view = self.view()
            except ArrayError as problem:
                raise ValueError(f"a copy is needed: {problem}") from problem
            if dtype is not None and view.dtype != np.dtype(dtype):
                raise ValueError(f"a copy is needed to convert {view.dtype} to {np.dtype(dtype)}")
            return view
        memory = np.empty(self.shape, self._requested(None if dtype is None else np.dtype(dtype).newbyteorder("=")))
        self._read(region_of(..., self.shape), memory, None, None, {})
        return memory if dtype is None else memory.astype(dtype, copy=False)

    def view(self, **options: Any) -> NDArray[Any]:
        """Elements where they are stored, without a copy: a read-only array that stays valid when the file is closed.

        The dtype has the stored byte order. Fails with `ArrayError` if the elements are compressed, masked, or text in
        the tree.
        """
        with options_for("asdf_array_view_stored", options) as made:
            address = c_void_p()
            made.check(lib.asdf_array_view_stored(self._pointer, made.pointer, byref(address)))
        return View(address.value or 0).array(self._datatype().stored(self.byte_order))

    def load_text(self) -> list[str | None]:
        """Reads an array of strings as a flat list of str, None where an element is missing."""
        buffers = [c_void_p(), c_void_p(), c_void_p()]
        check(lib.asdf_array_load_text(self._pointer, None, *map(byref, buffers)))
        data, offsets, mask = (Buffer(buffer.value or 0).bytes() for buffer in buffers)
        ends = np.frombuffer(offsets, np.int64)
        texts = [data[ends[index] : ends[index + 1]].decode() for index in range(len(ends) - 1)]
        return [None if missing else string for string, missing in zip(texts, mask)]

    def prefetch(self, index: Any = ...) -> None:
        """Asks the system to load the bytes of a region in the background. It is a hint."""
        if is_fancy(index):
            return
        region = region_of(index, self.shape)
        rank, start, count, step = len(region.count), region.start, region.count, region.step
        check(lib.asdf_array_prefetch(self._pointer, rank, int64s(start), int64s(count), int64s(step)))

    # Changing ---------------------------------------------------------------------------------------------------------

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, str):
            self.field(index)[...] = value
        else:
            self.write(index, value)

    def write(self, index: Any, value: Any, **options: Unpack[WriteOptions]) -> None:
        """Overwrites elements of a file that was opened for update; the cost depends on the size of the region.

        The elements are on disk at once, and final after `File.save`. Closing the file without saving restores the old
        elements. `value` is broadcast to the shape of the region, and converted as in `read`. With lists or masks in the
        index, elements between the chosen ones are read and written, too.

        Elements that are compressed or text in the tree, or in a file in memory, cannot be overwritten there. The whole
        array is then read, changed, and written by `File.save` or `File.to_bytes`, in the same form.
        """
        if is_fancy(index):
            selection = Selection(index, self.shape)
            elements = fitting_numbers(self._broadcast(value, selection.shape), self.dtype)
            plain = self.without_mask() if self.has_mask else self
            selection.write(elements, plain._elements, lambda part, values: self._write(part, values, options))
        else:
            region = region_of(index, self.shape)
            elements = self._broadcast(value, region.shape)
            elements = with_shape(elements.astype(_datatypes.native(elements.dtype), copy=False), region.count)
            self._write(region, elements, options)

    def _broadcast(self, value: Any, shape: tuple[int, ...]) -> NDArray[Any]:
        """Elements to write, for each place of this shape."""
        if self.dtype.names and isinstance(value, (tuple, list)):
            value = records_of(value, self.dtype)
        elements = elements_only(value)
        if elements.dtype.kind in "SU" and self.dtype.kind in "SU":
            elements = fitting(elements, self.dtype)
        while elements.ndim > len(shape) > 0 and elements.shape[0] == 1:
            elements = elements[0, ...]
        return np.broadcast_to(elements, shape)

    def _elements(self, region: Region) -> NDArray[Any]:
        memory = np.empty(region.count, self.dtype)
        self._read(region, memory, None, None, {})
        return memory

    def _write(self, region: Region, elements: NDArray[Any], options: Any) -> None:
        try:
            self._write_region(region, elements, options)
        except UsageError as problem:
            is_in_memory = not text(lib.asdf_file_name, self._node._file._pointer)
            can_load = self.is_inline or self.compression is not None or is_in_memory
            if problem.status != Status.UNSUPPORTED or not can_load or self._node_array().has_mask:
                raise
            self._load_for_writing()
            self._write_region(region, elements, options)

    def _node_array(self) -> Array:
        """The whole array of the node."""
        return self._node.array()

    def _load_for_writing(self) -> None:
        """Sets the array of the node again, with the same elements, so that they are in memory and can be changed."""
        whole = self._node_array()
        elements = whole.read()
        given = {"byte_order": whole.byte_order, "compression": whole.compression}
        with options_for("asdf_node_set_array", given, elements.nbytes) as made:
            code = _datatypes.code_for(elements.dtype, made)
            memory = code, elements.ndim, int64s(elements.shape), *place(elements, made)
            with self._node._changing():
                made.check(lib.asdf_node_set_array(self._node._pointer, b"", *memory, made.pointer))
        self._renew()

    def _write_region(self, region: Region, elements: NDArray[Any], options: Any) -> None:
        with options_for("asdf_array_write_region", options, elements.nbytes) as made:
            first, size = place(elements, made)
            code = _datatypes.code_for(elements.dtype, made)
            made.check(
                lib.asdf_array_write_region(
                    self._pointer,
                    len(region.count),
                    int64s(region.start),
                    int64s(region.count),
                    int64s(region.step),
                    code,
                    first,
                    size,
                    made.pointer,
                )
            )

    def append(self, rows: Any, **options: Any) -> None:
        """Adds rows after the last ones. They are on the disk after `file.save()`. Needs a file opened for update.

        `rows` has the shape of the array but for its first extent; one row may lack that extent.
        """
        if self.dtype.names and isinstance(rows, (tuple, list)):
            rows = records_of(rows, self.dtype)
        elements = elements_only(rows)
        if elements.ndim == len(self.shape) - 1:
            elements = elements[np.newaxis]
        if elements.shape[1:] != tuple(self.shape[1:]) or elements.ndim != len(self.shape):
            raise ValueError(f"rows of the shape {elements.shape} do not fit an array of the shape {self.shape}")
        with options_for("asdf_array_append", options, elements.nbytes) as made:
            first, size = place(elements, made)
            code = _datatypes.code_for(elements.dtype, made)
            made.check(lib.asdf_array_append(self._pointer, len(elements), code, first, size, made.pointer))
        self._renew()

    def resize(self, shape: Sequence[int] | int, fill: Any = 0, axis: int | None = None, **options: Any) -> None:
        """Changes the shape, or with `axis` the extent of one dimension. Needs a file opened for update.

        Elements keep their indices; new ones get the fill value. A chunked array has a fill value of its own.
        """
        if axis is not None:
            number = operator.index(axis)
            if not -self.ndim <= number < self.ndim:
                raise IndexError(f"the array has no axis {number}: it has {self.ndim} dimensions")
            extents_ = list(self.shape)
            extents_[number] = operator.index(cast("int", shape))
            shape = extents_
        elif not isinstance(shape, Sequence):
            shape = (operator.index(shape),)
        element = None if isinstance(fill, int) and fill == 0 else fitting_fill(elements_only(fill), self.dtype)
        node, numbers = self._node, int64s(shape)
        with options_for("asdf_node_resize_array", options) as made:
            data, size = (None, 0) if element is None else (element.ctypes.data, element.dtype.itemsize)
            arguments = (len(numbers), numbers, data, size, made.pointer)
            with node._changing():
                made.check(lib.asdf_node_resize_array(node._pointer, b"", *arguments))
        self._renew()

    def recompress(self, compression: str = "", **options: Any) -> None:
        """Changes the compression of the elements: "zlib", "lz4" and so on; "" for none."""
        with options_for("asdf_node_recompress_array", {"compression": compression, **options}) as made:
            made.check(lib.asdf_node_recompress_array(self._node._pointer, b"", made.pointer))
        self._renew()

    def set_storage(self, storage: Any, **options: Any) -> None:
        """Moves the elements: "internal", "inline", "external" or "streamed"."""
        from .constants import Storage

        number = constant("the storage", Storage, storage)
        with options_for("asdf_node_set_storage", options) as made:
            made.check(lib.asdf_node_set_storage(self._node._pointer, b"", number, made.pointer))
        self._renew()

    def _renew(self) -> None:
        """Takes the array of the node again, after its description has changed."""
        address = pointer(lib.asdf_node_get_array, self._node._pointer, b"")
        for name in self._fields:
            outer = Array(address, self._node)
            address = pointer(lib.asdf_array_field, outer._pointer, encoded(name))
        if self._is_unmasked:
            masked = Array(address, self._node)
            address = pointer(lib.asdf_array_without_mask, masked._pointer)
        old = Array(self._pointer, self._node)
        self._pointer, self._shape, self._dtype = address, None, None
        del old

    # Pickles ----------------------------------------------------------------------------------------------------------

    def __reduce__(self) -> Any:
        return reopened_array, (self._node, self._fields, self._is_unmasked)


def reopened_array(node: Node, fields: tuple[str, ...], is_unmasked: bool) -> Array:
    array = node.array()
    for name in fields:
        array = array.field(name)
    return array.without_mask() if is_unmasked else array


class View(Handle):
    """Stored elements of an array, whose addresses are valid as long as the view."""

    __slots__ = ()
    _free = lib.asdf_view_free

    def array(self, dtype: np.dtype[Any]) -> NDArray[Any]:
        address, size, first = c_void_p(), c_size_t(), c_void_p()
        check(lib.asdf_view_bytes(self._pointer, byref(address), byref(size)))
        check(lib.asdf_view_first_element(self._pointer, byref(first)))
        shape = extents(lib.asdf_view_shape, self._pointer)
        strides = extents(lib.asdf_view_strides, self._pointer)
        if not size.value or not address.value:
            result = np.empty(shape, dtype)
            result.flags.writeable = False
            return result
        offset = (first.value or 0) - address.value
        return np.ndarray(shape, dtype, np.asarray(Memory(self, address.value, size.value)), offset, strides)


class Memory:
    """Bytes of a view, which NumPy takes as read-only for good: no array on them can be made writable."""

    def __init__(self, view: View, address: int, size: int) -> None:
        self.view = view
        self.__array_interface__ = {"version": 3, "typestr": "|u1", "shape": (size,), "data": (address, True)}


def records_of(values: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Records of a tuple, or of a list of tuples, as NumPy takes them."""
    rows = [row for row in (values, *values) if isinstance(row, (tuple, list))]
    if any(item is np.ma.masked for row in rows for item in row):
        raise ValueError("ASDF masks whole records, and no field of them")
    return np.array(values, dtype)


def with_shape(memory: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The same memory under a shape that differs only in axes of one element."""
    strides = iter([stride for extent, stride in zip(memory.shape, memory.strides) if extent != 1])
    if memory.flags.c_contiguous or 0 in memory.shape:
        return memory.reshape(shape)
    wanted = [memory.dtype.itemsize if extent == 1 else next(strides) for extent in shape]
    return np.lib.stride_tricks.as_strided(memory, shape, wanted)


def masked_output(out: NDArray[Any], mask: NDArray[Any] | None) -> NDArray[Any]:
    """The memory of the program that was read into, with the mask if it can have one."""
    if isinstance(out, np.ma.MaskedArray):
        out.mask = False if mask is None else whole_mask(out.dtype, mask.reshape(out.shape))
    return out


def set_fill(options: Options, fill: Any) -> None:
    value = np.asarray(fill)
    if value.shape:
        raise ValueError("the fill value must be a single element")
    value = value.astype(_datatypes.native(value.dtype), copy=False)
    code = _datatypes.code_for(value.dtype, options)
    check(lib.asdf_options_set_fill(options.handle(), code, value.ctypes.data, value.dtype.itemsize))
    check(lib.asdf_options_unset(options.handle(), OPTIONS["datatype"][0]))


def whole_mask(dtype: np.dtype[Any], mask: NDArray[Any]) -> NDArray[Any]:
    """Mask for elements of a dtype. A record is missing with all its fields."""
    if dtype.names is None:
        return mask.astype(bool)
    result = np.zeros(mask.shape, np.ma.make_mask_descr(dtype))
    fill_fields(result, mask.astype(bool))
    return result


def fill_fields(result: NDArray[Any], mask: NDArray[Any]) -> None:
    for name in result.dtype.names or ():
        field = result[name]
        wide = mask.reshape(mask.shape + (1,) * (field.ndim - mask.ndim))
        if field.dtype.names:
            fill_fields(field, np.broadcast_to(wide, field.shape))
        else:
            field[...] = wide
