"""Columns of times and spans of time in tables: astropy reads what we write, and we read what astropy writes.

ASDFKIT_TIMES sets the number of random times.
"""

import tempfile
import unittest
import warnings
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import astropy.units as u
import numpy as np
from asdfkit_ctypes import HANDLE, HANDLE_OUT
from asdfkit_tables import COLUMN, Table
from astropy.coordinates import EarthLocation
from astropy.table import QTable
from astropy.time import Time, TimeDelta
from astropy.utils.masked import get_data_and_mask
from test_times import CONVERTED, COUNT, COUNTED, FORMATS, SCALES, SHAPE, Times, instants, shape_of

for name, arguments in {
    "asdf_table_time": (*COLUMN, HANDLE, HANDLE_OUT),
    "asdf_table_add_time": (*COLUMN, HANDLE),
    "asdf_table_read_time_delta": (*COLUMN, c_void_p, c_void_p, c_size_t, POINTER(c_int64), POINTER(c_int32)),
    "asdf_table_add_time_delta": (*COLUMN, c_void_p, c_void_p, *SHAPE, c_int32, c_char_p),
}.items():
    getattr(kit.library, name).argtypes = arguments
    getattr(kit.library, name).restype = c_int32

# astropy has no format for these two.
NAMES = [name for name in FORMATS if name not in ("utime", "tai_seconds")]
# Formats that astropy cannot write as ASDF, or whose values it changes there.
NOT_IN_ASDF = ("stardate",)
DELTAS = ("jd", "sec", "quantity_str", "datetime")
ROWS = max(30, COUNT // 40)
PLACE = EarthLocation.from_geocentric(1.5, -2.25, 6000.125, unit=u.km)


def parts(time) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Both doubles without mask, and the mask."""
    (jd1, mask), (jd2, _) = (get_data_and_mask(part) for part in (time.jd1, time.jd2))
    return np.ascontiguousarray(jd1), np.ascontiguousarray(jd2), np.zeros(jd1.shape, bool) if mask is None else mask


def of_astropy(time: Time) -> Times:
    """The same times as a handle."""
    jd1, jd2, mask = parts(time)
    codes = SCALES[time.scale], FORMATS[time.format]
    times = Times("asdf_time_from_jd", jd1.ctypes.data, jd2.ctypes.data, *shape_of(jd1), *codes, None)
    bytes_ = np.ascontiguousarray(mask, dtype=np.uint8)
    times = Times("asdf_time_with_mask", times, bytes_.ctypes.data, bytes_.size)
    if time.location is not None:
        x, y, z = (axis.to_value("m") for axis in time.location.to_geocentric())
        times = Times("asdf_time_with_location", times, float(x), float(y), float(z))
    return times


def columns(seed: int):
    """Random times with each scale and format."""
    jd1, jd2 = (part[:ROWS] for part in instants(seed))
    random = np.random.default_rng(seed)
    for scale in SCALES:
        for name in NAMES:
            if scale not in CONVERTED and name in (*COUNTED, "plot_date", "stardate"):
                continue
            time = Time(jd1, jd2, format="jd", scale=scale, location=PLACE if scale == "tdb" else None)
            time.format = name
            if random.uniform() < 0.5:
                # Values that the format holds, without measurements of the Earth.
                rounded = Time(np.round(jd1), np.round(jd2 * 24) / 24, format="jd", scale=scale)
                rounded.format = name
                time = rounded
            if random.uniform() < 0.5:
                time[random.uniform(size=ROWS) < 0.2] = np.ma.masked
            yield f"{name} {scale}", time


class ColumnTests(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ecsv, self.asdf = (Path(folder.name) / name for name in ("t.ecsv", "t.asdf"))

    def assert_equal(self, found, expected, seconds: float, masked: bool = True) -> None:
        (jd1, jd2, mask), (first, second, missing) = parts(found), parts(expected)
        self.assertEqual((found.format, found.scale), (expected.format, expected.scale))
        if masked:
            np.testing.assert_array_equal(mask, missing)
        difference = np.abs((jd1 - first) + (jd2 - second))[~missing] * 86400
        self.assertLessEqual(np.max(difference, initial=0), seconds)
        if isinstance(expected, Time) and expected.location is not None:
            for axis in "xyz":
                there, here = (getattr(time.location, axis).to_value("m") for time in (found, expected))
                self.assertTrue(np.all(there == here))

    def assert_read(self, table: Table, expected: Time) -> None:
        times = Times("asdf_table_time", table, b"t", None)
        jd1, jd2 = times.jd()
        first, second, missing = parts(expected)
        np.testing.assert_array_equal(times.mask(), missing)
        self.assertLessEqual(np.max(np.abs((jd1 - first) + (jd2 - second))[~missing] * 86400, initial=0), 1e-9)
        scale, code = times.scale_and_format()
        self.assertEqual((scale, code), (expected.scale, FORMATS[expected.format]))

    def test_astropy_reads_what_is_written(self):
        for key, time in columns(11):
            with self.subTest(key):
                table = Table.new(ROWS)
                table.add("n", np.arange(ROWS))
                kit.call("asdf_table_add_time", table, b"t", of_astropy(time))
                table.write_ecsv(self.ecsv)
                found = QTable.read(self.ecsv)
                self.assertEqual(found.colnames, ["n", "t"])
                self.assert_equal(found["t"], time, 0.0)
                self.assert_read(Table.read_ecsv(self.ecsv), time)
                if time.scale == "local":
                    continue
                file = kit.File.new()
                table.store(file.root(), "t", "automatic")
                file.write(self.asdf)
                with asdf.open(self.asdf) as read:
                    # asdf-astropy ignores the mask.
                    self.assert_equal(read["t"]["t"], time, 1e-10, masked=False)
                again = Table.of_node(kit.File.open(self.asdf).root(), "t")
                self.assert_read(again, time)
                again.write_ecsv(self.ecsv)
                self.assert_equal(QTable.read(self.ecsv)["t"], time, 1e-10)

    def test_files_of_astropy_are_read(self):
        count = 0
        for key, time in columns(12):
            for method in ("formatted_value", "jd1_jd2"):
                table = QTable({"t": time})
                table["t"].info.serialize_method["ecsv"] = method
                try:
                    table.write(self.ecsv, overwrite=True)
                    expected = QTable.read(self.ecsv)["t"]
                except (ValueError, TypeError):  # astropy cannot represent a year or a leap second.
                    continue
                count += 1
                with self.subTest(f"{key} {method}"):
                    ours = Table.read_ecsv(self.ecsv)
                    self.assert_read(ours, expected)
                    if time.scale != "local":
                        file = kit.File.new()
                        ours.store(file.root(), "t", "automatic")
                        file.write(self.asdf)
                        with asdf.open(self.asdf) as read:
                            self.assert_equal(read["t"]["t"], expected, 1e-10, masked=False)
                        self.assert_read(Table.of_node(kit.File.open(self.asdf).root(), "t"), expected)
            try:
                asdf.AsdfFile({"t": QTable({"t": time})}).write_to(self.asdf)
                with asdf.open(self.asdf) as read:
                    expected = read["t"]["t"].copy()
                    if not isinstance(expected, Time):
                        continue
            except Exception:  # asdf-astropy refuses masks, the scale "local" and some formats.
                continue
            count += 1
            with self.subTest(f"{key} ASDF"):
                ours = Table.of_node(kit.File.open(self.asdf).root(), "t")
                self.assert_read(ours, expected)
                ours.write_ecsv(self.ecsv)
                self.assert_equal(QTable.read(self.ecsv)["t"], expected, 1e-10)
        self.assertGreater(count, 150)

    def test_spans(self):
        random = np.random.default_rng(13)
        days = np.floor(random.uniform(-1e5, 1e5, ROWS)), random.uniform(-0.5, 0.5, ROWS)
        for scale in (None, "tai", "tdb", "local"):
            for name in DELTAS:
                delta = TimeDelta(*days, format="jd", scale=scale)
                delta.format = name
                if name == "sec":
                    delta = TimeDelta(np.round(days[0]), format="jd", scale=scale).copy(format=name)
                    delta[random.uniform(size=ROWS) < 0.3] = np.ma.masked
                jd1, jd2, mask = parts(delta)
                whole, rest = np.where(mask, np.nan, jd1), np.where(mask, np.nan, jd2)
                with self.subTest(f"{name} {scale}"):
                    table = Table.new(ROWS)
                    code = SCALES[scale] if scale else 0
                    pointers = whole.ctypes.data, rest.ctypes.data
                    kit.call("asdf_table_add_time_delta", table, b"t", *pointers, 0, None, code, name.encode())
                    table.write_ecsv(self.ecsv)
                    self.assert_equal(QTable.read(self.ecsv)["t"], delta, 0.0)
                    file = kit.File.new()
                    table.store(file.root(), "t", "automatic")
                    file.write(self.asdf)
                    with asdf.open(self.asdf) as read:
                        self.assert_equal(read["t"]["t"], delta, 0.0, masked=False)
                    self.assert_spans(Table.of_node(kit.File.open(self.asdf).root(), "t"), delta)
                for method in ("formatted_value", "jd1_jd2"):
                    astropy = QTable({"t": delta})
                    astropy["t"].info.serialize_method["ecsv"] = method
                    try:
                        astropy.write(self.ecsv, overwrite=True)
                        expected = QTable.read(self.ecsv)["t"]
                        seconds = 1e-10
                    except (
                        TypeError,
                        ValueError,
                    ):  # astropy reads masked spans and texts of spans as two columns only.
                        expected, seconds = delta, 1e-3
                        if name == "datetime":
                            continue
                    with self.subTest(f"{name} {scale} {method}"):
                        ours = Table.read_ecsv(self.ecsv)
                        self.assert_spans(ours, expected, seconds)
                        file = kit.File.new()
                        ours.store(file.root(), "t", "automatic")
                        file.write(self.asdf)
                        with asdf.open(self.asdf) as read:
                            self.assert_equal(read["t"]["t"], expected, seconds, masked=False)

    def assert_spans(self, table: Table, expected: TimeDelta, seconds: float = 1e-10) -> None:
        jd1, jd2 = np.empty(ROWS), np.empty(ROWS)
        count, scale = c_int64(), c_int32()
        kit.call("asdf_table_read_time_delta", table, b"t", jd1.ctypes.data, jd2.ctypes.data, ROWS, count, scale)
        first, second, missing = parts(expected)
        self.assertEqual((count.value, scale.value), (ROWS, SCALES[expected.scale] if expected.scale else 0))
        np.testing.assert_array_equal(np.isnan(jd1), missing)
        difference = np.abs((jd1 - first) + (jd2 - second))[~missing] * 86400
        self.assertLessEqual(np.max(difference, initial=0), seconds)

    def test_arrays_in_cells(self):
        jd1, jd2 = (part[:30].reshape(5, 3, 2) for part in instants(14))
        for name in ("isot", "mjd", "ymdhms"):
            time = Time(jd1, jd2, format="jd", scale="tai").copy(format=name)
            time[2, 1, 0] = np.ma.masked
            table = Table.new(5)
            kit.call("asdf_table_add_time", table, b"t", of_astropy(time))
            table.write_ecsv(self.ecsv)
            self.assert_equal(QTable.read(self.ecsv)["t"], time, 0.0)
            self.assert_read(Table.read_ecsv(self.ecsv), time)

    def test_a_table_of_astropy_gets_another_column(self):
        """The entries that astropy made stay, in an ordered mapping."""
        time = Time(["2020-01-01", "2020-01-02"], format="iso")
        QTable({"old": time, "n": [1, 2]}, meta={"k": 1}).write(self.ecsv, overwrite=True)
        table = Table.read_ecsv(self.ecsv)
        kit.call("asdf_table_add_time", table, b"t", of_astropy(time.copy(format="mjd")))
        table.write_ecsv(self.ecsv)
        found = QTable.read(self.ecsv)
        self.assertEqual((found.meta["k"], found["old"].format, found["t"].format), (1, "iso", "mjd"))
        self.assertTrue(np.all(found["t"] == found["old"]))


if __name__ == "__main__":
    unittest.main()
