"""convert: tables and arrays between formats, compared with astropy, pyarrow, polars and numpy."""

import gzip
import io

import asdf
import numpy as np
import polars
import pyarrow
import pyarrow.parquet
import pytest
from astropy.table import Table
from conftest import document, output, refused, run


def test_tables(table, tmp_path):
    expected = Table.read(table, format="ascii.ecsv")
    whole, again, text = tmp_path / "table.asdf", tmp_path / "again.ecsv", tmp_path / "table.csv"
    output("convert", table, whole)
    output("convert", whole, again)
    found = Table.read(again, format="ascii.ecsv")
    assert found.colnames == expected.colnames and found.meta["author"] == "somebody"
    for name in expected.colnames:
        assert found[name].dtype == expected[name].dtype and found[name].unit == expected[name].unit
        assert found[name].tolist().__repr__() == expected[name].tolist().__repr__()
    output("diff", table, again)
    output("convert", table, text, "-c", "id,flux,name")
    found = Table.read(text, format="ascii.csv", fill_values=[("", "0", "flux")])
    assert found["id"].tolist() == expected["id"].tolist()
    assert found["flux"].mask.tolist() == expected["flux"].mask.tolist()
    with asdf.open(whole) as file:
        assert file["table"].colnames == expected.colnames


def test_sources_are_recognized_by_their_content(table, tmp_path):
    whole, packed = tmp_path / "table.asdf", tmp_path / "table.asdf.gz"
    output("convert", table, whole)
    packed.write_bytes(gzip.compress(whole.read_bytes()))
    output("convert", packed, tmp_path / "again.ecsv")
    output("diff", table, tmp_path / "again.ecsv")
    text = output("convert", "-", "-", "--to", "ecsv", stdin=whole.read_bytes(), text=False)
    assert text == (tmp_path / "again.ecsv").read_bytes()


def test_csv(tmp_path):
    text = tmp_path / "table.csv"
    text.write_text('n,x,ok,code,"a, b",empty\n1,1.5,True,007,"say ""x""",\n-2,nan,False,010,"",\n,,,,z,\n')
    made = tmp_path / "table.ecsv"
    output("convert", text, made)
    found = Table.read(made, format="ascii.ecsv")
    assert [found[name].dtype.kind for name in found.colnames] == ["i", "f", "b", "U", "U", "U"]
    assert found["n"].tolist() == [1, -2, None] and found["ok"].tolist() == [True, False, None]
    assert found["code"].tolist() == ["007", "010", None] and found["a, b"].tolist() == ['say "x"', None, "z"]
    assert found["empty"].tolist() == [None, None, None]
    output("convert", made, tmp_path / "again.csv")
    output("convert", tmp_path / "again.csv", tmp_path / "again.ecsv")
    output("diff", made, tmp_path / "again.ecsv")
    big = tmp_path / "big.csv"
    big.write_text("a,b\n18446744073709551615,99999999999999999999\n1,2\n")
    output("convert", big, made, "--force")
    found = Table.read(made, format="ascii.ecsv")
    assert found["a"].tolist() == [18446744073709551615, 1] and found["b"].tolist() == ["99999999999999999999", "2"]
    null = tmp_path / "null.csv"
    null.write_text("a\n1\nNA\n")
    output("convert", null, made, "--force", "--null", "NA")
    assert Table.read(made, format="ascii.ecsv")["a"].tolist() == [1, None]
    assert output("convert", null, "-", "--to", "csv", "--null", "NA") == "a\n1\n\n"


def test_arrow(table, tmp_path):
    expected = Table.read(table, format="ascii.ecsv")
    content = run("convert", table, "-", "--to", "arrow", text=False).stdout
    found = pyarrow.ipc.open_stream(content).read_all()
    found.validate(full=True)
    assert found.column_names == expected.colnames
    assert found["id"].to_pylist() == expected["id"].tolist() and found["name"].to_pylist() == expected["name"].tolist()
    assert found["flux"].null_count == 1 and found["position"].to_pylist() == expected["position"].tolist()
    assert found.schema.field("flux").metadata[b"ecsv:unit"] == b"mJy"
    assert polars.read_ipc_stream(io.BytesIO(content))["id"].to_list() == expected["id"].tolist()
    many = tmp_path / "many.ecsv"
    Table({"a": np.arange(200_000), "b": np.arange(200_000) % 7 == 0}).write(many, format="ascii.ecsv")
    output("convert", many, tmp_path / "many.asdf")
    for source in (many, tmp_path / "many.asdf"):
        output("convert", source, tmp_path / "many.arrows", "--force")
        with pyarrow.OSFile(str(tmp_path / "many.arrows")) as file:
            found = pyarrow.ipc.open_stream(file).read_all()
        assert found["a"].to_numpy().tolist() == list(range(200_000)) and sum(found["b"].to_pylist()) == 28572


