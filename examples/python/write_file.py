"""Writes a new file with a string, a number and a compressed image: write_file.py FILE"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    file = asdfkit.new()
    file["meta"] = {"telescope": "Roman", "exposure": {"time": 139.8}}
    file.set("data", np.zeros((4, 6), "float32"), compression="zlib")
    file.write(sys.argv[1])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
