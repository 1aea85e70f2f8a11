"""Writes a file of Python asdf with elements in both byte orders and at odd addresses, for views: make_arrays.py DIR"""

import sys
from pathlib import Path

import asdf
import numpy as np

path = Path(sys.argv[1]) / "arrays.asdf"
numbers = np.arange(12).reshape(3, 4)
arrays = {"flags": numbers % 3 == 0}
for name in ("int16", "uint32", "int64", "float16", "float32", "float64", "complex64", "complex128"):
    factor = 1 - 2j if name.startswith("complex") else 1
    for order, sign in (("little", "<"), ("big", ">")):
        arrays[f"{name} {order}"] = (numbers * factor).astype(np.dtype(name).newbyteorder(sign))

# Elements of 8 bytes, 9 bytes apart, forwards and backwards. asdf would store them without gaps: it stores the bytes.
# Then datatype and strides replace those of the bytes. The file has no block index, which would become wrong.
odd, turned = (np.zeros((3, 4), dtype=[("flag", "u1"), ("value", f"{sign}f8")]) for sign in "<>")
odd["value"], turned["value"] = numbers, numbers[::-1, ::-1]
arrays["odd"], arrays["turned"] = (np.frombuffer(packed.tobytes(), "u1") for packed in (odd, turned))
asdf.AsdfFile(arrays).write_to(path, include_block_index=False)
content = path.read_bytes()
for order, place in ((b"little", b"offset: 1\n  strides: [36, 9]"), (b"big", b"offset: 100\n  strides: [-36, -9]")):
    bytes_of = b"datatype: uint8\n  byteorder: big\n  shape: [108]"
    values = b"datatype: float64\n  byteorder: " + order + b"\n  shape: [3, 4]\n  " + place
    assert bytes_of in content
    content = content.replace(bytes_of, values, 1)
path.write_bytes(content)
with asdf.open(path) as file:
    assert (file["odd"] == numbers).all() and (file["turned"] == numbers).all()