COLUMNS = [
    "{name: a, datatype: float64, unit: m}",
    "{name: b, datatype: string}",
    "{name: c, datatype: complex64}",
    "{name: d, datatype: string, subtype: 'int8[2,null]'}",
    "{name: e, datatype: string, subtype: 'bool[3]'}",
    "{name: f, datatype: string, subtype: json}",
    "{name: g, datatype: float128}",
]


def test_a_table_without_rows_keeps_its_columns(tmp_path):
    source, names = tmp_path / "none.ecsv", "abcdefg"
    columns = "".join(f"# - {column}\n" for column in COLUMNS)
    source.write_text(f"# %ECSV 1.0\n# ---\n# datatype:\n{columns}{' '.join(names)}\n")
    some = tmp_path / "some.ecsv"
    some.write_text(source.read_text() + '1 x 1+2j "[[1],[2]]" "[true,false,true]" "{}" 1\n')
    schema = pyarrow.ipc.open_stream(run("convert", some, "-", "--to", "arrow", text=False).stdout).read_all().schema
    output("convert", source, tmp_path / "again.ecsv")
    output("convert", source, tmp_path / "table.csv")
    output("convert", tmp_path / "table.csv", tmp_path / "text.ecsv")
    output("convert", source, tmp_path / "table.asdf", "-c", "e,b,c")
    output("convert", tmp_path / "table.asdf", tmp_path / "asdf.ecsv")
    for made in (source, tmp_path / "again.ecsv"):
        found = pyarrow.ipc.open_stream(run("convert", made, "-", "--to", "arrow", text=False).stdout).read_all()
        found.validate(full=True)
        assert found.num_rows == 0 and found.schema.equals(schema, check_metadata=True)
    assert (tmp_path / "table.csv").read_text() == ",".join(names) + "\n" == output("select", source)
    assert output("head", source).split() == [*names, "m"] and output("head", source, "-n", "0").split() == [
        *names,
        "m",
    ]
    assert output("select", some, "-c", "b,a", "--rows", "5:") == "b,a\n"
    assert output("select", source, "--as", "json") == ""
    # astropy refuses arrays of a fixed shape without rows.
    found = Table.read(tmp_path / "text.ecsv", format="ascii.ecsv")
    assert (len(found), found.colnames) == (0, list(names))
    assert output("head", tmp_path / "asdf.ecsv").split() == ["e", "b", "c"]
    source.write_text("# %ECSV 1.0\n# ---\n# datatype: []\n")
    found = pyarrow.ipc.open_stream(run("convert", source, "-", "--to", "arrow", text=False).stdout).read_all()
    assert (found.num_rows, found.num_columns) == (0, 0)


