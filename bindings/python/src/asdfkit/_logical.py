"""Logical columns: the columns that a program like astropy had, which a file stores as several columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _metadata
from ._library import Handle, int32, int64, lib, pointer, text


class LogicalColumns(Handle):
    """Handle of all logical columns of a table."""

    __slots__ = ()
    _free = lib.asdf_logical_columns_free


@dataclass(frozen=True)
class LogicalColumn:
    """A column of the original table, such as a time or a coordinate of astropy.

    Attributes
    ----------
    name : str
        Name of the column.
    class_name : str or None
        Class as a dotted Python name; None if the metadata do not describe the column. It is a name only: nothing is
        imported.
    unit : str or None
        Unit of the column as a whole, as it is spelled.
    members : dict
        Columns of the file that it consists of. The values are their roles: "jd1", "ra/value", "mask".
    attributes : dict or None
        Other attributes, such as the format and the scale of a time.
    """

    name: str
    class_name: str | None
    unit: str | None
    members: dict[str, str]
    attributes: Any
    _table: Any
    _columns: LogicalColumns
    _index: int

    def values(self) -> Any:
        """Table of the members under their names in the file. Masks are applied and left out."""
        return self._table._of(pointer(lib.asdf_logical_columns_values, self._columns._pointer, self._index))


def logical_columns(table: Any) -> list[LogicalColumn]:
    """Logical columns of a table in its current state."""
    columns = LogicalColumns(pointer(lib.asdf_table_logical_columns, table._pointer))
    count = int64(lib.asdf_logical_columns_count, columns._pointer)
    return [_column(table, columns, index) for index in range(count)]


def _column(table: Any, columns: LogicalColumns, index: int) -> LogicalColumn:
    place = (columns._pointer, index)
    members = {
        text(lib.asdf_logical_columns_member_name, *place, member): text(
            lib.asdf_logical_columns_member_attribute, *place, member
        )
        for member in range(int64(lib.asdf_logical_columns_member_count, *place))
    }
    attributes = _metadata.of_table(lib.asdf_logical_columns_attributes, *place)
    return LogicalColumn(
        text(lib.asdf_logical_columns_name, *place),
        text(lib.asdf_logical_columns_class, *place) or None,
        text(lib.asdf_logical_columns_unit, *place) if int32(lib.asdf_logical_columns_has_unit, *place) else None,
        members,
        None if attributes is None else _metadata.plain(attributes),
        table,
        columns,
        index,
    )
