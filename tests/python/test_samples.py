"""The comparisons of the other tests detect the differences that they should."""

import unittest

import numpy as np
import samples


class Comparisons(unittest.TestCase):
    def test_trees(self):
        nan = float("nan")
        tree = {"a": [1, 2.0, "x", None, True, 1j], "b": {"c": nan}}
        self.assertIsNone(samples.difference(tree, {"a": [1, 2.0, "x", None, True, 1j], "b": {"c": -nan}}))
        self.assertIn(
            "/a/1: 2.0 became", samples.difference(tree, {"a": [1, 2.5, "x", None, True, 1j], "b": {"c": nan}})
        )
        for expected, found in [
            (1, 1.0), (1, True), (0, None), ("1", 1), ("", None), (0.0, -0.0), (1.0, 1.0000000000000002), ("a", "b"),
            ("a\n", "a"), (0j, -0j), (1.0, 1 + 0j), ([], {}), ([1], [1, 2]), ([1, 2], [2, 1]), ({"a": 1}, {"b": 1}),
            ({1: 1}, {True: 1}), ({"1": 1}, {1: 1}), ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ([[[1]]], [[[2]]]),
            ({"a": {"b": 1}}, {"a": {"b": 2}}),
        ]:  # fmt: skip
            with self.subTest(expected=expected, found=found):
                self.assertIsNotNone(samples.difference(expected, found))

    def test_arrays(self):
        for dtype in samples.DTYPES:
            array = samples.array(dtype, (3, 5))
            self.assertTrue(samples.same_bits(array, samples.swapped(array, ">")))
            self.assertTrue(samples.same_bits(array, np.asfortranarray(array)))
            self.assertFalse(samples.same_bits(array, array[::-1]))
            self.assertFalse(samples.same_bits(array, array.reshape(5, 3)))
            self.assertFalse(samples.same_bits(array, array.view("u1" if dtype != "uint8" else "i1").reshape(3, -1)))
            for position in range(array.nbytes):
                damaged = array.copy()
                damaged.reshape(-1).view("u1")[position] ^= 1
                self.assertFalse(samples.same_bits(array, damaged))
        self.assertFalse(samples.same_bits(np.array([0.0]), np.array([-0.0])))

    def test_samples_are_what_they_are_for(self):
        for dtype in samples.FLOATS:
            array = samples.array(dtype, (2, 3, 2, 5))
            parts = array.reshape(-1).view(array.real.dtype)
            unsigned = parts.view(f"u{parts.itemsize}")
            self.assertGreater(len(set(unsigned[np.isnan(parts)])), 2)
            self.assertTrue(np.any((parts == 0) & np.signbit(parts)))
            self.assertTrue(np.any((parts != 0) & (abs(parts) < np.finfo(parts.dtype).smallest_normal)))
        kinds = {type(value) for seed in range(50) for value in values_of(samples.random_tree(seed))}
        self.assertEqual(kinds, {dict, list, str, int, float, complex, bool, type(None)})


def values_of(tree):
    yield tree
    if isinstance(tree, (dict, list)):
        for value in tree.values() if isinstance(tree, dict) else tree:
            yield from values_of(value)