ARRAYS = {
    "native": np.arange(24, dtype="<f8").reshape(2, 3, 4),
    "big": np.arange(24, dtype=">i2").reshape(2, 3, 4),
    "complex": np.array([1 + 2j, np.nan - 1j], ">c16"),
    "fortran": np.asfortranarray(np.arange(12, dtype=">u4").reshape(3, 4)),
    "flags": np.array([True, False]),
    "scalar": np.array(1.5, "f4"),
    "texts": np.array(["é", "abc"]),
    "bytes": np.array([b"a", b"xyz"]),
    "records": np.array([(1, 2.5, "a"), (2, 3.5, "é")], [("n", "<i4"), ("x", "<f8"), ("t", "<U2")]),
    "nested": np.zeros(2, [("p", [("x", "<f4"), ("y", "<f4", (2,))])]),
    "empty": np.zeros((0, 3)),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_npy(name, tmp_path):
    array = ARRAYS[name]
    np.save(tmp_path / "array.npy", array)
    output("convert", tmp_path / "array.npy", tmp_path / "array.asdf", "--path", "group/array")
    with asdf.open(tmp_path / "array.asdf", lazy_load=False, memmap=False) as file:
        found = np.asarray(file["group"]["array"])
        assert (
            found.shape == array.shape and found.tobytes() == np.ascontiguousarray(array).astype(found.dtype).tobytes()
        )
        assert found.dtype == array.dtype or array.dtype.kind in "SUV"
    content = run("get", tmp_path / "array.asdf", "group/array", "--as", "npy", text=False).stdout
    assert np.array_equal(np.load(io.BytesIO(content)), array, equal_nan=array.dtype.kind in "fc")


def test_raw(tmp_path):
    values = np.arange(6, dtype=">f4")
    (tmp_path / "array.raw").write_bytes(values.tobytes())
    shape = ["--datatype", ">float32", "--shape", "2,3"]
    output("convert", tmp_path / "array.raw", tmp_path / "array.asdf", *shape, "--codec", "zlib")
    with asdf.open(tmp_path / "array.asdf") as file:
        assert np.array_equal(file["data"], values.reshape(2, 3)) and file["data"].dtype == values.dtype
        assert file.get_array_compression(file["data"]) == "zlib"


def test_refusals(table, roman, tmp_path):
    target = tmp_path / "new.asdf"
    (tmp_path / "short.raw").write_bytes(b"12345")
    (tmp_path / "bad.npy").write_bytes(b"\x93NUMPY\x01\x00\x10\x00{'descr': '<f8'}")
    (tmp_path / "object.npy").write_bytes(b"")
    np.save(tmp_path / "times.npy", np.array(["2027-01-01"], "M8[D]"))
    (tmp_path / "ragged.csv").write_text("a,b\n1\n")
    (tmp_path / "noname.csv").write_text("a,,b\n1,2,3\n")
    (tmp_path / "twice.csv").write_text("a,b,a\n1,2,3\n")
    for source, code, words, options in (
        ("short.raw", 2, "--datatype", []),
        ("short.raw", 3, "takes 8 bytes, but the file has 5", ["--datatype", "int32", "--shape", "2"]),
        ("bad.npy", 2, "fortran_order", []),
        ("object.npy", 2, "NUMPY", []),
        ("times.npy", 2, "datatype", []),
        ("ragged.csv", 3, "ragged.csv:2", []),
        ("noname.csv", 2, "column 2", []),
        ("twice.csv", 2, "the name 'a' twice", []),
        ("none.csv", 3, "No such file", []),
    ):
        refused("convert", tmp_path / source, target, *options, code=code, match=words)
        assert not target.exists()
    refused("convert", table, tmp_path / "table.xyz", code=2, match="--to")
    refused("convert", table, roman, match="exists")
    refused("convert", roman, tmp_path / "x.npy", code=2, match="get")
    refused("convert", roman, tmp_path / "x.csv", "--path", "roman/meta")
    refused("convert", table, tmp_path / "x.csv", "-c", "flx", code=1, match="did you mean 'flux'?")


def test_parquet_keeps_units_and_metadata(table, tmp_path):
    made = tmp_path / "table.parquet"
    run("convert", table, made)
    found = pyarrow.parquet.read_table(made)
    assert found.schema.field("flux").metadata[b"unit"] == b"mJy"
    assert found["flux"].to_pylist()[:3] == [1.5, 2.5, None] and found["position"].to_pylist()[2] == [4.0, 5.0]
    # astropy fails to read a missing text, of which it wants the length.
    run("convert", table, tmp_path / "numbers.parquet", "--columns", "id,flux,position")
    by_astropy = Table.read(tmp_path / "numbers.parquet")
    assert by_astropy["flux"].unit == "mJy" and by_astropy.meta == {"author": "somebody"}
    run("convert", made, tmp_path / "back.ecsv")
    output("diff", table, tmp_path / "back.ecsv")
    run("convert", made, tmp_path / "back.asdf", "--columns", "name,id")
    assert output("select", tmp_path / "back.asdf", "--columns", "id").split()[-1] == "4"
    run("convert", tmp_path / "back.asdf", tmp_path / "again.parquet")
    assert pyarrow.parquet.read_schema(tmp_path / "again.parquet").names == ["name", "id"]


def test_parquet_of_others_has_its_units(tmp_path):
    fields = [pyarrow.field("x", pyarrow.float32(), metadata={"unit": "km", "doc": "how far"}), ("n", pyarrow.string())]
    rows = pyarrow.table({"x": [1.5, None], "n": ["a", "b\nc"]}, schema=pyarrow.schema(fields))
    pyarrow.parquet.write_table(rows, tmp_path / "other.parquet")
    run("convert", tmp_path / "other.parquet", tmp_path / "other.ecsv")
    found = Table.read(tmp_path / "other.ecsv")
    assert found["x"].unit == "km" and found["x"].description == "how far" and list(found["n"]) == ["a", "b\nc"]
    times = pyarrow.table({"t": pyarrow.array([1], pyarrow.time64("us"))})
    pyarrow.parquet.write_table(times, tmp_path / "times.parquet")
    refused("convert", tmp_path / "times.parquet", tmp_path / "times.ecsv", code=2, match="column 't' has the type")
    (tmp_path / "broken.parquet").write_bytes((tmp_path / "other.parquet").read_bytes()[:-9])
    refused("convert", tmp_path / "broken.parquet", tmp_path / "broken.ecsv", match="Parquet")


def test_tables_of_many_batches_are_those_of_one(tmp_path):
    """A text of more than 4 MiB, and several groups of rows in Parquet, pass in batches."""
    rows = 300_000
    numbers = np.arange(rows)
    header = (
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: n, datatype: int64, unit: m}\n# - {name: s, datatype: string}\n"
    )
    texts = [f"text{'x' * (number // 20_000)}" if number != 290_000 else '""' for number in numbers]
    source = tmp_path / "t.ecsv"
    source.write_text(header + "n s\n" + "".join(f"{number} {text}\n" for number, text in zip(numbers, texts)))
    parquet, first, second = tmp_path / "t.parquet", tmp_path / "first.asdf", tmp_path / "second.asdf"
    output("convert", source, first)
    output("convert", source, parquet)
    output("convert", parquet, second, "--codec", "lz4")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.asdf", "second.asdf", "t.ecsv", "t.parquet"]
    for path in (first, second):
        with asdf.open(path) as file:
            table = file["table"]
            assert (table["n"] == numbers).all() and str(table["n"].unit) == "m"
            assert np.flatnonzero(table["s"].mask).tolist() == [290_000]
            assert table["s"][0] == "text" and table["s"][-1] == texts[-1] and table["s"].dtype == "<U18"


