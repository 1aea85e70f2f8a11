"""Tables as arrays of NumPy: columns of every type, properties, batches, files of ECSV and ASDF."""

import bz2
import gzip
import io
import os
import pickle
import subprocess
import sys
import threading

import asdf
import numpy as np
import pytest
from astropy import units
from astropy.utils.masked import Masked

import asdfkit
from asdfkit import Table
from asdfkit.constants import Datatype, Status

NUMBERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32"]
NUMBERS += ["float64", "complex64", "complex128"]
HEADER = (
    "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64, unit: m}\n# - {name: b, datatype: string}\na b\n"
)


def bits(dtype, shape, seed=3):
    """Elements with any bits, but NaNs of one kind, which texts can spell."""
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.random(shape) < 0.5
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    values = np.frombuffer(random.bytes(count), dtype).reshape(shape).copy()
    parts = values.view(values.real.dtype) if values.size else values
    if parts.dtype.kind == "f":
        parts[np.isnan(parts)] = np.nan
    return values


def same(found, expected):
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    assert np.array_equal(np.ma.getmaskarray(found), np.ma.getmaskarray(expected))
    kept = ~np.ma.getmaskarray(expected)
    one, other = np.ma.getdata(found)[kept], np.ma.getdata(expected)[kept]
    if one.dtype.kind in "fc":
        one, other = one.view(one.real.dtype), other.view(other.real.dtype)
        assert np.array_equal(one, other, equal_nan=True)
        assert np.array_equal(np.signbit(one), np.signbit(other))
    else:
        assert np.array_equal(one, other)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_numbers(dtype, tmp_path):
    columns = {"plain": bits(dtype, 50)}
    columns["masked"] = np.ma.MaskedArray(bits(dtype, 50), np.arange(50) % 3 == 0)
    columns["swapped"] = bits(dtype, 50).astype(np.dtype(dtype).newbyteorder(">"))
    columns["strided"] = bits(dtype, 100)[::-2]
    if np.dtype(dtype).kind != "c":
        columns["grid"] = bits(dtype, (50, 2, 3))
        columns["fortran"] = np.asfortranarray(bits(dtype, (50, 2, 3)))
        columns["holes"] = np.ma.MaskedArray(bits(dtype, (50, 2)), np.arange(100).reshape(50, 2) % 5 == 0)
        columns["cells"] = np.array([bits(dtype, n % 4) for n in range(50)] + [None], object)[:50]
    table = Table(columns)
    table.write_ecsv(tmp_path / "a.ecsv")
    for read in (table, asdfkit.read_ecsv(tmp_path / "a.ecsv")):
        assert read.names == list(columns)
        for name, values in columns.items():
            if name == "cells":
                for found, expected in zip(read[name], values, strict=True):
                    same(found, expected)
                continue
            same(read[name], values.astype(dtype))
        same(read.columns["masked"].read(slice(3, 20)), columns["masked"][3:20])
        same(read.columns["strided"].read(range(5, 5)), columns["strided"][:0].astype(dtype))


def test_texts(tmp_path):
    texts = ["a", "été", "日本語", "", 'q"uote', "line\nline", " blank ", "null"]
    columns = {
        "list": texts,
        "fixed": np.array(texts),
        "bytes": np.array([text.encode() for text in texts]),
        "objects": np.array(texts, object),
        "missing": [None if len(text) == 1 else text for text in texts],
        "grid": np.array([texts, texts[::-1]]).T,
        "cells": np.array([np.array(texts[:n]) for n in range(len(texts))] + [None], object)[:-1],
    }
    if hasattr(np.dtypes, "StringDType"):
        columns["variable"] = np.array(texts, np.dtypes.StringDType())
    table = Table(columns)
    table.write_ecsv(tmp_path / "a.ecsv")
    for read in (table, asdfkit.read_ecsv(tmp_path / "a.ecsv")):
        for name in ("list", "fixed", "bytes", "objects", "variable"):
            if name in columns:
                assert read[name].tolist() == texts, name
                assert read[name].dtype == "U9"
        assert read.names == list(columns)
        assert read["missing"].tolist() == columns["missing"]
        assert read["grid"].tolist() == columns["grid"].tolist()
        assert [cell.tolist() for cell in read["cells"]] == [texts[:n] for n in range(len(texts))]
        column = read.columns["list"]
        assert column.read(dtype=object).tolist() == texts
        assert column.read(dtype="S").tolist() == [text.encode() for text in texts]
        assert column.read(slice(0, 2), dtype="U20").dtype == "U20"
        if "variable" in columns:
            assert column.read(dtype=np.dtypes.StringDType()).tolist() == texts
        with pytest.raises(asdfkit.errors.ArrayError) as caught:
            column.read(dtype="U2")
        assert caught.value.status == Status.OVERFLOW
        assert column.read(dtype="U2", clamp=True).tolist() == [text[:2] for text in texts]
        with pytest.raises(asdfkit.AsdfError):
            column.read(dtype=float)


