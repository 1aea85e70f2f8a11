"""Methods of NumPy for arrays of a file: sums and extremes in one pass, in memory that does not grow with the array."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

#: Maximum number of bytes that are read at once.
PIECE = 32 << 20


class Reductions:
    """Methods of `Array` that NumPy's arrays have, too. Missing elements are left out."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def dtype(self) -> np.dtype[Any]:
        raise NotImplementedError

    def read(self, index: Any = ..., **options: Any) -> Any:
        raise NotImplementedError

    @property
    def itemsize(self) -> int:
        """Size of an element in memory, in bytes."""
        return self.dtype.itemsize

    @property
    def T(self) -> NDArray[Any]:
        """Reads the whole array, and returns it with its axes in reverse order."""
        transposed: NDArray[Any] = self.read().T if self.shape else np.asanyarray(self.read())
        return transposed

    def astype(self, dtype: DTypeLike, **options: Any) -> NDArray[Any]:
        """Reads the whole array as elements of another dtype. An element that does not fit is an `ArrayError`."""
        result: NDArray[Any] = np.asanyarray(self.read(dtype=dtype, **options))
        return result

    def tolist(self) -> Any:
        """Reads the whole array into nested lists of Python's numbers and texts; None where an element is missing."""
        return np.asanyarray(self.read()).tolist()

    def min(self, axis: Any = None, out: Any = None, keepdims: bool = False, **options: Any) -> Any:
        """Smallest element, of all or along axes, as `numpy.min`. The array is read piece by piece."""
        return reduced(self, "min", axis, None, out, keepdims, options)

    def max(self, axis: Any = None, out: Any = None, keepdims: bool = False, **options: Any) -> Any:
        """Largest element, of all or along axes, as `numpy.max`. The array is read piece by piece."""
        return reduced(self, "max", axis, None, out, keepdims, options)

    def sum(
        self, axis: Any = None, dtype: DTypeLike | None = None, out: Any = None, keepdims: bool = False, **options: Any
    ) -> Any:
        """Sum, of all elements or along axes, as `numpy.sum`. The array is read piece by piece.

        Sums of several pieces are computed with 64 bits at least. Options are those of `read`, such as `threads`.
        """
        return reduced(self, "sum", axis, dtype, out, keepdims, options)

    def mean(
        self, axis: Any = None, dtype: DTypeLike | None = None, out: Any = None, keepdims: bool = False, **options: Any
    ) -> Any:
        """Mean, of all elements or along axes, as `numpy.mean`. The array is read piece by piece."""
        return reduced(self, "mean", axis, dtype, out, keepdims, options)

    def var(
        self,
        axis: Any = None,
        dtype: DTypeLike | None = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        **options: Any,
    ) -> Any:
        """Variance, of all elements or along axes, as `numpy.var`. The array is read piece by piece."""
        return reduced(self, "var", axis, dtype, out, keepdims, options, ddof)

    def std(
        self,
        axis: Any = None,
        dtype: DTypeLike | None = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        **options: Any,
    ) -> Any:
        """Standard deviation, of all elements or along axes, as `numpy.std`. The array is read piece by piece."""
        return reduced(self, "std", axis, dtype, out, keepdims, options, ddof)


def reduced(
    array: Reductions,
    name: str,
    axis: Any,
    dtype: Any,
    out: Any,
    keepdims: bool,
    options: dict[str, Any],
    ddof: float | None = None,
) -> Any:
    given: dict[str, Any] = {key: options.pop(key) for key in ("where", "initial") if key in options}
    axes = normalized(axis, len(array.shape))
    if given or math.prod(array.shape) * array.dtype.itemsize <= PIECE:
        if dtype is not None:
            given["dtype"] = dtype
        if ddof is not None:
            given["ddof"] = ddof
        elements = np.asanyarray(array.read(**options))
        result = getattr(elements, name)(axis=axes, keepdims=keepdims, **given)
    else:
        result = streamed(array, name, axes, dtype, options, ddof)
        if not keepdims:
            result = result.squeeze(axes)
        if not result.ndim:
            result = result[()]
    if out is None:
        return result
    out[...] = result
    return out