def test_hints_for_formats(table, roman, tmp_path):
    semicolons = tmp_path / "semi.csv"
    semicolons.write_text("a;b\n1;2\n")
    assert "fields are separated by commas, not by ';'" in run("convert", semicolons, tmp_path / "semi.ecsv").stderr
    refused("convert", roman, tmp_path / "x.zarr", code=2, match="`asdfkit references`")
    output("convert", roman, tmp_path / "x.asdf", "--standard", "1.5")
    assert document("info", tmp_path / "x.asdf")["standard"] == "1.5.0"


def test_selected_rows_in_files(table, tmp_path):
    make = lambda name, *options: run("select", table, "-o", tmp_path / name, *options) and tmp_path / name
    rows = Table.read(make("a.ecsv", "--where", "id < 4", "--sort", "-flux", "-c", "id,flux"), format="ascii.ecsv")
    assert rows["id"].tolist() == [3, 1, 0, 2] and str(rows["flux"].unit) == "mJy" and rows.meta["author"] == "somebody"
    assert output("select", make("a.asdf", "--sort", "id", "-r", "1:"), "-c", "id") == "id\n1\n2\n3\n4\n"
    assert output("select", table, "--sort", "name,-id", "-c", "id") == "id\n0\n1\n2\n3\n4\n"
    assert make("a.csv").read_text() == output("select", table)
    assert make("a.json").read_text() == output("select", table, "--as", "json")
    output("diff", table, make("b.ecsv"))
    refused("select", table, "-o", tmp_path / "a.csv", match="--force")
    refused("select", table, "-o", tmp_path / "a.xyz", code=2, match=".ecsv")
    refused("select", table, "-o", table, "--force", code=2, match="the file that is read")