def test_logical_columns():
    read = asdfkit.read_ecsv(
        b"# %ECSV 1.0\n# ---\n# datatype: [{name: t.jd1, datatype: float64}, {name: t.jd2, datatype: float64},"
        b" {name: x, datatype: int8}]\n# meta: {__serialized_columns__: {t: {__class__: astropy.time.core.Time, scale: utc,"
        b" jd1: !astropy.table.SerializedColumn {name: t.jd1}, jd2: !astropy.table.SerializedColumn {name: t.jd2}}}}\n"
        b"t.jd1 t.jd2 x\n1 0 5\n"
    )
    time, other = read.logical_columns()
    assert (time.name, time.class_name, time.unit) == ("t", "astropy.time.core.Time", None)
    assert time.members == {"t.jd1": "jd1", "t.jd2": "jd2"}
    assert time.attributes["scale"] == "utc"
    assert time.values().names == ["t.jd1", "t.jd2"]
    assert (other.name, other.class_name, other.attributes, other.members) == ("x", None, None, {"x": ""})


def test_objects_and_long_numbers(tmp_path):
    values = [{"a": [1, None]}, [1.5, "é"], 5, "text", True, None]
    long = np.array(["1.5", "-3.3621031431120935063e-4932", "nan", "-0.0", "1e4000", "7"]).astype(np.longdouble)
    table = Table({"json": values, "long": long, "pair": long[::-1] * 1j + 1})
    table.write_ecsv(tmp_path / "a.ecsv")
    for read in (table, asdfkit.read_ecsv(tmp_path / "a.ecsv")):
        assert read["json"].tolist() == values
        assert read["json"].mask.tolist() == [False] * 5 + [True]
        assert np.array_equal(read["long"], long, equal_nan=True)
        assert np.array_equal(np.signbit(read["long"]), np.signbit(long))
        assert read["pair"].dtype == np.clongdouble
        assert np.array_equal(read["pair"].imag[3:], (long[::-1] * 1j + 1).imag[3:], equal_nan=True)
        assert [column.datatype for column in read.columns.values()] == [
            Datatype.JSON, Datatype.FLOAT128, Datatype.COMPLEX256,
        ]  # fmt: skip
        assert read.columns["json"].read(dtype="U").tolist()[2:4] == ["5", '"text"']
    assert table.columns["long"].read(dtype="f8", rows=slice(0, 1)).tolist() == [1.5]
    table.add_column("texts", ["[1]", None, "1", "2", "3", "4"], datatype="string")
    table.add_column("numbers", ["1", "2.5", "3", "4", "5", "6"], datatype="float128")
    assert table["numbers"][1] == 2.5
    with pytest.raises(asdfkit.AsdfError):
        table.add_column("wrong", ["x"] * 6, datatype="float128")
    with pytest.raises(ValueError, match="datatype is one of"):
        table.add_column("wrong", ["x"] * 6, datatype="decimal")
    assert "wrong" not in table


def test_missing_cells(tmp_path):
    cells = np.ma.MaskedArray(np.array([np.array([1, 2]), None, np.array([], int)], object), [False, True, False])
    inner = np.array([np.ma.MaskedArray([1, 2], [True, False]), np.array([3])] + [None], object)
    Table({"cells": cells, "inner": inner}).write_ecsv(tmp_path / "a.ecsv")
    read = asdfkit.read_ecsv(tmp_path / "a.ecsv")
    assert np.ma.getmaskarray(read["cells"]).tolist() == [False, True, False]
    assert read["cells"].data[0].tolist() == [1, 2]
    assert read["inner"].data[0].tolist() == [None, 2]
    assert read["inner"].data[1].tolist() == [3]
    assert read.columns["cells"].shape == (-1,)


def test_conversions():
    table = Table({"x": [1.5, 300.0], "n": [1, 300]})
    assert table.columns["n"].read(dtype="f4").dtype == "f4"
    assert table.columns["n"].read(dtype=">i2").tolist() == [1, 300]
    for name, dtype in (("n", "u1"), ("n", "i1")):
        with pytest.raises(asdfkit.errors.ArrayError) as caught:
            table.columns[name].read(dtype=dtype)
        assert caught.value.status == Status.OVERFLOW
        assert caught.value.subject == name
    assert table.columns["n"].read(dtype="u1", clamp=True).tolist() == [1, 255]
    with pytest.raises(TypeError):
        table.columns["n"].read(dtype="M8[s]")
    with pytest.raises(TypeError, match="unknown option 'speed'"):
        table.columns["n"].read(speed=1)
    assert np.asarray(table.columns["x"]).tolist() == [1.5, 300.0]
    assert np.array(table.columns["x"], dtype="f4").dtype == "f4"
    with pytest.raises(asdfkit.AsdfError, match="missing"):
        np.asarray(Table({"m": [1, None]}).columns["m"])


