"""Tables in memory: columns of one length with units, descriptions, formats and metadata."""

import datetime
from collections.abc import Iterator, Mapping
from ctypes import byref, c_void_p
from typing import Any

import numpy as np

from . import _arrow, _columns, _foreign, _metadata, _rows, _table_display, _times
from ._column import Column
from ._foreign_tables import arrow_column, arrow_table, numpy_column
from ._handles import TableHandle
from ._library import Handle, check, encoded, file_name, int64, lib, text
from ._logical import LogicalColumn, logical_columns
from ._options import options_for
from ._pickled_tables import copied, packed, restore
from ._report import Finding, findings
from .arrays import Array
from .errors import NotFoundError
from .schemas import SchemaSet, validated

#: Types of pandas for integers with missing cells, by those of Arrow.
NULLABLE = {f"{kind.lower()}{bits}": f"{kind}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)}


class Table(TableHandle):
    """Columns of one length, in memory. A table depends on no file.

    `table["flux"]` copies a column to NumPy, as `Column.read` does. Slices, masks, lists of row numbers and lists of names
    return tables: `table[1:10]`, `table[["name", "flux"]]`. `len(table)` is the number of rows, and a loop over the table
    gives each row as a dict. `names`, `keys()`, `items()`, `"flux" in table` and `dict(table)` are about the columns.

    Programs that use Arrow (pyarrow, polars, DuckDB) read it without a copy: `pyarrow.table(table)`.
    `numpy.array(table)` is an array of records. `table.to_pandas()` keeps the types of columns with missing cells, and is
    faster than `pandas.DataFrame(table)`, which takes the table row by row.

    Parameters
    ----------
    columns : mapping, list of mappings, array of records or table, optional
        Arrays, masked arrays or lists of one length by name; a list of rows, such as dicts, whose absent keys are missing
        cells; an array of records; or a table of astropy, pandas, polars, pyarrow, DuckDB or another program with Arrow's
        protocol. An index of pandas that is more than the numbers of the rows becomes columns.
    units, descriptions, formats : mapping, optional
        Texts by the name of the column.
    meta : mapping, optional
        Metadata of the table: mappings, lists, texts, numbers, dates, bytes and None.

    Examples
    --------
    >>> table = asdfkit.Table({"name": ["Vega", "Sirius"], "flux": [3.5, None]}, units={"flux": "Jy"})
    >>> table["flux"]
    masked_array(data=[3.5, --], ...)
    """

    __slots__ = ("_capsule",)

    def __init__(
        self,
        columns: Any = None,
        *,
        units: Mapping[str, str] | None = None,
        descriptions: Mapping[str, str] | None = None,
        formats: Mapping[str, str] | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        self._capsule: Any = None
        foreign = None if columns is None else table_of(columns)
        if foreign is not None:
            super().__init__(copied(foreign) if foreign is columns else foreign._released())
        else:
            columns = fields_of(columns)
            parts = {
                name: _columns.array_mask_and_unit(column_values(values))
                for name, values in dict(columns or {}).items()
            }
            rows = {name: len(array) for name, (array, _, _) in parts.items()}
            if len({*rows.values()}) > 1:
                lengths = ", ".join(f"{name!r} {count}" for name, count in rows.items())
                raise ValueError(f"columns have different lengths: {lengths}")
            super().__init__(_columns.new_table(max(rows.values(), default=0)))
            for name, (array, mask, unit) in parts.items():
                check_units(name, unit, (units or {}).get(name))
                _columns.add(self._pointer, name, array, mask)
                if unit is not None:
                    Column(self, name).unit = unit
        for attribute, texts in (("unit", units), ("description", descriptions), ("format", formats)):
            for name, value in dict(texts or {}).items():
                setattr(Column(self, name), attribute, value)
        if meta is not None:
            self.meta = meta

    @classmethod
    def _of(cls, address: int) -> "Table":
        """Table that owns a handle."""
        table = cls.__new__(cls)
        table._capsule = None
        Handle.__init__(table, address)
        return table

    def __del__(self) -> None:
        self._capsule = None  # dropped here, where no exception is pending
        super().__del__()

    def _released(self) -> int:
        """The handle, which the caller takes over."""
        address, self._pointer = self._pointer, 0
        return address

    # Mapping ---------------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            times = self._times(key)
            return Column(self, key).read() if times is None else times
        if isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], str) and not isinstance(key[0], str):
            first, count, is_one = _rows.region(key[0], self.num_rows)
            times = self._times(key[1])
            rows = range(first, first + count)
            cells = Column(self, key[1]).read(rows) if times is None else times[first : first + count]
            return cells[0] if is_one else cells
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            stop = "" if key == -1 else key + 1
            raise TypeError(
                f"table[{key}] is not possible: table[{key}:{stop}] is a table of one row, and table[{key}, name] a cell"
            )
        if key is None:
            raise TypeError("table[None] is not possible: a key is a name, names, a slice, a mask or row numbers")
        return self.select(columns=key) if _rows.are_names(key) else self.select(key)

    def _times(self, name: str) -> Any:
        """Column of times or spans of time; None for any other one."""
        return _times.read_column(self._pointer, encoded(name, "name of a column"), self._shape_of_spans(name))

    def _shape_of_spans(self, name: str) -> tuple[int, ...]:
        """Shape of a column of spans of time, which may be stored as two columns."""
        stored = next((each for each in (name, f"{name}.jd1") if each in self.names), None)
        return (self.num_rows,) if stored is None else (self.num_rows, *Column(self, stored).shape)

    def __setitem__(self, key: str | tuple[Any, str], values: Any) -> None:
        """Replaces cells, or a whole column. A new name adds a column.

        The column keeps its type, unit, description and metadata: a number that does not fit is an `ArrayError`. None
        and `numpy.ma.masked` are missing cells.

            >>> table[7, "flux"] = 3.5
            >>> table[2:4, "name"] = ["Vega", None]
            >>> table["flux"] = fluxes
            >>> table[7, "start"] = np.datetime64("2027-01-31T04:05:06.7")  # in UTC, in a column of times

        Parameters
        ----------
        key : str, or a tuple of rows and a name
            Name of the column. The rows are a number or a slice in steps of one.
        values
            A cell, or a list or an array of cells.
        """
        if isinstance(key, str) and key not in self:
            self.add_column(key, values)
            return
        if not isinstance(key, str) and not (isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], str)):
            raise TypeError("table[name] = values replaces a column, and table[rows, name] = values its cells")
        rows, name = (slice(None), key) if isinstance(key, str) else key
        first, count, is_one = _rows.region(rows, self.num_rows)
        cells = column_values(values) if not isinstance(values, datetime.datetime) else values
        if _times.set_cells(self._pointer, encoded(name, "name of a column"), first, count, cells, is_one):
            return
        column = Column(self, name)
        _columns.set_cells(self._pointer, column._key, first, count, cells, is_one)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Rows as dicts, with None for missing cells."""
        for first in range(0, self.num_rows, _rows.BATCH):
            part = self[first : first + _rows.BATCH]
            columns = {name: _rows.cells(values) for name, values in part.items()}
            yield from (dict(zip(columns, row)) for row in zip(*columns.values()))

    def __len__(self) -> int:
        return self.num_rows

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.names

    # Table is no `collections.abc.Mapping` or `Sequence`, because polars would read one without Arrow.

    def keys(self) -> list[str]:
        """Names of the columns, as `names`."""
        return self.names

    def values(self) -> Iterator[Any]:
        """Columns as arrays of NumPy, read one by one."""
        return (self[name] for name in self.names)

    def items(self) -> Iterator[tuple[str, Any]]:
        """Names and columns as arrays of NumPy, read one by one."""
        return ((name, self[name]) for name in self.names)

    def get(self, name: str, default: Any = None) -> Any:
        """The column of this name, or the default if there is none."""
        try:
            return self[name]
        except NotFoundError:
            return default

    def __reduce__(self) -> Any:
        return restored, packed(self)

    def __repr__(self) -> str:
        return _table_display.as_text(self)

    def _repr_html_(self) -> str:
        return _table_display.as_html(self)

    def _ipython_key_completions_(self) -> list[str]:
        return self.names

    @property
    def names(self) -> list[str]:
        """Names of the columns, in their order."""
        return [text(lib.asdf_table_column_name, self._pointer, index) for index in range(self.num_columns)]

    @property
    def columns(self) -> dict[str, Column]:
        """Columns by name, with their properties and a way to read parts of them."""
        return {name: Column(self, name) for name in self.names}

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return int64(lib.asdf_table_row_count, self._pointer)

    @property
    def num_columns(self) -> int:
        """Number of columns."""
        return int64(lib.asdf_table_column_count, self._pointer)

    @property
    def meta(self) -> Any:
        """Metadata of the table as plain values, usually a dict; an empty one if there are none. Can be set.

        `table.meta["survey"] = "deep"` changes the metadata, too, as do the changes of mappings and lists in them. Tags
        of other programs are left out; `to_astropy` makes the objects that they stand for. A node, such as one of
        `new_mapping`, can be set, too. Values that the header of an ECSV table cannot hold, such as quantities, are an
        error with the path of the value. They can be set in the tree: `file["t/meta/exposure"] = quantity`.
        """
        node = self._meta_node()
        return _metadata.LiveDict.at(self._place()) if node is None else _metadata.plain(node, self._place())

    @meta.setter
    def meta(self, value: Any) -> None:
        if not _metadata.is_kept(value, self._place()):
            self._set_meta_node(None if value is None else _metadata.store(value))

    @property
    def schema(self) -> str | None:
        """Name of the convention of the metadata, such as "astropy-2.0". Can be set."""
        return text(lib.asdf_table_schema, self._pointer) or None

    @schema.setter
    def schema(self, value: str | None) -> None:
        check(lib.asdf_table_set_schema(self._pointer, None if value is None else encoded(value, "schema")))

    @property
    def warnings(self) -> list[Finding]:
        """Irregularities of the file that did not prevent reading."""
        return findings(lib.asdf_table_report, self._pointer)

    def validate(self, schemas: SchemaSet = None, schema: str | dict[str, Any] | None = None) -> list[Finding]:
        """Validates the description of the table: columns and metadata, as in the header of an ECSV file.

        The arguments are those of `File.validate`; `schema` applies to a mapping with "datatype", "meta" and "schema".
        """
        return validated(schemas, schema, lib.asdf_table_validate, self._pointer)

    def _meta_node(self) -> Any:
        return _metadata.of_table(lib.asdf_table_meta, self._pointer)

    def _place(self) -> _metadata.Place:
        return _metadata.Place(self._meta_node, self._set_meta_node)

    def _set_meta_node(self, node: Any) -> None:
        check(lib.asdf_table_set_meta(self._pointer, None if node is None else node._pointer))

    # Columns ---------------------------------------------------------------------------------------------------------

    def logical_columns(self) -> list[LogicalColumn]:
        """Columns as the program that wrote the table had them, such as times and coordinates of astropy.

        Files store some columns as several ones, such as the two halves of a time.
        """
        return logical_columns(self)

    def to_dict(self) -> dict[str, Any]:
        """All columns as arrays of NumPy by name; masked arrays where elements are missing."""
        return {name: self[name] for name in self.names}

    def add_column(
        self,
        name: str,
        values: Any,
        *,
        unit: str | None = None,
        description: str | None = None,
        format: str | None = None,
        meta: Any = None,
        datatype: str | None = None,
    ) -> None:
        """Adds a column after the others. The values are copied.

        Parameters
        ----------
        name : str
            Name of the column.
        values : array_like
            Array of the shape (rows, ...), masked array, or list with None for missing items. Texts become a column
            of texts; an array of arrays a column of cells of different lengths; other objects JSON values. Arrays of
            astropy keep their units and masks.
        unit, description, format, meta
            Properties of the column; see `Column`.
        datatype : {"string", "json", "float128", "complex256"}, optional
            Type of a column that the table holds as texts.
        """
        array, mask, own_unit = _columns.array_mask_and_unit(column_values(values))
        check_units(name, own_unit, unit)
        _columns.add(self._pointer, name, array, mask, datatype)
        column = Column(self, name)
        for attribute, value in (
            ("unit", own_unit if unit is None else unit),
            ("description", description),
            ("format", format),
            ("meta", meta),
        ):
            if value is not None:
                setattr(column, attribute, value)

    # Rows ------------------------------------------------------------------------------------------------------------

    def select(self, rows: Any = None, columns: Any = None, **options: Any) -> "Table":
        """Table of some rows and columns, with their units, descriptions, formats and metadata.

        `table[1:10]`, `table[mask]`, `table[[3, 1]]` and `table[["name", "flux"]]` do the same.

        Parameters
        ----------
        rows : slice, range, array of bool or array of int, optional
            Rows; by default all. A mask has one item for each row, and a missing item selects nothing. Numbers can be
            negative, repeated and in any order.
        columns : list of str, optional
            Names of columns in the new order; by default all. The name of a logical column of astropy, such as a
            coordinate, stands for all columns that it is made of.
        **options
            `progress`.
        """
        return self._of(_rows.selected(self._pointer, rows, columns, options))

    def sort_by(self, *columns: str, descending: Any = False, **options: Any) -> "Table":
        """Table of the same rows, sorted by columns. Rows that are equal in all of them keep their order.

        Numbers have the order of their values, texts that of their code points. NaN comes after the other numbers, and
        missing cells come last, also in descending order.

        Parameters
        ----------
        *columns : str
            Names of the columns, the most important one first.
        descending : bool or list of bool, optional
            True sorts from the largest value to the smallest. A list has one entry for each column.
        **options
            `progress`.

        Examples
        --------
        >>> table.sort_by("class", "flux", descending=[False, True])
        """
        return self._of(_rows.sorted_by(self._pointer, columns, descending, options))

    # Files -----------------------------------------------------------------------------------------------------------

    def write_ecsv(self, path: Any, **options: Any) -> None:
        """Writes the table to an ECSV file; see `asdfkit.write_ecsv`."""
        with options_for("asdf_table_write_ecsv", options) as handle:
            handle.check(lib.asdf_table_write_ecsv(self._pointer, file_name(path), handle.pointer))

    # Exchange --------------------------------------------------------------------------------------------------------

    @classmethod
    def from_arrow(cls, source: Any, **options: Any) -> "Table":
        """Copies a table of pyarrow, polars, DuckDB or another program with Arrow's C interface."""
        with options_for("asdf_table_import_arrow_stream", options) as handle:
            return cls._of(_arrow.import_table(source, handle.pointer, handle.check))

    def to_records(self) -> np.ndarray:
        """Copies the rows into an array of records, whose fields are the columns.

        Fails with ArrayError if an element is missing, and with TypeError for cells of different lengths.
        """
        columns = {name: np.asarray(column) for name, column in self.columns.items()}
        for name, column in self.columns.items():
            if -1 in column.shape:
                raise TypeError(
                    f"column {name!r} has cells of different lengths, which an array of records cannot hold"
                )
        records = np.empty(self.num_rows, [(name, values.dtype, values.shape[1:]) for name, values in columns.items()])
        for name, values in columns.items():
            records[name] = values
        return records

    @property
    def __array_interface__(self) -> dict[str, Any]:
        """Memory with the rows as records, for `numpy.array(table)`; see `to_records`.

        Table has no `__array__`: pandas would take the records for the elements of a single column.
        """
        records = self.to_records()
        if records.dtype.hasobject:
            raise TypeError("a column has Python objects, which no array of NumPy can share; call to_records()")
        memory = records.view(np.uint8) if records.nbytes else np.zeros(1, np.uint8)
        shape = {"shape": records.shape, "typestr": records.dtype.str, "descr": records.dtype.descr}
        return {"version": 3, "data": memory, **shape}

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas. Needs pandas and pyarrow.

        Integers with missing cells have the nullable types of pandas, such as Int64. Doubles would not hold all of them.
        """
        import pandas

        arrow = self.to_arrow()
        frame = arrow.to_pandas()
        for name, column in zip(arrow.column_names, arrow.columns):
            nullable = NULLABLE.get(str(column.type))
            if nullable and column.null_count:
                wanted = pandas.api.types.pandas_dtype(nullable)
                frame[name] = column.to_pandas(types_mapper=lambda _, wanted=wanted: wanted)
        return frame

    def to_polars(self) -> Any:
        """The table as a data frame of polars. Needs polars."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """The table as a pyarrow.Table, which shares its memory. Needs pyarrow."""
        import pyarrow

        return pyarrow.table(self)

    def __arrow_c_schema__(self) -> Any:
        return _arrow.schema_capsule(lambda stream: lib.asdf_table_export_arrow_stream(self._pointer, None, stream))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Capsule with a stream of the whole table. Arrow's protocol allows to ignore the requested schema."""
        self._capsule = _arrow.stream_capsule(
            lambda stream: lib.asdf_table_export_arrow_stream(self._pointer, None, stream)
        )
        return self._capsule

    def to_astropy(self, cls: Any = None) -> Any:
        """The table as a QTable of astropy, or as the given class; see `asdfkit.astropy.to_astropy`."""
        from ._astropy_tables import to_astropy

        return to_astropy(self, cls)

    def __astropy_table__(self, cls: Any, copy: bool, **options: Any) -> Any:
        """The table for the constructors of astropy: `QTable(table)`."""
        return cls(self.to_astropy(), copy=copy, **options)

    @classmethod
    def from_astropy(cls, table: Any) -> "Table":
        """Copies a Table or QTable of astropy; see `asdfkit.astropy.from_astropy`."""
        from ._astropy_tables import copy_into, plain_columns

        plain = plain_columns(table)
        made = cls._of(_columns.new_table(len(plain)))
        copy_into(made, plain)
        return made


