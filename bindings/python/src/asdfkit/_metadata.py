"""Metadata of tables: nodes of a tree as plain Python values, and Python values as nodes."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _setting, _sources
from ._handles import FileHandle, NodeHandle, TableHandle
from ._library import int32, lib, pointer, text
from ._scalars import SCALARS
from ._values import Quantity, Tagged
from .arrays import Array
from .constants import YAML_TAG_PREFIX, NodeType
from .errors import NotFoundError


def of_table(function: Any, *arguments: Any) -> NodeHandle | None:
    """Node with metadata that a function of tables returns; None if there are none."""
    try:
        return NodeHandle(pointer(function, *arguments), None)
    except NotFoundError:
        return None


def children(node: NodeHandle) -> list[NodeHandle]:
    """Items of a sequence, or values of a mapping."""
    return [
        NodeHandle(pointer(lib.asdf_node_item, node._pointer, b"", index), node._file) for index in range(node._count())
    ]


def plain(node: NodeHandle) -> Any:
    """Python value of a node with all its children. Tags of other programs are left out."""
    return _plain(node, {})


def _plain(node: NodeHandle, seen: dict[int, Any]) -> Any:
    kind = int32(lib.asdf_node_type, node._pointer, b"")
    if kind not in (NodeType.MAPPING, NodeType.SEQUENCE):
        return scalar(node)
    identity = node._identity()
    if identity not in seen:
        tag = (node._tag() or "").removeprefix(YAML_TAG_PREFIX)
        if kind == NodeType.MAPPING and tag == "set":
            seen[identity] = {node._key(index) for index in range(node._count())}
        elif kind == NodeType.MAPPING:
            mapping = seen[identity] = {}
            for index, item in enumerate(children(node)):
                mapping[node._key(index)] = _plain(item, seen)
        else:
            sequence = seen[identity] = []
            sequence.extend(_plain(item, seen) for item in children(node))
            if tag == "python/tuple":
                seen[identity] = tuple(sequence)
    return seen[identity]


def scalar(node: NodeHandle) -> Any:
    """Python value of a scalar."""
    place = (node._pointer, b"")
    reader = SCALARS.get(int32(lib.asdf_node_kind, *place))
    if (
        reader is None
        or int32(lib.asdf_node_type, *place) == NodeType.STRING
        and node._tag() == f"{YAML_TAG_PREFIX}python/complex"
    ):
        content = text(lib.asdf_node_get_text, *place)
        return complex(content) if node._tag() == f"{YAML_TAG_PREFIX}python/complex" else content
    return reader(*place)


def store(value: Any) -> NodeHandle:
    """Node with a Python value, in a new tree unless the value is a node."""
    if isinstance(value, NodeHandle):
        return value
    prepared = _setting.prepared(_storable(value, ()), {}, refused_table)
    if not isinstance(prepared, Mapping):
        node = new_node()
        _setting.store(node, b"", prepared, {})
        return node
    # The values are in the root of a tree, so that paths in errors are those in the metadata.
    node = new_mapping()
    for key, item in prepared.items():
        _setting.store(_setting.made_key(node, key), b"", item, {})
    return node


def new_mapping() -> NodeHandle:
    """An empty mapping that belongs to no file."""
    address = pointer(lib.asdf_node_new_mapping)
    return NodeHandle(address, FileHandle(pointer(lib.asdf_node_file, address)))


def new_node() -> NodeHandle:
    """An empty node in a file of its own."""
    file = _sources.new_file({})
    return _setting.made_node(NodeHandle(pointer(lib.asdf_file_root, file._pointer), file), b"meta")


def refused_table(value: Any) -> None:
    """Fails with TypeError for a table of the library. Those of other packages are refused like other arrays."""
    if isinstance(value, TableHandle):
        raise TypeError("metadata of a table cannot hold another table: store its columns as lists")


def _storable(value: Any, above: tuple[int, ...]) -> Any:
    """Value with the tags of YAML that headers of ECSV need, and with lists in place of arrays."""
    if id(value) in above:
        raise ValueError("metadata cannot contain themselves")
    if isinstance(value, Mapping):
        return {key: _storable(item, (*above, id(value))) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable(item, (*above, id(value))) for item in value]
    if isinstance(value, Tagged):
        return Tagged(_storable(value.value, above), value.tag)
    if isinstance(value, Quantity):
        return Quantity(_storable(value.value, above), value.unit)
    if isinstance(value, Array):
        value = value[...]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (complex, np.complexfloating)):
        return Tagged(repr(complex(value)), f"{YAML_TAG_PREFIX}python/complex")
    if isinstance(value, (int, np.integer)) and not -(2**63) <= value < 2**63:
        return Tagged(str(int(value)), f"{YAML_TAG_PREFIX}int")
    return value
