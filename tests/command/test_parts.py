"""Columns of tables in ASDF files, and fields of records: TABLE/COLUMN and ARRAY/FIELD."""

import json

import asdf
import numpy as np
import pytest
from astropy import units as u
from astropy.table import QTable
from astropy.time import Time
from conftest import document, output, refused


@pytest.fixture
def quantities(tmp_path):
    """A table of astropy whose columns are a quantity, plain numbers and times."""
    table = QTable({"a": np.arange(3.0) * u.km, "b": [1, 2, 3], "c": Time(["2027-01-31T00:00:00"] * 3)})
    path = tmp_path / "q.asdf"
    asdf.AsdfFile({"t": table}).write_to(path)
    return path


def test_columns_have_their_names(quantities, tmp_path):
    assert [found["path"] for found in document("find", quantities, "--kind", "column")["found"]] == [
        f"/t/columns/{index}" for index in range(3)
    ]
    text = output("info", quantities)
    assert all(f"\n      {line}" in text for line in ("a: quantity with", "b: column int64 [3]", "c: time with"))
    assert output("get", quantities, "t/a", "--unit", "m") == "0.0 1000.0 2000.0\n"
    assert output("get", quantities, "t/a[1:]") == "1.0 2.0\n"
    assert document("stat", quantities, "t/a", "--unit", "m")["arrays"][0]["max"] == 2000
    assert output("get", quantities, quantities, "t/b").splitlines()[1] == "1 2 3"
    output("show", quantities, "t/a", "-o", tmp_path / "a.svg")
    refused("get", quantities, "t/d", code=1, match="has no column 'd'; it has a, b, c")
    refused("get", quantities, "t", "--as", "csv", code=2, match="`asdfkit select` writes tables")


def test_paths_of_fields_are_those_that_are_shown(roman):
    table = [line.split() for line in output("stat", roman, "roman/records").splitlines()]
    assert [line[0] for line in table[1:]] == [
        f"/roman/records/{name}" for name in ("id", "ra", "name", "position[...,0]", "position[...,1]")
    ]
    for line in (table[1], table[2], table[4]):
        assert document("stat", roman, line[0])["arrays"][0]["count"] == int(line[1])
    assert json.loads(output("get", roman, "roman/records/position[1:3]", "--as", "json")) == [[0, 0], [0, 0]]
    assert output("get", roman, "roman/records/name[2]") == "é\n"
    refused("get", roman, "roman/records/nme", code=1, match="no field 'nme'")


def test_approximate_percentiles_are_marked_in_tables(tmp_path):
    path = tmp_path / "large.asdf"
    asdf.AsdfFile({"large": np.arange(1_200_000, dtype="i4"), "small": np.arange(3.0)}).write_to(path)
    head, large, small, note = output("stat", path).splitlines()
    assert head.split()[-1] == "99%" and large.count("~") == 5 and "~" not in small
    assert note.startswith("~ the ranks of these percentiles are right within 0.00")
