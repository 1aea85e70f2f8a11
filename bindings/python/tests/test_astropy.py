"""Tables of astropy that asdfkit reads and writes, compared with astropy's own reading and writing."""

import importlib.util
import io
import warnings

import numpy as np
import pytest

pytest.importorskip("astropy")

import astropy.units as u
from astropy.coordinates import CartesianRepresentation, EarthLocation, Longitude, SkyCoord
from astropy.table import Column, MaskedColumn, QTable, Table
from astropy.time import Time, TimeDelta
from astropy.utils.masked import Masked
from corpora import KINDS, ecsv_samples, random_tables, table_count

import asdfkit
import asdfkit.astropy

ENGINES = importlib.util.find_spec("astropy.io.misc.ecsv") is not None


def same_objects(found, expected):
    """Two tables with columns of any class have the same content."""
    assert found.colnames == expected.colnames
    assert repr(dict(found.meta)) == repr(dict(expected.meta))
    for name in expected.colnames:
        assert type(found[name]) is type(expected[name]), name
        assert repr(found[name]) == repr(expected[name]), name
        assert found[name].info.unit == expected[name].info.unit, name
        assert found[name].info.description == expected[name].info.description, name


def readings(path, **options):
    """The table as each way of reading it gives it."""
    given = {"null_values": [text for text in options.get("null_values", []) if text]} if options else {}
    yield "format", lambda: Table.read(path, format="asdfkit.ecsv", **given)
    if ENGINES:
        yield "engine", lambda: Table.read(path, format="ecsv", engine="asdfkit", **options)


def test_samples():
    folder, entries = ecsv_samples()
    compared = 0
    for entry in entries:
        path, options = folder / entry["file"], entry.get("options") or {}
        if entry["expect"]["outcome"] != "ok" or entry["expect"].get("basis") != "oracle":
            continue
        try:
            expected = Table.read(path, format="ecsv", **options)
        except Exception:
            asdfkit.read_ecsv(path).to_dict()  # the columns; astropy fails to make objects of them
            continue
        for way, read in readings(path, **options):
            compared += 1
            found = read()
            try:
                difference = random_tables.difference(found, [expected])
            except (TypeError, AttributeError, ValueError):  # columns of other classes
                same_objects(found, expected)
            else:
                assert difference is None, (entry["id"], way, difference)
    assert compared > 100


def test_samples_that_are_no_tables():
    folder, entries = ecsv_samples()
    refused = 0
    for entry in entries:
        if entry["expect"]["outcome"] == "error":
            refused += 1
            with pytest.raises(asdfkit.AsdfError) as caught:
                asdfkit.read_ecsv(folder / entry["file"]).to_dict()
            assert caught.value.status
            with pytest.raises(Exception):
                Table.read(folder / entry["file"], format="asdfkit.ecsv")
    assert refused > 20


def without_masks(table):
    """The table with plain columns where no element is missing, as reading makes them."""
    for name in table.colnames:
        column = table[name]
        if isinstance(column, MaskedColumn) and not np.any(column.mask):
            plain = Column(column.data.data)
            for what in ("unit", "description", "format", "meta"):
                if getattr(column.info, what):
                    setattr(plain.info, what, getattr(column.info, what))
            table.replace_column(name, plain)
    return table


def test_random_tables(tmp_path):
    compared, count = 0, table_count()
    for seed in range(count):
        made = random_tables.Maker(seed).table(KINDS)
        source, written = tmp_path / "astropy.ecsv", tmp_path / "asdfkit.ecsv"
        try:
            made.write(source, format="ascii.ecsv", overwrite=True, delimiter=" ,"[seed % 2])
            expected = Table.read(source, format="ascii.ecsv")
        except Exception:  # astropy cannot write it or read it again
            continue
        compared += 1
        made = without_masks(random_tables.Maker(seed).table(KINDS))  # astropy changes some metadata when it writes
        found = asdfkit.read_ecsv(source).to_astropy(Table)
        assert random_tables.difference(found, [expected, made]) is None, seed
        made.write(written, format="asdfkit.ecsv", overwrite=True, delimiter="comma" if seed % 2 else "space")
        found = Table.read(written, format="ascii.ecsv")
        assert random_tables.difference(found, [expected, made]) is None, seed
        if ENGINES and seed % 3 == 0:
            try:
                default = Table.read(source, format="ecsv")
            except Exception:
                continue
            found = Table.read(source, format="ecsv", engine="asdfkit")
            assert random_tables.difference(found, [default, expected, made]) is None, seed
    assert compared > count // 2


