"""Trees as text and HTML for people: one line for each node, as many as there is space for."""

from __future__ import annotations

import html
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ._handles import NodeHandle
from ._library import escaped, int32, int64, lib, pointer, text
from ._scalars import SCALARS
from .arrays import Array
from .constants import Kind, NodeType
from .errors import AsdfError

#: Lines of `repr`, and of a representation in HTML.
FEW, MANY = 24, 200
#: Maximum number of characters of a value, and of the items of a list that are shown in one line.
WIDTH = 60
#: Maximum number of paths that are suggested for completion.
COMPLETIONS = 1000
#: Maximum number of nodes that are shown at one depth below another.
DEEPEST = 32

#: Keys about the file itself, which short representations leave out.
HIDDEN = frozenset(("asdf_library", "history"))
COLLECTIONS = (NodeType.MAPPING, NodeType.SEQUENCE)


@dataclass
class Line:
    """A node: its depth below the first, its key and its description."""

    depth: int
    key: str
    facts: str
    has_children: bool = False
    is_left_out: bool = False


class Displayed:
    """Representations of a `Tree` or a `List`."""

    __slots__ = ()

    def _title(self) -> str:
        raise NotImplementedError

    def _key_texts(self) -> list[str]:
        raise NotImplementedError

    def __repr__(self) -> str:
        try:
            title = self._title()
            lines = fitting(self, FEW, hidden=HIDDEN)
        except Exception as problem:
            return f"<asdfkit.{type(self).__name__}: {problem}>"
        return "\n".join([title, *as_text(lines, 120, True)])

    def _repr_html_(self) -> str:
        return f"<div><code>{html.escape(self._title())}</code>{as_html(fitting(self, MANY, hidden=HIDDEN))}</div>"

    def _ipython_key_completions_(self) -> list[str]:
        return self._key_texts()

    def info(
        self,
        max_rows: int | None = MANY,
        max_cols: int | None = 120,
        show_values: bool = True,
        depth: int | None = None,
    ) -> None:
        """Prints the tree: the kind of each node, and shapes, types, units and values. No elements of arrays are read.

        Parameters
        ----------
        max_rows : int or None
            Number of lines at most. Deep nodes are left out first. None shows all nodes.
        max_cols : int or None
            Number of characters of a line at most.
        show_values : bool
            False leaves out the values of scalars.
        depth : int or None
            Shows nodes down to this depth only.
        """
        lines = fitting(self, max_rows, depth)
        print("\n".join([self._title(), *as_text(lines, max_cols, show_values)]))


def fitting(node: Any, most: int | None, depth: int | None = None, hidden: frozenset[str] = frozenset()) -> list[Line]:
    """Lines of a tree to the greatest depth with so few lines."""
    if most is None:
        return list(walk(node, 2**31 if depth is None else depth, None, hidden))
    found = list(walk(node, 1, most, hidden))
    for deeper in range(2, (DEEPEST if depth is None else depth) + 1):
        lines = list(walk(node, deeper, most, hidden))
        if len(lines) > most or len(lines) == len(found):
            break
        found = lines
    return found if len(found) <= most else [*found[: most - 1], Line(0, "…", "", is_left_out=True)]


def walk(node: Any, depth: int, most: int | None, hidden: frozenset[str]) -> Iterator[Line]:
    """Lines of the nodes below a node, in the order of the file, without hidden keys. Ends soon after `most` lines."""
    seen = {node._identity()}
    todo = [(node, 0, iter(range(node._count())))]
    lines = 0
    while todo:
        parent, level, indices = todo[-1]
        index = next(indices, None)
        if index is None:
            todo.pop()
            continue
        if most is not None and lines > most:
            return
        key = str(parent._key(index)) if is_mapping(parent) else f"[{index}]"
        if level == 0 and key in hidden:
            continue
        lines += 1
        try:
            child = NodeHandle(pointer(lib.asdf_node_item, parent._pointer, b"", index), parent._file)
            facts, is_open = described(child)
            key = name_of_column(child) or (name_in_table(todo[-2][0], parent, index) if level else None) or key
        except AsdfError as problem:
            # A reference that leads nowhere has no node.
            yield Line(level, key, f"{str(problem)[:WIDTH]}")
            continue
        if is_open and child._identity() in seen:
            yield Line(level, key, f"{facts}, shown above")
            continue
        yield Line(level, key, facts, is_open)
        if is_open:
            seen.add(child._identity())
            if level + 1 < depth:
                todo.append((child, level + 1, iter(range(child._count()))))


def is_mapping(node: NodeHandle) -> bool:
    return int32(lib.asdf_node_type, node._pointer, b"") == NodeType.MAPPING


def described(node: NodeHandle) -> tuple[str, bool]:
    """Description of a node, and whether its children tell more."""
    kind = int32(lib.asdf_node_kind, node._pointer, b"")
    place = node._pointer, b""
    if kind == Kind.ARRAY:
        return of_array(node), False
    if kind == Kind.QUANTITY:
        if int32(lib.asdf_node_kind, node._pointer, b"value") in (Kind.ARRAY, Kind.NUMBER_LIST):
            return f"quantity {of_array(node)}", False
        return f"{text(lib.asdf_node_get_text, node._pointer, b'value')} {unit_of(node)}", False
    if kind == Kind.COLUMN and int32(lib.asdf_node_exists, node._pointer, b"data"):
        data = NodeHandle(pointer(lib.asdf_node_get, node._pointer, b"data"), node._file)
        return of_array(data, "column"), False
    if int32(lib.asdf_node_type, *place) in COLLECTIONS:
        return of_collection(node, kind)
    reader = SCALARS.get(kind)
    if reader is None:
        return f"{kind_name(kind)} {text(lib.asdf_node_get_text, *place)}", False
    return shortened(repr(reader(*place))), False


