"""Rows of tables: selected and sorted as astropy and NumPy do, with random tables."""

import astropy.table
import numpy as np
import pytest

import asdfkit
from asdfkit.constants import Status

KINDS = ["int8", "uint64", "int64", "float16", "float32", "float64", "bool", "complex64", "complex128", "U"]


def random_column(random, kind, rows, shape=()):
    if kind == "U":
        alphabet = np.array(["", "a", "b", "é", "日", "\U00010000", "\uffff", "A", "aa", "~"])
        values = random.choice(alphabet, (rows, *shape))
    elif kind == "bool":
        values = random.random((rows, *shape)) < 0.5
    elif kind.startswith(("int", "uint")):
        info = np.iinfo(kind)
        few = np.array([info.min, info.max, 0, 1, 7], kind)
        values = random.choice(few, (rows, *shape))
    else:
        few = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.5, -1.5, 2.25], kind)
        values = random.choice(few, (rows, *shape))
        if kind.startswith("complex"):
            with np.errstate(invalid="ignore"):
                values.imag = random.choice(few.real, (rows, *shape))
    if random.random() < 0.5:
        return np.ma.MaskedArray(values, random.random((rows, *shape)) < 0.3)
    return values


def random_table(random):
    """A table of this library, and one of astropy that is equal to it."""
    rows = int(random.integers(0, 40))
    kinds = random.choice(KINDS, random.integers(1, 6))
    columns = {f"c{index}": random_column(random, kind, rows) for index, kind in enumerate(kinds)}
    columns["array"] = random_column(random, str(random.choice(KINDS)), rows, (2, 3))
    columns["row"] = np.arange(rows)
    return asdfkit.Table(columns, units={"row": "m"}, meta={"a": 1}), astropy.table.Table(columns)


def check_equal(ours, theirs):
    assert ours.names == theirs.colnames
    for name in ours.names:
        found, expected = ours[name], theirs[name]
        mask = np.ma.getmaskarray(np.ma.MaskedArray(expected))
        assert np.array_equal(np.ma.getmaskarray(found), mask), name
        found, expected = np.ma.getdata(found)[~mask], np.ma.getdata(np.ma.MaskedArray(expected))[~mask]
        assert np.array_equal(found, expected, equal_nan=found.dtype.kind in "fc"), name
    assert ours.meta == {"a": 1} and (ours.names[-1] != "row" or ours.columns["row"].unit == "m")


@pytest.mark.parametrize("seed", range(60))
def test_selection_equals_astropy(seed):
    random = np.random.default_rng(seed)
    ours, theirs = random_table(random)
    rows = len(theirs)
    for _ in range(6):
        start, stop = (int(random.integers(-rows - 2, rows + 3)) for _ in range(2))
        step = int(random.choice([-3, -2, -1, 1, 2, 3]))
        check_equal(ours[start:stop:step], theirs[start:stop:step])
        numbers = random.integers(-rows, rows, random.integers(0, 2 * rows + 1)) if rows else np.array([], int)
        check_equal(ours[numbers], theirs[numbers])
        mask = random.random(rows) < 0.5
        check_equal(ours[mask], theirs[mask])
        names = [
            str(name) for name in random.permutation(theirs.colnames)[: random.integers(1, len(theirs.colnames) + 1)]
        ]
        check_equal(ours[names], theirs[names])
        check_equal(ours.select(mask, names), theirs[names][mask])
    check_equal(ours[::-1][:], theirs[::-1])


def key_of(value, is_missing, descending):
    """Key for Python's stable sort: the class, then the value."""
    if is_missing:
        return (4, 0)
    if isinstance(value, (complex, np.complexfloating)):
        parts = [0.0 if np.isnan(part) else float(part) for part in (value.real, value.imag)]
        rank = 2 * int(np.isnan(value.real)) + int(np.isnan(value.imag))
        return (rank, tuple(-part if descending else part for part in parts))
    if isinstance(value, (float, np.floating)):
        number = 0.0 if np.isnan(value) else float(value)
        return (2 if np.isnan(value) else 0, -number if descending else number)
    if isinstance(value, str):
        points = [ord(character) for character in value]
        return (0, [-point for point in points] + [1] if descending else points)
    return (0, -int(value) if descending else int(value))


@pytest.mark.parametrize("seed", range(60))
def test_order_equals_python(seed):
    random = np.random.default_rng(seed)
    ours, theirs = random_table(random)
    names = [name for name in theirs.colnames if name not in ("array", "row")]
    columns = [str(name) for name in random.permutation(names)[: random.integers(1, len(names) + 1)]]
    flags = [bool(flag) for flag in random.random(len(columns)) < 0.5]
    keys = []
    for name, descending in zip(columns, flags):
        values = np.ma.MaskedArray(ours[name])
        mask = np.ma.getmaskarray(values)
        data = values.data
        keys.append([key_of(value, missing, descending) for value, missing in zip(data, mask)])
    order = sorted(range(len(theirs)), key=lambda row: [key[row] for key in keys])
    check_equal(ours.sort_by(*columns, descending=flags), theirs[np.array(order, int)])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "U"])
