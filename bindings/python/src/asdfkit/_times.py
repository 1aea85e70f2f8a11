"""Points in time as `datetime64` of NumPy, in nanoseconds."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from ctypes import byref, c_int32, c_int64
from typing import Any

import numpy as np

from ._foreign import has_class
from ._library import Handle, check, extents, int32, lib, pointer
from ._memory import doubles, longs
from ._options import options_for
from .constants import Kind, Status, TimeScale
from .errors import AsdfError


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


def read_times(node: Any, path: bytes, scale: str, rounded: bool, options: Mapping[str, Any]) -> Any:
    """Reads times on the clock of a scale: a scalar or an array of `datetime64[ns]`."""
    with options_for("asdf_node_get_time", options) as made:
        handle = TimeHandle(pointer(lib.asdf_node_get_time, node, path, made.pointer))
    result = np.empty(extents(lib.asdf_time_shape, handle._pointer), dtype=np.int64)
    rests = np.empty(result.shape)
    # INT64_MIN is both a missing time of the library and NaT.
    check(
        lib.asdf_time_read_nanoseconds(
            handle._pointer, scale_of(scale), longs(result), doubles(rests) if rounded else None, result.size
        )
    )
    return result.view("datetime64[ns]")[()]


def times_of(values: Any, scale: str) -> TimeHandle:
    """Makes points in time of `datetime64` of any unit, or of what NumPy converts to it."""
    if has_class(values, "astropy.time", "Time"):
        raise TypeError("a Time of astropy has a scale and a format: set it by file[path] = time")
    given = np.asarray(values, dtype="datetime64")
    times = np.array(given, dtype="datetime64[ns]", order="C")
    if not np.array_equal(times.astype(given.dtype), given, equal_nan=True):
        raise OverflowError("datetime64[ns] reaches from 1677-09-21 to 2262-04-11")
    shape = (c_int64 * max(1, times.ndim))(*times.shape)
    function, since = lib.asdf_time_from_nanoseconds, longs(times)
    return TimeHandle(pointer(function, since, times.ndim, shape, scale_of(scale), None))


def of_objects(values: Any) -> Any:
    """A list of dates, datetimes or timedeltas as an array of NumPy, with NaT for None; other lists unchanged."""
    present = [value for value in values if value is not None and value is not np.ma.masked]
    for kind, dtype in ((datetime.datetime, "M8[us]"), (datetime.date, "M8[D]"), (datetime.timedelta, "m8[us]")):
        if present and all(isinstance(value, kind) for value in present):
            items = [value if isinstance(value, kind) else "NaT" for value in values]
            exact = [item.to_numpy() if hasattr(item, "to_numpy") else in_utc(item) for item in items]
            return np.array(exact) if all(map(is_numpy, exact)) else np.array(exact, dtype)
    return values


def is_numpy(value: Any) -> bool:
    return isinstance(value, (np.datetime64, np.timedelta64))


def in_utc(value: Any) -> Any:
    """A datetime without a zone; one with a zone on the clock of UTC."""
    if not isinstance(value, datetime.datetime) or value.tzinfo is None:
        return value
    return value.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def add_times(table: int, name: bytes, times: np.ndarray, missing: np.ndarray | None) -> None:
    """Adds a column of `datetime64`: a Time of astropy in UTC, or dates if the unit is a day or more."""
    handle = times_of(with_nat(times, missing), "utc")
    if np.datetime_data(times.dtype)[0] in ("D", "W", "M", "Y"):
        handle = TimeHandle(pointer(lib.asdf_time_with_dates, handle._pointer))
    check(lib.asdf_table_add_time(table, name, handle._pointer))


def add_spans(table: int, name: bytes, spans: np.ndarray, missing: np.ndarray | None) -> None:
    """Adds a column of `timedelta64`: a TimeDelta of astropy."""
    given = with_nat(spans, missing)
    if np.datetime_data(given.dtype)[0] in ("M", "Y"):
        raise TypeError("months and years have no fixed length; use timedelta64 of days or less")
    exact = np.array(given, dtype="timedelta64[ns]", order="C")
    if not np.array_equal(exact.astype(given.dtype), given, equal_nan=True):
        raise OverflowError("timedelta64[ns] reaches 292 years")
    jd1, jd2 = np.empty(exact.shape), np.empty(exact.shape)
    check(lib.asdf_time_delta_from_nanoseconds(longs(exact), exact.size, doubles(jd1), doubles(jd2), exact.size))
    shape = exact.shape[1:]
    cell = (c_int64 * max(1, len(shape)))(*shape)
    check(lib.asdf_table_add_time_delta(table, name, doubles(jd1), doubles(jd2), len(shape), cell, 0, b"sec"))


def set_cells(table: int, name: bytes, first: int, count: int, values: Any, is_one: bool) -> bool:
    """Replaces cells of a column of times by `datetime64`, datetimes, times of astropy, or NaT for None.

    False for a column or for values of another kind.
    """
    kind = c_int32()
    if lib.asdf_table_time_kind(table, name, byref(kind)) != 0 or kind.value != Kind.TIME:
        return False
    if hasattr(values, "datetime64") and hasattr(values, "utc"):
        values = values.utc.datetime64
    missing = values is None or values is np.ma.masked
    given = np.asarray("NaT" if missing else values, dtype="datetime64[ns]" if missing else None)
    if given.dtype.kind == "O" and all(isinstance(item, (datetime.date, type(None))) for item in given.flat):
        given = given.astype("datetime64[us]")
    if given.dtype.kind != "M":
        return False
    if not is_one and not missing and (given.ndim == 0 or len(given) != count):
        raise ValueError(f"column {name.decode()!r}: {count} cells need as many times")
    given = with_nat(given, np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None)
    own = TimeHandle(pointer(lib.asdf_table_time, table, name, None))
    cells = np.broadcast_to(given, (count, *extents(lib.asdf_time_shape, own._pointer)[1:]))
    times = times_of(cells, "utc")
    check(lib.asdf_table_set_time(table, name, first, times._pointer))
    return True


def with_nat(array: np.ndarray, missing: np.ndarray | None) -> np.ndarray:
    """The array with NaT for missing items."""
    if missing is None or not missing.any():
        return array
    return np.where(missing, np.array("NaT", dtype=array.dtype), array)


def read_column(table: int, name: bytes, shape: tuple[int, ...]) -> Any:
    """A column of times as `datetime64[ns]` in UTC or of spans as `timedelta64[ns]`, NaT for missing ones.

    None for a column of another kind, and if nanoseconds do not hold the times exactly.
    """
    kind = int32(lib.asdf_table_time_kind, table, name)
    try:
        if kind == Kind.TIME:
            handle = TimeHandle(pointer(lib.asdf_table_time, table, name, None))
            result = np.empty(extents(lib.asdf_time_shape, handle._pointer), dtype=np.int64)
            clock = scale_of("utc")
            check(lib.asdf_time_read_nanoseconds(handle._pointer, clock, longs(result), None, result.size))
            unit = "D" if int32(lib.asdf_time_has_dates, handle._pointer) else "ns"
            return result.view("datetime64[ns]").astype(f"datetime64[{unit}]", copy=False)
        if kind == Kind.TIME_DELTA:
            count = c_int64()
            check(lib.asdf_table_read_time_delta(table, name, None, None, 0, byref(count), None))
            jd1, jd2 = np.empty(count.value), np.empty(count.value)
            if count.value:
                given = doubles(jd1), doubles(jd2), count.value
                check(lib.asdf_table_read_time_delta(table, name, *given, byref(count), None))
            result = np.empty(count.value, dtype=np.int64)
            check(
                lib.asdf_time_delta_to_nanoseconds(
                    doubles(jd1), doubles(jd2), count.value, longs(result), None, count.value
                )
            )
            return result.view("timedelta64[ns]").reshape(shape)
    except AsdfError as error:
        if error.status not in (Status.VALUE_RANGE, Status.OUT_OF_RANGE, Status.UNSUPPORTED, Status.WRONG_TYPE):
            raise
    return None
