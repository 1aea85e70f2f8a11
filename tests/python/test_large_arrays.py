"""Arrays written row by row and region by region: Python asdf reads the same content as numpy computes."""

import os
import random
import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import numpy as np

warnings.simplefilter("error")

ROUNDS = int(os.environ.get("ASDFKIT_REGION_WRITES", "3000"))
REAL = [name for name in kit.DATATYPES if name not in ("bool", "complex64", "complex128")]


class Stream(kit.Handle):
    kind = "stream"


def ints(numbers) -> object:
    return (kit.c_int64 * len(numbers))(*numbers)


def python_arrays(path: Path) -> dict:
    with asdf.open(path, validate_checksums=True, lazy_load=False) as file:
        return {key: np.array(value) for key, value in file.tree.items() if hasattr(value, "shape")}


class LargeArrays(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "file.asdf"

    def test_streams_are_what_was_pushed(self):
        chance = random.Random(5)
        # Codecs that Python asdf reads without further packages.
        for codec in (None, b"zlib", b"bzp2", "streamed", "external"):
            for rank in range(4):
                for rows in (0, 1, 7, 3000):
                    with self.subTest(codec=codec, rank=rank, rows=rows):
                        self.path = self.path.with_name(f"{codec}{rank}{rows}.asdf")
                        name = chance.choice(sorted(kit.DATATYPES))
                        row = [chance.randrange(1, 5) for _ in range(rank)]
                        array = np.arange(rows * int(np.prod(row, dtype=int))).astype(name).reshape(rows, *row)
                        storage = {"storage": kit.STORAGES[codec]} if isinstance(codec, str) else {}
                        compression = kit.compressed(codec) if isinstance(codec, bytes) else {}
                        order = chance.choice(sorted(kit.BYTE_ORDERS.values()))
                        options = kit.Options(byte_order=order, durable=0, **storage, **compression)
                        file = kit.File("asdf_file_new", None)
                        place = (bytes(self.path), b"rows", kit.DATATYPES[name], rank, ints(row))
                        stream = Stream("asdf_stream_create", file, *place, options)
                        done = 0
                        while done < rows:
                            count = min(chance.choice((1, 2, 700)), rows - done)
                            part = np.ascontiguousarray(array[done : done + count])
                            kit.call("asdf_stream_push", stream, count, part.ctypes.data, part.nbytes)
                            done += count
                        kit.call("asdf_stream_finish", stream)
                        found = python_arrays(self.path)["rows"]
                        self.assertEqual((found.shape, found.dtype.name), (array.shape, name))
                        np.testing.assert_array_equal(found, array)

    def test_zeros_are_zeros(self):
        file = kit.File("asdf_file_new", None)
        kit.call("asdf_node_set_array_zeros", file.root(), b"a", kit.DATATYPES["float32"], 2, ints((300, 400)), None)
        kit.call("asdf_file_write", file, bytes(self.path), None)
        np.testing.assert_array_equal(python_arrays(self.path)["a"], np.zeros((300, 400), "f4"))

    def test_regions_are_written_as_numpy_assigns(self):
        chance = random.Random(int(os.environ.get("ASDFKIT_SEED", "11")))
        for _ in range(max(1, ROUNDS // 30)):
            name = chance.choice(REAL)
            shape = [chance.randrange(1, 12) for _ in range(chance.randrange(0, 5))]
            expected = np.arange(int(np.prod(shape, dtype=int))).astype(name).reshape(shape)
            order = chance.choice(sorted(kit.BYTE_ORDERS.values()))
            stored = chance.choice((0, 1))
            file = kit.File("asdf_file_new", None)
            options = kit.Options(byte_order=order, stored_order=stored)
            arguments = (kit.DATATYPES[name], len(shape), ints(shape), expected.ctypes.data, expected.nbytes, options)
            kit.call("asdf_node_set_array", file.root(), b"a", *arguments)
            waits = chance.random() < 0.2
            if not waits:
                kit.call("asdf_file_write", file, bytes(self.path), kit.Options(durable=0, replace=1))
                file = kit.File("asdf_file_open_for_update", bytes(self.path), kit.Options(durable_regions=0))
            array = file.root().array("a")
            before = expected.copy()
            for _ in range(30):
                expected = self.write_some(chance, array, expected)
            np.testing.assert_array_equal(array.read(), expected)
            if waits:
                kit.call("asdf_file_write", file, bytes(self.path), kit.Options(durable=0, replace=1))
            elif chance.random() < 0.3:
                kit.call("asdf_file_close", file)
                expected = before
            else:
                kit.call("asdf_file_save", file, kit.Options(durable=0))
            found = python_arrays(self.path)["a"]
            np.testing.assert_array_equal(found, expected)

    def write_some(self, chance, array, expected):
        start, count, step = [], [], []
        for extent in expected.shape:
            start.append(chance.randrange(extent))
            step.append(chance.choice((-3, -2, -1, 1, 1, 2, 3)))
            room = start[-1] if step[-1] < 0 else extent - 1 - start[-1]
            count.append(chance.randrange(room // abs(step[-1]) + 2))
        name = chance.choice(REAL)
        # Small integers fit every type.
        elements = np.array([chance.randrange(100) for _ in range(int(np.prod(count, dtype=int)))]).astype(name)
        elements = elements.reshape(count)
        options = {}
        memory = elements
        if chance.random() < 0.3:
            memory, options = np.asfortranarray(elements), {"order": 1}
        elif chance.random() < 0.3 and elements.size:
            wide = np.zeros([2 * extent for extent in count], name)
            wide[tuple(slice(None, None, 2) for _ in count)] = elements
            memory, options = wide, {"strides": [2 * stride for stride in wide.strides]}
        options = kit.Options(**options)
        region = (len(count), ints(start), ints(count), ints(step), kit.DATATYPES[name])
        kit.call("asdf_array_write_region", array, *region, memory.ctypes.data, memory.nbytes, options)
        expected = expected.copy()
        index = np.ix_(*[[s + i * d for i in range(c)] for s, c, d in zip(start, count, step)]) if count else ()
        if elements.size:
            expected[index] = elements.astype(expected.dtype)
        return expected


if __name__ == "__main__":
    unittest.main()
