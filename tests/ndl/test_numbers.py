"""Floats in texts, JSON and CDL have the bits of the description, for Python's readers and for `ncgen`."""

import unittest

import descriptions
import h5py
import numpy as np
from asdfkit_ctypes import File
from float_values import difference, numbers
from ruamel.yaml import YAML

import yaml

DTYPES = ("float32", "float64", "complex64", "complex128")
PARTS = {"complex64": "float32", "complex128": "float64"}
# YAML readers written in Python take a second for some thousand numbers.
FEW = 20000
# A description has at most 2,000,000 nodes by default.
MOST_NODES = 1_900_000


def described(values: np.ndarray) -> descriptions.Description:
    """Returns the description of an array, through an ASDF file that contains it."""
    file = File.new()
    file.root().set_array("a", values)
    return descriptions.Description.of_file(File.open(file.write_memory()), described_values=2)


def array_of(value: list, dtype: str) -> np.ndarray:
    """Returns the numbers as binary64, Python's only float type, converted to the type."""
    with np.errstate(over="ignore"):
        wide = np.array(value, np.float64)
        if dtype not in PARTS:
            return wide.astype(dtype)
        return wide.astype(PARTS[dtype]).view(dtype)[:, 0]


class NumbersTest(unittest.TestCase):
    def same(self, found: np.ndarray, expected: np.ndarray) -> None:
        self.assertIsNone(difference(found, expected))

    def check_text(self, dtype: str) -> None:
        # A complex number takes three of the nodes that a description may have.
        values = numbers(dtype)[-MOST_NODES // (3 if dtype in PARTS else 1) :]
        text = described(values).text()
        found = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))["ndarrays"]["a"]["value"]
        leaves = [part for pair in found for part in pair] if dtype in PARTS else found
        self.assertEqual({type(leaf) for leaf in leaves}, {float})
        self.same(array_of(found, dtype), values)
        stored = np.dtype([(name, PARTS[dtype]) for name in "ri"] if dtype in PARTS else dtype)
        again = descriptions.Description(text.encode())
        again = again.values(b"/a", None, dtype=stored, shape=list(values.shape))
        self.same(again.view(dtype), values)

    def check_yaml_1_2(self, dtype: str) -> None:
        values = numbers(dtype)[-FEW:]
        found = YAML(typ="safe", pure=True).load(described(values).text())["ndarrays"]["a"]["value"]
        self.same(array_of(found, dtype), values)

    def check_json(self, dtype: str) -> None:
        values = numbers(dtype)
        found = described(values).model()["ndarrays"]["/a"]["value"]
        self.same(array_of(found, dtype), values)

    def check_cdl(self, dtype: str) -> None:
        values = numbers(dtype)
        text, file = (descriptions.folder("numbers") / f"{dtype}.{suffix}" for suffix in ("cdl", "nc"))
        text.write_text(described(values).cdl(cdl_values=1))
        descriptions.run("ncgen", "-k", "nc4", "-o", file, text)
        with h5py.File(file) as opened:
            found = np.asarray(opened["a"])
        self.same(found.view(dtype), values)

    def test_numbers(self):
        for check in (self.check_text, self.check_yaml_1_2, self.check_json, self.check_cdl):
            for dtype in DTYPES:
                with self.subTest(check=check.__name__, dtype=dtype):
                    check(dtype)