def test_properties(tmp_path):
    meta = {"a": 1, "b": [1.5, {"c/d~e": None}], "": "é", "flag": True, "bytes": b"\0x", "big": 2**70, "c": 1 + 2j}
    table = Table({"x": [1, 2]}, units={"x": "km / s"}, descriptions={"x": "é\n#"}, formats={"x": "%5d"}, meta=meta)
    table.columns["x"].meta = {"k": [1, 2]}
    table.schema = "mine"
    table.write_ecsv(tmp_path / "a.ecsv")
    for read in (table, asdfkit.read_ecsv(tmp_path / "a.ecsv")):
        column = read.columns["x"]
        assert (column.unit, column.description, column.format) == ("km / s", "é\n#", "%5d")
        assert column.meta == {"k": [1, 2]}
        assert (column.name, column.shape, column.datatype, len(column)) == ("x", (), Datatype.INT64, 2)
        assert read.meta == meta
        assert read.schema == "mine"
        assert read.warnings == []
        assert repr(column) == "<Column 'x' int64 (km / s), 2 rows>"
    assert asdfkit.read_ecsv(tmp_path / "a.ecsv").columns["x"].declared == ("int64", None)
    table.meta, table.columns["x"].meta = {}, []
    assert (table.meta, table.columns["x"].meta) == ({}, [])
    table.meta = None
    table.columns["x"].unit = None
    table.columns["x"].meta = None
    assert (table.meta, table.columns["x"].unit, table.columns["x"].meta) == ({}, None, None)
    circle = {}
    circle["self"] = circle
    for wrong in (circle, {"x": object()}, {1.5: 2}, {"a": {1, 2}}, {"a": "\ud800"}):
        with pytest.raises((TypeError, ValueError)):
            table.meta = wrong
    with pytest.raises(TypeError):
        table.columns["x"].unit = 5


def test_arrays_in_metadata_become_lists():
    file = asdfkit.new()
    file["stored"] = np.arange(3)
    array = file["stored"]
    table = Table({"x": [1]})
    table.meta = {
        "masked": np.ma.MaskedArray([1, 2], [False, True]),
        "list": [array],
    }
    assert table.meta == {"masked": [1, None], "list": [[0, 1, 2]]}
    with pytest.raises(TypeError, match="another table"):
        table.meta = {"table": Table({"y": [1.5]})}


def test_metadata_with_tags_are_set_in_the_tree(tmp_path):
    table = Table({"x": [1]})
    quantity = asdfkit.Quantity(np.array([1.5, 2.5]), "m")
    tagged = asdfkit.Tagged({"a": 1}, "tag:example.org:model-1.0.0")
    table.meta = {"name": "t"}
    for meta, path in (({"b": {"q": quantity}}, "/b/q"), ({"b": [tagged]}, "/b/0")):
        with pytest.raises(asdfkit.errors.TreeError) as caught:
            table.meta = meta
        assert caught.value.path == path
        with pytest.raises(asdfkit.errors.TreeError):
            table.columns["x"].meta = meta
    file = asdfkit.new()
    file["t"] = table
    file["t/meta/q"] = quantity
    kept = file.node("t").table(plain_metadata=False)
    file["copy"] = kept
    assert file["copy/meta/q"].unit == "m" and file["copy/meta/name"] == "t"
    kept.write_ecsv(tmp_path / "kept.ecsv")
    assert "!astropy.units.Quantity" in (tmp_path / "kept.ecsv").read_text()


def test_free_mappings():
    meta = asdfkit.new_mapping()
    meta["exposure/time"] = 1.5
    meta["list"] = [1, {"a": None}]
    table = Table({"x": [1]}, meta=meta)
    meta["exposure/time"] = 2
    table.columns["x"].meta = meta["exposure"]
    assert table.meta == {"exposure": {"time": 1.5}, "list": [1, {"a": None}]}
    assert table.columns["x"].meta == {"time": 2}
    file = asdfkit.new()
    file["copy"] = meta
    assert file["copy/list/1"].load() == {"a": None}
    with pytest.raises(TypeError):
        meta["x"] = object()