def objects() -> QTable:
    """A table with columns of many classes."""
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
    table["length"].info.description = "a length"
    table.meta = {"begin": Time("2020-01-01"), "unit": u.m, "step": 3 * u.s, "list": np.arange(3)}
    return table


def test_columns_of_other_classes(tmp_path):
    path, written = tmp_path / "a.ecsv", tmp_path / "b.ecsv"
    objects().write(path, format="ascii.ecsv", serialize_method={"time": "jd1_jd2", "empty": "data_mask"})
    expected = QTable.read(path, format="ascii.ecsv")
    same_objects(asdfkit.read_ecsv(path).to_astropy(), expected)
    same_objects(QTable.read(path, format="asdfkit.ecsv"), expected)
    if ENGINES:
        same_objects(QTable.read(path, format="ecsv", engine="asdfkit"), expected)
    objects().write(written, format="asdfkit.ecsv")
    path.unlink()
    objects().write(path, format="ascii.ecsv")
    same_objects(QTable.read(written, format="ascii.ecsv"), QTable.read(path, format="ascii.ecsv"))


def test_through_memory_and_asdf(tmp_path):
    table = QTable({"x": [1.0, 2.0] * u.Jy, "t": Time(["2020-01-01", "2021-02-03"]), "n": ["a", "b"]})
    table["x"].info.description = "flux"
    table.meta = {"a": 1}
    kept = asdfkit.Table.from_astropy(table)
    assert kept.columns["x"].unit == "Jy"
    same_objects(kept.to_astropy(), table)
    file = asdfkit.new()
    file["catalogue"] = kept
    file.write(tmp_path / "table.asdf")
    with asdfkit.open(tmp_path / "table.asdf") as file:
        same_objects(file.table("catalogue").to_astropy(), table)
    # asdf_astropy reads the form of astropy.
    asdf = pytest.importorskip("asdf")
    pytest.importorskip("asdf_astropy")
    plain = Table({"x": Column([1.0, 2.0], unit="Jy", description="flux"), "m": MaskedColumn([1, 2], mask=[0, 1])})
    file = asdfkit.new()
    file.set("catalogue", asdfkit.Table.from_astropy(plain), table_form="astropy")
    file.write(tmp_path / "astropy.asdf")
    with asdf.open(tmp_path / "astropy.asdf", memmap=False, lazy_load=False) as other:
        found = other["catalogue"]
    assert found["x"].tolist() == [1.0, 2.0]
    assert found["x"].unit == u.Jy
    assert found["m"].mask.tolist() == [False, True]


