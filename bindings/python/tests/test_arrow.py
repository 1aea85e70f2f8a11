"""Tables in other programs through Arrow's C interface, their tables in ours, and the capsules in between."""

import ctypes
import gc
import os
import threading
from pathlib import Path

import numpy as np
import pytest

import asdfkit
from asdfkit import Table, _arrow

NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool"]
ROWS = 200


def example() -> Table:
    random = np.random.default_rng(6)
    columns = {}
    for dtype in NUMBERS:
        values = random.integers(0, 2 if dtype == "bool" else 100, (ROWS, 2)).astype(dtype)
        columns[dtype] = np.ma.MaskedArray(values[:, 0], random.random(ROWS) < 0.2)
        columns[f"{dtype} pair"] = values
        columns[f"{dtype} list"] = np.array([values[: n % 3, 1] for n in range(ROWS)], object)
    columns["text"] = [None if n % 7 == 0 else "é日" * (n % 5) for n in range(ROWS)]
    return Table(columns, units={"int8": "m"}, meta={"k": [1, "é"]})


def lists(values) -> list:
    return [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in values.tolist()]


def check(found: dict[str, list], table: Table) -> None:
    assert list(found) == table.names
    for name, values in table.items():
        assert found[name] == lists(values), name


def test_pyarrow(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    table = example()
    found = pyarrow.table(table)
    found.validate(full=True)
    check(found.to_pydict(), table)
    assert table.to_arrow().equals(found)
    assert found.schema.field("int8").metadata[b"ecsv:unit"] == b"m"
    assert pyarrow.schema(table).equals(found.schema, check_metadata=True)
    # Sharing memory: the address of the elements is the same for two exports.
    again = pyarrow.table(table)
    assert again["int64"].chunk(0).buffers()[1].address == found["int64"].chunk(0).buffers()[1].address
    del table
    gc.collect()
    assert again.equals(found)
    back = Table.from_arrow(found)
    check(found.to_pydict(), back)
    assert (back.columns["int8"].unit, back.meta) == ("m", {"k": [1, "é"]})
    check(found.to_pydict(), Table(found))
    asdfkit.write_ecsv(found, tmp_path / "a.ecsv")
    check(
        pyarrow.table(asdfkit.read_ecsv(tmp_path / "a.ecsv")[["text"]]).to_pydict(),
        Table({"text": found["text"].to_pylist()}),
    )
    batch = found.to_batches()[0]
    check(found.to_pydict(), Table.from_arrow(batch))  # by __arrow_c_array__


def test_batches_of_a_file(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "a.ecsv"
    Table({"a": np.arange(1000), "b": ["x"] * 1000}).write_ecsv(path)
    reader = asdfkit.read_ecsv(path, batches=300)
    stream = pyarrow.RecordBatchReader.from_stream(reader)
    assert [batch.num_rows for batch in stream] == [300, 300, 300, 100]
    assert list(reader) == []
    reader = asdfkit.read_ecsv(path, batches=300)
    assert next(reader)["a"][0] == 0
    assert pyarrow.table(reader)["a"][0].as_py() == 300
    # The stream outlives the reader.
    stream = pyarrow.RecordBatchReader.from_stream(asdfkit.read_ecsv(path, batches=300))
    gc.collect()
    assert stream.read_all()["a"].to_pylist() == list(range(1000))
    path.write_text(path.read_text().replace("700 x", "no x"))
    with pytest.raises(Exception, match="line|:70"):
        pyarrow.table(asdfkit.read_ecsv(path, batches=300))
    with path.open("rb") as file:
        stream = pyarrow.RecordBatchReader.from_stream(asdfkit.read_ecsv(file, batches=100))
        assert stream.read_next_batch().num_rows == 100


def test_polars():
    polars = pytest.importorskip("polars")
    table = example()
    frame = polars.DataFrame(table)
    check(frame.to_arrow().to_pydict(), table)
    back = Table(frame)
    check(frame.to_arrow().to_pydict(), back)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    table = example()
    stream = pyarrow.RecordBatchReader.from_stream(table)
    check(duckdb.sql("select * from stream").to_arrow_table().to_pydict(), table)
    del stream
    catalogue = table  # the query finds it by its name
    assert duckdb.sql("select sum(int64) from catalogue").fetchall() == [(int(table["int64"].sum()),)]
    del catalogue
    back = Table(duckdb.sql("select 1 as a, 'é' as b, null::double as c"))
    assert {name: values.tolist() for name, values in back.items()} == {"a": [1], "b": ["é"], "c": [None]}


def test_pandas():
    pytest.importorskip("pandas")
    frame = Table({"a": [1, 2], "b": ["x", "y"]}).to_arrow().to_pandas()
    assert frame["a"].tolist() == [1, 2]
    assert Table(frame)["b"].tolist() == ["x", "y"]


def test_what_no_table_can_hold():
    pyarrow = pytest.importorskip("pyarrow")
    for source in (pyarrow.table({"a": pyarrow.array([[[1]]])}), pyarrow.table([[1], [2]], ["a", "a"])):
        with pytest.raises(asdfkit.AsdfError, match="'a'"):
            Table.from_arrow(source)
    for wrong in (5, {"a": [1]}, None):
        with pytest.raises(TypeError, match="__arrow_c_stream__"):
            Table.from_arrow(wrong)

    class Liar:
        def __init__(self, capsule):
            self.capsule = capsule

        def __arrow_c_stream__(self, requested_schema=None):
            return self.capsule

    for capsule in (5, None, Table().__arrow_c_schema__(), object()):
        with pytest.raises(TypeError, match="capsule"):
            Table(Liar(capsule))
    # A capsule whose content was taken is refused.
    capsule = Table({"a": [1]}).__arrow_c_stream__()
    assert Table(Liar(capsule))["a"].tolist() == [1]
    with pytest.raises((asdfkit.AsdfError, ValueError)):
        Table(Liar(capsule))


def resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured on Linux")
def test_capsules_free_their_content(repeats):
    table = Table({"a": np.arange(100_000)})
    pyarrow = pytest.importorskip("pyarrow")

    def use(count):
        for number in range(count):
            kept = [table.__arrow_c_stream__(), table.__arrow_c_schema__()]
            del kept[number % 2]
            if number % 10 == 0:
                pyarrow.table(Table(table))

    use(200)
    before = resident()
    use(repeats)
    assert resident() - before < 8 << 20
    table._capsule = None
    gc.collect()
    assert _arrow._owned == {}


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured on Linux")
def test_tables_free_their_memory(repeats, tmp_path):
    path = tmp_path / "a.ecsv"
    Table({"a": np.arange(1000), "b": ["x"] * 1000}).write_ecsv(path)

    def use(count):
        for _ in range(count):
            table = asdfkit.read_ecsv(path)
            table["a"], table["b"], table.columns, table.meta
            next(asdfkit.read_ecsv(path, batches=10))
            try:
                table["c"]
            except KeyError:
                pass

    use(100)
    before = resident()
    use(repeats // 10)
    assert resident() - before < 8 << 20


def test_capsules_die_on_any_thread():
    capsules = [Table({"a": [1]}).__arrow_c_stream__() for _ in range(100)]
    threads = [threading.Thread(target=capsules.pop) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert capsules == []
    assert _arrow._owned == {}


def test_a_pending_exception_survives():
    """A consumer in C may drop its capsule while it raises an exception."""
    pyarrow = pytest.importorskip("pyarrow")

    class Broken(Table):
        def __arrow_c_stream__(self, requested_schema=None):
            capsule = super().__arrow_c_stream__()
            pointer = _arrow.pointer_of(capsule, _arrow.Stream)
            stream = _arrow.Stream.from_address(pointer)
            stream.get_schema = type(stream.get_schema)(lambda *_: 22)
            self.keep = stream.get_schema
            return capsule

        __slots__ = ("keep",)

    for _ in range(20):
        with pytest.raises((ValueError, OSError, pyarrow.ArrowException)):
            pyarrow.table(Broken({"a": [1]}))
    gc.collect()
    assert ctypes.sizeof(_arrow.Stream) == 5 * ctypes.sizeof(ctypes.c_void_p)
    assert _arrow._owned == {}
