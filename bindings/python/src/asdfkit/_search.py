"""Search in trees: nodes by key, value and type, as the search of Python asdf does."""

from __future__ import annotations

import inspect
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ._handles import NodeHandle
from ._library import escaped, int32, lib
from ._values import Quantity
from .arrays import Array
from .constants import Kind
from .errors import AsdfError

#: Stands for a condition that is not given: None is a value.
ANY: Any = ...
#: Plain types that the types of this package stand for, and their names.
PLAIN: tuple[tuple[type, type], ...] = ((Array, np.ndarray), (Mapping, dict), (Sequence, list))

#: Tells whether a node, whose key and value it gets, is to be found. The value is read when it is called.
Condition = Callable[[Any, Callable[[], Any]], bool]


class Found(Mapping[str, Any]):
    """Nodes that a search found: a mapping of paths to values, which are read when they are asked for.

    Nodes that are less deep come first.

        >>> found = file.search(key="exposure")
        >>> found.paths, found.nodes
        >>> for path, value in found.items(): ...
        >>> found.search(type=float)

    Attributes
    ----------
    paths : list of str
        Paths from the tree that was searched: `tree[path]` is the value.
    """

    def __init__(self, tree: Any, paths: list[str], keys: list[Any]) -> None:
        self._tree = tree
        self.paths = paths
        self._keys = keys

    @property
    def nodes(self) -> list[Any]:
        """Values of all nodes that were found."""
        return [self[path] for path in self.paths]

    @property
    def path(self) -> str | None:
        """Path of the only node that was found; None if there is none. Fails with ValueError for several."""
        if len(self.paths) > 1:
            raise ValueError(f"{len(self.paths)} nodes were found")
        return self.paths[0] if self.paths else None

    @property
    def node(self) -> Any:
        """Value of the only node that was found; None if there is none. Fails with ValueError for several."""
        return None if self.path is None else self[self.path]

    def search(self, key: Any = ANY, value: Any = ANY, type: Any = ANY, filter: Any = None) -> Found:
        """Those of the nodes that meet further conditions."""
        conditions = conditions_of(key, value, type, filter)
        kept = [
            (path, own)
            for path, own in zip(self.paths, self._keys)
            if meets(conditions, own, lambda path=path: self[path])  # type: ignore[misc]
        ]
        return Found(self._tree, [path for path, _ in kept], [own for _, own in kept])

    def __getitem__(self, path: str) -> Any:
        if path not in self.paths:
            raise KeyError(path)
        return self._tree[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def __repr__(self) -> str:
        lines = [f"{path}: {shown(self, path)}" for path in self.paths[:20]]
        if len(self.paths) > 20:
            lines.append(f"… {len(self.paths) - 20} more")
        return "\n".join(lines) if lines else "nothing was found"


def shown(found: Found, path: str) -> str:
    try:
        line = repr(found[path]).split("\n")[0]
    except AsdfError as problem:
        line = str(problem)
    return line if len(line) <= 80 else f"{line[:79]}…"


class Searched:
    """The search of a `Tree` or a `List`."""

    __slots__ = ()

    def search(self, key: Any = ANY, value: Any = ANY, type: Any = ANY, filter: Any = None) -> Found:
        """Finds all nodes below this one that meet all conditions.

        Parameters
        ----------
        key : str, re.Pattern or any value
            A text is a regular expression that is searched in the key, or in the index of an item. Everything else
            equals the key.
        value : str, re.Pattern or any value
            A text is a regular expression that is searched in the text of a scalar. Everything else equals the value.
        type : type, str or re.Pattern
            A type, such as `float`, `dict` or `numpy.ndarray`; or a regular expression that is searched in the name of the
            type, such as "Quantity".
        filter : callable
            Gets the value, or the value and the key, and tells whether the node is to be found.

        Returns
        -------
        Found
            A mapping of paths to values, with `paths` and `nodes`.

        Examples
        --------
        >>> file.search(key="^exp", type=float).paths
        """
        conditions = conditions_of(key, value, type, filter)
        paths, keys = [], []
        for path, own, read in walk(self):
            if meets(conditions, own, read):
                paths.append(path)
                keys.append(own)
        return Found(self, paths, keys)


def walk(start: Any) -> Iterator[tuple[str, Any, Callable[[], Any]]]:
    """Path, key and value of all nodes below a node. Nodes that several paths lead to are given once."""
    seen = {start._identity()}
    todo: deque[tuple[str, Any]] = deque([("", start)])
    while todo:
        prefix, parent = todo.popleft()
        for index in range(parent._count()):
            key = index if isinstance(parent, Sequence) else parent._key(index)
            text = str(key).lower() if isinstance(key, bool) else str(key)
            path = f"{prefix}/{escaped(text)}"
            yield path, key, lambda parent=parent, index=index: parent._item(index)  # type: ignore[misc]
            try:
                child = parent._child(index)
            except AsdfError:
                continue
            if isinstance(child, NodeHandle) and is_branch(child) and child._identity() not in seen:
                seen.add(child._identity())
                todo.append((path, child))


def is_branch(node: NodeHandle) -> bool:
    """Whether a node has further nodes. Arrays and quantities are values, although they are mappings in the file."""
    return is_container(node) and int32(lib.asdf_node_kind, node._pointer, b"") not in (Kind.ARRAY, Kind.QUANTITY)


def is_container(value: Any) -> bool:
    return isinstance(value, (Mapping, Sequence)) and not isinstance(value, (str, bytes))


def meets(conditions: list[Condition], key: Any, read: Callable[[], Any]) -> bool:
    return all(condition(key, read) for condition in conditions)


def conditions_of(key: Any, value: Any, type: Any, filter: Any) -> list[Condition]:
    """The given conditions, those that need no value first."""
    found: list[Condition] = []
    if key is not ANY:
        pattern = pattern_of(key)
        found.append(lambda own, _: equals(own, key) if pattern is None else bool(pattern.search(str(own))))
    if type is not ANY:
        found.append(type_condition(type))
    if value is not ANY:
        found.append(value_condition(value))
    if filter is not None:
        if not callable(filter):
            raise TypeError("the filter is a callable that takes a value, or a value and a key")
        found.append(filter_condition(filter))
    return found


def pattern_of(query: Any) -> re.Pattern[str] | None:
    if isinstance(query, str):
        try:
            return re.compile(query)
        except re.error as problem:
            raise ValueError(f"{query!r} is no regular expression: {problem}") from problem
    return query if isinstance(query, re.Pattern) else None


def read_or_none(read: Callable[[], Any]) -> tuple[bool, Any]:
    """Whether a value can be read, and the value."""
    try:
        return True, read()
    except AsdfError:
        return False, None


def type_condition(wanted: Any) -> Condition:
    pattern = pattern_of(wanted)
    if pattern is None and not isinstance(wanted, type):
        raise TypeError("the type is a class, or a regular expression for its name")

    def is_met(_: Any, read: Callable[[], Any]) -> bool:
        is_read, value = read_or_none(read)
        if not is_read:
            return False
        stands_for = [plain for own, plain in PLAIN if isinstance(value, own) and not isinstance(value, (str, bytes))]
        if pattern is None:
            return isinstance(value, wanted) or wanted in stands_for
        return any(pattern.search(name_of(cls)) for cls in (type(value), *stands_for))

    return is_met


def name_of(cls: type) -> str:
    return cls.__name__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__name__}"


def value_condition(wanted: Any) -> Condition:
    pattern = pattern_of(wanted)

    def is_met(_: Any, read: Callable[[], Any]) -> bool:
        is_read, value = read_or_none(read)
        if not is_read:
            return False
        if pattern is None:
            return equals(value, wanted)
        return not is_container(value) and not isinstance(value, (Array, Quantity)) and bool(pattern.search(str(value)))

    return is_met


def filter_condition(filter: Any) -> Condition:
    try:
        takes_key = len(inspect.signature(filter).parameters) > 1
    except (TypeError, ValueError):
        takes_key = False

    def is_met(key: Any, read: Callable[[], Any]) -> bool:
        is_read, value = read_or_none(read)
        return is_read and bool(filter(value, key) if takes_key else filter(value))

    return is_met


def equals(value: Any, wanted: Any) -> bool:
    """Whether two values are equal. A truth value is no number."""
    if isinstance(value, bool) != isinstance(wanted, bool):
        return False
    try:
        is_equal = value == wanted
    except (TypeError, ValueError):
        return False
    return isinstance(is_equal, (bool, np.bool_)) and bool(is_equal)
