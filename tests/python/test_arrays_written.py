"""Arrays that we write and Python asdf reads: checksums and all bits must be right."""

import io
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


def opened(file) -> asdf.AsdfFile:
    return asdf.open(io.BytesIO(file) if isinstance(file, bytes) else file, validate_checksums=True)


def strided_arrays() -> dict[str, np.ndarray]:
    """Returns parts of larger arrays, reversed, transposed, repeated."""
    views = {
        "part": lambda base: base[1:3, 2:, 1:-1],
        "steps": lambda base: base[::2, ::-3, ::-1],
        "transposed": lambda base: base.transpose(1, 2, 0),
        "Fortran": lambda base: np.asfortranarray(base),
        "diagonal": lambda base: np.einsum("iij->ij", base[:, :4]),
        "repeated": lambda base: np.broadcast_to(base[:, None, 0], (4, 3, 5)),
        "overlapping": lambda base: np.lib.stride_tricks.sliding_window_view(base[0, 0], 3),
        "single": lambda base: base[2, 3, 4, ...],
        "none": lambda base: base[:, 2:2],
    }
    bases = {dtype: samples.array(dtype, (4, 6, 5)) for dtype in [*samples.DTYPES, *samples.TEXTS]}
    bases["record"] = samples.array(samples.RECORD, (4, 6, 5))
    return {
        f"{dtype} {name}": view(base) for (dtype, base), (name, view) in itertools.product(bases.items(), views.items())
    }


