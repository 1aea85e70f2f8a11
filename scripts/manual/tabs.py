"""Programs in tabs: a paragraph of links to the same program in several languages becomes a set of tabs with them."""

import re
from pathlib import Path

LANGUAGES = {
    ".c": ("C", "c"),
    ".cpp": ("C++", "cpp"),
    ".f90": ("Fortran", "fortran"),
    ".jl": ("Julia", "julia"),
    ".R": ("R", "r"),
    ".py": ("Python", "python"),
    ".rs": ("Rust", "rust"),
    ".sh": ("Command", "bash"),
}
LINK = r"\[[^\]]+\]\((\.\./[^)]*examples[^)]*)\)"
PARAGRAPH = re.compile(rf"(?m)^{LINK}(?:\s*·\s*{LINK})+$")


def tabs(page: Path, text: str) -> str:
    """Returns the text of a page with its programs in tabs."""

    def programs(found: re.Match[str]) -> str:
        lines = ["::::{tab-set}", ":sync-group: language", ""]
        for target in re.findall(LINK, found[0]):
            path = page.parent / target
            title, language = LANGUAGES[path.suffix]
            lines += [f":::{{tab-item}} {title}", f":sync: {language}", "", f"```{language}"]
            lines += [path.read_text().rstrip("\n"), "```", "", ":::", ""]
        return "\n".join([*lines, "::::"])

    return PARAGRAPH.sub(programs, text)
