"""Metadata of tables: nodes of a tree as plain Python values, and Python values as nodes."""

import operator
from collections.abc import Callable, Iterator, Mapping, MutableMapping, MutableSequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _setting, _sources
from ._handles import FileHandle, NodeHandle, TableHandle
from ._library import int32, lib, pointer, text, utf8
from ._scalars import SCALARS
from ._values import Quantity, Tagged
from .arrays import Array
from .constants import YAML_TAG_PREFIX, NodeType
from .errors import NotFoundError

if TYPE_CHECKING:
    from typing_extensions import Self


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


class Place:
    """Place of a mapping or a sequence in metadata that can be changed.

    Parameters
    ----------
    read, write : callable
        Return the metadata as a whole, None if there are none, and replace them.
    steps : tuple
        Types of the collections on the way from the root, with the keys and indices in them.
    """

    def __init__(
        self,
        read: Callable[[], NodeHandle | None],
        write: Callable[[NodeHandle], None],
        steps: tuple[tuple[NodeType, Any], ...] = (),
    ) -> None:
        self._read = read
        self._write = write
        self._steps = steps

    def is_same(self, other: "Place") -> bool:
        """Whether the other place is the same one in the same metadata."""
        return self._read == other._read and self._steps == other._steps

    def below(self, kind: NodeType, step: Any) -> "Place":
        """Place of a child of this mapping or sequence."""
        return Place(self._read, self._write, (*self._steps, (kind, step)))

    @contextmanager
    def changing(self) -> Iterator[NodeHandle]:
        """The node in a copy of the metadata, which replaces them at the end. Tags of nodes that do not change stay."""
        source, root = self._read(), new_node()
        if source is None:
            _setting.change(root, lib.asdf_node_set_mapping, b"", 0)
        else:
            _setting.copy(root, b"", source, {})
        node = root
        for kind, step in self._steps:
            node = child(node, kind, step)
        yield node
        self._write(root)


def child(node: NodeHandle, kind: NodeType, step: Any) -> NodeHandle:
    """Value of a mapping under a key, or item of a sequence."""
    place = node._pointer, b""
    if kind == NodeType.SEQUENCE:
        address = pointer(lib.asdf_node_item, *place, step)
    elif isinstance(step, bool):
        address = pointer(lib.asdf_node_get_by_bool, *place, int(step))
    elif isinstance(step, int):
        address = pointer(lib.asdf_node_get_by_i64, *place, step)
    else:
        data = utf8(step)
        address = pointer(lib.asdf_node_get_by_string, *place, data, len(data))
    return NodeHandle(address, node._file)


class Live:
    """Collection of metadata, whose changes are changes of the metadata. Copies and pickles are of the class `_plain`."""

    __slots__ = ()

    _place: Place
    _plain: Any

    def __new__(cls, *content: Any) -> Any:
        """A plain collection: other packages, such as asdf, make one of the same class for their copy."""
        return cls._plain(*content)

    @classmethod
    def at(cls, place: Place) -> Any:
        """An empty collection for the content of a place."""
        made: Any = cls._plain.__new__(cls)
        made._place = place
        return made

    def __reduce__(self) -> Any:
        return self._plain, (self._plain(self),)


class LiveDict(Live, dict[Any, Any]):
    """Mapping of metadata."""

    __slots__ = ("_place",)

    _plain = dict

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(value, Live) and self.get(key) is value:
            return  # meta["list"] += items has changed the list itself, whose other items keep their tags
        with self._place.changing() as node:
            target = _setting.made_key(node, key)
            _setting.store(target, b"", prepared(value), {})
            item = plain(target, self._place.below(NodeType.MAPPING, key))
        super().__setitem__(key, item)

    def __delitem__(self, key: Any) -> None:
        if key not in self:
            raise KeyError(key)
        with self._place.changing() as node:
            _setting.change(child(node, NodeType.MAPPING, key), lib.asdf_node_remove, b"")
        super().__delitem__(key)

    def pop(self, key: Any, *default: Any) -> Any:
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def popitem(self) -> tuple[Any, Any]:
        if not self:
            raise KeyError("the metadata are empty")
        key = next(reversed(self))
        return key, self.pop(key)

    def __ior__(self, other: Any) -> "Self":  # type: ignore[override,misc]
        self.update(other)
        return self

    # These call the methods above, which those of dict do not.
    clear = MutableMapping.clear
    update = MutableMapping.update  # type: ignore[assignment]


