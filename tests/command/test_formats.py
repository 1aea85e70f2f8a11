"""convert: tables between ECSV, ASDF and CSV, and to Arrow; arrays of numpy and raw bytes to ASDF.

astropy, pyarrow, numpy and the csv module of Python write the sources and read the results.
"""

import csv
import io

import asdf
import numpy as np
import pyarrow.ipc
import pytest
from astropy.table import Table
from conftest import output, refused, run


def rows_of(table):
    """Rows of a table of astropy as lists, with None for missing cells and NaN."""
    columns = [np.ma.asarray(table[name]).tolist() for name in table.colnames]
    return [[None if value != value else value for value in row] for row in zip(*columns, strict=True)]


def test_ecsv_to_asdf_and_back(table, tmp_path):
    made, back = tmp_path / "table.asdf", tmp_path / "back.ecsv"
    run("convert", table, made)
    run("verify", "--strict", made)
    with asdf.open(made) as file:
        columns = {column["name"]: column for column in raw(file["table"])["columns"]}
        assert list(columns) == ["id", "flux", "name", "position"]
        assert np.array(columns["position"]["data"]).tolist() == np.arange(10.0).reshape(5, 2).tolist()
        assert np.array(columns["id"]["data"]).tolist() == [0, 1, 2, 3, 4]
    run("convert", made, back)
    old, new = (Table.read(path, format="ascii.ecsv") for path in (table, back))
    assert rows_of(new) == rows_of(old) and new.colnames == old.colnames
    assert [str(new[name].dtype) for name in new.colnames] == [str(old[name].dtype) for name in old.colnames]
    assert new["flux"].unit == old["flux"].unit and new.meta["author"] == "somebody"
    run("diff", table, back)


def raw(node):
    """The mapping of a table, whether Python asdf knows its tag or not."""
    return node if isinstance(node, dict) else {"columns": [{"name": n, "data": node[n]} for n in node.colnames]}


def test_ecsv_to_csv(table):
    text = output("convert", table, "-", "--to", "csv", "--columns", "name,id,flux")
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["name", "id", "flux"]
    assert [line[0] for line in lines[1:]] == ["a", "b c", 'say "x"', "é", ""]
    assert [line[1] for line in lines[1:]] == ["0", "1", "2", "3", "4"]
    assert [line[2] for line in lines[1:4]] == ["1.5", "2.5", ""] and lines[5][2].lower() == "nan"


