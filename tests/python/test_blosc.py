"""Blosc chunks of the packages blosc and blosc2 that we read, and the other way round."""

import io
import itertools
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import blosc
import blosc2
import numpy as np
import samples
from asdf.extension import Compressor, Extension

HEADER = b"""#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
data: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: little, shape: [NUMBER]}
...
"""
CODECS2 = [blosc2.Codec.BLOSCLZ, blosc2.Codec.LZ4, blosc2.Codec.LZ4HC, blosc2.Codec.ZLIB, blosc2.Codec.ZSTD]
NONE, BYTES, BITS, DELTA = (blosc2.Filter[name] for name in ("NOFILTER", "SHUFFLE", "BITSHUFFLE", "DELTA"))
PIPELINES = [[NONE], [BYTES], [BITS], [DELTA], [DELTA, BYTES], [DELTA, BITS], [BYTES, BITS], [BITS, BYTES]]


class Bls2(Compressor):
    """A codec of asdf-compression that its release does not have yet."""

    label = b"bls2"

    def compress(self, data, **options):
        yield blosc2.compress2(data, **options)

    def decompress(self, data, out, **options):
        out[:] = blosc2.decompress2(b"".join(data))
        return out.nbytes


class Bls2Extension(Extension):
    extension_uri = "asdf://asdf-format.org/compression/extensions/bls2-1.0.0"
    compressors = (Bls2(),)


def chunk_file(label: bytes, payload: bytes, size: int) -> bytes:
    sizes = b"".join(number.to_bytes(8, "big") for number in (len(payload), len(payload), size))
    return HEADER.replace(b"NUMBER", b"%d" % size) + b"\xd3BLK\0\x30\0\0\0\0" + label + sizes + bytes(16) + payload


