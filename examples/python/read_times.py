"""Reads a column of times of an ECSV table: read_times.py TABLE"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    table = asdfkit.read_ecsv(sys.argv[1])
    for start in table["start"]:  # numpy.datetime64 in UTC
        seconds = (start - np.datetime64(0, "s")) / np.timedelta64(1, "s")
        print("missing" if np.isnat(start) else f"{seconds:.3f} s of UTC since 1970")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
