"""Arrays in blocks, in the tree, in files of their own and streamed, moved between all of these; Python asdf reads
all.
"""

import itertools
import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import numpy as np
import samples

warnings.simplefilter("error")

STORAGES = list(kit.STORAGES)
SAME_DIRECTORY = 1


def python_array(path: Path, key: str = "array") -> np.ndarray:
    with asdf.open(path, validate_checksums=True, lazy_load=False) as file:
        return np.array(file[key])


def kit_array(path: Path, key: str = "array") -> np.ndarray:
    return kit.File.open(path, access=SAME_DIRECTORY).root().array(key).read()


def for_update(path: Path) -> kit.File:
    return kit.File("asdf_file_open_for_update", bytes(path), kit.Options(access=SAME_DIRECTORY))


def save(file: kit.File) -> None:
    kit.call("asdf_file_save", file, kit.Options(durable=0))


def storage_of(path: Path, key: str = "array") -> str:
    """Returns the places of the elements, by Python's reading of the tree alone."""
    tree = asdf.util.load_yaml(path, tagged=True)
    if "data" in tree[key]:
        return "inline"
    if isinstance(tree[key]["source"], str):
        return "external"
    streamed = kit.value_of(kit.c_int32, "asdf_file_block_is_streamed", kit.File.open(path), -1)
    return "streamed" if streamed and tree[key]["source"] == -1 else "internal"


