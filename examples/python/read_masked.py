"""Reads an image with missing pixels: read_masked.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        image = file["data"][...]  # a numpy.ma.MaskedArray
    print(f"{image.mask.sum()} missing, the others from {image.min():.1f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
