"""Tables that asdf-astropy stores in ASDF files and we read, and the other way round, also through ECSV."""

import math
import os
import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import asdfkit_tables as tables
import astropy.units as u
import random_tables
from astropy.table import QTable, Table
from astropy.time import Time, TimeDelta

COUNT = int(os.environ.get("ASDFKIT_TABLES", "60"))
# ASDF has no numbers of 128 bits, and ECSV no arrays of complex numbers.
NUMBERS = [dtype for dtype in random_tables.NUMBERS if dtype != "float128"]
COMPLEX = ["complex64", "complex128"]


def made(seed: int) -> Table:
    """Returns a table with content that both formats support: numbers, text, arrays of fixed shape, masks, units,
    descriptions.
    """
    maker, table = random_tables.Maker(seed), Table()
    rows = maker.random.randint(1, 6)
    for number in range(maker.random.randint(1, 6)):
        axes = maker.random.choice([0, 0, 0, 1, 2])
        shape = (rows, *(maker.random.randint(1, 3) for _ in range(axes)))
        dtype = maker.random.choice([*NUMBERS, "str"] if axes else [*NUMBERS, *COMPLEX, "str"])
        # The schema of columns accepts only names with an ASCII letter.
        name = f"{maker.random.choice(['c', 'a b', 'x/y', 'dé #'])}{number}"
        table[name] = maker.masked(maker.elements(dtype, math.prod(shape)).reshape(shape))
        if maker.random.random() < 0.4:
            table[name].unit = maker.random.choice(["m", "km / s", "erg / (cm2 s)"])
        if maker.random.random() < 0.4:
            table[name].description = maker.text(False)
    table.meta = {"name": maker.text(False), "list": [1, 2.5, None, {"a": True}]}
    return table


class Tables(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name)
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")

    def of_astropy(self, table: Table) -> Path:
        path = self.path / "astropy.ecsv"
        table.write(path, format="ascii.ecsv", overwrite=True)
        return path

    def of_python(self, table: Table) -> tables.Table:
        """Returns the table that we read from a file of asdf-astropy."""
        path = self.path / "python.asdf"
        asdf.AsdfFile({"table": table}).write_to(path)
        return tables.Table.of_node(kit.File.open(path).root(), "table", plain=True)

    def in_python(self, table: tables.Table, form: str) -> Table:
        """Returns the table that asdf-astropy reads from a file of ours."""
        file, path = kit.File.new(), self.path / f"{form}.asdf"
        table.store(file.root(), "table", form)
        file.write(path)
        with asdf.open(path, lazy_load=False, memmap=False) as opened:
            return opened["table"]

    def test_from_asdf_to_ecsv(self):
        for seed in range(COUNT):
            table, path = made(seed), self.path / "ours.ecsv"
            # Through ECSV, where astropy loses line feeds in texts of the header.
            expected = Table.read(self.of_astropy(table), format="ascii.ecsv")
            self.of_python(table).write_ecsv(path)
            found = Table.read(path, format="ascii.ecsv")
            self.assertIsNone(random_tables.difference(found, [expected, table]), seed)

    def test_from_ecsv_to_asdf(self):
        for seed in range(COUNT):
            table = made(seed)
            source = self.of_astropy(table)
            expected = Table.read(source, format="ascii.ecsv")
            for form in "standard", "astropy":
                found = self.in_python(tables.Table.read_ecsv(source), form)
                notes = found.meta.pop("__ecsv__")
                self.assertEqual(notes, {"schema": "astropy-2.0"})
                self.assertIsNone(random_tables.difference(found, [expected, table]), f"{seed} {form}")

    def test_classes_of_astropy(self):
        """Quantities, times and time differences are unchanged."""
        table = QTable()
        table["length"] = [1.5, 2] * u.m
        table["time"] = Time(["2020-01-01T00:00:00", "2021-02-03T04:05:06.789"], scale="tai")
        table["day"] = Time([2450000.123456789, 2451545.1], format="jd")
        table["span"] = TimeDelta([1, 2.25] * u.s)
        table["number"] = [1, 2]
        path = self.path / "ours.ecsv"
        self.of_python(table).write_ecsv(path)
        found = QTable.read(path, format="ascii.ecsv")
        self.assertEqual(found.colnames, table.colnames)
        for name in table.colnames:
            self.assertIs(type(found[name]), type(table[name]))
            self.assertEqual(repr(found[name]), repr(table[name]))
            self.assertTrue((found[name] == table[name]).all(), name)

    def test_magnitudes(self):
        """Logarithmic units are unchanged, also in metadata."""
        # asdf-astropy writes neither dex nor decibels.
        for unit in [u.ABmag, u.STmag, u.mag(u.ct / u.s), u.mag(u.dimensionless_unscaled), u.mag, u.mgy]:
            table = Table({"magnitude": [20.5, 21]}, meta={"unit": unit})
            table["magnitude"].unit = unit
            path = self.path / "ours.ecsv"
            self.of_python(table).write_ecsv(path)
            found = Table.read(path, format="ascii.ecsv")
            for read in found["magnitude"].unit, u.Unit(found.meta["unit"]):
                self.assertEqual((read, read.to_string()), (unit, unit.to_string()))


if __name__ == "__main__":
    unittest.main()
