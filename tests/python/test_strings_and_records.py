"""Strings and records: written by Python asdf and read by us, and the other way round."""

import io
import itertools
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import numpy as np

warnings.simplefilter("error")

TEXTS = [["", "a", "ascii text"], ["x\0y", "yes", "12"], ["~", "- a: 'b'", 'q"\\']]
WIDE_TEXTS = [["", "é", "日本語"], ["😀", "a\0é", "\U0010ffff"], ["null", "\u2028", "e\u0301"]]
STRINGS = {
    "ascii": np.array(TEXTS, "S"),
    "long ascii": np.array(TEXTS, "S40"),
    "ucs4": np.array(WIDE_TEXTS, "U"),
    "long ucs4": np.array(WIDE_TEXTS, "U17"),
    "other order": np.array(WIDE_TEXTS, ">U5"),
    "turned": np.array(WIDE_TEXTS, "U").T[::-1],
    "none": np.zeros((0, 2), "U3"),
}
INNER = np.dtype([("x", "<i2"), ("y", ">f8", (2,))])
RECORDS = {
    "simple": np.array([(1, 2.5), (-3, np.inf)], [("a", "i1"), ("b", "f8")]),
    "mixed": np.array(
        [(1, b"ab", "é", True, 1 - 2j), (-3, b"", "xyz", False, 0j)],
        [("a", ">i4"), ("s", "S3"), ("u", ">U3"), ("t", "?"), ("c", ">c8")],
    ),
    "nested": np.array(
        [((1, (2, 3)), [[4, 5, 6], [7, 8, 9]]), ((-1, (-2, -3)), [[0] * 3, [1] * 3])],
        [("inner", INNER), ("grid", ">u2", (2, 3))],
    ),
    "table": np.array([[(index, index / 7) for index in range(300)]] * 4, [("i", "<u4"), ("f", "<f4")]),
}


def written(tree: dict, **options) -> bytes:
    output = io.BytesIO()
    asdf.AsdfFile(tree).write_to(output, **options)
    return output.getvalue()


def native(dtype: np.dtype) -> np.dtype:
    """Returns the type of the result: packed, in the byte order of this machine."""
    if dtype.names:
        return np.dtype(
            [(name, native(dtype.fields[name][0].base), dtype.fields[name][0].shape) for name in dtype.names]
        )
    return dtype.newbyteorder("=")


def made(arrays: dict, **options) -> bytes:
    file = kit.File.new()
    for key, array in arrays.items():
        file.root().set_array(key, array.astype(native(array.dtype)), **options)
    return file.write_memory()


class Strings(unittest.TestCase):
    def check(self, root: kit.Node) -> None:
        for key, array in STRINGS.items():
            with self.subTest(key):
                found = root.array(key)
                self.assertTrue(np.array_equal(array, found.read_typed(native(array.dtype))))
                texts = array if array.dtype.kind == "U" else np.char.decode(array, "ascii")
                for index in np.ndindex(*array.shape):
                    self.assertEqual(str(texts[index]), found.string(*index))
                utf8 = np.char.encode(texts, "utf-8")
                self.assertTrue(np.array_equal(utf8, found.read_typed(np.dtype("S40"))))
                self.assertTrue(np.array_equal(texts, found.read_typed(np.dtype("U40"))))
                longest = max((len(text) for text in utf8.flat), default=0)
                if longest > 1:
                    with self.assertRaisesRegex(kit.Error, "ASDF_ERR_OVERFLOW"):
                        found.read_typed(np.dtype(f"S{longest - 1}"))
                with self.assertRaisesRegex(kit.Error, "ASDF_ERR_CONVERSION"):
                    found.read("float64")

    def test_read(self):
        for codec in (None, "zlib", "lz4"):
            with self.subTest(codec=codec):
                self.check(kit.File.open(written(dict(STRINGS), all_array_compression=codec)).root())

    def test_read_inline(self):
        with asdf.config_context() as config:
            config.array_inline_threshold = 1000
            root = kit.File.open(written(dict(STRINGS))).root()
        self.assertTrue(root.array("ucs4").is_inline())
        self.check(root)

    def test_written(self):
        for storage, order in itertools.product(
            (kit.STORAGES["internal"], kit.STORAGES["inline"]), kit.BYTE_ORDERS.values()
        ):
            with self.subTest(storage=storage, order=order):
                data = made(STRINGS, storage=storage, byte_order=order)
                with asdf.open(io.BytesIO(data), validate_checksums=True) as found:
                    for key, array in STRINGS.items():
                        self.assertTrue(np.array_equal(array, np.asarray(found[key])), key)
                self.check(kit.File.open(data).root())


class Records(unittest.TestCase):
    def check(self, root: kit.Node, arrays: dict) -> None:
        for key, array in arrays.items():
            with self.subTest(key):
                found = root.array(key)
                packed = array.astype(native(array.dtype))
                self.assertEqual(packed.tobytes(), found.read_typed(packed.dtype).tobytes())
                self.fields(packed, found)

    def fields(self, packed: np.ndarray, found: kit.Array) -> None:
        for name in packed.dtype.names:
            field = found.field(name)
            expected = np.ascontiguousarray(packed[name])
            self.assertEqual(expected.shape, field.shape())
            if expected.dtype.names:
                self.fields(expected, field)
            self.assertEqual(expected.tobytes(), field.read_typed(expected.dtype).tobytes(), name)
        with self.assertRaisesRegex(kit.Error, "ASDF_ERR_NOT_FOUND"):
            found.field("none")

    def test_read(self):
        for codec in (None, "zlib", "lz4"):
            with self.subTest(codec=codec):
                self.check(kit.File.open(written(dict(RECORDS), all_array_compression=codec)).root(), RECORDS)

    def test_columns_and_steps(self):
        table = RECORDS["table"]
        views = {"steps": table[::2, ::-3], "turned": table.T}
        with asdf.config_context() as config:
            config.default_array_save_base = True
            self.check(kit.File.open(written({"base": table, **views})).root(), views)

    def test_read_inline(self):
        tree = {key: RECORDS[key] for key in ("simple", "mixed")}
        tree["simple"] = np.concatenate([tree["simple"]] * 3)  # Python misreads two rows of two fields
        tree["mixed"] = np.concatenate([tree["mixed"]] * 3)
        with asdf.config_context() as config:
            config.array_inline_threshold = 1000
            self.check(kit.File.open(written(dict(tree))).root(), tree)

    def test_written(self):
        for order in kit.BYTE_ORDERS.values():
            data = made(RECORDS, byte_order=order)
            with asdf.open(io.BytesIO(data), validate_checksums=True) as found:
                for key, array in RECORDS.items():
                    with self.subTest(key, order=order):
                        read = np.asarray(found[key])
                        self.assertEqual(array.shape, read.shape)
                        self.assertEqual(
                            array.astype(native(array.dtype)).tobytes(), read.astype(native(array.dtype)).tobytes()
                        )
            self.check(kit.File.open(data).root(), RECORDS)

    def test_written_inline(self):
        data = made(RECORDS, storage=kit.STORAGES["inline"])
        self.check(kit.File.open(data).root(), RECORDS)
        # Python misreads the nesting of the others.
        table = RECORDS["table"]
        with asdf.open(io.BytesIO(made({"table": table}, storage=kit.STORAGES["inline"]))) as found:
            self.assertEqual(table.tobytes(), np.asarray(found["table"]).tobytes())
