"""Random tables of astropy, and their comparison."""

import datetime
import math
import random
from collections import OrderedDict

import numpy as np
import samples
from astropy.table import Column, MaskedColumn, Table

FLOATS = ["float16", "float32", "float64", "float128"]
NUMBERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", *FLOATS]
COMPLEX = {"complex64": "float32", "complex128": "float64", "complex256": "float128"}
PIECES = [
    "a", "B", "é", "日本", '"', '""', "\n", "\n\n", "#", ",", " ", "x y", "\\", "null", "nan", "1", "True", "'", "\t", ";",
    "😀", "-", "{", "[", ": ",
]  # fmt: skip
SCALARS_OF_YAML = [
    "yes", "1e5", "0o17", "y", "~", "", "=", "<<", "2020-01-01", " a ", "a\n\nb", "#", "- x", "a: b", "1:30", "\x07", "\u2028",
    1, -5, 10**20, 0, 1.5, math.inf, 1e-300, 1e5, True, False, None, 1 + 2j, b"bytes\x00",
    datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5),
]  # fmt: skip
JSON_VALUES = [{"a": 1.5, "b": [1, None]}, [1, 2, "x"], 'é"', 5, True, {}, [], {"n": {"m": [math.nan]}}]


class Maker:
    """Makes tables. The same seed makes the same tables."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.generator = np.random.default_rng(seed)

    def text(self, is_cell: bool) -> str:
        """Returns a random text. Cells do not begin with blanks, which astropy trims, nor have lines that astropy
        takes for comments.
        """
        while True:
            text = "".join(self.random.choice(PIECES) for _ in range(self.random.randint(1, 6)))
            if is_cell:
                text = text.strip(" \t")
            if text and not (is_cell and any(line.lstrip().startswith("#") for line in text.splitlines())):
                return text

    def elements(self, dtype: str, count: int) -> np.ndarray:
        if dtype == "str":
            return np.array([self.text(True) for _ in range(count)], str)
        if dtype in COMPLEX:
            return self.elements(COMPLEX[dtype], 2 * count).view(dtype)
        if dtype == "float128":
            scale = np.float128(10) ** self.generator.integers(-4000, 4000, count)
            elements = self.generator.normal(size=count).astype(dtype) / 3 * scale
        else:
            elements = samples.array(dtype, (count,), int(self.generator.integers(2**31)))
        if dtype in FLOATS:
            elements[np.isnan(elements)] = np.nan
            which = self.generator.integers(0, 12, count)
            for number, value in enumerate([0.0, -0.0, np.nan, np.inf, -np.inf, 0.1]):
                elements[which == number] = value
        return elements

    def masked(self, elements: np.ndarray):
        if self.random.random() < 0.6:
            return Column(elements)
        return MaskedColumn(elements, mask=self.generator.integers(0, 2, elements.shape).astype(bool))

    def column(self, rows: int, kinds: list[str]):
        kind = self.random.choice(kinds)
        if kind == "scalar":
            return self.masked(self.elements(self.random.choice([*NUMBERS, *COMPLEX, "str"]), rows))
        if kind == "fixed":
            shape = tuple(self.random.randint(1, 3) for _ in range(self.random.randint(1, 3)))
            dtype = self.random.choice([*(number for number in NUMBERS if number != "float128"), "str"])
            return self.masked(self.elements(dtype, rows * math.prod(shape)).reshape(rows, *shape))
        cells = np.empty(rows, object)
        dtype = self.random.choice([number for number in NUMBERS if number != "float128"])
        extent = self.random.randint(1, 3)
        for row in range(rows):
            if kind == "json":
                cells[row] = self.random.choice([*JSON_VALUES, [self.text(False)]])
            elif kind == "variable":
                cells[row] = self.elements(dtype, self.random.randint(0, 4))
            else:  # several axes, with a variable last one
                length = self.random.randint(1, 4)
                cells[row] = self.elements(dtype, extent * length).reshape(extent, length)
        return Column(cells)

    def node(self, depth: int):
        kind = self.random.randint(0, 9)
        if depth == 3 or kind > 4:
            return self.random.choice(SCALARS_OF_YAML)
        if kind == 1:
            return [self.node(depth + 1) for _ in range(self.random.randint(0, 4))]
        if kind == 2:
            return dict(self.meta(depth + 1))
        if kind == 3:
            return self.meta(depth + 1)
        return self.random.choice([self.text(False), (1, "t"), {1, 2}])

    def meta(self, depth: int = 0) -> OrderedDict:
        return OrderedDict((self.text(False), self.node(depth)) for _ in range(self.random.randint(0, 4)))

    def table(self, kinds: list[str]) -> Table:
        rows, table = self.random.randint(0, 6), Table()
        for number in range(self.random.randint(1, 6)):
            name = self.random.choice(["c", "a b", "é", 'q"q', "x,y", "dé #"]) + str(number)
            table[name] = self.column(rows, kinds)
            info = table[name].info
            if self.random.random() < 0.3:
                info.unit = self.random.choice(["m", "km / s", "erg / (cm2 s)"])
            if self.random.random() < 0.3:
                info.description = self.text(False)
            if self.random.random() < 0.2:
                info.format = "%5s"
            if self.random.random() < 0.2:
                info.meta = self.meta()
        table.meta = self.meta()
        return table


def same(one, other) -> bool:
    """Returns whether two values are the same: of one type, NaN equal to itself, zeros of one sign."""
    if isinstance(one, dict) and isinstance(other, dict):  # astropy may change the kind of mapping
        keys = list(one) == list(other) if isinstance(one, OrderedDict) else one.keys() == other.keys()
        return keys and all(same(one[key], other[key]) for key in one)
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return same_elements(one, other)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


def same_elements(one: np.ndarray, other: np.ndarray) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind == "O":
        return all(map(same, one.ravel(), other.ravel()))
    if one.dtype.kind == "c":
        return same_elements(one.real, other.real) and same_elements(one.imag, other.imag)
    if one.dtype.kind == "f":
        is_nan = np.isnan(one)
        return bool(((one == other) & (np.signbit(one) == np.signbit(other)) | is_nan & np.isnan(other)).all())
    return bool((one == other).all())


def difference(table: Table, others: list[Table]) -> str | None:
    """Returns the part of the table that equals that of none of the others; None if there is none."""
    if any(other.colnames != table.colnames for other in others):
        return f"columns {table.colnames}"
    if not any(same(table.meta, other.meta) for other in others):
        return f"meta {table.meta!r}"
    for name in table.colnames:
        column, versions = table[name], [other[name] for other in others]
        for what in ("unit", "description", "format"):
            if (getattr(column.info, what) or None) not in [
                getattr(version.info, what) or None for version in versions
            ]:
                return f"{what} of {name}"
        metas = [version.info.meta or OrderedDict() for version in versions]
        if not any(same(column.info.meta or OrderedDict(), meta) for meta in metas):
            return f"meta of {name}: {column.info.meta!r}"
        if not any(same_column(column, version) for version in versions):
            return f"{name}: {column!r} is not {versions[0]!r}"
    return None


def unmasked(column: Column) -> Column:
    """A plain column instead of a masked one in which nothing is missing."""
    is_full = isinstance(column, MaskedColumn) and not np.any(column.mask)
    return Column(column.data.data, name=column.name) if is_full else column


def same_column(one: Column, other: Column) -> bool:
    if one.shape != other.shape:
        return False
    # Without a missing element, a masked column equals a plain one.
    one, other = unmasked(one), unmasked(other)
    if type(one) is not type(other):
        return False
    if not isinstance(one, MaskedColumn):
        return same(np.array(one.data), np.array(other.data))
    if not (one.mask == other.mask).all():
        return False
    there = ~np.asarray(one.mask)
    one, other = np.array(one.data.data[there]), np.array(other.data.data[there])
    if one.dtype.kind == other.dtype.kind == "U":
        return one.tolist() == other.tolist()
    return same(one, other)
