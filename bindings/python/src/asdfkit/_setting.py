"""Changes of a tree: values of Python become nodes and arrays of the file."""

from __future__ import annotations

import datetime
import operator
import re
from collections import UserString
from collections.abc import Callable, Mapping, Sequence
from ctypes import byref as reference
from ctypes import c_int32, c_void_p
from typing import Any

import numpy as np

from . import _datatypes
from ._converters import written
from ._foreign import has_class, refuse_labelled, translated, unit_of_tree
from ._handles import NodeHandle, TableHandle
from ._library import check, encoded, escaped, int32, int64s, lib, text, utf8
from ._memory import lending, place
from ._options import options_for
from ._values import ASTROPY_TAG_PREFIX, TIMESTAMP_TAG, Key, Quantity, Reference, Tagged, TaggedText, Time, literal
from .arrays import Array
from .constants import DEPTH, ByteOrder, KeyType, Kind, Status
from .errors import AsdfError, WrongTypeError

TIME_TAG = "tag:stsci.edu:asdf/time/time-*"
#: Tags whose versions belong to versions of the standard: version by version of the tag of times; otherwise 1.0.0.
VERSIONS_BY_STANDARD: dict[str, dict[str, str]] = {
    TIME_TAG: {},
    f"{ASTROPY_TAG_PREFIX}time/timedelta-*": {"1.4.0": "1.2.0"},
}
#: Date that stands for its midnight.
DATE = re.compile(r"\d{4}-\d\d-\d\d")
#: Classes that no other package has extended.
PLAIN = (dict, list, tuple, np.ndarray)


def change(node: NodeHandle, function: Any, *arguments: Any) -> None:
    """Calls a function that changes a node."""
    with node._changing():
        check(function(node._pointer, *arguments))


def path_of_key(key: str) -> bytes:
    """A key as a path."""
    return encoded(escaped(key), "key") if key else b"/"


def path_of(path: str) -> bytes:
    """A path as C has it. A `Key` is the path of one step."""
    return path_of_key(path) if isinstance(path, Key) else encoded(path)


def check_outside(node: NodeHandle, path: str) -> None:
    """Fails with WrongTypeError if a new key would be in an array or a quantity, which are values here and no mappings."""
    end = -1 if isinstance(path, Key) else path.find("/", 1)
    while end > 0:
        above, kind = encoded(path[:end]), c_int32()
        if lib.asdf_node_kind(node._pointer, above, reference(kind)):
            return
        is_value = kind.value in (Kind.ARRAY, Kind.QUANTITY)
        if is_value and not int32(lib.asdf_node_exists, node._pointer, encoded(path)):
            what = "an array" if kind.value == Kind.ARRAY else "a quantity"
            place = text(lib.asdf_node_path, node._pointer, above)
            message = f"at {place}: the node is {what}, in which '{path[end + 1 :]}' cannot be set"
            raise WrongTypeError(message, Status.WRONG_TYPE, {"path": place})
        end = path.find("/", end + 1)


#: Returns the table of this or another package as a table of the library; None for everything else.
TableOf = Callable[[Any], TableHandle | None]


def prepared(value: Any, options: Mapping[str, Any], table_of: TableOf) -> Any:
    """A value in the form that `store` takes, with tables and arrays of other packages translated.

    Fails with TypeError or ValueError for a value that cannot be stored, before anything is changed.
    """
    result = translation(value, table_of)
    if options and not holds_array(result):
        names = ", ".join(options)
        raise TypeError(f"options ({names}) are for arrays, not for {type(value).__name__}")
    return result


def translation(value: Any, table_of: TableOf, above: tuple[int, ...] = ()) -> Any:
    if isinstance(value, UserString):
        value = value.data  # a sequence whose items are texts again, without an end
    if isinstance(value, str):
        utf8(value)
        if isinstance(value, TaggedText):
            encoded(value.tag, "tag")
        return value
    if isinstance(value, (bytes, bytearray, NodeHandle, Array)) or is_scalar(value):
        return value
    if isinstance(value, Reference):
        encoded(value.uri, "URI")
        return value
    if isinstance(value, Tagged):
        encoded(value.tag, "tag")
        return Tagged(translation(value.value, table_of, above), value.tag)
    if type(value) not in PLAIN:
        object_ = written(value)
        if object_ is not None:
            return tagged(translation(object_[0], table_of, above), object_[1])
        table = table_of(value)
        if table is not None:
            return table
        refuse_labelled(value)
    if isinstance(value, (Mapping, Sequence)):
        if id(value) in above:
            raise ValueError("the value contains itself")
        if len(above) >= DEPTH:
            raise ValueError(f"the value is nested more than {DEPTH} deep")
        above = (*above, id(value))
        if isinstance(value, Mapping):
            return {checked_key(key): translation(item, table_of, above) for key, item in value.items()}
        return [translation(item, table_of, above) for item in value]
    value = translated(value)
    return quantity(value, table_of, above) if isinstance(value, Quantity) else as_array(value)


