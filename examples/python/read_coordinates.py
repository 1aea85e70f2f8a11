"""Reads positions on the sky and their frame, with astropy: read_coordinates.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        sky = file["targets"]  # astropy.coordinates.SkyCoord
    for ra, dec in zip(sky.ra.deg, sky.dec.deg):
        print(f"{sky.frame.name}: ra {ra:.4f}, dec {dec:.4f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
