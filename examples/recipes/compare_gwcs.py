"""Gives the WCS of a file to gwcs, and compares both at a pixel: compare_gwcs.py FILE

The file has a WCS at meta/wcs.
"""

import sys

import asdf
import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        sky = file["meta/wcs"]  # evaluated by asdfkit, with the interface of gwcs and of APE 14
        ours = sky(10.0, 20.0)
    with asdf.open(sys.argv[1]) as file:
        theirs = file["meta"]["wcs"](10.0, 20.0)  # a gwcs.WCS
    difference = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    print(f"gwcs agrees to {difference:.0e} degrees" if difference < 1e-9 else f"differs by {difference}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
