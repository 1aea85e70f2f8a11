"""Points in time: what we read, convert and write equals what astropy says, to a nanosecond.

ASDFKIT_TIMES sets the number of random times.
"""

import os
import re
import tempfile
import unittest
import warnings
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import astropy.units as u
import erfa
import numpy as np
from asdfkit_ctypes import HANDLE, HANDLE_OUT, PLACE, TEXT_OUT
from astropy.coordinates import EarthLocation
from astropy.time import Time, TimeDelta
from astropy.utils import iers

iers.conf.auto_download = False

HEADER = (Path(os.environ["ASDFKIT_PREFIX"]) / "include" / "asdfkit" / "asdf.h").read_text(encoding="utf-8")
SCALES = {name.lower(): int(code) for name, code in re.findall(r"ASDF_TIME_SCALE_(\w+) (\d+)", HEADER)}
FORMATS = {name.lower(): int(code) for name, code in re.findall(r"ASDF_TIME_FORMAT_(\w+) (\d+)", HEADER)}
CONVERTED = ("utc", "tai", "tt")
# astropy has no format for two of the standard, and its schema none for stardates.
STORED = [name for name in FORMATS if name not in ("utime", "tai_seconds", "stardate")]
NUMBERS = (
    "jd", "mjd", "decimalyear", "unix", "unix_tai", "cxcsec", "galexsec", "gps", "plot_date", "stardate",
)  # fmt: skip
COUNTED = ("gps", "unix", "unix_tai", "cxcsec", "galexsec")
COUNT = int(os.environ.get("ASDFKIT_TIMES", "2000"))
NANOSECOND = 1 / 86400e9
NS_OF_1960, NS_OF_1972 = (int(np.datetime64(year, "ns").astype(np.int64)) for year in ("1959-12-31", "1972"))

SHAPE = (c_int32, POINTER(c_int64))
for name, arguments in {
    "asdf_node_get_time": (*PLACE, HANDLE, HANDLE_OUT),
    "asdf_node_set_times": (*PLACE, HANDLE, HANDLE),
    "asdf_node_get_time_delta": (*PLACE, c_void_p, c_void_p, c_size_t, POINTER(c_int64)),
    "asdf_node_set_time_delta": (*PLACE, c_void_p, c_void_p, *SHAPE, c_int32, c_char_p, HANDLE),
    "asdf_time_from_jd": (c_void_p, c_void_p, *SHAPE, c_int32, c_int32, HANDLE, HANDLE_OUT),
    "asdf_time_from_numbers": (c_void_p, *SHAPE, c_int32, c_int32, HANDLE, HANDLE_OUT),
    "asdf_time_from_nanoseconds": (c_void_p, *SHAPE, c_int32, HANDLE, HANDLE_OUT),
    "asdf_time_with_mask": (HANDLE, c_void_p, c_size_t, HANDLE_OUT),
    "asdf_time_with_location": (HANDLE, c_double, c_double, c_double, HANDLE_OUT),
    "asdf_time_convert": (HANDLE, c_int32, HANDLE_OUT),
    "asdf_time_scale": (HANDLE, POINTER(c_int32)),
    "asdf_time_format": (HANDLE, POINTER(c_int32)),
    "asdf_time_shape": (HANDLE, POINTER(c_int64), c_int32, POINTER(c_int32)),
    "asdf_time_read_jd": (HANDLE, c_void_p, c_void_p, c_size_t),
    "asdf_time_read_numbers": (HANDLE, c_int32, c_void_p, c_size_t),
    "asdf_time_read_nanoseconds": (HANDLE, c_int32, c_void_p, c_void_p, c_size_t),
    "asdf_time_read_mask": (HANDLE, c_void_p, c_size_t),
    "asdf_time_location": (HANDLE, c_int64, POINTER(c_double), POINTER(c_double), POINTER(c_double)),
    "asdf_time_text": (HANDLE, c_int64, c_int32, c_int32, *TEXT_OUT),
}.items():
    getattr(kit.library, name).argtypes = arguments
    getattr(kit.library, name).restype = c_int32
kit.library.asdf_time_free.argtypes, kit.library.asdf_time_free.restype = (HANDLE,), None


def shape_of(values) -> tuple:
    shape = np.shape(values)
    return len(shape), (c_int64 * max(1, len(shape)))(*shape)


