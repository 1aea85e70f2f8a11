"""Readers of YAML 1.1 and 1.2 read canonical texts alike."""

import math
import unittest

import descriptions
from ruamel.yaml import YAML

import yaml


class TextTest(unittest.TestCase):
    def assert_alike(self, one: object, other: object, place: str) -> None:
        self.assertIs(type(one), type(other), place)
        if isinstance(one, dict):
            self.assertEqual(list(one), list(other), place)
            self.assertEqual([type(key) for key in one], [type(key) for key in other], place)
            for key in one:
                self.assert_alike(one[key], other[key], f"{place}/{key}")
        elif isinstance(one, list):
            self.assertEqual(len(one), len(other), place)
            for index, (item, of_other) in enumerate(zip(one, other, strict=True)):
                self.assert_alike(item, of_other, f"{place}/{index}")
        elif isinstance(one, float) and math.isnan(one):
            self.assertTrue(math.isnan(other), place)
        else:
            self.assertEqual(one, other, place)

    def alike(self, text: str) -> None:
        self.assert_alike(yaml.safe_load(text), YAML(typ="safe", pure=True).load(text), "")

    def test_own_descriptions(self):
        for name, description in descriptions.own():
            with self.subTest(description=name):
                self.alike(description.text())
                self.assertEqual(descriptions.Description(description.text().encode()).text(), description.text())

    def test_readers_differ_elsewhere(self):
        for text in ("a: No", "a: 0o17", "a: 12:30:45"):
            with self.assertRaises(AssertionError):
                self.alike(text)

    def test_samples(self):
        for name, description in descriptions.samples():
            with self.subTest(description=name):
                self.alike(description.text())
