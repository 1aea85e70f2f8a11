"""Arrays that Python asdf writes and we read: whole, by regions and as views."""

import io
import itertools
import random
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import numpy as np
import samples

warnings.simplefilter("error")


def written(tree: dict, version: str = "1.6.0", **options) -> bytes:
    output = io.BytesIO()
    asdf.AsdfFile(tree, version=version).write_to(output, **options)
    return output.getvalue()


def matrix() -> dict[str, np.ndarray]:
    """Returns each datatype in both byte orders and all shapes."""
    return {
        f"{dtype} {order} {shape}": samples.swapped(samples.array(dtype, shape), order)
        for dtype, order, shape in itertools.product(samples.DTYPES, "<>", samples.SHAPES)
    }


class ArraysRead(unittest.TestCase):
    def check(self, file: bytes, expected: dict[str, np.ndarray], warned: tuple = ()) -> kit.Node:
        opened = kit.File.open(file, verify_checksums=1)
        self.assertEqual([text.split(": ", 1)[1] for text in opened.warnings()], list(warned))
        root = opened.root()
        for key, array in expected.items():
            with self.subTest(key):
                self.assertTrue(samples.same_bits(array, root.array(key).read()))
        return root

    def test_datatype_byte_order_codec_and_rank(self):
        expected = matrix()
        for codec in samples.CODECS:
            with self.subTest(codec=codec):
                # A new dict each time, because the compression is remembered with the arrays.
                root = self.check(written(dict(expected), all_array_compression=codec), expected)
                for key, array in expected.items():
                    if array.dtype.itemsize > 1:
                        big = array.dtype == array.dtype.newbyteorder(">")
                        self.assertEqual(root.array(key).byte_order(), kit.BYTE_ORDERS["big" if big else "little"])

    def test_versions_of_the_standard(self):
        for version in samples.STANDARDS:
            with self.subTest(version=version):
                expected = {key: array for key, array in matrix().items() if "float16" not in key}
                self.check(written(dict(expected), version), expected)

    def test_compressed_in_small_pieces(self):
        noise = samples.array("int32", (20_000,))
        image = (np.add.outer(np.arange(300), np.arange(400)) % 500).astype(">u2")
        for codec, options in [
            ("lz4", {"compression_block_size": 16}),
            ("lz4", {"compression_block_size": 1000}),
            ("lz4", {"mode": "high_compression"}),
            ("lz4", {"mode": "fast", "acceleration": 50}),
            ("bzp2", {"compresslevel": 1}),
            ("zlib", {"level": 0}),
            ("zlib", {"level": 9}),
        ]:
            with self.subTest(codec=codec, **options):
                file = asdf.AsdfFile({"noise": noise, "image": image})
                for array in (noise, image):
                    file.set_array_compression(array, codec, **options)
                output = io.BytesIO()
                file.write_to(output)
                self.check(output.getvalue(), {"noise": noise, "image": image})

    def test_padding_and_no_index(self):
        expected = {key: array for key, array in matrix().items() if "(3, 5)" in key}
        for pad, index, checksums in itertools.product((False, True, 1.1), (True, False), (True, False)):
            with self.subTest(pad=pad, index=index, checksums=checksums):
                options = {"pad_blocks": pad, "include_block_index": index, "write_checksums": checksums}
                # Python reserves room after the last block, too, but does not write it.
                cut = ("the file ends inside the allocated bytes of the block",) if pad and not index else ()
                self.check(written(dict(expected), **options), expected, cut)

    def test_inline(self):
        expected = {
            key: array
            for key, array in matrix().items()
            if array.ndim > 0 and not key.startswith("uint64") and "(0, 4)" not in key and "(2, 0, 3)" not in key
        }
        for key, array in expected.items():
            if array.dtype.kind in "fc":
                expected[key] = samples.one_nan(array)
            elif key.startswith("int64"):
                expected[key] = np.maximum(array, samples.INTEGERS[-1])  # Python writes nothing below
        with asdf.config_context() as config:
            config.array_inline_threshold = 1000
            root = self.check(written(dict(expected)), expected)
        self.assertTrue(all(root.array(key).is_inline() for key in expected))

    def test_memory_orders_and_views(self):
        base = np.arange(4 * 6 * 5, dtype=">i4").reshape(4, 6, 5)
        views = {
            "whole": base, "fortran": np.asfortranarray(base), "transposed": base.T, "rows": base[1:3],
            "steps": base[::2, 1::3, ::-1], "reversed": base[::-1, ::-1, ::-1], "column": base[:, :, 2],
            "diagonal": base[0].diagonal(), "moved": base.swapaxes(0, 1), "one": base[2, 3, 4:5], "none": base[:, 2:2],
        }  # fmt: skip
        for save_base, codec in itertools.product((False, True), samples.CODECS):
            with self.subTest(save_base=save_base, codec=codec), asdf.config_context() as config:
                config.default_array_save_base = save_base
                tree = {**views, "broadcast": np.broadcast_to(base[0, 0], (3, 5))}
                root = self.check(written(tree, all_array_compression=codec), tree)
                blocks = {root.array(key).block() for key in views if key != "fortran"}
                self.assertEqual(len(blocks) == 1, save_base)

    def test_shared_arrays(self):
        array = np.arange(7.0)
        root = self.check(written({"a": array, "b": array, "c": array.copy()}), {"a": array, "b": array, "c": array})
        self.assertEqual(root.get("a").identity(), root.get("b").identity())
        self.assertNotEqual(root.array("a").block(), root.array("c").block())

    def test_streamed(self):
        rows = samples.array("float32", (10, 3, 2))
        for count in (0, 1, 10):
            file = asdf.AsdfFile({"other": rows, "stream": asdf.tags.core.Stream([3, 2], np.float32)})
            output = io.BytesIO()
            file.write_to(output)
            output.write(rows[:count].tobytes())
            self.check(output.getvalue(), {"other": rows, "stream": rows[:count]})

    def test_regions(self):
        generator = random.Random(8)
        arrays = {
            "line": samples.array("int16", (1000,)),
            "plane": samples.array("float64", (37, 41)),
            "cube": samples.swapped(samples.array("uint32", (11, 7, 13)), ">"),
            "four": samples.array("complex64", (3, 5, 4, 6)),
        }
        arrays |= {"turned": arrays["cube"].T, "steps": arrays["plane"][::-2, 1::3]}
        with asdf.config_context() as config:
            config.default_array_save_base = True
            files = {codec: written(dict(arrays), all_array_compression=codec) for codec in samples.CODECS}
            config.array_inline_threshold = 10_000
            files["inline"] = written({key: arrays[key] for key in ("line", "cube", "turned")})
        for name, file in files.items():
            root = kit.File.open(file).root()
            for key in set(arrays) & {root.key(index) for index in range(root.count())}:
                array, handle = arrays[key], root.array(key)
                for _ in range(40):
                    region = [random_range(generator, extent) for extent in array.shape]
                    indices = (start + step * np.arange(count) for start, count, step in region)
                    found = handle.region(*zip(*region, strict=True))
                    self.assertTrue(samples.same_bits(array[np.ix_(*indices)], found), f"{name}: {key} {region}")
                    room = strided_memory(generator, found.shape, found.dtype)
                    whole = room.base.copy()
                    whole_room = np.ndarray(room.shape, room.dtype, whole, offset_of(room), room.strides)
                    whole_room[...] = found
                    handle.region(*zip(*region, strict=True), room)
                    self.assertEqual(room.base.tobytes(), whole.tobytes(), f"{name}: {key} {region} {room.strides}")
                extent, others = array.shape[0], [(0, 1, 1)] * (array.ndim - 1)
                for outside in (
                    (0, extent + 1, 1), (extent, 1, 1), (-1, 1, 1), (0, 2, extent), (1, 2**62, 4),
                    (0, 2, -1), (extent - 1, 2, -extent), (extent, 1, -1), (1, 2**62, -4),
                ):  # fmt: skip
                    with self.assertRaisesRegex(kit.Error, "ASDF_ERR_OUT_OF_RANGE"):
                        handle.region(*zip(outside, *others, strict=True), np.empty(0, array.dtype))

    def test_orders(self):
        arrays = {
            "line": samples.array("int16", (9,)),
            "cube": samples.array("float64", (3, 4, 5)),
            "one": np.array(5.0),
        }
        for codec in samples.CODECS:
            root = kit.File.open(written(dict(arrays), all_array_compression=codec)).root()
            for key, expected in arrays.items():
                self.assertEqual(root.array(key).read(order=0).tobytes("A"), expected.tobytes("C"))
                self.assertEqual(root.array(key).read(order=1).tobytes("A"), expected.tobytes("F"))

    def test_views(self):
        base = np.arange(4 * 6 * 5, dtype="f4").reshape(4, 6, 5)
        arrays = {"whole": base, "transposed": base.T, "steps": base[::-2, 1::3, ::-1], "none": base[:0]}
        with asdf.config_context() as config:
            config.default_array_save_base = True
            file = kit.File.open(
                written({**arrays, "packed": np.arange(3.0), "swapped": base.astype(">f4")}, all_array_compression=None)
            )
        for key, expected in arrays.items():
            array = file.root().array(key)
            try:
                view = array.view()
            except kit.Error as error:  # Python does not align blocks
                self.assertEqual(error.status, "ASDF_ERR_NOT_VIEWABLE")
                continue
            self.assertTrue(samples.same_bits(expected, view.as_numpy("f4", expected.shape)), key)
        with self.assertRaisesRegex(kit.Error, "ASDF_ERR_NOT_VIEWABLE"):
            file.root().array("swapped").view()
        # Our writer aligns, so a view is possible.
        made = kit.File.new()
        made.root().set_array("data", base)
        made.root().copy("copied", file.root().get("steps"))
        again = kit.File.open(made.write_memory())
        for key, expected in (("data", base), ("copied", arrays["steps"])):
            view = again.root().array(key).view()
            self.assertTrue(samples.same_bits(expected, view.as_numpy("f4", expected.shape)))
        kit.call("asdf_file_close", again)
        self.assertTrue(samples.same_bits(expected, view.as_numpy("f4", expected.shape)))

    def test_masks_are_not_overlooked(self):
        root = kit.File.open(written({"masked": np.ma.array([1, 2], mask=[0, 1])})).root()
        with self.assertRaisesRegex(kit.Error, "ASDF_ERR_MASKED"):
            root.array("masked").read("float32")


