"""Tables and columns of other packages, as objects with Arrow's protocol or as arrays of NumPy."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ._foreign import has_class, package_of, refuse_labelled

#: Their classes of arrays with one axis that also have Arrow's protocol.
ARRAYS = (("polars", "Series"), ("pyarrow", "Array"), ("pyarrow", "ChunkedArray"))


def arrow_table(value: Any) -> Any:
    """The table of another package as an object with Arrow's protocol; None for everything else."""
    if has_class(value, "pandas", "DataFrame"):
        return of_pandas(value)
    if any(has_class(value, package, name) for package, name in ARRAYS) or package_of(value) in ("pandas", "xarray"):
        return None
    is_table = hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")
    return value if is_table else None


def of_pandas(frame: Any) -> Any:
    """A data frame as a table of pyarrow. An index that is more than the numbers of the rows becomes columns.

    Without a name such a column is "index", or "level_0" and so on, as `reset_index` of pandas names them.
    """
    try:
        import pyarrow
    except ImportError:
        raise ImportError("data frames of pandas need the package pyarrow") from None
    index = frame.index
    is_number = type(index).__name__ == "RangeIndex" and index.name is None and (index.start, index.step) == (0, 1)
    try:
        return pyarrow.Table.from_pandas(frame if is_number else frame.reset_index(), preserve_index=False)
    except (ValueError, TypeError, pyarrow.ArrowException) as problem:
        # Errors of pyarrow have two texts, the reason and the column.
        raise TypeError(f"the data frame cannot be a table: {', '.join(map(str, problem.args))}") from problem


def arrow_column(value: Any) -> Any:
    """A table of Arrow whose only column has the values of a column of another package; None for everything else.

    A series of pandas whose type is one of NumPy is no such column.
    """
    package = package_of(value)
    if package == "pandas" and not has_class(value, "pandas", "DataFrame"):
        pandas = importlib.import_module("pandas")
        series = value if isinstance(value, pandas.Series) else pandas.Series(value)
        is_numpy = isinstance(series.dtype, np.dtype)
        return None if is_numpy else of_pandas(series.to_frame("values").reset_index(drop=True))
    if package == "polars" and has_class(value, "polars", "Series"):
        return value.to_frame("values")
    if package == "pyarrow" and (has_class(value, "pyarrow", "Array") or has_class(value, "pyarrow", "ChunkedArray")):
        return importlib.import_module("pyarrow").table({"values": value})
    return None


def numpy_column(value: Any) -> Any:
    """Values of a column without missing values, for which `arrow_column` is None."""
    if package_of(value) == "pandas" and not has_class(value, "pandas", "DataFrame"):
        return np.asarray(value)
    refuse_labelled(value)
    return value
