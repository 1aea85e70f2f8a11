"""Tables of astropy that we read and write again, and texts that only the csv module reads right."""

import csv
import io
import os
import random
import tempfile
import unittest
import warnings
from pathlib import Path

import asdfkit_ctypes as kit
import asdfkit_tables as tables
import astropy.units as u
import numpy as np
import random_tables
from astropy.coordinates import EarthLocation, Longitude, SkyCoord
from astropy.table import MaskedColumn, QTable, Table
from astropy.time import Time, TimeDelta

COUNT = int(os.environ.get("ASDFKIT_TABLES", "60"))
KINDS = ["scalar"] * 6 + ["fixed"] * 2 + ["variable", "axes", "json"]
HEADER = "# %ECSV 1.0\n# ---\n# datatype:\n{}# delimiter: ','\n"


class Ecsv(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name)
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")

    def written(self, source: Path, delimiter: str = "same") -> Path:
        """Returns the table in a file, after we have read and written it."""
        path = self.path / f"{delimiter}.ecsv"
        tables.Table.read_ecsv(source).write_ecsv(path, delimiter)
        return path

    def of_astropy(self, table: Table, **options) -> Path:
        path = self.path / "astropy.ecsv"
        table.write(path, format="ascii.ecsv", overwrite=True, **options)
        return path

    def test_tables_made_by_chance(self):
        compared = 0
        for seed in range(COUNT):
            made = random_tables.Maker(seed).table(KINDS)
            try:
                source = self.of_astropy(made, delimiter=" ,"[seed % 2])
                expected = Table.read(source, format="ascii.ecsv")
            except Exception:  # astropy cannot write it or read it again
                continue
            compared += 1
            # Astropy loses a part of some metadata, which we may keep.
            made = random_tables.Maker(seed).table(KINDS)
            written = self.written(source)
            for path in written, self.written(written, "comma"):
                found = Table.read(path, format="ascii.ecsv")
                self.assertIsNone(random_tables.difference(found, [expected, made]), f"{seed} {path.name}")
        self.assertGreater(compared, COUNT // 2)

    def test_numbers_as_c_reads_them(self):
        """Each element has the bits that astropy wrote."""
        for dtype in kit.DATATYPES:
            with self.subTest(dtype):
                values = random_tables.Maker(1).elements(dtype, 300)
                grid = (
                    random_tables.Maker(2).elements(dtype, 600).reshape(300, 2) if values.dtype.kind != "c" else values
                )
                masked = MaskedColumn(values, mask=np.arange(300) % 3 == 0)
                source = self.of_astropy(Table({"values": values, "masked": masked, "grid": grid}))
                read = tables.Table.read_ecsv(source)
                for name, expected in {"values": values, "grid": grid}.items():
                    found, missing = read.elements(name, dtype, expected.shape)
                    self.assertTrue(random_tables.same(found, expected) and not missing.any(), name)
                found, missing = read.elements("masked", dtype, (300,))
                self.assertEqual(missing.tolist(), masked.mask.tolist())
                self.assertTrue(random_tables.same(found[~missing], values[~missing]))

    def test_numbers_as_astropy_spells_them(self):
        chance = np.random.default_rng(7)
        sizes = 10.0 ** chance.uniform(-12, 20, 3000)
        bits = chance.integers(0, 2**64, 3000, np.uint64).view(np.float64)
        values = np.concatenate(
            [sizes, np.round(sizes), 10.0 ** np.arange(-12, 20), bits, [0.0, -0.0, np.inf, -np.inf]]
        )
        values[np.isnan(values)] = np.nan
        table = Table({"real": values, "complex": values + 0j})
        table["complex"].imag = chance.permutation(values)
        table["complex"][:3000].real = chance.choice([0.0, -0.0], 3000)
        source = self.of_astropy(table)
        expected, found = source.read_text(), self.written(source).read_text()
        self.assertEqual(found.partition("\nreal complex\n")[2], expected.partition("\nreal complex\n")[2])

    def test_any_text(self):
        """Cells that astropy trims or takes for comments, compared with the csv module."""
        chance = random.Random(5)
        for number in range(COUNT):
            rows = [[self.cell(chance) for _ in range(1 + number % 4)] for _ in range(chance.randint(1, 5))]
            source = self.path / "text.ecsv"
            with source.open("w", newline="") as file:
                file.write(
                    HEADER.format("".join(f"# - {{name: c{n}, datatype: string}}\n" for n in range(len(rows[0]))))
                )
                writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
                writer.writerows([[f"c{n}" for n in range(len(rows[0]))], *rows])
            for path in self.written(source), self.written(source, "comma"):
                head, _, records = path.read_bytes().decode().partition("\n# delimiter: ','\n")
                lines = io.StringIO(records[records.index("c0") :], newline="")
                self.assertEqual(list(csv.reader(lines))[1:], rows, head)
            read = tables.Table.read_ecsv(source)
            found = [[text or "" for text in read.read_texts(f"c{n}")] for n in range(len(rows[0]))]
            self.assertEqual([list(row) for row in zip(*found, strict=True)], rows)

    def cell(self, chance: random.Random) -> str:
        return "".join(chance.choice([*random_tables.PIECES, " ", "#"]) for _ in range(chance.randint(0, 5)))

    def test_classes_of_astropy(self):
        table = QTable()
        table["time"] = Time(["2020-01-01", "2021-02-03"])
        table["jd"] = Time([2450000.123456789, 2451545.1], format="jd")
        table["span"] = TimeDelta([1, 2] * u.s)
        table["sky"] = SkyCoord([1, 2] * u.deg, [3, 4] * u.deg, frame="fk5", obstime=["J1990.5", "J1991"])
        table["length"] = [1.5, 2] * u.m
        table["longitude"] = Longitude([10, 200] * u.deg)
        table["empty"] = MaskedColumn(["", "a"], mask=[False, True])
        table["empty"].info.serialize_method["ecsv"] = "data_mask"
        table["place"] = EarthLocation.from_geodetic([1, 2], [3, 4])
        table.meta = {"begin": Time("2020-01-01"), "unit": u.m, "step": 3 * u.s, "list": np.arange(3)}
        for options in {}, {"serialize_method": {"time": "jd1_jd2", "empty": "data_mask"}}:
            source = self.of_astropy(table, **options)
            expected = QTable.read(source, format="ascii.ecsv")
            for delimiter in tables.DELIMITERS:
                found = QTable.read(self.written(source, delimiter), format="ascii.ecsv")
                self.assertEqual(repr(found.meta), repr(expected.meta))
                self.assertEqual(found.colnames, expected.colnames)
                for name in table.colnames:
                    self.assertIs(type(found[name]), type(expected[name]))
                    self.assertEqual(repr(found[name]), repr(expected[name]))
                    self.assertEqual(found[name].info.unit, expected[name].info.unit)


if __name__ == "__main__":
    unittest.main()
