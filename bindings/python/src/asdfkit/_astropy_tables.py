"""Tables of astropy from and to tables of asdfkit."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import astropy.table as astropy_table
import numpy as np
import yaml  # type: ignore[import-untyped]
from astropy.io.misc.yaml import AstropyLoader
from astropy.table import meta as astropy_meta
from astropy.table import serialize
from astropy.utils.data_info import serialize_context_as

from . import _metadata, _sources
from ._astropy_times import with_exact_columns
from ._handles import NodeHandle
from ._library import buffer_bytes, check, int32, lib, text
from ._options import options_for
from .constants import YAML_TAG_PREFIX, KeyType, Kind, NodeType

if TYPE_CHECKING:
    from .tables import Table

try:
    from astropy.table.connect import construct_indices
except ImportError:  # astropy 7 and earlier
    construct_indices = None


MASKED_COLUMN = "astropy.table.column.MaskedColumn"

# From asdfkit to astropy ---------------------------------------------------------------------------------------------


def to_astropy(table: Table, cls: Any = None) -> Any:
    """Makes a table of astropy, with units, masks, descriptions, formats and metadata.

    Parameters
    ----------
    table : Table
        The table.
    cls : class, optional
        `QTable` (the default), whose columns with units are quantities, or `astropy.table.Table`.

    Returns
    -------
    astropy.table.QTable or cls
        The table. Columns of classes of astropy (Time, SkyCoord, ...) are objects of these classes.
    """
    made = in_least_class(table)
    cls = astropy_table.QTable if cls is None else cls
    made = made if type(made) is cls else cls(made, copy=False)
    make_indices(made)
    return made


def make_indices(made: Any) -> None:
    """Makes the indices of a table that was written with `write_indices=True`, and removes the columns that hold them.

    An index whose columns or rows were not all read is left out.
    """
    meta = made.meta.get("__table_indices__")
    if meta is None:
        return
    indices = meta["indices"]
    rows = np.arange(len(made))
    is_complete = all(
        {*index["colnames"], index["index_colname"]} <= set(made.colnames)
        and np.array_equal(np.sort(made[index["index_colname"]]), rows)
        for index in indices
    )
    if is_complete and construct_indices is not None:
        construct_indices(made)
    else:
        del made.meta["__table_indices__"]
        made.remove_columns([index["index_colname"] for index in indices if index["index_colname"] in made.colnames])


def in_least_class(table: Table) -> Any:
    """The table in the least class that can hold its columns, as astropy's readers return it."""
    meta = _yaml_value(table._meta_node())
    if meta is not None and not isinstance(meta, dict):
        warnings.warn(f"the metadata are of type {type(meta).__name__}; they are under the key 'meta'", stacklevel=2)
        meta = {"meta": meta}
    columns = []
    without_absent(meta, table.names)
    for name, column in table.columns.items():
        values = column.read()
        is_masked = isinstance(values, np.ma.MaskedArray)
        kind = astropy_table.MaskedColumn if is_masked else astropy_table.Column
        columns.append(kind(values, name=name, copy=False))
        info = columns[-1].info
        for attribute in ("unit", "description", "format"):
            value = getattr(column, attribute)
            if value is not None:
                setattr(info, attribute, value)
        column_meta = _yaml_value(column._meta_node())
        if column_meta is not None:
            info.meta = column_meta
    made = astropy_table.Table(columns, meta=meta, copy=False)
    return serialize._construct_mixins_from_columns(made)


def without_absent(meta: Any, names: list[str]) -> None:
    """Removes the descriptions of columns of astropy whose parts are not all in the table, as where some were read."""
    described = (meta or {}).get("__serialized_columns__")
    if isinstance(described, dict):
        for name in [name for name, parts in described.items() if not members(parts) <= set(names)]:
            del described[name]
        if not described:
            del meta["__serialized_columns__"]


def members(described: Any) -> set[str]:
    """Names of the columns that a description refers to, at any depth."""
    if isinstance(described, serialize.SerializedColumn) and "name" in described:
        return {described["name"]}
    return set().union(*map(members, described.values())) if isinstance(described, dict) else set()


