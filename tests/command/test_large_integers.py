"""Integers of more than 64 bits, which ASDF files hold as mappings with the tag core/integer: values as any other."""

import asdf
import numpy as np
import pytest
from conftest import document, output, refused

LARGE = 99999999999999999999


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "int.asdf"
    tree = {"x": asdf.IntegerType(LARGE), "n": asdf.IntegerType(-(2**100)), "a": np.arange(3.0)}
    asdf.AsdfFile({**tree, "holder": {"x": asdf.IntegerType(LARGE)}}).write_to(path)
    return path


def value(path, key):
    with asdf.open(path) as file:
        return file[key]


def test_get(path):
    assert output("get", path, "x") == f"{LARGE}\n"
    assert output("get", path, "n") == f"{-(2**100)}\n"
    assert document("get", path, "x") == LARGE
    assert document("get", path, "holder") == {"x": LARGE}
    assert "words:" in output("get", path, "x", "--as", "yaml")
    assert output("get", path, path, "n").splitlines() == [f"{path}: {-(2**100)}"] * 2


def test_table(path):
    assert output("table", "-k", "x", "-k", "n", path, "--as", "csv").splitlines()[1] == f"{path},{LARGE},{-(2**100)}"
    assert document("table", "-k", "x", path)["x"] == LARGE


def test_info_and_stat(path):
    lines = output("info", path).splitlines()
    assert [line.strip() for line in lines if str(LARGE) in line and line.strip().startswith("x: ")] != []
    assert not any("words" in line for line in lines)
    assert "words" not in output("stat", path) and "words" not in str(document("stat", path))


def test_set(path):
    assert f"change /x from {LARGE} (integer) to 7 (integer)" in output("set", path, "x", "7", "--dry-run")
    refused("set", path, "x", "abc", code=2, match="an integer")
    refused("set", path, "x", '{"a": 1}', code=2, match="an integer")
    output("set", path, "x", str(-(10**30)))
    assert value(path, "x") == -(10**30)
    output("set", path, "x", "7")
    assert value(path, "x") == 7 and output("get", path, "x") == "7\n"
    output("set", path, "x", str(LARGE))
    assert value(path, "x") == LARGE
    output("set", path, "n", "abc", "--type", "string")
    assert value(path, "n") == "abc"
    output("verify", "--strict", path)


def test_an_integer_that_is_none_is_a_part_of_the_tree(tmp_path):
    """Wrong content of the tag is shown as it is, and a number can replace it."""
    path = tmp_path / "wrong.asdf"
    path.write_text(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        "x: !core/integer-1.0.0 {sign: '?', words: [1], string: '1'}\n...\n"
    )
    assert "sign" in output("get", path, "x")
    assert "integer with 3 keys" in output("info", path)
    output("set", path, "x", "7")
    assert output("get", path, "x") == "7\n"
