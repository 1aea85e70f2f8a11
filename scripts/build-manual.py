#!/usr/bin/env python3
"""Builds the manual in build/manual/html: the pages of docs, and pages on the C interface that are made from its data.

The pages are copied to build/manual/source first, where links to files outside of docs lead to copies of them, and
links to the same program in several languages become tabs. Sphinx then stops at each warning.
"""

import re
import shutil
import subprocess
import venv
from pathlib import Path

from manual import compiled, languages, reference, tabs

from bindings import interface

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
WORK = ROOT / "build/manual"
SOURCE = WORK / "source"
TOOLS = WORK / "tools"
REQUIREMENTS = ROOT / "scripts/requirements-docs.txt"
LINK = re.compile(r"(\]\(\s*)([^()\s]+)(\s*\))")
# Pages that are made here, by the section of the first page that they belong to.
MADE = {
    "Reference": [
        "reference/cpp-headers",
        "reference/fortran-modules",
        "reference/python-package",
        "reference/julia-package",
        "reference/r-package",
    ]
}
# Pages of the manual that take the place of files elsewhere.
PAGES = {"README.md": "index.md", "include/asdf.h": "reference/c/index.md", "docs": "index.md"}


def leads_out(page: Path, text: str) -> str:
    """Returns the text of a page with its links to files outside of docs changed to copies of these files."""

    def changed(found: re.Match[str]) -> str:
        target = found[2].partition("#")[0]
        if not target or re.match(r"[a-z]+:", target):
            return found[0]
        path = (page.parent / target).resolve()
        if path.is_relative_to(DOCS):
            return found[0]
        name = str(path.relative_to(ROOT))
        depth = "../" * len(page.parent.relative_to(DOCS).parts)
        if name in PAGES:
            return f"{found[1]}{depth}{PAGES[name]}{found[3]}"
        return f"{found[1]}{depth}{copied(path, name)}{found[3]}"

    return LINK.sub(changed, text)


def copied(path: Path, name: str) -> str:
    """Copies a file, or the list of the files in a directory, into the source; returns its place there."""
    target = SOURCE / "files" / (f"{name}.txt" if path.is_dir() or path.suffix in (".md", "") else name)
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        target.write_text("".join(f"{each.relative_to(ROOT)}\n" for each in sorted(path.iterdir())))
    else:
        shutil.copy(path, target)
    return str(target.relative_to(SOURCE))


def with_contents(index: str) -> str:
    """Adds a hidden table of contents for each section of the first page, with the pages of its table."""
    parts = re.split(r"(?m)^(?=## )", index)
    for number, part in enumerate(parts[1:], 1):
        title = part.splitlines()[0].removeprefix("## ")
        names = [target.removesuffix(".md") for target in re.findall(r"(?m)^\| \[[^\]]+\]\(([^)#]+\.md)\)", part)]
        names += MADE.get(title, [])
        parts[number] = part + "\n".join(["```{toctree}", ":hidden:", f":caption: {title}", "", *names, "```", "", ""])
    return "".join(parts)


def write_source() -> None:
    shutil.rmtree(SOURCE, ignore_errors=True)
    for path in sorted(DOCS.rglob("*")):
        target = SOURCE / path.relative_to(DOCS)
        if path.is_dir():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            text = leads_out(path, tabs.tabs(path, path.read_text()))
            target.write_text(with_contents(text) if path == DOCS / "index.md" else text)
        else:
            shutil.copy(path, target)
        api = interface.read(ROOT / "include/asdfkit-api.json")
    directory = SOURCE / "reference/c"
    directory.mkdir(parents=True)
    for name, text in reference.pages(api).items():
        (directory / name).write_text(text)
    for name, text in {**compiled.pages(), **languages.pages()}.items():
        (SOURCE / "reference" / name).write_text(text)


def tools() -> Path:
    """Returns the Python of an environment with Sphinx, which it makes if the list of packages has changed."""
    stamp, wanted, python = TOOLS / "stamp", REQUIREMENTS.read_text(), TOOLS / "bin/python"
    if not stamp.exists() or stamp.read_text() != wanted:
        print("Installing Sphinx into build/manual/tools", flush=True)
        venv.create(TOOLS, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--require-hashes"]
        subprocess.run([*pip, "-r", REQUIREMENTS], check=True)
        stamp.write_text(wanted)
    return python


def main() -> int:
    write_source()
    html = WORK / "html"
    shutil.rmtree(html, ignore_errors=True)
    builder = [tools(), "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "2", "-d", WORK / "cache"]
    status = subprocess.run([*builder, "-b", "html", SOURCE, html], check=False).returncode
    if status == 0:
        print(f"The manual is at {html / 'index.html'}")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
