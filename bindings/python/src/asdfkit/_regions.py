"""Regions of arrays: translates an index of NumPy into first index, count and step along each axis."""

import operator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Region:
    """A part of an array. `shape` is that of the result: without axes of single indices, with new axes."""

    start: tuple[int, ...]
    count: tuple[int, ...]
    step: tuple[int, ...]
    shape: tuple[int, ...]
    is_scalar: bool


def region_of(index: Any, extents: tuple[int, ...]) -> Region:
    """Region of a basic index: integers, slices, `...` and None.

    Fails with IndexError as NumPy does, and for lists, arrays and truth values, which need the elements in memory.
    """
    items = index if isinstance(index, tuple) else (index,)
    for item in items:
        if isinstance(item, (bool, list)) or (hasattr(item, "dtype") and (item.ndim or item.dtype.kind == "b")):
            raise IndexError(
                "an index of lists, arrays or truth values needs the elements in memory: array[...][index]"
            )
    dots = sum(item is Ellipsis for item in items)
    used = sum(item is not None and item is not Ellipsis for item in items)
    if dots > 1:
        raise IndexError("an index can have only one '...'")
    if used > len(extents):
        raise IndexError(f"{used} indices for an array of {len(extents)} axes")
    if not dots:
        items = (*items, Ellipsis)
    start: list[int] = []
    count: list[int] = []
    step: list[int] = []
    shape: list[int] = []
    for item in items:
        if item is None:
            shape.append(1)
        elif item is Ellipsis:
            for extent in extents[len(start) : len(start) + len(extents) - used]:
                start.append(0)
                count.append(extent)
                step.append(1)
                shape.append(extent)
        elif isinstance(item, slice):
            first, stop, stride = item.indices(extents[len(start)])
            number = len(range(first, stop, stride))
            # An empty region begins at 0, because its first index can be beyond the array.
            start.append(first if number else 0)
            # The distance of a single element has no effect, and can be beyond 64 bits.
            step.append(stride if number > 1 else 1)
            count.append(number)
            shape.append(number)
        else:
            start.append(position(item, len(start), extents[len(start)]))
            count.append(1)
            step.append(1)
    is_scalar = not dots and used == len(extents) and not shape
    return Region(tuple(start), tuple(count), tuple(step), tuple(shape), is_scalar)


def position(item: Any, axis: int, extent: int) -> int:
    try:
        number = operator.index(item)
    except TypeError:
        raise IndexError(f"an index is an integer, a slice, '...' or None, not {type(item).__name__}") from None
    if not -extent <= number < extent:
        raise IndexError(f"index {number} is out of range for axis {axis} of {extent} elements")
    return number + extent if number < 0 else number
