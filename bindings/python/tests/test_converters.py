"""Objects of astropy and of the program as values of a tree, which asdf-astropy reads and writes the same."""

import dataclasses
import io
import pickle
import subprocess
import sys
import warnings

import asdf
import astropy.coordinates as c
import astropy.units as u
import numpy as np
import pytest
from asdf.exceptions import AsdfConversionWarning
from astropy.table import QTable, Table
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked

import asdfkit

PLACE = c.EarthLocation(1 * u.km, 2 * u.km, 3 * u.km)
OBJECTS = {
    "time": Time("2027-01-31T04:05:06.7"),
    "exact": Time(["2027-01-31T04:05:06.123456789", "2027-01-31T04:05:06"]),
    "epoch": Time("J2000.0"),
    "gps": Time([1.0, 2.0], format="gps"),
    "place_time": Time([57000.0, 57001.5], format="mjd", scale="tdb", location=PLACE),
    "date": Time("2001-02-03").replicate(format="datetime"),
    "masked_time": Time(Masked([1.0, 2.0], mask=[False, True]), format="jd", scale="tai"),
    "delta": TimeDelta([1.0, 2.5], format="jd"),
    "seconds": TimeDelta(12.5, format="sec", scale="tai"),
    "angle": c.Angle([1.0, 2.0], "deg"),
    "latitude": c.Latitude(5.0, "deg"),
    "longitude": c.Longitude([10.0, 350.0], "deg", wrap_angle=180 * u.deg),
    "sky": c.SkyCoord([1.0, 2.0], [3.0, 4.0], unit="deg"),
    "moving": c.SkyCoord(
        [1.0, 2.0] * u.deg,
        [3.0, 4.0] * u.deg,
        distance=[5.0, 6.0] * u.pc,
        pm_ra_cosdec=[1.0, 2.0] * u.mas / u.yr,
        pm_dec=[1.0, 2.0] * u.mas / u.yr,
        frame="fk5",
        equinox="J1975",
    ),
    "local": c.SkyCoord(10 * u.deg, 20 * u.deg, frame="altaz", obstime=Time("2020-01-01"), location=PLACE),
    "place": PLACE,
    "frame": c.FK5(1 * u.deg, 2 * u.deg, equinox="J1975"),
    "galactic": c.Galactic([1.0, 2.0] * u.deg, [2.0, 3.0] * u.deg),
    "empty_frame": c.GCRS(obstime=Time("2020-01-01")),
    "galactocentric": c.Galactocentric(1 * u.kpc, 2 * u.kpc, 3 * u.kpc),
    "cartesian": c.CartesianRepresentation([1.0, 2.0], [3.0, 4.0], [5.0, 6.0], unit="pc"),
    "differential": c.CartesianDifferential(1.0, 2.0, 3.0, unit="km/s"),
    "spectral": c.SpectralCoord([1.0, 2.0], "nm"),
    "observed": c.SpectralCoord(
        1.0,
        "nm",
        observer=c.ICRS(1 * u.deg, 2 * u.deg, distance=1 * u.pc),
        target=c.ICRS(3 * u.deg, 4 * u.deg, distance=2 * u.kpc),
    ),
}


def reopened(file):
    target = io.BytesIO()
    file.write(target)
    return asdfkit.open(io.BytesIO(target.getvalue())), target.getvalue()


