"""Lists the pixels of an image that are far above its mean, without the image in memory: bright_pixels.py FILE PATH"""

import sys

import asdfkit
import numpy as np


def main() -> int:
    try:
        with asdfkit.open(sys.argv[1]) as file:
            image = file[sys.argv[2]]
            mean, largest = image.mean(), image.max()  # read piece by piece
            limit = (mean + largest) / 2
            rows = np.flatnonzero(image.max(axis=1) > limit)
            for row, pixels in zip(rows, image[rows]):  # only these rows are read
                for column in np.flatnonzero(pixels > limit):
                    print(f"{row},{column}: {pixels[column]:g}")
    except asdfkit.AsdfError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) == 3 else 2)
