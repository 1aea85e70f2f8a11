"""diff of a table in ECSV and the same table in ASDF: they are compared as tables."""

import numpy as np
import pytest
from astropy import units as u
from astropy.table import MaskedColumn, QTable
from astropy.time import Time
from conftest import output, refused, run


@pytest.fixture
def pair(tmp_path):
    source, made = tmp_path / "a.ecsv", tmp_path / "a.asdf"
    table = QTable(
        {
            "n": [1, 2, 3],
            "t": Time(["2024-01-01", "2024-06-01", "2025-01-01"]),
            "q": [1.5, np.nan, 3.0] * u.m,
            "m": MaskedColumn(["a", "b", "c"], mask=[False, True, False]),
        }
    )
    table.write(source, format="ascii.ecsv")
    run("convert", source, made)
    return source, made


def test_equal(pair):
    source, made = pair
    for arguments in ((source, made), (made, source), (source, made, "--path", "table")):
        assert output("diff", *arguments) == ""


def test_different(pair, tmp_path):
    source, made = pair
    text = source.read_text()
    assert text.count("3.0") == 1
    other = tmp_path / "other.ecsv"
    other.write_text(text.replace("3.0", "4.0"))
    assert "~ q: 1 of 3 cells differ, the first in row 2: 3.0 -> 4.0" in output("diff", made, other, code=1)
    assert "4.0 -> 3.0" in output("diff", other, made, code=1)
    assert output("diff", other, made, "--atol", "2") == ""
    other.write_text(text.rstrip("\n").rsplit("\n", 1)[0] + "\n")
    assert "3 rows -> 2 rows" in output("diff", made, other, code=1)


def test_refused(pair, tmp_path):
    source, made = pair
    refused("diff", source, made, "--path", "nothing", code=1)
    refused("diff", source, made, "--all", code=2, match="--all")
    description = tmp_path / "d.ndl"
    description.write_text("/:\n  attributes:\n    a: 1\n")
    refused("diff", source, description, code=2, match="different formats")
