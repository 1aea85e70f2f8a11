"""Whole trees: their content in memory of Python, and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._handles import NodeHandle
from ._values import Key, Quantity
from .arrays import Array


def load(value: Any, seen: dict[int, Any]) -> Any:
    """Content of a node in memory of Python. `seen` has the result of each collection, by its identity."""
    if isinstance(value, Array):
        identity = value._node._identity()
        if identity not in seen:
            seen[identity] = value[...]
        return seen[identity]
    if isinstance(value, Quantity):
        return Quantity(load(value.value, seen), value.unit)
    if not isinstance(value, NodeHandle) or not isinstance(value, (Mapping, Sequence)):
        return value
    identity = value._identity()
    if identity not in seen:
        if isinstance(value, Mapping):
            mapping = seen[identity] = {}
            for key, item in value.items():
                mapping[key] = load(item, seen)
        else:
            items = seen[identity] = []
            items.extend(load(item, seen) for item in value)
    return seen[identity]


def equal(left: Any, right: Any, seen: set[tuple[int, int]] | None = None) -> bool:
    """Compares two values with all their content: mappings by their keys, arrays by shape and elements.

    Tags and styles do not count. Missing elements are equal, and so are two NaN, so that every tree equals its copy.
    """
    seen = set() if seen is None else seen
    for kind in (Mapping, Sequence):
        if isinstance(left, kind) and isinstance(right, kind) and not isinstance(left, (str, bytes)):
            pair = (identity(left), identity(right))
            if pair in seen:
                return True  # further up, where a difference is found
            seen.add(pair)
            same = equal_mappings if kind is Mapping else equal_sequences
            return len(left) == len(right) and same(left, right, seen)
    if all(hasattr(value, "unit") and hasattr(value, "value") for value in (left, right)):  # also those of astropy
        return str(left.unit) == str(right.unit) and equal(left.value, right.value, seen)
    if any(isinstance(value, (Array, np.ndarray)) for value in (left, right)):
        return equal_arrays(left, right)
    if isinstance(left, (Mapping, Sequence)) != isinstance(right, (Mapping, Sequence)):
        return False
    return bool(np.all(left == right)) or is_nan(left) and is_nan(right)


def identity(value: Any) -> int:
    """Number of a collection. Those of nodes are negative, and differ from the addresses of objects."""
    return -1 - value._identity() if isinstance(value, NodeHandle) else id(value)


def is_nan(value: Any) -> bool:
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def equal_mappings(left: Any, right: Any, seen: set[tuple[int, int]]) -> bool:
    for key, value in left.items():
        # A text of Python can be a path of a tree, and a `Key` cannot.
        name = Key(key) if isinstance(key, str) and not isinstance(key, Key) and isinstance(right, NodeHandle) else key
        if name not in right or not equal(value, right[name], seen):
            return False
    return True


def equal_sequences(left: Any, right: Any, seen: set[tuple[int, int]]) -> bool:
    return all(equal(one, other, seen) for one, other in zip(left, right))


def equal_arrays(left: Any, right: Any) -> bool:
    """Compares an array with an array or a list."""
    shapes = [getattr(value, "shape", None) for value in (left, right)]
    if None not in shapes and shapes[0] != shapes[1]:
        return False
    if any(isinstance(value, (Mapping, str, bytes)) or np.isscalar(value) or value is None for value in (left, right)):
        return False
    if str(getattr(left, "unit", None) or "") != str(getattr(right, "unit", None) or ""):
        return False
    one, other = (value[...] if isinstance(value, Array) else value for value in (left, right))
    try:
        one, other = np.ma.asanyarray(one), np.ma.asanyarray(other)
    except ValueError:  # lists of different lengths
        return False
    if one.shape != other.shape or (one.dtype.names or ()) != (other.dtype.names or ()):
        return False
    missing, missing_other = np.ma.getmaskarray(one), np.ma.getmaskarray(other)
    if not np.array_equal(missing, missing_other):
        return False
    if one.dtype.names:
        return all(equal_arrays(one[name], other[name]) for name in one.dtype.names)
    numbers, others = one.compressed(), other.compressed()
    is_inexact = numbers.dtype.kind in "fc" and others.dtype.kind in "fc"
    return bool(np.array_equal(numbers, others, equal_nan=is_inexact))
