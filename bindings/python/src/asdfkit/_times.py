"""Points in time as `datetime64` of NumPy, in nanoseconds."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import POINTER, c_int64, c_void_p, cast
from typing import Any

import numpy as np

from ._library import Handle, check, extents, lib, pointer
from ._options import options_for
from .constants import TimeScale


class TimeHandle(Handle):
    """Handle of points in time."""

    __slots__ = ()
    _free = lib.asdf_time_free


def scale_of(name: str) -> int:
    """Number of a scale."""
    scales = {scale.name.lower(): scale.value for scale in TimeScale}
    if name not in scales:
        raise ValueError(f"{name!r} is not a scale; the scales are {', '.join(scales)}")
    return scales[name]


def read_times(node: Any, path: bytes, scale: str, options: Mapping[str, Any]) -> Any:
    """Reads times on the clock of a scale: a scalar or an array of `datetime64[ns]`."""
    with options_for("asdf_node_get_time", options) as made:
        handle = TimeHandle(pointer(lib.asdf_node_get_time, node, path, made.pointer))
    result = np.empty(extents(lib.asdf_time_shape, handle._pointer), dtype=np.int64)
    # INT64_MIN is both a missing time of the library and NaT.
    check(lib.asdf_time_read_nanoseconds(handle._pointer, scale_of(scale), longs(result), None, result.size))
    return result.view("datetime64[ns]")[()]


def times_of(values: Any, scale: str) -> TimeHandle:
    """Makes points in time of `datetime64` of any unit, or of what NumPy converts to it."""
    given = np.asarray(values, dtype="datetime64")
    times = np.array(given, dtype="datetime64[ns]", order="C")
    if not np.array_equal(times.astype(given.dtype), given, equal_nan=True):
        raise OverflowError("datetime64[ns] reaches from 1677-09-21 to 2262-04-11")
    shape = (c_int64 * max(1, times.ndim))(*times.shape)
    function, since = lib.asdf_time_from_nanoseconds, longs(times)
    return TimeHandle(pointer(function, since, times.ndim, shape, scale_of(scale), None))


def longs(array: Any) -> Any:
    """The memory of an array as 64-bit integers."""
    return cast(c_void_p(array.ctypes.data), POINTER(c_int64))