class Times(kit.Handle):
    kind = "time"

    @staticmethod
    def of(time: Time) -> "Times":
        jd1, jd2 = (np.array(part, dtype=float, order="C") for part in (time.jd1, time.jd2))
        codes = SCALES[time.scale], FORMATS[time.format]
        return Times("asdf_time_from_jd", jd1.ctypes.data, jd2.ctypes.data, *shape_of(jd1), *codes, None)

    def converted(self, scale: str) -> "Times":
        return Times("asdf_time_convert", self, SCALES[scale])

    def shape(self) -> tuple:
        return tuple(kit.numbers_of("asdf_time_shape", self))

    def jd(self) -> tuple[np.ndarray, np.ndarray]:
        jd1, jd2 = np.empty(self.shape()), np.empty(self.shape())
        kit.call("asdf_time_read_jd", self, jd1.ctypes.data, jd2.ctypes.data, jd1.size)
        return jd1, jd2

    def numbers(self, name: str) -> np.ndarray:
        numbers = np.empty(self.shape())
        kit.call("asdf_time_read_numbers", self, FORMATS[name], numbers.ctypes.data, numbers.size)
        return numbers

    def nanoseconds(self, scale: str) -> np.ndarray:
        nanoseconds, rest = np.empty(self.shape(), dtype=np.int64), np.empty(self.shape())
        code = SCALES[scale]
        kit.call("asdf_time_read_nanoseconds", self, code, nanoseconds.ctypes.data, rest.ctypes.data, rest.size)
        return nanoseconds

    def mask(self) -> np.ndarray:
        mask = np.empty(self.shape(), dtype=np.uint8)
        kit.call("asdf_time_read_mask", self, mask.ctypes.data, mask.size)
        return mask.astype(bool)

    def text(self, index: int, name: str, precision: int) -> str:
        return kit.text_of("asdf_time_text", self, index, FORMATS[name], precision)

    def scale_and_format(self) -> tuple[str, int]:
        scale = kit.value_of(c_int32, "asdf_time_scale", self)
        names = {code: name for name, code in SCALES.items()}
        return names[scale], kit.value_of(c_int32, "asdf_time_format", self)