def test_unified_interface(tmp_path):
    path = tmp_path / "a.ecsv"
    table = Table({"a": [1, 2, 3], "b": ["x", "-", "é"], "c": [1.5, np.nan, -0.0]})
    table.write(path, format="asdfkit.ecsv")
    with pytest.raises(FileExistsError):
        table.write(path, format="asdfkit.ecsv")
    with pytest.raises(OSError, match="exists"):
        table.write(str(path), format="asdfkit.ecsv", overwrite=False)
    table.write(path, format="asdfkit.ecsv", overwrite=True)
    text = path.read_text()
    for source in (path, str(path), io.BytesIO(text.encode()), io.StringIO(text), text, text.split("\n")):
        assert random_tables.difference(Table.read(source, format="asdfkit.ecsv"), [table]) is None
    assert Table.read(path, format="asdfkit.ecsv", columns=["a"], rows=slice(1, 3))["a"].tolist() == [2, 3]
    Table({"a": ["", "x"]}).write(tmp_path / "empty.ecsv", format="asdfkit.ecsv")
    assert Table.read(tmp_path / "empty.ecsv", format="ascii.ecsv")["a"].tolist() == ["", "x"]
    target = io.StringIO()
    table.write(target, format="asdfkit.ecsv")
    assert target.getvalue() == text
    with pytest.raises(TypeError, match="batches"):
        Table.read(path, format="asdfkit.ecsv", batches=10)
    with pytest.raises(TypeError, match="unknown option 'colour'"):
        Table.read(path, format="asdfkit.ecsv", colour=1)
    with pytest.raises(FileNotFoundError):
        Table.read(tmp_path / "none.ecsv", format="asdfkit.ecsv")


@pytest.mark.skipif(not ENGINES, reason="this astropy has no engines for ECSV")
def test_engine_failures(tmp_path):
    path = tmp_path / "a.ecsv"
    path.write_text("# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n1\nx\n")
    with pytest.raises(asdfkit.errors.TableError, match="'a'") as caught:
        Table.read(path, format="ecsv", engine="asdfkit")
    assert caught.value.line == 7
    with pytest.raises(ValueError, match="UTF-8"):
        Table.read(path, format="ecsv", engine="asdfkit", encoding="latin-1")


def test_unknown_tags_do_not_block_the_data():
    text = b"# %ECSV 1.0\n# ---\n# datatype: [{name: a, datatype: int8}]\n# meta: {x: !unknown {y: [1, !z 2]}}\na\n1\n"
    warnings.simplefilter("always")
    with pytest.warns(UserWarning, match="!unknown"):
        found = asdfkit.read_ecsv(text).to_astropy()
    assert found.meta == {"x": {"y": [1, "2"]}}
    assert asdfkit.read_ecsv(text).meta["x"]["y"][0] == 1


def test_what_no_table_can_hold():
    for wrong in ([1, 2], None, asdfkit.Table({"a": [1]})):
        with pytest.raises(TypeError, match="table of astropy"):
            asdfkit.Table.from_astropy(wrong)


def test_units_and_masks_of_arrays(tmp_path):
    asdf = pytest.importorskip("asdf")
    pytest.importorskip("asdf_astropy")
    values = {
        "scalar": 139.8 * u.s,
        "array": np.arange(3.0) * u.Jy,
        "masked": Masked(np.arange(3.0) * u.m / u.s, [False, True, False]),
        "angle": Longitude([1, 2], u.deg),
        "none": u.Quantity([1.0, 2.0]),
    }
    file = asdfkit.new()
    for name, value in values.items():
        file[name] = value
    file["list"] = [{"a": 2 * u.km}]
    file["elements"] = Masked(np.arange(3.0), [False, False, True])
    file["column"] = Column([1.0, 2.0], unit="deg")
    file["masked column"] = MaskedColumn([1.0, 2.0], mask=[False, True], unit="deg")
    file["plain column"] = Column([1, 2])
    file.write(tmp_path / "file.asdf")
    with asdf.open(tmp_path / "file.asdf") as found:
        for name, value in values.items():
            assert found[name].unit == value.unit and repr(found[name].value) == repr(value.value), name
        assert found["list"][0]["a"] == 2 * u.km
        assert found["elements"].mask.tolist() == [False, False, True]
        assert found["column"].unit == u.deg and found["masked column"].mask.tolist() == [False, True]
        assert found["plain column"][:].tolist() == [1, 2]


