"""Tables and arrays of other packages as values: they become tables, or are refused, and never lose a part silently."""

import datetime
import io
import pickle
import warnings

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest
import xarray
from astropy import units
from astropy.nddata import CCDData
from astropy.table import QTable, Row
from astropy.time import Time
from astropy.utils.masked import Masked

import asdfkit
from asdfkit.constants import Kind, Status


@pytest.fixture
def new():
    return asdfkit.new()


def again(file):
    return asdfkit.open(file.to_bytes())


def quantities():
    table = QTable({"flux": [1.0, 2.0] * units.mJy, "count": np.ma.array([1, 999], mask=[0, 1])})
    table.meta["survey"] = "x"
    return table


class Labelled:
    """An array with labels of a package that is not installed here."""

    dims, coords, attrs = ("x",), {"x": [1, 2]}, {"units": "m"}

    def __array__(self, dtype=None, copy=None):
        return np.zeros(2)


class Frame(Labelled):
    """A table without Arrow's protocol."""

    columns = ("a", "b")


Frame.__module__ = "modin.pandas"
Series = type("Series", (Labelled,), {"__module__": "pandas.core.series", "index": (5, 6)})

TABLES = {
    "asdfkit": asdfkit.Table({"flux": [1.0, 2.0], "count": np.ma.array([1, 999], mask=[0, 1])}, units={"flux": "mJy"}),
    "astropy": quantities(),
    "polars": polars.DataFrame({"flux": [1.0, 2.0], "count": [1, None]}),
    "pyarrow": pyarrow.table({"flux": [1.0, 2.0], "count": [1, None]}),
    "batch": pyarrow.record_batch({"flux": [1.0, 2.0], "count": [1, None]}),
    "duckdb": duckdb.sql("select * from (values (1.0::double, 1), (2.0, null)) as t(flux, count)"),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_stay_tables_wherever_they_are_stored(new, name):
    value = TABLES[name]
    new["a"] = value
    new["b"] = {"deep": {"er": value}, "list": [value, [value]]}
    new["b"]["list"].append(value)
    new["b"]["list"].insert(0, value)
    new["b"]["list"][1] = value
    new.update({"c": value})
    new.setdefault("d", value)
    new.set("e", value, compression="zlib")
    new["f"] = asdfkit.Tagged({"inner": value}, "tag:example.org:thing-1.0.0")
    file = again(new)
    places = ["a", "b/deep/er", "b/list/0", "b/list/1", "b/list/2/0", "b/list/3", "c", "d", "e", "f/inner"]
    for place in places:
        assert file.node(place).kind == Kind.TABLE, place
        table = file.table(place)
        assert table.names == ["flux", "count"]
        assert table["count"].mask.tolist() == [False, True] and table["flux"].tolist() == [1.0, 2.0]
        assert table.columns["flux"].unit == ("mJy" if name in ("asdfkit", "astropy") else None)
    for table in (asdfkit.Table(value), file.table("a")):
        assert table["count"].tolist() == [1, None]
    if name == "astropy":
        assert file.table("a").meta["survey"] == asdfkit.Table(value).meta["survey"] == "x"


CUBE = xarray.DataArray(np.zeros((1, 2)), dims=("y", "x"), coords={"x": [1, 2]}, attrs={"units": "m"})
REFUSED = {
    "array of xarray": CUBE,
    "array of xarray without labels": xarray.DataArray(np.zeros(2)),
    "variable of xarray": CUBE.variable,
    "coordinate of xarray": CUBE.x,
    "data set of xarray": xarray.Dataset({"a": CUBE}),
    "data tree of xarray": xarray.DataTree.from_dict({"/": xarray.Dataset({"a": CUBE})}),
    "labelled": Labelled(),
    "frame": Frame(),
    "series": Series(),
    "series of polars": polars.Series([1, None]),
    "array of pyarrow": pyarrow.array([1, None]),
    "chunks of pyarrow": pyarrow.chunked_array([[1]]),
    "scalar of pyarrow": pyarrow.scalar(1),
    "row of astropy": quantities()[0],
    "image of astropy": CCDData(np.zeros(2), unit="adu"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_values_with_labels_are_refused(new, name):
    value = REFUSED[name]
    assert name != "row of astropy" or isinstance(value, Row)
    before = new.to_bytes()
    stores = [
        lambda: new.__setitem__("x", value),
        lambda: new.__setitem__("x", {"y": [value]}),
        lambda: new.update(x=value),
        lambda: new.__setitem__("x", asdfkit.Quantity(value, "m")),
        lambda: new.__setitem__("x", asdfkit.Tagged(value, "tag:example.org:x-1.0.0")),
    ]
    for store in stores:
        with pytest.raises((TypeError, asdfkit.errors.UsageError)):
            store()
    assert new.to_bytes() == before


def test_a_quantity_of_a_table_is_refused(new):
    for value in (quantities(), asdfkit.Table({"a": [1]}), {"a": 1}, "text"):
        with pytest.raises(TypeError):
            new["x"] = asdfkit.Quantity(value, "m")


@pytest.mark.parametrize("value", [Labelled(), Frame(), polars.Series([1.0, 2.0]), polars.DataFrame({"a": [1.0, 2.0]})])
def test_elements_with_labels_are_refused(new, value, tmp_path):
    new["a"] = np.zeros(2)
    new.write(tmp_path / "a.asdf")
    with asdfkit.open(tmp_path / "a.asdf", "r+") as file:
        with pytest.raises(TypeError):
            file["a"][...] = value
        with pytest.raises(TypeError):
            file["a"].resize((4,), fill=value)
        with file.stream_rows(tmp_path / "b.asdf", "b", "f8") as stream, pytest.raises(TypeError):
            stream.push(value)


def test_columns_keep_masks():
    table = asdfkit.Table(
        {
            "p": polars.Series([1, None]),
            "a": pyarrow.array(["x", None]),
            "c": pyarrow.chunked_array([pyarrow.nulls(1, "f8"), [2.5]]),
        }
    )
    assert [table[name].mask.tolist() for name in "pac"] == [[False, True], [False, True], [True, False]]
    table.add_column("more", polars.Series([None, True]))
    assert table["more"].tolist() == [None, True]
    for value in (Labelled(), polars.DataFrame({"a": [1, 2]}), quantities()):
        with pytest.raises(TypeError):
            table.add_column("x", value)
        with pytest.raises(TypeError):
            asdfkit.Table({"x": value})


def test_masks_of_arrays_are_kept(new):
    class Variable:
        def __array__(self, dtype=None, copy=None):
            return np.ma.array([1, 2], mask=[0, 1])

    new["a"] = Variable()
    new["b"] = Masked([1.0, 2.0] * units.DN, mask=[False, True])
    assert new["a"][...].mask.tolist() == new["b"].value[...].mask.tolist() == [False, True]


@pytest.mark.parametrize("unit", ["DN", "DN/s", "electron", "%", "dex", "mag", "adu", "Angstrom", "", "m / s", "dB"])
def test_units_are_those_that_asdf_astropy_writes(new, unit, tmp_path):
    import asdf

    value = [1.5, 2.5] * units.Unit(unit)
    new["q"] = value
    new["scalar"] = value[0]
    new["moved"] = new["q"]
    new["made"] = asdfkit.Quantity(2.5, new["q"].unit)
    with warnings.catch_warnings():
        warnings.simplefilter("error", asdf.exceptions.AsdfWarning)
        theirs = asdf.open(io.BytesIO(new.to_bytes()))
        for name in ("q", "scalar", "moved", "made"):
            assert theirs[name].unit == value.unit, name
        own = asdf.AsdfFile({"q": value})
        own.write_to(tmp_path / "theirs.asdf")
    written = asdfkit.open(tmp_path / "theirs.asdf")
    assert written.tag_of("q/unit") == new.tag_of("q/unit") and written["q"].unit == new["q"].unit


def test_arrays_of_records_become_tables():
    records = np.array([(1, [1.0, 2.0]), (2, [3.0, 4.0])], [("a", "i4"), ("b", "f8", 2)])
    table = asdfkit.Table(records)
    assert table["a"].dtype == "i4" and table["b"].tolist() == [[1, 2], [3, 4]]
    for made in (table.to_records(), np.array(table)):
        assert made.dtype == records.dtype and np.array_equal(made, records)
    assert np.array(table, [("a", "f4"), ("b", "f4", 2)])["a"].dtype == "f4"
    with pytest.raises(ValueError, match="one axis"):
        asdfkit.Table(records.reshape(1, 2))
    assert asdfkit.Table({"s": ["x", "yy"]}).to_records().tolist() == [("x",), ("yy",)]
    with pytest.raises(asdfkit.errors.ArrayError) as caught:
        asdfkit.Table({"a": [1, None]}).to_records()
    assert caught.value.status == Status.MASKED
    with pytest.raises(TypeError, match="different lengths"):
        asdfkit.Table({"a": [np.zeros(1), np.zeros(2)]}).to_records()


def test_tables_of_files_are_arrays_of_records_too(new):
    new["t"] = asdfkit.Table({"a": [1, 2]})
    assert np.array(again(new)["t"]).tolist() == [(1,), (2,)]
    with pytest.raises(TypeError, match="mapping"):
        np.array(again(new))


def test_constructors_of_other_packages():
    table = asdfkit.Table({"a": [1, 2], "b": ["x", None]}, units={"a": "m"}, meta={"k": 1})
    assert QTable(table)["a"].unit == "m" and QTable(table).meta == {"k": 1}
    assert polars.DataFrame(table)["b"].to_list() == ["x", None]
    assert list(table.to_pandas().columns) == list(pandas.DataFrame(table.to_dict()).columns) == ["a", "b"]


def test_other_packages_take_a_table_as_columns(new):
    table = asdfkit.Table({"a": [1, 2], "b": np.array([0.5, 1], "f4"), "s": ["x", "y"]})
    assert pandas.DataFrame(table).to_dict("list") == {"a": [1, 2], "b": [0.5, 1], "s": ["x", "y"]}
    assert pandas.DataFrame(asdfkit.Table({"a": [1, None]})).a.isna().tolist() == [False, True]
    assert polars.DataFrame(table).schema == {"a": polars.Int64, "b": polars.Float32, "s": polars.String}
    for records in (np.array(table), np.asarray(table), table.to_records()):
        assert records.dtype == [("a", "i8"), ("b", "f4"), ("s", "U1")] and records.tolist() == [
            (1, 0.5, "x"),
            (2, 1, "y"),
        ]
    assert len(table) == 2 and list(table) == [{"a": 1, "b": 0.5, "s": "x"}, {"a": 2, "b": 1.0, "s": "y"}]
    assert table.to_polars().equals(polars.DataFrame(table))
    with pytest.raises(TypeError):
        np.sum(table)
    with pytest.raises(asdfkit.errors.ArrayError, match="missing"):
        np.asarray(asdfkit.Table({"a": [1, None]}))
    new["t"] = table
    with pytest.raises(TypeError, match=r"table\(\)\.to_pandas\(\)"):
        pandas.DataFrame(new.node("t"))


def test_tables_of_rows():
    day = datetime.date(2027, 1, 31)
    rows = [{"a": 1, "day": day}, {"a": None, "s": "x", "day": day}]
    table = asdfkit.Table(rows)
    assert table.names == ["a", "day", "s"] and table["s"].tolist() == [None, "x"]
    assert table["day"].dtype == "M8[D]" and list(table)[1] == {"a": None, "day": np.datetime64("2027-01-31"), "s": "x"}
    noon = datetime.datetime(2027, 1, 31, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    times = asdfkit.Table({"t": [noon, None], "span": [datetime.timedelta(seconds=1.5)] * 2})
    assert times["t"].tolist()[0] == np.datetime64("2027-01-31T10", "ns").tolist() and np.isnat(times["t"][1])
    assert times["span"].tolist() == [1_500_000_000] * 2
    frame = pandas.DataFrame({"t": pandas.to_datetime(["2024-01-01"]), "x": [1.0]})
    assert asdfkit.Table(frame).names == ["t", "x"]
    assert asdfkit.Table([]).names == [] and len(asdfkit.Table([{"a": 1}] * 3000)) == 3000
    assert [row["a"] for row in asdfkit.Table({"a": range(3000)})] == list(range(3000))


def test_arrays_of_a_file_are_columns(new):
    new["records"] = np.array([(1, 2.5), (3, 4.5)], [("id", "i4"), ("flux", "f8")])
    new["masked"] = np.ma.array([1, 2], mask=[0, 1])
    file = asdfkit.open(new.to_bytes())
    assert asdfkit.Table(file["records"])["flux"].tolist() == [2.5, 4.5]
    table = asdfkit.Table({"a": file["masked"], "b": file["records"]["id"]})
    assert table["a"].tolist() == [1, None] and table["b"].tolist() == [1, 3]
    new["target"] = np.zeros(2)
    new["target"][...] = file["records"]["flux"]
    assert new["target"][...].tolist() == [2.5, 4.5]
    with pytest.raises(asdfkit.AsdfError):
        new["target"][...] = file["masked"]


def test_data_frames(new):
    frame = pandas.DataFrame({"a": [1, 2, 3], "s": ["x", None, "z"]})
    assert asdfkit.Table(frame).names == ["a", "s"]
    assert asdfkit.Table(frame[frame.a > 1])["index"].tolist() == [1, 2]
    assert asdfkit.Table(frame[1:]).names == frame[1:].reset_index().columns.tolist() == ["index", "a", "s"]
    assert asdfkit.Table(frame[1:].rename(columns={"a": "index"})).names == ["level_0", "index", "s"]
    assert asdfkit.Table(frame.set_index("s")).names == ["s", "a"]
    levels = frame.set_index(pandas.MultiIndex.from_tuples([(1, 2), (3, 4), (5, 6)]))
    assert asdfkit.Table(levels).names == ["level_0", "level_1", "a", "s"]
    frame.attrs["survey"] = "x"
    new["t"] = frame
    assert new.table("t").meta == {"survey": "x"}
    for value in (frame.a, frame.index, frame.a.array, pandas.NaT, pandas.NA):
        with pytest.raises(TypeError):
            new["x"] = value
    column = pandas.Series(pandas.period_range("2027-01", periods=2, freq="M"))
    for values in ([1, "x"], [1j], pandas.arrays.SparseArray([0, 1])):
        with pytest.raises(TypeError, match="column v"):
            asdfkit.Table(pandas.DataFrame({"v": values}))
    with pytest.raises(TypeError, match="two columns|Duplicate"):
        asdfkit.Table(pandas.DataFrame([[1, 2]], columns=["a", "a"]))
    for values in (pandas.DataFrame({"p": column}), {"p": column}):
        with pytest.raises(asdfkit.errors.UsageError, match=r"pandas\.period"):
            asdfkit.Table(values)
    assert asdfkit.Table({"n": pandas.array([1, None], dtype="Int64")})["n"].mask.tolist() == [False, True]


def test_extension_types_are_refused():
    class Period(pyarrow.ExtensionType):
        def __init__(self):
            super().__init__(pyarrow.int64(), "example.period")

        def __arrow_ext_serialize__(self):
            return b""

    column = pyarrow.ExtensionArray.from_storage(Period(), pyarrow.array([1, 2]))
    with pytest.raises(asdfkit.errors.UsageError, match=r"'p'.*extension type 'example\.period'"):
        asdfkit.Table(pyarrow.table({"p": column}))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (pyarrow.time64("us"), "times of day"),
        (pyarrow.decimal128(5, 2), "decimal numbers; convert them to float64"),
        (pyarrow.binary(), "bytes"),
        (pyarrow.binary(4), "groups of 4 bytes"),
        (pyarrow.struct([("a", pyarrow.int8())]), "structs"),
        (pyarrow.map_(pyarrow.string(), pyarrow.int8()), "maps"),
        (pyarrow.list_view(pyarrow.int8()), "list views"),
    ],
    ids=str,
)
def test_messages_name_types_in_words(kind, words):
    table = pyarrow.table({"t": pyarrow.array([None], kind)})
    with pytest.raises(asdfkit.errors.UsageError, match=f"column 't': a column cannot hold {words}"):
        asdfkit.Table(table)


def test_a_second_query_of_batches_is_an_error(tmp_path):
    asdfkit.write_ecsv({"a": list(range(10))}, tmp_path / "a.ecsv")
    batches = asdfkit.read_ecsv(tmp_path / "a.ecsv", batches=3)
    assert duckdb.sql("select sum(a) from batches").fetchall() == [(45,)]
    with pytest.raises(Exception, match="another stream has read rows"):
        duckdb.sql("select sum(a) from batches").fetchall()
    with pytest.raises(asdfkit.errors.UsageError):
        pyarrow.RecordBatchReader.from_stream(batches)
    first = asdfkit.read_ecsv(tmp_path / "a.ecsv", batches=3)
    next(first)
    assert pyarrow.RecordBatchReader.from_stream(first).read_all()["a"].to_pylist() == list(range(3, 10))


def test_tables_are_pickled():
    table = asdfkit.Table(
        {
            "n": np.ma.array([1, 2, 3], mask=[0, 1, 0], dtype="i2"),
            "s": ["x", None, "é\0"],
            "cells": [np.arange(2.0), np.ma.array([1.0, 2.0], mask=[0, 1]), np.zeros(0)],
            "fixed": np.arange(6).reshape(3, 2),
            "json": [{"a": 1}, [None], None],
            "flag": [True, False, True],
            "wide": np.array([1, 2, 3], np.longdouble),
            "words": [["a", "bb"], ["c", ""], ["", ""]],
        },
        units={"n": "m", "wide": ""},
        descriptions={"s": "names"},
        meta={"k": [1, {"z": None}], "c": 1 + 2j},
    )
    table.columns["n"].meta = {"q": 1}
    times = quantities()
    times["when"] = Time([1, 2], format="mjd")
    for original in (table, asdfkit.Table(), asdfkit.Table({"a": [], "v": np.zeros((0, 3))}), asdfkit.Table(times)):
        copy = pickle.loads(pickle.dumps(original))
        assert copy.names == original.names and copy.num_rows == original.num_rows
        assert copy.meta == original.meta and copy.schema == original.schema
        for ours, theirs in zip(copy.columns.values(), original.columns.values()):
            for name in ("datatype", "shape", "unit", "description", "format", "meta"):
                assert getattr(ours, name) == getattr(theirs, name)
            assert ours.read().dtype == theirs.read().dtype
            assert repr(ours.read().tolist()) == repr(theirs.read().tolist())
    assert isinstance(pickle.loads(pickle.dumps(asdfkit.Table(times))).to_astropy()["when"], Time)


def test_integers_with_missing_cells_stay_integers_in_pandas():
    exact = {"source": [2**62 + 1, None], "flags": np.ma.array([2**64 - 1, 0], "uint64", mask=[0, 1]), "x": [1.5, None]}
    frame = asdfkit.Table({**exact, "whole": [1, 2]}).to_pandas()
    assert [str(dtype) for dtype in frame.dtypes] == ["Int64", "UInt64", "float64", "int64"]
    assert frame.source[0] == 2**62 + 1 and frame["flags"][0] == 2**64 - 1
    assert frame.isna().sum().tolist() == [1, 1, 1, 0]