def test_cells_are_changed():
    masked = np.ma.MaskedArray([1, 2, 3], mask=False)
    columns = {
        "n": np.arange(3, dtype="i2"),
        "masked": masked,
        "pair": np.zeros((3, 2), "f4"),
        "name": ["a", None, "c"],
    }
    table = Table(columns, units={"n": "Jy"})
    table.add_column("list", [[1, 2], [3], [4]], description="d")
    table.add_column("json", [{"a": 1}, 10**30, None], datatype="json")
    table.add_column("long", np.array([1, 2, 3], np.longdouble))
    table[1, "n"] = 9.0
    table[-1, "n"] = None
    table[0, "pair"] = [1.5, 2.5]
    table[1:, "pair"] = np.ma.MaskedArray([[1, 2], [3, 4]], [[True, False], [False, False]])
    table[0:2, "name"] = ["a longer text", "b"]
    table[0, "list"] = [7, 8, 9]
    table[1, "list"] = None
    table[2, "json"] = [1, -(10**40)]
    table[0, "long"] = np.longdouble("1.5")
    assert table["n"].tolist() == [0, 9, None] and table.columns["n"].unit == "Jy"
    assert table["pair"].tolist() == [[1.5, 2.5], [None, 2], [3, 4]]
    assert table["name"].tolist() == ["a longer text", "b", "c"]
    assert [None if cell is None else list(cell) for cell in table["list"].tolist()] == [[7, 8, 9], None, [4]]
    assert table["json"].tolist() == [{"a": 1}, 10**30, [1, -(10**40)]]
    assert table["long"][0] == 1.5 and table[0, "long"] == 1.5 and table[1:, "name"].tolist() == ["b", "c"]
    assert table.columns["masked"].is_masked and table.columns["pair"].shape == (2,)
    table["n"] = [4, 5, 6]
    table["new"] = [1, 2, 3]
    assert table["n"].tolist() == [4, 5, 6] and table["new"].tolist() == [1, 2, 3]
    for key, value, error in [
        ((0, "n"), 1e9, asdfkit.errors.ArrayError),
        ((0, "n"), "text", (asdfkit.AsdfError, TypeError, ValueError)),
        ((0, "name"), 5, (asdfkit.AsdfError, TypeError)),
        ((3, "n"), 1, IndexError),
        ((0, "x"), 1, KeyError),
        ((slice(0, 3, 2), "n"), [1, 2], ValueError),
        ((slice(0, 3), "name"), ["a"], ValueError),
        ((0, "pair"), [1, 2, 3], ValueError),
        ((0, "n"), asdfkit.Quantity(1.0, "m"), (ValueError, TypeError)),
    ]:
        with pytest.raises(error):
            table[key] = value
    assert table["n"].tolist() == [4, 5, 6]


def test_masked_columns_stay_masked(tmp_path):
    table = Table(
        {"m": np.ma.MaskedArray([1.5, 2.5], mask=False), "t": np.ma.MaskedArray(["a", ""], mask=False), "p": [1, 2]}
    )
    file = asdfkit.new()
    file["t"] = table
    table.write_ecsv(tmp_path / "a.ecsv")
    copies = [table, file.node("t").table(), asdfkit.read_ecsv(tmp_path / "a.ecsv"), table[1:], Table(table)]
    copies.append(pickle.loads(pickle.dumps(table)))
    for copy in copies:
        assert [copy.columns[name].is_masked for name in "mtp"] == [True, True, False]
        assert isinstance(copy["m"], np.ma.MaskedArray) and copy["m"].tolist() == table["m"].tolist()[-len(copy["m"]) :]
        assert np.asarray(copy.columns["m"]).dtype == np.float64


def test_cells_of_any_length_in_asdf():
    cells = np.empty(4, object)
    cells[:] = [np.array([1, 2]), np.array([], int), None, np.array([3])]
    table = Table({"a": cells, "n": [1, 2, 3, 4]}, units={"a": "m"})
    for form in ("standard", "astropy", "arrays"):
        file = asdfkit.new()
        file.set("t", table, table_form=form)
        again = file.node("t").table()
        assert again.columns["a"].unit == "m" and again.columns["a"].shape == (-1,)
        assert [None if cell is None else list(cell) for cell in again["a"].tolist()] == [[1, 2], [], None, [3]]
        data = io.BytesIO()
        file.write(data)
        data.seek(0)
        with asdf.open(data, lazy_load=False, memmap=False) as opened:
            if form == "arrays":
                cells = opened["t"]["a"]
                values = cells["values"].value
            else:
                column = opened["t"]["a"]
                assert column.tolist() == [2, 0, -1, 1] and str(column.unit) == "m"
                cells = column.meta["__ecsv__"]["cells"]
                values = cells["values"]
            assert (values.tolist(), cells["lengths"].tolist()) == ([1, 2, 3], [2, 0, -1, 1])


