"""Compares the file that test_datatypes.cpp left with numpy's values: test_datatypes.py DIR"""

import sys
from pathlib import Path

import asdf
import numpy as np


def expected(name: str) -> np.ndarray:
    if name.startswith("complex"):
        return np.array([1 + 2j, 3 + 4j, 5 + 6j, 7 + 8j, 9 + 10j, -1j], dtype=name)
    limits = np.finfo(name) if name.startswith("float") else np.iinfo(name)
    return np.array([limits.min, limits.max, 0, 1, 2, 3], dtype=name)


def same(found: np.ndarray, wanted: np.ndarray) -> None:
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    assert np.array_equal(np.asarray(found), wanted), (found, wanted)


with asdf.open(Path(sys.argv[1]) / "datatypes.asdf") as file:
    for name in file["fortran"]:
        values = expected(name)
        same(file["plain"][name], values.reshape(2, 3))
        same(file["fortran"][name], values.reshape(2, 3))
        same(file["big"][name], values)
        same(file["transposed"][name], values.reshape(2, 3).T)
        # asdf-python reads elements in the tree as their declared datatype.
        same(file["inline"][name], values.reshape(3, 2))
        assert file["plain"][name].dtype == values.dtype
        assert file["big"][name].dtype.byteorder == (">" if values.itemsize > 1 else "|")
    assert len(file["fortran"]) == 11
    same(file["plain"]["uint64"], expected("uint64").reshape(2, 3))
    same(file["plain"]["bytes"], np.full((2, 3), 7, dtype="uint8"))
    same(file["plain"]["bool8"], np.array([[True, False, True], [False, True, True]]))
    same(file["texts"], np.array([b"one", b"three"]))
    same(file["points"], np.array([["日本"], ["a"]]))
    records = np.asarray(file["records"])
    assert records["id"].tolist() == [1, -2] and records["value"].tolist() == [[0.5, 1.5], [2.5, 3.5]]
    assert records["label"].tolist() == ["aé", "日"]
    assert file["scalar"].shape == () and file["scalar"][()] == 42
    assert file["empty"].shape == (0, 3)
    same(file["strided"], np.array([1, 2, 3]))
    assert list(file["values"]) == [0.5, 1e300] and file["flag"] is True and file["text"] == "línea"
    assert file["complex"] == 1.5 - 2.5j
