"""table -k with quantities: no unit is lost."""

import csv
import io
import json

import asdf
import numpy as np
import pytest
from astropy import units as u
from conftest import output, refused


@pytest.fixture
def paths(tmp_path):
    made = []
    for name, quantity in {"a": 88.5 * u.K, "b": 90000 * u.mK, "c": None, "d": [1, 2] * u.K}.items():
        path = tmp_path / f"{name}.asdf"
        tree = {"meta": {"count": np.int64(3).item()}}
        if quantity is not None:
            tree["meta"]["t"] = quantity
        asdf.AsdfFile(tree).write_to(path)
        made.append(path)
    return made


def test_text(paths):
    lines = output("table", "-k", "meta/t", "-k", "meta/count", *paths).splitlines()
    cells = [line.split()[1:] for line in lines]
    assert cells[:4] == [["meta/t", "meta/count"], ["88.5", "K", "3"], ["90000.0", "mK", "3"], ["--", "3"]]
    assert lines[4].split("  ")[1].endswith("[2] K")


def test_csv(paths):
    rows = list(csv.reader(io.StringIO(output("table", "-k", "meta/t", "-k", "meta/count", *paths[:3], "--as", "csv"))))
    assert rows[0] == ["file", "meta/t", "meta/t/unit", "meta/count"]
    assert [row[1:] for row in rows[1:]] == [["88.5", "K", "3"], ["90000.0", "mK", "3"], ["", "", "3"]]
    # A path to the unit itself is a column already.
    rows = list(
        csv.reader(io.StringIO(output("table", "-k", "meta/t", "-k", "meta/t/unit", *paths[:2], "--as", "csv")))
    )
    assert rows[0] == ["file", "meta/t", "meta/t/unit"] and [row[2] for row in rows[1:]] == ["K", "mK"]
    # Without a quantity there is no column of units.
    assert output("table", "-k", "meta/count", *paths, "--as", "csv").splitlines()[0] == "file,meta/count"


def test_json(paths):
    lines = [json.loads(line) for line in output("--json", "table", "-k", "meta/t", *paths[:3]).splitlines()]
    assert [(line["meta/t"], line.get("meta/t/unit")) for line in lines] == [(88.5, "K"), (90000.0, "mK"), (None, None)]


def test_unit(paths):
    rows = list(csv.reader(io.StringIO(output("table", "-k", "meta/t", *paths[:2], "--unit", "K", "--as", "csv"))))
    assert [(float(row[1]), row[2]) for row in rows[1:]] == [(88.5, "K"), (90.0, "K")]
    refused("table", "-k", "meta/t", *paths[:2], "--unit", "m", code=2, match="K")