def test_representations(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    table = Table({"a": np.arange(50) / 7, "name": ["x"] * 49 + [None]}, units={"a": "Jy"}, formats={"a": "%6.2f"})
    lines = repr(table).splitlines()
    assert lines[:4] == ["<asdfkit.Table of 50 rows and 2 columns>", "     a  name", "    Jy", "  0.00     x"]
    assert len(lines) == 24 and lines[13].split() == ["…", "…"] and lines[-1] == "  7.00    --"
    page = table._repr_html_()
    assert "<th>Jy</th>" in page and "<td>  0.14</td>" in page and "50 rows, 2 columns" in page
    wide = Table({f"column{number}": [number] for number in range(100)})
    assert all(len(line) <= 60 for line in repr(wide).splitlines()[1:]) and "column99" in repr(wide)
    assert "&lt;b&gt;" in Table({"<b>": ["<i>"]})._repr_html_() and "<i>" not in Table({"<b>": ["<i>"]})._repr_html_()
    for format in ("{:.1f}", ".1f", "%.1f"):
        assert repr(Table({"a": [0.25]}, formats={"a": format})).splitlines()[-1] == "0.2"
    assert repr(Table({"a": ["x"]}, formats={"a": "%d"})).splitlines()[-1] == "x"
    assert repr(Table()) == "<asdfkit.Table of 0 rows and 0 columns>" and table._ipython_key_completions_() == [
        "a",
        "name",
    ]


def test_mapping():
    table = Table({"a": [1], "b": ["x"]})
    assert list(table.keys()) == table.names == ["a", "b"] and list(table) == [{"a": 1, "b": "x"}]
    assert (len(table), table.num_columns, table.num_rows) == (1, 2, 1)
    assert "a" in table and "c" not in table and 1 not in table
    assert dict(table).keys() == table.to_dict().keys() == dict(table.items()).keys()
    assert [values.tolist() for values in table.values()] == [[1], ["x"]]
    assert table.get("a").tolist() == [1]
    assert table.get("c", 5) == 5
    assert repr(table) == "<asdfkit.Table of 1 row and 2 columns>\na  b\n1  x"
    with pytest.raises(KeyError, match="c") as caught:
        table["c"]
    assert isinstance(caught.value, asdfkit.errors.NotFoundError)
    for index in (0, None, {"a"}, ["a", 1]):
        with pytest.raises(TypeError):
            table[index]
    empty = Table()
    assert (empty.num_rows, list(empty)) == (0, [])
    assert Table({"a": []})["a"].shape == (0,)


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ({"a": [1], "b": [1, 2]}, ValueError),
        ({"a": 5}, TypeError),
        ({"a": "text"}, TypeError),
        ({"a": np.float64(1)}, ValueError),
        ({"a\0": [1]}, ValueError),
        ({1: [1]}, TypeError),
        ({"a": np.array([1], "m8[Y]")}, TypeError),
        ({"a": np.array(["9999-01-01"], "M8[D]")}, OverflowError),
        ({"a": np.zeros(1, "f4,i4")}, TypeError),
        ({"a": np.array([[{}]], object)}, TypeError),
        ({"a": [object()]}, TypeError),
        ({"a": ["\ud800"]}, ValueError),
        ({"a": np.array([b"\xff"])}, ValueError),
        ({"a": np.array([np.zeros((2, 1)), np.zeros((3, 1)), None], object)}, ValueError),
        ([1, 2], (TypeError, ValueError)),
    ],
)
def test_columns_that_are_none(columns, error):
    with pytest.raises(error):
        Table(columns)


def test_a_column_of_another_length():
    table = Table({"a": [1, 2]})
    with pytest.raises(ValueError, match="must have 2 rows"):
        table.add_column("b", [1])
    with pytest.raises(asdfkit.errors.UsageError):
        table.add_column("a", [1, 2])
    table.add_column("b", [[1, 2], [3]], unit="s", description="d", format="%d", meta={"x": 1})
    assert table.columns["b"].shape == (-1,)
    assert [cell.tolist() for cell in table["b"]] == [[1, 2], [3]]


