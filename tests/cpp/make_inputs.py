"""Makes the input files of the C++ tests with Python asdf: make_inputs.py DIR

The values here are repeated in the tests: another implementation confirms what the binding reads.
"""

import sys
from pathlib import Path

import asdf
import numpy as np

folder = Path(sys.argv[1])

tree = {
    "meta": {
        "telescope": "Roman",
        "note": "x" * 1000,
        "exposure": {"time": 139.8, "count": 300, "negative": -5, "big": 2**63 - 1},
        "tiny": 1e300,
        "ready": True,
        "nothing": None,
        "a/b": {"~": "escaped"},
        "point": 1.5 - 2.5j,
    },
    "list": [1, 2, 3],
    "mixed": [1, "two", 3.5],
    "names": ["alpha", "beta"],
    "sizes": {"small": 1, "large": 10},
    7: "seven",
    True: "yes",
    "image": np.arange(12, dtype="int16").reshape(3, 4),
    "big_endian": np.array([1.5, -2.5, 1e10], dtype=">f8"),
    "complex": np.array([1 + 2j, 3 - 4j], dtype="complex64"),
    "flags": np.array([True, False, True]),
    "texts": np.array(["a", "bc", ""], dtype="S3"),
    "unicode": np.array(["é", "日本", ""], dtype="U2"),
    "large": np.array([1, 300, -1], dtype="int64"),
    "masked": np.ma.masked_array(np.array([1.0, 2.0, 3.0]), mask=[False, True, False]),
    "scalar": np.array(42, dtype="uint8"),
    "cube": np.arange(24, dtype="float32").reshape(2, 3, 4),
}
stars = np.zeros(3, dtype=[("ra", "f8"), ("id", "i4"), ("name", "S4"), ("flux", "f4", (3,)), ("flag", "i1")])
stars["ra"] = [10.5, 20.5, 30.5]
stars["id"] = [1, 2, 3]
stars["name"] = [b"aa", b"bbbb", b""]
stars["flux"] = np.arange(9).reshape(3, 3) / 2
stars["flag"] = [1, 0, -1]
tree["stars"] = stars
file = asdf.AsdfFile(tree)
file.add_history_entry("made for the tests")
file.write_to(folder / "input.asdf")
asdf.AsdfFile({"data": np.arange(1000, dtype="int32")}).write_to(folder / "lz.asdf", all_array_compression="zlib")
