"""Arrays assembled from chunk maps with Python's own codecs and numpy, and nothing else of ours."""

import bz2
import io
import tempfile
import unittest
import warnings
import zlib
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import lz4.block
import numpy as np
import samples

warnings.simplefilter("error")

DECODE = {"": bytes, "zlib": zlib.decompress, "bzp2": bz2.decompress, "lz4": lz4.block.decompress}


def assembled(array: kit.Array, file: bytes) -> np.ndarray:
    """Returns the elements, assembled byte by byte from their chunks."""
    dtype = array.dtype().newbyteorder("<>"[array.byte_order()])
    pieces = np.zeros((*array.shape(), dtype.itemsize), np.uint8)
    seen = np.zeros(pieces.shape, bool)
    chunks = array.chunks()
    for index in range(chunks.count()):
        offset, length, decoded_length = chunks.bytes(index)
        decoded = DECODE[chunks.codec()](file[offset : offset + length])
        assert len(decoded) == decoded_length
        origin, shape, first, is_complete = chunks.elements(index)
        box = tuple(slice(start, start + count) for start, count in zip(origin, shape, strict=True))
        steps = (*array.strides(), 1)
        places = np.full((*shape, dtype.itemsize), first)
        for axis, step in enumerate(steps):
            places += step * np.arange(places.shape[axis]).reshape([-1 if a == axis else 1 for a in range(len(steps))])
        inside = (places >= 0) & (places < decoded_length)
        assert inside.any() and (inside.all() or not is_complete)
        assert not (seen[box] & inside).any()
        seen[box] |= inside
        pieces[box][inside] = np.frombuffer(decoded, np.uint8)[places[inside]]
    assert seen.all()
    return pieces.view(dtype).reshape(array.shape())


class ChunkMaps(unittest.TestCase):
    def test_arrays_from_their_chunks(self):
        cube = samples.array("float64", (4, 6, 5))
        plane = (np.add.outer(np.arange(300), np.arange(400)) % 500).astype(">u2")
        arrays = {
            "plane": plane, "cube": cube, "turned": cube.T, "steps": cube[::-2, 1::3, ::-1],
            "backwards": plane[::-1, 5:100:7], "line": plane[7], "column": plane[:, 7], "none": plane[:0],
        }  # fmt: skip
        for codec, options in [
            (None, {}), ("zlib", {}), ("bzp2", {}), ("lz4", {}),
            ("lz4", {"compression_block_size": 10_000}), ("lz4", {"compression_block_size": 501}),
        ]:  # fmt: skip
            with self.subTest(codec=codec, **options), asdf.config_context() as config:
                config.default_array_save_base = True
                made = asdf.AsdfFile(dict(arrays))
                for array in arrays.values():
                    made.set_array_compression(array, codec, **options)
                output = io.BytesIO()
                made.write_to(output)
                file = output.getvalue()
                root = kit.File.open(file).root()
                for key, expected in arrays.items():
                    array = root.array(key)
                    self.assertTrue(samples.same_bits(expected, assembled(array, file)), key)
                    self.assertEqual(array.chunks().file(), "")
                    self.assertEqual(array.chunks().codec(), (codec or "") if expected.size else "")
                if options.get("compression_block_size") == 501:
                    self.assertEqual(root.array("plane").chunks().count(), -(-plane.nbytes // 501))
                    self.assertLess(root.array("line").chunks().count(), 4)

    def test_the_file_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "exploded.asdf"
            asdf.AsdfFile({"data": np.arange(5.0)}).write_to(path, all_array_storage="external")
            options = kit.Options(access=1)
            array = kit.File("asdf_file_open", bytes(path), options).root().array("data")
            name = Path(array.chunks().file())
            self.assertEqual(name.resolve(), (Path(directory) / "exploded0000.asdf").resolve())
            self.assertTrue(samples.same_bits(np.arange(5.0), assembled(array, name.read_bytes())))
