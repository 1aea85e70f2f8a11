"""Drawings of the manual as SVG. They have their own light background, so that they can be read in dark pages, too."""

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

FONT = 'font-family="system-ui, sans-serif" font-size="14"'
COLOURS = {"text": "#cfe3f6", "bytes": "#f8d9b8", "free": "#eeeeee", "mark": "#c9e8cf", "warn": "#f5c6c6"}


@dataclass
class Drawing:
    """A drawing of boxes, lines and texts, and what it shows for those who cannot see it."""

    width: int
    height: int
    title: str
    parts: list[str] = field(default_factory=list)

    def box(self, x: float, y: float, width: float, height: float, colour: str, *lines: str) -> None:
        shape = f'x="{x}" y="{y}" width="{width}" height="{height}"'
        self.parts.append(f'<rect {shape} fill="{COLOURS[colour]}" stroke="#444" rx="3"/>')
        for number, line in enumerate(lines):
            self.text(x + width / 2, y + height / 2 + 5 + 18 * (number - (len(lines) - 1) / 2), line, "middle")

    def text(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        self.parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="#111">{escape(text)}</text>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.parts.append(f'<path d="M{x1} {y1} L{x2} {y2}" stroke="#444" fill="none" marker-end="url(#head)"/>')

    def svg(self) -> str:
        head = '<marker id="head" markerWidth="9" markerHeight="9" refX="8" refY="4" orient="auto">'
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT} role="img">',
                f"<title>{escape(self.title)}</title>",
                f'<defs>{head}<path d="M0 0 L9 4 L0 8 z" fill="#444"/></marker></defs>',
                f'<rect width="{self.width}" height="{self.height}" fill="#fff"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


def file_layout() -> Drawing:
    drawing = Drawing(720, 250, "An ASDF file: head, tree, room, blocks, block index")
    drawing.text(10, 24, "first byte")
    drawing.text(710, 24, "last byte", "end")
    places = (
        (10, 110, "text", ("#ASDF 1.0.0", "head")),
        (120, 130, "text", ("--- … ...", "tree (YAML)")),
        (250, 60, "free", ("room",)),
        (310, 110, "bytes", ("block 0",)),
        (420, 110, "bytes", ("block 1",)),
        (530, 180, "text", ("#ASDF BLOCK INDEX", "--- [310, 420]")),
    )
    for x, width, colour, lines in places:
        drawing.box(x, 36, width, 64, colour, *lines)
    drawing.text(10, 150, "one block")
    parts = (
        (10, 110, "mark", ("D3 42 4C 4B", "magic")),
        (120, 90, "mark", ("00 30", "header: 48")),
        (210, 70, "bytes", ("flags", "4 bytes")),
        (280, 70, "bytes", ("codec", "4 bytes")),
        (350, 110, "bytes", ("3 sizes", "8 bytes each")),
        (460, 90, "bytes", ("MD5", "16 bytes")),
        (550, 100, "bytes", ("bytes of", "the array")),
        (650, 60, "free", ("room",)),
    )
    for x, width, colour, lines in parts:
        drawing.box(x, 160, width, 64, colour, *lines)
    return drawing


def save_in_place() -> Drawing:
    drawing = Drawing(720, 260, "Saving in place: old bytes go to a journal before the file changes")
    steps = (
        (10, "1. Old bytes are copied", "to the journal; wait for the disk", ("old tree", "blocks"), "old tree"),
        (250, "2. New bytes are written", "to the file; wait for the disk", ("new tree", "blocks"), "old tree"),
        (490, "3. The journal is removed:", "the file is saved", ("new tree", "blocks"), None),
    )
    for x, first, second, file, journal in steps:
        drawing.text(x, 24, first)
        drawing.text(x, 42, second)
        drawing.box(x, 60, 90, 50, "text" if file[0] == "old tree" else "mark", file[0])
        drawing.box(x + 90, 60, 120, 50, "bytes", file[1])
        if journal:
            drawing.box(x, 140, 90, 50, "text", journal)
            drawing.text(x + 100, 170, "journal")
    drawing.text(10, 220, "A crash before 3 leaves the journal: readers then take the old bytes from it, and the next")
    drawing.text(10, 240, "program that opens the file for update puts them back.")
    return drawing


def handles() -> Drawing:
    drawing = Drawing(720, 220, "Who keeps whom alive: nodes and arrays keep the file, views keep the bytes")
    drawing.box(290, 20, 140, 50, "mark", "file")
    drawing.box(60, 130, 140, 50, "text", "node")
    drawing.box(290, 130, 140, 50, "text", "array")
    drawing.box(520, 130, 140, 50, "bytes", "view")
    drawing.box(520, 20, 140, 50, "bytes", "mapped bytes")
    drawing.arrow(150, 130, 300, 72)
    drawing.arrow(360, 130, 360, 72)
    drawing.arrow(590, 130, 590, 72)
    drawing.text(10, 208, "An arrow means: keeps alive. Free in any order; what is still needed stays.")
    return drawing


def regions() -> Drawing:
    drawing = Drawing(720, 240, "A region: start, count and step along each axis; strides in memory")
    cell = 26
    for row in range(6):
        for column in range(10):
            taken = row in (1, 3, 5) and column in (2, 5, 8)
            drawing.box(10 + column * cell, 40 + row * cell, cell, cell, "mark" if taken else "free")
    drawing.text(10, 26, "array [6, 10]: start {1, 2}, count {3, 3}, step {2, 3}")
    drawing.arrow(285, 118, 340, 118)
    drawing.text(350, 26, "in memory: 3 x 3 elements, packed")
    for row in range(3):
        for column in range(3):
            drawing.box(350 + column * cell, 40 + row * cell, cell, cell, "mark")
    drawing.text(350, 150, "or with strides, into a part of a larger array")
    for row in range(2):
        for column in range(12):
            drawing.box(350 + column * cell, 160 + row * cell, cell, cell, "mark" if 4 <= column < 7 else "free")
    return drawing


def write(directory: Path) -> None:
    for make in (file_layout, save_in_place, handles, regions):
        (directory / f"{make.__name__.replace('_', '-')}.svg").write_text(make().svg())
