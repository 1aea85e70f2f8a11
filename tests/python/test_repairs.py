"""Files that we compacted, repaired or recovered, read by Python asdf."""

import ctypes
import os
import shutil
import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import numpy as np

REFERENCE_FILES = Path(os.environ["ASDFKIT_REFERENCE_FILES"])
# Bytes between two cuts, and some codes of losses.
STEP = int(os.environ.get("ASDFKIT_RECOVER_STEP", "101"))
TREE, ARRAY, ARRAY_END = "L-TREE", "L-ARRAY", "L-ARRAY-END"


def arrays_of(file: asdf.AsdfFile) -> dict[str, np.ndarray]:
    """Returns the arrays at the top of a tree."""
    values = {key: value for key, value in file.tree.items() if key not in ("asdf_library", "history")}
    return {key: np.array(value) for key, value in values.items() if hasattr(value, "dtype")}


class Repairs(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "file.asdf"
        warnings.simplefilter("ignore")

    def opened(self) -> kit.File:
        return kit.File("asdf_file_open_for_update", os.fsencode(self.path), None)

    def assert_same(self, expected: dict[str, np.ndarray]) -> None:
        with asdf.open(self.path, validate_checksums=True) as file:
            found = arrays_of(file)
        self.assertEqual(sorted(found), sorted(expected))
        for key, value in expected.items():
            np.testing.assert_array_equal(found[key], value)

    def test_compacting_reference_files(self):
        for source in sorted(REFERENCE_FILES.glob("1.[36].0/*.asdf")):
            if "exploded" in source.name or "compressed" in source.name:
                continue
            with self.subTest(source.name), asdf.open(source) as file:
                expected = arrays_of(file)
                shutil.copy(source, self.path)
                kit.call("asdf_file_compact", self.opened(), None)
                self.assert_same(expected)

    def test_compacting_after_arrays_went(self):
        arrays = {f"a{number}": np.arange(100.0) + number for number in range(10)}
        asdf.AsdfFile(dict(arrays)).write_to(self.path)
        file = self.opened()
        for number in (0, 3, 4, 9):
            kit.call("asdf_node_remove", file.root(), f"a{number}".encode())
            del arrays[f"a{number}"]
        kit.call("asdf_file_save", file, None)
        self.assertEqual(self.path.read_bytes().count(b"\xd3BLK"), 10)
        kit.call("asdf_file_compact", file, None)
        self.assertEqual(self.path.read_bytes().count(b"\xd3BLK"), 6)
        self.assert_same(arrays)
        del file
        # Python updates the compacted file, and we compact the result.
        with asdf.open(self.path, mode="rw") as python:
            python["new"] = np.arange(7)
            python.update()
        arrays["new"] = np.arange(7)
        kit.call("asdf_file_compact", self.opened(), None)
        self.assert_same(arrays)

    def repair(self, what: int) -> tuple[bool, int]:
        index, checksums = ctypes.c_int32(), ctypes.c_int64()
        kit.call("asdf_file_repair", self.opened(), what, None, ctypes.byref(index), ctypes.byref(checksums))
        return bool(index.value), checksums.value

    def test_checksums_of_earlier_writers(self):
        """The reference files have checksums of the decoded bytes, which Python refuses when it verifies."""
        source = REFERENCE_FILES / "1.6.0" / "compressed.asdf"
        shutil.copy(source, self.path)
        with asdf.open(source) as file:
            expected = arrays_of(file)
        self.assertEqual(self.repair(1 | 2 | 8), (False, 0))
        self.assertEqual(self.repair(4), (False, 2))
        self.assert_same(expected)
        before, after = source.read_bytes(), self.path.read_bytes()
        self.assertEqual(len(before), len(after))
        self.assertLessEqual(sum(old != new for old, new in zip(before, after)), 32)

    def test_an_index_that_python_wrote(self):
        expected = {f"a{number}": np.arange(100.0) + number for number in range(10)}
        asdf.AsdfFile(dict(expected)).write_to(self.path)
        whole = self.path.read_bytes()
        self.assertEqual(self.repair(15), (False, 0))
        at = whole.index(b"#ASDF BLOCK INDEX")
        for damaged in (whole[:at], whole[: at + 40], whole[:-30] + b"9" + whole[-29:], whole + b"\0" * 20):
            self.path.write_bytes(damaged)
            self.assertEqual(self.repair(1), (True, 0))
            self.assertEqual(self.path.read_bytes(), whole)
            self.assert_same(expected)

    def test_python_opens_what_is_left_of_files_that_were_cut(self):
        damaged = self.path.with_name("damaged.asdf")
        options = kit.Options(durable=0, replace=1)
        for source in sorted(REFERENCE_FILES.glob("1.[36].0/*.asdf")):
            if "exploded" in source.name or "stream" in source.name:
                continue
            with asdf.open(source) as file:
                whole = arrays_of(file)
            content = source.read_bytes()
            for cut in [*range(7, len(content), STEP), len(content)]:
                with self.subTest(source.name, cut=cut):
                    damaged.write_bytes(content[:cut])
                    names = os.fsencode(damaged), os.fsencode(self.path)
                    try:
                        losses = kit.Report("asdf_file_recover", *names, 0, options).entries()
                    except kit.Error as error:
                        self.assertIn(
                            error.status.removeprefix("ASDF_ERR_"), ("NOT_ASDF", "VERSION", "LAYOUT", "TRUNCATED")
                        )
                        continue
                    told = {loss["path"][1:]: loss["code"] for loss in losses if "path" in loss}
                    tree_is_cut = any(loss["code"] == TREE for loss in losses)
                    with asdf.open(self.path) as file:
                        for key, before in whole.items():
                            if key not in file:
                                self.assertTrue(tree_is_cut)
                            elif told.get(key) == ARRAY:
                                with self.assertRaises(Exception):
                                    np.array(file[key])
                            else:
                                now = np.array(file[key])
                                self.assertEqual(len(now) < len(before), told.get(key) == ARRAY_END)
                                np.testing.assert_array_equal(now, before[: len(now)])
                        if losses:
                            entry = file.get_history_entries()[-1]
                            self.assertIn("recovered from a damaged file", entry["description"])
                    if cut == len(content):
                        self.assertEqual(losses, [])


if __name__ == "__main__":
    unittest.main()
