"""Makes the input tables of test_exchange.cpp with astropy, as ECSV and in an ASDF file: make_tables.py DIR

The values here are repeated in the test: another implementation confirms what the binding reads.
"""

import sys
from pathlib import Path

import asdf
import astropy.units as u
import numpy as np
from astropy.table import MaskedColumn, QTable, Table
from astropy.time import Time

folder = Path(sys.argv[1])

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]

table = Table()
for name in INTEGERS:
    limits = np.iinfo(name)
    table[name] = np.array([limits.min, 1, limits.max], dtype=name)
table["float32"] = np.array([0.1, -1e38, np.inf], dtype="float32")
table["float64"] = [0.1, 1e300, -0.0]
table["complex128"] = [1 + 2j, 3 - 4j, 0.5j]
table["bool"] = [True, False, True]
table["text"] = ["3C 273", "plain", "日本 'quoted', \"twice\""]
table["masked"] = MaskedColumn(
    [1.5, 2.5, 3.5], mask=[False, True, False], unit="mJy", description="Flux", format="%.2f"
)
table["words"] = MaskedColumn(["a", "b", "c"], mask=[True, False, False])
table["cells"] = np.arange(12, dtype="int16").reshape(3, 2, 2)
table.meta = {"survey": "deep", "epochs": [1, 2]}
asdf.AsdfFile({"table": table}).write_to(folder / "astropy.asdf")
lists = np.empty(3, dtype=object)
lists[:] = [np.array([1, 2], dtype="int64"), np.array([], dtype="int64"), np.array([3], dtype="int64")]
table["lists"] = lists
table.write(folder / "astropy.ecsv", format="ascii.ecsv")

times = QTable({"time": Time([2459000.25, 2459001.75], format="jd", scale="tai"), "flux": [1.0, 2.0] * u.Jy})
times.write(folder / "times.ecsv", format="ascii.ecsv", serialize_method={Time: "jd1_jd2"})