class Loader(AstropyLoader):  # type: ignore[misc]
    """Constructs values as astropy does for headers of ECSV: ordered mappings become dicts."""


def _ordered_mapping(loader: Any, node: Any) -> Any:
    mapping: dict[Any, Any] = {}
    yield mapping
    pairs = node.value if isinstance(node, yaml.MappingNode) else [item.value[0] for item in node.value]
    for key, value in pairs:
        mapping[loader.construct_object(key, deep=True)] = loader.construct_object(value, deep=True)


def _unknown_tag(loader: Any, suffix: str, node: Any) -> Any:
    """Value without the tag, because a tag that astropy does not know must not block the data."""
    warnings.warn(f"unknown tag {node.tag!r} in the metadata of a table: the value is kept without it", stacklevel=2)
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


Loader.add_constructor(YAML_TAG_PREFIX + "omap", _ordered_mapping)
Loader.add_multi_constructor("", _unknown_tag)


def _yaml_value(node: NodeHandle | None) -> Any:
    """Value of a node as astropy's reader of YAML constructs it, also units, times and other objects."""
    if node is None:
        return None
    loader = Loader("")
    try:
        return loader.construct_document(_yaml_node(loader, node, {}))
    finally:
        loader.dispose()


def _yaml_node(loader: Any, node: NodeHandle, seen: dict[int, Any]) -> Any:
    """Node of PyYAML for a node of the library, with all its children."""
    place = (node._pointer, b"")
    tag = text(lib.asdf_node_tag, *place)
    kind = int32(lib.asdf_node_type, *place)
    if kind not in (NodeType.SEQUENCE, NodeType.MAPPING):
        return yaml.ScalarNode(tag or _scalar_tag(node, kind), _scalar_text(node, kind))
    identity = node._identity()
    if identity in seen:
        return seen[identity]
    children: list[Any] = []
    if kind == NodeType.SEQUENCE:
        made = yaml.SequenceNode(tag or YAML_TAG_PREFIX + "seq", children)
        seen[identity] = made
        children.extend(_yaml_node(loader, item, seen) for item in _metadata.children(node))
    else:
        made = yaml.MappingNode(tag or YAML_TAG_PREFIX + "map", children)
        seen[identity] = made
        for index, item in enumerate(_metadata.children(node)):
            children.append((_yaml_key(loader, node, index), _yaml_node(loader, item, seen)))
    return made


def _yaml_key(loader: Any, node: NodeHandle, index: int) -> Any:
    content = text(lib.asdf_node_key_string, node._pointer, b"", index)
    kind = int32(lib.asdf_node_key_type, node._pointer, b"", index)
    tag = {KeyType.STRING: "str", KeyType.INTEGER: "int", KeyType.BOOL: "bool"}.get(KeyType(kind))
    tag = YAML_TAG_PREFIX + tag if tag else loader.resolve(yaml.ScalarNode, content, (True, False))
    return yaml.ScalarNode(tag, content)


def _scalar_text(node: NodeHandle, kind: int) -> str:
    if kind == NodeType.STRING:
        return str(buffer_bytes(lib.asdf_node_get_string_buffer, node._pointer, b"").decode())
    return text(lib.asdf_node_get_text, node._pointer, b"")


def _scalar_tag(node: NodeHandle, kind: int) -> str:
    names = {NodeType.NULL: "null", NodeType.BOOL: "bool", NodeType.INTEGER: "int", NodeType.FLOAT: "float"}
    if kind in names:
        return YAML_TAG_PREFIX + names[NodeType(kind)]
    is_timestamp = int32(lib.asdf_node_kind, node._pointer, b"") == Kind.TIMESTAMP
    return YAML_TAG_PREFIX + ("timestamp" if is_timestamp else "str")


# From astropy to asdfkit ---------------------------------------------------------------------------------------------


