"""Tables that are written to ASDF files in batches, as asdf and asdf-astropy read them."""

import io
import signal
import subprocess
import sys

import asdf
import astropy.units as u
import numpy as np
import pyarrow
import pytest
from astropy.table import MaskedColumn, QTable, Table
from astropy.time import Time

import asdfkit

ROWS = 1000


def make():
    """A table with a quantity, a time, texts that grow, a mask of later rows, and cells of several elements."""
    numbers = np.arange(ROWS)
    table = QTable()
    table["n"] = MaskedColumn(numbers, mask=numbers > 900, description="a number")
    table["flux"] = numbers * 0.25 * u.Jy
    table["name"] = ["ä" * (number % 30) for number in numbers]
    table["t"] = Time("2026-01-01T00:00:00") + numbers * u.h
    table["pair"] = np.stack([numbers, -numbers], axis=1).astype("f4")
    table.meta["origin"] = "test"
    return table


@pytest.mark.parametrize("compression", [None, "zlib", "lz4"])
def test_batches_of_ecsv_are_the_table_of_astropy(tmp_path, compression):
    source, target = tmp_path / "t.ecsv", tmp_path / "t.asdf"
    table = make()
    table["t"].format = "isot"
    table.write(source)
    options = {} if compression is None else {"compression": compression}
    rows = asdfkit.stream_table(target, asdfkit.read_ecsv(source, batches=77), **options)
    assert rows == ROWS and sorted(path.name for path in tmp_path.iterdir()) == ["t.asdf", "t.ecsv"]
    with asdf.open(target) as file:
        found = file["table"]
        assert type(found) is QTable and found.colnames == table.colnames and found.meta["origin"] == "test"
        assert (found["n"].mask == table["n"].mask).all() and (found["n"] == table["n"]).all()
        assert found["n"].description == "a number"
        assert (found["flux"] == table["flux"]).all() and found["flux"].unit == u.Jy
        assert (found["name"] == table["name"]).all() and found["name"].dtype == table["name"].dtype
        assert (found["pair"] == table["pair"]).all() and found["pair"].dtype == np.float32
        assert abs((found["t"] - table["t"]).to_value("s")).max() < 0.001
    with asdfkit.open(target) as file:
        assert len(file.table("table")) == ROWS


def test_batches_of_arrow_become_a_table_of_the_standard(tmp_path):
    target = tmp_path / "t.asdf"
    table = pyarrow.table(
        {"a": range(10), "s": [None, *"bcdefghi", "long"], "v": [[number] * number for number in range(10)]}
    )
    asdfkit.stream_table(target, table.to_batches(max_chunksize=3), at="deep/er", standard="1.5.0")
    with asdf.open(target) as file:
        found = file["deep"]["er"]
        assert isinstance(found, Table) and list(found["a"]) == list(range(10))
        assert found["s"].mask.tolist() == [True] + [False] * 9 and found["s"][9] == "long"
    with asdfkit.open(target) as file:
        assert [list(cell) for cell in file.table("deep/er")["v"]] == [[number] * number for number in range(10)]
    with pytest.raises(FileExistsError):
        asdfkit.stream_table(target, table.to_batches())
    asdfkit.stream_table(target, table.to_batches(), replace=True)


def test_a_failure_leaves_the_old_file(tmp_path):
    target = tmp_path / "t.asdf"
    target.write_bytes(b"old")

    def batches():
        yield Table({"s": ["a"]})
        yield Table({"s": ["b"]})
        raise RuntimeError("the source fails")

    with pytest.raises(RuntimeError):
        asdfkit.stream_table(target, batches(), replace=True)
    with pytest.raises(ValueError, match="no batch"):
        asdfkit.stream_table(target, [], replace=True)
    with pytest.raises(asdfkit.AsdfError, match=r"'s'.*row 1 ends with NUL|row 1 ends with NUL.*'s'"):
        asdfkit.stream_table(target, [{"s": ["a"]}, {"s": ["b\0"]}], replace=True)
    with pytest.raises(FileNotFoundError):
        asdfkit.stream_table(target, [{"s": ["a"]}], replace=True, temporary_directory=tmp_path / "nowhere")
    assert target.read_bytes() == b"old" and [path.name for path in tmp_path.iterdir()] == ["t.asdf"]


KILLED = """
import asdfkit, os, signal, sys
def batches():
    for number in range(100):
        if number == 50:
            os.kill(os.getpid(), signal.SIGKILL)
        yield {"a": list(range(1000)), "s": ["text"] * 1000}
asdfkit.stream_table(sys.argv[1], batches(), replace=True)
"""


def test_a_killed_program_leaves_the_old_file_alone(tmp_path):
    target = tmp_path / "t.asdf"
    target.write_bytes(b"old")
    ended = subprocess.run([sys.executable, "-c", KILLED, target])
    assert ended.returncode == -signal.SIGKILL
    assert target.read_bytes() == b"old" and [path.name for path in tmp_path.iterdir()] == ["t.asdf"]


def test_a_writer_stores_into_a_file(tmp_path):
    batch = asdfkit.Table({"a": [1, 2]})
    with asdfkit.new() as file:
        with asdfkit.TableWriter.into(file, "one", batch) as writer:
            writer.write(batch)
            writer.write({"a": [3, 4]})
            assert "one" not in file
        with pytest.raises(ValueError, match="closed"):
            writer.write(batch)
        with pytest.raises(ZeroDivisionError), asdfkit.TableWriter.into(file, "two", batch) as writer:
            raise ZeroDivisionError
        assert "two" not in file
        content = io.BytesIO(file.to_bytes())
    with asdf.open(content) as file:
        assert list(file["one"]["a"]) == [1, 2, 3, 4]
