"""Random lists of HDUs: FITS → ASDF → FITS gives the same bytes, and asdf-astropy finds the same list between.

Usage: round_trips.py DIRECTORY COUNT [FIRST]
"""

import sys
import warnings
from pathlib import Path

import asdf
import numpy as np
from astropy.io import fits
from formats_library import asdf_to_fits, fits_to_asdf
from random_lists import hdu_list

# Keywords that state how data are stored, which astropy makes anew for the data that it gets.
STORAGE = ("SIMPLE", "XTENSION", "BITPIX", "NAXIS", "PCOUNT", "GCOUNT", "TFIELDS", "BSCALE", "BZERO", "BLANK", "EXTEND")
STORAGE += (
    "TTYPE",
    "TFORM",
    "TUNIT",
    "TDIM",
    "TNULL",
    "TSCAL",
    "TZERO",
    "TBCOL",
    "TDISP",
    "CHECKSUM",
    "DATASUM",
    "THEAP",
)


def held(card):
    """Whether the schema of the tag can hold a card."""
    parts = [str(part) for part in (card.keyword, card.comment)]
    return (
        len(card.keyword) <= 8
        and " " not in card.keyword
        and not isinstance(card.value, complex)
        and all(len(part) <= 60 for part in parts)
        and not (isinstance(card.value, str) and len(card.value) > 60)
    )


def cards(header):
    """The cards that both lists must have, in their order."""
    found = []
    for card in header.cards:
        stem = card.keyword.rstrip("0123456789")
        # asdf-astropy keeps one of several cards of a keyword, and moves comments.
        is_single = card.keyword not in ("COMMENT", "HISTORY", "", "QDUP")
        if stem not in STORAGE and is_single and held(card):
            value = "" if isinstance(card.value, fits.card.Undefined) else card.value
            found.append((card.keyword, value, card.comment))
    return found


def same_column(one, other):
    """Compares two columns; cells of different lengths are padded in the tree."""
    if one.dtype == object:
        return all(
            np.array_equal(np.asarray(cell), np.asarray(padded)[: len(cell)], equal_nan=True)
            for cell, padded in zip(one, other, strict=True)
        )
    if one.dtype.kind in "US" or other.dtype.kind in "US":
        return np.array_equal(np.char.rstrip(one), np.char.rstrip(other))
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


def has_elements(column):
    """Whether a column has a place in the tree: one whose cells are all empty has none."""
    return any(len(cell) for cell in column) if column.dtype == object else column.size > 0


def same_data(one, other):
    """Compares the data of two HDUs. Returns what differs."""
    if one is None or one.size == 0 or one.dtype.names == ():
        return None
    if one.dtype.names:
        names = [name.strip() for name in one.dtype.names]
        columns = [(name, one.field(index)) for index, name in enumerate(names) if has_elements(one.field(index))]
        if len(other.dtype.names or ()) != len(columns):
            return f"columns {names} and {other.dtype.names}"
        for index, (name, column) in enumerate(columns):
            if not same_column(column, other.field(index)):
                return f"column {name}: {column} and {other.field(index)}"
        return None
    if one.shape != other.shape:
        return f"shapes {one.shape} and {other.shape}"
    # Integers without an undefined pixel stay integers; astropy makes floats of them.
    if not np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
        return f"elements {one} and {other}"
    return None


def compare(path, between):
    """Compares the list that asdf-astropy reads with the one that astropy reads."""
    with asdf.config_context() as settings, fits.open(path) as expected:
        settings.validate_on_read = True
        tree = asdf.open(between)
        found = tree["fits"]
        if not isinstance(found, fits.HDUList) or len(found) != len(expected):
            return f"no list of {len(expected)} HDUs"
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            difference = same_data(one.data, other.data)
            if difference:
                return f"HDU {index}: {difference}"
            if cards(one.header) != cards(other.header):
                return f"HDU {index}: cards\n{cards(one.header)}\n{cards(other.header)}"
    return None


def check(folder, seed):
    """One list. Returns what is wrong."""
    path, between, again = (folder / f"{seed}.{name}" for name in ("fits", "asdf", "again.fits"))
    between.unlink(missing_ok=True)
    again.unlink(missing_ok=True)
    hdu_list(seed, path)
    losses = [text for is_loss, text in fits_to_asdf(path, between) if is_loss]
    losses += [text for is_loss, text in asdf_to_fits(between, again) if is_loss]
    if losses:
        return f"losses: {losses}"
    if path.read_bytes() != again.read_bytes():
        return "the bytes differ: " + fits.FITSDiff(path, again).report()
    difference = compare(path, between)
    if difference is None:
        for file in (path, between, again):
            file.unlink()
    return difference


def main():
    """Checks all lists."""
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    failed = 0
    for seed in range(first, first + count):
        try:
            difference = check(folder, seed)
        except Exception as error:  # The next list is tried, too.
            difference = f"{type(error).__name__}: {error}"
        if difference:
            failed += 1
            print(f"list {seed}: {difference}")
    print(f"{count - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
