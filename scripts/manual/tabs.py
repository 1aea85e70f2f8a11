"""Programs in pages: a paragraph of links to the same program in several languages becomes a set of tabs with them, and a
paragraph of one such link the program itself.
"""

import re
import textwrap
from pathlib import Path

# In the order of the tabs.
LANGUAGES = {
    ".py": ("Python", "python"),
    ".c": ("C", "c"),
    ".cpp": ("C++", "cpp"),
    ".f90": ("Fortran", "fortran"),
    ".jl": ("Julia", "julia"),
    ".R": ("R", "r"),
    ".rs": ("Rust", "rust"),
    ".sh": ("Command", "bash"),
}
LINK = r"\[[^\]]+\]\((\.\./[^)]*examples[^)]*)\)"
PARAGRAPH = re.compile(rf"(?m)^{LINK}(?:\s*·\s*{LINK})*$")


def program(path: Path) -> str:
    """Returns a program as a block of code."""
    return f"```{LANGUAGES[path.suffix][1]}\n{path.read_text().rstrip()}\n```"


BLOCK = re.compile(r"(?ms)^```(\w[^\n]*)\n(.*?)^```$")


def dedented(text: str) -> str:
    """Returns the text of a page with its blocks of code without the indentation that all their lines share."""
    return BLOCK.sub(lambda found: f"```{found[1]}\n{textwrap.dedent(found[2])}```", text)


def tabs(page: Path, text: str) -> str:
    """Returns the text of a page with its programs in tabs."""

    def programs(found: re.Match[str]) -> str:
        paths = [page.parent / target for target in re.findall(LINK, found[0])]
        if len(paths) == 1:
            return program(paths[0])
        lines = ["::::{tab-set}", ":sync-group: language", ""]
        order = list(LANGUAGES)
        for path in sorted(paths, key=lambda path: order.index(path.suffix)):
            title, language = LANGUAGES[path.suffix]
            lines += [f":::{{tab-item}} {title}", f":sync: {language}", "", program(path), "", ":::", ""]
        return "\n".join([*lines, "::::"])

    return PARAGRAPH.sub(programs, dedented(text))
