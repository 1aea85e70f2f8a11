"""Times of tables in Parquet files and streams of Arrow. pyarrow writes the sources and reads the results."""

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from astropy.table import QTable, Table
from astropy.time import Time, TimeDelta
from conftest import output, refused, run

NANOSECONDS = [0, 1_717_243_200_123_456_789, None]


def arrow_times():
    zones = {"utc": "UTC", "naive": None, "berlin": "Europe/Berlin"}
    columns = {f"t_{name}": pa.array(NANOSECONDS, pa.timestamp("ns", zone)) for name, zone in zones.items()}
    columns |= {f"t_{unit}": pa.array([0, 1_717_243_200, None], pa.timestamp(unit)) for unit in ("s", "ms", "us")}
    columns["date"] = pa.array([0, 19_000, None], pa.date32())
    columns["date64"] = pa.array([0, 19_000 * 86_400_000, None], pa.date64())
    columns |= {f"d_{unit}": pa.array([10**9, 5, None], pa.duration(unit)) for unit in ("s", "ms", "us", "ns")}
    columns["name"] = pa.array(["a", "b", "a"]).dictionary_encode()
    return pa.table(columns)


@pytest.mark.parametrize("suffix", ["ecsv", "asdf"])
def test_times_of_parquet(tmp_path, suffix):
    """Each time is the moment, and each duration the span, that pyarrow wrote."""
    source, target = tmp_path / "in.parquet", tmp_path / f"out.{suffix}"
    table = arrow_times()
    pq.write_table(table, source)
    notes = run("convert", source, target).stderr
    ecsv = target
    if suffix == "asdf":
        run("verify", "--strict", target)
        ecsv = tmp_path / "again.ecsv"
        run("convert", target, ecsv)
    made = Table.read(ecsv, format="ascii.ecsv")
    assert made["name"].tolist() == ["a", "b", "a"]
    # pyarrow writes seconds as milliseconds, and the schema of the file has the seconds.
    for name in table.column_names:
        if name.startswith(("t_", "date")):
            wanted = np.array(table[name].cast(pa.timestamp("ns")).to_numpy(), "M8[ns]")[:2]
            assert isinstance(made[name], Time) and made[name].scale == "utc", name
            assert made[name][:2].to_value("datetime64").astype("M8[ns]").tolist() == wanted.tolist(), name
        elif name.startswith("d_"):
            wanted = table[name].cast(pa.duration("ns")).to_numpy()[:2].astype("m8[ns]").astype(np.int64) / 1e9
            assert isinstance(made[name], TimeDelta), name
            np.testing.assert_allclose(made[name][:2].to_value("sec"), wanted, rtol=1e-15)
        if name != "name":
            assert bool(made[name].mask[2]) and not made[name].mask[:2].any(), name
    assert "Europe/Berlin" in notes


def test_columns_of_parquet_that_tables_do_not_have(tmp_path):
    source, target = tmp_path / "in.parquet", tmp_path / "out.ecsv"
    span = pa.array([1, 2], pa.duration("s"))
    for column in (
        pa.array([1, 2], pa.time64("us")),
        pa.array([b"ab", b"cd"], pa.binary(2)),
        pa.array([[1], [2, 3]], pa.list_(pa.duration("ms"))),
    ):
        pq.write_table(pa.table({"d": span, "wrong": column}), source)
        message = refused("convert", source, target, code=None)
        assert "wrong" in message and not target.exists(), message


def times_of_astropy(path):
    table = QTable(
        {
            "n": [1, 2, 3],
            "iso": Time(["2024-01-01T00:00:00.5", "2024-06-01T00:00:00", "2025-01-01T12:00:00"]),
            "tai": Time(["2024-01-01T00:00:37", "2024-06-01T00:00:37", "2025-01-01T12:00:37"], scale="tai"),
            "span": TimeDelta([1.0, 2.5, -3.0], format="sec"),
            "day": Time(["2024-01-01", "2024-06-01", "2025-01-01"], out_subfmt="date"),
        }
    )
    table["n"].description = "a number"
    table.write(path, format="ascii.ecsv")
    return table


@pytest.mark.parametrize("command", ["convert", "select"])
@pytest.mark.parametrize("suffix", ["parquet", "arrows"])
def test_times_to_arrow(tmp_path, command, suffix):
    source, target, back = tmp_path / "in.ecsv", tmp_path / f"out.{suffix}", tmp_path / "back.ecsv"
    table = times_of_astropy(source)
    run("convert", source, target) if command == "convert" else run("select", source, "-o", target)
    if suffix == "parquet":
        made = pq.read_table(target)
    else:
        made = pyarrow.ipc.open_stream(target.read_bytes()).read_all()
    assert made.schema.field("iso").type == pa.timestamp("ns", "UTC")
    assert (
        made["iso"].cast("int64").to_pylist()
        == table["iso"].to_value("datetime64").astype("M8[ns]").astype(int).tolist()
    )
    assert (
        made["tai"].cast("int64").to_pylist()
        == table["tai"].utc.to_value("datetime64").astype("M8[ns]").astype(int).tolist()
    )
    assert made.schema.field("span").type == pa.duration("ns")
    assert made["span"].cast("int64").to_pylist() == [10**9, 2_500_000_000, -3 * 10**9]
    if suffix == "parquet":
        run("convert", target, back)
        again = QTable.read(back, format="ascii.ecsv")
        for name in ("iso", "tai", "span", "day"):
            assert (abs(again[name] - table[name]).sec < 1e-10).all() and again[name].scale == table[name].scale, name
            assert again[name].format == table[name].format, name
        # astropy reads the file as well, with numpy's types for the times.
        read = Table.read(target)
        assert read["n"].description == "a number" and read["iso"].dtype.kind == "M" and read["span"].dtype.kind == "m"


def test_times_between_nanoseconds_stay_as_they_are(tmp_path):
    """One time decides about its column, also if it stands in a later batch."""
    source, target = tmp_path / "in.ecsv", tmp_path / "out.parquet"
    times = Time(np.full(200_000, 60000.5), format="mjd")
    Table({"t": times}).write(source, format="ascii.ecsv")
    run("convert", source, target)
    assert pq.read_schema(target).field("t").type == pa.timestamp("ns", "UTC")
    with source.open("a") as file:
        file.write("60000.123456789123\n")
    note = run("convert", source, target, "--force").stderr
    assert "between two nanoseconds" in note
    made = pq.read_table(target)["t"]
    assert made.type == pa.float64() and made[0].as_py() == 60000.5 and made[-1].as_py() == 60000.123456789123


def test_times_of_parquet_on_standard_output(tmp_path):
    source = tmp_path / "in.parquet"
    pq.write_table(pa.table({"d": pa.array([10**9, None], pa.duration("ns"))}), source)
    text = output("convert", source, "-", "--to", "ecsv")
    assert "astropy.time.core.TimeDelta" in text
    made = Table.read(text.splitlines(), format="ascii.ecsv")
    assert made["d"][0].to_value("sec") == 1.0
