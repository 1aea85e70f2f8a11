"""Reads every second pixel of a window of an image: read_region.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        window = file["data"][76:84:2, 54:66:2]
    print(f"first {window[0, 0]}, last {window[-1, -1]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
