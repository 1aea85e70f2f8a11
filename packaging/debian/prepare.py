#!/usr/bin/env python3
"""Makes the folder `debian` in the unpacked source tarball: copies the files beside this one, and generates the others.

The changelog has the version of the library, the list of symbols the functions of include/asdfkit-api.json, and the
copyright file the licences of the crates in `vendor`. DEBEMAIL and DEBFULLNAME name the maintainer.
"""

import email.utils
import json
import os
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import vendored_crates

# Debian's names of licences.
DEBIAN_NAMES = {"MIT": "Expat", "BSD-2-Clause": "BSD-2-clause", "BSD-3-Clause": "BSD-3-clause"}
# Names of the licences in the headings of THIRD-PARTY-LICENSES.md.
HEADINGS = {
    "Apache License 2.0": "Apache-2.0",
    "BSD 2-Clause": "BSD-2-Clause",
    "BSD 3-Clause": "BSD-3-Clause",
    "Bitstream Vera": "Bitstream-Vera",
    "Creative Commons Zero": "CC0-1.0",
    "ISC License": "ISC",
    "MIT License": "MIT",
    "Unicode License v3": "Unicode-3.0",
    "zlib License": "Zlib",
    "bzip2 and libbzip2": "bzip2-1.0.6",
}
APACHE = "On Debian systems, the text of this licence is in /usr/share/common-licenses/Apache-2.0."


def constant(file: str, pattern: str) -> str:
    """Returns what the group of the pattern matches in a file of the library."""
    return re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)[1]


def maintainer() -> str:
    name = os.environ.get("DEBFULLNAME", "The asdfkit developers")
    return f"{name} <{os.environ.get('DEBEMAIL', 'asdfkit@example.org')}>"


def changelog(version: str) -> str:
    time = os.environ.get("SOURCE_DATE_EPOCH") or (ROOT / "Cargo.toml").stat().st_mtime
    date = email.utils.format_datetime(datetime.fromtimestamp(int(time), UTC))
    return f"asdfkit ({version}-1) unstable; urgency=medium\n\n  * Version {version}.\n\n -- {maintainer()}  {date}\n"


def symbols(abi: str) -> str:
    """Returns the exported functions with the versions since which they exist."""
    functions = json.loads((ROOT / "include/asdfkit-api.json").read_text())["functions"]
    lines = sorted(f" {function['name']}@Base {function['since']}\n" for function in functions)
    header = f"libasdfkit.so.{abi} libasdfkit{abi} #MINVER#\n* Build-Depends-Package: libasdfkit-dev\n"
    return header + "".join(lines)


def third_parties() -> tuple[dict[str, str], dict[str, list[str]], dict[str, set[str]]]:
    """Reads THIRD-PARTY-LICENSES.md.

    Returns the text of each licence without the lines of its owners, these lines for each crate, and the licences of
    each crate.
    """
    texts = {"Apache-2.0": APACHE}
    owners = {}
    licences = {}
    for section in re.split(r"^## ", (ROOT / "THIRD-PARTY-LICENSES.md").read_text(), flags=re.MULTILINE)[1:]:
        name = next(name for heading, name in HEADINGS.items() if section.startswith(heading))
        text = section[section.index("```text\n") + 8 : section.rindex("\n```")]
        lines = [line.strip() for line in text.splitlines()]
        held = [line for line in lines if re.match(r"(copyright )?(\(c\)|©) |copyright [0-9]", line, re.IGNORECASE)]
        texts.setdefault(name, "\n".join(line for line in lines if line not in held).strip())
        for crate in re.findall(r"^\* (\S+) ", section, re.MULTILINE):
            owners.setdefault(crate, []).extend(held)
            licences.setdefault(crate, set()).add(name)
    return texts, owners, licences


def licence(expression: str, listed: set[str], known: dict[str, str]) -> str:
    """Returns the licence of a crate in Debian's notation: its SPDX expression, and licences that are listed besides.

    Of alternatives only those with a known text stay.
    """
    parts = [part.strip("()").split(" OR ") for part in expression.replace("/", " OR ").split(" AND ")]
    parts += [[name] for name in sorted(listed) if not any(name in part for part in parts)]
    words = []
    for part in parts:
        names = [DEBIAN_NAMES.get(name, name) for name in part if name in known]
        if not names:
            raise SystemExit(f"THIRD-PARTY-LICENSES.md has no text for the licence {expression}")
        words.append(" or ".join(names))
    return ", and ".join(words)


def indented(text: str) -> str:
    """Returns a text as the continuation lines of a field."""
    return "".join(f" {line.strip() or '.'}\n" for line in text.splitlines())


def copyright_file() -> str:
    texts, owners, licences = third_parties()
    ours = constant("LICENSE-MIT", r"^Copyright \(c\) (.*)")
    header = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: asdfkit\n"
        "Comment: The libraries also hold code of the standard library of Rust (Expat or Apache-2.0,\n"
        " The Rust Project Developers).\n"
    )
    parts = [header, f"Files: *\nCopyright: {ours}\nLicense: Expat or Apache-2.0\n"]
    for crate, package in vendored_crates.packages(ROOT / "vendor"):
        holders = list(dict.fromkeys(owners.get(package["name"], []))) or [vendored_crates.authors(package)]
        parts.append(
            f"Files: vendor/{crate.name}/*\nCopyright: {indented(chr(10).join(holders)).strip()}\n"
            f"License: {licence(package['license'], licences.get(package['name'], set()), texts)}\n"
        )
    parts += [f"License: {DEBIAN_NAMES.get(name, name)}\n{indented(text)}" for name, text in sorted(texts.items())]
    return "\n".join(parts)


def main() -> None:
    abi = constant("build.rs", r"^const ABI: u32 = (\d+)")
    version = constant("Cargo.toml", r'^version = "(.*)"')
    debian = ROOT / "debian"
    shutil.copytree(HERE, debian, ignore=shutil.ignore_patterns(Path(__file__).name, "*ABI*"))
    for file in HERE.glob("*ABI*"):
        shutil.copy(file, debian / file.name.replace("ABI", abi))
    control = (debian / "control").read_text()
    (debian / "control").write_text(control.replace("@ABI@", abi).replace("@MAINTAINER@", maintainer()))
    (debian / "changelog").write_text(changelog(version))
    (debian / f"libasdfkit{abi}.symbols").write_text(symbols(abi))
    (debian / "copyright").write_text(copyright_file())


if __name__ == "__main__":
    main()
