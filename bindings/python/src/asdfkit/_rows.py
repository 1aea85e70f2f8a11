"""Rows of tables: numbers, masks and slices of Python as those of the library."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_int32, c_void_p
from typing import Any

import numpy as np

from ._library import encoded, int64, lib
from ._memory import longs
from ._options import options_for

#: Number of rows or columns that stands for all of them.
ALL = -1
#: Number of rows that are read at once in a loop over rows.
BATCH = 1024


def selected(table: int, rows: Any, columns: Any, options: dict[str, Any]) -> int:
    """Handle of a table of some rows and columns. None stands for all of them."""
    if isinstance(rows, (slice, range)):
        part = sliced(table, rows, options)
        if columns is None:
            return part
        try:
            return selected(part, None, columns, options)
        finally:
            lib.asdf_table_free(part)
    numbers, mask = numbers_and_mask(rows, int64(lib.asdf_table_row_count, table))
    names = None if columns is None else _names(columns)
    with options_for("asdf_table_select", options) as made:
        found = c_void_p()
        made.check(
            lib.asdf_table_select(
                table,
                None if numbers is None or not numbers.size else longs(numbers),
                ALL if numbers is None else numbers.size,
                None if mask is None else mask.ctypes.data,
                0 if mask is None else mask.size,
                names,
                ALL if names is None else len(names),
                made.pointer,
                byref(found),
            )
        )
        return found.value or 0


def sliced(table: int, rows: slice | range, options: dict[str, Any]) -> int:
    """Handle of a table of the rows of a slice."""
    count = int64(lib.asdf_table_row_count, table)
    numbers = range(count)[rows] if isinstance(rows, slice) else rows
    first = numbers[0] if numbers else 0
    with options_for("asdf_table_slice", options) as made:
        found = c_void_p()
        step = max(-(2**63), min(numbers.step, 2**63 - 1))
        made.check(lib.asdf_table_slice(table, first, len(numbers), step, made.pointer, byref(found)))
        return found.value or 0


def sorted_by(table: int, columns: Sequence[str], descending: bool | Sequence[bool], options: dict[str, Any]) -> int:
    """Handle of a table that is sorted by columns."""
    flags = [descending] * len(columns) if isinstance(descending, (bool, np.bool_)) else list(descending)
    if len(flags) != len(columns):
        raise ValueError(f"descending has {len(flags)} values for {len(columns)} columns")
    with options_for("asdf_table_sort", options) as made:
        found = c_void_p()
        numbers = (c_int32 * len(flags))(*map(bool, flags))
        made.check(lib.asdf_table_sort(table, _names(columns), numbers, len(columns), made.pointer, byref(found)))
        return found.value or 0


def numbers_and_mask(rows: Any, count: int) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Numbers of rows from 0, or a mask with a byte for each row; None for both stands for all rows."""
    if rows is None:
        return None, None
    if isinstance(rows, np.ma.MaskedArray):  # a comparison with a missing element selects nothing
        if rows.dtype.kind != "b" and np.ma.is_masked(rows):
            raise ValueError("row numbers cannot be missing")
        rows = rows.filled(False) if rows.dtype.kind == "b" else rows.data
    found = np.asarray(rows)
    if found.size == 0 and found.dtype.kind == "f":  # an empty list
        found = found.astype(np.int64)
    if found.ndim != 1 or found.dtype.kind not in "biu":
        raise TypeError(
            "rows are a slice, a mask, or a list of row numbers, "
            f"not {'an array of shape ' + str(found.shape) if found.ndim != 1 else type(rows).__name__}"
        )
    if found.dtype.kind == "b":
        if len(found) != count:
            raise IndexError(f"the mask has {len(found)} elements, and the table {count} rows")
        return None, np.ascontiguousarray(found).view(np.uint8)
    if found.dtype.kind == "u" and found.size and int(found.max()) > np.iinfo(np.int64).max:
        raise IndexError(f"row {found.max()} does not exist: the table has {count} rows")
    numbers = found.astype(np.int64)
    numbers[numbers < 0] += count
    return numbers, None


def range_of(rows: slice | range | None, total: int | None) -> tuple[int, int]:
    """First row and number of rows. Without a total, the count is -1 for all following rows."""
    if rows is None:
        return 0, -1 if total is None else total
    if not isinstance(rows, (slice, range)):
        raise TypeError(f"rows must be a slice or a range, not {type(rows).__name__}")
    start = 0 if rows.start is None else operator.index(rows.start)
    stop = None if rows.stop is None else operator.index(rows.stop)
    if (1 if rows.step is None else rows.step) != 1:
        raise ValueError("rows are read in steps of one")
    if total is not None:
        start, stop, _ = slice(start, stop).indices(total)
    elif start < 0 or (stop is not None and stop < 0):
        raise ValueError("rows of a file are counted from its beginning: they cannot be negative")
    return start, -1 if stop is None else max(0, stop - start)


def cells(values: Any) -> list[Any]:
    """Cells of a column as values of Python; None for a missing cell. Times and cells with axes stay values of NumPy."""
    missing = np.ma.getmaskarray(values)
    if values.ndim > 1:
        return [None if row.all() else cell for cell, row in zip(values, missing.reshape(len(values), -1))]
    found = list(np.ma.getdata(values)) if values.dtype.kind in "mM" else np.ma.getdata(values).tolist()
    return [None if gone else cell for cell, gone in zip(found, missing)] if missing.any() else found


def region(rows: Any, count: int) -> tuple[int, int, bool]:
    """First row and number of rows of a row number or of a slice in steps of one, and whether it is a row number."""
    if isinstance(rows, slice):
        first, stop, step = rows.indices(count)
        if step != 1:
            raise ValueError("cells are replaced in rows that follow one another")
        return first, max(0, stop - first), False
    if not hasattr(rows, "__index__"):
        raise TypeError(f"the rows of cells are a number or a slice, not {type(rows).__name__}")
    row = operator.index(rows)
    if not -count <= row < count:
        raise IndexError(f"row {row} does not exist: the table has {count} rows")
    return row % count, 1, True


def are_names(key: Any) -> bool:
    """Whether a key is a list of names of columns."""
    if isinstance(key, np.ndarray):
        return key.dtype.kind == "U" and key.ndim == 1
    return isinstance(key, (list, tuple)) and bool(key) and all(isinstance(name, str) for name in key)


def _names(columns: Any) -> Any:
    if isinstance(columns, str):
        raise TypeError("columns are a list of names, not one text")
    return (c_char_p * len(columns))(*(encoded(name, "name of a column") for name in columns))
