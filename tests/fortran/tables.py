"""Writes tables for test_tables.f90 with astropy, and compares the tables that it writes: tables.py make|check FOLDER"""

import json
import sys
import warnings
from pathlib import Path

import asdf
import astropy.units as u
import numpy as np
from astropy.table import MaskedColumn, Table


def read(path: Path) -> Table:
    # astropy writes columns of complex numbers, too, but warns about them.
    warnings.filterwarnings("ignore", "unexpected datatype 'complex")
    return Table.read(path, format="ascii.ecsv")


def make(folder: Path) -> None:
    table = Table()
    table["name"] = ["Vega", "Sirius", "Mira A", ""]
    flux = [0.5, 2.25, -1, 1000]
    table["flux"] = MaskedColumn(flux, mask=[0, 0, 1, 0], unit="Jy", description="peak flux", format="%.2f")
    table["id"] = np.array([1, 2, 3, 2**40])
    table["counts"] = np.array([0, 1, 200, 255], dtype=np.uint8)
    table["good"] = [True, False, True, True]
    table["position"] = np.arange(8, dtype=np.float32).reshape(4, 2) / 8
    table["cube"] = MaskedColumn(np.arange(24, dtype=np.int16).reshape(4, 2, 3), mask=np.arange(24) % 7 == 3)
    table["labels"] = np.array([["a", "bc"], ["d", ""], ["ef", "g"], ["h", "ijk"]])
    table["wave"] = np.array([1 + 2j, 3 - 4j, 0.5, -1j])
    table["lists"] = np.array([np.array(a, dtype=np.int32) for a in ([1, 2], [3], [], [4, 5, 6])], dtype=object)
    table["extra"] = np.array([{"a": 1}, None, [1, "x"], "text"], dtype=object)
    table.meta["observer"] = {"name": "Herschel", "year": 1785}
    table["flux"].meta["band"] = "V"
    table.write(folder / "stars.ecsv", format="ascii.ecsv")
    plain = table["name", "flux", "id", "position"]
    plain["flux"] = np.array(flux)
    plain["flux"].unit = u.Jy
    asdf.AsdfFile({"catalogue": plain}).write_to(folder / "stars.asdf")


def check(folder: Path) -> None:
    table = read(folder / "tables.ecsv")
    assert table.colnames == [
        *("int8", "int16", "int32", "int64", "real32", "real64", "complex32", "complex64", "logical", "bool", "text"),
        *("cube", "column", "back", "labels", "lists", "words", "json"),
    ], table.colnames
    for name, dtype in {"int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8"}.items():
        assert table[name].dtype == dtype
        assert list(np.ma.filled(table[name], 2)) == [-1, 2, 3]
    assert list(table["int64"].mask) == [False, True, False]
    for name, dtype in {"real32": "f4", "real64": "f8"}.items():
        assert table[name].dtype == dtype
        assert list(table[name]) == [0.5, -2.25, 8]
    assert table["real64"].unit == "Jy"
    assert table["real64"].description == "flux of the star"
    assert table["real64"].format == "%.3f"
    for name, dtype in {"complex32": "c8", "complex64": "c16"}.items():
        assert table[name].dtype == dtype
        assert list(table[name]) == [1 + 2j, -3, 4j]
    for name in ("logical", "bool"):
        assert table[name].dtype == bool
        assert list(table[name]) == [True, False, True]
    assert list(table["text"]) == ["Vega", "", "Mira A"]
    cube = np.arange(24, dtype=np.int32).reshape(3, 4, 2)
    assert table["cube"].dtype == np.int32
    assert np.array_equal(np.ma.filled(table["cube"], -1), np.where(cube % 5 == 0, -1, cube))
    assert np.array_equal(table["column"], cube[:, 1, 0])
    assert np.array_equal(table["back"], cube[::-1, 0, 1])
    assert table["labels"].tolist() == [["a", "bc"], ["d", "e"], ["", "fgh"]]
    assert [list(cell) for cell in table["lists"]] == [[1, 2], [], [3]]
    assert [list(cell) for cell in table["words"]] == [["x"], ["yz", "w"], []]
    assert list(table["json"]) == [{"a": 1}, [1, 2], None]
    assert table.meta == {"observer": {"name": "Herschel", "year": 1785}}
    assert table["text"].meta == {"observer": {"name": "Herschel", "year": 1785}}

    commas = (folder / "commas.ecsv").read_text().splitlines()
    assert commas[-3:] == ["a,b", "1,x", "2,y"], commas
    assert json.loads(json.dumps(list(read(folder / "compressed.ecsv.gz")["a"].tolist()))) == [1, 2]

    with asdf.open(folder / "tables.asdf") as file:
        stored = file["tables"]["copy"]
        assert np.array_equal(stored["a"], [1, 2])
        assert list(stored["b"]) == ["x", "y"]


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](Path(sys.argv[2]))
