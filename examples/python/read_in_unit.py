"""Reads a column of angles in hours instead of degrees: read_in_unit.py TABLE"""

import sys

import asdfkit


def main() -> None:
    table = asdfkit.read_ecsv(sys.argv[1])
    for hours in table.columns["ra"].read(unit="hourangle"):
        print(f"{hours:.4f} h")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
