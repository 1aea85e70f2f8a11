"""Averages an image over many files with Dask, which reads them part by part: average_images.py RESULT.npy PATH FILE…"""

import sys

import asdfkit
import dask.array
import numpy as np


def main() -> int:
    result, path, *files = sys.argv[1:]
    try:
        images = [asdfkit.open(file)[path].to_dask() for file in files]
        stack = dask.array.stack(images)
        np.save(result, stack.mean(axis=0).compute())
    except asdfkit.AsdfError as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"mean of {len(images)} images, {stack.npartitions} parts")
    return 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) > 3 else 2)
