"""Random tables with objects of astropy: from files of astropy, or made here, with one cell changed, to astropy."""

import io
import os
import random

import asdf
import astropy.coordinates as c
import astropy.units as u
import numpy as np
import pytest
from astropy.table import Column, MaskedColumn, QTable
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked
from test_converters import check_same

import asdfkit

COUNT = int(os.environ.get("ASDFKIT_QTABLES", "300"))
PLACE = c.EarthLocation(1 * u.km, 2 * u.km, 3 * u.km)
UNITS = (u.m, u.km / u.s, u.Jy, u.erg / u.cm**2 / u.s, u.mag, u.deg, u.dimensionless_unscaled, u.electron)


class Maker:
    """Makes columns of `rows` rows from a seed."""

    def __init__(self, seed, rows):
        self.random = random.Random(seed)
        self.rows = rows

    def numbers(self, low=-10.0, high=10.0, shape=()):
        size = (self.rows, *shape)
        return np.array([self.random.uniform(low, high) for _ in range(int(np.prod(size)))]).reshape(size)

    def mask(self, shape=()):
        """A mask, of nothing in some columns."""
        size, share = (self.rows, *shape), self.random.choice([0, 0.3])
        return np.array([self.random.random() < share for _ in range(int(np.prod(size)))]).reshape(size)

    def plain(self):
        kind = self.random.choice(["int16", "uint64", "float32", "float64", "bool", "complex128", "U"])
        if kind == "U":
            return np.array([self.random.choice(["a", "bc", "δ", "x y"]) for _ in range(self.rows)])
        shape = self.random.choice([(), (), (2,), (2, 3)]) if kind != "complex128" else ()
        return self.numbers(0, 100, shape).astype(kind)

    def column(self):
        column = Column(self.plain())
        if self.random.random() < 0.5:
            column.description = "with a text"
            column.meta = {"k": [1, 2.5]}
        return column

    def masked_column(self):
        values = self.plain()
        return MaskedColumn(values, mask=self.mask(values.shape[1:]))

    def records(self):
        return np.array(list(zip(range(self.rows), self.numbers())), dtype=[("n", "i4"), ("x", "f8")])

    def quantity(self):
        values = self.numbers(shape=self.random.choice([(), (), (3,)])).astype(self.random.choice(["f4", "f8"]))
        return values * self.random.choice(UNITS)

    def masked_quantity(self):
        return Masked(self.numbers() * u.km, mask=self.mask())

    def time(self):
        form = self.random.choice(["mjd", "jd", "unix", "cxcsec", "gps", "iso", "isot", "yday", "fits", "decimalyear"])
        days = Time(self.numbers(50000, 60000), format="mjd", scale="tai")
        days.format = form
        return Time(days.value, format=form, scale="tai" if form in ("gps", "unix", "cxcsec") else "tdb")

    def time_at_place(self):
        return Time(self.numbers(50000, 60000), format="mjd", location=PLACE)

    def time_delta(self):
        return TimeDelta(self.numbers(), format="jd", scale=self.random.choice(["tai", "tdb", None]))

    def sky(self):
        frame = self.random.choice(["icrs", "fk5", "fk4", "galactic", "gcrs", "itrs", "altaz"])
        options = {}
        if frame in ("fk4", "fk5"):
            options["equinox"] = self.random.choice(["J1975", "B1950", "J2000"])
        if frame in ("gcrs", "itrs", "altaz"):
            options["obstime"] = Time("2020-01-02T03:04:05")
        if frame == "altaz":
            options["location"] = PLACE
        if frame == "itrs":
            x, y, z = (self.numbers() * u.km for _ in range(3))
            return c.SkyCoord(x=x, y=y, z=z, frame=frame, representation_type="cartesian", **options)
        longitude, latitude = self.numbers(0, 360) * u.deg, self.numbers(-90, 90) * u.deg
        if frame == "icrs" and self.random.random() < 0.5:
            options["distance"] = self.numbers(1, 9) * u.pc
            options["pm_ra_cosdec"] = self.numbers() * u.mas / u.yr
            options["pm_dec"] = self.numbers() * u.mas / u.yr
        return c.SkyCoord(longitude, latitude, frame=frame, **options)

    def place(self):
        return c.EarthLocation(*(self.numbers(6000, 7000) * u.km for _ in range(3)))

    def table(self):
        kinds = [
            self.column, self.masked_column, self.records, self.quantity, self.masked_quantity, self.time,
            self.time_at_place, self.time_delta, self.sky, self.place,
        ]  # fmt: skip
        table = QTable()
        for number in range(self.random.randint(1, 4)):
            table[f"c{number}"] = self.random.choice(kinds)()
        # Without a quantity, nothing in a file of ECSV shows that the table is a QTable.
        table["q"] = self.quantity()
        table["key"] = np.arange(self.rows)
        table.meta = {"name": "t", "list": [1, 2.5], "inner": {"a": True}}
        return table


