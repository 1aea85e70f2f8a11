"""Writes damaged tile-compressed HDUs to the standard output, for damaged.c. Usage: make_damaged.py COUNT SEED

Each record has the sizes of the HDU and of a pixel and the number of pixels, 8 bytes each, and then the HDU. The first
record of each image is whole. Of the others a stream ends too early, or bytes of data or header are others.
"""

import random
import struct
import sys
import warnings
from io import BytesIO

import numpy as np
from astropy.io import fits

#: Methods with the types of pixels, and options.
METHODS = [
    ("RICE_1", "u1", {}),
    ("RICE_1", "i2", {}),
    ("RICE_1", "i4", {}),
    ("RICE_1", "f4", {}),
    ("RICE_1", "f8", {"quantize_method": 1}),
    ("GZIP_1", "i2", {}),
    ("GZIP_1", "f4", {"quantize_level": 0}),
    ("GZIP_2", "i4", {}),
    ("GZIP_2", "f8", {}),
    ("HCOMPRESS_1", "u1", {}),
    ("HCOMPRESS_1", "i2", {}),
    ("HCOMPRESS_1", "i4", {}),
    ("HCOMPRESS_1", "i4", {"hcomp_scale": 4, "hcomp_smooth": 1}),
    ("HCOMPRESS_1", "f4", {}),
    ("PLIO_1", "i2", {}),
    ("PLIO_1", "i4", {}),
]


def image(method, element, options, random_state):
    """Returns the bytes of a compressed HDU."""
    shape = random_state.choice([(40, 50), (17, 33), (64, 64), (5, 7), (32, 9)])
    tile = (shape[0], shape[1]) if random_state.random() < 0.3 else (min(16, shape[0]), min(16, shape[1]))
    if method != "HCOMPRESS_1" and random_state.random() < 0.5:
        tile = (1, shape[1])
    if method == "HCOMPRESS_1" and any(0 < size % part < 4 for size, part in zip(shape, tile)):
        tile = shape
    numbers = np.random.default_rng(random_state.randrange(2**32))
    spread = random_state.choice([0, 3, 40, 5000])
    values = numbers.normal(100, spread, shape) + np.arange(shape[1])
    if element[0] != "f":
        values = np.clip(values, 0, 200 if element == "u1" else 30000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hdu = fits.CompImageHDU(
            values.astype(element), compression_type=method, tile_shape=tile, dither_seed=1, **options
        )
        stream = BytesIO()
        fits.HDUList([fits.PrimaryHDU(), hdu]).writeto(stream)
    return stream.getvalue()[2880:], int(np.prod(shape)), abs(np.dtype(element).itemsize)


def streams(content):
    """Returns the offset of the data, and the offsets of descriptors of variable columns."""
    header = fits.Header.fromstring(content[: content.index(b"END" + b" " * 77) + 80].decode())
    start = len(header.tostring())
    places, offset = [], 0
    sizes = {"P": 8, "Q": 16, "B": 1, "I": 2, "J": 4, "E": 4, "D": 8}
    for column in range(1, header["TFIELDS"] + 1):
        form = header[f"TFORM{column}"].lstrip("0123456789")[0]
        if form in "PQ":
            places += [(form, start + row * header["NAXIS1"] + offset) for row in range(header["NAXIS2"])]
        offset += sizes[form]
    return start, places


def shorten(content, place, form, random_state):
    """Changes the length in a descriptor."""
    pattern = ">i" if form == "P" else ">q"
    (length,) = struct.unpack_from(pattern, content, place)
    if length > 0:
        cut = random_state.choice([1, 1, 2, 3, random_state.randint(1, length)])
        struct.pack_into(pattern, content, place, max(length - cut, 0))


def damaged(content, random_state):
    """Returns other bytes of an HDU."""
    content = bytearray(content)
    start, places = streams(content)
    kind = random_state.random()
    if kind < 0.5:
        for _ in range(random_state.choice([1, 2, len(places)])):
            form, place = random_state.choice(places)
            shorten(content, place, form, random_state)
    if kind > 0.4:
        for _ in range(random_state.choice([1, 1, 2, 5, 20])):
            content[random_state.randrange(start, len(content))] = random_state.choice(
                [0, 255, random_state.randrange(256)]
            )
    if kind > 0.9:
        # A digit or letter of a value in the header.
        for _ in range(random_state.choice([1, 2])):
            place = random_state.randrange(start // 80) * 80 + random_state.randrange(10, 31)
            if content[place : place + 1].isalnum():
                content[place] = random_state.choice(b"0123456789-TBIJPQ")
    return bytes(content)


def main():
    """Writes the records."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    random_state = random.Random(seed)
    rest = count
    while rest > 0:
        content, pixels, size = image(*random_state.choice(METHODS), random_state)
        for index in range(min(rest, 40)):
            record = damaged(content, random_state) if index else content
            sys.stdout.buffer.write(struct.pack("=qqq", len(record), size, pixels) + record)
            rest -= 1


main()