def instants(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Julian dates of the years 1 to 9999, a third of them since 1957, and around each step of UTC."""
    random = np.random.default_rng(seed)
    jd1 = np.floor(random.uniform(1721426, 5373484, COUNT))
    jd1[: COUNT // 3] = np.floor(random.uniform(2436000, 2462000, COUNT // 3))
    jd2 = random.uniform(-0.5, 0.5, COUNT)
    edges = np.array([-86400, -43200, -1.5, -1, -0.999999999, -0.5, -1e-9, 0, 1e-9, 0.5, 1, 43200]) / 86401
    for year, month, _ in erfa.leap_seconds.get():
        step = Time(f"{year}-{month:02d}-01", scale="utc")
        jd1 = np.concatenate([jd1, np.full(len(edges), step.jd1)])
        jd2 = np.concatenate([jd2, step.jd2 + edges])
    for text in ("0001-01-01", "9999-12-31T23:59:59.999999999"):
        end = Time(text, scale="tai")
        jd1, jd2 = np.append(jd1, end.jd1), np.append(jd2, end.jd2)
    return jd1, jd2


class TimeTests(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "file.asdf"
        warnings.simplefilter("ignore")

    def assert_same(self, times: Times, expected: Time, nanoseconds: float = 1) -> None:
        jd1, jd2 = times.jd()
        difference = np.abs((jd1 - expected.jd1) + (jd2 - expected.jd2))
        self.assertLess(np.max(difference, initial=0), nanoseconds * NANOSECOND)
        self.assertEqual(times.scale_and_format()[0], expected.scale)
        self.assertEqual(times.shape(), expected.shape)

    def test_scales_are_converted_as_by_astropy(self):
        for scale in CONVERTED:
            time = Time(*instants(1), format="jd", scale=scale)
            times = Times.of(time)
            for to in CONVERTED:
                with self.subTest(f"{scale} to {to}"):
                    self.assert_same(times.converted(to), getattr(time, to))

    def test_numbers_are_those_of_astropy(self):
        for scale in CONVERTED:
            time = Time(*instants(2), format="jd", scale=scale)
            times = Times.of(time)
            for name in (*NUMBERS, "byear", "jyear"):
                with self.subTest(f"{name} {scale}"):
                    expected = time.to_value(name)
                    np.testing.assert_array_max_ulp(times.numbers(name), expected, 2)
                    read = Time(expected, format=name, scale=scale)
                    values = np.ascontiguousarray(expected)
                    codes = SCALES[scale], FORMATS[name]
                    made = Times("asdf_time_from_numbers", values.ctypes.data, *shape_of(values), *codes, None)
                    self.assert_same(made, read)

    def test_texts_are_those_of_astropy(self):
        jd1, jd2 = instants(3)
        keep = slice(None, None, max(1, COUNT // 1000))
        for scale in SCALES:
            time = Time(jd1[keep], jd2[keep], format="jd", scale=scale, precision=9)
            times = Times.of(time)
            for name in ("isot", "fits"):
                for index, text in enumerate(time.to_value(name)):
                    # One year beyond 9999 gives all texts of astropy a sign and five digits.
                    text = text.rjust(29, "0") if name == "isot" else text.removeprefix("+0")
                    found = times.text(index, name, 9)
                    # Rounding of the tenth decimal.
                    (minute, _, second), (same, _, other) = found.rpartition(":"), text.rpartition(":")
                    is_close = minute == same and abs(float(second) - float(other)) < 1.1e-9
                    self.assertTrue(found == text or is_close, f"{scale}: {found} instead of {text}")

    def test_nanoseconds_are_those_of_datetime64(self):
        random = np.random.default_rng(4)
        nanoseconds = random.integers(-(2**63) + 1, 2**63, COUNT)
        nanoseconds[: COUNT // 2] = random.integers(0, 2_000_000_000_000_000_000, COUNT // 2)
        shape = shape_of(nanoseconds)
        for scale in ("utc", "tai", "tdb"):
            with self.subTest(scale):
                data = nanoseconds.ctypes.data
                times = Times("asdf_time_from_nanoseconds", data, *shape, SCALES[scale], None)
                expected = Time(nanoseconds.astype("datetime64[ns]"), scale=scale)
                self.assert_same(times, expected)
                # On the days of small steps of UTC before 1972, neither ERFA nor we return the clock that was given.
                found = times.nanoseconds(scale)
                clock = expected.datetime64.astype("datetime64[ns]").astype(np.int64)
                self.assertLessEqual(np.max(np.abs(found - clock)), 1)
                is_kept = (nanoseconds >= NS_OF_1972) | (nanoseconds < NS_OF_1960) | (scale != "utc")
                np.testing.assert_array_equal(found[is_kept], nanoseconds[is_kept])
        seconds = 1_483_228_800 + np.arange(-40, 40)
        utc = Time(seconds.astype("datetime64[s]"), scale="utc")
        tai = (utc.tai.datetime64 - np.datetime64(0, "ns")).astype(np.int64)
        np.testing.assert_array_equal(Times.of(utc).nanoseconds("tai"), tai)

    def test_files_of_astropy_are_read(self):
        jd1, jd2 = instants(5)
        place = EarthLocation.from_geocentric(1.5, 2.5, 3.5, unit=u.km)
        for standard in ("1.1.0", "1.6.0"):
            tree = {}
            for scale in (*CONVERTED, "tdb", "ut1", "tcb", "tcg"):
                for name in STORED:
                    if scale not in CONVERTED and name in COUNTED:
                        continue
                    try:
                        time = Time(jd1[:99], jd2[:99], format="jd", scale=scale, location=place).copy(format=name)
                        tree[f"{name} {scale}"] = time.reshape(3, 33)
                        tree[f"{name} {scale} single"] = time[0]
                        _ = time.value
                    except Exception:  # astropy itself needs measurements of the Earth, or cannot represent it.
                        tree.pop(f"{name} {scale}", None)
            written = {}
            for key, time in tree.items():
                try:
                    asdf.AsdfFile({"time": time}, version=standard).write_to(self.path)
                except asdf.ValidationError:  # The tag of this standard lacks the format.
                    continue
                written[key] = time
                with asdf.open(self.path) as file:
                    expected = file["time"].copy()
                root = kit.File("asdf_file_open", os.fsencode(self.path), None).root()
                times = Times("asdf_node_get_time", root, b"time", None)
                with self.subTest(f"{standard}: {key}"):
                    self.assert_same(times, expected)
                    if expected.location is not None:
                        found = [c_double(), c_double(), c_double()]
                        kit.call("asdf_time_location", times, 0, *(byref(each) for each in found))
                        self.assertEqual([each.value for each in found], [1500, 2500, 3500])
            self.assertGreater(len(written), 40)

    def test_astropy_reads_what_is_written(self):
        jd1, jd2 = instants(6)
        for standard in ("1.1.0", "1.6.0"):
            file = kit.File.new(standard)
            root, expected = file.root(), {}
            for scale, code in SCALES.items():
                for name in STORED:
                    if scale == "local" or (scale not in CONVERTED and name in COUNTED):
                        continue
                    time = Time(jd1[:60], jd2[:60], format="jd", scale=scale)
                    for key, part in ((f"{name} {scale}", time.reshape(4, 15)), (f"{name} {scale} single", time[0])):
                        jds = [np.array(each, order="C") for each in (part.jd1, part.jd2)]
                        codes = code, FORMATS[name]
                        pointers = [each.ctypes.data for each in jds]
                        times = Times("asdf_time_from_jd", *pointers, *shape_of(jds[0]), *codes, None)
                        kit.call("asdf_node_set_times", root, key.encode(), times, None)
                        expected[key] = part
            file.write(self.path)
            with asdf.open(self.path) as read:
                for key, time in expected.items():
                    with self.subTest(f"{standard}: {key}"):
                        found = read[key]
                        self.assertEqual((found.scale, found.shape), (time.scale, time.shape))
                        name = key.split()[0]
                        if standard == "1.6.0":
                            self.assertIn(found.format, (name, "isot" if name in ("iso", "isot") else name))
                        difference = np.abs((found.jd1 - time.jd1) + (found.jd2 - time.jd2)) * 86400
                        # Numbers that a double does not hold are text.
                        self.assertLess(np.max(difference), 1e-9)

    def test_missing_times_and_places(self):
        place = EarthLocation.from_geocentric(1, 2, 3, unit=u.m)
        time = Time(["2020-01-01T00:00:00.123456789", "2020-01-02"], scale="tai", location=place)
        for name in ("isot", "mjd"):
            file = kit.File.new("1.6.0")
            times = Times.of(time.copy(format=name))
            times = Times("asdf_time_with_location", times, c_double(1), c_double(2), c_double(3))
            mask = np.array([0, 1], dtype=np.uint8)
            masked = Times("asdf_time_with_mask", times, mask.ctypes.data, mask.size)
            kit.call("asdf_node_set_times", file.root(), b"time", times, None)
            kit.call("asdf_node_set_times", file.root(), b"masked", masked, None)
            file.write(self.path)
            with asdf.open(self.path) as read:
                self.assertEqual(read["time"].location.x, 1 * u.m)
                # asdf-astropy ignores the mask.
                self.assertEqual(read["masked"].shape, (2,))
            root = kit.File("asdf_file_open", os.fsencode(self.path), None).root()
            np.testing.assert_array_equal(Times("asdf_node_get_time", root, b"masked", None).mask(), [False, True])

    def test_spans_of_time(self):
        for delta in (TimeDelta(1.5 * u.hour), TimeDelta([[1, 2.25]], format="sec", scale="tai")):
            asdf.AsdfFile({"span": delta}).write_to(self.path)
            root = kit.File("asdf_file_open", os.fsencode(self.path), None).root()
            jd1, jd2, count = np.empty(delta.size), np.empty(delta.size), c_int64()
            data = jd1.ctypes.data, jd2.ctypes.data
            kit.call("asdf_node_get_time_delta", root, b"span", *data, jd1.size, byref(count))
            np.testing.assert_array_equal(jd1, np.ravel(delta.jd1))
            np.testing.assert_array_equal(jd2, np.ravel(delta.jd2))
            file = kit.File.new("1.6.0")
            codes = SCALES[delta.scale] if delta.scale else 0, delta.format.encode()
            kit.call("asdf_node_set_time_delta", file.root(), b"span", *data, *shape_of(delta.jd1), *codes, None)
            file.write(self.path)
            with asdf.open(self.path) as read:
                found = read["span"]
                self.assertEqual((found.scale, found.format, found.shape), (delta.scale, delta.format, delta.shape))
                np.testing.assert_array_equal(found.jd, delta.jd)


if __name__ == "__main__":
    unittest.main()
