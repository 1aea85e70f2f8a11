"""Copies between files of different versions of the standard: Python asdf finds objects in them, not bare mappings."""

import io
import itertools
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import astropy.units as u
import numpy as np
import samples
from astropy.coordinates import EarthLocation, SkyCoord
from astropy.modeling import models
from astropy.table import QTable, Table
from astropy.time import Time, TimeDelta

warnings.simplefilter("error")

STANDARDS = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"]


def version(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split("."))


def table(kind: type) -> Table:
    made = kind({"number": [1, 2], "length": [1.5, 2.5] * u.m})
    made.meta["array"] = np.arange(3)
    return made


# Values by the oldest standard that has all of their tags.
VALUES = {
    "1.0.0": {
        "array": samples.array("float32", (3, 4)),
        "record": np.array([(1, 2.5)], dtype=[("a", "i2"), ("b", "f8")]),
        "masked": np.ma.array([1, 2, 3], mask=[0, 1, 0]),
        "complex": 1 + 2j,
        "unit": u.km,
        "time": Time(["2020-01-01T00:00:00", "2021-02-03T04:05:06"], scale="tai"),
    },
    "1.1.0": {
        "quantity": 3.5 * u.m,
        "quantities": np.arange(6.0) * u.s,
        "table": table(Table),
        "quantity table": table(QTable),
        "span": TimeDelta([1, 2.25] * u.s),
        "place": Time(2000.0, format="jyear", location=EarthLocation.from_geocentric(1, 2, 3, unit="m")),
        "coordinate": SkyCoord([1, 2] * u.deg, [3, 4] * u.deg),
        "model": models.Shift(1.0) | models.Scale(2.0),
        "affine": models.AffineTransformation2D(matrix=np.eye(2) * 3, translation=[1, 2]),
        "polynomial": models.Polynomial2D(2, c0_0=1, c1_1=3),
    },
    "1.3.0": {"integer": asdf.IntegerType(2**80)},
}


def values(*standards: str) -> dict:
    """Values whose tags are in all versions of the standard."""
    oldest = min(map(version, standards))
    return {key: value for since, part in VALUES.items() if version(since) <= oldest for key, value in part.items()}


def written(standard: str, tree: dict) -> bytes:
    output = io.BytesIO()
    asdf.AsdfFile(tree, version=standard).write_to(output)
    return output.getvalue()


def copied(source: str, target: str, tree: dict) -> bytes:
    made = kit.File.new(target)
    made.root().copy("copy", kit.File.open(written(source, {"tree": tree})).root().get("tree"))
    return made.write_memory()


class Standards(unittest.TestCase):
    def test_objects_stay_objects(self):
        for source, target in itertools.product(STANDARDS, STANDARDS):
            tree = values(source, target)
            with (
                self.subTest(source=source, target=target),
                asdf.open(io.BytesIO(written(source, tree)), lazy_load=False) as expected,
                asdf.open(io.BytesIO(copied(source, target, tree)), lazy_load=False) as found,
            ):
                self.assertEqual(found.version_string, target)
                self.assertEqual(set(found["copy"]), set(tree))
                for key in tree:
                    self.assertIs(type(found["copy"][key]), type(expected[key]), key)
                    self.assertEqual(repr(found["copy"][key]), repr(expected[key]), key)

    def test_what_a_standard_does_not_have_is_refused(self):
        half = {"half": np.arange(3, dtype="float16")}
        for source, target in itertools.product(STANDARDS, STANDARDS):
            refused = {
                "half": (half, "1.6.0"),
                "quantity": ({"quantity": VALUES["1.1.0"]["quantity"]}, "1.1.0"),
                "integer": ({"integer": VALUES["1.3.0"]["integer"]}, "1.3.0"),
            }
            for key, (tree, since) in refused.items():
                if version(source) < version(since) or version(target) >= version(since):
                    continue
                made = kit.File.new(target)
                node = kit.File.open(written(source, {"tree": tree})).root().get("tree")
                with self.subTest(source=source, target=target, key=key):
                    with self.assertRaisesRegex(kit.Error, f"at /tree/{key}: .* standard {target}"):
                        made.root().copy("copy", node)
                    with self.assertRaisesRegex(kit.Error, "NOT_FOUND"):
                        made.root().get("copy")
                    # A file that lacks an intended node is not written by mistake.
                    with self.assertRaisesRegex(kit.Error, "INCOMPLETE"):
                        made.write_memory()


if __name__ == "__main__":
    unittest.main()
