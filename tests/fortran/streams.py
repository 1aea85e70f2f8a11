"""Compares the files of test_streams.f90: streams.py FOLDER"""

import sys
from pathlib import Path

import asdf
import numpy as np

folder = Path(sys.argv[1])


def read(name: str, path: str = "a") -> np.ndarray:
    with asdf.open(folder / f"stream_{name}.asdf", validate_checksums=True, memmap=False) as file:
        node = file.tree
        for key in path.split("/"):
            node = node[key]
        return np.array(node)


for kind in ("int8", "int16", "int32", "int64", "float32", "float64"):
    array = read(kind)
    assert array.dtype == kind
    assert list(array) == [1, -2, 3]
for kind in ("complex64", "complex128"):
    array = read(kind)
    assert array.dtype == kind
    assert list(array) == [1 + 2j, -3, 0.5j]
for kind in ("logical", "bool"):
    array = read(kind)
    assert array.dtype == bool
    assert list(array) == [True, False, True]
assert [text.decode() for text in read("text")] == ["Vega", "", "Deneb"]

rows = np.arange(1, 25).reshape(4, 3, 2)
assert np.array_equal(read("matrix", "m/a"), rows[[0, 1, 2, 3, 3, 0]])
deep = np.arange(1, 9).reshape(2, 1, 2, 1, 2, 1)
assert np.array_equal(read("deep"), [deep, deep, -deep])
assert np.array_equal(read("zlib"), np.repeat(np.arange(1.0, 21), 1000).reshape(20, 1000))
assert np.array_equal(read("open"), np.full((1, 1000), 20.0))
