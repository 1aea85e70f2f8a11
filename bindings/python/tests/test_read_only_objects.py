"""Objects of astropy from a file that can change: they are copies, so changing one must not look like changing the file."""

import numpy as np
import pytest
from astropy import units as u
from astropy.coordinates import Angle, EarthLocation, SkyCoord
from astropy.table import MaskedColumn, QTable, Table
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked

import asdfkit

SKY = SkyCoord([1, 2], [3, 4], unit="deg", pm_ra_cosdec=[1, 2] * u.mas / u.yr, pm_dec=[1, 2] * u.mas / u.yr)
COLUMNS = {
    "flux": [1.0, 2.0] * u.Jy,
    "number": [1, 2],
    "text": ["a", "b"],
    "masked": MaskedColumn([1, 2], mask=[False, True]),
    "masked_quantity": Masked([1.0, 2.0], [False, True]) * u.m,
    "time": Time([60000, 60001], format="mjd"),
    "sky": SkyCoord([1, 2], [3, 4], unit="deg"),
}
OBJECTS = {
    "sky": SKY,
    "frame": SKY.frame,
    "time": Time([60000, 60001], format="mjd"),
    "step": TimeDelta([1, 2] * u.s),
    "angle": Angle([1, 2], "deg"),
    "place": EarthLocation([1, 2], [3, 4], [5, 6]),
    "packed": np.ones(2) * u.m,
    "masked": Masked([1.0, 2.0], [False, True]) * u.m,
}


@pytest.fixture
def data():
    file = asdfkit.new({name: value for name, value in OBJECTS.items() if name != "packed"})
    file.set("packed", OBJECTS["packed"], compression="zlib")
    file["table"] = QTable(COLUMNS)
    file["plain"] = Table({"number": [1, 2]})
    return file.to_bytes()


def test_elements_of_tables_are_read_only(data):
    new = asdfkit.new()
    new["table"] = QTable(COLUMNS)
    for file in (asdfkit.open(data, "r+"), new):
        found = file["table"]
        for name in found.colnames:
            with pytest.raises(ValueError, match="read-only"):
                found[name][0] = found[name][1]
        for name in ("masked", "masked_quantity"):
            with pytest.raises(ValueError, match="read-only"):
                found[name][0] = np.ma.masked
        with pytest.raises(ValueError, match="read-only"):
            found[0] = found[1]
        with pytest.raises(ValueError, match="read-only"):
            found["number"] *= 2
        changed = found.copy()
        for name in found.colnames:
            changed[name][0] = changed[name][1]
        file["table"] = changed
        assert np.all(file["table"]["flux"] == 2 * u.Jy)
        assert file["table"]["text"].tolist() == ["b", "b"] and file["table"]["masked"].mask.all()


def test_elements_of_other_objects_are_read_only(data):
    file = asdfkit.open(data, "r+")
    for name in OBJECTS:
        found = file[name]
        with pytest.raises(ValueError, match="read-only"):
            found[0] = found[1]
        changed = found.copy()
        changed[0] = changed[1]
        if name == "frame":
            assert changed.data.lon[0] == changed.data.lon[1]
        else:
            file[name] = changed


def test_objects_of_a_file_for_reading_are_free(data):
    file = asdfkit.open(data)
    for found in (*map(file["table"].__getitem__, COLUMNS), *map(file.__getitem__, OBJECTS)):
        found[0] = found[1]
    file["plain"]["number"][0] = 5
    assert file["plain"]["number"].tolist() == [1, 2]