def test_units_and_masks_of_columns():
    table = asdfkit.Table({"ra": np.arange(2) * u.deg, "flux": Masked([1.0, 2.0] * u.m / u.s, [False, True])})
    table.add_column("own", asdfkit.Quantity([1, 2], "m"))
    table.add_column("same", [1, 2] * u.s, unit="s")
    assert [table.columns[name].unit for name in table.names] == ["deg", "m / s", "m", "s"]
    assert table["flux"].mask.tolist() == [False, True] and table["ra"].tolist() == [0, 1]
    with pytest.raises(ValueError, match="'s', not 'm'"):
        table.add_column("other", [1, 2] * u.s, unit="m")


def test_units_and_masks_that_would_be_lost(tmp_path):
    class Lengths:
        units = "m"

        def __array__(self, dtype=None, copy=None):
            return np.arange(2.0)

    for store in (lambda: asdfkit.new().set("a", Lengths()), lambda: asdfkit.Table({"a": Lengths()})):
        with pytest.raises(TypeError, match="unit 'm', which would be lost"):
            store()
    file = asdfkit.new()
    file["a"] = np.zeros(3)
    file.write(tmp_path / "file.asdf")
    with asdfkit.open(tmp_path / "file.asdf", "r+") as file:
        with pytest.raises(ValueError, match="unit 's'"):
            file["a"][:] = np.ones(3) * u.s
        with pytest.raises(ValueError, match="masked"):
            file["a"][:] = Masked(np.ones(3), [True, False, False])
        file["a"][:] = u.Quantity([1, 2, 3])
    with asdfkit.new().stream_rows(tmp_path / "stream.asdf", "rows", float) as stream:
        with pytest.raises(ValueError, match="masked"):
            stream.push(np.ma.MaskedArray([1.0, 2.0], [True, False]))
        stream.push([1.0, 2.0])


def test_columns_without_a_dimension_and_without_values_stay(tmp_path):
    columns = [
        "{name: ratio, unit: '', datatype: float64, format: '', description: ''}",
        *(
            f"{{name: v{index}, datatype: string, subtype: '{subtype}'}}"
            for index, subtype in enumerate(["float64[null]", "int32[null]", "string[null]", "bool[null]"])
        ),
    ]
    header = "".join(f"# - {column}\n" for column in columns)
    text = f'# %ECSV 1.0\n# ---\n# datatype:\n{header}# schema: astropy-2.0\nratio v0 v1 v2 v3\n1.5 "" "" "" ""\n'
    (tmp_path / "a.ecsv").write_text(text)
    for kind in (QTable, Table):
        expected, found = (kind.read(tmp_path / "a.ecsv", format=name) for name in ("ascii.ecsv", "asdfkit.ecsv"))
        assert type(found["ratio"]) is type(expected["ratio"])
        assert found["ratio"].unit == expected["ratio"].unit == u.dimensionless_unscaled
        for copy in (expected, found):
            copy.write(tmp_path / "b.ecsv", format="asdfkit.ecsv", overwrite=True)
            for column in columns[kind is QTable :]:
                assert f"# - {column}\n" in (tmp_path / "b.ecsv").read_text()


def test_indices_are_made_again(tmp_path):
    table = QTable({"a": [3, 1, 2], "b": [1, 2, 3]})
    table.add_index("a")
    try:
        table.write(tmp_path / "a.ecsv", format="ecsv", write_indices=True)
    except TypeError:
        pytest.skip("this astropy writes no indices")
    read = asdfkit.read_ecsv(tmp_path / "a.ecsv")
    assert "__index__" in read.names
    for made in (read.to_astropy(), read.to_astropy(Table), QTable.read(tmp_path / "a.ecsv", format="asdfkit.ecsv")):
        assert made.colnames == ["a", "b"] and made.loc[1]["b"] == 2 and "__table_indices__" not in made.meta
    # An index of other rows, or without its columns, would be wrong.
    for part in ({"rows": slice(0, 2)}, {"columns": ["b"]}, {"columns": ["a", "b"]}):
        made = asdfkit.read_ecsv(tmp_path / "a.ecsv", **part).to_astropy()
        assert "__index__" not in made.colnames and not made.indices and "__table_indices__" not in made.meta