SKY = c.SkyCoord([1.5, 2.5] * u.deg, [3, 4] * u.deg, frame="fk5", obstime=Time("2020-01-02T03:04:05"))
OBJECTS = {
    "unit": u.Unit("km / s"),
    "quantity": 2.5 * u.m,
    "integer": u.Quantity(3, u.s, dtype=int),
    "quantities": [[1.0, 2.0], [3.0, 4.0]] * u.Jy,
    "single": np.array([1.5], "f4") * u.mag,
    "time": Time("2020-01-02T03:04:05.123456789", scale="tai"),
    "number": Time(58000.25, format="mjd", scale="utc"),
    "fits": Time("2020-01-02T03:04:05", format="fits", scale="tdb"),
    "times": Time([58000.25, 59000.5], format="mjd", scale="tt"),
    "texts": Time(["2020-01-02T03:04:05", "2021-02-03"], scale="utc"),
    "at_place": Time([58000.25, 59000.5], format="unix", location=PLACE),
    "span": TimeDelta(3.5, format="jd", scale="tai"),
    "spans": TimeDelta([3.5, 1e6], format="sec"),
    "angle": c.Angle(1.5 * u.hourangle),
    "latitudes": c.Latitude([1, 2] * u.deg),
    "longitude": c.Longitude(200 * u.deg, wrap_angle=180 * u.deg),
    "place": PLACE,
    "direction": c.SkyCoord(1.5 * u.deg, -2 * u.deg),
    "directions": SKY,
    "galactic": c.SkyCoord(1.5 * u.deg, -2 * u.deg, frame="galactic", distance=3 * u.kpc),
    "cartesian": c.CartesianRepresentation([1, 2] * u.km, [3, 4] * u.km, [5, 6] * u.km),
    "array": np.array([[1, 2], [3, 4]], "i2"),
    "complex": 1.5 - 2e-5j,
}
# astropy has no form for these in ECSV.
ONLY_ASDF = ("cartesian",)


def of_asdf(file):
    target = io.BytesIO()
    file.write(target) if isinstance(file, asdfkit.File) else file.write_to(target)
    return target.getvalue()


def table_of_asdf(data):
    with asdf.open(io.BytesIO(data), lazy_load=False, memmap=False) as file:
        return file["t"]


def check_column(found, expected):
    if isinstance(expected, (Time, TimeDelta, c.SkyCoord)):
        check_same(found, expected)
        return
    assert type(found) is type(expected)
    assert getattr(found, "unit", None) == getattr(expected, "unit", None)
    assert found.info.description == expected.info.description
    masks = [getattr(value, "mask", False) for value in (found, expected)]
    assert np.array_equal(*(np.asarray(mask) for mask in masks))
    values = [np.asarray(getattr(value, "unmasked", value)) for value in (found, expected)]
    assert values[0].dtype == values[1].dtype or values[0].dtype.kind == "U"
    shown = ~np.broadcast_to(masks[1], values[1].shape) if not values[1].dtype.names else ...
    assert np.array_equal(values[0][shown], values[1][shown])


@pytest.mark.filterwarnings("ignore")
def test_angles_and_representations_become_columns(tmp_path):
    # Tables of asdf-astropy refuse such columns; mappings do not.
    columns = {
        "angle": c.Angle([1, 2] * u.hourangle),
        "latitude": c.Latitude([1, 2] * u.deg),
        "longitude": c.Longitude([1, 200] * u.deg, wrap_angle=180 * u.deg),
        "cartesian": c.CartesianRepresentation([1, 2] * u.km, [3, 4] * u.km, [5, 6] * u.km),
        "spherical": c.SphericalRepresentation([1, 2] * u.deg, [3, 4] * u.deg, [5, 6] * u.kpc),
        "velocity": c.CartesianDifferential([1, 2] * u.km / u.s, [3, 4] * u.km / u.s, [5, 6] * u.km / u.s),
    }
    ours = asdfkit.open(io.BytesIO(of_asdf(asdf.AsdfFile({"t": columns})))).node("t").table()
    file = asdfkit.new()
    file["t"] = ours
    again = asdfkit.open(io.BytesIO(of_asdf(file))).node("t").table()
    for number, table in enumerate((ours, again)):
        table.write_ecsv(tmp_path / f"{number}.ecsv")
        found = QTable.read(tmp_path / f"{number}.ecsv")
        assert found.colnames == sorted(columns)
        for name, expected in columns.items():
            assert type(found[name]) is type(expected), name
            parts = getattr(expected, "components", None) or ["value"]
            assert all(np.all(getattr(found[name], part) == getattr(expected, part)) for part in parts), name