def inputs(item: int) -> dict[str, bytes]:
    """Returns data of all kinds, with full blocks, short blocks, and blocks that end inside an element."""
    random = np.random.default_rng(item)
    smooth = (
        np.cumsum(random.integers(0, 3, 10_000)).astype("<u8").view("u1").reshape(-1, 8)[:, : min(item, 8)].tobytes()
    )
    return {
        "one": b"x",
        "short": bytes(range(96)),
        "zeros": bytes(10_000 * item),
        "value": bytes(range(1, item + 1)) * 5_000,
        "smooth": smooth,
        "cut": smooth[: 20_001 * min(item, 4) + item // 2],
        "noise": random.bytes(30_000),
        "far": random.bytes(10_000) + smooth[:5_000] + random.bytes(50) * 300 + smooth[:6_000] + random.bytes(999),
    }


class Blosc(unittest.TestCase):
    def check(self, label: bytes, payload: bytes, data: bytes) -> None:
        array = kit.File.open(chunk_file(label, payload, len(data))).root().array("data")
        for threads in (1, 3):
            self.assertEqual(array.read(threads=threads).tobytes(), data)
        start, count = len(data) // 3, (len(data) - len(data) // 3 + 6) // 7
        self.assertEqual(array.region((start,), (count,), (7,)).tobytes(), data[start::7])

    def test_chunks_of_format_1(self):
        self.addCleanup(blosc.set_blocksize, 0)
        for name, shuffle, item, level in itertools.product(
            blosc.compressor_list(), (blosc.NOSHUFFLE, blosc.SHUFFLE, blosc.BITSHUFFLE), (1, 3, 4, 8, 17), (0, 9)
        ):
            for kind, data in inputs(item).items():
                blosc.set_blocksize({1: 0, 9: 4096}.get(level, 0))
                with self.subTest(codec=name, shuffle=shuffle, item=item, level=level, data=kind):
                    payload = blosc.compress(data, typesize=item, clevel=level, shuffle=shuffle, cname=name)
                    self.assertEqual(payload[0], 2)
                    self.check(b"blsc", payload, data)

    def test_chunks_of_format_2(self):
        for codec, pipeline, item, (level, block) in itertools.product(
            CODECS2, PIPELINES, (1, 4, 12), ((0, 0), (5, 4080), (9, 0))
        ):
            for kind, data in inputs(item).items():
                if DELTA in pipeline:
                    # blosc2 loses the rest of an element that is cut short.
                    data = data[: len(data) // item * item] or bytes(item)
                settings = {"codec": codec, "clevel": level, "typesize": item, "blocksize": block, "nthreads": 1}
                settings |= {"filters": pipeline, "filters_meta": [0] * len(pipeline)}
                with self.subTest(pipeline=pipeline, data=kind, **settings):
                    payload = blosc2.compress2(data, **settings)
                    self.assertEqual(payload[0], 5)
                    self.check(b"bls2", payload, data)

    def test_special_values(self):
        for array in (np.full(5000, np.nan, "f4"), np.full(5000, np.nan), np.full(5000, 7, "i2"), np.zeros(9, "i1")):
            payload = blosc2.compress2(array, typesize=array.itemsize)
            self.check(b"bls2", payload, array.tobytes())

    def test_what_is_not_supported_is_named(self):
        data = np.arange(10_000, dtype="u4")
        for settings, name in [
            ({"filters": [blosc2.Filter.BYTEDELTA], "filters_meta": [4]}, "bytedelta"),
            ({"use_dict": True, "codec": blosc2.Codec.ZSTD}, "a dictionary"),
        ]:
            payload = blosc2.compress2(data, typesize=4, **settings)
            with self.assertRaisesRegex(kit.Error, f"ASDF_ERR_UNSUPPORTED.*{name}"):
                self.check(b"bls2", payload, data.tobytes())
        frame = blosc2.asarray(data.reshape(100, 100)).to_cframe()
        with self.assertRaisesRegex(kit.Error, "ASDF_ERR_UNSUPPORTED.*n-dimensional"):
            self.check(b"bls2", frame, data.tobytes())

    def test_frames(self):
        for codec, item, chunk in itertools.product((blosc2.Codec.LZ4, blosc2.Codec.ZSTD), (1, 4, 8), (3000, 40_000)):
            for kind, data in inputs(item).items():
                data = data[: len(data) // item * item]
                settings = blosc2.CParams(typesize=item, codec=codec)
                for label, meta in ((b"bls2", {}), (b"bsc2", {"units": "km"})):
                    with self.subTest(codec=codec, item=item, chunk=chunk, data=kind, label=label):
                        frame = blosc2.SChunk(chunksize=chunk // item * item, data=data, cparams=settings, meta=meta)
                        frame.vlmeta["more"] = [1, 2]
                        self.check(label, frame.to_cframe(), data)

    def test_frames_of_special_values(self):
        for item, kind, value in itertools.product((4, 8), blosc2.SpecialValue, (7,)):
            if kind == blosc2.SpecialValue.NOT_SPECIAL:
                continue
            frame = blosc2.SChunk(chunksize=4096, cparams=blosc2.CParams(typesize=item))
            frame.fill_special(5000, kind, value if kind == blosc2.SpecialValue.VALUE else None)
            data = bytes(5000 * item) if kind == blosc2.SpecialValue.UNINIT else frame[:]
            with self.subTest(item=item, kind=kind):
                self.check(b"bls2", frame.to_cframe(), data)
        # Chunks that are not in the order of their numbers.
        data = np.arange(9000, dtype="u4")
        frame = blosc2.SChunk(chunksize=4000, data=data, cparams=blosc2.CParams(typesize=4))
        frame.update_data(2, np.random.default_rng(1).integers(0, 1 << 30, 1000, dtype="u4"), copy=True)
        frame.insert_data(3, np.arange(1000, dtype="u4"), copy=True)
        self.check(b"bls2", frame.to_cframe(), frame[:])
        self.check(b"bls2", blosc2.SChunk(chunksize=4000).to_cframe(), b"")

    def test_chunks_after_their_sizes(self):
        """The framing of AbacusSummit."""
        for name, size in itertools.product(blosc.compressor_list(), (1000, 20_000, 1 << 20)):
            for kind, data in inputs(4).items():
                pieces = [data[start : start + size] for start in range(0, len(data), size)]
                chunks = [blosc.compress(piece, typesize=4, clevel=1, cname=name) for piece in pieces]
                payload = b"".join(len(chunk).to_bytes(4, "big") + chunk for chunk in chunks)
                with self.subTest(codec=name, size=size, data=kind):
                    self.check(b"blsc", payload, data)

    def test_damage_never_passes_unseen_sizes(self):
        random = np.random.default_rng(1)
        data = inputs(4)["smooth"][:9000]
        for payload in (
            blosc.compress(data, typesize=4, cname="blosclz"),
            blosc2.compress2(data, typesize=4, codec=blosc2.Codec.ZSTD, filters=[DELTA, BITS], filters_meta=[0, 0]),
            blosc2.SChunk(chunksize=2000, data=data, cparams=blosc2.CParams(typesize=4)).to_cframe(),
            b"".join(
                len(chunk).to_bytes(4, "big") + chunk
                for chunk in (blosc.compress(part, typesize=4) for part in (data[:5000], data[5000:]))
            ),
        ):
            label = b"blsc" if payload[0] in (0, 2) else b"bls2"
            for _ in range(1000):
                damaged = bytearray(payload)
                for place in random.integers(0, len(payload), 3):
                    damaged[place] = random.integers(256)
                array = kit.File.open(chunk_file(label, bytes(damaged), len(data))).root().array("data")
                try:
                    self.assertEqual(array.read().nbytes, len(data))
                except kit.Error as error:
                    self.assertIn(error.status[9:], ("CORRUPT", "TRUNCATED", "DECODED_SIZE", "UNSUPPORTED", "LIMIT"))

    def test_written_chunks(self):
        arrays = {}
        file = kit.File.new()
        for dtype, size, codec in itertools.product(samples.DTYPES, (1, 100, 300_001), ("blsc", "bls2")):
            key = f"{codec} {dtype} {size}"
            step = np.arange(size) // 10 % 100
            arrays[key] = step.astype(dtype) if size % 2 else samples.array(dtype, (size,))
            file.root().set_array(key, arrays[key], **kit.compressed(codec.encode()))
        data = file.write_memory()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with asdf.config_context() as config:
                config.add_extension(Bls2Extension())
                with asdf.open(io.BytesIO(data), validate_checksums=True) as found:
                    for key, array in arrays.items():
                        self.assertTrue(samples.same_bits(array, np.asarray(found[key])), key)
                        self.assertEqual(found.get_array_compression(found[key]), key.split()[0])
        again = kit.File.open(data)
        for key, array in arrays.items():
            self.assertTrue(samples.same_bits(array, again.root().array(key).read()), key)
        self.assertLess(len(data), sum(array.nbytes for array in arrays.values()) / 3)

    def test_options(self):
        """Each inner codec, filter, level and type size, which the packages decode."""
        key = itertools.count()
        for item, inner, shuffle, level in itertools.product((1, 3, 8), ("lz4", "zlib", "zstd"), (0, 1, 2), (1, 9)):
            for kind, data in inputs(item).items():
                file = kit.File.new()
                label = ("blsc", "bls2")[next(key) % 2]
                options = {"codec": label.encode(), "level": level, "blosc_codec": inner.encode(), "shuffle": shuffle}
                with self.subTest(codec=label, inner=inner, shuffle=shuffle, item=item, level=level, data=kind):
                    array = np.frombuffer(data, "u1")
                    file.root().set_array("data", array, type_size=item, **options)
                    written = file.write_memory()
                    self.assertEqual(kit.File.open(written).root().array("data").read().tobytes(), data)
                    start = written.rindex(b"\xd3BLK")
                    header = 6 + int.from_bytes(written[start + 4 : start + 6], "big")
                    used = int.from_bytes(written[start + 22 : start + 30], "big")
                    payload = written[start + header : start + header + used]
                    decode = blosc.decompress if label == "blsc" else blosc2.decompress2
                    self.assertEqual(bytes(decode(payload)), data)

    def test_files_of_asdf_compression(self):
        array = np.arange(100_000, dtype="i4").reshape(100, 1000)
        for label, settings in (
            ("blsc", {}),
            ("blsc", {"cname": "zstd", "shuffle": blosc.BITSHUFFLE}),
            ("bls2", {"codec": blosc2.Codec.ZSTD, "typesize": 4}),
        ):
            with asdf.config_context() as config:
                config.add_extension(Bls2Extension())
                out = io.BytesIO()
                asdf.AsdfFile({"data": array}).write_to(out, all_array_compression=label, compression_kwargs=settings)
            file = kit.File.open(out.getvalue())
            self.assertEqual(file.codecs(), [label])
            self.assertTrue(samples.same_bits(array, file.root().array("data").read()))
            self.assertEqual(file.verify(), (0, 1, 0))


if __name__ == "__main__":
    unittest.main()