def normalized(axis: Any, rank: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(rank))
    given = [operator.index(each) for each in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    for each in given:
        if not -rank <= each < rank:
            raise np.exceptions.AxisError(each, rank)
    axes = tuple(each % rank for each in given)
    if len(set(axes)) != len(axes):
        raise ValueError("an axis occurs twice")
    return axes


def pieces(shape: tuple[int, ...], most: int) -> Iterator[tuple[slice, ...]]:
    """Parts of at most that many elements, in the order of the file."""
    cut = 0
    while cut < len(shape) - 1 and math.prod(shape[cut + 1 :]) > most:
        cut += 1
    length = max(1, most // max(1, math.prod(shape[cut + 1 :])))
    for outer in np.ndindex(*shape[:cut]):
        for first in range(0, shape[cut], length):
            yield (*(slice(index, index + 1) for index in outer), slice(first, min(first + length, shape[cut])))


def streamed(
    array: Reductions, name: str, axes: tuple[int, ...], dtype: Any, options: dict[str, Any], ddof: float | None
) -> Any:
    """Result with one element along the reduced axes."""
    rank = len(array.shape)
    total: Any = None
    for index in pieces(array.shape, PIECE // array.dtype.itemsize):
        values = np.asanyarray(array.read(index, **options))
        if total is None:
            shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(array.shape))
            if ddof is not None:
                total = Spreads(name, shape, values.dtype, dtype, ddof)
            else:
                total = (Sums if name in ("sum", "mean") else Extremes)(name, shape, values.dtype, dtype)
        whole = (*index, *[slice(None)] * (rank - len(index)))
        total.add(tuple(slice(0, 1) if axis in axes else whole[axis] for axis in range(rank)), values, axes)
    return total.result()


class Sums:
    """Sums and counts of pieces, and their means."""

    def __init__(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], wanted: Any) -> None:
        self._is_mean = name == "mean"
        # NumPy decides the dtype of the result.
        one = np.zeros(1, dtype)
        self._dtype = (one.mean(dtype=wanted) if self._is_mean else one.sum(dtype=wanted)).dtype
        wide = {"f": np.float64, "c": np.complex128}.get(self._dtype.kind)
        self._sums = np.zeros(shape, self._dtype if wide is None else np.result_type(self._dtype, wide))
        self._counts = np.zeros(shape, np.int64)
        self._is_masked = False

    def add(self, place: tuple[slice, ...], values: Any, axes: tuple[int, ...]) -> None:
        sums = values.sum(axis=axes, dtype=self._sums.dtype, keepdims=True)
        if isinstance(values, np.ma.MaskedArray):
            self._is_masked = True
            self._sums[place] += np.ma.filled(sums, 0)
            self._counts[place] += values.count(axis=axes, keepdims=True)
        else:
            self._sums[place] += sums
            self._counts[place] += math.prod(values.shape[axis] for axis in axes)

    def result(self) -> Any:
        missing = self._counts == 0
        sums = self._sums / np.maximum(self._counts, 1) if self._is_mean else self._sums
        result = sums.astype(self._dtype, copy=False)
        return np.ma.MaskedArray(result, missing) if self._is_masked else result


class Spreads:
    """Variances of pieces, or their roots. Those of two pieces are put together by the method of Chan and others."""

    def __init__(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], wanted: Any, ddof: float) -> None:
        self._is_root = name == "std"
        self._ddof = ddof
        self._dtype = np.zeros(1, dtype).var(dtype=wanted).dtype
        self._wide = np.result_type(np.zeros(1, dtype).mean(dtype=wanted).dtype, np.float64)
        self._counts = np.zeros(shape, np.int64)
        self._means = np.zeros(shape, self._wide)
        self._squares = np.zeros(shape, np.result_type(self._dtype, np.float64))
        self._is_masked = False

    def add(self, place: tuple[slice, ...], values: Any, axes: tuple[int, ...]) -> None:
        self._is_masked |= isinstance(values, np.ma.MaskedArray)
        present = ~np.ma.getmaskarray(values)
        elements = np.where(present, np.ma.getdata(values), 0).astype(self._wide, copy=False)
        counts = present.sum(axis=axes, keepdims=True)
        means = elements.sum(axis=axes, keepdims=True) / np.maximum(counts, 1)
        distances = np.where(present, elements - means, 0)
        squares = (distances * distances.conj()).real.sum(axis=axes, keepdims=True)
        total = self._counts[place] + counts
        between = means - self._means[place]
        share = counts / np.maximum(total, 1)
        self._squares[place] += squares + (between * between.conj()).real * self._counts[place] * share
        self._means[place] += between * share
        self._counts[place] = total

    def result(self) -> Any:
        freedom = self._counts - self._ddof
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = self._squares / np.where(freedom > 0, freedom, 0)
        result = (np.sqrt(spread) if self._is_root else spread).astype(self._dtype, copy=False)
        return np.ma.MaskedArray(result, freedom <= 0) if self._is_masked else result


class Extremes:
    """Smallest or largest elements of pieces."""

    def __init__(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], _: Any) -> None:
        self._name = name
        self._choose = np.minimum if name == "min" else np.maximum
        self._best = np.zeros(shape, dtype)
        self._is_found = np.zeros(shape, bool)
        self._is_masked = False

    def add(self, place: tuple[slice, ...], values: Any, axes: tuple[int, ...]) -> None:
        found = getattr(values, self._name)(axis=axes, keepdims=True)
        self._is_masked |= isinstance(values, np.ma.MaskedArray)
        is_present = ~np.ma.getmaskarray(found)
        elements = np.ma.getdata(found)
        best, is_found = self._best[place], self._is_found[place]
        better = np.where(is_found, self._choose(best, elements), elements)
        self._best[place] = np.where(is_present, better, best)
        self._is_found[place] = is_found | is_present

    def result(self) -> Any:
        return np.ma.MaskedArray(self._best, ~self._is_found) if self._is_masked else self._best
