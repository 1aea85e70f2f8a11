"""Checks that relative links of the pages lead to files and headings that exist, that the functions and constants they
name are in include/asdfkit-api.json, and that the targets of make they name are in the Makefile.
"""

import json
import re
import sys
from pathlib import Path

from markdown import SOURCE, anchors, links, pages

LINKED = (
    "README.md",
    "docs/**/*.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "tests/README.md",
    "bindings/**/README.md",
)
NAMED = ("README.md", "docs/**/*.md", "CONTRIBUTING.md", "SECURITY.md")
# Its first column names functions of another library.
LIBASDF = "docs/coming-from/libasdf.md"
NOT_OF_THE_INTERFACE = {"asdf_library", "ASDF_STANDARD"}  # a key in the tree, and the second line, of every file


def broken_link(page: Path, target: str) -> str | None:
    """The reason why a link of the page leads nowhere; None for a good link."""
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    if not path.exists():
        return f"the link {target} leads to no file"
    if anchor and anchor not in anchors(path):
        return f"the link {target} leads to no heading; there are {', '.join(sorted(anchors(path)))}"
    return None


def interface() -> set[str]:
    """The names of the C interface, of the Fortran module and of the R package."""
    data = json.loads((SOURCE / "include/asdfkit-api.json").read_text())
    names = {"asdf_status", "ASDF_NUL_TERMINATED"}
    for part in ("functions", "constants", "handles", "callbacks", "options"):
        names |= {item["name"] for item in data[part]}
    exporting = [
        SOURCE / "include/asdf_formats.h",
        SOURCE / "include/asdf_remote.h",
        SOURCE / "bindings/python/src/asdfkit/formats.py",
    ]
    exporting += [SOURCE / "bindings/fortran/src/asdfkit.f90"]
    exporting += SOURCE.glob("bindings/r/asdfkit/R/*.R")
    exporting += SOURCE.glob("bindings/r/asdfkit/man/*.Rd")
    names |= {f"asdf_error_{name[9:].lower()}" for name in names if name.startswith("ASDF_ERR_")}  # conditions of R
    return names.union(*(re.findall(r"\b(?:asdf|ASDF)_\w+", path.read_text()) for path in exporting))


def named(text: str) -> list[tuple[int, str]]:
    """The names of functions and constants in a page, each with its line.

    A table may take the common beginning of its names into the head of a column, as in "functions: `asdf_ndl_` …".
    """
    found = []
    prefixes: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        found += [(number, name) for name in re.findall(r"\b(?:asdf|ASDF)_\w+", line)]
        if not line.startswith("|"):
            prefixes = []
            continue
        cells = line.split("|")[1:-1]
        if not prefixes:
            heads = [re.search(r"`(asdf_[a-z0-9_]*_)` …", cell) for cell in cells]
            prefixes = [head[1] if head else "" for head in heads]
            continue
        for prefix, cell in zip(prefixes, cells, strict=False):
            if prefix:
                words = re.findall(r"`([a-z][a-z0-9_]*)`", cell)
                found += [(number, prefix + word) for word in words if not word.startswith("asdf_")]
    return found


def unknown_name(name: str, names: set[str]) -> bool:
    """Returns True if a name is not of the interface. One that ends with "_" stands for all that begin so."""
    if name in NOT_OF_THE_INTERFACE or name in names:
        return False
    return not (name.endswith("_") and any(known.startswith(name) for known in names))


def main() -> int:
    passed, faults = 0, []

    def check(page: Path, line: int, fault: str | None) -> None:
        nonlocal passed
        if fault:
            faults.append(f"FAILED {page.relative_to(SOURCE)}:{line}: {fault}")
        else:
            passed += 1

    for page in pages(*LINKED):
        for line, target in links(page):
            check(page, line, broken_link(page, target))
    names = interface()
    targets = set(re.findall(r"^([a-z-]+):", (SOURCE / "Makefile").read_text(), re.MULTILINE))
    for page in pages(*NAMED):
        text = page.read_text()
        if page == SOURCE / LIBASDF:
            text = re.sub(r"(?m)^\|[^|]*\|", "| |", text)
        for line, name in named(text):
            check(page, line, f"the interface has no {name}" if unknown_name(name, names) else None)
        for number, line in enumerate(text.splitlines(), 1):
            for target in re.findall(r"(?:^|`|[A-Z]=\S+ )make ([a-z-]+)", line):
                check(page, number, None if target in targets else f"the Makefile has no target {target}")
    print("\n".join(faults))
    print(f"{passed} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
