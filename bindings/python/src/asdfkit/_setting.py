"""Changes of a tree: values of Python become nodes and arrays of the file."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from ctypes import byref as reference
from ctypes import c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _datatypes
from ._foreign import translated
from ._library import encoded, failure, int64s, lib, text, utf8
from ._options import options_for
from ._sources import lending
from .constants import ByteOrder

if TYPE_CHECKING:
    from .nodes import Node

#: Deepest nesting of values that are set, the limit of the library for reading them.
DEPTH = 250


def change(node: Node, function: Any, *arguments: Any) -> None:
    """Calls a function that changes a node.

    The library remembers the failure of a setter and then refuses to write the file. An exception cannot be overlooked,
    so it is forgotten here.
    """
    status = function(node._pointer, *arguments)
    if status:
        problem = failure(status)
        lib.asdf_file_forget_failure(node._file._pointer)
        raise problem


def escaped(key: str) -> bytes:
    """A key as a path."""
    return encoded(key.replace("~", "~0").replace("/", "~1"), "key") if key else b"/"


def assign(node: Node, path: bytes, value: Any, options: Mapping[str, Any], lend: bool = False) -> None:
    """Sets the value at a path, after a check that all of it can be stored."""
    check_value(value)
    if options and not holds_array(value):
        names = ", ".join(options)
        raise TypeError(f"options ({names}) are for arrays, not for {type(value).__name__}")
    store(node, path, value, options, lend)


def check_value(value: Any, above: tuple[int, ...] = ()) -> None:
    """Fails with TypeError or ValueError for a value that cannot be stored, before anything is changed."""
    from .nodes import Node, Quantity, Tagged
    from .tables import Table

    if isinstance(value, Table):
        return
    value = translated(value)
    if isinstance(value, (Tagged, Quantity)):
        check_value(value.value, above)
        encoded(value.tag if isinstance(value, Tagged) else value.unit, "tag or unit")
    elif isinstance(value, (str, bytes, bytearray, Node)):
        if isinstance(value, str):
            utf8(value)
    elif isinstance(value, (Mapping, Sequence)):
        if id(value) in above:
            raise ValueError("the value contains itself")
        if len(above) >= DEPTH:
            raise ValueError(f"the value is nested more than {DEPTH} deep")
        above = (*above, id(value))
        if isinstance(value, Mapping):
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(f"a new key must be a str, not {type(key).__name__}: {key!r}")
                escaped(key)
        for item in value.values() if isinstance(value, Mapping) else value:
            check_value(item, above)
    elif not is_scalar(value):
        _datatypes.native(as_array(value).dtype)


def is_scalar(value: Any) -> bool:
    if value is np.ma.masked:
        raise TypeError("a masked scalar cannot be stored: store None instead")
    if isinstance(value, np.generic):
        if not isinstance(value, (np.number, np.bool_)) or value.dtype.itemsize > (
            16 if value.dtype.kind == "c" else 8
        ):
            raise TypeError(f"a scalar of {value.dtype} cannot be stored{_datatypes.ADVICE.get(value.dtype.kind, '')}")
        return True
    return value is None or isinstance(value, (bool, int, float, complex, datetime.date))


def as_array(value: Any) -> Any:
    from .arrays import Array

    if isinstance(value, (Array, np.ndarray)):
        return value
    if hasattr(value, "__array__"):
        return np.asarray(value)
    raise TypeError(f"a value of type {type(value).__name__} cannot be stored")


def holds_array(value: Any) -> bool:
    from .nodes import Node, Quantity, Tagged
    from .tables import Table

    value = translated(value)
    if isinstance(value, (Tagged, Quantity)):
        return holds_array(value.value)
    if isinstance(value, (str, bytes, bytearray)):
        return False
    if isinstance(value, (Node, Table)):
        return True
    if isinstance(value, Mapping):
        return any(map(holds_array, value.values()))
    if isinstance(value, Sequence):
        return any(map(holds_array, value))
    return hasattr(value, "__array__") and not isinstance(value, np.generic)


def store(node: Node, path: bytes, value: Any, options: Mapping[str, Any], lend: bool = False) -> None:
    from .nodes import Node, Quantity, Tagged
    from .tables import Table

    value = translated(value)
    if isinstance(value, Tagged):
        node = made_node(node, path)
        store(node, b"", value.value, options, lend)
        change(node, lib.asdf_node_set_tag, b"", encoded(value.tag, "tag"))
    elif isinstance(value, Quantity):
        store_quantity(node, path, value, options, lend)
    elif isinstance(value, Table):
        with options_for("asdf_node_set_table", options) as made:
            change(node, lib.asdf_node_set_table, path, value._pointer, made.pointer)
    elif isinstance(value, Node):
        copy(node, path, value, options)
    elif isinstance(value, (str, bytes, bytearray)) or is_scalar(value):
        store_scalar(node, path, value)
    elif isinstance(value, Mapping):
        node = made_node(node, path)
        change(node, lib.asdf_node_set_mapping, b"", 0)
        for key, item in value.items():
            store(node, escaped(key), item, options, lend)
    elif isinstance(value, Sequence):
        node = made_node(node, path)
        change(node, lib.asdf_node_set_sequence, b"", 0)
        for item in value:
            store(node, b"-", item, options, lend)
    else:
        store_array(node, path, as_array(value), options, lend)


def made_node(node: Node, path: bytes) -> Node:
    """The node at a path, which is made unless it exists. A path that ends with "-" appends an item."""
    from .nodes import Node

    address = c_void_p()
    change(node, lib.asdf_node_make, path, reference(address))
    return Node(address.value or 0, node._file)


def store_scalar(node: Node, path: bytes, value: Any) -> None:
    if value is None:
        change(node, lib.asdf_node_set_null, path)
    elif isinstance(value, (bool, np.bool_)):
        change(node, lib.asdf_node_set_bool, path, int(value))
    elif isinstance(value, (int, np.integer)):
        number = int(value)
        if -(2**63) <= number < 2**63:
            change(node, lib.asdf_node_set_i64, path, number)
        else:
            data = decimal(number)
            change(node, lib.asdf_node_set_integer, path, data, len(data))
    elif isinstance(value, (float, np.floating)):
        change(node, lib.asdf_node_set_f64, path, float(value))
    elif isinstance(value, (complex, np.complexfloating)):
        change(node, lib.asdf_node_set_complex, path, value.real, value.imag)
    elif isinstance(value, str):
        data = utf8(value)
        change(node, lib.asdf_node_set_string, path, data, len(data))
    elif isinstance(value, (bytes, bytearray)):
        data = bytes(value)
        change(node, lib.asdf_node_set_binary, path, data, len(data))
    else:
        data = value.isoformat().encode()
        change(node, lib.asdf_node_set_timestamp, path, data, len(data))


def decimal(number: int) -> bytes:
    """Digits of an integer of any size. str() refuses more than 4,300 digits at once."""
    if number < 0:
        return b"-" + decimal(-number)
    pieces = []
    while number >= 10**4000:
        number, piece = divmod(number, 10**4000)
        pieces.append(f"{piece:04000d}")
    return (str(number) + "".join(reversed(pieces))).encode()


def store_quantity(node: Node, path: bytes, value: Any, options: Mapping[str, Any], lend: bool) -> None:
    standard = text(lib.asdf_file_standard, node._file._pointer)
    version = "1.2.0" if tuple(map(int, standard.split("."))) >= (1, 6, 0) else "1.1.0"
    node = made_node(node, path)
    change(node, lib.asdf_node_set_mapping, b"", 0)
    store(node, b"value", value.value, options, lend)
    store_scalar(node, b"unit", value.unit)
    change(node, lib.asdf_node_set_tag, b"unit", b"tag:stsci.edu:asdf/unit/unit-1.0.0")
    change(node, lib.asdf_node_set_tag, b"", f"tag:stsci.edu:asdf/unit/quantity-{version}".encode())


def copy(node: Node, path: bytes, source: Node, options: Mapping[str, Any]) -> None:
    with options_for("asdf_node_copy", options) as made:
        change(node, lib.asdf_node_copy, path, source._pointer, made.pointer)


def store_array(node: Node, path: bytes, array: Any, options: Mapping[str, Any], lend: bool = False) -> None:
    """Sets an array. Its elements are copied from where they are, or lent; its byte order is kept if it has one."""
    from .arrays import Array, place

    if isinstance(array, Array):
        if not array._fields:
            copy(node, path, array._node, options)
            return
        array = array[...]
    mask = None
    if isinstance(array, np.ma.MaskedArray):
        mask = array.mask if array.mask is not np.ma.nomask else None
        if mask is not None and mask.dtype.names:
            mask = whole_records(mask)
        array = array.data
    if mask is not None:
        node, path = made_node(node, path), b""
    array = np.asarray(array)
    given = dict(options)
    if array.dtype.byteorder in "<>" and "byte_order" not in given:
        given["byte_order"] = ByteOrder.LITTLE if array.dtype.byteorder == "<" else ByteOrder.BIG
    elements = array.astype(_datatypes.native(array.dtype), copy=False)
    with options_for("asdf_node_set_array_typed", given, elements.nbytes) as made:
        address, size = place(elements, made)
        shape = int64s(elements.shape)
        datatype = _datatypes.datatype(elements.dtype)
        arguments = datatype._pointer, elements.ndim, shape, address, size
        if lend:
            with lending(elements) as owner:
                change(node, lib.asdf_node_set_array_borrowed_typed, path, *arguments, *owner, made.pointer)
        else:
            change(node, lib.asdf_node_set_array_typed, path, *arguments, made.pointer)
    if mask is not None:
        store_array(node, b"mask", np.asarray(mask), mask_options(options))


def mask_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that a mask shares with its array."""
    return {name: value for name, value in options.items() if name in ("compression", "level", "threads", "storage")}


def whole_records(mask: Any) -> Any:
    """Mask of records. A record is missing with all its fields, or the mask cannot be stored."""
    if not mask.size:
        return np.zeros(mask.shape, bool)
    fields = np.concatenate([leaf.reshape(*mask.shape, -1) for leaf in leaves(mask)], axis=-1)
    missing = fields.any(axis=-1)
    if not np.array_equal(missing, fields.all(axis=-1)):
        raise ValueError("ASDF masks whole records: a record must be masked in all its fields or in none")
    return missing


def leaves(mask: Any) -> list[Any]:
    if not mask.dtype.names:
        return [mask]
    return [leaf for name in mask.dtype.names for leaf in leaves(mask[name])]
