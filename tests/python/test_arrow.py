"""Our tables in other programs through the interfaces of Arrow, and their tables in ours."""

import json
import unittest
from collections.abc import Callable

import asdfkit_ctypes as kit
import asdfkit_tables as tables
import duckdb
import nanoarrow
import numpy as np
import polars
import pyarrow
import pyarrow.compute

ROWS = 300
NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool"]
JSON_TEXTS = ['{"a": [1, null]}', "5", '"é"', "null"]


def example() -> tuple[tables.Table, dict[str, list]]:
    """Returns a table with columns of every kind that all programs know, and the content that the C interface reads."""
    random = np.random.default_rng(6)
    table = tables.Table.new(ROWS)
    read = {}
    for dtype in NUMBERS:
        for shape in (), (3,), (2, 2):
            values = random.integers(0, 2 if dtype == "bool" else 100, (ROWS, *shape)).astype(dtype)
            name = f"{dtype}{len(shape)}"
            # A cell without any element is missing as a whole, which numpy cannot express.
            missing = random.random(values.shape) < 0.2
            missing[missing.reshape(ROWS, -1).all(axis=1)] = not shape
            table.add(name, values, missing)
            read[name] = table.read(name, dtype, shape)
        lengths = random.integers(-1, 5, ROWS).tolist()
        values = random.integers(0, 2 if dtype == "bool" else 100, sum(max(length, 0) for length in lengths)).astype(
            dtype
        )
        table.add_lists(f"{dtype} lists", lengths, values, random.random(values.size) < 0.2)
        read[f"{dtype} lists"] = table.read_lists(f"{dtype} lists", dtype)
    extremes = {
        "int64": [-(2**63), 2**63 - 1],
        "uint64": [0, 2**64 - 1],
        "float64": [-0.0, 5e-324],
        "float32": [1e-45, -3e38],
    }
    for dtype, values in extremes.items():
        table.add(f"extreme {dtype}", np.resize(np.array(values, dtype), ROWS))
        read[f"extreme {dtype}"] = table.read(f"extreme {dtype}", dtype)
    texts = [None if n % 7 == 0 else "é日" * (n % 9) for n in range(ROWS)]
    table.add_texts("texts", texts)
    read["texts"] = table.read_texts("texts")
    assert read["texts"] == texts
    table.add_texts("long", [f"{n}e-4000" for n in range(ROWS)], tables.FLOAT128)
    read["long"] = table.read_texts("long")
    for dtype in "complex64", "complex128":
        values = (random.normal(size=ROWS) + 1j * random.normal(size=ROWS)).astype(dtype)
        # No cell is missing, because polars and pyarrow fail on pieces of fixed lists with missing lists.
        table.add(dtype, values)
        numbers = table.read(dtype, dtype)
        read[dtype] = [[number.real, number.imag] for number in numbers]
    return table, read


def of_duckdb(table: tables.Table) -> dict[str, list]:
    stream = pyarrow.RecordBatchReader.from_stream(table)  # the query finds it by its name
    found = duckdb.sql("select * from stream").to_arrow_table().to_pydict()
    del stream
    return found


def of_nanoarrow(table: tables.Table) -> dict[str, list]:
    rows = (
        nanoarrow.Array(table).to_pylist()
        if table.batch_rows == 0
        else nanoarrow.ArrayStream(table).read_all().to_pylist()
    )
    return {name: [row[name] for row in rows] for name in rows[0]}


READERS: dict[str, Callable[[tables.Table], dict[str, list]]] = {
    "pyarrow": lambda table: pyarrow.table(table).to_pydict(),
    "polars": lambda table: polars.DataFrame(table).to_arrow().to_pydict(),
    "duckdb": of_duckdb,
    "nanoarrow": of_nanoarrow,
}