def random_range(generator: random.Random, extent: int) -> tuple[int, int, int]:
    """Returns start, count and step within an axis: sometimes the whole axis, sometimes nothing, sometimes backwards."""
    step = generator.choice([1, 1, 1, 2, 3, generator.randint(1, extent)])
    start = generator.randint(0, extent - 1)
    backwards = generator.random() < 0.3
    most = (start if backwards else extent - 1 - start) // step + 1
    count = generator.choice([most, most, generator.randint(1, most), generator.randint(0, most)])
    return start, count, -step if backwards else step


def strided_memory(generator: random.Random, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Returns an array of this shape inside a larger one of random bytes: its axes in any order, with gaps, and
    reversed.
    """
    axes = generator.sample(range(len(shape)), len(shape))
    steps = [generator.choice([1, 1, 2, 3]) for _ in axes]
    extents = [max(1, shape[axis]) * step + generator.choice([0, 0, 1]) for axis, step in zip(axes, steps, strict=True)]
    memory = np.frombuffer(generator.randbytes(int(np.prod(extents)) * dtype.itemsize), np.uint8).copy()
    view = memory.view(dtype).reshape(extents)
    view = view[tuple(slice(0, shape[axis] * step, step) for axis, step in zip(axes, steps, strict=True))]
    view = view.transpose(np.argsort(axes))
    view = view[tuple(slice(None, None, generator.choice([1, 1, -1])) for _ in shape)]
    return np.ndarray(view.shape, dtype, memory, offset_of(view), view.strides)


def offset_of(view: np.ndarray) -> int:
    """Returns the bytes from the start of the memory under a view to its first element."""
    base = view
    while base.base is not None:
        base = base.base
    return view.ctypes.data - base.ctypes.data