def check_units(name: str, own: str | None, given: str | None) -> None:
    """Fails for values with another unit than the one that their column gets."""
    if own is not None and given is not None and own != given:
        raise ValueError(f"column {name!r}: the values have the unit {own!r}, not {given!r}")


def restored(rows: int, *parts: Any) -> Table:
    """Table of a pickle."""
    table = Table._of(_columns.new_table(rows))
    restore(table, *parts)
    return table


def table_of(value: Any) -> Table | None:
    """The table of this or another package as a `Table`; None for everything else."""
    if isinstance(value, Table):
        return value
    if _foreign.has_class(value, "astropy.table", "Table"):
        return Table.from_astropy(value)
    arrow = arrow_table(value)
    if arrow is None:
        return None
    table = Table.from_arrow(arrow)
    if _foreign.has_class(value, "pandas", "DataFrame") and value.attrs:
        table.meta = dict(value.attrs)
    return table


def column_values(value: Any) -> Any:
    """Values of a column of another package as an array of NumPy, with a mask if it has missing values."""
    if isinstance(value, Array):
        return value[...]
    arrow = arrow_column(value)
    if isinstance(value, (list, tuple)):
        return _times.of_objects(value)
    return numpy_column(value) if arrow is None else Table.from_arrow(arrow)["values"]


def fields_of(columns: Any) -> dict[str, Any]:
    """Columns by name, of a mapping, of a list of rows or of an array of records."""
    if isinstance(columns, (list, tuple)) and all(isinstance(row, Mapping) for row in columns):
        keys = dict.fromkeys(name for row in columns for name in row)
        return {name: [row.get(name) for row in columns] for name in keys}
    if isinstance(columns, Array):
        columns = columns[...]
    _foreign.refuse_labelled(columns)
    names = getattr(getattr(columns, "dtype", None), "names", None)
    if names is None:
        return dict(columns or {})
    if columns.ndim != 1:
        raise ValueError(f"an array of records has one axis, the rows; this one has the shape {columns.shape}")
    return {name: columns[name][...] for name in names}


def get_table(node: int, path: bytes, **options: Any) -> Table:
    """Reads the table at a path of an ASDF file. `node` is the address of the node that the path starts from."""
    options.setdefault("plain_metadata", True)
    with options_for("asdf_node_get_table", options) as made:
        found = c_void_p()
        made.check(lib.asdf_node_get_table(node, path, made.pointer, byref(found)))
        return Table._of(found.value or 0)
