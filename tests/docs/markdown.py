"""Parts of the Markdown pages that the tests need: code blocks, headings, links."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(os.environ["ASDFKIT_SOURCE"])
FENCE = re.compile(r"^```(\S*) *(.*)$")
HEADING = re.compile(r"^#+ +(.*?) *#*$")


@dataclass
class Block:
    """A fenced code block. A line number counts from 1 and is that of the first line inside the fence."""

    language: str
    name: str
    line: int
    text: str


def pages(*patterns: str) -> list[Path]:
    """The pages of the checkout that match the patterns."""
    return [page for pattern in patterns for page in sorted(SOURCE.glob(pattern))]


def blocks(page: Path) -> list[Block]:
    """The code blocks of a page, in order. The word after the language is the name of a block."""
    found: list[Block] = []
    opened: Block | None = None
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if opened is None and fence:
            opened = Block(fence[1], fence[2].strip(), number + 1, "")
        elif opened is not None and line == "```":
            found.append(opened)
            opened = None
        elif opened is not None:
            opened.text += line + "\n"
    if opened is not None:
        raise SystemExit(f"{page}:{opened.line - 1}: the code block has no end")
    return found


def prose(page: Path) -> str:
    """The text of a page with code blocks emptied, so that line numbers stay."""
    lines, inside = [], False
    for line in page.read_text().splitlines():
        fence = line.startswith("```")
        lines.append("" if inside or fence else line)
        inside ^= fence
    return "\n".join(lines)


def anchors(page: Path) -> set[str]:
    """The anchors of the headings, as GitHub makes them."""
    found: set[str] = set()
    for line in prose(page).splitlines():
        heading = HEADING.match(line)
        if heading:
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            unique, number = slug, 0
            while unique in found:
                number += 1
                unique = f"{slug}-{number}"
            found.add(unique)
    return found


def links(page: Path) -> list[tuple[int, str]]:
    """The targets of the links and images of a page, each with its line."""
    # Code spans hold no links; a link may go on in the next line.
    text = re.sub(r"`[^`]*`", lambda code: re.sub(r"[^\n]", " ", code[0]), prose(page))
    return [(text.count("\n", 0, link.start()) + 1, link[1]) for link in re.finditer(r"\]\(\s*([^()\s]+)\s*\)", text)]