def test_csv_to_ecsv(tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.ecsv"
    source.write_text('n,x,t,code,flag\n1,0.1,"a, ""b""",007,True\n-2,1e300,é,010,False\n,NA,"two\nlines",1,True\n')
    run("convert", source, target, "--null", "NA")
    made = Table.read(target, format="ascii.ecsv")
    assert rows_of(made) == [
        [1, 0.1, 'a, "b"', "007", True],
        [-2, 1e300, "é", "010", False],
        [None, None, "two\nlines", "1", True],
    ]
    assert [made[name].dtype.kind for name in made.colnames] == ["i", "f", "U", "U", "b"]


def test_large_integers_of_csv_stay_whole(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text(f"a,b,c\n{2**63 - 1},{2**64 - 1},{10**30}\n{-(2**63)},0,1\n")
    text = output("convert", source, "-", "--to", "csv").splitlines()
    assert text[1] == f"{2**63 - 1},{2**64 - 1},{10**30}" and text[2] == f"{-(2**63)},0,1"


def test_csv_round_trip_of_floats(tmp_path):
    values = np.random.default_rng(7).normal(size=2000) * 10.0 ** np.random.default_rng(8).integers(-300, 300, 2000)
    source, target = tmp_path / "in.csv", tmp_path / "out.asdf"
    source.write_text("x\n" + "".join(f"{value!r}\n" for value in values.tolist()))
    run("convert", source, target, "--codec", "zlib")
    assert output("select", target, "--columns", "x").split()[1:] != []
    with asdf.open(target) as file:
        assert np.array_equal(np.array(raw(file["table"])["columns"][0]["data"]), values)
    assert "zlib" in output("blocks", target)


@pytest.mark.parametrize("through", ["ecsv", "asdf"])
def test_arrow(table, tmp_path, through):
    source = table
    if through == "asdf":
        source = tmp_path / "table.asdf"
        run("convert", table, source)
    content = run("convert", source, "-", "--to", "arrow", text=False).stdout
    made = pyarrow.ipc.open_stream(content).read_all()
    assert made.column("id").to_pylist() == [0, 1, 2, 3, 4]
    assert made.column("flux").to_pylist()[:4] == [1.5, 2.5, None, 4.5]
    # As in astropy, an empty text of ECSV is a missing one.
    assert made.column("name").to_pylist() == ["a", "b c", 'say "x"', "é", None]
    assert made.column("position").to_pylist() == np.arange(10.0).reshape(5, 2).tolist()


@pytest.mark.parametrize(
    "dtype", ["<i2", ">f8", "u1", "?", "<c16", ">c8", "<u8", "<U4", "S3", [("a", "<i4"), ("b", "<f8", (2,))]], ids=str
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_numpy(tmp_path, dtype, order):
    values = np.zeros((3, 4), dtype, order=order)
    if values.dtype.names:
        values["a"] = np.arange(12).reshape(3, 4)
        values["b"] = np.arange(24).reshape(3, 4, 2)
    elif values.dtype.kind in "SU":
        values[...] = [["a", "bc", "", "xyz"]] * 3
    else:
        values[...] = np.arange(12).reshape(3, 4) % 7
    source, target = tmp_path / "in.npy", tmp_path / "out.asdf"
    np.save(source, values)
    run("convert", source, target, "--path", "deep/array")
    run("verify", target)
    with asdf.open(target) as file:
        found = np.array(file["deep"]["array"])
        assert found.shape == values.shape and np.array_equal(found, values)
    again = run("get", target, "deep/array", "--as", "npy", text=False).stdout
    assert np.array_equal(np.load(io.BytesIO(again)), values)


def test_raw(tmp_path):
    values = np.arange(24, dtype=">i2").reshape(2, 3, 4)
    source, target = tmp_path / "in.raw", tmp_path / "out.asdf"
    source.write_bytes(values.tobytes())
    options = ["--datatype", ">int16", "--shape", "2,3,4"]
    run("convert", source, target, *options)
    with asdf.open(target) as file:
        assert np.array_equal(file["data"], values)
    run("convert", "-", target, *options, "--from", "raw", "--force", stdin=values.tobytes(), text=False)
    with asdf.open(target) as file:
        assert np.array_equal(file["data"], values)
    target.unlink()
    for wrong in (["--shape", "2,3,5"], ["--shape", "2,3,3"], ["--shape", "-1"], ["--shape", "9" * 18 + ",9999"]):
        message = refused("convert", source, target, "--datatype", ">int16", *wrong, code=None)
        assert message.startswith(("asdfkit: ", "error: ")) and not target.exists(), wrong
    refused("convert", source, target, code=2, match="--datatype")
    refused("convert", source, target, "--datatype", "float17", "--shape", "2", code=None)
    assert not target.exists()


WRONG = {
    "empty.csv": b"",
    "ragged.csv": b"a,b\n1,2\n3\n",
    "twice.csv": b"a,a\n1,2\n",
    "open.csv": b'a,b\n1,"2\n',
    "latin.csv": b"a\n\xe9\n",
    "empty.npy": b"",
    "magic.npy": b"\x93NUMPY\x01\x00\x46\x00" + b"{" * 70,
    "object.npy": b"\x93NUMPY\x01\x00\x46\x00"
    + b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }".ljust(69)
    + b"\n",
    "short.npy": b"\x93NUMPY\x01\x00\x46\x00"
    + b"{'descr': '<f8', 'fortran_order': False, 'shape': (30,), }".ljust(69)
    + b"\n"
    + bytes(8),
    "huge.npy": b"\x93NUMPY\x01\x00\x46\x00"
    + b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999,)}".ljust(69)
    + b"\n",
    "wrong.ecsv": b"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n1\nx\n",
    "wrong.asdf": b"#ASDF 1.0.0\n--- {a: 1}\n...\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_sources(tmp_path, name):
    source = tmp_path / name
    source.write_bytes(WRONG[name])
    for suffix in ("asdf",) if name.endswith("npy") else ("asdf", "ecsv", "csv", "arrows"):
        target = tmp_path / f"target.{suffix}"
        message = refused("convert", source, target, code=None)
        assert message.startswith("asdfkit: ") and "panicked" not in message, suffix
        assert not target.exists() and len(list(tmp_path.iterdir())) == 1, suffix


def test_wrong_arguments(table, tmp_path):
    refused("convert", table, tmp_path / "unknown", code=2, match="--to")
    refused("convert", table, tmp_path / "x.npy", code=2)
    refused("convert", table, tmp_path / "x.csv", "--columns", "none", code=None, match="none")
    refused("convert", tmp_path / "missing.csv", tmp_path / "x.ecsv", match="missing.csv")
    existing = tmp_path / "x.csv"
    existing.write_text("precious")
    refused("convert", table, existing, code=None)
    before = table.read_bytes()
    refused("convert", table, table, code=None)
    assert existing.read_text() == "precious" and table.read_bytes() == before
    run("convert", table, existing, "--force", "--columns", "id")
    assert existing.read_text().split() == ["id", "0", "1", "2", "3", "4"]
