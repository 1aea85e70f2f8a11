"""Times the conversion of an image beside a copy that swaps its bytes and beside astropy, in one run, and the opening of a
product. Usage: speed.py DIRECTORY [MIB]

Fails if a conversion takes more than 1 / 0.9 of the copy, or if a scalar of a product of 100 MB takes more than 1 ms.
"""

import ctypes
import sys
import time
from pathlib import Path

import asdf
import asdfkit
import numpy as np
from astropy.io import fits
from formats_library import asdf_to_fits, core, fits_to_asdf

#: Keys of options: whether a file is on disk before the call returns.
DURABLE = 200
WIDTH = 16384
#: Bytes of a product, and the longest time in seconds for a scalar of it.
PRODUCT, MOST = 100_000_000, 1e-3


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


def by_astropy(source, target):
    """Reads an image by astropy, and writes it by Python asdf."""
    with fits.open(source) as hdus:
        asdf.AsdfFile({"data": hdus[0].data}).write_to(target)


def to_astropy(source, target):
    """Reads an array by Python asdf, and writes it by astropy."""
    with asdf.open(source, memmap=True) as file:
        fits.PrimaryHDU(np.asarray(file["fits"][0].data)).writeto(target)


def opening(folder):
    """Shortest times for a scalar of a product: by the library, and of a card by astropy."""
    path = folder / "product.fits"
    with asdfkit.new() as file:
        file["meta"] = {"telescope": "JWST"}
        file["data"] = np.zeros((PRODUCT // 4 // 5000, 5000), "f4")
        file.write(path, container="fits")

    def ours():
        with asdfkit.open(path) as file:
            assert file["meta"]["telescope"] == "JWST"

    def theirs():
        with fits.open(path) as hdus:
            assert hdus[0].header["BITPIX"] == 8

    times = {}
    for work in (ours, theirs):
        for _ in range(50):
            start = time.perf_counter()
            work()
            times[work] = min(times.get(work, 1), time.perf_counter() - start)
    path.unlink()
    return times[ours], times[theirs]


def seconds(call, target, runs):
    """Shortest of some runs, each of which makes the file anew."""
    best = float("inf")
    for _ in range(runs):
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
    plain = there = back = float("inf")
    # In turns: other programs may keep the machine busy for a while.
    for _ in range(5):
        plain = min(plain, seconds(lambda: copy(image, again, size), again, 1))
        there = min(there, seconds(lambda: fits_to_asdf(image, tree, options), tree, 1))
        back = min(back, seconds(lambda: asdf_to_fits(tree, again, options), again, 1))
    astropy_there = seconds(lambda: by_astropy(image, again), again, 2)
    astropy_back = seconds(lambda: to_astropy(tree, again), again, 2)
    for path in (image, tree, again):
        path.unlink()
    scalar, card = opening(folder)
    print(f"{size >> 20} MiB, copy with swap: {plain:.2f} s")
    print(f"{size >> 20} MiB, FITS to ASDF: {there:.2f} s; astropy and Python asdf {astropy_there:.2f} s")
    print(f"{size >> 20} MiB, ASDF to FITS: {back:.2f} s; Python asdf and astropy {astropy_back:.2f} s")
    print(f"product of {PRODUCT // 10**6} MB, a scalar: {scalar * 1e3:.3f} ms; a card by astropy {card * 1e3:.3f} ms")
    failed = sum(plain / other < 0.9 for other in (there, back)) + (scalar > MOST)
    print(f"{3 - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
