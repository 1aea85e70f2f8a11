"""Random lists of HDUs, made by astropy."""

import string

import numpy as np
from astropy.io import fits

# Without a slash: astropy takes one behind two quotes for the start of a comment.
LETTERS = string.ascii_letters + string.digits + " '&=.,-_+()"


def text(random, longest):
    """A random text of printable characters."""
    length = random.integers(0, longest + 1)
    return "".join(random.choice(list(LETTERS)) for _ in range(length)).rstrip()


def keyword(random, longest=8):
    """A random keyword of letters and digits, without a meaning of its own."""
    return "Q" + "".join(random.choice(list("ABCDEFGHIJ0123456789-_"), random.integers(1, longest)))


def value(random):
    """A random value of a card."""
    kind = random.integers(9)
    if kind == 0:
        return bool(random.integers(2))
    if kind == 1:
        return int(random.integers(-(2**62), 2**62))
    if kind == 2:
        return float(np.ldexp(random.normal(), int(random.integers(-300, 300))))
    if kind == 3:
        return float(random.integers(-5, 5))
    if kind == 4:
        return None
    if kind == 5:
        return complex(random.normal(), random.normal())
    if kind == 6:
        return text(random, 200)
    return text(random, 60)


def add_cards(header, random):
    """Adds random cards of all kinds."""
    for _ in range(random.integers(0, 25)):
        kind = random.integers(10)
        comment = text(random, 30) if random.integers(2) else ""
        if kind == 0:
            header.add_comment(text(random, 140))
        elif kind == 1:
            header.add_history(text(random, 72))
        elif kind == 2:
            header.add_blank(text(random, 20) if random.integers(2) else "")
        elif kind == 3:
            name = f"HIERARCH {keyword(random)} {keyword(random, 4)}"
            header[name] = (int(random.integers(100)) if random.integers(2) else text(random, 20), comment[:10])
        elif kind == 4:
            # A duplicate.
            header.append(("QDUP", int(random.integers(9)), comment))
        else:
            header[keyword(random)] = (value(random), comment)


def coordinates(header, rank, random):
    """Cards of world coordinates, now and then."""
    if rank < 2 or random.integers(3):
        return
    header["CTYPE1"], header["CTYPE2"] = "RA---TAN", "DEC--TAN"
    header["CRVAL1"], header["CRVAL2"] = random.uniform(0, 360), random.uniform(-80, 80)
    header["CRPIX1"], header["CRPIX2"] = 3.5, 2.0
    header["CDELT1"], header["CDELT2"] = -0.001, 0.001
    header["CUNIT1"], header["CUNIT2"] = "deg", "deg"
    if rank > 2:
        header["CTYPE3"], header["CUNIT3"], header["CRVAL3"], header["CDELT3"] = "WAVE", "m", 1e-6, 1e-9


def pixels(random, shape, name):
    """Random elements of an image."""
    if name[0] == "f":
        array = random.normal(size=shape).astype(name)
        if random.integers(2) and array.size:
            array.flat[random.integers(array.size)] = random.choice([np.nan, np.inf, -0.0])
        return array
    limits = np.iinfo(name)
    return random.integers(limits.min, limits.max, shape, dtype=name, endpoint=True)


IMAGES = ["u1", "i1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8"]


def image(random, is_primary):
    """An image, or an HDU without data."""
    kind = fits.PrimaryHDU if is_primary else fits.ImageHDU
    rank = int(random.integers(0, 5))
    shape = tuple(int(extent) for extent in random.integers(1, 7, rank))
    if rank and not random.integers(15):
        shape = (*shape[:-1], 0)
    hdu = kind(pixels(random, shape, str(random.choice(IMAGES))) if rank else None)
    if rank and hdu.data.dtype.str[1:] in ("i2", "i4", "f4", "u1") and not random.integers(4):
        integers = {"u1": "uint8", "i2": "int16", "i4": "int32"}.get(hdu.data.dtype.str[1:])
        if integers:
            hdu = kind(pixels(random, shape, hdu.data.dtype.str[1:]))
            hdu.header["BSCALE"], hdu.header["BZERO"] = (
                float(random.choice([0.5, 2.0, 0.1])),
                float(random.integers(-9, 9)),
            )
            # astropy overlooks BLANK = 0 of scaled images.
            if random.integers(2) and hdu.data.size and hdu.data.flat[0] != 0:
                hdu.header["BLANK"] = int(hdu.data.flat[0])
    add_cards(hdu.header, random)
    coordinates(hdu.header, rank, random)
    return hdu


def compressed(random):
    """A tile-compressed image."""
    rank = int(random.integers(1, 4))
    shape = tuple(int(extent) for extent in random.integers(4, 20, rank))
    name = str(random.choice(["u1", "i2", "u2", "i4", "f4", "f8"]))
    method = str(random.choice(["RICE_1", "GZIP_1", "GZIP_2", "PLIO_1", "HCOMPRESS_1"]))
    if name in ("f4", "f8"):
        data = random.normal(size=shape).astype(name)
        if method in ("PLIO_1", "HCOMPRESS_1"):
            method = "RICE_1"
    else:
        data = random.integers(0, 200, shape).astype(name)
        if method == "HCOMPRESS_1" or method == "PLIO_1" and name == "u2":
            method = "RICE_1"
    hdu = fits.CompImageHDU(data, compression_type=method, quantize_level=16)
    add_cards(hdu.header, random)
    coordinates(hdu.header, rank, random)
    return hdu


