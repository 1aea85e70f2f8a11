"""Columns of times and spans of time: datetime64, timedelta64, timestamps of pyarrow, pandas and polars, astropy."""

import datetime

import numpy as np
import pytest

import asdfkit

TIMES = np.array(["2020-01-01T01:02:03.123456789", "NaT", "1969-12-31"], "M8[ns]")
SPANS = np.array([1, -2_000_000_001, "NaT"], "m8[ns]")
COLUMNS = {
    "ns": TIMES,
    "s": TIMES.astype("M8[s]"),
    "day": TIMES.astype("M8[D]"),
    "span": SPANS,
    "hours": SPANS.astype("m8[h]"),
    "cells": np.stack([TIMES, TIMES], 1),
    "span cells": np.stack([SPANS, SPANS], 1),
}


@pytest.fixture(params=["memory", "ecsv", "asdf", "arrow"])
def table(request, tmp_path):
    table = asdfkit.Table(COLUMNS)
    if request.param == "ecsv":
        asdfkit.write_ecsv(table, tmp_path / "t.ecsv")
        return asdfkit.read_ecsv(tmp_path / "t.ecsv")
    if request.param == "asdf":
        file = asdfkit.new()
        file["t"] = table
        file.write(tmp_path / "t.asdf")
        return asdfkit.open(tmp_path / "t.asdf").table("t")
    if request.param == "arrow":
        return asdfkit.Table(pytest.importorskip("pyarrow").table(table))
    return table


def test_times_of_numpy_come_back(table):
    for name, values in COLUMNS.items():
        found = table[name]
        assert found.dtype.kind == values.dtype.kind
        assert np.array_equal(found, values, equal_nan=True), name
    assert table["day"].dtype == "M8[D]"


def test_cells_of_times_are_replaced(table):
    moment = np.datetime64("2027-01-31T04:05:06.7")
    table[1, "ns"] = moment
    table[0:2, "s"] = [datetime.datetime(2001, 2, 3), None]
    table["day"] = np.array(["2020-02-02", "NaT", "2021-03-03"], "M8[D]")
    table[2, "cells"] = None
    assert table["ns"][1] == moment and np.array_equal(table["ns"][[0, 2]], TIMES[[0, 2]])
    assert table["s"][0] == np.datetime64("2001-02-03") and np.isnat(table["s"][1]) and table["s"][2] == COLUMNS["s"][2]
    assert table["day"].dtype == "M8[D]" and table["day"][2] == np.datetime64("2021-03-03")
    assert np.isnat(table["cells"][2]).all() and table["cells"][0, 0] == TIMES[0]
    with pytest.raises(asdfkit.errors.AsdfError, match="beginning of a day"):
        table[0, "day"] = moment
    with pytest.raises(ValueError, match="as many"):
        table[0:2, "ns"] = [moment]
    with pytest.raises(IndexError):
        table[3, "ns"] = moment


def test_astropy_finds_times():
    time = pytest.importorskip("astropy.time")
    found = asdfkit.Table(COLUMNS).to_astropy()
    assert isinstance(found["ns"], time.Time) and isinstance(found["span"], time.TimeDelta)
    assert found["ns"].mask.tolist() == [False, True, False]
    assert found["ns"].scale == "utc"
    assert found["day"].value[0] == "2020-01-01"
    assert np.all(found["ns"][[0, 2]] == time.Time(TIMES[[0, 2]]))


def test_timestamps_of_arrow_and_pandas_come_back():
    pyarrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    days = [datetime.date(2020, 1, 1), None]
    source = pyarrow.table({
        "us": pyarrow.array([1, None], pyarrow.timestamp("us", "UTC")),
        "day": pyarrow.array(days, pyarrow.date32()),
        "ms": pyarrow.array([-1, None], pyarrow.duration("ms")),
        "zone": pyarrow.array([5, 6], pyarrow.timestamp("s", "Europe/Paris")),
    })  # fmt: skip
    table = asdfkit.Table(source)
    assert ["Europe/Paris" in str(warning.message) for warning in table.warnings] == [True]
    back = pyarrow.table(table)
    for name in source.column_names:
        assert back[name].cast(source[name].type).equals(source[name]), name
    assert back["day"].type == pyarrow.date32()
    frame = pandas.DataFrame({"t": pandas.to_datetime(["2027-01-31T04:05:06.7"], utc=True)})
    assert pyarrow.table(asdfkit.Table(frame)).to_pandas()["t"].tolist() == frame["t"].tolist()


def test_times_that_nanoseconds_do_not_hold_stay_as_they_are():
    time = pytest.importorskip("astropy.time")
    pyarrow, qtable = pytest.importorskip("pyarrow"), pytest.importorskip("astropy.table").QTable
    leap = time.Time(["2016-12-31T23:59:60.5", "2016-12-31T23:59:59"])
    tdb = time.Time([58849.1, 58849.2], format="mjd", scale="tdb")
    table = asdfkit.Table.from_astropy(qtable({"leap": leap, "mjd": tdb}))
    assert table["leap"].tolist() == ["2016-12-31T23:59:60.500", "2016-12-31T23:59:59.000"]
    assert table["mjd"].tolist() == [58849.1, 58849.2]
    back = pyarrow.table(table)
    assert pyarrow.types.is_large_string(back["leap"].type) and pyarrow.types.is_float64(back["mjd"].type)
    assert len(table.warnings) == 2
    found = asdfkit.Table(back).to_astropy()
    assert np.all(found["leap"] == leap) and np.all(found["mjd"] == tdb)


def test_scale_and_format_survive_arrow():
    time = pytest.importorskip("astropy.time")
    pyarrow, qtable = pytest.importorskip("pyarrow"), pytest.importorskip("astropy.table").QTable
    tai = time.Time(["2020-01-01 00:00:00.5", "2020-01-02 00:00:00.25"], scale="tai", format="iso")
    tdb = time.Time([58849.5, 58850.0], format="mjd", scale="tdb")
    back = pyarrow.table(asdfkit.Table.from_astropy(qtable({"tai": tai, "tdb": tdb})))
    assert back["tai"].type == pyarrow.timestamp("ns", "UTC") and back["tdb"].type == pyarrow.timestamp("ns")
    found = asdfkit.Table(back).to_astropy()
    for name, expected in (("tai", tai), ("tdb", tdb)):
        assert (found[name].format, found[name].scale) == (expected.format, expected.scale)
        assert np.max(np.abs((found[name] - expected).sec)) < 1e-10


def test_what_is_no_time_is_refused():
    with pytest.raises(TypeError, match="months"):
        asdfkit.Table({"a": np.array([1], "m8[M]")})
    with pytest.raises(OverflowError):
        asdfkit.Table({"a": np.array(["2300-01-01"], "M8[s]")})
