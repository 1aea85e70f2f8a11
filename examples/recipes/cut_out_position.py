"""Cuts the surroundings of a position on the sky out of many images: cut_out_position.py RA DEC PIXELS NEW FILE...

Images that do not show the position are left out. Only the cut-outs are read.
"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    ra, dec, half = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]) // 2
    new = asdfkit.new()
    count = 0
    for name in sys.argv[5:]:
        with asdfkit.open(name) as file:
            wcs = asdfkit.WCS(file.node("meta/wcs"))
            x, y = wcs.invert(ra, dec)
            if x != x:  # NaN: outside of the image
                continue
            column, row = round(x), round(y)
            top, left = max(row - half, 0), max(column - half, 0)
            window = np.s_[top : row + half, left : column + half]
            new["cutouts/-"] = {
                "file": name,
                "corner": [left, top],
                "pixel": [x - left, y - top],
                "data": file["data"][window],
            }
            new.set_wcs_cutout(f"cutouts/{count}/wcs", wcs, window, file["data"].shape)
            count += 1
    new.write(sys.argv[4])
    print(count, "of", len(sys.argv) - 5, "images show the position")


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
