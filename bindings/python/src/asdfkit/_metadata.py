"""Metadata of tables: nodes of a tree as plain Python values, and Python values as nodes."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._library import int32, int64, lib, pointer, text
from ._scalars import SCALARS
from ._values import Tagged
from .constants import YAML_TAG_PREFIX, NodeType
from .errors import NotFoundError
from .nodes import List, Node, Tree, wrapped


def of_table(function: Any, *arguments: Any) -> Node | None:
    """Node with metadata that a function of tables returns; None if there are none."""
    try:
        return wrapped(pointer(function, *arguments), None)  # type: ignore[arg-type] # it is only read
    except NotFoundError:
        return None


def children(node: Node) -> list[Node]:
    """Items of a sequence, or values of a mapping."""
    count = int64(lib.asdf_node_count, node._pointer, b"")
    return [
        wrapped(pointer(lib.asdf_node_item, node._pointer, b"", index), None)  # type: ignore[arg-type]
        for index in range(count)
    ]


def plain(node: Node) -> Any:
    """Python value of a node with all its children. Tags of other programs are left out."""
    return _plain(node, {})


def _plain(node: Node, seen: dict[int, Any]) -> Any:
    if not isinstance(node, (Tree, List)):
        return scalar(node)
    identity = node._identity()
    if identity not in seen:
        tag = (node.tag or "").removeprefix(YAML_TAG_PREFIX)
        if isinstance(node, Tree) and tag == "set":
            seen[identity] = set(node)
        elif isinstance(node, Tree):
            mapping = seen[identity] = {}
            for key, item in zip(node, children(node)):
                mapping[key] = _plain(item, seen)
        else:
            sequence = seen[identity] = []
            sequence.extend(_plain(item, seen) for item in children(node))
            if tag == "python/tuple":
                seen[identity] = tuple(sequence)
    return seen[identity]


def scalar(node: Node) -> Any:
    """Python value of a scalar."""
    place = (node._pointer, b"")
    reader = SCALARS.get(int32(lib.asdf_node_kind, *place))
    if (
        reader is None
        or int32(lib.asdf_node_type, *place) == NodeType.STRING
        and node.tag == f"{YAML_TAG_PREFIX}python/complex"
    ):
        content = text(lib.asdf_node_get_text, *place)
        return complex(content) if node.tag == f"{YAML_TAG_PREFIX}python/complex" else content
    return reader(*place)


def store(value: Any) -> Node:
    """Node of a new tree with a Python value."""
    from .files import new

    file = new()
    file["meta"] = _storable(value, ())
    return file.node("meta")


def _storable(value: Any, above: tuple[int, ...]) -> Any:
    """Value with the tags of YAML that headers of ECSV need, and with lists in place of arrays."""
    if id(value) in above:
        raise ValueError("metadata cannot contain themselves")
    if isinstance(value, Mapping):
        return {key: _storable(item, (*above, id(value))) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable(item, (*above, id(value))) for item in value]
    if isinstance(value, np.ndarray) and not isinstance(value, np.ma.MaskedArray):
        return value.tolist()
    if isinstance(value, (complex, np.complexfloating)):
        return Tagged(repr(complex(value)), f"{YAML_TAG_PREFIX}python/complex")
    if isinstance(value, (int, np.integer)) and not -(2**63) <= value < 2**63:
        return Tagged(str(int(value)), f"{YAML_TAG_PREFIX}int")
    return value
