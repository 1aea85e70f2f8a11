"""FITS files with ASDF, made card by card."""

import numpy as np
import pytest

import asdfkit

fits = pytest.importorskip("astropy.io.fits")

HEAD = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
PRIMARY = [("SIMPLE", True), ("BITPIX", 8), ("NAXIS", 0)]


def padded(content, pad=b"\0"):
    return content.ljust(-(-len(content) // 2880) * 2880, pad)


def hdu(cards, body=b""):
    """Returns the bytes of an HDU."""
    text = "".join(str(fits.Card(key, value)) for key, value in cards) + "END".ljust(80)
    return padded(text.encode(), b" ") + padded(body)


def image(raw, *cards, name="SCI"):
    """Returns an extension with these stored values."""
    raw = np.ascontiguousarray(raw, raw.dtype.newbyteorder(">"))
    bits = 8 * raw.dtype.itemsize * (-1 if raw.dtype.kind == "f" else 1)
    axes = [(f"NAXIS{axis}", extent) for axis, extent in enumerate(reversed(raw.shape), 1)]
    structure = [("XTENSION", "IMAGE"), ("BITPIX", bits), ("NAXIS", raw.ndim), *axes, ("PCOUNT", 0), ("GCOUNT", 1)]
    return hdu([*structure, ("EXTNAME", name), *cards], raw.tobytes())


def table(width, rows, columns, body, *cards, heap=0):
    """Returns a binary table: the columns are dicts of cards without their number."""
    structure = [("XTENSION", "BINTABLE"), ("BITPIX", 8), ("NAXIS", 2), ("NAXIS1", width), ("NAXIS2", rows)]
    structure += [("PCOUNT", heap), ("GCOUNT", 1), ("TFIELDS", len(columns))]
    fields = [(f"{key}{n}", value) for n, column in enumerate(columns, 1) for key, value in column.items()]
    return hdu([*structure, *fields, *cards], body)


def node(source, shape="[1]", datatype="int32"):
    return f"!core/ndarray-1.1.0 {{source: '{source}', datatype: {datatype}, byteorder: big, shape: {shape}}}"


def tree(text):
    return HEAD + text.encode() + b"\n...\n"


def asdf_hdu(content, form="table"):
    """Returns an HDU that holds ASDF, in one of the forms in which it was ever written."""
    size = len(content)
    if form == "table":
        return table(size, 1, [{"TTYPE": "ASDF_METADATA", "TFORM": f"{size}B"}], content, ("EXTNAME", "ASDF"))
    if form == "image":
        return image(np.frombuffer(content, np.uint8), name="ASDF")
    cards = [("XTENSION", "ASDF"), ("BITPIX", 8), ("NAXIS", 1), ("NAXIS1", size), ("PCOUNT", 0), ("GCOUNT", 1)]
    return hdu([*cards, ("COMPRESS", False), ("EXTNAME", "asdf  ")], content)


def fits_file(*hdus, text="a: 1", form="table"):
    return hdu(PRIMARY) + b"".join(hdus) + asdf_hdu(tree(text), form)


def status_of(work, *arguments):
    with pytest.raises(asdfkit.AsdfError) as found:
        work(*arguments)
    return found.value.status, str(found.value)


def raw_images():
    """Returns images of all types, with scale, offset and blank values."""
    random = np.random.default_rng(7)
    for dtype, half in (("u1", -128), ("i2", 2**15), ("i4", 2**31), ("i8", 2**63)):
        limits = np.iinfo(dtype)
        raw = random.integers(limits.min, limits.max, (3, 4, 5), dtype=dtype, endpoint=True)
        raw.flat[:3] = limits.min, limits.max, 3
        for cards in (
            [],
            [("BZERO", half)],
            # astropy fails for signed bytes with these cards.
            [("BZERO", float(half)), ("BSCALE", 1.0), ("BLANK", 3)] if half > 0 else [],
            [("BSCALE", 0.1), ("BZERO", 0.3)],
            [("BZERO", 7)],
            [("BLANK", 3)],
            [("BSCALE", 2), ("BLANK", 3)],
        ):
            yield raw, cards
    for dtype in ("f4", "f8"):
        raw = random.normal(size=(7, 300)).astype(dtype)
        raw.flat[:3] = np.nan, np.inf, -0.0
        for cards in ([], [("BSCALE", 0.1), ("BZERO", 0.3)], [("BSCALE", 3.0)]):
            yield raw, cards