def unit_of(node: NodeHandle) -> str:
    """Unit of a quantity; the text of one that the library does not know."""
    try:
        return text(lib.asdf_node_get_unit, node._pointer, b"")
    except AsdfError:
        return text(lib.asdf_node_get_text, node._pointer, b"unit")


def of_collection(node: NodeHandle, kind: int) -> tuple[str, bool]:
    count = node._count()
    tag = short_tag(node._tag())
    if not is_mapping(node):
        line = list_line(node, count) if not tag else None
        return (line, False) if line is not None else (f"list of {counted(count, 'item')}{tag}", True)
    what = "mapping" if kind == Kind.MAPPING else kind_name(kind)
    return f"{what} with {counted(count, 'key')}{tag}", count > 0


def list_line(node: NodeHandle, count: int) -> str | None:
    """A short list of scalars in one line; None for other lists."""
    if count > WIDTH // 3:
        return None
    items = []
    for index in range(count):
        item = pointer(lib.asdf_node_item, node._pointer, b"", index)
        handle = NodeHandle(item, node._file)
        reader = SCALARS.get(int32(lib.asdf_node_kind, handle._pointer, b""))
        if reader is None or handle._tag():
            return None
        items.append(repr(reader(handle._pointer, b"")))
    line = f"[{', '.join(items)}]"
    return line if len(line) <= WIDTH else None


def name_of_column(node: NodeHandle) -> str | None:
    """Name of a column of a table, which is an item of a list."""
    if int32(lib.asdf_node_kind, node._pointer, b"") != Kind.COLUMN:
        return None
    return text(lib.asdf_node_get_text, node._pointer, b"name")


def name_in_table(table: NodeHandle, columns: NodeHandle, index: int) -> str | None:
    """Name of a column of a table of astropy, whose columns may be quantities and other objects without a name."""
    path = b"colnames/%d" % index
    if int32(lib.asdf_node_kind, table._pointer, b"") != Kind.TABLE or is_mapping(columns):
        return None
    if not int32(lib.asdf_node_exists, table._pointer, path):
        return None
    is_list_of_columns = int64(lib.asdf_node_identity, table._pointer, b"columns") == columns._identity()
    return text(lib.asdf_node_get_text, table._pointer, path) if is_list_of_columns else None


def of_array(node: Any, what: str = "array") -> str:
    array = Array(pointer(lib.asdf_node_get_array, node._pointer, b""), node)
    parts = [f"{what} {array.shape} {array.datatype_name}"]
    parts += [array.compression] if array.compression else []
    parts += ["masked"] if array.has_mask else []
    parts += [f"unit {array.unit!r}"] if array.unit else []
    return ", ".join(parts)


def kind_name(kind: int) -> str:
    return Kind(kind).name.lower().replace("_", " ") if kind in set(map(int, Kind)) else "node"


def short_tag(tag: str | None) -> str:
    if not tag or tag.startswith("tag:yaml.org,2002:"):
        return ""
    return f"  !{tag.rpartition(':')[2].removeprefix('asdf/')}"


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def shortened(value: str) -> str:
    value = value.replace("\n", "\\n")
    return value if len(value) <= WIDTH else f"{value[: WIDTH - 1]}…"


def as_text(lines: list[Line], width: int | None, show_values: bool) -> list[str]:
    result = []
    for line in lines:
        facts = f": {line.facts}" if line.facts and (show_values or line.has_children or is_type(line.facts)) else ""
        written = f"{'  ' * (line.depth + 1)}{line.key}{facts}"
        result.append(written if width is None or len(written) <= width else f"{written[: max(1, width - 1)]}…")
    return result


def is_type(facts: str) -> bool:
    """Whether a description tells a type, and no value."""
    return facts.startswith(("array ", "column ", "quantity array", "list of", "mapping with", "table with"))


def as_html(lines: list[Line]) -> str:
    """Nested lists, whose branches can be closed."""
    parts: list[str] = ["<ul>"]
    depth = 0
    for index, line in enumerate(lines):
        while depth > line.depth:
            parts.append("</ul></details></li>")
            depth -= 1
        label = f"<b>{html.escape(line.key)}</b>: {html.escape(line.facts)}" if line.facts else html.escape(line.key)
        if index + 1 < len(lines) and lines[index + 1].depth > line.depth:
            parts.append(f"<li><details open><summary>{label}</summary><ul>")
            depth += 1
        else:
            parts.append(f"<li>{label}</li>")
    parts += ["</ul></details></li>"] * depth
    return "".join([*parts, "</ul>"])


def completions(node: Any) -> list[str]:
    """Keys of a mapping, and paths into the mappings in it."""
    found: list[str] = []
    todo = deque([("", node)])
    while todo and len(found) < COMPLETIONS:
        prefix, mapping = todo.popleft()
        for index in range(mapping._count()):
            key = mapping._key(index)
            if not isinstance(key, str):
                continue
            path = prefix + escaped(key)
            found.append(path if prefix else str(key))
            try:
                child = NodeHandle(pointer(lib.asdf_node_item, mapping._pointer, b"", index), mapping._file)
            except AsdfError:
                continue
            if int32(lib.asdf_node_kind, child._pointer, b"") == Kind.MAPPING and path.count("/") < DEEPEST:
                todo.append((f"{path}/", child))
    return found[:COMPLETIONS]
