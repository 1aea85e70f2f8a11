"""Our kinds of nodes, units and numbers, for objects that Python asdf and astropy have written."""

import io
import unittest
import warnings
from datetime import date

import asdf
import asdfkit_ctypes as kit
import astropy.units as u
import numpy as np
from astropy.coordinates import FK5, Latitude, SkyCoord
from astropy.table import Column, QTable, Table
from astropy.time import Time, TimeDelta

NULL, BOOL, INTEGER, FLOAT, COMPLEX, STRING, TIMESTAMP, BINARY, ARRAY, NUMBER_LIST = range(10)
SEQUENCE, MAPPING, TABLE, COLUMN, QUANTITY, TIME, TIME_DELTA, UNIT, REFERENCE, COORDINATES = range(10, 20)

VALUES = {
    "null": (None, NULL),
    "bool": (True, BOOL),
    "int": (7, INTEGER),
    "big": (asdf.IntegerType(-(2**80)), INTEGER),
    "float": (0.5, FLOAT),
    "complex": (1 - 2j, COMPLEX),
    "string": ("text", STRING),
    "date": (date(2027, 1, 31), TIMESTAMP),
    "array": (np.arange(6.0).reshape(2, 3), ARRAY),
    "records": (np.array([(1, 2.5)], dtype=[("a", "i2"), ("b", "f8")]), ARRAY),
    "numbers": ([[1, 2], [3, 4.5]], NUMBER_LIST),
    "list": ([1, "a"], SEQUENCE),
    "mapping": ({"a": 1}, MAPPING),
    "table": (Table({"a": [1, 2]}), TABLE),
    "quantity table": (QTable({"a": [1, 2] * u.m}), TABLE),
    "column": (Column([1, 2], name="a", unit="m"), COLUMN),
    "length": (2.5 * u.km, QUANTITY),
    "speed": (np.arange(4.0) * u.km / u.s, QUANTITY),
    "number": (3 * u.dimensionless_unscaled, QUANTITY),
    "time": (Time("2027-01-31T00:00:00"), TIME),
    "span": (TimeDelta([1, 2] * u.s), TIME_DELTA),
    "unit": (u.erg / u.cm**2, UNIT),
    "magnitude": (u.ABmag, UNIT),
    "sky": (SkyCoord(1 * u.deg, 2 * u.deg), COORDINATES),
    "frame": (FK5(1 * u.deg, 2 * u.deg), COORDINATES),
    "latitude": (Latitude([1, 2] * u.deg), COORDINATES),
}


class Kinds(unittest.TestCase):
    def root(self, standard: str) -> kit.Node:
        buffer = io.BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = {name: value for name, (value, _) in VALUES.items()}
            asdf.AsdfFile(tree, version=standard).write_to(buffer)
        return kit.File.open(buffer.getvalue()).root()

    def test_kinds_of_python_objects(self):
        for standard in ["1.5.0", "1.6.0"]:
            root = self.root(standard)
            for name, (_, kind) in VALUES.items():
                with self.subTest(standard=standard, name=name):
                    self.assertEqual(root.kind_of(name), kind)

    def test_quantities_and_units(self):
        root = self.root("1.6.0")
        for name in ["length", "speed", "number", "column"]:
            value = VALUES[name][0]
            self.assertEqual(u.Unit(root.get(name).unit()), value.unit)
        for name in ["unit", "magnitude"]:
            self.assertEqual(u.Unit(root.get(name).unit()), VALUES[name][0])
        self.assertEqual(root.get("length").float(), 2.5)
        self.assertEqual(root.get("number").float(), 3)
        self.assertEqual(root.get("big").integer(), -(2**80))
        self.assertEqual(root.get("big").float(), -(2.0**80))
        self.assertEqual(root.get("complex").complex(), 1 - 2j)
        self.assertEqual(root.get("int").complex(), 7)
        np.testing.assert_array_equal(root.array("speed").read(), VALUES["speed"][0].value)
        np.testing.assert_array_equal(root.array("numbers").read(), VALUES["numbers"][0])


if __name__ == "__main__":
    unittest.main()
