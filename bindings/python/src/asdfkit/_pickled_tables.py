"""Copies and pickles of tables: columns as memory of Python, metadata as a file of ASDF, which keeps all tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _columns, _datatypes, _metadata, _rows, _setting, _sources
from ._handles import NodeHandle
from ._library import check, int32, lib, pointer
from ._options import options_for
from .constants import Datatype, NodeType

if TYPE_CHECKING:
    from ._column import Column
    from .tables import Table

TEXTS = ("unit", "description", "format")


def copied(table: Table) -> int:
    """Address of the handle of a copy of a table."""
    return _rows.selected(table._pointer, None, None, {})


def packed(table: Table) -> tuple[Any, ...]:
    """Arguments of `restore`, and before them the number of rows. They can be pickled."""
    columns = list(table.columns.values())
    texts = [[getattr(column, name) for name in TEXTS] for column in columns]
    return (
        table.num_rows,
        [(column.name, *packed_elements(table, column)) for column in columns],
        texts,
        table.schema,
        packed_metadata([table._meta_node(), *(column._meta_node() for column in columns)]),
    )


def restore(table: Table, columns: list[Any], texts: list[Any], schema: str | None, metadata: bytes) -> None:
    """Adds columns and metadata to a table without columns."""
    for name, datatype, shape, *parts in columns:
        add_elements(table._pointer, name.encode(), Datatype(datatype), shape, parts)
    for column, properties in zip(table.columns.values(), texts):
        for attribute, value in zip(TEXTS, properties):
            if value is not None:
                setattr(column, attribute, value)
    table.schema = schema
    set_metadata(table, [name.encode() for name, *_ in columns], metadata)


def packed_elements(table: Table, column: Column) -> tuple[Any, ...]:
    """Datatype and shape of a column, and its memory."""
    code, shape, rows = column.datatype, column.shape, table.num_rows
    place = (table._pointer, column._key, 0, rows)
    if code in _columns.TEXTS and not shape:
        content, offsets, mask = _columns.packed_texts(*place, {})
        return int(code), shape, content, offsets, mask if column.is_masked else None
    if code not in _columns.TEXTS:
        dtype: Any = _datatypes.DTYPES[code]
    elif code == Datatype.STRING:
        dtype = "U"
    else:
        raise TypeError(f"column {column.name!r} has cells of {code.name.lower()}, which cannot be pickled")
    lengths = _columns.cell_lengths(*place) if shape and shape[-1] < 0 else None
    count = _columns.element_count(*place)
    values, missing = _columns.elements(*place, count, code, dtype, {})
    return int(code), shape, values, missing if column.is_masked else None, lengths


def add_elements(table: int, key: bytes, code: Datatype, shape: tuple[int, ...], parts: list[Any]) -> None:
    if code in _columns.TEXTS and not shape:
        content, offsets, missing = parts
        _columns.add_packed_texts(table, key, content, np.frombuffer(offsets, np.int64).copy(), missing, code)
        return
    values, missing, lengths = parts
    if lengths is not None:
        _columns.add_variable(table, key, values, missing, lengths, shape[:-1])
    else:
        rows = int(np.prod(values.shape)) // max(1, int(np.prod(shape, dtype=np.int64)))
        extents = (rows, *shape)
        mask = None if missing is None else missing.reshape(extents)
        _columns.add_array(table, key, values.reshape(extents), mask)


def packed_metadata(nodes: list[Any]) -> bytes:
    node = _metadata.new_node()
    _setting.store(node, b"", [None if item is None else [item] for item in nodes], {})
    with options_for("asdf_file_write_memory", {"checksums": False}) as made:
        return _sources.returned_bytes(made, lib.asdf_file_write_memory, node._file._pointer)


def set_metadata(table: Table, keys: list[bytes], content: bytes) -> None:
    file = _sources.open_source(content, {})
    root = NodeHandle(pointer(lib.asdf_file_root, file._pointer), file)
    for index in range(1 + len(keys)):
        if int32(lib.asdf_node_type, root._pointer, b"meta/%d" % index) == NodeType.NULL:
            continue
        node = NodeHandle(pointer(lib.asdf_node_get, root._pointer, b"meta/%d/0" % index), file)
        if index == 0:
            check(lib.asdf_table_set_meta(table._pointer, node._pointer))
        else:
            check(lib.asdf_table_set_column_meta(table._pointer, keys[index - 1], node._pointer))
