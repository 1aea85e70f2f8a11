"""Writes spectra as they come: write_stream.py FILE"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    with asdfkit.new().stream_rows(sys.argv[1], "spectra", "float32", (4,)) as spectra:
        for number in range(10):
            spectra.push(np.full((1, 4), number, "float32"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