class ArraysWritten(unittest.TestCase):
    def check(self, found: asdf.AsdfFile, expected: dict[str, np.ndarray]) -> None:
        for key, array in expected.items():
            with self.subTest(key):
                self.assertTrue(samples.same_bits(array, np.asarray(found[key])))

    def matrix(self, codec: str | None, level: int = -1, standard: str = "1.6.0") -> tuple[kit.File, dict]:
        file = kit.File.new(standard)
        root = file.root()
        expected = {}
        dtypes = [*samples.DTYPES, *samples.TEXTS, samples.RECORD]
        for dtype, order, shape in itertools.product(dtypes, kit.BYTE_ORDERS, samples.SHAPES):
            if dtype == "float16" and standard < "1.6.0":
                continue
            key = f"{'record' if dtype is samples.RECORD else dtype} {order} {shape}"
            expected[key] = samples.array(dtype, shape)
            compression = kit.compressed(codec.encode() if codec else None, level)
            root.set_array(key, expected[key], **compression, byte_order=kit.BYTE_ORDERS[order])
        return file, expected

    def test_datatype_byte_order_codec_and_rank(self):
        for codec in samples.CODECS:
            with self.subTest(codec=codec):
                file, expected = self.matrix(codec)
                data = file.write_memory()
                with opened(data) as found:
                    self.check(found, expected)
                    for key, array in expected.items():
                        dtype, order = np.asarray(found[key]).dtype, key.split()[1]
                        self.assertEqual(dtype, dtype.newbyteorder(order))
                        if array.size > 0:  # Python reports none for an empty block
                            self.assertEqual(found.get_array_compression(found[key]), codec)
                again = kit.File.open(data)
                codecs = again.codecs()
                self.assertEqual(sum(again.verify()), len(expected))
                self.assertEqual(again.warnings(), [])
                for key, array in expected.items():
                    found = again.root().array(key)
                    self.assertTrue(samples.same_bits(array, found.read(array.dtype)), key)
                    self.assertEqual(codecs[found.block()], codec or "" if array.size else "", key)

    def test_large_arrays_with_each_level(self):
        noise = samples.array("float32", (300, 1000))
        image = (np.add.outer(np.arange(1500), np.arange(1000)) % 1000).astype("uint16")
        levels = {None: [-1], "zlib": [-1, 0, 1, 6, 9], "bzp2": [-1, 1, 9], "lz4": [-1]}
        file = kit.File.new()
        expected = {}
        for codec, name in itertools.product(levels, ("noise", "image")):
            for level in levels[codec]:
                key = f"{name} {codec} {level}"
                expected[key] = noise if name == "noise" else image
                file.root().set_array(key, expected[key], **kit.compressed(codec.encode() if codec else None, level))
        with opened(file.write_memory()) as found:
            self.check(found, expected)

    def test_versions_of_the_standard(self):
        for standard in samples.STANDARDS:
            with self.subTest(standard=standard):
                file, expected = self.matrix("zlib", standard=standard)
                with opened(file.write_memory()) as found:
                    self.assertEqual(found.version_string, standard)
                    self.check(found, expected)
                if standard < "1.6.0":
                    with self.assertRaisesRegex(kit.Error, "ASDF_ERR_UNSUPPORTED.*float16"):
                        file.root().set_array("half", samples.array("float16", (2,)))
                    with self.assertRaisesRegex(kit.Error, "ASDF_ERR_INCOMPLETE"):
                        file.write_memory()

    def test_inline(self):
        file = kit.File.new()
        expected = {}
        for dtype, shape in itertools.product(samples.DTYPES, samples.SHAPES):
            array = samples.array(dtype, shape)
            if dtype == "uint64":
                array >>= np.uint64(1)
            if dtype in samples.FLOATS:
                array = samples.one_nan(array)
            if shape == ():
                with self.assertRaises(kit.Error):
                    file.root().set_array("refused", array, storage=kit.STORAGES["inline"])
                kit.call("asdf_file_forget_failure", file)
                continue
            expected[f"{dtype} {shape}"] = array
            file.root().set_array(f"{dtype} {shape}", array, storage=kit.STORAGES["inline"])
        data = file.write_memory()
        with opened(data) as found:
            for key, array in expected.items():
                read = np.asarray(found[key])
                self.assertTrue(
                    samples.same_bits(array, samples.one_nan(read) if array.dtype.kind in "fc" else read), key
                )
            self.assertEqual(found.get_array_storage(found["int8 (3, 5)"]), "inline")
        again = kit.File.open(data)
        self.assertEqual(again.codecs(), [])
        for key, array in expected.items():
            self.assertTrue(samples.same_bits(array, again.root().array(key).read(array.dtype)), key)

    def test_layouts(self):
        arrays = {
            f"{dtype} {shape}": samples.array(dtype, shape) for dtype in samples.DTYPES for shape in samples.SHAPES[:5]
        }
        for alignment, tree_slack, block_index, checksums, slack in [
            (1, 0, 1, 1, 0), (64, None, 0, 0, 0), (4096, 10_000, 1, 0, 100), (8, 1, 0, 1, 1), (512, None, 1, 1, 5000),
        ]:  # fmt: skip
            layout = {
                "alignment": alignment,
                "tree_slack": tree_slack,
                "block_index": block_index,
                "checksums": checksums,
            }
            with self.subTest(slack=slack, **layout):
                file = kit.File.new()
                for index, (key, array) in enumerate(arrays.items()):
                    codec = samples.CODECS[index % 4]
                    file.root().set_array(
                        key, array, **kit.compressed(codec.encode() if codec else None), block_slack=slack
                    )
                data = file.write_memory(**layout)
                with opened(data) as found:
                    self.check(found, arrays)
                self.assertEqual(b"#ASDF BLOCK INDEX" in data, block_index == 1)
                again = kit.File.open(data, verify_checksums=1)
                self.assertEqual(again.warnings(), [])
                self.assertEqual(again.verify()[0], 0 if checksums else len(arrays))
                for index in range(len(arrays)):
                    offset = kit.value_of(kit.c_int64, "asdf_file_block_payload_offset", again, index)
                    self.assertEqual(offset % alignment, 0)

    def test_file_on_disk(self):
        file, expected = self.matrix("lz4")
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "a b é.asdf"
            path.write_text("what was there before")
            file.write(path)
            self.assertEqual([entry.name for entry in Path(directory).iterdir()], [path.name])
            again = kit.File.open(path)
            for memmap in (False, True):
                with asdf.open(path, memmap=memmap, validate_checksums=True) as found:
                    self.check(found, expected)
            kit.File.new().write(path)  # the open file keeps its content from opening
            for key, array in expected.items():
                self.assertTrue(samples.same_bits(array, again.root().array(key).read(array.dtype)), key)

    def test_as_they_lie_in_memory(self):
        for codec, (order, number), borrowed, stored in itertools.product(
            samples.CODECS, kit.BYTE_ORDERS.items(), (False, True), (0, 1)
        ):
            with self.subTest(codec=codec, order=order, borrowed=borrowed, stored=stored):
                file = kit.File.new()
                expected = strided_arrays()
                for key, array in expected.items():
                    how = {"byte_order": number, "stored_order": stored}
                    how |= kit.compressed(codec.encode() if codec else None)
                    file.root().set_array(key, array, borrowed, **how)
                data = file.write_memory()
                with opened(data) as found:
                    self.check(found, expected)
                    for key, array in expected.items():
                        read = np.asarray(found[key])
                        self.assertTrue(read.flags.f_contiguous if stored else read.flags.c_contiguous, key)
                self.assertEqual(kit.File.open(data).warnings(), [])

    def test_strided_inline(self):
        file = kit.File.new()
        expected = strided_arrays()
        for key, array in expected.items():
            if array.dtype.kind in "iu" and array.itemsize < 8 and array.ndim > 0:
                file.root().set_array(key, array, storage=kit.STORAGES["inline"])
        with opened(file.write_memory()) as found:
            arrays = {key: expected[key] for key in expected if key in found}
            self.assertGreater(len(arrays), 10)
            self.check(found, arrays)

    def test_borrowed(self):
        array = samples.array("float64", (100, 100))
        file = kit.File.new()
        file.root().set_array("data", array, borrowed=True)
        with opened(file.write_memory()) as found:
            self.check(found, {"data": array})

    def test_checksum_of_one_array(self):
        file = kit.File.new()
        for index, checksum in enumerate((-1, 0, 1)):
            file.root().set_array(
                f"array {index}",
                samples.array("int16", (9,)),
                **({} if checksum == -1 else {"block_checksum": checksum}),
            )
        self.assertEqual(kit.File.open(file.write_memory()).verify()[0], 1)
        self.assertEqual(kit.File.open(file.write_memory(checksums=0)).verify()[0], 2)

    def test_core_of_python_updates_our_files(self):
        """Python rewrites a file of ours in place, and we read the result."""
        file, expected = self.matrix(None)
        data = io.BytesIO(file.write_memory(tree_slack=5000))
        with asdf.open(data, mode="rw") as found:
            found["added"] = {"text": "new", "array": np.arange(10)}
            found.update()
        again = kit.File.open(data.getvalue())
        self.assertEqual(again.warnings(), [])
        self.assertEqual(again.root().get("added/text").string(), "new")
        self.assertTrue(samples.same_bits(np.arange(10), again.root().array("added/array").read()))
        for key, array in expected.items():
            self.assertTrue(samples.same_bits(array, again.root().array(key).read(array.dtype)), key)
