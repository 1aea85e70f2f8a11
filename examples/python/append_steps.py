"""Appends time steps, each safe on the disk, and goes on with a file that exists: append_steps.py FILE"""

import sys
from pathlib import Path

import asdfkit
import numpy as np


def main() -> None:
    if not Path(sys.argv[1]).exists():
        new = asdfkit.new()
        new.create_array("heat", (0, 2, 3), "float32", chunks=(4, 2, 3), maxshape=(None, 2, 3), compression="zlib")
        new.write(sys.argv[1])
    with asdfkit.open(sys.argv[1], "r+") as file:
        heat = file["heat"]
        for _ in range(5):
            heat.append(np.full((2, 3), len(heat), "float32"))
            file.save()
        print(len(heat), "steps")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