def test_rows_and_columns_of_a_file(tmp_path):
    path = tmp_path / "a.ecsv"
    Table({"a": np.arange(100), "b": np.arange(100) * 0.5, "c": [str(n) for n in range(100)]}).write_ecsv(path)
    read = asdfkit.read_ecsv(path, columns=["c", "a"], rows=slice(10, 20))
    assert read.names == ["a", "c"]
    assert read["a"].tolist() == list(range(10, 20))
    assert asdfkit.read_ecsv(path, columns="b").names == ["b"]
    assert asdfkit.read_ecsv(path, rows=range(95, 200))["a"].tolist() == [95, 96, 97, 98, 99]
    assert asdfkit.read_ecsv(path, rows=slice(3))["a"].tolist() == [0, 1, 2]
    assert asdfkit.read_ecsv(path, rows=slice(5, 5)).num_rows == 0
    assert asdfkit.read_ecsv(path, rows=slice(500, None)).num_rows == 0
    assert asdfkit.read_ecsv(path, threads=2)["a"].sum() == 4950
    for wrong in (slice(-1, None), slice(0, 10, 2), range(0, 10, 3), slice(0, -1)):
        with pytest.raises(ValueError, match="rows"):
            asdfkit.read_ecsv(path, rows=wrong)
    for wrong in (5, "all", [1, 2]):
        with pytest.raises(TypeError):
            asdfkit.read_ecsv(path, rows=wrong)
    with pytest.raises(asdfkit.errors.NotFoundError, match="zz"):
        asdfkit.read_ecsv(path, columns=["zz"])
    for wrong in ([], 5, [5], ["\0"]):
        with pytest.raises((ValueError, TypeError)):
            asdfkit.read_ecsv(path, columns=wrong)
    column = asdfkit.read_ecsv(path).columns["a"]
    assert column.read(slice(-3, None)).tolist() == [97, 98, 99]
    assert column.read(slice(90, 1000)).size == 10
    with pytest.raises(ValueError, match="steps of one"):
        column.read(slice(None, None, -1))


def test_batches(tmp_path):
    path = tmp_path / "a.ecsv.gz"
    Table({"a": np.arange(1000), "b": ["é"] * 1000}, units={"a": "m"}, meta={"k": 1}).write_ecsv(path)
    with gzip.open(path, "rb") as file:
        content = file.read()
    for source in (path, str(path), content, io.BytesIO(content), io.StringIO(content.decode())):
        with asdfkit.read_ecsv(source, batches=300) as batches:
            assert batches.header.num_rows == 0
            assert batches.header.columns["a"].unit == "m"
            assert batches.header.meta == {"k": 1}
            found = [batch["a"] for batch in batches]
        assert [len(part) for part in found] == [300, 300, 300, 100]
        assert np.concatenate(found).tolist() == list(range(1000))
    assert [batch.num_rows for batch in asdfkit.read_ecsv(path, batches=True, rows=slice(10, 20))] == [10]
    with path.open("rb") as file:
        assert sum(batch.num_rows for batch in asdfkit.read_ecsv(file, batches=10)) == 1000
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="batches"):
            asdfkit.read_ecsv(path, batches=wrong)
    closed = asdfkit.read_ecsv(path, batches=10)
    closed.close()
    closed.close()
    for use in (lambda: next(closed), lambda: closed.header, closed.__arrow_c_stream__):
        with pytest.raises(ValueError, match="closed"):
            use()
    done = asdfkit.read_ecsv(path, batches=600)
    assert len(list(done)) == 2
    assert list(done) == []


def test_threads_share_a_reader(tmp_path):
    path = tmp_path / "a.ecsv"
    Table({"a": np.arange(20_000)}).write_ecsv(path)
    reader, sums = asdfkit.read_ecsv(path, batches=100), []

    def work():
        sums.extend(int(batch["a"].sum()) for batch in reader)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(sums) == 200
    assert sum(sums) == 19_999 * 10_000


def test_writer(tmp_path):
    path = tmp_path / "a.ecsv.bz2"
    with asdfkit.TableWriter(path, Table({"a": [0]}, units={"a": "m"}), delimiter="comma") as writer:
        for number in range(3):
            writer.write({"a": [number, None if number == 1 else 7]})
        assert not path.exists()
    assert bz2.decompress(path.read_bytes()).decode().endswith('a\n0\n7\n1\n""\n2\n7\n')
    assert asdfkit.read_ecsv(path).columns["a"].unit == "m"
    with pytest.raises(ValueError, match="closed"):
        writer.write({"a": [1]})
    with pytest.raises(FileExistsError):
        asdfkit.TableWriter(path, Table({"a": [0]}))
    with pytest.raises(ZeroDivisionError), asdfkit.TableWriter(tmp_path / "b.ecsv", Table({"a": [0]})) as writer:
        writer.write({"a": [1]})
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == ["a.ecsv.bz2"]
    writer = asdfkit.TableWriter(tmp_path / "c.ecsv", Table({"a": [0]}))
    with pytest.raises(asdfkit.errors.UsageError):
        writer.write({"b": [1]})
    writer.discard()
    assert os.listdir(tmp_path) == ["a.ecsv.bz2"]


def test_writing(tmp_path):
    path = tmp_path / "a.ecsv"
    asdfkit.write_ecsv({"a": [1, 2]}, path)
    with pytest.raises(FileExistsError):
        asdfkit.write_ecsv({"a": [1]}, path)
    assert asdfkit.read_ecsv(path)["a"].tolist() == [1, 2]
    asdfkit.write_ecsv({"a": ["", "x"]}, path, replace=True, delimiter="comma", empty_strings="missing")
    assert asdfkit.read_ecsv(path)["a"].tolist() == [None, "x"]
    with pytest.raises(FileNotFoundError):
        asdfkit.write_ecsv({"a": [1]}, tmp_path / "none" / "a.ecsv")
    for wrong in ({"colour": 1}, {"delimiter": "tab"}, {"replace": "yes"}):
        with pytest.raises((TypeError, ValueError)):
            asdfkit.write_ecsv({"a": [1]}, path, **wrong)
    for wrong in (5, None, "x\0y"):
        with pytest.raises((TypeError, ValueError)):
            asdfkit.write_ecsv({"a": [1]}, wrong)


