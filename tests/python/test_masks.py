"""Masked arrays: Python asdf's read by us, ours read by Python asdf, and random ones compared with numpy.ma."""

import io
import itertools
import random
import unittest
import warnings
from ctypes import c_int64

import asdf
import asdfkit_ctypes as kit
import numpy as np
import samples

warnings.simplefilter("error")

# Few values, so that many are equal to a mask; some of them do not fit smaller types.
VALUES = {
    "int8": [3, -7, 100], "int16": [3, -999, 200, 7], "int32": [3, -999, 70_000, 200], "int64": [3, 2**53 + 1, 200],
    "uint8": [3, 200, 7], "uint16": [3, 999, 200], "uint32": [3, 2**32 - 1, 200], "uint64": [3, 2**64 - 1, 2**63, 200],
    "float16": [3, 1.5, np.nan, -np.inf], "float32": [3, 0.1, np.nan, np.inf, 200, -0.0],
    "float64": [3, 0.1, np.nan, 1e300, 200, 0.0], "complex64": [3, 1 + 2j, complex(np.nan, 1), complex(1, np.nan), 200],
    "complex128": [3, 1 + 2j, complex(0, np.nan), 1e300j, 200], "bool": [0, 1],
}  # fmt: skip
# Pairs of kinds in which an element of one can become one of the other.
TARGETS = ["int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "complex64", "complex128"]


def fits(data: np.ndarray, target: np.dtype) -> np.ndarray:
    """Returns which elements have a value in another type."""
    if data.dtype == target:
        return np.ones(data.shape, bool)
    right = np.ones(data.shape, bool)
    for index, value in np.ndenumerate(data):
        value = value.item()
        real, imaginary = (value.real, value.imag) if isinstance(value, complex) else (value, 0)
        if target.kind != "c":
            right[index] = imaginary == 0
        parts = (real, imaginary) if target.kind == "c" else (real,)
        for part in parts:
            if target.kind in "iu":
                whole = isinstance(part, (int, bool)) or (np.isfinite(part) and part == int(part))
                limits = np.iinfo(target)
                right[index] &= bool(whole) and limits.min <= int(part) <= limits.max
            else:
                most = float(np.finfo(target).max)
                right[index] &= isinstance(part, (int, bool)) or not np.isfinite(part) or abs(part) <= most
    return right


class Random:
    """A random masked array in a file, and numpy's view of the same."""

    def __init__(self, seed: int):
        self.random = generator = random.Random(seed)
        self.dtype = np.dtype(generator.choice(list(VALUES)))
        self.shape = tuple(generator.randrange(6) for _ in range(generator.randrange(4)))
        count = int(np.prod(self.shape))
        values = generator.choices(VALUES[self.dtype.name], k=count)
        self.data = np.array(values, self.dtype).reshape(self.shape)
        file = kit.File.new()
        textual = self.shape and count and self.dtype != "uint64"  # numbers in a tree end with int64
        self.storage = generator.choice(["internal"] * 3 + ["inline"]) if textual else "internal"
        options = {"storage": kit.STORAGES[self.storage], "byte_order": generator.randrange(2)}
        if self.storage == "internal":
            codec = generator.choice(samples.CODECS)
            options |= kit.compressed(codec.encode() if codec else None)
            options["stored_order"] = generator.randrange(2)
        root = file.root()
        root.set_array("a", self.data, **options)
        self.kind = generator.choice(["number", "nan", "complex", "same", "broadcast"])
        self.mask = getattr(self, self.kind)(root)
        self.bytes = file.write_memory()

    def number(self, root: kit.Node) -> np.ndarray:
        value = self.random.choice(VALUES[self.dtype.name])
        if isinstance(value, complex) or self.dtype.kind == "b" or value != value or value >= 2**63:
            value = 3
        if isinstance(value, float):
            root.set("f64", "a/mask", value)
        else:
            root.set_integer("a/mask", value)
        return self.data == self.dtype.type(value) if self.dtype.kind != "b" else np.zeros(self.shape, bool)

    def nan(self, root: kit.Node) -> np.ndarray:
        root.set("f64", "a/mask", np.nan)
        return np.isnan(self.data) if self.dtype.kind in "fc" else np.zeros(self.shape, bool)

    def complex(self, root: kit.Node) -> np.ndarray:
        value = self.random.choice([1 + 2j, 3 + 0j])
        root.set("complex", "a/mask", value.real, value.imag)
        return self.data.astype("complex128") == value

    def same(self, root: kit.Node) -> np.ndarray:
        return self.array(root, self.shape)

    def broadcast(self, root: kit.Node) -> np.ndarray:
        shape = tuple(self.random.choice([1, length]) for length in self.shape)
        return self.array(root, shape[self.random.randrange(len(shape) + 1) :])

    def array(self, root: kit.Node, shape: tuple) -> np.ndarray:
        dtype = self.random.choice(["bool", "uint8", "int16", "float32", "complex64"])
        values = [0, 1] if dtype == "bool" else [0, 1, 2] if dtype in ("uint8", "int16") else [0, -0.0, 1, 0.5]
        mask = np.array(self.random.choices(values, k=int(np.prod(shape)))).astype(dtype).reshape(shape)
        options = {"byte_order": self.random.randrange(2)}
        if shape and mask.size and self.random.random() < 0.3:
            options["storage"] = kit.STORAGES["inline"]
        else:
            codec = self.random.choice(samples.CODECS)
            options |= kit.compressed(codec.encode() if codec else None)
        root.set_array("a/mask", mask, **options)
        return np.broadcast_to(mask != 0, self.shape)

    def region(self) -> tuple[list, list, list]:
        where = [], [], []
        for length in self.shape:
            step = self.random.choice([1, 1, 2, 3, -1, -2])
            start = self.random.randrange(length) if length else 0
            most = (start // -step if step < 0 else (length - 1 - start) // step) + 1 if length else 0
            for part, value in zip(where, (start, self.random.randrange(most + 1), step)):
                part.append(value)
        return where

    def memory(self, shape: tuple, dtype) -> tuple[np.ndarray, np.ndarray]:
        """Returns memory for elements and for their mask, laid out alike: in C order, Fortran order, or strided."""
        if not shape:  # an index would give scalars
            return np.zeros((), dtype), np.full((), 7, "uint8")
        layout = self.random.randrange(3)
        room = [length * 2 + 1 if layout == 2 else length for length in shape]
        steps = tuple(slice(0, 2 * length, 2) if layout == 2 else slice(None) for length in shape)
        order = "F" if layout == 1 else "C"
        elements, mask = np.zeros(room, dtype, order)[steps], np.full(room, 7, "uint8", order)[steps]
        if layout == 2:
            for axis in range(len(shape)):
                if self.random.randrange(3) == 0:
                    elements, mask = np.flip(elements, axis), np.flip(mask, axis)
        return elements, mask


class Masks(unittest.TestCase):
    def test_random_arrays(self):
        kinds, outcomes = set(), set()
        for seed in range(1500):
            case = Random(seed)
            with self.subTest(seed=seed, kind=case.kind, dtype=case.dtype.name, shape=case.shape, storage=case.storage):
                kinds.add(case.kind)
                array = kit.File.open(case.bytes).root().array("a")
                self.assertTrue(array.is_masked())
                self.assertTrue(np.array_equal(array.mask(), case.mask))
                self.assertTrue(samples.same_bits(case.data, array.without_mask().read()) or case.storage == "inline")
                with self.assertRaisesRegex(kit.Error, "MASKED"):
                    array.read()
                outcomes.add(self.region(case, array))
        self.assertEqual(kinds, {"number", "nan", "complex", "same", "broadcast"})
        self.assertEqual(outcomes, {"read", "overflow"})

    def region(self, case: Random, array: kit.Array) -> str:
        """Reads a region as another type, with or without a fill value."""
        start, count, step = case.region()
        index = np.ix_(*(np.arange(n) * by + at for at, n, by in zip(start, count, step)))
        data, mask = case.data[index], case.mask[index]
        target = np.dtype(case.random.choice([case.dtype.name, *TARGETS]))
        if target.kind == "b" and case.dtype.kind != "b":
            target = case.dtype
        fill = np.array([case.random.choice([0, 1])], "int8") if case.random.random() < 0.5 else None
        if target.kind == "b":
            fill = None
        elements, missing = case.memory(data.shape, target)
        options = kit.Options()
        if fill is not None:
            options.set("fill", (kit.DATATYPES["int8"], fill.ctypes.data, 1))
        options.set("strides", list(elements.strides))
        where = [(c_int64 * len(numbers))(*numbers) for numbers in (start, count, step)]
        memory = [np.lib.array_utils.byte_bounds(part) for part in (elements, missing)]
        memory = [number for low, high in memory for number in (low, high - low)]
        arguments = array, len(count), *where, kit.DATATYPES[target.name], options, *memory
        right = fits(data, target)
        if not np.all(right | mask):
            with self.assertRaisesRegex(kit.Error, "OVERFLOW"):
                kit.call("asdf_array_read_region", *arguments)
            return "overflow"
        kit.call("asdf_array_read_region", *arguments)
        self.assertTrue(np.array_equal(missing, mask))
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = np.ma.array(data.astype(target), mask=mask).filled(0 if fill is None else fill[0])
        told = right & ~mask if fill is None else np.ones(data.shape, bool)
        self.assertTrue(np.array_equal(elements[told], expected[told], equal_nan=target.kind in "fc"))
        alone = np.full(elements.shape, 7, "uint8")
        kit.call("asdf_array_read_mask_region", array, len(count), *where, None, alone.ctypes.data, alone.size)
        self.assertTrue(np.array_equal(alone, mask))
        return "read"

    def test_python_writes(self):
        arrays = {}
        dtypes, shapes = ["int16", "float32", "float64", "complex128", "bool"], [(5,), (3, 4), (2, 0)]
        for dtype, shape in itertools.product(dtypes, shapes):
            data = samples.array(dtype, shape)
            if data.dtype.kind in "fc":
                data = samples.one_nan(data)  # as text represents it
            mask = np.random.default_rng(len(arrays)).integers(0, 2, shape).astype(bool)
            arrays[f"{dtype} {shape}"] = np.ma.array(data, mask=mask)
        for codec, threshold in itertools.product(samples.CODECS, (0, 1000)):
            with self.subTest(codec=codec, threshold=threshold), asdf.config_context() as config:
                config.array_inline_threshold = threshold
                written = {
                    key: array
                    for key, array in arrays.items()
                    if threshold == 0 or (array.size and array.dtype.kind != "c")
                }
                output = io.BytesIO()
                asdf.AsdfFile(dict(written)).write_to(output, all_array_compression=codec)
                root = kit.File.open(output.getvalue()).root()
                for key, expected in written.items():
                    array = root.array(key)
                    self.assertTrue(np.array_equal(array.mask(), expected.mask), key)
                    read = array.without_mask().read()
                    self.assertTrue(samples.same_bits(read[~expected.mask], expected.data[~expected.mask]), key)

    def test_python_reads(self):
        read = {"same": 0, "number": 0, "nan": 0}
        for seed in range(400):
            case = Random(seed)
            # Python compares floats approximately, accepts a number mask only for numbers, and broadcasts nothing.
            kinds = {"same": "iufcb", "number": "iu", "nan": "f"}.get(case.kind, "")
            if case.dtype.kind not in kinds or not case.data.size:
                continue
            told = {
                "seed": seed,
                "kind": case.kind,
                "dtype": case.dtype.name,
                "shape": case.shape,
                "storage": case.storage,
            }
            with self.subTest(**told), asdf.open(io.BytesIO(case.bytes)) as file:
                found = file["a"][...]
                self.assertIsInstance(found, np.ma.MaskedArray)
                self.assertTrue(np.array_equal(np.ma.getmaskarray(found), case.mask))
                present = found.data[~case.mask], case.data[~case.mask]
                self.assertTrue(np.array_equal(*present, equal_nan=case.dtype.kind in "fc"))
                read[case.kind] += 1
        self.assertTrue(all(count > 10 for count in read.values()), read)

    def test_null(self):
        head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        for text, dtype, mask in [
            ("[1, null, 3]", "int64", [0, 1, 0]),
            ("[[1.5, ~], [null, 2]]", "float64", [[0, 1], [1, 0]]),
            ("[null, true]", "bool", [1, 0]),
            ("{data: [1, null, 3], datatype: int8, mask: !core/ndarray-1.1.0 [false, false, true]}", "int8", [0, 1, 1]),
            ("{data: [1, null, 3], datatype: int8, mask: 3}", "int8", [0, 1, 1]),
        ]:
            with self.subTest(text):
                content = f"{head}a: !core/ndarray-1.1.0 {text}\n...\n".encode()
                array = kit.File.open(content).root().array("a")
                self.assertEqual(array.dtype(), dtype)
                self.assertEqual(array.mask().tolist(), mask)
                with asdf.open(io.BytesIO(content)) as file:
                    found = file["a"][...]
                    self.assertEqual(np.ma.getmaskarray(found).astype(int).tolist(), mask)
                    self.assertTrue(np.all((array.without_mask().read() == found).filled(True)))

    def test_strings_and_records(self):
        file = kit.File.new()
        root = file.root()
        names = np.array([b"one", b"two", b"three"], "S5")
        records = np.array([(1, 2.5), (2, 3.5), (3, 4.5)], [("a", "int16"), ("b", "float64")])
        mask = np.array([False, True, False])
        for key, array in {"names": names, "records": records}.items():
            root.set_array(key, array)
            root.set_array(f"{key}/mask", mask)
        content = file.write_memory()
        root = kit.File.open(content).root()
        for key, fill in {"names": np.array([b"-"], "S5"), "records": np.array([(-1, -1)], records.dtype)}.items():
            expected = np.where(mask, fill, {"names": names, "records": records}[key])
            array = root.array(key)
            self.assertEqual(array.mask().tolist(), [0, 1, 0])
            datatype = kit.Datatype(fill.dtype)
            read = array.read_typed(expected.dtype, datatype=(datatype,), fill=(0, fill.ctypes.data, fill.nbytes))
            self.assertTrue(np.array_equal(read, expected))
        self.assertEqual(root.array("records").field("b").mask().tolist(), [0, 1, 0])
        with asdf.open(io.BytesIO(content)) as opened:
            self.assertEqual(np.ma.getmaskarray(opened["names"][...]).tolist(), mask.tolist())


if __name__ == "__main__":
    unittest.main()