class Export(unittest.TestCase):
    def test_other_programs_read_what_c_reads(self):
        table, read = example()
        for name, reader in READERS.items():
            for table.batch_rows in 0, 100:
                with self.subTest(reader=name, batch_rows=table.batch_rows):
                    found = reader(table)
                    self.assertEqual(list(found), list(read))
                    for column, values in read.items():
                        self.assertEqual(as_lists(found[column]), values, column)

    def test_texts_in_bulk_are_large_strings(self):
        table, read = example()
        for name in "texts", "long":
            for first, count in (0, ROWS), (7, 100), (ROWS, 0):
                content, offsets, missing = table.load_texts(name, first, count)
                present = np.packbits(np.frombuffer(missing, np.uint8) == 0, bitorder="little").tobytes()
                buffers = [pyarrow.py_buffer(part) for part in (present, offsets, content)]
                found = pyarrow.Array.from_buffers(pyarrow.large_string(), count, buffers)
                found.validate(full=True)
                self.assertEqual(found.to_pylist(), read[name][first : first + count])

    def test_half_floats(self):
        table = tables.Table.new(5)
        values = np.array([0.5, -0.0, 6e-8, np.inf, 65504], "float16")
        table.add("half", values, np.array([1, 0, 0, 0, 0], bool))
        table.add("pairs", np.repeat(values, 2).reshape(5, 2))
        self.assertEqual(values[1:].tolist(), table.read("half", "float16")[1:])
        for name in "pyarrow", "nanoarrow":
            found = READERS[name](table)
            self.assertEqual(found["half"], [None, *values[1:].tolist()], name)
            self.assertEqual(found["pairs"], [[value, value] for value in values.tolist()], name)
        self.assertEqual(pyarrow.table(table).schema.field("half").type, pyarrow.float16())

    def test_missing_lists(self):
        table = tables.Table.new(3)
        table.add("complex", np.array([1 + 2j, 3, 4]), np.array([0, 1, 0], bool))
        table.add("pairs", np.arange(6).reshape(3, 2), np.array([[0, 0], [1, 1], [1, 0]], bool))
        for name, reader in READERS.items():
            found = {column: as_lists(cells) for column, cells in reader(table).items()}
            self.assertEqual(found, {"complex": [[1, 2], None, [4, 0]], "pairs": [[0, 1], None, [None, 5]]}, name)

    def test_json_is_the_extension_of_arrow(self):
        table = tables.Table.new(len(JSON_TEXTS) + 1)
        table.add_texts("json", [*JSON_TEXTS, None], tables.JSON)
        found = pyarrow.table(table)
        self.assertEqual(found.schema.field("json").type.extension_name, "arrow.json")
        self.assertEqual(found.column("json").to_pylist(), [*JSON_TEXTS, None])

    def test_no_rows(self):
        table = tables.Table.new(0)
        table.add("number", np.zeros(0))
        table.add("pairs", np.zeros((0, 2), "int8"))
        table.add_texts("text", [])
        for name in "pyarrow", "polars", "duckdb":
            self.assertEqual(READERS[name](table), {"number": [], "pairs": [], "text": []}, name)

    def test_metadata(self):
        file = kit.File.new()
        file.root().set("mapping", "meta", 0)
        file.root().set_string("meta/TELESCOP", "UT1 é")
        file.root().set("f64", "meta/x", 0.1)
        table = tables.Table.new(1)
        table.add("flux", np.zeros((1, 3), "float32"))
        for what, text in {"unit": "Jy", "description": "é\n#", "format": "%5.1f"}.items():
            kit.call(f"asdf_table_set_column_{what}", table, b"flux", text.encode(), len(text.encode()))
        kit.call("asdf_table_set_meta", table, file.root().get("meta"))
        schema = pyarrow.table(table).schema
        self.assertEqual(json.loads(schema.metadata[b"ecsv:meta"]), {"TELESCOP": "UT1 é", "x": 0.1})
        told = {key.decode(): text.decode() for key, text in schema.field("flux").metadata.items()}
        self.assertEqual(told.pop("ecsv:subtype"), "float32[3]")
        expected = {"ecsv:datatype": "string", "ecsv:unit": "Jy", "ecsv:description": "é\n#", "ecsv:format": "%5.1f"}
        self.assertEqual(told, expected)


TYPES = {
    "int8": pyarrow.int8(), "int16": pyarrow.int16(), "int32": pyarrow.int32(), "int64": pyarrow.int64(),
    "uint8": pyarrow.uint8(), "uint16": pyarrow.uint16(), "uint32": pyarrow.uint32(), "uint64": pyarrow.uint64(),
    "float16": pyarrow.float16(), "float32": pyarrow.float32(), "float64": pyarrow.float64(), "bool": pyarrow.bool_(),
}  # fmt: skip
TEXT_TYPES = {
    "string": pyarrow.string(), "large_string": pyarrow.large_string(), "string_view": pyarrow.string_view(),
    "dictionary": pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), "null": pyarrow.null(),
}  # fmt: skip
TEXTS = ["a", None, "", "日本 more than twelve bytes of text", "a", "é", None]


