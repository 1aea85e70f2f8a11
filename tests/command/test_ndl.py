"""ndl and validate: descriptions of files of Python asdf, checked with PyYAML; texts for C, Fortran and netCDF compile."""

import json
import shutil
import subprocess

import asdf
import numpy as np
import pytest
from conftest import document, output, refused, run

import yaml

MODEL = """\
/:
  dimcoords:
    x: {size: 4, type: float64, value: [1.5, 2.5, 3.5, 4.5]}
    t: {size: null, type: float32}
  ndarrays:
    a: {shape: [3, x], type: int16, attributes: {units: K, range: {shape: [2], type: float32, value: [0.5, 1]}}}
    s: {shape: [2], type: string, value: [one, "é"]}
/group:
  attributes: {title: a group, count: 3}
  ndarrays: {b: {shape: [/t, 3], type: float32}}
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_text(MODEL)
    run("ndl", "check", "--strict", path)
    return path


def test_description_names_every_array(roman):
    described = yaml.safe_load(run("ndl", "describe", roman, code=None).stdout)
    arrays = described["/roman"]["ndarrays"]
    with asdf.open(roman) as file:
        for name in ("data", "big", "error", "records", "complex", "packed", "flags"):
            assert tuple(arrays[name]["shape"]) == np.shape(file["roman"][name]), name
        assert arrays["big"]["type"] == file["roman"]["big"].dtype.newbyteorder("=").name
    assert described["/roman/meta"]["attributes"]["telescope"] == "ROMAN"
    only = yaml.safe_load(output("ndl", "describe", roman, "--only", "/roman/big"))
    assert "big" in json.dumps(only) and "records" not in json.dumps(only)


def test_values_of_descriptions(tmp_path):
    values = {
        "i": np.array([-(2**63), 2**63 - 1]),
        "f": np.array([0.1, 1e-300, 5e-324]),
        "d": np.array([[1, 2], [3, 4]]),
    }
    path = tmp_path / "values.asdf"
    asdf.AsdfFile(dict(values)).write_to(path)
    arrays = yaml.safe_load(output("ndl", "describe", "--values", "all", path))["ndarrays"]
    for name, expected in values.items():
        assert np.array(arrays[name]["value"], expected.dtype).tolist() == expected.tolist(), name
    arrays = yaml.safe_load(output("ndl", "describe", "--values", "none", path))["ndarrays"]
    assert "value" not in arrays["i"]


def test_description_is_kept_by_its_file(roman, tmp_path):
    text = run("ndl", "describe", roman, code=None).stdout
    promise, made = tmp_path / "promise.yaml", tmp_path / "made.asdf"
    promise.write_text(text)
    run("ndl", "check", promise)
    run("validate", "--promise", promise, roman)
    refused("ndl", "create", promise, made, match="--string-length")
    run("ndl", "create", promise, made, "--string-length", "5")
    with asdf.open(made) as new, asdf.open(roman) as old:
        for name in ("data", "big", "packed"):
            assert new["roman"][name].shape == old["roman"][name].shape
            assert new["roman"][name].dtype.newbyteorder("=") == old["roman"][name].dtype.newbyteorder("=")
        assert not np.array(new["roman"]["packed"]).any()


@pytest.mark.parametrize(
    ("old", "new", "sign"),
    [
        ("[60, 80]", "[60, 81]", "~"),
        ("float32", "float64", "~"),
        ("big:", "large:", "-"),
        ("count: 8", "count: 9", "~"),
    ],
)
def test_broken_promises(roman, tmp_path, old, new, sign):
    promise = tmp_path / "promise.yaml"
    text = run("ndl", "describe", roman, code=None).stdout
    assert old in text
    promise.write_text(text.replace(old, new, 1))
    lines = run("validate", "--promise", promise, roman, code=1).stdout.splitlines()
    assert any(line.strip().startswith(sign) for line in lines), lines
    found = document("validate", "--promise", promise, roman, code=1)
    assert found["new"] == str(roman) and not found["equal"] and found["differences"]
    described = tmp_path / "described.yaml"
    described.write_text(text)
    assert any(line.startswith(sign) for line in output("ndl", "diff", promise, described, code=1).splitlines())


def test_texts_compile(model, tmp_path):
    header, module = tmp_path / "model.h", tmp_path / "model.f90"
    header.write_text(output("ndl", "header", model, "--name", "mine"))
    module.write_text(output("ndl", "module", model, "--name", "mine"))
    main = tmp_path / "main.c"
    main.write_text('#include "model.h"\n#include "model.h"\nint main(void) { return 0; }\n')
    subprocess.run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-c", main, "-o", tmp_path / "main.o"], check=True)
    assert "module mine" in module.read_text().lower()
    subprocess.run(
        ["gfortran", "-std=f2018", "-Wall", "-c", module, "-J", tmp_path, "-o", tmp_path / "m.o"], check=True
    )
    text = output("ndl", "cdl", model, "--name", "mine", "--values")
    assert text.startswith("netcdf mine {") and "x = 4" in text
    if shutil.which("ncgen"):
        subprocess.run(["ncgen", "-4", "-o", tmp_path / "mine.nc", "-"], input=text, text=True, check=True)


@pytest.mark.filterwarnings("ignore:.*zarr/tags")
def test_create(model, tmp_path):
    made = tmp_path / "made.asdf"
    run("ndl", "create", model, made, "--extent", "7")
    with asdf.open(made) as file:
        # An array that grows has chunks, which the package asdf-zarr would read.
        assert file["group"]["b"][".zarray"]["shape"] == [7, 3] and file["group"]["count"] == 3
        assert file["a"].shape == (3, 4) and file["a"].dtype == np.int16
        assert file["x"].tolist() == [1.5, 2.5, 3.5, 4.5] and list(file["s"]) == ["one", "é"]
    large = tmp_path / "large.yaml"
    large.write_text("ndarrays: {a: {shape: [100000, 100000], type: float64}}\n")
    refused("ndl", "create", large, tmp_path / "large.asdf")
    assert not (tmp_path / "large.asdf").exists()
    run("ndl", "create", model, tmp_path / "small.asdf", "--max-bytes", "10", code=3)
    assert not (tmp_path / "small.asdf").exists()


def test_standard_input(model, roman):
    assert output("ndl", "header", "-", stdin=model.read_text()).strip()
    assert run("ndl", "check", "-", stdin="ndarrays: {a: {shape: [-1], type: int8}}", code=1).stdout
    described = run("ndl", "describe", "-", stdin=roman.read_bytes(), code=None, text=False)
    assert b"[60, 80]" in described.stdout
