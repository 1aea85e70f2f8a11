"""Columns of tables: their properties, and a way to read parts of them."""

from typing import Any

import numpy as np

from . import _columns, _metadata
from ._handles import TableHandle
from ._library import check, encoded, extents, int32, int64, lib, text, utf8
from ._options import options_for
from ._rows import range_of
from .constants import Datatype, Status
from .errors import ArrayError
from .units import spelling_number


class Column:
    """One column of a `Table`.

    Attributes
    ----------
    name : str
        Name of the column. It stays the same: a table with another name is made of `Table({"new": table["old"]})`.
    datatype : Datatype
        Type of the elements: a scalar type, or STRING, JSON, FLOAT128 or COMPLEX256, which the table holds as texts.
    shape : tuple of int
        Shape of a cell; empty if a cell is one element. A last extent of -1 means that cells differ in it.
    unit, description, format : str or None
        Unit as it is spelled, description, and display format in the notation of printf or Python. Can be set.
    meta : dict or None
        Metadata of the column. They can be set, and changed as a dict is.
    """

    __slots__ = ("_key", "_name", "_table")

    def __init__(self, table: TableHandle, name: str) -> None:
        self._table = table
        self._name = name
        self._key = encoded(name, "name of a column")
        int64(lib.asdf_table_column_index, table._pointer, self._key)

    def __repr__(self) -> str:
        shape = "".join(f"[{extent if extent >= 0 else 'null'}]" for extent in self.shape)
        unit = f" ({self.unit})" if self.unit else ""
        return f"<Column {self.name!r} {self.datatype.name.lower()}{shape}{unit}, {len(self)} rows>"

    def __len__(self) -> int:
        return int64(lib.asdf_table_row_count, self._table._pointer)

    @property
    def name(self) -> str:
        return self._name

    @property
    def datatype(self) -> Datatype:
        return Datatype(int32(lib.asdf_table_column_datatype, self._table._pointer, self._key))

    @property
    def shape(self) -> tuple[int, ...]:
        return extents(lib.asdf_table_column_shape, self._table._pointer, self._key)

    @property
    def is_masked(self) -> bool:
        """Whether the column has a mask, even if nothing is missing."""
        return bool(int32(lib.asdf_table_column_has_mask, self._table._pointer, self._key))

    @property
    def declared(self) -> tuple[str | None, str | None]:
        """Datatype and subtype as the file spells them; None where it has none."""
        return self._text(lib.asdf_table_column_declared_datatype), self._text(lib.asdf_table_column_declared_subtype)

    @property
    def unit(self) -> str | None:
        """Unit as it is spelled; None without one. "" is the unit of a quantity without a dimension."""
        return self._property(lib.asdf_table_column_unit, lib.asdf_table_column_has_unit)

    @unit.setter
    def unit(self, value: str | None) -> None:
        self._set(lib.asdf_table_set_column_unit, value)

    @property
    def description(self) -> str | None:
        return self._property(lib.asdf_table_column_description, lib.asdf_table_column_has_description)

    @description.setter
    def description(self, value: str | None) -> None:
        self._set(lib.asdf_table_set_column_description, value)

    @property
    def format(self) -> str | None:
        return self._property(lib.asdf_table_column_format, lib.asdf_table_column_has_format)

    @format.setter
    def format(self, value: str | None) -> None:
        self._set(lib.asdf_table_set_column_format, value)

    @property
    def meta(self) -> Any:
        node = self._meta_node()
        return None if node is None else _metadata.plain(node, self._place())

    @meta.setter
    def meta(self, value: Any) -> None:
        if not _metadata.is_kept(value, self._place()):
            self._set_meta_node(None if value is None else _metadata.store(value))

    def read(self, rows: slice | range | None = None, dtype: Any = None, **options: Any) -> Any:
        """Copies the elements of the column.

        Parameters
        ----------
        rows : slice or range, optional
            Rows to read, in steps of one; all by default.
        dtype : dtype, optional
            Numbers are converted; a number that does not fit is an `ArrayError`. Texts are read as "U", "S", "O" or
            NumPy's StringDType. By default numbers keep their type, texts become "U" of the length of the longest,
            JSON values become Python objects, float128 becomes longdouble, complex256 becomes clongdouble.
        **options
            `unit` converts the numbers to another unit; integers then become float64 by default. `clamp=True` takes the
            nearest number for one that does not fit; `equivalencies`, `threads`, `progress`.

        Returns
        -------
        numpy.ndarray or numpy.ma.MaskedArray
            Elements of the shape (rows, *shape), with a mask if an element is missing or `is_masked`. Cells of
            different lengths are an array of objects, one array for each cell.

        Examples
        --------
        >>> table.columns["flux"].read(slice(0, 100), dtype="float32")
        """
        first, count = range_of(rows, len(self))
        return _columns.read(self._table._pointer, self._key, first, count, dtype, **options)

    def convert(self, unit: str, spelling: str = "generic", **options: Any) -> None:
        """Converts the column of the table to another unit, which becomes that of the column.

        Floats and complex numbers keep their datatype; integers and numbers of more digits become float64 or complex128.
        The option `equivalencies` allows more conversions.
        """
        with options_for("asdf_table_convert_column", options) as made:
            given = encoded(unit, "unit"), spelling_number(spelling), made.pointer
            made.check(lib.asdf_table_convert_column(self._table._pointer, self._key, *given))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the column is copied; copy=False is not possible")
        values: np.ndarray = self.read()
        if np.ma.is_masked(values):
            raise ArrayError(f"column {self.name!r} has missing elements; read() returns a masked array", Status.MASKED)
        values = np.asarray(values)
        return values if dtype is None else values.astype(dtype)

    def _text(self, function: Any) -> str | None:
        return text(function, self._table._pointer, self._key) or None

    def _property(self, function: Any, has: Any) -> str | None:
        value = text(function, self._table._pointer, self._key)
        # An empty text is not the same as none.
        return value if value or int32(has, self._table._pointer, self._key) else None

    def _set(self, function: Any, value: str | None) -> None:
        if value is not None and not isinstance(value, str):
            raise TypeError(f"a str or None is needed, not {type(value).__name__}")
        data = None if value is None else utf8(value)
        check(function(self._table._pointer, self._key, data, 0 if data is None else len(data)))

    def _meta_node(self) -> Any:
        return _metadata.of_table(lib.asdf_table_column_meta, self._table._pointer, self._key)

    def _place(self) -> _metadata.Place:
        return _metadata.Place(self._meta_node, self._set_meta_node)

    def _set_meta_node(self, node: Any) -> None:
        address = None if node is None else node._pointer
        check(lib.asdf_table_set_column_meta(self._table._pointer, self._key, address))
