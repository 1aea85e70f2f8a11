"""Reads a number by its path, and another one with a default: read_scalar.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        seconds = file["meta/exposure/time"]
        repeats = file.get("meta/exposure/repeats", 1)
    print(f"{seconds} s, {repeats} exposure(s)")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
