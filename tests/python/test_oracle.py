"""Random arrays read in random ways, compared with numpy; see oracle.py. `make torture` tries more of them."""

import unittest

import oracle


class RandomArrays(unittest.TestCase):
    def test_against_numpy(self):
        failures = oracle.run(2000, seed=1)
        self.assertEqual(failures, [])
