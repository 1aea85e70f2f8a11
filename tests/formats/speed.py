"""Times the conversion of an image beside a copy that swaps its bytes, in one run. Usage: speed.py DIRECTORY [MIB]

Fails if a conversion takes more than 1 / 0.9 of the copy.
"""

import ctypes
import sys
import time
from pathlib import Path

import numpy as np
from astropy.io import fits
from formats_library import asdf_to_fits, core, fits_to_asdf

#: Keys of options: whether a file is on disk before the call returns.
DURABLE = 200
WIDTH = 16384


def make(path, size):
    """Writes an image of float32."""
    rows = size // 4 // WIDTH
    cards = [("SIMPLE", True), ("BITPIX", -32), ("NAXIS", 2), ("NAXIS1", WIDTH), ("NAXIS2", rows)]
    row = np.random.default_rng(1).normal(size=WIDTH).astype(">f4").tobytes()
    with path.open("wb") as file:
        file.write(fits.Header(cards).tostring().encode())
        for _ in range(rows):
            file.write(row)
        file.write(bytes(-file.tell() % 2880))


def copy(source, target, size):
    """Copies the elements and swaps their bytes, in pieces that stay in the caches of the processor."""
    elements = np.memmap(source, dtype=">f4", mode="r", offset=2880, shape=(size // 4,))
    with target.open("wb") as file:
        for start in range(0, size // 4, 1 << 16):
            file.write(elements[start : start + (1 << 16)].astype("<f4"))


def seconds(call, target):
    """Shortest of some runs, each of which makes the file anew."""
    best = float("inf")
    for _ in range(5):
        target.unlink(missing_ok=True)
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def main():
    """Measures both ways."""
    folder, size = Path(sys.argv[1]), int(sys.argv[2] if len(sys.argv) > 2 else 1024) << 20
    folder.mkdir(parents=True, exist_ok=True)
    image, tree, again = (folder / name for name in ("image.fits", "image.asdf", "again.fits"))
    make(image, size)
    options = ctypes.c_void_p()
    core.asdf_options_new(ctypes.byref(options))
    core.asdf_options_set_int(options, DURABLE, ctypes.c_int64(0))
    plain = seconds(lambda: copy(image, again, size), again)
    there = seconds(lambda: fits_to_asdf(image, tree, options), tree)
    back = seconds(lambda: asdf_to_fits(tree, again, options), again)
    for path in (image, tree, again):
        path.unlink()
    print(f"{size >> 20} MiB: copy with swap {plain:.2f} s, FITS to ASDF {there:.2f} s, ASDF to FITS {back:.2f} s")
    failed = sum(plain / other < 0.9 for other in (there, back))
    print(f"{2 - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
