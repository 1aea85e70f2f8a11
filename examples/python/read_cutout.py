"""Reads a cutout of a Roman image with its mask and units, without the rest of the file: read_cutout.py FILE"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        roman = file["roman"]
        science = roman["data"][100:132, 200:232]
        quality = roman["dq"][100:132, 200:232]
        good = np.ma.masked_array(science, mask=quality != 0)
        print(roman["meta/instrument/detector"], good.count(), "good pixels, mean", good.mean())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
