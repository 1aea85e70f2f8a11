#!/usr/bin/env python3
"""Writes the generated files of the language bindings from include/asdfkit-api.json, and the version of Cargo.toml into
the files of other packages.

With --check it writes nothing, and fails with the beginning of the difference if a file is stale.
"""

import argparse
import difflib
import sys
from pathlib import Path

from bindings import cpp, fortran, interface, julia, python, r, versions

ROOT = Path(__file__).resolve().parent.parent
PARTS = [cpp, fortran, julia, python, r, versions]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare the files")
    check = parser.parse_args().check
    api = interface.read(ROOT / "include" / "asdfkit-api.json")
    stale = 0
    for part in PARTS:
        for name, text in part.generate(api).items():
            path = ROOT / name
            old = path.read_text() if path.exists() else ""
            if old == text:
                continue
            stale += 1
            if check:
                lines = difflib.unified_diff(old.splitlines(), text.splitlines(), name, "generated", lineterm="", n=1)
                print("\n".join(list(lines)[:20]), file=sys.stderr)
            else:
                path.write_text(text)
                print(f"wrote {name}")
    if check and stale:
        print(f"{stale} stale: run scripts/generate_bindings.py", file=sys.stderr)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
