"""Sub-commands on many files and folders, and tables of keywords."""

import csv
import io
import json

import asdf
import numpy as np
import pytest
from conftest import output, refused, run


@pytest.fixture
def files(tmp_path):
    """A folder with files; the third one lacks a key."""
    folder = tmp_path / "night"
    (folder / "deep").mkdir(parents=True)
    paths = []
    for number, name in enumerate(["a.asdf", "b.asdf", "deep/c.asdf"]):
        meta = {"exposure": {"time": 10.5 + number, "count": number}, "name": f"obs, {number}"}
        if number == 2:
            del meta["exposure"]["count"]
        asdf.AsdfFile({"meta": meta, "data": np.arange(4) + number}).write_to(folder / name)
        paths.append(folder / name)
    (folder / "notes.txt").write_text("no file of ours")
    return paths


def test_a_table_of_keywords(files):
    folder = files[0].parent
    arguments = ["-k", "meta/exposure/time", "-k", "/meta/exposure/count", "-k", "meta/name"]
    rows = list(csv.DictReader(io.StringIO(output("table", *arguments, "--as", "csv", *files))))
    assert [row["file"] for row in rows] == [str(path) for path in files]
    assert [row["meta/exposure/time"] for row in rows] == ["10.5", "11.5", "12.5"]
    assert [row["meta/exposure/count"] for row in rows] == ["0", "1", ""] and rows[0]["meta/name"] == "obs, 0"
    for more in (["--as", "json"], ["--json"]):
        found = [json.loads(line) for line in output("table", *arguments, *more, folder).splitlines()]
        assert found[2] == {
            "file": str(files[2]),
            "meta/exposure/time": 12.5,
            "meta/exposure/count": None,
            "meta/name": "obs, 2",
        }
    lines = output("table", *arguments, folder).splitlines()
    assert len(lines) == 4 and lines[0].split() == ["file", "meta/exposure/time", "meta/exposure/count", "meta/name"]
    assert lines[3].split()[1:3] == ["12.5", "--"]
    # Paths may follow one -k, and values can be arrays.
    found = json.loads(output("table", "-k", "meta/name", "data", files[0], "--json"))
    assert found["data"] == "array int64 [4]"
    output("table", "-k", "nothing", folder, code=1)
    (folder / "broken.asdf").write_text("no")
    assert "broken" in refused("table", "-k", "meta/name", folder)
    assert "obs, 1" in run("table", "-k", "meta/name", folder, code=3).stdout
    refused("table", folder, code=2)


def test_get_of_many_files(files):
    folder = files[0].parent
    expected = [f"{path}: {10.5 + number}" for number, path in enumerate(files)]
    assert output("get", *files, "meta/exposure/time").splitlines() == expected
    assert output("get", folder, "meta/exposure/time").splitlines() == expected
    assert output("get", "-k", "meta/exposure/time", *files).splitlines() == expected
    lines = output("get", *files[:2], "data").splitlines()
    assert lines == [f"==> {files[0]} <==", "0 1 2 3", f"==> {files[1]} <==", "1 2 3 4"]
    found = [json.loads(line) for line in output("--json", "get", *files[:2], "data[1:]").splitlines()]
    assert found == [{"file": str(files[0]), "path": "/data[1:]", "value": [1, 2, 3]},
                     {"file": str(files[1]), "path": "/data[1:]", "value": [2, 3, 4]}]  # fmt: skip
    result = run("get", *files, "meta/exposure/count", code=1)
    assert len(result.stdout.splitlines()) == 2 and "c.asdf" in result.stderr
    refused("get", *files, "data", "-o", folder / "x.npy", code=2)
    refused("get", files[0], "data", "meta", code=2, match="only one path")


def test_set_stat_and_head_of_many_files(files, table, tmp_path):
    folder = files[0].parent
    output("set", folder, "meta/exposure/time", "7")
    assert output("get", folder, "meta/exposure/time").splitlines() == [f"{path}: 7.0" for path in files]
    output("set", *files[:2], "meta/exposure/count", "-5")
    assert output("get", files[1], "meta/exposure/count") == "-5\n"
    text = output("stat", folder, "data")
    assert all(str(path) in text for path in files) and text.count("count  4 numbers") == 3
    found = [json.loads(line) for line in output("--json", "stat", "-k", "data", *files).splitlines()]
    assert [each["arrays"][0]["max"] for each in found] == [3, 4, 5]
    copy = tmp_path / "copy.ecsv"
    copy.write_bytes(table.read_bytes())
    lines = output("head", table, copy, "-n", "1").splitlines()
    assert [line for line in lines if line.startswith("==>")] == [f"==> {table} <==", f"==> {copy} <=="]


def test_folders(files, tmp_path):
    folder = files[0].parent
    assert output("verify", folder).splitlines()[-1] == "3 files: 3 good, 0 damaged, 0 not read"
    assert output("find", folder, "--key", "time").count("/meta/exposure/time") == 3
    (tmp_path / "empty").mkdir()
    refused("info", tmp_path / "empty", match="directory without ASDF or ECSV files")
    (folder / "loop").symlink_to(folder)
    assert len(output("get", folder, "meta/name").splitlines()) == 3
