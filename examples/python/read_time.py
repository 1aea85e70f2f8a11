"""Reads a time, and converts it from UTC to TAI: read_time.py FILE"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        tai = file.times("meta/exposure/start", scale="tai")
        utc = file.times("meta/exposure/start")  # numpy.datetime64[ns]
    print(f"{np.datetime_as_string(tai, 'ms')} TAI, {utc.astype(int)} ns of UTC since 1970")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
