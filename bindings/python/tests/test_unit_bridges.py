"""Fifty units pass from each form to each other: quantities and tables of ASDF files, ECSV, Arrow, descriptions.

After each step astropy must find the unit that it read at the start.
"""

import io
import itertools
import warnings

import asdf
import astropy.units as u
import numpy as np
import pyarrow
import pytest
from astropy.table import Table

import asdfkit
from asdfkit import ndl, units

#: Units as text, with the spelling of the text.
TEXTS = (
    ("m", "generic"), ("km / s", "generic"), ("erg / (Angstrom s cm2)", "generic"), ("Jy", "generic"),
    ("uJy", "generic"), ("mJy / beam", "generic"), ("MJy / sr", "generic"), ("mag(AB)", "generic"),
    ("mag(ST)", "generic"), ("mag(ct / s)", "generic"), ("mag", "generic"), ("dex(cm/s2)", "generic"),
    ("dex", "generic"), ("dB", "generic"), ("dB(mW)", "generic"), ("%", "generic"), ("DN", "generic"),
    ("DN / s", "generic"), ("electron", "generic"), ("electron / s", "generic"), ("", "generic"),
    ("m(3/2)", "generic"), ("s(1/3)", "generic"), ("kg-2 m4", "generic"), ("1e-17 erg / (s cm2)", "generic"),
    ("10 m", "generic"), ("0.25 d", "generic"), ("solMass / yr", "generic"), ("km / (Mpc s)", "generic"),
    ("deg_C", "generic"), ("hourangle", "generic"), ("uas / yr", "generic"), ("mag / arcsec2", "generic"),
    ("Gibit", "generic"), ("Ohm", "generic"), ("Angstrom", "generic"), ("micron", "generic"),
    ("km.s**-1", "vounit"), ("erg.s**-1.cm**-2.Hz**-1", "vounit"), ("m**(3/2)", "vounit"), ("MiB", "vounit"),
    ("km s-1", "fits"), ("10**-23 erg s-1 cm-2", "fits"), ("sqrt(m)", "fits"),
    ("km.s-1", "cds"), ("[cm.s-2]", "cds"), ("10-9W.m-2", "cds"),
    ("furlong / fortnight", "unknown"), ("counts per pixel", "unknown"), ("erg/", "unknown"),
)  # fmt: skip
KINDS = ("node", "table", "ecsv", "arrow", "ndl")
VALUES = np.array([1.5, 2.5])


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def unit_of(text, spelling):
    spelling = "generic" if spelling == "unknown" else spelling
    unit = u.Unit(text, format=spelling, parse_strict="silent")
    u.format.VOUnit._custom_units.clear()
    return unit


UNITS = {f"a{number}": unit_of(*text) for number, text in enumerate(TEXTS)}


# The forms of astropy and of other programs -------------------------------------------------------------------------


def node_of_astropy():
    """A file of asdf-astropy with quantities. It has no quantities in logarithms and unknown units, but the units."""
    tree = {}
    for name, unit in UNITS.items():
        if isinstance(unit, u.UnrecognizedUnit):
            tree[name] = {"value": VALUES.copy(), "unit": unit.to_string()}
        elif isinstance(unit, u.UnitBase):
            tree[name] = u.Quantity(VALUES, unit)
        else:
            tree[name] = {"value": VALUES.copy(), "unit": unit if isinstance(unit, u.MagUnit) else unit.to_string()}
    target = io.BytesIO()
    asdf.AsdfFile(tree).write_to(target)
    return target.getvalue()


def table_file_of_astropy():
    """A table of asdf-astropy, which stores no decibels and decimal logarithms of a unit: they are texts here."""
    table = Table({name: VALUES for name in UNITS})
    for name, unit in UNITS.items():
        is_stored = isinstance(unit, (u.UnitBase, u.MagUnit))
        table[name].unit = unit if is_stored else u.UnrecognizedUnit(unit.to_string())
    target = io.BytesIO()
    asdf.AsdfFile({"t": table}).write_to(target)
    return target.getvalue()


def ecsv_of_astropy():
    target = io.StringIO()
    Table({name: VALUES for name in UNITS}, units=UNITS).write(target, format="ascii.ecsv")
    return target.getvalue().encode()


def arrow_of_astropy():
    fields = [
        pyarrow.field(name, pyarrow.float64(), metadata={"ecsv:unit": unit.to_string()}) for name, unit in UNITS.items()
    ]
    return pyarrow.table([VALUES] * len(fields), schema=pyarrow.schema(fields))


def ndl_by_hand():
    array = "{shape: [2], type: float64, value: [1.5, 2.5]}"
    groups = (
        f"/{name}:\n  attributes: {{unit: '{unit.to_string()}'}}\n  ndarrays: {{value: {array}}}\n"
        for name, unit in UNITS.items()
    )
    return "".join(groups)


STARTS = {
    "node": node_of_astropy,
    "table": table_file_of_astropy,
    "ecsv": ecsv_of_astropy,
    "arrow": arrow_of_astropy,
    "ndl": ndl_by_hand,
}


# The bridges --------------------------------------------------------------------------------------------------------


def of_nodes(file):
    """Table of the quantities of a file, whose arrays and units are below them."""
    columns = {name: file[f"{name}/value"][...] for name in UNITS}
    return asdfkit.Table(columns, units={name: file[f"{name}/value"].unit for name in UNITS})


def created(description, folder):
    path = folder / "created.asdf"
    description.create_asdf(path, replace=True)
    return asdfkit.open(path)