def column(random, number, rows):
    """A random column of a binary table."""
    kind = str(random.choice(list("LXBIJKAEDCMUSPQZ")))
    name = f"c{number}" if random.integers(4) else f"{text(random, 12)}x{number}"
    unit = str(random.choice(["m", "km s-1", "Jy", "deg", "10**-23 erg", "adu/pixel"])) if random.integers(2) else None
    cell = tuple(int(extent) for extent in random.integers(1, 4, random.integers(0, 3)))
    count = int(np.prod(cell, dtype=int))
    if count == 1:
        cell = ()
    dimensions = "(" + ",".join(str(extent) for extent in reversed(cell)) + ")" if len(cell) > 1 else None
    shape = (rows, *cell)
    if kind == "L":
        return fits.Column(name, f"{count}L", dim=dimensions, array=random.integers(0, 2, shape).astype(bool))
    if kind == "X":
        bits = int(random.integers(1, 20))
        return fits.Column(name, f"{bits}X", array=random.integers(0, 2, (rows, bits)).astype(bool))
    if kind == "A":
        width = int(random.integers(1, 12))
        return fits.Column(name, f"{width}A", array=[text(random, width) for _ in range(rows)])
    if kind in "EDCM":
        array = random.normal(size=shape)
        if kind in "CM":
            array = array + 1j * random.normal(size=shape)
        return fits.Column(name, f"{count}{kind}", unit=unit, dim=dimensions, array=array)
    if kind == "U":
        code, size = [("I", 16), ("J", 32), ("K", 64)][random.integers(3)]
        array = pixels(random, shape, f"u{size // 8}")
        return fits.Column(name, f"{count}{code}", bzero=2 ** (size - 1), dim=dimensions, array=array)
    if kind == "S":
        # `scale_columns` adds the scale.
        return fits.Column(f"scaled{number}", "J", array=random.integers(-1000, 1000, rows))
    if kind in "PQ":
        code, kind_of = [("J", "i4"), ("E", "f4"), ("B", "u1"), ("D", "f8"), ("I", "i2")][random.integers(5)]
        cells = np.empty(rows, dtype=object)
        for row in range(rows):
            cells[row] = pixels(random, int(random.integers(0, 6)), kind_of)
        return fits.Column(name, f"{kind}{code}()", array=cells)
    if kind == "Z":
        array = random.integers(-3, 3, rows)
        return fits.Column(name, "I", null=-3, array=array)
    kinds = {"B": "u1", "I": "i2", "J": "i4", "K": "i8"}
    return fits.Column(name, f"{count}{kind}", unit=unit, dim=dimensions, array=pixels(random, shape, kinds[kind]))


def table(random):
    """A binary table."""
    rows = int(random.integers(0, 8))
    hdu = fits.BinTableHDU.from_columns(
        [column(random, number, rows) for number in range(random.integers(0, 7))], nrows=rows
    )
    add_cards(hdu.header, random)
    return hdu


def text_table(random):
    """An ASCII table."""
    rows = int(random.integers(1, 6))
    return fits.TableHDU.from_columns(
        [
            fits.Column("t", "A8", array=[text(random, 8) for _ in range(rows)]),
            fits.Column("i", "I10", array=random.integers(-(10**8), 10**8, rows)),
            fits.Column("f", "E15.7", array=random.normal(size=rows)),
        ]
    )


def scale_columns(path):
    """Gives columns of some names a scale. astropy cannot write such columns of integers itself."""
    content = bytearray(path.read_bytes())
    at = content.find(b"= 'scaled")
    while at >= 0:
        card = at - 8
        number = content[card + 5 : at].decode().strip()
        # The card TFORMn follows; TNULLn of another column may not be hit.
        end = content.index(b"END" + b" " * 77, card)
        scale = f"TSCAL{number:<3}=                 0.25 / scale".ljust(80).encode()
        if content[end + 80 : end + 160] == b" " * 80 and (end + 80) % 2880 != 0:
            content[end : end + 160] = scale + b"END".ljust(80)
        content[at : at + 9] = b"= 'Scaled"
        at = content.find(b"= 'scaled")
    path.write_bytes(content)


def hdu_list(seed, path):
    """Writes a random file. astropy's checksums of changed headers are left as they were."""
    random = np.random.default_rng(seed)
    hdus = [image(random, True)]
    for number in range(random.integers(0, 5)):
        kind = random.integers(10)
        hdu = image(random, False) if kind < 4 else table(random) if kind < 8 else compressed(random)
        if not random.integers(12):
            hdu = text_table(random)
        if random.integers(3):
            hdu.header["EXTNAME"] = f"EXT{random.integers(3)}"
            hdu.header["EXTVER"] = number + 1
        hdus.append(hdu)
    fits.HDUList(hdus).writeto(path, overwrite=True, checksum=bool(random.integers(2)), output_verify="silentfix")
    scale_columns(path)
