"""Views of the keys, pairs and values of a mapping of a tree."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any


class Keys(KeysView[Any]):
    """Keys of a tree."""

    __slots__ = ()
    _mapping: Any

    def __repr__(self) -> str:
        return f"Keys({list(self._mapping)!r})"


class Items(ItemsView[Any, Any]):
    """Pairs of a tree, read one by one."""

    __slots__ = ()
    _mapping: Any

    def __repr__(self) -> str:
        return f"<Items of {list(self._mapping)!r}>"

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        for index in range(len(self._mapping)):
            yield self._mapping._key(index), self._mapping._item(index)


class Values(ValuesView[Any]):
    """Values of a tree, read one by one."""

    __slots__ = ()
    _mapping: Any

    def __repr__(self) -> str:
        return f"<Values of {list(self._mapping)!r}>"

    def __iter__(self) -> Iterator[Any]:
        for index in range(len(self._mapping)):
            yield self._mapping._item(index)
