"""Tables larger than memory, written to ASDF files in batches."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ._functions import CALLS, EVERY_CALL
from .ecsv import TableWriter, as_table
from .files import new


def stream_table(
    path: Any, batches: Iterable[Any], *, at: str = "table", standard: str | None = None, **options: Any
) -> int:
    """Writes a new ASDF file with a table that comes in batches, in memory that does not grow with the rows.

    Parameters
    ----------
    path : str or os.PathLike
        Name of the file.
    batches : iterable
        Tables with the same columns: `Table`, data frames, or anything with the Arrow interface. A `TableReader`, a
        `pyarrow.RecordBatchReader` and the batches of a `pyarrow.parquet.ParquetFile` are such iterables.
    at : str
        Path of the table in the tree.
    standard : str
        Version of the ASDF standard.
    replace, compression, ... :
        Options of `File.write` and of `TableWriter.into`. Until the file is written, the rows are in a temporary file
        without a name beside it, unless `temporary_directory` names another directory.

    Returns
    -------
    int
        Number of rows.

    Examples
    --------
    >>> asdfkit.stream_table("gaia.asdf", asdfkit.read_ecsv("gaia.ecsv.gz", batches=True), compression="lz4")
    """
    tables = map(as_table, batches)
    first = next(tables, None)
    if first is None:
        raise ValueError("there is no batch, so the columns are not known; give a table without rows")
    storing = {*CALLS["asdf_node_begin_table"], *EVERY_CALL}
    of_table = {"temporary_directory": os.path.dirname(os.fspath(path)) or "."}
    of_table |= {name: value for name, value in options.items() if name in storing}
    of_file = {name: value for name, value in options.items() if name in EVERY_CALL or name not in storing}
    rows = 0
    with new(standard=standard) as file:
        with TableWriter.into(file, at, first, **of_table) as writer:
            while first is not None:
                writer.write(first)
                rows += first.num_rows
                first = next(tables, None)
        file.write(path, **of_file)
    return rows
