"""Tables of other packages, which become a `Table`, and their columns."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from ._foreign import has_class, package_of, refuse_labelled

if TYPE_CHECKING:
    from .tables import Table

#: Their classes of arrays with one axis that also have Arrow's protocol.
ARRAYS = (("polars", "Series"), ("pyarrow", "Array"), ("pyarrow", "ChunkedArray"))


def table_of(value: Any) -> Table | None:
    """The table of another package as a `Table`; None for everything else."""
    from .tables import Table

    if isinstance(value, Table):
        return value
    if has_class(value, "astropy.table", "Table"):
        return Table.from_astropy(value)
    if has_class(value, "pandas", "DataFrame"):
        return of_pandas(value)
    if any(has_class(value, package, name) for package, name in ARRAYS) or package_of(value) in ("pandas", "xarray"):
        return None
    is_table = hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")
    return Table.from_arrow(value) if is_table else None


def of_pandas(frame: Any) -> Table:
    """A data frame as a table. An index that is more than the numbers of the rows becomes columns."""
    from .tables import Table

    try:
        import pyarrow
    except ImportError:
        raise ImportError("data frames of pandas need the package pyarrow") from None
    index = frame.index
    is_number = type(index).__name__ == "RangeIndex" and index.name is None and (index.start, index.step) == (0, 1)
    try:
        arrow = pyarrow.Table.from_pandas(frame, preserve_index=not is_number)
    except (ValueError, TypeError, pyarrow.ArrowException) as problem:
        # Errors of pyarrow have two texts, the reason and the column.
        raise TypeError(f"the data frame cannot be a table: {': '.join(map(str, problem.args))}") from problem
    made = Table.from_arrow(arrow)
    if frame.attrs:
        made.meta = dict(frame.attrs)
    return made


def column_values(value: Any) -> Any:
    """Values of a column of another package as an array of NumPy, with a mask if it has missing values."""
    from .tables import Table

    package = package_of(value)
    if package == "pandas" and not has_class(value, "pandas", "DataFrame"):
        pandas = importlib.import_module("pandas")
        series = value if isinstance(value, pandas.Series) else pandas.Series(value)
        if isinstance(series.dtype, np.dtype):
            return np.asarray(series)
        return of_pandas(series.to_frame("values").reset_index(drop=True))["values"]
    if package == "polars" and has_class(value, "polars", "Series"):
        return Table.from_arrow(value.to_frame("values"))["values"]
    if package == "pyarrow" and (has_class(value, "pyarrow", "Array") or has_class(value, "pyarrow", "ChunkedArray")):
        pyarrow = importlib.import_module("pyarrow")
        return Table.from_arrow(pyarrow.table({"values": value}))["values"]
    refuse_labelled(value)
    return value
