"""Reads a column with missing values of an ECSV table: read_table.py TABLE"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    table = asdfkit.read_ecsv(sys.argv[1])
    for flux in table["flux"]:
        print("missing" if flux is np.ma.masked else f"{flux:g}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
