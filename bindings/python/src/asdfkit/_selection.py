"""Indices with lists, arrays of integers and truth values: their elements are read and written in merged regions.

The result of `array[index]` is that of `array[...][index]` in NumPy. Indices along one axis are sorted; those that are
close to each other are read as one region. Points, which several arrays or a mask of the whole array give, are read in
boxes of bounded size.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._regions import Region, position

Values = np.ndarray[Any, Any]
#: Regions are merged if the gap between them has at most this many bytes.
GAP = 1 << 16
#: Maximum number of bytes of a merged region.
LARGEST = 16 << 20


@dataclass(frozen=True)
class Part:
    """A region of an array, and the places of its elements among the points of a selection.

    `picks` are indices into the axes of the region that have lists, one array for each; None if the region has no other
    elements, in the order of the points.
    """

    region: Region
    points: Any
    picks: tuple[Values, ...] | None


class Selection:
    """An index with lists or arrays, for an array of these extents.

    Its points are the elements of the lists, broadcast together; each has all elements of the slices of the index.
    """

    def __init__(self, index: Any, extents: tuple[int, ...]) -> None:
        self._extents = extents
        items = _expanded(index if isinstance(index, tuple) else (index,), extents)
        self._basic: dict[int, tuple[int, int, int]] = {}
        self._lists: dict[int, Values] = {}
        self._rest: list[int] = []
        places: list[int] = []
        slices: list[int] = []
        before = 0
        shapes: list[tuple[int, ...]] = []
        axis = 0
        for place, item in enumerate(items):
            if item is Ellipsis:
                continue
            if item is None:
                self._rest.append(1)
                continue
            if isinstance(item, slice):
                first, stop, step = item.indices(extents[axis])
                count = len(range(first, stop, step))
                self._basic[axis] = (first if count else 0, count, step if count > 1 else 1)
                self._rest.append(count)
                slices.append(count)
            else:
                before = before if places else len(self._rest)
                places.append(place)
                if isinstance(item, np.ndarray):
                    self._lists[axis] = _checked(item, axis, extents[axis])
                    shapes.append(item.shape)
                else:
                    self._basic[axis] = (position(item, axis, extents[axis]), 1, 1)
            axis += 1
        try:
            self._shape = np.broadcast_shapes(*shapes)
        except ValueError:
            raise IndexError(f"the lists of an index have shapes that do not match: {shapes}") from None
        self._lists = {axis: np.broadcast_to(numbers, self._shape).reshape(-1) for axis, numbers in self._lists.items()}
        # As in NumPy: the axes of the lists replace them if they are neighbours, and come first otherwise.
        is_split = places[-1] - places[0] != len(places) - 1
        self._before = 0 if is_split else before
        #: Number of points, and the numbers of elements along the slices.
        self.count = math.prod(self._shape)
        self.slices = tuple(slices)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the result."""
        rest = tuple(self._rest)
        return (*rest[: self._before], *self._shape, *rest[self._before :])

    def result(self, points: Values) -> Values:
        """The result of the points, an array of shape (count, *slices), without a copy."""
        rank = len(self._shape)
        order = [*range(rank, rank + self._before), *range(rank), *range(rank + self._before, rank + len(self._rest))]
        return points.reshape((*self._shape, *self._rest)).transpose(order)

    def points(self, result: Values) -> Values:
        """The points of a result, the reverse of `result`."""
        rank, before = len(self._shape), self._before
        order = [*range(before, before + rank), *range(before), *range(before + rank, result.ndim)]
        return result.transpose(order).reshape((self.count, *self.slices))

    def parts(self, item_size: int) -> Iterator[Part]:
        """Regions that hold all points."""
        if not self.count or 0 in self.slices:
            return
        point_size = max(1, item_size * math.prod(self.slices))
        if len(self._lists) == 1:
            ((axis, numbers),) = self._lists.items()
            yield from self._runs(axis, numbers, point_size)
        else:
            yield from self._boxes(np.stack(list(self._lists.values())), point_size)

    def _runs(self, axis: int, numbers: Values, size: int) -> Iterator[Part]:
        """Regions along one axis."""
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
        steps = np.diff(numbers)
        if steps.size and steps[0] > 0 and np.all(steps == steps[0]):
            yield Part(self._region({axis: (int(numbers[0]), numbers.size, int(steps[0]))}), order, None)
            return
        is_far = steps > max(1, GAP // size)
        is_far |= (steps > 1) & (np.diff(numbers // max(1, LARGEST // size)) > 0)
        for first, end in _ranges(is_far):
            own = numbers[first:end]
            low, count = int(own[0]), int(own[-1] - own[0]) + 1
            picks = None if count == own.size and np.all(steps[first : end - 1] == 1) else (own - low,)
            yield Part(self._region({axis: (low, count, 1)}), order[first:end], picks)

    def _boxes(self, numbers: Values, size: int) -> Iterator[Part]:
        """Boxes of points in several axes. `numbers` has a row for each axis."""
        order = self._order(numbers)
        if order is not None:
            numbers = numbers[:, order]
        ends = np.flatnonzero(np.append(np.diff(numbers[0]) != 0, True)) + 1
        starts = np.append(0, ends[:-1])
        lows = np.minimum.reduceat(numbers, starts, axis=1).T.tolist()
        highs = np.maximum.reduceat(numbers, starts, axis=1).T.tolist()
        rows = list(zip(starts.tolist(), ends.tolist(), lows, highs))
        for first, end, low, high in _merged(rows, size):
            own = numbers[:, first:end]
            if _volume(low, high) * size > max(LARGEST, GAP * (end - first)):
                # A single row of the first axis is too long.
                single = [(first + i, first + i + 1, p, p) for i, p in enumerate(own.T.tolist())]
                groups = list(_merged(single, size))
            else:
                groups = [(first, end, low, high)]
            for start, stop, lowest, highest in groups:
                spans = {
                    axis: (least, most - least + 1, 1)
                    for axis, least, most in zip(self._lists, lowest, highest, strict=True)
                }
                picks = tuple(numbers[row, start:stop] - least for row, least in enumerate(lowest))
                places = slice(start, stop) if order is None else order[start:stop]
                yield Part(self._region(spans), places, picks)

    def _order(self, numbers: Values) -> Values | None:
        """Order in which points follow one another in the file; None if they do so, as those of a mask."""
        extents = [self._extents[axis] for axis in self._lists]
        if math.prod(extents) >= 2**63:
            return np.lexsort(numbers[::-1])
        places = np.ravel_multi_index(tuple(numbers), extents)
        return None if np.all(places[1:] >= places[:-1]) else np.argsort(places, kind="stable")

    def _region(self, spans: dict[int, tuple[int, int, int]]) -> Region:
        every = {**self._basic, **spans}
        start, count, step = zip(*(every[axis] for axis in range(len(self._extents))))
        return Region(start, count, step, count, False)

    def of_region(self, values: Values) -> Values:
        """Elements of a region with the axes of the lists first, and without those of single indices. No copy."""
        lists = list(self._lists)
        rank = len(lists)
        moved = np.moveaxis(values, lists, range(rank))
        return moved.reshape((*moved.shape[:rank], *self.slices))

    def read(self, read: Callable[[Region], Values], dtype: Any) -> Values:
        """All points, of which `read` reads regions."""
        points = np.empty((self.count, *self.slices), dtype)
        for part in self.parts(points.dtype.itemsize):
            values = self.of_region(read(part.region))
            points[part.points] = values if part.picks is None else values[part.picks]
        return self.result(points)

    def write(
        self, elements: Values, read: Callable[[Region], Values], write: Callable[[Region, Values], None]
    ) -> None:
        """Writes all points. A region with other elements is read, changed and written. Of equal points the last counts."""
        points = self.points(elements)
        for part in self.parts(points.dtype.itemsize):
            values = np.empty(part.region.count, points.dtype) if part.picks is None else read(part.region)
            view = self.of_region(values)
            if view.base is None or not np.shares_memory(view, values):
                raise AssertionError("the axes of a region are moved without a copy")
            view[... if part.picks is None else part.picks] = points[part.points]
            write(part.region, values)


def is_fancy(index: Any) -> bool:
    """Whether an index of NumPy has lists, arrays or truth values."""
    return any(map(_is_list, index if isinstance(index, tuple) else (index,)))


def _is_list(item: Any) -> bool:
    if isinstance(item, (bool, np.bool_, list, tuple, range)):
        return True
    return bool(getattr(item, "ndim", 0) or (hasattr(item, "dtype") and getattr(item.dtype, "kind", "") == "b"))


def _expanded(items: tuple[Any, ...], extents: tuple[int, ...]) -> list[Any]:
    """Items for each axis and each None: masks as arrays of numbers, and slices in place of '...'.

    A '...' that stands for no axis stays: it separates lists, too.
    """
    made = [_numbers(item) if _is_list(item) else item for item in items]
    dots = sum(item is Ellipsis for item in made)
    if dots > 1:
        raise IndexError("an index can have only one '...'")
    used = sum(_axes(item) for item in made)
    if used > len(extents):
        raise IndexError(f"{used} indices for an array of {len(extents)} axes")
    if not dots:
        made.append(Ellipsis)
    result: list[Any] = []
    axis = 0
    for item in made:
        if item is Ellipsis:
            result += [slice(None)] * (len(extents) - used) or [Ellipsis]
            axis += len(extents) - used
        elif isinstance(item, np.ndarray) and item.dtype.kind == "b":
            if item.shape != extents[axis : axis + item.ndim]:
                own = extents[axis : axis + item.ndim]
                raise IndexError(f"the mask has the shape {item.shape}, and the array {own} along its axes")
            result += item.nonzero()
            axis += item.ndim
        else:
            result.append(item)
            axis += _axes(item)
    return result


def _axes(item: Any) -> int:
    """Number of axes that an item is for."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if isinstance(item, np.ndarray) and item.dtype.kind == "b" else 1


def _numbers(item: Any) -> Values:
    """A list of an index as an array of integers or truth values."""
    if isinstance(item, np.ma.MaskedArray):
        if item.dtype.kind != "b" and np.ma.is_masked(item):
            raise IndexError("an index cannot have missing elements")
        item = item.filled(False) if item.dtype.kind == "b" else item.data  # a missing comparison selects nothing
    numbers = np.asarray(item)
    if not numbers.size and not isinstance(item, np.ndarray):
        numbers = numbers.astype(np.intp)
    if numbers.dtype.kind == "b" and not numbers.ndim:
        raise IndexError("a single truth value is no index; a mask has one for each element")
    if numbers.dtype.kind not in "biu":
        raise IndexError(f"an index has integers or truth values, not {numbers.dtype}")
    return numbers


def _checked(numbers: Values, axis: int, extent: int) -> Values:
    """Indices along an axis, all of them from the beginning."""
    if numbers.size:
        for number in (int(numbers.min()), int(numbers.max())):
            position(operator.index(number), axis, extent)
    numbers = numbers.astype(np.int64)
    return np.where(numbers < 0, numbers + extent, numbers)


def _ranges(is_cut: Values) -> Iterator[tuple[int, int]]:
    """Ranges between cuts; the cut i is behind the element i."""
    cuts = [0, *(np.flatnonzero(is_cut) + 1).tolist(), is_cut.size + 1]
    return itertools.pairwise(cuts)


Box = tuple[int, int, list[int], list[int]]


def _merged(rows: list[Box], size: int) -> Iterator[Box]:
    """Merges boxes of points that follow one another, as long as they have few other elements."""
    first, end, low, high = rows[0]
    for start, stop, lowest, highest in rows[1:]:
        least, most = list(map(min, low, lowest)), list(map(max, high, highest))
        bytes_ = _volume(least, most) * size
        if bytes_ <= LARGEST and bytes_ <= GAP * (stop - first):
            end, low, high = stop, least, most
        else:
            yield first, end, low, high
            first, end, low, high = start, stop, lowest, highest
    yield first, end, low, high


def _volume(low: list[int], high: list[int]) -> int:
    return math.prod(most - least + 1 for least, most in zip(low, high))
