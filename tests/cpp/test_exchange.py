"""Compares the files that test_exchange.cpp left with the values in it: test_exchange.py DIR"""

import sys
import warnings
from pathlib import Path

import asdf
import numpy as np
from astropy.table import Table

import yaml

folder = Path(sys.argv[1])
# astropy warns of complex64, which it writes itself.
warnings.simplefilter("ignore")


def same(found: object, expected: object) -> None:
    """Fails unless both have the same elements, of which None is missing."""
    found = [None if value is np.ma.masked else value for value in found]
    assert found == expected, f"{found} instead of {expected}"


def check(table: Table, times: int = 1) -> None:
    assert len(table) == 3 * times
    same(table["i"].tolist(), [1, -2, 3] * times)
    assert str(table["i"].unit) == "s" and table["i"].description == "Seconds" and table["i"].dtype == "int32"
    same(table["u"].tolist(), [0, 1, 2**64 - 1] * times)
    same(table["x"].tolist(), [0.1, None, 1e-300] * times)
    assert str(table["x"].unit) == "Jy"
    same(table["c"].tolist(), [1 + 2j, 3 - 4j, 0j] * times)
    assert table["c"].dtype == "complex64"
    same(table["b"].tolist(), [True, False, True] * times)
    same(table["t"].tolist(), ["a b", None, '日本, "q"'] * times)
    same(table["m"].tolist(), [[1, 2], [None, 4], [5, 6]] * times)
    assert table.meta["by"] == "C++"


ecsv = Table.read(folder / "ours.ecsv", format="ascii.ecsv")
check(ecsv)
assert ecsv["i"].format == "%d"
same([list(cell) for cell in ecsv["v"]], [[1, 2, 3], [], [4]])
check(Table.read(folder / "batches.ecsv", format="ascii.ecsv"), 2)
with asdf.open(folder / "ours.asdf") as file:
    check(file["table"])
with asdf.open(folder / "stream.asdf") as file:
    expected = np.array([[row + 0.5, -row - 0.25] for row in range(5)])
    np.testing.assert_array_equal(file["rows"], expected, strict=True)
with asdf.open(folder / "created.asdf") as file:
    np.testing.assert_array_equal(file["wind"], np.array([[1, 2, 3], [4, 5, 6.5]]), strict=True)
    np.testing.assert_array_equal(file["height"], np.array([2, 10, 30], dtype="float32"), strict=True)
model = yaml.safe_load((folder / "model.yaml").read_text())
assert model["dimcoords"]["height"] == {"size": 3, "type": "float32", "value": [2, 10, 30]}
wind = model["ndarrays"]["wind"]
assert wind["shape"] == [2, "height"] and wind["value"] == [[1, 2, 3], [4, 5, 6.5]]
assert wind["attributes"] == {"units": "m s-1"}