def theirs() -> pyarrow.Table:
    """Returns a table of pyarrow: every type that we import, with missing elements."""
    columns = {}
    for name, of_arrow in TYPES.items():
        number = [True, False, None, True, None, False, True] if name == "bool" else [1, 0, None, 100, None, 7, 3]
        columns[name] = pyarrow.array(number, of_arrow)
        lists = [[number[0], None], [], None, [number[3]], [None], number, [number[1]]]
        columns[f"{name} list"] = pyarrow.array(lists, pyarrow.list_(of_arrow))
        columns[f"{name} large list"] = pyarrow.array(lists, pyarrow.large_list(of_arrow))
        fixed = [[value, None, value] for value in number[:2]] + [[number[3]] * 3] * 5
        columns[f"{name} fixed"] = pyarrow.array(fixed, pyarrow.list_(of_arrow, 3))
    for name, of_arrow in TEXT_TYPES.items():
        columns[name] = pyarrow.array([None] * len(TEXTS) if name == "null" else TEXTS, of_arrow)
    return pyarrow.table(columns)


class Import(unittest.TestCase):
    def check(self, source, expected: dict[str, list], shape: tuple[int, ...] = (3,)) -> None:
        """We import a table from another program, and C reads the same content as that program."""
        table = tables.Table.of_arrow(source)
        for name, values in expected.items():
            dtype, _, kind = name.partition(" ")
            if dtype not in TYPES:
                found = table.read_texts(name)
            elif "list" in kind:
                found = table.read_lists(name, dtype)
            else:
                found = table.read(name, dtype, shape if kind else ())
            self.assertEqual(found, values, name)

    def test_tables_of_pyarrow(self):
        source = theirs()
        for label, given in {
            "whole": source,
            "pieces": pyarrow.concat_tables(
                [source.slice(0, 3), source.slice(3), source.slice(1, 0), source.slice(2, 4)]
            ),
            "slice": source.slice(1, 5),
            "none": source.slice(0, 0),
        }.items():
            with self.subTest(label):
                self.check(given, given.to_pydict())

    def test_tables_of_polars(self):
        columns = {name: column for name, column in zip(theirs().column_names, theirs().columns, strict=True)}
        source = polars.DataFrame({name: polars.from_arrow(column) for name, column in columns.items()})
        expected = source.to_arrow().to_pydict()
        self.check(source, expected)
        self.check(source.slice(2, 4), {name: values[2:6] for name, values in expected.items()})

    def test_tables_come_back(self):
        table, _ = example()
        table.add_texts("json", (JSON_TEXTS * ROWS)[:ROWS], tables.JSON)
        kit.call("asdf_table_set_column_unit", table, b"float642", b"Jy", 2)
        for table.batch_rows in 0, 100:
            given = pyarrow.table(table)
            again = pyarrow.table(tables.Table.of_arrow(given)).combine_chunks()
            self.assertTrue(given.combine_chunks().equals(again, check_metadata=True))

    def test_what_no_table_can_hold(self):
        jsons = pyarrow.array(["[1]", "[1,"], pyarrow.json_(pyarrow.string()))
        numbers = pyarrow.field("a", pyarrow.string(), metadata={"ecsv:datatype": "float128"})
        for status, source in {
            "ASDF_ERR_UNSUPPORTED": pyarrow.table({"a": pyarrow.array([[[1]]])}),
            "ASDF_ERR_VALUE_RANGE": pyarrow.table({"a": jsons}),
            "ASDF_ERR_INVALID_ARGUMENT": pyarrow.table([[1], [2]], ["a", "a"]),
        }.items():
            with self.subTest(status), self.assertRaisesRegex(kit.Error, f"{status}.*'a'"):
                tables.Table.of_arrow(source)
        with self.assertRaisesRegex(kit.Error, "ASDF_ERR_VALUE_RANGE.*'a'.*element 1"):
            tables.Table.of_arrow(pyarrow.table([["1", "one"]], pyarrow.schema([numbers])))
        self.assertEqual(tables.Table.of_arrow(pyarrow.table({"a": jsons.slice(0, 1)})).read_texts("a"), ["[1]"])


def as_lists(value):
    return [as_lists(item) for item in value] if isinstance(value, tuple | list) else value


if __name__ == "__main__":
    unittest.main()