def plain_columns(table: Any) -> Any:
    """A table of astropy whose columns are all plain. The metadata say what they were, as in ECSV files of astropy."""
    if not isinstance(table, astropy_table.Table):
        raise TypeError(f"a table of astropy is needed, not {type(table).__name__}")
    with serialize_context_as("ecsv"):
        plain = serialize.represent_mixins_as_columns(with_exact_columns(table))
    _apply_masks(plain)
    return plain


def _apply_masks(plain: Any) -> None:
    """Makes one masked column of values and their mask, which are two with the method "data_mask" of astropy.

    Values without a mask stay masked ones.
    """
    entries = plain.meta.get("__serialized_columns__", {})
    left = [(entries, name) for name in list(entries)]
    while left:
        parent, key = left.pop()
        entry = parent[key]
        if not isinstance(entry, dict):
            continue
        left.extend((entry, attribute) for attribute in entry)
        if "data" not in entry or not str(entry.get("__class__")).endswith(("MaskedColumn", "MaskedNDArray")):
            continue
        values = plain[entry["data"]["name"]]
        mask = plain[entry["mask"]["name"]] if "mask" in entry else np.ma.getmaskarray(values)
        plain.replace_column(values.name, astropy_table.MaskedColumn(values, mask=np.asarray(mask)))
        left = [(other, attribute) for other, attribute in left if other is not entry]
        if "mask" in entry:
            plain.remove_column(entry.pop("mask")["name"])
        if entry.get("__class__") == MASKED_COLUMN:
            del parent[key]
    if not entries:
        plain.meta.pop("__serialized_columns__", None)


def copy_into(made: Table, plain: Any) -> None:
    """Copies columns and metadata of `plain_columns` into a table with as many rows, and no columns."""
    for column in plain.itercols():
        info = column.info
        # Texts in a column of objects stay Python objects, as in ECSV files of astropy.
        datatype = "json" if column.dtype.kind == "O" and not _has_cells(column) else None
        unit = None if info.unit is None else str(info.unit)
        made.add_column(
            info.name,
            _masked(column) if isinstance(column, astropy_table.MaskedColumn) else np.asarray(column),
            unit=unit,
            description=info.description,
            format=info.format if isinstance(info.format, str) else None,
            datatype=datatype,
        )
    _copy_metadata(plain, made)
    made.schema = "astropy-2.0"


def _masked(column: Any) -> np.ma.MaskedArray:
    """Values and mask of a masked column, which keeps its mask if nothing is missing."""
    return np.ma.MaskedArray(np.ma.getdata(column), np.ma.getmaskarray(column))


def _has_cells(column: Any) -> bool:
    """Whether a column of objects has arrays that differ in their last extent at most."""
    cells = [cell for cell in column if cell is not np.ma.masked] or list(np.ma.getdata(column))
    return bool(cells) and all(
        isinstance(cell, np.ndarray)
        and cell.dtype.kind in "fiubU"
        and cell.ndim
        and cell.shape[:-1] == cells[0].shape[:-1]
        for cell in cells
    )


def _copy_metadata(source: Any, table: Table) -> None:
    """Copies metadata of a table of astropy and of its columns through a header of ECSV that astropy writes."""
    metas = {name: source[name].info.meta for name in source.colnames if source[name].info.meta}
    if not metas and not source.meta:
        return
    header = astropy_table.Table({f"c{index}": np.zeros(0) for index in range(max(1, len(metas)))})
    header.meta = source.meta
    for index, meta in enumerate(metas.values()):
        header[f"c{index}"].info.meta = meta
    lines = ["%ECSV 1.0", "---", *astropy_meta.get_yaml_from_table(header)]
    content = "".join(f"# {line}\n" for line in lines).encode() + " ".join(header.colnames).encode() + b"\n"
    with options_for("asdf_table_read_ecsv_memory", {}) as options:
        read = table._of(_sources.opened(options, lib.asdf_table_read_ecsv_memory, content, len(content)))
    for index, name in enumerate(metas):
        node = read.columns[f"c{index}"]._meta_node()
        if node is not None:
            check(lib.asdf_table_set_column_meta(table._pointer, name.encode(), node._pointer))
    node = read._meta_node()
    if node is not None:
        check(lib.asdf_table_set_meta(table._pointer, node._pointer))
