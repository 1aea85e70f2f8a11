"""Compares all checksums of the files below a directory: verify_archive.py DIRECTORY"""

import sys
from pathlib import Path

import asdfkit


def main() -> int:
    good = 0
    for path in sorted(Path(sys.argv[1]).rglob("*.asdf")):
        try:
            with asdfkit.open(path) as file:
                file.verify(threads=2)
            good += 1
        except asdfkit.AsdfError as problem:
            print(problem)
    print(good, "files are good")
    return 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) == 2 else 2)
