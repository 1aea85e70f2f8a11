"""Metadata of tables: nodes of a tree as plain Python values, and Python values as nodes."""

import datetime
from collections.abc import Mapping
from ctypes import byref, c_double
from typing import Any

import numpy as np

from ._library import Handle, buffer_bytes, check, int32, int64, lib, pointer, raw, text, utf8
from .constants import NodeType

YAML = "tag:yaml.org,2002:"


class Node(Handle):
    """A node of a tree."""

    __slots__ = ()
    _free = lib.asdf_node_free


def of_table(function: Any, *arguments: Any) -> Node | None:
    """Node with metadata that a function of tables returns; None if there are none."""
    from .errors import NotFoundError

    try:
        return Node(pointer(function, *arguments))
    except NotFoundError:
        return None


def plain(node: Node) -> Any:
    """Python value of a node with all its children. Tags of other programs are left out."""
    return _plain(node, {})


def children(node: Node) -> list[Node]:
    """Items of a sequence, or values of a mapping."""
    count = int64(lib.asdf_node_count, node._pointer, b"")
    return [Node(pointer(lib.asdf_node_item, node._pointer, b"", index)) for index in range(count)]


def keys(node: Node) -> list[Any]:
    """Keys of a mapping: str, int or bool."""
    count = int64(lib.asdf_node_count, node._pointer, b"")
    return [_key(node, index) for index in range(count)]


def _key(node: Node, index: int) -> Any:
    kind = int32(lib.asdf_node_key_type, node._pointer, b"", index)
    if kind == 1:
        return int64(lib.asdf_node_key_i64, node._pointer, b"", index)
    if kind == 2:
        return bool(int32(lib.asdf_node_key_bool, node._pointer, b"", index))
    return text(lib.asdf_node_key_string, node._pointer, b"", index)


def _plain(node: Node, seen: dict[int, Any]) -> Any:
    place = (node._pointer, b"")
    kind = int32(lib.asdf_node_type, *place)
    if kind in (NodeType.SEQUENCE, NodeType.MAPPING):
        identity = int64(lib.asdf_node_identity, *place)
        if identity not in seen:
            _collection(node, kind, text(lib.asdf_node_tag, *place).removeprefix(YAML), seen, identity)
        return seen[identity]
    return scalar(node, kind)


def _collection(node: Node, kind: int, tag: str, seen: dict[int, Any], identity: int) -> None:
    items = children(node)
    if kind == NodeType.MAPPING:
        if tag == "set":
            seen[identity] = set(keys(node))
            return
        mapping = seen[identity] = {}
        for key, item in zip(keys(node), items):
            mapping[key] = _plain(item, seen)
    elif tag == "omap":
        mapping = seen[identity] = {}
        for item in items:
            mapping.update(_plain(item, seen))
    else:
        sequence = seen[identity] = []
        sequence.extend(_plain(item, seen) for item in items)
        if tag in ("python/tuple", "pairs"):
            seen[identity] = tuple(sequence)


def scalar(node: Node, kind: int) -> Any:
    """Python value of a scalar: timestamps become `datetime.date` or `datetime.datetime` where Python has them."""
    place = (node._pointer, b"")
    if kind == NodeType.NULL:
        return None
    if kind == NodeType.BOOL:
        return bool(int32(lib.asdf_node_get_bool, *place))
    if kind == NodeType.INTEGER:
        return int(text(lib.asdf_node_get_integer, *place))
    if kind == NodeType.FLOAT:
        value = c_double()
        check(lib.asdf_node_get_f64(*place, byref(value)))
        return value.value
    tag = text(lib.asdf_node_tag, *place).removeprefix(YAML)
    if tag == "binary":
        return raw(lib.asdf_node_get_binary, *place)
    content = buffer_bytes(lib.asdf_node_get_string_buffer, *place).decode()
    if tag == "python/complex":
        return complex(content)
    return content


def store(value: Any, name: str = "meta") -> Node:
    """Node of a new tree with a Python value."""
    file = File(pointer(lib.asdf_file_new, None))
    root = Node(pointer(lib.asdf_file_root, file._pointer))
    _set(root, utf8(name), value, set())
    return Node(pointer(lib.asdf_node_get, root._pointer, utf8(name)))


class File(Handle):
    """A new file, which holds metadata until a table has copied them."""

    __slots__ = ()
    _free = lib.asdf_file_free


def _set(parent: Node, path: bytes, value: Any, above: set[int]) -> None:
    place = (parent._pointer, path)
    if isinstance(value, (Mapping, list, tuple, set, frozenset)):
        if id(value) in above:
            raise ValueError("metadata cannot contain themselves")
        _set_collection(parent, path, value, above | {id(value)})
    elif value is None:
        check(lib.asdf_node_set_null(*place))
    elif isinstance(value, (bool, np.bool_)):
        check(lib.asdf_node_set_bool(*place, int(value)))
    elif isinstance(value, (int, np.integer)):
        digits = str(int(value)).encode()
        check(lib.asdf_node_set_integer(*place, digits, len(digits)))
    elif isinstance(value, (float, np.floating)):
        check(lib.asdf_node_set_f64(*place, float(value)))
    elif isinstance(value, (complex, np.complexfloating)):
        data = repr(complex(value)).encode()
        check(lib.asdf_node_set_string(*place, data, len(data)))
        check(lib.asdf_node_set_tag(*place, f"{YAML}python/complex".encode()))
    elif isinstance(value, str):
        data = utf8(value)
        check(lib.asdf_node_set_string(*place, data, len(data)))
    elif isinstance(value, (bytes, bytearray)):
        check(lib.asdf_node_set_binary(*place, bytes(value), len(value)))
    elif isinstance(value, (datetime.date, datetime.datetime)):
        data = value.isoformat().encode()
        check(lib.asdf_node_set_timestamp(*place, data, len(data)))
    elif isinstance(value, np.ndarray) and value.dtype.kind in "biufcUO":
        _set(parent, path, value.tolist(), above)
    else:
        raise TypeError(f"metadata cannot hold a {type(value).__name__}")


def _set_collection(parent: Node, path: bytes, value: Any, above: set[int]) -> None:
    place = (parent._pointer, path)
    if isinstance(value, Mapping):
        check(lib.asdf_node_set_mapping(*place, 0))
        node = Node(pointer(lib.asdf_node_get, *place))
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"keys of metadata must be str, not {type(key).__name__}")
            if "\0" in key:
                raise ValueError(f"the key {key!r} contains a NUL character")
            _set(node, utf8("/" + key.replace("~", "~0").replace("/", "~1")), item, above)
        return
    check(lib.asdf_node_set_sequence(*place, 1))
    node = Node(pointer(lib.asdf_node_get, *place))
    for index, item in enumerate(value):
        # "-" appends; the item is found again by its index.
        check(lib.asdf_node_set_null(node._pointer, b"-"))
        _set(node, str(index).encode(), item, above)