def check_object(found, expected):
    """Compares objects in metadata, where arrays may have become lists."""
    if isinstance(expected, c.CartesianRepresentation):
        assert type(found) is type(expected) and np.all(found.xyz == expected.xyz)
    elif isinstance(expected, (np.ndarray, complex)) and not isinstance(expected, u.Quantity):
        assert np.array_equal(np.asarray(found), expected)
    elif isinstance(expected, u.UnitBase):
        assert u.Unit(found) == expected and isinstance(found, u.UnitBase)
    else:
        check_same(found, expected)


def with_objects(names):
    """A table whose metadata, and those of its columns, have these objects."""
    table = QTable({"plain": Column([1, 2]), "q": [1.0, 2.0] * u.m, "t": Time([1, 2], format="mjd")})
    objects = {name: OBJECTS[name] for name in names}
    table.meta = {**objects, "deep": {"list": [objects.get("time"), 1], "more": {**objects}}}
    table["plain"].meta = {"more": {**objects}}
    table["q"].info.meta = {"more": {**objects}}
    return table


def check_objects(found, names, where=("plain", "q"), objects=OBJECTS):
    metas = [found.meta, found.meta["deep"]["more"], *(found[name].info.meta["more"] for name in where)]
    for name in names:
        for meta in metas:
            check_object(meta[name], objects[name])
    check_object(found.meta["deep"]["list"][0], objects["time"])


@pytest.mark.filterwarnings("ignore")
def test_objects_in_metadata_pass_between_ecsv_and_asdf(tmp_path):
    names = [name for name in OBJECTS if name not in ONLY_ASDF]
    text = io.StringIO()
    with_objects(names).write(text, format="ascii.ecsv")
    file = asdfkit.new()
    file["t"] = asdfkit.read_ecsv(text.getvalue().encode())
    data = of_asdf(file)
    # astropy has no metadata of quantities in ASDF.
    check_objects(table_of_asdf(data), names, ("plain",))
    for plain in (False, True):
        again = asdfkit.open(io.BytesIO(data)).node("t").table(plain_metadata=plain)
        again.write_ecsv(tmp_path / f"{plain}.ecsv")
        check_objects(QTable.read(tmp_path / f"{plain}.ecsv"), names)
        if plain:
            check_objects(again.to_astropy(), names)


@pytest.mark.filterwarnings("ignore")
def test_objects_in_metadata_pass_from_asdf_of_astropy(tmp_path):
    table = with_objects(OBJECTS)
    data = of_asdf(asdf.AsdfFile({"t": table}))
    # asdf-astropy stores times with fewer digits.
    objects = table_of_asdf(data).meta
    ours = asdfkit.open(io.BytesIO(data)).node("t").table()
    ours.write_ecsv(tmp_path / "t.ecsv")
    names = [name for name in OBJECTS if name not in ONLY_ASDF]
    check_objects(QTable.read(tmp_path / "t.ecsv"), names, ("plain",), objects)
    file = asdfkit.new()
    file["t"] = ours
    check_objects(table_of_asdf(of_asdf(file)), names, ("plain",), objects)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", ["asdf", "ecsv", "made"])
def test_tables_equal_themselves_but_for_the_changed_cell(way):
    for seed in range(COUNT // 3):
        rows = 1 + seed % 4
        table = Maker(f"{way} {seed}", rows).table()
        if way == "asdf":
            data = of_asdf(asdf.AsdfFile({"t": table}))
            expected, ours = table_of_asdf(data), asdfkit.open(io.BytesIO(data)).node("t").table()
        elif way == "ecsv":
            text = io.StringIO()
            table.write(text, format="ascii.ecsv")
            expected = QTable.read(text.getvalue(), format="ascii.ecsv")
            ours = asdfkit.read_ecsv(text.getvalue().encode())
        else:
            expected, ours = table, asdfkit.Table.from_astropy(table)
        key = np.array(ours["key"])
        key[seed % rows] = 77
        ours = ours.select(columns=[name for name in ours.names if name != "key"])
        ours.add_column("key", key)
        file = asdfkit.new()
        file["t"] = ours
        found = table_of_asdf(of_asdf(file))
        try:
            assert type(found) is QTable and found.colnames == expected.colnames
            assert found["key"][seed % rows] == 77 and dict(found.meta).get("list") == [1, 2.5]
            found["key"][seed % rows] = seed % rows
            for name in expected.colnames:
                check_column(found[name], expected[name])
        except AssertionError as problem:
            raise AssertionError(f"{way}, seed {seed}, {name if 'name' in locals() else ''}: {expected}") from problem
