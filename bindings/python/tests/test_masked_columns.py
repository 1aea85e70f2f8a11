"""A masked column is one column, in tables that astropy writes and in those that astropy reads."""

import warnings

import astropy.table
import astropy.units as u
import numpy as np
import pytest
from astropy.table import MaskedColumn, QTable
from astropy.time import Time
from astropy.utils.masked import Masked

import asdfkit

TEXTS = ["a", "", "日本", "", "x y"]


def masked_table(seed):
    """A table of astropy with masked columns of every kind, written as data and mask or with empty fields."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 12))

    def mask(*shape):
        return random.random((rows, *shape)) < 0.4

    table = QTable()
    table["text"] = MaskedColumn(random.choice(TEXTS, rows), mask=mask(), description="words", meta={"k": 1})
    table["number"] = MaskedColumn(random.integers(-5, 5, rows), mask=mask(), format="%3d")
    table["flag"] = MaskedColumn(random.random(rows) < 0.5, mask=mask())
    table["grid"] = MaskedColumn(random.random((rows, 2)), mask=mask(2))
    table["flux"] = Masked(random.random(rows), mask()) * u.Jy
    time = Time(50000 + random.random(rows), format="mjd", scale="tai")
    time[mask()] = np.ma.masked
    table["time"] = time
    table["plain"] = np.arange(rows)
    for name in table.colnames[:5]:
        if random.random() < 0.7:
            table[name].info.serialize_method["ecsv"] = "data_mask"
    if random.random() < 0.5:
        table["time"].info.serialize_method["ecsv"] = "jd1_jd2"
    table.meta["survey"] = "deep"
    return table


def parts(column):
    """Mask and values of a column of any class."""
    if isinstance(column, Time):
        return np.ma.getmaskarray(np.ma.MaskedArray(column.mjd)), np.ma.getdata(np.ma.MaskedArray(column.mjd))
    column = getattr(column, "value", column)
    values = getattr(column, "unmasked", None)
    values = np.ma.getdata(column) if values is None else values
    mask = getattr(column, "mask", np.zeros(values.shape, bool))
    return np.broadcast_to(mask, values.shape), np.asarray(values)


def check_equal(found, expected):
    assert found.colnames == expected.colnames
    for name in expected.colnames:
        (mask, values), (other_mask, other_values) = parts(found[name]), parts(expected[name])
        if name == "text" and expected[name].info.serialize_method.get("ecsv") != "data_mask":
            other_mask = other_mask | (other_values == "")  # astropy writes empty texts as missing ones
        assert np.array_equal(mask, other_mask), name
        assert np.array_equal(values[~mask], other_values[~mask]), name
    assert found.meta == {"survey": "deep"} and found["text"].description == "words"


@pytest.mark.parametrize("seed", range(40))
def test_files_of_astropy(tmp_path, seed):
    theirs = masked_table(seed)
    theirs.write(tmp_path / "a.ecsv", format="ascii.ecsv")
    ours = asdfkit.read_ecsv(tmp_path / "a.ecsv")
    assert not [name for name in ours.names if name.endswith(".mask")]
    check_equal(ours.to_astropy(), theirs)
    # Written by us and read by astropy, whole and in batches.
    ours.write_ecsv(tmp_path / "b.ecsv")
    batches = asdfkit.read_ecsv(tmp_path / "a.ecsv", batches=3)
    first = next(batches)
    with asdfkit.TableWriter(tmp_path / "c.ecsv", first) as writer:
        writer.write(first)
        for batch in batches:
            writer.write(batch)
    for name in ("b.ecsv", "c.ecsv"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check_equal(QTable.read(tmp_path / name, format="ascii.ecsv"), theirs)
    raw = asdfkit.read_ecsv(tmp_path / "a.ecsv", raw_columns=True)
    for name in ("text", "number", "flag", "grid"):
        is_stored = theirs[name].info.serialize_method["ecsv"] == "data_mask" and theirs[name].mask.any()
        assert (f"{name}.mask" in raw.names) == is_stored


@pytest.mark.parametrize("seed", range(20))
def test_tables_of_astropy(seed):
    theirs = masked_table(seed)
    ours = asdfkit.Table.from_astropy(theirs)
    assert not [name for name in ours.names if name.endswith(".mask")]
    found = ours.to_astropy()
    mask, values = parts(theirs["text"])
    assert np.array_equal(parts(found["text"])[0], mask)
    assert np.array_equal(parts(found["text"])[1][~mask], values[~mask])
    theirs["text"].info.serialize_method["ecsv"] = "data_mask"
    check_equal(found, theirs)


def test_missing_texts_come_back(tmp_path):
    table = asdfkit.Table({"note": ["a", None, ""]})
    for _ in range(2):
        table.write_ecsv(tmp_path / "a.ecsv", replace=True)
        table = asdfkit.read_ecsv(tmp_path / "a.ecsv")
        assert table.names == ["note"] and table["note"].tolist() == ["a", None, ""] and table.meta == {}
    theirs = astropy.table.Table.read(tmp_path / "a.ecsv", format="ascii.ecsv")
    assert isinstance(theirs["note"], MaskedColumn) and theirs["note"].tolist() == ["a", None, ""]


def test_masks_are_no_columns(tmp_path):
    asdfkit.Table({"note": ["a", None, ""], "id": [1, 2, 3]}).write_ecsv(tmp_path / "a.ecsv")
    read = asdfkit.read_ecsv(tmp_path / "a.ecsv", columns=["note"])
    assert read.names == ["note"] and read["note"].tolist() == ["a", None, ""]
    with pytest.raises(asdfkit.errors.NotFoundError):
        asdfkit.read_ecsv(tmp_path / "a.ecsv", columns=["note.mask"])
    raw = asdfkit.read_ecsv(tmp_path / "a.ecsv", raw_columns=True)
    assert raw.names == ["note", "note.mask", "id"] and raw["note"].tolist() == ["a", "", ""]
    assert raw.logical_columns()[0].values()["note"].tolist() == ["a", None, ""]