def test_errors_say_where(tmp_path):
    path = tmp_path / "a.ecsv"
    path.write_text(HEADER + "1 x\nno y\n")
    with pytest.raises(asdfkit.errors.TableError) as caught:
        asdfkit.read_ecsv(path)
    error = caught.value
    assert (error.line, error.subject, error.file) == (8, "a", str(path))
    assert isinstance(error, ValueError)
    assert "'no'" in str(error) or '"no"' in str(error)
    with pytest.raises(FileNotFoundError):
        asdfkit.read_ecsv(tmp_path / "none.ecsv")
    for content in (b"", b"a b\n1 2\n", b"#ASDF 1.0.0\n"):
        with pytest.raises(asdfkit.AsdfError):
            asdfkit.read_ecsv(content)
    for wrong in (5, None, ["a"], 1.5):
        with pytest.raises(TypeError):
            asdfkit.read_ecsv(wrong)
        with pytest.raises(TypeError):
            asdfkit.read_ecsv(wrong, batches=True)


def test_progress_and_exceptions(tmp_path):
    path = tmp_path / "a.ecsv"
    Table({"a": np.arange(200_000)}).write_ecsv(path)
    calls = []
    asdfkit.read_ecsv(path, progress=lambda done, total: calls.append((done, total)))
    assert calls and calls[-1][0] == path.stat().st_size

    def stop(done, total):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asdfkit.read_ecsv(path, progress=stop)
    with pytest.raises(ZeroDivisionError):
        list(asdfkit.read_ecsv(path, batches=1000, progress=stop))

    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(asdfkit.read_ecsv(Broken(path.read_bytes()), batches=10))


def test_tables_of_asdf_files(tmp_path):
    table = Table({"id": [1, 2], "name": ["a", "é"], "m": [None, 2.5]}, units={"m": "Jy"}, meta={"k": [1, 2]})
    for form in ("standard", "astropy", "arrays"):
        path = tmp_path / f"{form}.asdf"
        file = asdfkit.new()
        file.set("cats/one", table, table_form=form, compression="zlib", leave_out=True)
        file.write(path)
        with asdfkit.open(path) as file:
            read = file.table("cats/one")
            assert isinstance(file.node("cats/one"), asdfkit.Tree)
            assert file["cats"].table("one").names == read.names
        assert read["m"].tolist() == [None, 2.5]
        assert read["name"].tolist() == ["a", "é"]
        assert read.columns["m"].unit == "Jy"
        assert read.meta.get("k", [1, 2]) == [1, 2]
    file = asdfkit.new()
    file["x"] = {"tables": [table, {"deep": table}]}
    assert file.table("x/tables/1/deep")["id"].tolist() == [1, 2]
    with pytest.raises(asdfkit.AsdfError):
        file.table("x")
    with pytest.raises(KeyError):
        file.table("y")
    with pytest.raises(TypeError, match="unknown option"):
        file.set("y", table, colour=1)
    with pytest.raises(asdfkit.AsdfError):
        file.set("cells", Table({"a": [[1], [2, 3]]}), table_form="records")
    assert "cells" not in file
    file.write(tmp_path / "rest.asdf")


