"""Arrays that Python asdf writes, read as other types: converted like numpy, or an error where a value does not fit."""

import io
import itertools
import math
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import numpy as np
import samples

TYPES = [dtype for dtype in samples.DTYPES if dtype != "bool"]
NUMBERS = [
    *(2**power + more for power in (0, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64) for more in (-1, 0, 1)),
    *(-(2**power) + more for power in (0, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64) for more in (-1, 0, 1)),
    0, 100, 0.5, -0.0, 2.75, 0.1, 6e-8, 65519, -65520, -1e39, 1e300, 3.4028235677973366e38, float("inf"), float("-inf"), float("nan"),
]  # fmt: skip
COMPLEXES = [2 + 1e-30j, complex(3, -0.0), -1j, complex(4, float("nan")), complex(float("inf"), 0), 70000 + 0j]


def holds(dtype: str, number) -> bool:
    """Returns whether a type can represent exactly this value."""
    if dtype[0] in "iu":
        return math.isfinite(number) and int(number) == number and np.iinfo(dtype).min <= number <= np.iinfo(dtype).max
    return number != number or complex(np.dtype(dtype).type(number)) == number


def parts_of(element) -> list:
    return [element.real, element.imag] if np.iscomplexobj(element) else [element]


def fits(element, dtype: str) -> bool:
    """Returns whether the library must convert an element: to integers exactly, to floats unless the result becomes
    infinite, and complex numbers to real ones without imaginary part.
    """
    if np.iscomplexobj(element) and not dtype.startswith("complex"):
        return element.imag == 0 and fits(element.real, dtype)
    if dtype[0] in "iu":
        return holds(dtype, element.item())
    part_type = np.dtype(dtype).type(0).real.dtype.type
    return all(np.isfinite(part_type(part)) or not np.isfinite(part) for part in parts_of(element))


def clamped(element, dtype: str) -> np.ndarray:
    """Returns the nearest value of a type. Conversion to integers cuts off fractions and makes NaN 0."""
    if np.iscomplexobj(element) and not dtype.startswith("complex"):
        element = element.real
    if dtype[0] in "iu":
        lowest, highest = np.iinfo(dtype).min, np.iinfo(dtype).max
        number = min(max(element.item(), lowest), highest) if element == element else 0
        return np.asarray(int(number), dtype)
    largest = np.finfo(dtype).max
    parts = [np.clip(part, -largest, largest) if np.isfinite(part) else part for part in parts_of(element)]
    return np.asarray(complex(*parts)).astype(dtype)


class Conversions(unittest.TestCase):
    def setUp(self):
        # This test expects the conversions that numpy warns of.
        self.enterContext(np.errstate(all="ignore"))
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        values = {dtype: np.array([number for number in NUMBERS if holds(dtype, number)], dtype) for dtype in TYPES}
        for dtype in ("complex64", "complex128"):
            values[dtype] = np.concatenate([values[dtype], np.array(COMPLEXES, dtype)])
        values["bool"] = np.array([True, False])
        self.arrays = {dtype + order: samples.swapped(values[dtype], order) for dtype in values for order in "<>"}
        output = io.BytesIO()
        asdf.AsdfFile(dict(self.arrays)).write_to(output)
        self.root = kit.File.open(output.getvalue()).root()

    def test_between_numbers(self):
        for source, order, target in itertools.product(TYPES, "<>", TYPES):
            elements, array = self.arrays[source + order], self.root.array(source + order)
            misfits = 0
            for index, element in enumerate(elements):
                with self.subTest(element=element, target=target):
                    result = np.empty(1, target)
                    if fits(element, target):
                        array.region([index], [1], [1], result)
                        self.assertTrue(samples.same_bits(elements[[index]].astype(target), result), result)
                    else:
                        misfits += 1
                        with self.assertRaisesRegex(kit.Error, f"ASDF_ERR_OVERFLOW.*{target}"):
                            array.region([index], [1], [1], result)
                        found = array.read(target, clamp=1)[index]
                        self.assertTrue(samples.same_bits(clamped(element, target), np.asarray(found)), found)
            with self.subTest(source=source, order=order, target=target):
                if misfits:
                    with self.assertRaisesRegex(kit.Error, f"ASDF_ERR_OVERFLOW.*{target}"):
                        array.read(target)
                else:
                    self.assertTrue(samples.same_bits(elements.astype(target), array.read(target)))

    def test_bool(self):
        for order, dtype in itertools.product("<>", TYPES):
            found = self.root.array("bool" + order).read(dtype)
            self.assertTrue(samples.same_bits(self.arrays["bool" + order].astype(dtype), found), dtype)

    def test_what_has_no_conversion(self):
        for source in TYPES:
            with self.subTest(source=source), self.assertRaisesRegex(kit.Error, "ASDF_ERR_CONVERSION"):
                self.root.array(source + "<").read("bool")
