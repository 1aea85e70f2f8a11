"""Reads a text by its path: read_string.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        print(file["meta/target/name"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
