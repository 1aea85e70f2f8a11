"""Tables of astropy that another program reads, filters and writes again: `round_trip.py make DIR`, `check DIR OUTPUTS`.

The program drops the rows whose `i` is 2. It writes each table NAME.ecsv and NAME.asdf of DIR as ECSV and as ASDF:
OUTPUTS/NAME-ecsv.ecsv, NAME-ecsv.asdf, NAME-asdf.ecsv, NAME-asdf.asdf. Every column must have the same class and values.
"""

import sys
import warnings
from pathlib import Path

import asdf
import astropy.units as u
import numpy as np
from astropy.coordinates import EarthLocation, SkyCoord
from astropy.table import MaskedColumn, QTable, Table
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked

STARTS = ["2024-01-01T00:00:00", "2024-01-02T00:00:00.125", "2016-12-31T12:30:00"]
PLACE = EarthLocation.from_geodetic(10 * u.deg, 20 * u.deg)
# A program with times of microseconds, and the numbers of days that astropy stores in ECSV.
TOLERANCE = 1.1e-6


def times(scale: str = "utc", name: str = "isot", **more: object) -> Time:
    found = Time(STARTS, scale=scale, **more)
    found.format = name
    return found


def tables() -> dict[str, Table]:
    """Returns tables by name, each with columns of one kind."""
    masked = Time(STARTS, scale="tai")
    masked[2] = np.ma.masked
    sky = SkyCoord([10, 20, 30] * u.deg, [30, -40, 50] * u.deg)
    spans = [1.5, 2.5, 1e-3]
    found = {scale: QTable({"t": times(scale)}) for scale in ("utc", "tai", "tt", "tdb", "ut1")}
    found |= {
        "mjd": QTable({"t": times("tai", "mjd")}),
        "halves": QTable({"t": times("utc", "mjd")}),
        "gps": QTable({"t": times("tai", "gps")}),
        "unix": QTable({"t": times("utc", "unix")}),
        "jd": QTable({"t": Time([2460310.5, 2460311.25, 2460312], format="jd", scale="tt")}),
        "dates": QTable({"t": Time(["2024-01-01", "2016-12-31", "2024-01-03"], out_subfmt="date")}),
        "place": QTable({"t": times(location=PLACE)}),
        "leap": QTable({"t": Time(["2016-12-31T23:59:60.5", *STARTS[1:]])}),
        "missing": QTable({"t": masked}),
        "days": QTable({"d": TimeDelta(spans, format="jd")}),
        "seconds": QTable({"d": TimeDelta(spans, format="sec", scale="tai")}),
        "quantity": QTable({"f": [1, 2, 3] * u.Jy, "g": np.arange(6.0).reshape(3, 2) * u.m}),
        "masked": QTable({"f": Masked([1, 2, 3.0], mask=[False, False, True]) * u.Jy}),
        "columns": Table({"m": MaskedColumn([1.5, 2.5, 3.5], mask=[0, 0, 1], unit="m"), "s": ["a", "b", "c"]}),
        "sky": QTable({"c": sky}),
        "fk5": QTable({"c": SkyCoord(sky.ra, sky.dec, distance=[1, 2, 3] * u.kpc, frame="fk5", equinox="J1975")}),
        "earth": QTable({"e": EarthLocation.from_geodetic([10, 20, 30] * u.deg, [30, -40, 50] * u.deg)}),
        "all": QTable({"t": times("tai"), "f": [1, 2, 3] * u.Jy, "c": sky, "d": TimeDelta(spans, format="jd")}),
    }
    for table in found.values():
        table["i"] = [1, 2, 3]
        table.meta["note"] = {"k": 5, "list": [1, "x"]}
    found["all"]["f"].info.description = "flux"
    return found


def make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables().items():
        method = {"serialize_method": "jd1_jd2"} if name == "halves" else {}
        table.write(folder / f"{name}.ecsv", **method)
        # asdf-astropy cannot store times with a mask.
        if name != "missing":
            asdf.AsdfFile({"t": table}).write_to(folder / f"{name}.asdf")


def same(name: str, found: object, expected: object) -> None:
    """Fails unless two columns have the same class and values."""
    if isinstance(expected, Time | TimeDelta):
        assert isinstance(found, type(expected)), f"{name} is a {type(found)}"
        mask = np.asarray(expected.mask)
        assert np.array_equal(found.mask, mask), name
        if isinstance(expected, Time) and found.scale != expected.scale:
            found, expected = found.tai, expected.tai
        assert np.all(np.abs((found - expected).to_value("s"))[~mask] < TOLERANCE), f"{name}: {found - expected}"
    elif isinstance(expected, SkyCoord):
        assert isinstance(found, SkyCoord) and found.is_equivalent_frame(expected), name
        np.testing.assert_allclose(found.cartesian.xyz.value, expected.cartesian.xyz.value, err_msg=name)
    elif isinstance(expected, EarthLocation):
        assert isinstance(found, EarthLocation), name
        np.testing.assert_allclose(found.geocentric, expected.geocentric, err_msg=name)
    else:
        assert getattr(found, "unit", None) == getattr(expected, "unit", None), name
        assert not isinstance(expected, u.Quantity) or isinstance(found, u.Quantity), f"{name} is a {type(found)}"
        mask = np.asarray(getattr(expected, "mask", np.zeros(np.shape(expected), bool)))
        assert np.array_equal(getattr(found, "mask", np.zeros_like(mask)), mask), name
        assert np.array_equal(np.asarray(found)[~mask], np.asarray(expected)[~mask]), name


def check(folder: Path, outputs: Path) -> None:
    expected = tables()
    for path in sorted(folder.iterdir()):
        for kind in ("ecsv", "asdf"):
            # asdf-astropy ignores the mask of times.
            if path.stem == "missing" and kind == "asdf":
                continue
            output = outputs / f"{path.stem}-{path.suffix[1:]}.{kind}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                reader = type(expected[path.stem])
                found = reader.read(output) if kind == "ecsv" else asdf.open(output)["t"]
            wanted = expected[path.stem][[True, False, True]]
            assert set(found.colnames) == set(wanted.colnames), f"{output.name}: {found.colnames}"
            for name in wanted.colnames:
                same(f"{output.name}: {name}", found[name], wanted[name])
            assert found.meta["note"] == wanted.meta["note"], f"{output.name}: {found.meta}"
            assert "__serialized_columns__" not in found.meta, output.name


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](*map(Path, sys.argv[2:]))
