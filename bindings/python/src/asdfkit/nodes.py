"""Nodes of a tree: mappings and sequences that read their content when it is asked for.

Scalars become values of Python, arrays become `Array`; nodes that a converter knows become its objects, such as
quantities of astropy. Without astropy, quantities become `Quantity`. All others stay nodes.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from ctypes import byref, c_int64
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _chunks, _datatypes, _setting, _sources
from ._converters import converted
from ._deep import equal, load
from ._display import Displayed, completions
from ._handles import FileHandle, NodeHandle, Origin
from ._library import check, encoded, int32, int64, int64s, lib, pending, pointer, text, utf8
from ._options import constant, options_for
from ._regions import region_of
from ._scalars import SCALARS, tagged_text
from ._search import Searched
from ._times import read_times, times_of
from ._values import Key, Quantity, Reference, TaggedText
from ._views import Items, Keys, Values
from .arrays import Array
from .constants import CommentPosition, KeyType, Kind, NodeType, SoftwarePart
from .errors import AsdfError, NotFoundError
from .schemas import SchemaSet, described
from .tables import Table, get_table, table_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._option_types import ReadingCardsOfFITSHeadersOptions as ReadCardsOptions
    from ._option_types import ReadingTablesOfASDFFilesOptions as TableOptions
    from ._option_types import SettingArraysOptions as ArrayOptions
    from ._option_types import StoringTimesOptions, TimesOptions


def _comment_position(position: CommentPosition | str) -> int:
    """Number of the position of a comment in the C interface."""
    return constant("the position", CommentPosition, position)


class Node(NodeHandle):
    """A place in a tree. It keeps its file open. After its removal, calls fail with the status `STALE`."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """Path from the root of the file, a JSON Pointer; "" for the root."""
        return text(lib.asdf_node_path, self._pointer, b"")

    def describe(
        self, path: str = "", schemas: SchemaSet = None, schema: str | dict[str, Any] | None = None
    ) -> dict[str, str]:
        """What the schemas say about the entry at a path below this node; it need not exist.

        Returns
        -------
        dict
            The known ones of "title", "description", "type", "unit", "default", "schema" (its URI) and "note" (that of
            a mapping, under its key "//").
        """
        return described(schemas, schema, self._pointer, path)

    @property
    def tag(self) -> str | None:
        """Full tag, such as "tag:stsci.edu:asdf/core/ndarray-1.1.0"; None without a tag."""
        return self._tag()

    @tag.setter
    def tag(self, tag: str | None) -> None:
        _setting.change(self, lib.asdf_node_set_tag, b"", None if tag is None else encoded(tag, "tag"))

    @property
    def kind(self) -> Kind | int:
        """Meaning of the node; an int if it is newer than this package."""
        number = int32(lib.asdf_node_kind, self._pointer, b"")
        return Kind(number) if number in KINDS else number

    @property
    def line(self) -> int | None:
        """Line of the node in the file, from 1; None if the node was not read from a file."""
        return self._position()[1]

    @property
    def column(self) -> int | None:
        """Column of the node in its line, from 1."""
        return self._position()[2]

    def _position(self) -> list[int | None]:
        numbers = [c_int64(-1) for _ in range(3)]
        check(lib.asdf_node_position(self._pointer, b"", *map(byref, numbers)))
        return [None if number.value < 0 else number.value for number in numbers]

    def array(self) -> Array:
        """This node as an array: a `core/ndarray`, a list of numbers, or the value of a quantity."""
        return Array(pointer(lib.asdf_node_get_array, self._pointer, b""), self)

    def table(self, path: str = "", **options: Unpack[TableOptions]) -> Table:
        """Reads the table at this node or at a path below: all columns, in memory. It does not depend on the file.

        A table is a `core/table`, a table of astropy, an array of records, or a mapping of arrays. Arrays in its
        metadata become lists, unless `plain_metadata=False`. `leave_out=True` leaves out columns that cannot be read.
        `first_row` and `row_count` choose rows.
        """
        return get_table(self._pointer, _setting.path_of(path), **options)

    def unit(self) -> str:
        """Unit of a quantity, a column or any mapping with the key "unit"; "" without a dimension."""
        return text(lib.asdf_node_get_unit, self._pointer, b"")

    def times(self, path: str = "", scale: str = "utc", rounded: bool = False, **options: Unpack[TimesOptions]) -> Any:
        """Reads the points in time at this node or at a path below as `datetime64[ns]` of NumPy, converted to a scale.

        A single time is a scalar, several are an array, missing ones are NaT. The clock of UTC does not count leap
        seconds: a time in one is an error with the status `OUT_OF_RANGE`, except in another scale, such as "tai". A time
        between two nanoseconds, as most Julian dates are, is an error with the status `VALUE_RANGE`; with `rounded` it
        becomes the nearest one.
        """
        return read_times(self._pointer, _setting.path_of(path), scale, rounded, options)

    def software(self, path: str = "") -> list[dict[str, str]]:
        """Programs at this node or at a path below: of a `core/software`, or of a list of them.

        Each is a dict of "name", "version", "author" and "homepage", empty if the file does not tell.
        """
        place = self._pointer, _setting.path_of(path)
        return [
            {part.name.lower(): text(lib.asdf_node_get_software, *place, index, part) for part in SoftwarePart}
            for index in range(int64(lib.asdf_node_software_count, *place))
        ]

    def tag_of(self, path: str) -> str | None:
        """Tag of the node at a path below this one; None without a tag."""
        return text(lib.asdf_node_tag, self._pointer, _setting.path_of(path)) or None

    def text_of(self, path: str) -> str:
        """Text of the scalar at a path, as it is written in the file."""
        return text(lib.asdf_node_get_text, self._pointer, _setting.path_of(path))

    def node(self, path: str = "") -> Node:
        """The node at a path as a handle, whatever its kind: `Tree`, `List`, or a plain `Node` for others."""
        return wrapped(pointer(lib.asdf_node_get, self._pointer, _setting.path_of(path)), self._file)

    def load(self) -> Any:
        """Reads this node with all its content into dicts, lists, NumPy arrays and scalars.

        Content that several places share through aliases or references is one object in the result.
        """
        return load(self, {})

    def _item(self, index: int) -> Any:
        try:
            return value_of(pointer(lib.asdf_node_item, self._pointer, b"", index), self._file)
        except AsdfError:
            # A reference that cannot be followed has no node, but a path.
            path = self._item_path(index)
            if path is None or int32(lib.asdf_node_kind, self._pointer, path) != Kind.REFERENCE:
                raise
            return value_at(self, path)

    def _child(self, index: int) -> Any:
        """An item as a node; its value if it is a reference that cannot be followed."""
        try:
            return wrapped(pointer(lib.asdf_node_item, self._pointer, b"", index), self._file)
        except AsdfError:
            return self._item(index)

    def _item_path(self, index: int) -> bytes | None:
        return b"%d" % index

    def __len__(self) -> int:
        return self._count()

    def __repr__(self) -> str:
        try:
            return f"<asdfkit.{type(self).__name__} {self.path or '/'!r}>"
        except Exception as problem:
            return f"<asdfkit.{type(self).__name__}: {problem}>"

    def __reduce__(self) -> Any:
        return reopened_node, (self._file.origin(), self.path)


def new_mapping() -> Tree:
    """Makes an empty mapping that belongs to no file, such as metadata of a table.

    >>> meta = asdfkit.new_mapping()
    >>> meta["exposure/time"] = 1.5
    >>> table.meta = meta
    """
    node = pointer(lib.asdf_node_new_mapping)
    return Tree(node, FileHandle(pointer(lib.asdf_node_file, node)))


class Tree(Displayed, Searched, Node, MutableMapping[Any, Any]):
    """A mapping. `load()` makes a dict of it, with all its content. Keys may be paths: `tree["meta/exposure/time"]` is `tree["meta"]["exposure"]["time"]`.

    A path is a JSON Pointer: "~1" stands for "/" and "~0" for "~" in a key, and a number is the index of an item. A key
    of the mapping comes before a path of the same spelling. A `Key`, an integer and a boolean are keys, and no paths.

    Iteration yields keys that mean the same in any mapping. `target.update(source)` copies nodes as they are. So does a
    loop, if the values are no objects of converters, such as those of astropy:

        >>> for key in source:
        ...     target[key] = source[key]

    `==` compares with any mapping by all content: nested mappings and lists, and the elements of arrays. Tags do not
    count, and NaN equals NaN.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Mapping) else NotImplemented

    def _title(self) -> str:
        return f"<asdfkit.{type(self).__name__} {self.path or '/'!r}>"

    def _key_texts(self) -> list[str]:
        return completions(self)

    def __getitem__(self, key: Any) -> Any:
        return value_at(*self._locate(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.set(key, value)

    def set(self, key: Any, value: Any, *, lend: bool = False, **options: Unpack[ArrayOptions]) -> None:
        """Sets a value, with options for its arrays, such as `compression="zlib"`. Missing mappings of a path are made.

        The elements of NumPy arrays are copied. `lend=True` saves the copy: the library reads the elements when it
        writes the file, and they must not change before. The arrays stay alive until the file is closed.

        Values: None, bool, int, float, complex, str, bytes, date and datetime, mappings, sequences, NumPy arrays and
        scalars, `Array` and nodes, `Quantity`, `Tagged` and `Table` (with `table_form="astropy"` for the tags of
        astropy). Arrays and nodes can be of other files, which must stay open until this file is written: stored bytes
        are copied then. Tables of astropy, pandas, polars, pyarrow and DuckDB become tables. Other objects with labels,
        such as a Series or a DataArray, are a TypeError.
        """
        prepared = _setting.prepared(value, options, table_of)
        if self._is_path(key):
            _setting.store(self, utf8(key), prepared, options, lend)
            return
        count = self._count()
        node = _setting.made_key(self, key)
        try:
            _setting.store(node, b"", prepared, options, lend)
        except BaseException:
            if self._count() > count:
                _setting.change(node, lib.asdf_node_remove, b"")
            raise

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Sets all pairs of a mapping or of a list of pairs. Nodes of another tree are copied as they are."""
        if not isinstance(other, Tree):
            super().update(other, **more)
            return
        for index in range(other._count()):
            self[other._key(index)] = other._child(index)
        super().update(**more)

    def __delitem__(self, key: Any) -> None:
        if key not in self:
            raise KeyError(key)
        node, path = self._locate(key)
        if node is not self and "\0" not in str(key):
            # By its path, a pair of a merged mapping is not taken for one of this mapping.
            own = _setting.path_of_key(key_text(key))
            if int64(lib.asdf_node_identity, self._pointer, own) == node._identity():
                node, path = self, own
        _setting.change(node, lib.asdf_node_remove, path)

    def __contains__(self, key: object) -> bool:
        try:
            node, path = self._locate(key)
        except NotFoundError:
            return False
        except AsdfError:
            raise
        except (TypeError, ValueError, KeyError):
            return False
        return bool(int32(lib.asdf_node_exists, node._pointer, path))

    def __iter__(self) -> Iterator[Any]:
        for index in range(self._count()):
            yield self._key(index)

    def get(self, key: Any, default: Any = None) -> Any:
        """Value under a key or path, or the default if there is none."""
        if key not in self:
            return default
        return self[key]

    def keys(self) -> Keys:
        """Keys in the order of the file."""
        return Keys(self)

    def items(self) -> Items:
        """Pairs of key and value, in the order of the file. Values are read one by one."""
        return Items(self)

    def values(self) -> Values:
        """Values in the order of the file, read one by one."""
        return Values(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Rows of a table as an array of records, for `numpy.array(tree)`; see `Table.to_records`.

        `numpy.asarray(tree)` is a TypeError, because pandas calls it, and takes records for the elements of one column.
        Other mappings are a TypeError.
        """
        if self.kind != Kind.TABLE:
            raise TypeError("a mapping has no elements that an array could hold; load() makes a dict of it")
        if not copy:
            raise TypeError("a node is no array: node.table() reads a table, and node.table().to_pandas() a data frame")
        records = self.table().to_records()
        return records if dtype is None else records.astype(dtype)

    @property
    def note(self) -> str | None:
        """Note of the mapping for people who read the file: the text under its key "//"; None without. Can be set."""
        try:
            return text(lib.asdf_node_note, self._pointer, b"")
        except NotFoundError:
            return None

    @note.setter
    def note(self, note: str) -> None:
        self.set_note("", note)

    def set_note(self, path: str, note: str) -> None:
        """Sets the note of the mapping at a path, before all its other keys."""
        data = utf8(note)
        _setting.change(self, lib.asdf_node_set_note, _setting.path_of(path), data, len(data))

    def comment(self, path: str, position: CommentPosition | str = CommentPosition.BEFORE) -> str | None:
        """Comment of a node in the YAML text, without "#"; None if there is none.

        The position is "before" the node, at its "line_end", or at the "document_end", for which the path is "".
        """
        number = _comment_position(position)
        try:
            return text(lib.asdf_node_comment, self._pointer, _setting.path_of(path), number)
        except NotFoundError:
            return None

    def set_comment(self, path: str, comment: str, position: CommentPosition | str = CommentPosition.BEFORE) -> None:
        """Sets the comment of a node; see `comment`. An empty text removes it."""
        data = utf8(comment)
        number = _comment_position(position)
        _setting.change(self, lib.asdf_node_set_comment, _setting.path_of(path), number, data, len(data))

    def rename(self, key: str, new: str) -> None:
        """Renames a key; position and comments of its value stay."""
        node, path = self._locate(key)
        _setting.change(node, lib.asdf_node_rename_key, path, encoded(new, "key"))

    def move(self, path: str, to: str) -> None:
        """Moves a node with all its content to another path."""
        _setting.check_outside(self, to)
        _setting.change(self, lib.asdf_node_move, _setting.path_of(path), _setting.path_of(to))

    def set_times(self, path: str, times: Any, scale: str = "utc", **options: Unpack[StoringTimesOptions]) -> None:
        """Sets points in time from `datetime64` of NumPy, a datetime, or a list of them, as times of the standard.

        A `Time` of astropy has a scale and a format, so it is set as a value: `file[path] = time`.
        """
        _setting.check_outside(self, path)
        made = times_of(times, scale)
        with options_for("asdf_node_set_times", options) as given:
            _setting.change(self, lib.asdf_node_set_times, _setting.path_of(path), made._pointer, given.pointer)

    def set_software(
        self, path: str, name: str, version: str, author: str | None = None, homepage: str | None = None
    ) -> None:
        """Sets the description of a program, a `core/software`."""
        _setting.check_outside(self, path)
        texts = (None if item is None else encoded(item, "text") for item in (name, version, author, homepage))
        _setting.change(self, lib.asdf_node_set_software, _setting.path_of(path), *texts)

    def create_array(
        self,
        path: str,
        shape: Sequence[int] | int | None = None,
        dtype: Any = None,
        data: Any = None,
        *,
        chunks: Sequence[int] | int | bool | None = None,
        maxshape: Sequence[int | None] | int | None = None,
        **options: Any,
    ) -> Array:
        """Makes an array of zeros, or of `data`, as `create_dataset` of h5py does, and returns it.

        Parameters
        ----------
        path : str
            Path of the array below this mapping.
        shape : tuple of int, optional
            Shape; that of `data` by default.
        dtype : optional
            Datatype; that of `data` by default, or float32.
        data : optional
            Elements. Without them all elements are zeros, and chunks of zeros are not stored.
        chunks : tuple of int or bool, optional
            Shape of the chunks; True chooses one of about 1 MiB.
        maxshape : tuple, optional
            Largest extents, None for any. An array that can grow has chunks. The file does not keep the limits.
        **options
            Options of arrays, such as `compression`, `chunk_codec`, `chunk_filters`, `level`.

        >>> heat = file.create_array("heat", (0, 64, 64), "f4", maxshape=(None, 64, 64), compression="zlib")
        >>> file.write("run.asdf")
        >>> with asdfkit.open("run.asdf", mode="r+") as file:
        ...     for step in steps:
        ...         file["heat"].append(step)
        ...         file.save()
        """
        elements = None if data is None else np.asarray(data, dtype)
        if shape is None:
            if elements is None:
                raise TypeError("an array needs a shape or data")
            shape = elements.shape
        extents = tuple(operator.index(extent) for extent in (shape if isinstance(shape, Sequence) else (shape,)))
        if elements is not None:
            elements = elements.reshape(extents)
        dtype = np.dtype("f4" if dtype is None else dtype) if elements is None else elements.dtype
        most = _chunks.checked_maxshape(maxshape, extents)
        if chunks is True or (chunks is None or chunks is False) and most is not None and most != extents:
            chunks = _chunks.chosen(extents, most, dtype.itemsize)
        given: dict[str, Any] = dict(options)
        if chunks is not None and chunks is not False:
            given["chunks"] = tuple(chunks) if isinstance(chunks, Sequence) else (chunks,)
        if elements is not None:
            self.set(path, elements, **given)
        else:
            _setting.check_outside(self, path)
            with options_for("asdf_node_set_array_zeros", given) as made:
                code = _datatypes.code_for(dtype.newbyteorder("="), made)
                place = _setting.path_of(path), code, len(extents), int64s(extents)
                _setting.change(self, lib.asdf_node_set_array_zeros, *place, made.pointer)
        array: Array = self[path]
        return array

    def set_wcs_cards(self, path: str, cards: Any, **options: Unpack[ReadCardsOptions]) -> None:
        """Writes the WCS of cards of a FITS header as a tree of gwcs, with pixel shape and bounding box of NAXISi.

        `cards` is a str, bytes or a Header of astropy; `alternate` the letter of an alternate WCS.
        """
        _setting.check_outside(self, path)
        given = cards_of(cards)
        with options_for("asdf_node_set_wcs_cards", options) as made:
            arguments = (_setting.path_of(path), given, len(given), made.pointer)
            _setting.change(self, lib.asdf_node_set_wcs_cards, *arguments)

    def set_wcs_cutout(self, path: str, source: Node, index: Any, shape: tuple[int, ...] | None = None) -> None:
        """Writes the WCS of a part of an image: that of the node `source`, for the pixels of `image[index]`.

            >>> new["data"] = file["data"][10:20, 30:50]
            >>> new.set_wcs_cutout("wcs", file["wcs"], np.s_[10:20, 30:50], file["data"].shape)

        `shape` is that of the image, by default the one that the WCS has. A single index counts as a slice of one.
        """
        _setting.check_outside(self, path)
        extents = shape if shape is not None else getattr(source, "array_shape", None)
        if extents is None:
            raise ValueError("the WCS has no shape; pass the shape of the image")
        region = region_of(index, tuple(extents))
        numbers = (int64s(values) for values in (region.start, region.count, region.step))
        arguments = (_setting.path_of(path), source._pointer, len(region.start), *numbers)
        _setting.change(self, lib.asdf_node_set_wcs_cutout, *arguments)

    def set_reference(self, path: str, target: str) -> None:
        """Sets a reference to the place `target` (a path) in this file."""
        _setting.check_outside(self, path)
        _setting.change(self, lib.asdf_node_set_reference_to, _setting.path_of(path), _setting.path_of(target))

    def _item_path(self, index: int) -> bytes | None:
        key = key_text(self._key(index))
        return None if "\0" in key else _setting.path_of_key(key)

    def _locate(self, key: Any) -> tuple[NodeHandle, bytes]:
        """Node and path of the value under a key. Fails with KeyError if only a search can tell that it is missing."""
        if isinstance(key, Key):
            if key.type != KeyType.STRING:
                return self, _setting.path_of_key(key)
            data = utf8(key)
            address = pointer(lib.asdf_node_get_by_string, self._pointer, b"", data, len(data))
        elif isinstance(key, str) and key and not any(mark in key for mark in "/~\0"):
            return self, utf8(key)
        elif isinstance(key, (bool, np.bool_)):
            address = pointer(lib.asdf_node_get_by_bool, self._pointer, b"", int(key))
        elif isinstance(key, (int, np.integer)):
            number = operator.index(key)
            if not -(2**63) <= number < 2**63:
                raise KeyError(key)
            address = pointer(lib.asdf_node_get_by_i64, self._pointer, b"", number)
        elif isinstance(key, str):
            data = utf8(key)
            try:
                address = pointer(lib.asdf_node_get_by_string, self._pointer, b"", data, len(data))
            except NotFoundError:
                if not key or "\0" in key:
                    raise
                return self, data
        else:
            raise TypeError(f"a key is a str, an int or a bool, not {type(key).__name__}")
        return NodeHandle(address, self._file), b""

    def _is_path(self, key: Any) -> bool:
        """Whether a key to set is a path. Fails with WrongTypeError for a path into an array or a quantity."""
        if not isinstance(key, str) or isinstance(key, Key) or not key or "\0" in key:
            return False
        if "/" not in key and "~" not in key:
            return True
        if self._locate(key)[0] is not self:
            return False
        _setting.check_outside(self, key)
        return True


def key_text(key: Any) -> str:
    """Text of a key, as paths have it."""
    return str(bool(key)).lower() if isinstance(key, (bool, np.bool_)) else str(key)


class List(Displayed, Searched, Node, MutableSequence[Any]):
    """A sequence. Besides integers and slices, paths are possible as index: `items["0/name"]`.

    `==` compares with any sequence by all content, as for mappings.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return equal(self, other) if isinstance(other, Sequence) and not isinstance(other, str) else NotImplemented

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Index of the first item that equals a value, as for lists."""
        try:
            return super().index(value, start, stop)  # type: ignore[arg-type]
        except ValueError:
            raise ValueError(f"{value!r} is not in the list {self.path or '/'!r}") from None

    def _title(self) -> str:
        return f"<asdfkit.List {self.path or '/'!r}>"

    def _key_texts(self) -> list[str]:
        return []

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    @overload
    def __getitem__(self, index: str) -> Any: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._item(number) for number in range(*index.indices(self._count()))]
        if isinstance(index, str):
            return value_at(self, encoded(index))
        return self._item(self._index(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.set(index, value)

    def set(self, index: Any, value: Any, *, lend: bool = False, **options: Unpack[ArrayOptions]) -> None:
        """Sets an item, or the value at a path, with options for its arrays; `lend` as for mappings."""
        if isinstance(index, slice):
            self._set_slice(index, list(value))
            return
        prepared = _setting.prepared(value, options, table_of)
        path = encoded(index) if isinstance(index, str) else b"%d" % self._index(index)
        if isinstance(index, str):
            _setting.check_outside(self, index)
        _setting.store(self, path, prepared, options, lend)

    def _set_slice(self, index: slice, values: list[Any]) -> None:
        for value in values:
            _setting.prepared(value, {}, table_of)
        numbers = range(*index.indices(self._count()))
        if numbers.step != 1 and len(values) != len(numbers):
            raise ValueError(f"{len(values)} items do not fit a slice of {len(numbers)}")
        for number, value in zip(numbers, values):
            self.set(number, value)
        for number in reversed(numbers[len(values) :]):
            del self[number]
        for place, value in enumerate(values[len(numbers) :], numbers.start + len(numbers)):
            self.insert(place, value)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            for number in sorted(range(*index.indices(self._count())), reverse=True):
                del self[number]
            return
        path = encoded(index) if isinstance(index, str) else b"%d" % self._index(index)
        _setting.change(self, lib.asdf_node_remove, path)

    def __iter__(self) -> Iterator[Any]:
        index = 0
        while index < self._count():
            yield self._item(index)
            index += 1

    def insert(self, index: int, value: Any) -> None:
        """Inserts an item before an index."""
        prepared = _setting.prepared(value, {}, table_of)
        count = self._count()
        place = min(max(index + count if index < 0 else index, 0), count)
        _setting.change(self, lib.asdf_node_insert_item, b"", place)
        _setting.store(self, b"%d" % place, prepared, {})

    def append(self, value: Any, *, lend: bool = False, **options: Unpack[ArrayOptions]) -> None:
        """Adds an item at the end, with options for its arrays; `lend` as for mappings."""
        _setting.store(self, b"-", _setting.prepared(value, options, table_of), options, lend)

    def _index(self, index: Any) -> int:
        number = operator.index(index)
        count = self._count()
        if not -count <= number < count:
            raise IndexError(f"index {number} is out of range for {count} items")
        return number % count


# Reading --------------------------------------------------------------------------------------------------------------

KINDS = frozenset(map(int, Kind))
#: Readers of scalars; texts keep their tags.
READERS = {**SCALARS, Kind.STRING: tagged_text}


def value_at(node: NodeHandle, path: bytes) -> Any:
    """Value at a path below a node."""
    kind = int32(lib.asdf_node_kind, node._pointer, path)
    reader = READERS.get(kind)
    if reader is not None:
        return of_scalar(reader(node._pointer, path), node._file)
    if kind == Kind.REFERENCE:
        return reference(node._pointer, path)
    return object_of(pointer(lib.asdf_node_get, node._pointer, path), node._file, kind)


def value_of(address: int, file: FileHandle) -> Any:
    """Value of a node, whose handle is taken over."""
    node = Node(address, file)
    kind = int32(lib.asdf_node_kind, address, b"")
    reader = READERS.get(kind)
    if reader is not None:
        return of_scalar(reader(address, b""), file)
    node._pointer = 0
    return object_of(address, file, kind)


def object_of(address: int, file: FileHandle, kind: int) -> Any:
    node = wrapped(address, file)
    if kind == Kind.ARRAY:
        return node.array()
    if kind == Kind.QUANTITY:
        return converted_of(quantity(node), node.tag, file)
    if kind == Kind.REFERENCE:
        return reference(address, b"")
    if isinstance(node, (Tree, List)):
        return converted_of(node, node.tag, file)
    if kind == Kind.TIME:
        return of_scalar(tagged_text(address, b""), file)
    written = unit(node) if kind == Kind.UNIT else text(lib.asdf_node_get_text, address, b"")
    return written if node.tag is None else of_scalar(TaggedText(written, node.tag), file)


def of_scalar(value: Any, file: FileHandle | None) -> Any:
    """The object of a text with a tag; other values unchanged."""
    return converted_of(value, value.tag, file) if isinstance(value, TaggedText) else value


def converted_of(value: Any, tag: str | None, file: FileHandle | None) -> Any:
    """The object of a value of a file; None is the file of the metadata of a table."""
    return converted(value, tag) if file is None else converted(value, tag, file.wants_astropy, file.can_change)


def wrapped(address: int, file: FileHandle) -> Node:
    """Node of the class for its type in YAML."""
    node = Node(address, file)
    kind = int32(lib.asdf_node_type, address, b"")
    cls = Tree if kind == NodeType.MAPPING else List if kind == NodeType.SEQUENCE else Node
    node._pointer = 0
    return cls(address, file)


def reference(address: int, path: bytes) -> Reference:
    """A reference that cannot be followed. An exception of a resolver or of a file object is raised again."""
    problem: BaseException | None = pending.__dict__.pop("problem", None)
    if problem is not None:
        raise problem
    return Reference(text(lib.asdf_node_reference, address, path))


def quantity(node: Node) -> Quantity:
    value = value_at(node, b"value")
    spelled = unit(node)
    tag = node.tag_of("unit") if "unit" in node else None  # type: ignore[operator]
    if tag is not None:
        spelled = TaggedText(spelled, tag)
    result = Quantity(value.array() if isinstance(value, List) else value, spelled)
    object.__setattr__(result, "_node", node)
    return result


def unit(node: Node) -> str:
    try:
        return node.unit()
    except Exception:
        # A unit that the library does not know is the text in the file.
        path = b"unit" if isinstance(node, Tree) else b""
        return text(lib.asdf_node_get_text, node._pointer, path)


def cards_of(cards: Any) -> bytes:
    """Bytes of header cards: of a text, of bytes, or of a header of astropy."""
    if isinstance(cards, bytes):
        return cards
    if not isinstance(cards, str) and hasattr(cards, "tostring"):
        cards = cards.tostring(sep="", endcard=True, padding=False)
    return utf8(cards)


def reopened_node(origin: Origin, path: str) -> Node:
    """Node of a file that is opened again, in the process that loads a pickle."""
    file = _sources.reopened(origin)
    return Node(pointer(lib.asdf_file_root, file._pointer), file).node(path)
