"""Tables as text and HTML for people: the first and the last rows, with cells in the display format of their column."""

from __future__ import annotations

import html
import shutil
from typing import Any

import numpy as np

#: Rows that are shown of a longer table, half of them from its end.
ROWS = 20
#: Maximum number of characters of a cell.
WIDTH = 32
#: Columns of a representation in HTML.
MOST_COLUMNS = 40
MISSING = "--"


def formatted(value: Any, format: str | None) -> str:
    """Text of a cell. The format is one of printf, or one of Python with or without braces, as astropy has them."""
    if value is np.ma.masked or value is None:
        return MISSING
    if format and np.ndim(value) == 0:
        try:
            if "%" in format:
                return str(format % value)
            return format.format(value) if "{" in format else f"{value:{format}}"
        except (TypeError, ValueError, KeyError, IndexError):
            pass  # a format for other values
    shown = str(value).replace("\n", " ")
    return shown if len(shown) <= WIDTH else f"{shown[: WIDTH - 1]}…"


def cells_of(table: Any, names: list[str]) -> tuple[list[list[str]], int]:
    """Columns of texts, and the number of the row behind which rows are left out; 0 if all are shown."""
    count = len(table)
    half = ROWS // 2
    parts = [range(count)] if count <= ROWS else [range(half), range(count - half, count)]
    columns = []
    for name in names:
        column = table.columns[name]
        texts = []
        for part in parts:
            texts += [formatted(cell, column.format) for cell in column.read(part)]
        columns.append(texts)
    return columns, 0 if count <= ROWS else half


def as_text(table: Any) -> str:
    """Name, unit and cells of as many columns as a terminal has space for."""
    width = shutil.get_terminal_size((120, 24)).columns
    names = table.names
    title = f"<asdfkit.Table of {len(table)} row{'' if len(table) == 1 else 's'} and {len(names)} column"
    title += f"{'' if len(names) == 1 else 's'}>"
    # The shortest column has one character and two blanks.
    shown = names if len(names) <= width // 3 else [*names[: width // 6], *names[-(width // 6) :]]
    columns, gap = cells_of(table, shown)
    units = [table.columns[name].unit or "" for name in shown]
    blocks = []
    for name, unit, cells in zip(shown, units, columns):
        lines = [name[:WIDTH], *([unit[:WIDTH]] if any(units) else []), *cells]
        if gap:
            lines.insert(len(lines) - len(cells) + gap, "…")
        size = max(map(len, lines))
        blocks.append([line.rjust(size) for line in lines])
    kept = elided(blocks, width, len(names))
    return "\n".join([title, *("  ".join(parts).rstrip() for parts in zip(*kept))])


def elided(blocks: list[list[str]], width: int, count: int) -> list[list[str]]:
    """The first and the last columns that fit, with a mark in place of the others."""
    sizes = [len(block[0]) + 2 for block in blocks]
    if sum(sizes) - 2 <= width and len(blocks) == count:
        return blocks
    space, left, right = width - 1, 0, 0
    while left + right < len(blocks):
        size = sizes[left] if left <= right else sizes[-1 - right]
        if size > space:
            break
        space -= size
        left, right = (left + 1, right) if left <= right else (left, right + 1)
    mark = ["…"] * (len(blocks[0]) if blocks else 0)
    return [*blocks[:left], mark, *blocks[len(blocks) - right :]]


def as_html(table: Any) -> str:
    names = table.names
    shown = names if len(names) <= MOST_COLUMNS else [*names[: MOST_COLUMNS // 2], *names[-(MOST_COLUMNS // 2) :]]
    columns, gap = cells_of(table, shown)
    units = [table.columns[name].unit or "" for name in shown]
    rows = [list(cells) for cells in zip(*columns)]
    if gap:
        rows.insert(gap, ["…"] * len(shown))
    if len(shown) < len(names):
        middle = MOST_COLUMNS // 2
        for line in (shown := list(shown), units, *rows):
            line.insert(middle, "…")
    head = row_of(shown, "th") + (row_of(units, "th") if any(units) else "")
    body = "".join(row_of(row, "td") for row in rows)
    caption = f"{len(table)} rows, {len(names)} columns"
    return f"<table><caption>{caption}</caption><thead>{head}</thead><tbody>{body}</tbody></table>"


def row_of(cells: list[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
