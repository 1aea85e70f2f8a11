"""All reference files and samples: the command gives the values that Python asdf, astropy and PyYAML read."""

import io
import json
import os
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy.table import Column, Table
from conftest import document, output, run

REFERENCE_FILES = sorted(Path(os.environ["ASDFKIT_REFERENCE_FILES"]).rglob("*.asdf"))
CORPORA = Path(os.environ["ASDFKIT_CORPORA"])
ECSV = sorted(CORPORA.glob("ecsv-samples/files/**/*.ecsv"))
DESCRIPTIONS = sorted(CORPORA.glob("ndl-samples/*-*.yaml"))
DESCRIPTIONS = [path for path in DESCRIPTIONS if path.name.startswith(("bad-", "ok-"))]
# Files that astropy reads as other numbers, and the reason.
OTHER_NUMBERS = {
    "v057_float32_double_rounding": "astropy rounds to float64 first",
    "v085_string_multiline_hash": "astropy takes a line in a quoted text for a comment",
    "v188_mixin_masked_data_mask": "astropy joins two columns of the file into one",
}
# Tables that astropy reads and this library refuses with a reason.
REFUSED = ("no arrays of complex", "two columns have the name", "name")


def named(paths):
    return {"argvalues": paths, "ids": [f"{path.parent.name}-{path.stem}" for path in paths]}


def arrays(node, path=""):
    """Paths and arrays of a tree of Python asdf."""
    if isinstance(node, dict):
        pairs = [(key, value) for key, value in node.items() if key not in ("asdf_library", "history")]
    elif isinstance(node, list | tuple):
        pairs = enumerate(node)
    elif isinstance(node, asdf.tags.core.NDArrayType | np.ndarray):
        yield path, node
        return
    else:
        return
    for key, value in pairs:
        yield from arrays(value, f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", **named(REFERENCE_FILES))
def test_arrays_of_reference_files(path):
    run("verify", path)
    run("diff", path, path)
    paths = {node["path"] for node in document("info", path, "--depth", "50", "--items", "100000")["tree"]}
    with asdf.open(path) as file:
        found = list(arrays(file.tree))
        for place, array in found:
            expected = np.array(array)
            assert place in paths
            if array.dtype.kind in "USV":
                continue
            content = run("get", path, place, "--as", "npy", text=False).stdout
            given = np.load(io.BytesIO(content))
            assert given.shape == expected.shape and np.array_equal(given, expected, equal_nan=True), place
    # Without an array of numbers, the exit code says that nothing was found.
    numbers = [place for place, array in found if array.dtype.kind in "iufb"]
    code = run("stat", path, code=None).returncode
    assert code == 0 or (code == 1 and not numbers)
    if numbers:
        assert set(numbers) <= {entry["path"] for entry in document("stat", path)["arrays"]}


def readable(path):
    """The table that astropy reads, or the exception."""
    try:
        return Table.read(path, format="ascii.ecsv")
    except Exception as error:
        return error


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not ECSV, reason="the samples are not there")
def test_tables_of_samples():
    # One test of all: the samples are hundreds of small files.
    wrong = []
    for path in ECSV:
        expected = readable(path)
        for command in (["info"], ["head"], ["verify"]):
            result = run(*command, path, code=None)
            if result.returncode not in (0, 1, 3) or "panicked" in result.stderr:
                wrong.append((path.name, command, result.returncode, result.stderr[-200:]))
            valid = path.name.startswith("v") and not isinstance(expected, Exception)
            if (
                command == ["info"]
                and valid
                and result.returncode
                and not any(text in result.stderr for text in REFUSED)
            ):
                wrong.append((path.name, "refused", result.stderr[-200:]))
    assert not wrong, wrong


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not ECSV, reason="the samples are not there")
def test_numbers_of_tables_of_samples():
    wrong = []
    for path in ECSV:
        expected = readable(path)
        if isinstance(expected, Exception) or path.stem in OTHER_NUMBERS:
            continue
        plain = [
            name
            for name in expected.colnames
            if isinstance(expected[name], Column)
            and expected[name].ndim == 1
            and expected[name].dtype.kind in "iuf"
            and "," not in name
        ]
        if not plain:
            continue
        result = run("select", path, "--columns", ",".join(plain), "--as", "json", code=None)
        if result.returncode:
            # astropy accepts some files that the standard forbids.
            if path.name.startswith("v") and not any(reason in result.stderr for reason in REFUSED):
                wrong.append((path.name, result.stderr[-200:]))
            continue
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        for name in plain:
            values = np.ma.asarray(expected[name]).tolist()
            for row, value in zip(rows, values, strict=True):
                cell = row[name]
                if value is None or cell is None:
                    equal = value is None and cell is None
                elif isinstance(value, float | np.floating):
                    cell = float(str(cell).replace("Infinity", "inf"))
                    equal = cell == value or (np.isnan(value) and np.isnan(cell)) or np.float32(cell) == value
                else:
                    equal = int(cell) == int(value)
                if not equal:
                    wrong.append((path.name, name, value, cell))
                    break
    assert not wrong, wrong


@pytest.mark.skipif(not DESCRIPTIONS, reason="the samples are not there")
@pytest.mark.parametrize("path", **named(DESCRIPTIONS))
def test_descriptions_of_samples(path):
    bad = path.name.startswith("bad-")
    found = run("ndl", "check", path, code=1 if bad else 0)
    assert "panicked" not in found.stderr
    if bad:
        return
    run("ndl", "diff", path, path)
    assert output("ndl", "header", path) and output("ndl", "module", path)
    # CDL cannot express every description: the command says which part, and writes nothing.
    result = run("ndl", "cdl", path, code=None)
    if result.returncode:
        assert result.returncode == 3 and not result.stdout and ": at /" in result.stderr
    else:
        assert result.stdout.startswith("netcdf ")


def test_lines_may_end_with_carriage_returns():
    source = CORPORA / "reports" / "e8_cr_only.ecsv"
    assert output("select", source) == "a\n1\n"
    assert "carriage returns" in output("verify", source)
    assert document("info", source)["format"] == "ecsv"
