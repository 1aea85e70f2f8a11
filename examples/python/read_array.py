"""Reads a whole image into memory: read_array.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        image = file["data"][...]  # a numpy.ndarray
    print(f"{image.shape[0]} x {image.shape[1]}, last pixel {image[-1, -1]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