def of_asdf(data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with asdf.open(io.BytesIO(data), lazy_load=False, memmap=False) as file:
            return dict(file.tree)


def check_same(found, expected):
    assert type(found).__name__ == type(expected).__name__
    if isinstance(expected, (Time, TimeDelta)):
        assert (found.scale, found.format, found.shape) == (expected.scale, expected.format, expected.shape)
        assert np.array_equal(found.mask, expected.mask)
        if isinstance(expected, Time) and expected.location is not None:
            check_same(found.location, expected.location)
        difference = (found - expected).to_value("s")
        assert np.all(np.abs(getattr(difference, "unmasked", difference)[~np.asarray(expected.mask)]) < 1e-9)
    elif isinstance(expected, (c.SkyCoord, c.BaseCoordinateFrame)):
        assert found.is_equivalent_frame(expected)
        data = getattr(expected, "has_data", True)
        assert not data or np.all(found.data.to_cartesian().xyz == expected.data.to_cartesian().xyz)
    elif isinstance(expected, c.BaseRepresentationOrDifferential):
        assert all(np.all(getattr(found, name) == getattr(expected, name)) for name in expected.components)
    else:
        assert np.all(found == expected) and found.unit == expected.unit
        if isinstance(expected, c.Longitude):
            assert found.wrap_angle == expected.wrap_angle


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_astropy_are_values(name):
    file = asdfkit.new()
    file["x"] = OBJECTS[name]
    file["list"] = [OBJECTS[name], {"again": OBJECTS[name]}]
    again, data = reopened(file)
    for value in (file["x"], again["x"], again["list"][0], again["list/1/again"], again.load()["x"]):
        check_same(value, OBJECTS[name])
    check_same(of_asdf(data)["x"], OBJECTS[name])
    # A loop copies the object.
    other = asdfkit.new()
    for key in again:
        other[key] = again[key]
    check_same(of_asdf(reopened(other)[1])["x"], OBJECTS[name])


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_asdf_astropy_are_read(name):
    target = io.BytesIO()
    try:
        asdf.AsdfFile({"x": OBJECTS[name]}).write_to(target)
    except Exception:
        pytest.skip("asdf-astropy does not write this object")
    expected = of_asdf(target.getvalue())["x"]
    check_same(asdfkit.open(io.BytesIO(target.getvalue()))["x"], expected)


@pytest.mark.parametrize("standard", ["1.1.0", "1.5.0", "1.6.0"])
def test_tags_belong_to_the_standard(standard):
    file = asdfkit.new(standard=standard)
    for name in ("time", "delta", "gps", "sky"):
        file[name] = OBJECTS[name]
    data = reopened(file)[1]
    tags = {"1.1.0": "1.1.0", "1.5.0": "1.1.0", "1.6.0": "1.4.0"}
    assert file.tag_of("gps") == f"tag:stsci.edu:asdf/time/time-{tags[standard]}"
    for name in ("time", "delta", "sky"):
        check_same(of_asdf(data)[name], OBJECTS[name])


def test_units_and_quantities_are_values():
    file = asdfkit.new()
    file["unit"] = u.km / u.s
    file["quantity"] = [1.0, 2.0] * u.km
    file["table"] = QTable({"q": [1.0, 2.0] * u.km, "sky": OBJECTS["sky"]})
    file["one"] = np.float32(2.5) * u.s
    file["many"] = Masked([1, 2], mask=[False, True]) * u.Jy
    file["whole"] = u.Quantity([1, 2], u.s, dtype="i2")
    file["plain"] = Table({"f": [1.5, 2.5]}, units={"f": "m"})
    again, data = reopened(file)
    for read in (file, again, of_asdf(data), again.load()):
        assert read["unit"] == u.km / u.s and isinstance(read["unit"], u.UnitBase)
        assert type(read["quantity"]) is u.Quantity and np.all(read["quantity"] == [1.0, 2.0] * u.km)
        assert read["one"] == 2.5 * u.s and read["one"].dtype == "f4"
        assert read["many"].mask.tolist() == [False, True] and read["many"].unit == u.Jy
        assert type(read["table"]) is QTable and np.all(read["table"]["q"] == [1.0, 2.0] * u.km)
        check_same(read["table"]["sky"], OBJECTS["sky"])
        assert type(read["plain"]) is Table and read["plain"]["f"].unit == "m"
        assert read["whole"].dtype == "i2"


def test_elements_of_quantities_are_mapped(tmp_path):
    path = tmp_path / "large.asdf"
    file = asdfkit.new()
    file.set("flux", np.ones((1000, 1000)) * u.Jy)
    file.set("packed", np.ones(1000) * u.Jy, compression="zlib")
    file.write(path)
    with asdfkit.open(path) as file:
        flux, packed = file["flux"], file["packed"]
        assert not flux.flags.owndata and not flux.flags.writeable and packed.flags.writeable
    assert flux[0, 0] == 1 * u.Jy and np.sum(packed) == 1000 * u.Jy


def test_values_of_the_package_on_request(tmp_path):
    path = tmp_path / "x.asdf"
    file = asdfkit.new()
    file["q"], file["unit"], file["t"] = [1.0, 2.0] * u.km, u.m, QTable({"a": [1]})
    file["time"], file["sky"] = OBJECTS["time"], OBJECTS["sky"]
    file.write(path)
    for read in (asdfkit.open(path, astropy=False), asdfkit.open(file.to_bytes(), astropy=False)):
        assert isinstance(read["q"], asdfkit.Quantity) and isinstance(read["q"].value, asdfkit.Array)
        assert isinstance(read["unit"], asdfkit.TaggedText) and isinstance(read["t"], asdfkit.Tree)
        assert isinstance(read["time"], asdfkit.TaggedText) and isinstance(read["sky"], asdfkit.Tree)
        assert isinstance(read["sky/ra/wrap_angle"], asdfkit.Tree)
    read = pickle.loads(pickle.dumps(asdfkit.open(path, astropy=False)))
    assert isinstance(read["q"], asdfkit.Quantity)
    # The explicit calls do not depend on the option.
    file = asdfkit.open(path)
    assert file.node("q").array()[...].tolist() == [1, 2] and file.node("q").unit() == "km"
    assert isinstance(file.table("t"), asdfkit.Table) and file.text_of("unit") == "m"
    # The values of both can be stored, and units of astropy in quantities of the package.
    other = asdfkit.new()
    other["q"] = asdfkit.Quantity([1.5], u.km / u.h)
    assert other["q"].unit == u.km / u.h


def test_astropy_is_imported_for_its_objects_only(tmp_path):
    path = tmp_path / "x.asdf"
    file = asdfkit.new()
    file["meta"] = {"seconds": 1.5, "name": "x", "unit": u.m}
    file["image"] = np.ones(3)
    file.write(path)
    program = f"""
import asdfkit, sys
file = asdfkit.open({str(path)!r})
print(file["meta/seconds"], file["meta"]["name"], file["image"][0], "astropy" in sys.modules)
print(repr(file["meta/unit"]), "astropy" in sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == '1.5 x 1.0 False\nUnit("m") True\n'


def test_content_that_astropy_refuses_stays_a_value_of_the_package():
    text = b"""#ASDF 1.0.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
---
time: !time/time-1.4.0 never
sky: !<tag:astropy.org:astropy/coordinates/skycoord-1.0.0> {frame: nowhere}
frame: !<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0> {data: 5}
table: !table/table-1.2.0 {columns: 5}
...
"""
    file = asdfkit.open(text)
    for name, kind in (("time", str), ("sky", asdfkit.Tree), ("frame", asdfkit.Tree), ("table", asdfkit.Tree)):
        with pytest.warns(UserWarning, match="astropy cannot read"):
            assert isinstance(file[name], kind)


@dataclasses.dataclass
class Point:
    x: float
    y: object


class Named(Point):
    pass


def test_programs_register_converters():
    tag = "tag:example.org:point-1.0.0"
    asdfkit.register(tag, Point, lambda node, tag: Point(node["x"], node["y"]), lambda point: vars(point))
    file = asdfkit.new()
    file["point"] = Named(1.5, OBJECTS["angle"])
    file["points"] = [Point(2.0, "east")]
    assert file.tag_of("point") == tag and file["points"][0] == Point(2.0, "east")
    assert file["point"].x == 1.5
    check_same(file["point"].y, OBJECTS["angle"])
    # The node itself is still there.
    assert file.node("point")["x"] == 1.5

    asdfkit.register("tag:example.org:word-*", f"{__name__}.Word", lambda text, tag: Word(text), write_word)
    file["word"] = Word("north")
    assert file.tag_of("word") == "tag:example.org:word-2.0.0" and file["word"].text == "north"
    asdfkit.register("tag:example.org:word-*", Word, None, lambda word: word.text)
    with pytest.raises(TypeError, match="version"):
        file["word"] = Word("south")
    with pytest.raises(TypeError, match="tag"):
        asdfkit.register("", Point)


@dataclasses.dataclass
class Word:
    text: str


def write_word(word):
    return asdfkit.Tagged(word.text, "tag:example.org:word-2.0.0")


def test_a_unit_of_a_column_can_be_any_word():
    text = b"""#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
table: !table/table-1.2.0
  columns:
  - !table/column-1.2.0 {name: a, unit: !unit/unit-1.0.0 none, data: !core/ndarray-1.1.0 {data: [1, 2]}}
  - !table/column-1.2.0 {name: b, unit: !unit/unit-1.0.0 km.s**-1, data: !core/ndarray-1.1.0 {data: [1, 2]}}
...
"""
    ours, theirs = asdfkit.open(text)["table"], of_asdf(text)["table"]
    assert [ours[name].unit for name in "ab"] == [theirs[name].unit for name in "ab"]


def test_quantities_in_logarithmic_units(tmp_path):
    values = {
        "magnitude": 3 * u.ABmag,
        "array": [1.5, 2.5] * u.ABmag,
        "dex": 4.5 * u.dex(u.cm / u.s**2),
        "decibel": np.float32(3) * u.dB(u.mW),
        "of_the_package": asdfkit.Quantity(2.0, "mag(ST)"),
        "with_a_unit": asdfkit.Quantity(2.0, u.mag("ST")),
    }
    for standard in ("1.5.0", "1.6.0"):
        new = asdfkit.new(values, standard=standard)
        new.write(tmp_path / "log.asdf", replace=True)
        file = asdfkit.open(tmp_path / "log.asdf")
        for name, value in values.items():
            found = file[name]
            wanted = 2.0 * u.mag("ST") if isinstance(value, asdfkit.Quantity) else value
            assert type(found) is type(wanted) and np.all(found == wanted) and found.dtype == wanted.dtype
        # asdf-astropy has no quantities with these units.
        with pytest.warns(AsdfConversionWarning), asdf.open(tmp_path / "log.asdf") as other:
            assert other["magnitude"]["value"] == 3 and other["array"]["value"].tolist() == [1.5, 2.5]
    assert "[0]: 3.0 mag(AB)" in repr(asdfkit.new({"list": [3 * u.ABmag]})["list"])
    with pytest.raises(TypeError, match="value of a quantity"):
        asdfkit.new()["x"] = asdfkit.Quantity(3 * u.ABmag, "m")


def test_a_date_is_its_midnight():
    file = asdfkit.new({"day": asdfkit.Time("2026-01-02")})
    assert file["day"] == Time("2026-01-02") and file.times("day") == np.datetime64("2026-01-02")
    for wrong in ("2026-13-02", "2026-1-2", "2026-01-02 x"):
        with pytest.raises(asdfkit.errors.UsageError, match="is no time"):
            file["x"] = asdfkit.Time(wrong)
