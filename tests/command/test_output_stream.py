"""`-` as the new file: ASDF files on standard output."""

import os

import asdf
import numpy as np
import pytest
from conftest import output, refused, run


def written(tmp_path, *arguments):
    path = tmp_path / "written.asdf"
    path.write_bytes(run(*arguments, text=False).stdout)
    output("verify", path)
    return path


def test_converted_tables_and_arrays(table, tmp_path):
    path = written(tmp_path, "convert", table, "-", "--to", "asdf")
    output("convert", table, tmp_path / "expected.asdf")
    output("diff", path, tmp_path / "expected.asdf")
    np.save(tmp_path / "array.npy", np.arange(5))
    path = written(tmp_path, "convert", tmp_path / "array.npy", "-", "--to", "asdf")
    with asdf.open(path) as file:
        assert np.array_equal(file["data"], np.arange(5))


def test_copies(roman, tmp_path):
    (tmp_path / "parts").mkdir()
    output("explode", roman, "-o", tmp_path / "parts" / "roman.asdf")
    output("diff", roman, written(tmp_path, "implode", tmp_path / "parts" / "roman.asdf", "-o", "-"))
    output("diff", roman, written(tmp_path, "copy", roman, "/", "-"))
    output("diff", roman, written(tmp_path, "copy", roman, "roman", "-"), "-p", "roman")


def test_created_files(tmp_path):
    (tmp_path / "promise.yaml").write_text("ndarrays: {a: {shape: [3], type: float64}}\n")
    path = written(tmp_path, "ndl", "create", tmp_path / "promise.yaml", "-")
    output("validate", "-p", tmp_path / "promise.yaml", path)


@pytest.mark.parametrize("command", ["explode", "recover"])
def test_what_needs_a_name(roman, tmp_path, command):
    refused(command, roman, "-o", "-", code=2, match="standard output")
    assert not os.path.exists("-")


def test_pipelines(roman):
    content = run("copy", roman, "roman", "-", text=False).stdout
    assert run("get", "-", "roman/meta/telescope", stdin=content, text=False).stdout == b"ROMAN\n"