def tagged(value: Any, tag: str) -> Any:
    """A translated value under the tag of its converter, unless the converter returned a tag."""
    if isinstance(value, (Tagged, TaggedText)):
        return value
    if tag.endswith("-*") and tag not in VERSIONS_BY_STANDARD:
        raise TypeError(f"the converter of {tag} must return a Tagged with a version")
    return Tagged(value, tag)


def quantity(value: Any, table_of: TableOf, above: tuple[int, ...]) -> Any:
    """A quantity whose value is a number or an array."""
    unit = unit_of_tree(value.unit) if hasattr(value.unit, "to_string") else value.unit
    encoded(unit, "unit")
    content = translation(value.value, table_of, above)
    if isinstance(content, (TableHandle, Mapping, Quantity, str)):
        raise TypeError(f"the value of a quantity is a number or an array, not a {type(value.value).__name__}")
    result = Quantity(content, unit)
    object.__setattr__(result, "_node", value._node)
    return result


def checked_key(key: Any) -> Any:
    """A key of a new mapping. Fails with TypeError or ValueError for a key that ASDF does not allow."""
    if isinstance(key, Key) and key.type != KeyType.STRING:
        raise TypeError(f"the key {str(key)!r} is no text, integer or boolean; ASDF allows no others")
    if isinstance(key, str):
        utf8(key)
    elif isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        if not -(2**63) <= operator.index(key) < 2**63:
            raise ValueError(f"the key {key} does not fit 64 bits")
    elif not isinstance(key, (bool, np.bool_)):
        raise TypeError(f"a key is a str, an int or a bool, not {type(key).__name__}: {key!r}")
    return key


def made_key(node: NodeHandle, key: Any) -> NodeHandle:
    """The node under a key that is no path, which is made unless it exists."""
    checked_key(key)
    address = c_void_p()
    if isinstance(key, str):
        data = utf8(key)
        change(node, lib.asdf_node_make_by_string, b"", data, len(data), reference(address))
    elif isinstance(key, (bool, np.bool_)):
        change(node, lib.asdf_node_make_by_bool, b"", int(key), reference(address))
    else:
        change(node, lib.asdf_node_make_by_i64, b"", operator.index(key), reference(address))
    return NodeHandle(address.value or 0, node._file)


def is_scalar(value: Any) -> bool:
    if value is np.ma.masked:
        raise TypeError("a masked scalar cannot be stored: store None instead")
    if isinstance(value, np.generic):
        is_number = isinstance(value, (np.number, np.bool_)) and value.dtype.kind != "m"
        if not is_number or value.dtype.itemsize > (16 if value.dtype.kind == "c" else 8):
            raise TypeError(f"a scalar of {value.dtype} cannot be stored{_datatypes.ADVICE.get(value.dtype.kind, '')}")
        return True
    if isinstance(value, datetime.date) and value != value:
        raise TypeError("a missing time cannot be stored: store None instead")
    return value is None or isinstance(value, (bool, int, float, complex, datetime.date))