def to_table(kind, form, folder):
    if kind == "node":
        return of_nodes(asdfkit.open(io.BytesIO(form)))
    if kind == "table":
        return asdfkit.open(io.BytesIO(form)).table("t")
    if kind == "ecsv":
        return asdfkit.read_ecsv(form)
    if kind == "arrow":
        return asdfkit.Table(form)
    return of_nodes(created(ndl.parse(form), folder))


def of_table(kind, table, folder):
    file = asdfkit.new()
    if kind == "table":
        file["t"] = table
    elif kind in ("node", "ndl"):
        for name in UNITS:
            file[name] = asdfkit.Quantity(table[name], table.columns[name].unit)
    path = folder / "written.asdf"
    if kind in ("node", "table", "ndl"):
        file.write(path, replace=True)
    if kind in ("node", "table"):
        return path.read_bytes()
    if kind == "ecsv":
        table.write_ecsv(path, replace=True)
        return path.read_bytes()
    if kind == "arrow":
        return pyarrow.table(table)
    return str(ndl.describe(path, described_values="all"))


# Units that astropy reads -------------------------------------------------------------------------------------------


def stated(value):
    """Unit of a quantity, or of a mapping that stands for one."""
    unit = value.unit if isinstance(value, u.Quantity) else value["unit"]
    return unit if not isinstance(unit, str) else u.Unit(unit, parse_strict="silent")


def found_by_astropy(kind, form, folder):
    if kind == "node":
        with asdf.open(io.BytesIO(form)) as file:
            return {name: stated(file[name]) for name in UNITS}
    if kind == "table":
        with asdf.open(io.BytesIO(form)) as file:
            return {name: file["t"][name].unit for name in UNITS}
    if kind == "ecsv":
        table = Table.read(form.decode(), format="ascii.ecsv")
        return {name: table[name].unit for name in UNITS}
    if kind == "arrow":
        texts = {field.name: field.metadata[b"ecsv:unit"].decode() for field in form.schema}
        return {name: u.Unit(text, parse_strict="silent") for name, text in texts.items()}
    file = created(ndl.parse(form), folder)
    return {name: u.Unit(file[f"{name}/unit"], parse_strict="silent") for name in UNITS}


def check(kind, form, folder, origin, names=UNITS):
    found = found_by_astropy(kind, form, folder)
    different = {text: found[name] for text, name in zip(TEXTS, UNITS) if name in names and found[name] != UNITS[name]}
    assert not different, (origin, kind, different)


@pytest.mark.parametrize("start", KINDS)
def test_units_pass_all_bridges(start, tmp_path):
    form = STARTS[start]()
    is_plain = {name: isinstance(unit, u.UnitBase | u.MagUnit) for name, unit in UNITS.items()}
    is_known = {name: not isinstance(unit, u.UnrecognizedUnit) for name, unit in UNITS.items()}
    # In such a file, astropy reads the words of a text that is no unit as new units.
    names = [name for name in UNITS if start != "table" or (is_plain[name] and is_known[name])]
    check(start, form, tmp_path, "astropy", names)
    table = to_table(start, form, tmp_path)
    for end in KINDS:
        passed = of_table(end, table, tmp_path)
        check(end, passed, tmp_path, start)
        # And on to each other form, so that each leads to each.
        for last in KINDS:
            if last != end and start == "ecsv":
                check(last, of_table(last, to_table(end, passed, tmp_path), tmp_path), tmp_path, f"{start}, {end}")


def test_texts_of_all_spellings_are_set(tmp_path):
    """A program that has a unit in some spelling writes it as generic text."""
    texts = {
        name: units.format(text, "generic" if spelling == "unknown" else spelling)
        for name, (text, spelling) in zip(UNITS, TEXTS)
    }
    table = asdfkit.Table({name: VALUES for name in UNITS}, units=texts)
    for kind in KINDS:
        check(kind, of_table(kind, table, tmp_path), tmp_path, "asdfkit")


@pytest.mark.parametrize("form", ["standard", "astropy", "arrays"])
def test_tables_of_all_forms_have_the_units(form, tmp_path):
    table = asdfkit.Table({name: VALUES for name in UNITS}, units={name: str(unit) for name, unit in UNITS.items()})
    file = asdfkit.new()
    file.set("t", table, table_form=form)
    file.write(tmp_path / "form.asdf")
    again = asdfkit.open(tmp_path / "form.asdf").table("t")
    check("ecsv", of_table("ecsv", again, tmp_path), tmp_path, form)
    with asdf.open(tmp_path / "form.asdf") as found:
        columns = found["t"]
        stated_units = {name: stated(columns[name]) if form == "arrays" else columns[name].unit for name in UNITS}
    assert all(stated_units[name] == unit for name, unit in UNITS.items())


def test_annotated_descriptions_keep_quantities(tmp_path):
    table = asdfkit.Table({name: VALUES for name in UNITS}, units={name: str(unit) for name, unit in UNITS.items()})
    path = tmp_path / "written.asdf"
    of_table("node", table, tmp_path)
    for annotate in (False, True):
        description = ndl.describe(path, annotate=annotate, described_values="all")
        description.create_asdf(tmp_path / "again.asdf", replace=True)
        check("node", (tmp_path / "again.asdf").read_bytes(), tmp_path, f"annotate={annotate}")
    first, again = asdfkit.open(path), asdfkit.open(tmp_path / "again.asdf")
    assert [again.tag_of(f"{name}/unit") for name in UNITS] == [first.tag_of(f"{name}/unit") for name in UNITS]


def test_there_are_fifty_texts():
    assert len(TEXTS) == len(UNITS) == 50
    assert len({spelling for _, spelling in TEXTS}) == 5
    assert len(list(itertools.permutations(KINDS, 2))) == 20