class Storages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "main.file.asdf"

    def names(self) -> list[str]:
        return sorted(path.name for path in Path(self.folder.name).iterdir())

    def check(self, expected: np.ndarray, storage: str):
        self.assertEqual(storage_of(self.path), storage)
        for found in (kit_array(self.path), python_array(self.path)):
            if storage == "inline":
                expected = samples.one_nan(expected) if expected.dtype.kind in "fc" else expected
                found = samples.one_nan(found) if expected.dtype.kind in "fc" else found
            self.assertTrue(samples.same_bits(expected, found), (storage, expected, found))

    def test_new_arrays(self):
        for storage, dtype, shape in itertools.product(
            STORAGES, ["int16", "float64", "bool"], [(7,), (3, 5), (0, 4), (2, 3, 4)]
        ):
            with self.subTest(storage=storage, dtype=dtype, shape=shape), tempfile.TemporaryDirectory() as folder:
                self.path = Path(folder) / "x.asdf"
                array = samples.array(dtype, shape)
                file = kit.File.new()
                file.root().set_array("array", array, storage=kit.STORAGES[storage], byte_order=1)
                file.root().set_array("other", np.arange(3))
                self.assertTrue(storage == "inline" or samples.same_bits(array, file.root().array("array").read()))
                for _ in range(2):
                    # A file that was written once can be written again.
                    file.write(self.path)
                    self.check(array, storage)
                    self.assertTrue(samples.same_bits(np.arange(3), python_array(self.path, "other")))
                externals = {"x0000.asdf"} if storage == "external" else set()
                self.assertEqual({path.name for path in Path(folder).iterdir()}, {"x.asdf"} | externals)

    def test_from_each_to_each(self):
        for before, after, dtype in itertools.product(STORAGES, STORAGES, ["uint16", "float32", "complex64", "bool"]):
            array = samples.array(dtype, (3, 5))
            if "inline" in (before, after) and array.dtype.kind in "fc":
                array = samples.one_nan(array)
            for compression in [None, b"zlib"]:
                with self.subTest(before=before, after=after, dtype=dtype, compression=compression):
                    for path in Path(self.folder.name).iterdir():
                        path.unlink()
                    options = {"storage": kit.STORAGES[before], "byte_order": 1}
                    if compression and before in ("internal", "external"):
                        options["codec"] = compression
                    file = kit.File.new()
                    file.root().set_array("array", array, **options)
                    file.root().set_array("other", np.arange(3))
                    file.root().set_array("last", np.arange(4))
                    file.write(self.path)
                    updated = for_update(self.path)
                    updated.root().set_storage("array", after)
                    self.assertTrue(samples.same_bits(array, updated.root().array("array").read()))
                    save(updated)
                    self.check(array, after)
                    self.assertTrue(samples.same_bits(array, updated.root().array("array").read()))
                    for key, count in (("other", 3), ("last", 4)):
                        self.assertTrue(samples.same_bits(np.arange(count), python_array(self.path, key)))
                    # The same once more, in the other direction.
                    updated.root().set_storage("array", before)
                    save(updated)
                    self.check(array, before)
                    with asdf.open(self.path) as read:
                        self.assertEqual(read["array"].dtype.newbyteorder("="), array.dtype)

    def test_what_python_wrote(self):
        array, base = samples.array("float64", (4, 6)), np.arange(24, dtype=">i2").reshape(4, 6)
        for storage in STORAGES:
            with self.subTest(storage=storage):
                masked = np.ma.masked_array(np.arange(6), mask=[0, 1, 0, 0, 1, 1])
                tree = {"array": array, "view": base[::-1, ::2], "whole": base, "masked": masked}
                file = asdf.AsdfFile(tree)
                file.set_array_compression(array, "bzp2")
                for part in (tree["view"], base):
                    file.set_array_save_base(part, True)
                file.write_to(self.path)
                updated = for_update(self.path)
                for key in tree:
                    if storage != "streamed" or key == "array":
                        updated.root().set_storage(key, storage)
                save(updated)
                expected = samples.one_nan(array) if storage == "inline" else array
                self.check(expected, storage)
                with asdf.open(self.path, lazy_load=False) as read:
                    for key in ("view", "whole"):
                        self.assertTrue(samples.same_bits(tree[key], np.asarray(read[key])), key)
                    np.testing.assert_array_equal(read["masked"].mask, masked.mask)
                    np.testing.assert_array_equal(read["masked"].compressed(), masked.compressed())
        # Both arrays on the base went into one file.
        self.assertEqual(sum(name.startswith("main.file0") for name in self.names()), 3)

    def test_nulls_become_a_mask(self):
        text = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        text += b"array: !core/ndarray-1.1.0 # kept\n  data: [1, null, 3]\n  datatype: int16\n  shape: [3]\n  note: kept\n...\n"
        self.path.write_bytes(text)
        updated = for_update(self.path)
        updated.root().set_storage("array", "internal")
        save(updated)
        with asdf.open(self.path, lazy_load=False) as read:
            array = np.ma.asarray(read["array"])
            self.assertEqual(array.tolist(), [1, None, 3])
        self.assertIn(b"# kept", self.path.read_bytes())
        self.assertIn(b"note: kept", self.path.read_bytes())

    def test_names(self):
        file = kit.File.new()
        arrays = {f"a{number}": np.arange(number + 1) for number in range(3)}
        for key, array in arrays.items():
            file.root().set_array(key, array, storage=2)
        file.root().set_array("named", np.arange(9), storage=2, external_name="a b#%é:.dat".encode())
        (Path(self.folder.name) / "main.file-0001").write_bytes(b"somebody else's")
        file.write(self.path, external_names=b"{name}-{number}")
        self.assertEqual(
            self.names(),
            ["a b#%é:.dat", "main.file-0000", "main.file-0001", "main.file-0002", "main.file-0003", "main.file.asdf"],
        )
        self.assertEqual((Path(self.folder.name) / "main.file-0001").read_bytes(), b"somebody else's")
        for key, array in (arrays | {"named": np.arange(9)}).items():
            self.assertTrue(samples.same_bits(array, kit_array(self.path, key)))
            self.assertTrue(samples.same_bits(array, python_array(self.path, key)))

    def test_nothing_is_replaced(self):
        for round in range(3):
            file = kit.File.new()
            file.root().set_array("array", np.full(4, round), storage=2)
            file.write(self.path)
            self.check(np.full(4, round), "external")
        # Each main file stays whole until the next one replaces it.
        self.assertEqual(self.names(), ["main.file.asdf", *(f"main.file000{round}.asdf" for round in range(3))])
        file = kit.File.new()
        file.root().set_array("array", np.arange(7), storage=2, external_name=b"main.file0001.asdf")
        with self.assertRaises(kit.Error) as caught:
            file.write(self.path)
        self.assertEqual(caught.exception.status, "ASDF_ERR_FILE_EXISTS")
        self.check(np.full(4, 2), "external")
        # Files made for a main file that could not be written are removed.
        before = self.names()
        file = kit.File.new()
        file.root().set_array("first", np.arange(7), storage=2)
        file.root().set_array("second", np.arange(8), storage=2, external_name=b"main.file0001.asdf")
        with self.assertRaises(kit.Error):
            file.write(self.path)
        self.assertEqual(self.names(), before)

    def test_a_stream_goes_on(self):
        file = kit.File.new()
        file.root().set_array("array", np.arange(6).reshape(2, 3), storage=3)
        file.write(self.path)
        with open(self.path, "ab") as stream:
            stream.write(np.arange(6, 12).tobytes())
        self.check(np.arange(12).reshape(4, 3), "streamed")
        updated = for_update(self.path)
        updated.root().set_array("more", np.arange(2), storage=3)
        save(updated)
        self.assertEqual(storage_of(self.path), "internal")
        self.assertEqual(storage_of(self.path, "more"), "streamed")
        for key, array in (("array", np.arange(12).reshape(4, 3)), ("more", np.arange(2))):
            self.assertTrue(samples.same_bits(array, python_array(self.path, key)))


if __name__ == "__main__":
    unittest.main()