def test_threads_change_and_read_one_table():
    table, problems = Table({"a": np.arange(1000)}), []

    def add(number):
        try:
            for index in range(50):
                table.add_column(f"{number} {index}", np.full(1000, number))
        except Exception as problem:
            problems.append(problem)

    def read():
        try:
            for _ in range(50):
                assert table["a"].sum() == 499_500
                assert all(len(table[name]) == 1000 for name in table.names[-5:])
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(3)]
    threads += [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert table.num_columns == 151


def test_use_from_other_objects():
    table = Table({"a": [1]})
    column = table.columns["a"]
    del table
    assert column.read().tolist() == [1]
    for name in ("Table", "Column", "TableReader", "TableWriter"):
        assert getattr(asdfkit, name).__doc__


def test_end_of_the_interpreter(tmp_path):
    """Tables, readers, writers and capsules that still exist at the end do no harm."""
    path = tmp_path / "a.ecsv"
    Table({"a": np.arange(1000)}).write_ecsv(path)
    program = f"""
import asdfkit, sys
table = asdfkit.read_ecsv({str(path)!r})
reader = asdfkit.read_ecsv({str(path)!r}, batches=10)
writer = asdfkit.TableWriter({str(tmp_path / "b.ecsv")!r}, table)
capsules = [table.__arrow_c_stream__(), table.__arrow_c_schema__(), reader.__arrow_c_stream__()]
circle = [capsules, table]; circle.append(circle)
sys.kept = [circle, reader]
import builtins; builtins.kept = capsules
print("end")
"""
    done = subprocess.run([sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
    assert not (tmp_path / "b.ecsv").exists()


def test_an_empty_text_is_not_the_same_as_none(tmp_path):
    table = Table({"ratio": [1.5], "plain": [2.5]}, units={"ratio": ""}, formats={"ratio": ""})
    table.add_column("more", [1], unit="", description="", format="")
    file = asdfkit.new()
    file["table"] = table
    file.write(tmp_path / "a.asdf")
    table.write_ecsv(tmp_path / "a.ecsv")
    with asdfkit.open(tmp_path / "a.asdf") as file:
        copies = [table, asdfkit.read_ecsv(tmp_path / "a.ecsv"), file.table("table"), Table(table)]
    for copy in copies:
        texts = {name: (column.unit, column.description, column.format) for name, column in copy.columns.items()}
        assert texts == {"ratio": ("", None, ""), "plain": (None, None, None), "more": ("", "", "")}
        assert [column.unit for column in copy.logical_columns()] == ["", None, ""]
    table.columns["ratio"].unit = None
    assert table.columns["ratio"].unit is None


def test_tables_without_datatypes(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("a,b\n007,x\n,NA\n")
    with pytest.raises(asdfkit.AsdfError):
        asdfkit.read_ecsv(path)
    table = asdfkit.read_ecsv(path, as_text=True, null_values=["NA"])
    assert table.to_dict()["a"].tolist() == ["007", None] and table["b"].tolist() == ["x", None]
    assert [len(batch["a"]) for batch in asdfkit.read_ecsv(path, as_text=True, batches=1)] == [1, 1]
    with pytest.raises(asdfkit.errors.UsageError, match="'as_text' and the option 'header_text' exclude each other"):
        asdfkit.read_ecsv(path, as_text=True, header_text="# %ECSV 1.0\n")


def test_lists_of_quantities_are_columns():
    for cells in ([1 * units.m, 2 * units.m], [asdfkit.Quantity(1, "m"), asdfkit.Quantity(2, "m")]):
        table = Table({"a": cells})
        assert table["a"].tolist() == [1, 2] and table.columns["a"].unit == "m"
    table = Table([{"a": 1 * units.m}, {"a": None}, {"a": Masked(3, True) * units.m}, {"a": np.ma.masked}])
    assert table["a"].tolist() == [1, None, None, None] and table.columns["a"].unit == "m"
    cells = Table({"a": [[1, 2] * units.m, Masked([3, 4], [False, True]) * units.m]})
    assert cells["a"].tolist() == [[1, 2], [3, None]]
    for wrong in ([1 * units.m], [1] * units.m):
        with pytest.raises(ValueError, match="have the unit 'm', not 'km'"):
            Table({"a": wrong}, units={"a": "km"})
        assert Table({"a": wrong}, units={"a": "m"}).columns["a"].unit == "m"
    table[0, "a"] = 5 * units.m
    table[1:3, "a"] = [6 * units.m, 7 * units.m]
    assert table["a"].tolist() == [5, 6, 7, None]
    for cell in (5 * units.km, 5 * units.s):
        with pytest.raises(ValueError, match="has the unit 'm'"):
            table[0, "a"] = cell
        with pytest.raises(ValueError, match="has the unit 'm'"):
            table[0:1, "a"] = [cell]
    assert table["a"].tolist() == [5, 6, 7, None]


def test_masked_arrays_in_a_list_keep_their_masks():
    one, other = np.ma.array([1, 2], mask=[0, 1]), np.ma.array([3, 4], mask=[1, 0])
    assert Table({"a": [one, other]})["a"].tolist() == [[1, None], [None, 4]]
    assert Table({"a": [one, [3, 4]]})["a"].tolist() == [[1, None], [3, 4]]
    lengths = Table({"a": [one, np.ma.array([5, 6, 7], mask=[0, 0, 1])]})["a"]
    assert [cell.tolist() for cell in lengths] == [[1, None], [5, 6, None]]
    assert Table({"a": [np.ma.array(1, mask=True), 2]})["a"].tolist() == [None, 2]


def test_names_in_a_tuple_select_columns():
    table = Table({"a": [1], "b": [2], "c": [3]})
    assert table["a", "c"].names == ["a", "c"] and table["c", "b", "a"].names == ["c", "b", "a"]
    assert table[0, "a"] == 1
