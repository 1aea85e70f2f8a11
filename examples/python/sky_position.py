"""Converts a pixel of an image to a position on the sky, and back: sky_position.py FILE X Y"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        wcs = asdfkit.WCS(file.node("meta/wcs"))
    ra, dec = wcs(float(sys.argv[2]), float(sys.argv[3]))
    x, y = wcs.invert(ra, dec)
    print(f"ra {ra:.6f}, dec {dec:.6f}: pixel {x:.3f}, {y:.3f}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
