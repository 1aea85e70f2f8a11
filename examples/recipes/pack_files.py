"""Puts the arrays of a file into files of their own, and together again: pack_files.py FILE DIRECTORY"""

import sys
from pathlib import Path

import asdfkit


def main() -> None:
    source, directory = Path(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir()
    with asdfkit.open(source) as file:
        file.explode(directory / source.name)
    print(*sorted(path.name for path in directory.iterdir()))
    with asdfkit.open(directory / source.name, access="same_directory") as file:
        file.implode(directory / "whole.asdf")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(2)
    try:
        main()
    except (asdfkit.AsdfError, OSError) as problem:
        sys.exit(str(problem))