def as_array(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        if not hasattr(value, "__array__"):
            is_wcs = has_class(value, "astropy.wcs", "WCS")
            advice = ": store its header by file.set_wcs_cards(path, cards)" if is_wcs else ""
            raise TypeError(f"a value of type {type(value).__name__} cannot be stored{advice}")
        value = np.asanyarray(value)
    _datatypes.native(value.dtype)
    return value


def holds_array(value: Any) -> bool:
    """Whether a prepared value has arrays, which the options of arrays are for."""
    if isinstance(value, (Tagged, Quantity)):
        return holds_array(value.value)
    if isinstance(value, Mapping):
        return any(map(holds_array, value.values()))
    if isinstance(value, list):
        return any(map(holds_array, value))
    return isinstance(value, (NodeHandle, TableHandle, Array, np.ndarray))


def store(node: NodeHandle, path: bytes, value: Any, options: Mapping[str, Any], lend: bool = False) -> None:
    """Stores a prepared value."""
    if isinstance(value, Tagged):
        node = made_node(node, path)
        tag = tag_of_standard(node, value.tag) if value.tag in VERSIONS_BY_STANDARD else value.tag
        store(node, b"", value.value, options, lend)
        change(node, lib.asdf_node_set_tag, b"", encoded(tag, "tag"))
    elif isinstance(value, Quantity):
        store_quantity(node, path, value, options, lend)
    elif isinstance(value, TableHandle):
        with options_for("asdf_node_set_table", options) as made:
            change(node, lib.asdf_node_set_table, path, value._pointer, made.pointer)
    elif isinstance(value, NodeHandle):
        copy(node, path, value, options)
    elif isinstance(value, TaggedText):
        store_tagged_text(node, path, value)
    elif isinstance(value, Time):
        data = utf8(f"{value}T00:00:00" if DATE.fullmatch(value) else value)
        change(node, lib.asdf_node_set_time, path, data, len(data))
    elif isinstance(value, Reference):
        change(node, lib.asdf_node_set_reference, path, encoded(value.uri, "URI"))
    elif isinstance(value, Mapping):
        node = made_node(node, path)
        change(node, lib.asdf_node_set_mapping, b"", 0)
        for key, item in value.items():
            if isinstance(key, str) and literal(key) is key and not isinstance(key, Key):
                store(node, utf8(key), item, options, lend)
            else:
                store(made_key(node, key), b"", item, options, lend)
    elif isinstance(value, list):
        node = made_node(node, path)
        change(node, lib.asdf_node_set_sequence, b"", 0)
        for item in value:
            store(node, b"-", item, options, lend)
    elif isinstance(value, (Array, np.ndarray)):
        store_array(node, path, value, options, lend)
    else:
        store_scalar(node, path, value)


def tag_of_standard(node: NodeHandle, tag: str) -> str:
    """Tag with the version that belongs to the standard of the file, which the tag of times tells."""
    change(node, lib.asdf_node_set_time, b"", b"J2000.0", 7)
    of_time = text(lib.asdf_node_tag, node._pointer, b"")
    version = of_time.rpartition("-")[2]
    return of_time if tag == TIME_TAG else tag[:-1] + VERSIONS_BY_STANDARD[tag].get(version, "1.0.0")


def made_node(node: NodeHandle, path: bytes) -> NodeHandle:
    """The node at a path, which is made unless it exists. A path that ends with "-" appends an item."""
    address = c_void_p()
    change(node, lib.asdf_node_make, path, reference(address))
    return NodeHandle(address.value or 0, node._file)


def store_tagged_text(node: NodeHandle, path: bytes, value: TaggedText) -> None:
    node = made_node(node, path)
    data = utf8(value)
    setter = lib.asdf_node_set_timestamp if value.tag == TIMESTAMP_TAG else lib.asdf_node_set_string
    change(node, setter, b"", data, len(data))
    if value.tag != TIMESTAMP_TAG:
        change(node, lib.asdf_node_set_tag, b"", encoded(value.tag, "tag"))


def store_scalar(node: NodeHandle, path: bytes, value: Any) -> None:
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


def store_quantity(node: NodeHandle, path: bytes, value: Quantity, options: Mapping[str, Any], lend: bool) -> None:
    if value._node is not None and is_quantity(value._node):
        copy(node, path, value._node, options)
        return
    node = made_node(node, path)
    change(node, lib.asdf_node_set_mapping, b"", 0)
    store(node, b"value", value.value, options, lend)
    if isinstance(value.value, np.generic):
        store(node, b"datatype", value.value.dtype.name, {})
    unit = None if isinstance(value.unit, TaggedText) else utf8(value.unit)
    if isinstance(value.unit, TaggedText):
        store_tagged_text(node, b"unit", value.unit)
    change(node, lib.asdf_node_set_quantity, b"", unit, len(unit or b""))


def is_quantity(node: NodeHandle) -> bool:
    """Whether a node that was a quantity still is one, in an open file."""
    try:
        return int32(lib.asdf_node_kind, node._pointer, b"") == Kind.QUANTITY
    except AsdfError:
        return False


def copy(node: NodeHandle, path: bytes, source: NodeHandle, options: Mapping[str, Any]) -> None:
    with options_for("asdf_node_copy", options) as made:
        change(node, lib.asdf_node_copy, path, source._pointer, made.pointer)


def store_array(node: NodeHandle, path: bytes, array: Any, options: Mapping[str, Any], lend: bool = False) -> None:
    """Sets an array. Its elements are copied from where they are, or lent; its byte order is kept if it has one."""
    if isinstance(array, Array):
        if array._is_whole:
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
    with options_for("asdf_node_set_array", given, elements.nbytes) as made:
        address, size = place(elements, made)
        shape = int64s(elements.shape)
        arguments = _datatypes.code_for(elements.dtype, made), elements.ndim, shape, address, size
        if lend:
            with lending(elements) as owner:
                change(node, lib.asdf_node_set_array_borrowed, path, *arguments, *owner, made.pointer)
        else:
            change(node, lib.asdf_node_set_array, path, *arguments, made.pointer)
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
