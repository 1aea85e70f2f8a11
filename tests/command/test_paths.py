"""One notation of paths for all sub-commands: a JSON Pointer, whose leading / may be left out; / is the whole tree."""

import shutil

import asdf
import numpy as np
import pytest
from conftest import document, output, refused

ROOT = ["", "/"]


def tree():
    return {
        "a": {"b/c": {"d": 1}, "t~": 2, "array": np.arange(6).reshape(2, 3)},
        "list": [{"x": 1}, {"x": 2}],
        "records": np.array([(1, 2.5)], [("n", "i4"), ("x", "f8")]),
    }


@pytest.fixture
def path(tmp_path):
    asdf.AsdfFile(tree()).write_to(tmp_path / "file.asdf")
    return tmp_path / "file.asdf"


def opened(path):
    return asdf.open(path, lazy_load=False, memmap=False)


@pytest.mark.parametrize("slash", ROOT)
def test_reading(path, slash):
    assert output("get", path, f"{slash}a/b~1c/d") == "1\n"
    assert output("get", path, f"{slash}a/t~0") == "2\n"
    assert output("get", path, f"{slash}list/1/x") == "2\n"
    assert output("get", path, f"{slash}a/array[1,:2]") == "3 4\n"
    assert output("stat", path, f"{slash}a/array") == output("stat", path, "a/array")
    assert document("stat", path, f"{slash}a/array[0]")["arrays"][0]["max"] == 2
    assert document("stat", path, f"{slash}a/array")["arrays"][0]["path"] == "/a/array"
    assert output("info", path, "--path", f"{slash}a/b~1c") == output("info", path, "--path", "a/b~1c")
    assert document("info", path, "--path", f"{slash}a/b~1c")["tree"][1]["path"] == "/a/b~1c/d"
    assert output("head", path, f"{slash}records", "--as", "csv") == "n,x\n1,2.5\n"
    assert output("select", path, f"{slash}records") == "n,x\n1,2.5\n"
    assert output("convert", path, "-", "--to", "csv", "--path", f"{slash}records") == "n,x\n1,2.5\n"
    assert "array" in output("ndl", "describe", path, "--only", f"{slash}a")


@pytest.mark.parametrize("slash", ROOT)
def test_differences(path, tmp_path, slash):
    other = shutil.copy(path, tmp_path / "other.asdf")
    output("set", other, f"{slash}a/b~1c/d", "7")
    output("diff", path, other, "--path", f"{slash}list")
    output("diff", path, other, "--ignore", f"{slash}a/b~1c")
    assert output("diff", path, other, "--path", f"{slash}a", code=1) == "~ /a/b~1c/d: 1 -> 7\n"


@pytest.mark.parametrize("slash", ROOT)
def test_changes(path, tmp_path, slash):
    assert output("set", path, f"{slash}a/new", "3", "-cn").endswith("would add /a/new as 3 (integer)\n")
    output("set", path, f"{slash}a/new", "3", "-c")
    output("rename", path, f"{slash}a/new", "newer")
    output("rename", path, f"{slash}list/0", "/first")
    output("copy", path, f"{slash}a/array", tmp_path / "part.asdf", f"{slash}b/array")
    output("copy", path, f"{slash}a/array", tmp_path / "part.asdf")
    output("recompress", path, f"{slash}a/array", "--codec", "zlib")
    output("delete", path, f"{slash}a/t~0")
    output("convert", path, tmp_path / "table.asdf", "--path", f"{slash}records")
    with opened(path) as file:
        assert file["a"]["newer"] == 3 and file["first"] == {"x": 1} and "t~" not in file["a"]
        assert file.get_array_compression(file["a"]["array"]) == "zlib"
    with opened(tmp_path / "part.asdf") as file:
        assert file["b"]["array"].sum() == file["a"]["array"].sum() == 15
    with opened(tmp_path / "table.asdf") as file:
        assert file["records"].colnames == ["n", "x"]


@pytest.mark.parametrize("root", ROOT)
def test_the_whole_tree(path, tmp_path, root):
    assert output("get", path, root) == output("get", path)
    assert output("info", path, "-p", root) == output("info", path)
    output("diff", path, path, "-p", root)
    output("ndl", "describe", path, "--only", "/")
    new = tmp_path / "new.asdf"
    output("copy", path, root, new)
    output("diff", path, new)
    with opened(new) as file:
        assert np.array_equal(file["a"]["array"], tree()["a"]["array"]) and file["list"] == tree()["list"]
    output("copy", path, root, new, "inner")
    assert output("get", new, "inner/list/1/x") == "2\n"
    refused("copy", path, root, new, code=2, match="whole tree")
    output("copy", path, root, tmp_path / "never.asdf", "--dry-run")
    assert not (tmp_path / "never.asdf").exists()


def test_the_whole_tree_with_arrays_in_other_files(path, tmp_path):
    (tmp_path / "parts").mkdir()
    output("explode", path, "-o", tmp_path / "parts" / "file.asdf")
    output("copy", tmp_path / "parts" / "file.asdf", "/", tmp_path / "whole.asdf")
    shutil.rmtree(tmp_path / "parts")
    output("diff", path, tmp_path / "whole.asdf")


def test_a_key_with_a_slash_is_named(path):
    assert "the path of its key 'b/c' is 'b~1c'" in refused("get", path, "a/b/c", code=1)
    assert "is 'b~1c'" not in refused("get", path, "a/x/c", code=1)
    assert output("get", path, "a/b~1c/d") == "1\n"
