#!/usr/bin/env python3
"""Writes crates/remote/THIRD-PARTY-LICENSES.md: the crates that libasdfkit_remote contains, with the texts of their licences.

With --check it only compares the names and versions in the file with those of the library. The texts are those that each
crate holds; a crate with a choice of licences is listed under MIT, or else under the first of them that it has a text of.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CRATE = ROOT / "crates" / "remote"
LIST = CRATE / "THIRD-PARTY-LICENSES.md"
OWN = re.compile(r"^asdfkit")
# In the order of preference.
NAMES = ("MIT", "Apache-2.0", "ISC", "BSD-3-Clause", "Unicode-3.0", "Unlicense")
HEAD = """# Licences of what libasdfkit_remote contains

The library holds code of the crates below under the licences below, and of the standard library of Rust (MIT or Apache-2.0,
The Rust Project Developers). `scripts/list_licences.py` writes this file.
"""


def cargo(*arguments: str) -> str:
    command = ["cargo", *arguments, "--locked", "--manifest-path", str(CRATE / "Cargo.toml")]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def crates() -> list[tuple[str, str]]:
    """Names and versions of the crates that end up in the library."""
    tree = cargo("tree", "--edges", "normal", "--prefix", "none", "--format", "{p}")
    found = {tuple(line.split()[:2]) for line in tree.splitlines() if line and not OWN.match(line)}
    return sorted((name, version.removeprefix("v")) for name, version in found)


def wanted(expression: str) -> list[list[str]]:
    """Alternatives of a licence expression; each is a list of licences that hold together."""
    parts = re.split(r"\s+AND\s+", expression.replace("/", " OR "))
    choices = [[part for part in re.split(r"\s+OR\s+", group.strip("() ")) if part in NAMES] for group in parts]
    return [sorted(choice, key=NAMES.index) for choice in choices]


def text_of(folder: Path, licence: str, is_only: bool) -> str | None:
    """Text of a licence in the folder of a crate."""
    files = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying|unlicense)", path.name))
    word = {"Apache-2.0": "apache", "BSD-3-Clause": "bsd"}.get(licence, licence.split("-")[0].lower())
    named = [path for path in files if path.is_file() and word in path.name.lower()]
    plain = [path for path in files if path.is_file() and re.fullmatch(r"(?i)(licen[cs]e|copying)(\.\w+)?", path.name)]
    for path in named or (plain if is_only or len(files) == 1 else []):
        return path.read_text(errors="replace").strip()
    return None


def listed() -> str:
    metadata = json.loads(cargo("metadata", "--format-version", "1"))
    packages = {(package["name"], package["version"]): package for package in metadata["packages"]}
    texts: dict[tuple[str, str], list[str]] = {}
    without = []
    for name, version in crates():
        package = packages[name, version]
        folder = Path(package["manifest_path"]).parent
        for choice in wanted(package["license"]):
            assert choice, f"{name} has an unknown licence: {package['license']}"
            found = [(licence, text_of(folder, licence, len(choice) == 1)) for licence in choice]
            licence, text = next(((licence, text) for licence, text in found if text), (choice[0], None))
            if text is None:
                owners = ", ".join(package["authors"]) or package["repository"]
                without.append(f"* {name} {version} ({licence}): {owners}")
            else:
                texts.setdefault((licence, text), []).append(f"* {name} {version}")
    parts = [HEAD]
    for (licence, text), names in sorted(texts.items(), key=lambda item: (NAMES.index(item[0][0]), item[1])):
        parts.append("\n".join([f"## {licence}", "", *names, "", "```text", text.replace("```", "'''"), "```", ""]))
    if without:
        parts.append("\n".join(["## Crates without a text of their own", "", *without, ""]))
    return "\n".join(parts)


def main() -> int:
    if "--check" in sys.argv:
        known = set(re.findall(r"^\* (\S+ [0-9]\S*)", LIST.read_text(), re.MULTILINE))
        missing = [f"{name} {version}" for name, version in crates() if f"{name} {version}" not in known]
        if missing:
            print(
                f"{LIST.name} of crates/remote lacks {', '.join(missing)}: run scripts/list_licences.py",
                file=sys.stderr,
            )
        return bool(missing)
    LIST.write_text(listed())
    return 0


if __name__ == "__main__":
    sys.exit(main())
