"""Compares the files that the tests of the Julia package left with the values in them: check_tables.py DIR"""

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


def plain(found: object) -> object:
    """Returns nested lists, in which None is missing."""
    if found is np.ma.masked:
        return None
    if isinstance(found, np.ma.MaskedArray):
        return [plain(value) for value in found]
    return found.tolist() if isinstance(found, np.ndarray) else found


def same(found: object, expected: object) -> None:
    """Fails unless both have the same elements, of which None is missing."""
    found = [plain(value) for value in found]
    assert found == expected, f"{found} instead of {expected}"


def check(table: Table, times: int = 1) -> None:
    assert len(table) == 3 * times
    same(table["i"], [1, -2, 3] * times)
    assert str(table["i"].unit) == "s" and table["i"].description == "Seconds" and table["i"].dtype == "int32"
    same(table["u"], [0, 1, 2**64 - 1] * times)
    same(table["low"], [-(2**63), 2**63 - 1, -1] * times)
    same(table["x"], [0.1, None, 1e-300] * times)
    assert str(table["x"].unit) == "Jy"
    same(table["h"], [0.5, -np.inf, 65504] * times)
    assert table["h"].dtype == "float16"
    same(table["c"], [1 + 2j, 3 - 4j, 0j] * times)
    assert table["c"].dtype == "complex64"
    same(table["b"], [True, False, True] * times)
    same(table["t"], ["a b", None, '日本, "q"'] * times)
    same(table["e"], ["", None, "x"] * times)
    same(table["m"], [[1, 2], [None, 4], [5, 6]] * times)
    # The first dimension in Julia is the last one here.
    missing = [[None, None]] * 3
    same(table["g"], [[[1, 4], [2, 5], [3, 6]], missing, [[7, 10], [8, 11], [9, 12]]] * times)
    same(table["w"], [["a", "bcd"], ["", "é"], ["x", "y"]] * times)
    assert table.meta["by"] == "Julia"


ecsv = Table.read(folder / "ours.ecsv", format="ascii.ecsv")
check(ecsv)
assert ecsv["i"].format == "%d"
same(ecsv["v"], [[1, 2, 3], [], [4]])
# astropy reads a missing cell of variable length as an empty one.
same(ecsv["vm"], [[[1, 3, 5], [2, 4, 6]], [], [[7], [8]]])
same(ecsv["j"], [[1, 2], None, None])
same(ecsv["big"], [np.longdouble("1.25"), np.longdouble("1e4000"), None])
check(Table.read(folder / "batches.ecsv", format="ascii.ecsv"), 2)
with asdf.open(folder / "tables.asdf") as file:
    check(file["table"])
    np.testing.assert_array_equal(file["records"]["a"], [1, 2])
    assert file["records"]["b"].tolist() == [b"x", b"yz"] or file["records"]["b"].tolist() == ["x", "yz"]
    assert str(file["arrays"]["a"].unit) == "m"
with asdf.open(folder / "stream.asdf") as file:
    expected = np.array([[row + 0.5, -row - 0.25] for row in range(5)])
    np.testing.assert_array_equal(file["rows"], expected, strict=True)
with asdf.open(folder / "numbers.asdf") as file:
    np.testing.assert_array_equal(file["group"]["counts"], np.arange(1, 7, dtype="int16"), strict=True)
    assert file["by"] == "Julia"
with asdf.open(folder / "created.asdf") as file:
    np.testing.assert_array_equal(file["wind"], np.array([[1, 2, 3], [4, 5, 6.5]]), strict=True)
    np.testing.assert_array_equal(file["height"], np.array([2, 10, 30], dtype="float32"), strict=True)
model = yaml.safe_load((folder / "model.yaml").read_text())
assert model["dimcoords"]["height"] == {"size": 3, "type": "float32", "value": [2, 10, 30]}
wind = model["ndarrays"]["wind"]
assert wind["shape"] == [2, "height"] and wind["value"] == [[1, 2, 3], [4, 5, 6.5]]
assert wind["attributes"] == {"units": "m s-1"}