def test_order_of_one_column_equals_numpy(kind):
    values = np.ma.getdata(random_column(np.random.default_rng(5), kind, 500))
    table = asdfkit.Table({"a": values, "row": np.arange(500)})
    assert np.array_equal(table.sort_by("a")["row"], np.argsort(values, kind="stable"))


def test_wide_numbers_are_sorted_by_value():
    table = asdfkit.Table({"row": np.arange(5)})
    texts = ["1e4000", "", "1.00000000000000000001", "-inf", "1"]
    table.add_column("wide", np.ma.MaskedArray(texts, [not text for text in texts]), datatype="float128")
    assert table.sort_by("wide")["row"].tolist() == [3, 4, 2, 0, 1]
    assert table.sort_by("wide", descending=True)["row"].tolist() == [0, 2, 4, 3, 1]


def test_cells_of_different_lengths_are_selected():
    cells = np.empty(4, object)
    cells[:] = [np.array([1.0, 2.0]), np.array([]), np.array([3.0]), np.array([4.0, 5.0, 6.0])]
    table = asdfkit.Table({"cells": cells})
    assert [cell.tolist() for cell in table[[3, 1, 0]]["cells"]] == [[4, 5, 6], [], [1, 2]]


def test_logical_columns_are_selected_as_a_whole(tmp_path):
    from astropy.coordinates import SkyCoord

    theirs = astropy.table.QTable({"a": [1, 2], "pos": SkyCoord([1, 2], [3, 4], unit="deg")})
    ours = asdfkit.Table.from_astropy(theirs)
    part = ours.select([1], ["pos"])
    assert part.names == ["pos.ra", "pos.dec"] and part.to_astropy()["pos"][0].ra.deg == 2
    half = ours[["pos.ra", "a"]]
    assert half.to_astropy().colnames == ["pos.ra", "a"] and "__serialized_columns__" not in half.meta


@pytest.mark.parametrize("compression", ["", "zlib"])
def test_rows_of_a_table_in_a_file_are_those_of_the_whole(tmp_path, compression):
    random = np.random.default_rng(3)
    table = astropy.table.Table({kind: random_column(random, kind, 40) for kind in KINDS}, masked=True)
    table["grid"] = random_column(random, "float32", 40, (2, 3))
    path = tmp_path / "t.asdf"
    with asdfkit.new() as file:
        file.set("t", asdfkit.Table.from_astropy(table), compression=compression)
        file.write(path)
    with asdfkit.open(path) as file:
        whole = file.node("").table("t").to_astropy()
        for first, count in ((0, 40), (0, 1), (13, 20), (39, 5), (40, 1), (7, 0)):
            part = file.node("").table("t", first_row=first, row_count=count).to_astropy()
            assert part.colnames == whole.colnames
            for name in whole.colnames:
                expected, found = whole[name][first : first + count], part[name]
                missing = np.ma.getmaskarray(expected)
                np.testing.assert_array_equal(np.ma.getmaskarray(found), missing)
                values = [np.asarray(np.ma.getdata(column))[~missing] for column in (found, expected)]
                np.testing.assert_array_equal(*values, err_msg=name)
        with pytest.raises(ValueError):
            file.node("").table("t", first_row=-1)


def test_wrong_rows_and_columns_are_refused():
    table = asdfkit.Table({"a": [1, 2, 3], "pair": np.zeros((3, 2))})
    for rows in ([3], [-4], range(2, 5), np.array([2**63], "u8")):
        with pytest.raises(IndexError):
            table[rows]
    with pytest.raises(IndexError, match="the mask has 2 elements, and the table 3 rows"):
        table[np.array([True, False])]
    for rows in (1, 1.5, [0.5], np.zeros((2, 2), int), (np.array([0]),), {"a"}):
        with pytest.raises(TypeError):
            table[rows]
    with pytest.raises(TypeError, match="not one text"):
        table.select(columns="a")
    with pytest.raises(asdfkit.errors.NotFoundError):
        table[["a", "b"]]
    with pytest.raises(asdfkit.AsdfError) as caught:
        table.sort_by("pair")
    assert caught.value.status == Status.WRONG_TYPE
    with pytest.raises(asdfkit.AsdfError):
        table.sort_by()
    with pytest.raises(ValueError, match="descending has 1 values for 2 columns"):
        table.sort_by("a", "pair", descending=[True])


def test_missing_comparisons_select_nothing():
    table = asdfkit.Table({"a": [1, None, 3]})
    assert table[table["a"] > 1]["a"].tolist() == [3]