@pytest.mark.filterwarnings("ignore")
def test_columns_of_objects_are_read_from_asdf_files(tmp_path):
    asdf = pytest.importorskip("asdf")
    pytest.importorskip("asdf_astropy")
    one = np.array([1.5, 2.5, 3.5])
    place = EarthLocation.from_geodetic(1, 2, 3)
    columns = {
        "spherical": SkyCoord(one * u.deg, one * u.deg),
        "distant": SkyCoord(one * u.deg, one * u.deg, one * u.kpc, frame="galactic"),
        "moving": SkyCoord(
            one * u.deg,
            one * u.deg,
            pm_ra_cosdec=one * u.mas / u.yr,
            pm_dec=one * u.mas / u.yr,
            frame="fk5",
            obstime="J2010",
        ),
        "galactocentric": SkyCoord(x=one * u.kpc, y=one * u.kpc, z=one * u.kpc, frame="galactocentric"),
        "geocentric": SkyCoord(
            one * u.deg, one * u.deg, frame="gcrs", obsgeoloc=CartesianRepresentation(1 * u.m, 2 * u.m, 3 * u.m)
        ),
        "cartesian": SkyCoord(x=one * u.m, y=one * u.m, z=one * u.m, representation_type="cartesian"),
        "place": EarthLocation.from_geodetic(one, one, one),
        "time": Time(one + 50000, format="mjd", scale="tai", location=place),
    }
    for name, values in columns.items():
        path = tmp_path / f"{name}.asdf"
        asdf.AsdfFile({"table": QTable({"i": [1, 2, 3], "c": values})}).write_to(path)
        with asdfkit.open(path) as file, asdf.open(path) as expected:
            table = file.table("table")
            values = expected["table"]["c"].copy()
        table.write_ecsv(tmp_path / f"{name}.ecsv")
        for found in (asdfkit.astropy.to_astropy(table), QTable.read(tmp_path / f"{name}.ecsv", format="ascii.ecsv")):
            assert found.colnames == ["i", "c"] and type(found["c"]) is type(values), name
            assert np.all(found["c"] == values), name
            # Frames with the same attributes, such as the centre of the galaxy.
            assert not isinstance(values, SkyCoord) or found["c"].is_equivalent_frame(values), name
            for attribute in ("representation_type", "obstime", "location", "format", "scale"):
                assert np.all(getattr(found["c"], attribute, None) == getattr(values, attribute, None)), (
                    name,
                    attribute,
                )


@pytest.mark.parametrize("columns", [["ra", "dec"], ["flux"], ["ra", "time.jd1"], ["sky.ra", "gaps"], ["gaps", "flux"]])
def test_some_columns_of_a_table_of_objects(columns, tmp_path):
    table = QTable({"ra": [1, 2] * u.deg, "dec": [3, 4] * u.deg, "flux": Masked([5, 6], [0, 1]) * u.Jy})
    table["time"] = Time([60000, 60001], format="mjd")
    table["sky"] = SkyCoord([1, 2], [3, 4], unit="deg")
    table["gaps"] = MaskedColumn([1, 2], mask=[0, 1])
    table.meta["k"] = 1
    path = tmp_path / "objects.ecsv"
    table.write(path, serialize_method={Time: "jd1_jd2", MaskedColumn: "data_mask"})
    read = asdfkit.read_ecsv(path, columns=columns)
    with asdfkit.read_ecsv(path, columns=columns, batches=1) as batches:
        first = next(batches)
    for found in (read.to_astropy(), first.to_astropy(), Table.read(path, format="asdfkit.ecsv", columns=columns)):
        assert set(found.colnames) == set(columns) and found.meta == {"k": 1}
    found = read.to_astropy()
    for name in columns:
        if name in table.colnames:
            assert type(found[name]) is type(table[name])
