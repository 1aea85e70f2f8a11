"""Writes a file of Python asdf with elements in both byte orders and at odd addresses, for views: make_arrays.py DIR"""

import sys
from pathlib import Path

import asdf
import numpy as np

numbers = np.arange(12).reshape(3, 4)
arrays = {}
for name in ("int16", "uint32", "int64", "float16", "float32", "float64", "complex64", "complex128"):
    factor = 1 - 2j if name.startswith("complex") else 1
    for order, sign in (("little", "<"), ("big", ">")):
        arrays[f"{name} {order}"] = (numbers * factor).astype(np.dtype(name).newbyteorder(sign))
# Elements at odd addresses, with strides that are no multiple of their size, forwards and backwards.
packed = np.zeros((3, 4), dtype=[("flag", "u1"), ("value", "<f8")])
packed["value"] = numbers
arrays["odd"] = packed["value"]
backwards = np.zeros((3, 4), dtype=[("flag", "u1"), ("value", ">f8")])
backwards["value"] = numbers[::-1, ::-1]
arrays["turned"] = backwards["value"][::-1, ::-1]
arrays["flags"] = numbers % 3 == 0
asdf.AsdfFile(arrays).write_to(Path(sys.argv[1]) / "arrays.asdf")
