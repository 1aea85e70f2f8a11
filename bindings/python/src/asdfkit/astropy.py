"""Tables of astropy from and to tables of asdfkit, and formats of astropy's unified I/O.

Importing this module registers

- `Table.read(path, format="asdfkit.ecsv")` and `table.write(path, format="asdfkit.ecsv")`
- `Table.read(path, format="ecsv", engine="asdfkit")` where astropy has engines for ECSV (astropy 7.2 and later)
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

import astropy.table as astropy_table
import numpy as np
from astropy.io import registry

from ._astropy_tables import MASKED_COLUMN, in_least_class, make_indices, to_astropy
from .ecsv import read_ecsv, write_ecsv
from .tables import Table

__all__ = ["from_astropy", "to_astropy"]


def from_astropy(table: Any) -> Table:
    """Copies a table of astropy, with units, masks, descriptions, formats and metadata.

    Columns of other classes (Time, SkyCoord, Quantity, ...) become plain columns. The metadata say what they were, as
    in ECSV files of astropy, so that `to_astropy` makes the same objects again.

    Parameters
    ----------
    table : astropy.table.Table or QTable
        The table.
    """
    return Table.from_astropy(table)


def _read(source: Any, **options: Any) -> Any:
    """Reader of the format "asdfkit.ecsv"; the options are those of `asdfkit.read_ecsv` without batches."""
    if options.get("batches"):
        raise TypeError("Table.read() returns one table; asdfkit.read_ecsv() reads batches")
    if isinstance(source, (list, tuple)):
        source = "\n".join(source).encode()
    elif isinstance(source, str) and "\n" in source:
        source = source.encode()
    made = in_least_class(read_ecsv(source, **options))
    make_indices(made)
    return made


def _write(table: Any, target: Any, overwrite: bool = False, **options: Any) -> None:
    """Writer of the format "asdfkit.ecsv"; the options are those of `asdfkit.write_ecsv`."""
    if overwrite:
        options["replace"] = True
    if not hasattr(target, "write"):
        write_ecsv(Table.from_astropy(table), target, **options)
        return
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "table.ecsv")
        write_ecsv(Table.from_astropy(table), path, **options)
        with open(path, encoding="utf-8", newline="") as file:
            content = file.read()
    try:
        target.write(content)
    except TypeError:  # a file of bytes
        target.write(content.encode())


def _read_fields(source: Any, *, delimiter: str, encoding: str, header: Any, null_values: Any) -> Any:
    """Reader of the engine: the fields of the rows, with those of JSON as texts, which astropy converts."""
    if encoding.lower().replace("_", "-") not in ("utf-8", "utf8", "ascii"):
        raise ValueError(f"engine='asdfkit' reads UTF-8, not {encoding}")
    columns = [
        {"name": column.name, "datatype": "string" if column.csv_np_type == "str" else column.csv_np_type}
        for column in header.cols
    ]
    lines = ["%ECSV 1.0", "---", "datatype:", *(f"- {json.dumps(column)}" for column in columns)]
    lines.append(f"delimiter: {json.dumps(delimiter)}")
    table = read_ecsv(
        source,
        null_values=[value for value in null_values if value],
        header_text="\n".join(f"# {line}" for line in lines) + "\n",
    )
    unfilled = _unmasked_texts(header.table_meta)
    made = {}
    for name in table.names:
        values = table[name]
        made[name] = (
            values.filled("") if name in unfilled and values.dtype.kind == "U" and np.ma.isMA(values) else values
        )
    return astropy_table.Table(made, copy=False)


def _unmasked_texts(meta: dict[str, Any]) -> set[str]:
    """Names of columns of texts whose mask is another column, so that their empty texts are texts."""
    columns = meta.get("__serialized_columns__", {})
    return {name for name, column in columns.items() if column.get("__class__") == MASKED_COLUMN}


def _register() -> None:
    registry.register_reader("asdfkit.ecsv", astropy_table.Table, _read, force=True)
    registry.register_writer("asdfkit.ecsv", astropy_table.Table, _write, force=True)
    try:
        from astropy.io.misc.ecsv import ECSVEngine
    except ImportError:  # astropy without engines
        return
    registry.register_reader("asdfkit.csv", astropy_table.Table, _read_fields, force=True)

    class ECSVEngineAsdfkit(ECSVEngine):  # type: ignore[misc]
        """Engine "asdfkit" for files of ECSV."""

        name = "asdfkit"
        format = "asdfkit.csv"

        def convert_np_type(self, np_type: str) -> str:
            return np_type

        def get_data_kwargs(self, header: Any, null_values: Any) -> dict[str, Any]:
            return {"header": header, "null_values": null_values}


_register()