class LiveList(Live, list[Any]):
    """Sequence of metadata."""

    __slots__ = ("_place",)

    _plain = list

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(value, Live) and self[index] is value:
            return
        with self._changing() as node:
            target = child(node, NodeType.SEQUENCE, self._number(index))
            _setting.store(target, b"", prepared(value), {})

    def __delitem__(self, index: Any) -> None:
        with self._changing() as node:
            _setting.change(child(node, NodeType.SEQUENCE, self._number(index)), lib.asdf_node_remove, b"")

    def insert(self, index: Any, value: Any) -> None:
        number = slice(operator.index(index), None).indices(len(self))[0]
        with self._changing() as node:
            _setting.change(node, lib.asdf_node_insert_item, b"", number)
            _setting.store(child(node, NodeType.SEQUENCE, number), b"", prepared(value), {})

    @contextmanager
    def _changing(self) -> Iterator[NodeHandle]:
        """The node in a copy of the metadata. All items are taken from it, since their indices may change."""
        with self._place.changing() as node:
            yield node
            items = list(plain(node, self._place))
        super().clear()
        super().extend(items)

    def _number(self, index: Any) -> int:
        if isinstance(index, slice):
            raise TypeError("items of metadata are changed one by one: set a new list under its key")
        return int(range(len(self))[index])

    def sort(self, **options: Any) -> None:
        raise TypeError("a list of metadata is not sorted in place: set a sorted list under its key")

    def __imul__(self, count: Any) -> Any:  # type: ignore[misc]
        raise TypeError("a list of metadata is not repeated in place: set a new list under its key")

    # These call the methods above, which those of list do not.
    __iadd__ = MutableSequence.__iadd__  # type: ignore[assignment]
    append = MutableSequence.append
    clear = MutableSequence.clear
    extend = MutableSequence.extend
    pop = MutableSequence.pop  # type: ignore[assignment]
    remove = MutableSequence.remove
    reverse = MutableSequence.reverse


def is_kept(value: Any, place: Place) -> bool:
    """Whether a value is the metadata themselves, as after `table.meta |= {"x": 1}`, which has changed them."""
    if not isinstance(value, Live) or not value._place.is_same(place):
        return False
    node = place._read()
    return node is not None and bool(value == plain(node))


def plain(node: NodeHandle, place: Place | None = None) -> Any:
    """Python value of a node with all its children. Tags of other programs are left out.

    With a place, changes of the mappings and sequences of the value are those of the metadata.
    """
    return _plain(node, {}, place)


def _plain(node: NodeHandle, seen: dict[int, Any], place: Place | None) -> Any:
    kind = int32(lib.asdf_node_type, node._pointer, b"")
    if kind not in (NodeType.MAPPING, NodeType.SEQUENCE):
        return scalar(node)
    identity = node._identity()
    if identity not in seen:
        tag = (node._tag() or "").removeprefix(YAML_TAG_PREFIX)
        if kind == NodeType.MAPPING and tag == "set":
            seen[identity] = {node._key(index) for index in range(node._count())}
        elif kind == NodeType.MAPPING:
            mapping = seen[identity] = {} if place is None else LiveDict.at(place)
            for index, item in enumerate(children(node)):
                key = node._key(index)
                below = None if place is None else place.below(NodeType.MAPPING, key)
                dict.__setitem__(mapping, key, _plain(item, seen, below))
        else:
            sequence = seen[identity] = [] if place is None else LiveList.at(place)
            for index, item in enumerate(children(node)):
                below = None if place is None else place.below(NodeType.SEQUENCE, index)
                list.append(sequence, _plain(item, seen, below))
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
    content = prepared(value)
    if not isinstance(content, Mapping):
        node = new_node()
        _setting.store(node, b"", content, {})
        return node
    # The values are in the root of a tree, so that paths in errors are those in the metadata.
    node = new_mapping()
    for key, item in content.items():
        _setting.store(_setting.made_key(node, key), b"", item, {})
    return node


def prepared(value: Any) -> Any:
    """A value in the form that metadata are stored in."""
    return _setting.prepared(_storable(value, ()), {}, refused_table)


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
    if isinstance(value, np.ndarray) and not hasattr(value, "unit"):
        return value.tolist()
    if isinstance(value, (complex, np.complexfloating)):
        return Tagged(repr(complex(value)), f"{YAML_TAG_PREFIX}python/complex")
    if isinstance(value, (int, np.integer)) and not -(2**63) <= value < 2**63:
        return Tagged(str(int(value)), f"{YAML_TAG_PREFIX}int")
    return value
