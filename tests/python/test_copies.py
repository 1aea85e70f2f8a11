"""Nodes of files of Python asdf, copied into new files that Python asdf reads."""

import io
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import numpy as np
import samples

warnings.simplefilter("error")


def source() -> tuple[bytes, dict]:
    base = np.arange(24, dtype=">i2").reshape(4, 6)
    shared = {"name": "shared", "array": samples.array("float32", (5,))}
    tree = {
        "arrays": {
            f"{dtype} {shape}": samples.array(dtype, shape) for dtype in samples.DTYPES for shape in samples.SHAPES
        },
        "views": [base, base[::-1, ::2], base.T],
        "inline": np.arange(3),
        "strings": samples.STRINGS,
        "numbers": [samples.INTEGERS, samples.DOUBLES, samples.COMPLEXES],
        "trees": [samples.random_tree(seed) for seed in range(2000, 2020)],
        "integers": [asdf.IntegerType(value) for value in samples.LARGE_INTEGERS],
        "shared": [shared, shared],
        "keys": {3: "integer", "3": "string", True: "bool", 2: {False: None}},
        "bytes": b"\x00\xff",
    }
    output = io.BytesIO()
    file = asdf.AsdfFile(tree)
    for index, array in enumerate(tree["arrays"].values()):
        file.set_array_compression(array, samples.CODECS[index % 4])
    file.set_array_storage(tree["inline"], "inline")
    for array in tree["views"]:
        file.set_array_save_base(array, True)
    file.write_to(output)
    return output.getvalue(), tree


class Copies(unittest.TestCase):
    def check(self, file: bytes, data: bytes, tree: dict) -> asdf.AsdfFile:
        original = asdf.open(io.BytesIO(data))
        found = asdf.open(io.BytesIO(file), validate_checksums=True)
        for key, array in tree["arrays"].items():
            self.assertTrue(samples.same_bits(array, np.asarray(found["copy"]["arrays"][key])), key)
        for expected, array in zip(tree["views"], found["copy"]["views"], strict=True):
            self.assertTrue(samples.same_bits(expected, np.asarray(array)))
        self.assertTrue(samples.same_bits(tree["inline"], np.asarray(found["copy"]["inline"])))
        for key in ("strings", "numbers", "trees"):  # Python has sorted the keys
            self.assertIsNone(samples.difference(original[key], found["copy"][key]))
        self.assertEqual([int(value) for value in found["copy"]["integers"]], samples.LARGE_INTEGERS)
        self.assertEqual(samples.typed(found["copy"]["keys"]), samples.typed(tree["keys"]))
        self.assertEqual(found["copy"]["bytes"], tree["bytes"])
        first, second = found["copy"]["shared"]
        self.assertIs(first, second)
        self.assertTrue(samples.same_bits(tree["shared"][0]["array"], np.asarray(first["array"])))
        return found

    def test_a_tree_at_once(self):
        data, tree = source()
        made = kit.File.new()
        made.root().set_string("before", "x")
        made.root().set_array("own", np.arange(5))
        made.root().copy("copy", kit.File.open(data).root())
        made.root().set_array("later", np.arange(6))
        file = made.write_memory()
        found = self.check(file, data, tree)
        self.assertTrue(samples.same_bits(np.arange(5), np.asarray(found["own"])))
        self.assertTrue(samples.same_bits(np.arange(6), np.asarray(found["later"])))
        # Blocks are copied in their stored form.
        self.assertEqual(sorted(kit.File.open(file).codecs()), sorted(kit.File.open(data).codecs() + ["", ""]))

    def test_a_tree_piece_by_piece(self):
        data, tree = source()
        root = kit.File.open(data).root()
        made = kit.File.new()
        for key in tree:
            made.root().copy(f"copy/{key}", root.get(key))
        self.check(made.write_memory(), data, tree)

    def test_streamed_and_recursive(self):
        rows = samples.array("float32", (4, 3))
        recursive: dict = {"rows": asdf.tags.core.Stream([3], np.float32), "list": []}
        recursive["list"].append(recursive)
        output = io.BytesIO()
        asdf.AsdfFile({"value": recursive}).write_to(output)
        output.write(rows.tobytes())
        made = kit.File.new()
        made.root().copy("copy", kit.File.open(output.getvalue()).root().get("value"))
        made.root().set_array("more", rows)
        found = asdf.open(io.BytesIO(made.write_memory()), validate_checksums=True)
        self.assertIs(found["copy"]["list"][0], found["copy"])
        for array in (found["copy"]["rows"], found["more"]):
            self.assertTrue(samples.same_bits(rows, np.asarray(array)))

    def test_a_copy_of_a_copy(self):
        data, tree = source()
        node = kit.File.open(data).root()
        for _ in range(3):
            made = kit.File.new()
            made.root().copy("copy", node)
            file = made.write_memory()
            node = kit.File.open(file).root().get("copy")
        self.check(file, data, tree)
