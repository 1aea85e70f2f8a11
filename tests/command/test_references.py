"""references: JSON and Parquet, compared with the elements of Python asdf; and whether they are stale."""

import json
import os

import asdf
import numpy as np
import pyarrow.parquet
import pytest
from conftest import document, output, refused, run


def elements(reference, dtype):
    url, start, length = reference
    with open(url.removeprefix("file://"), "rb") as file:
        file.seek(start)
        return np.frombuffer(file.read(length), dtype)


@pytest.fixture
def files(tmp_path):
    paths = []
    for part in range(3):
        tree = {"g": {"a": np.arange(12, dtype="<i4").reshape(4, 3) + 100 * part, "x": np.arange(3, dtype="<f8")}}
        paths.append(tmp_path / f"{part}.asdf")
        asdf.AsdfFile(tree).write_to(paths[-1])
    return paths


def test_json_and_parquet_have_the_same_references(files, tmp_path):
    made, folder = tmp_path / "refs.json", tmp_path / "refs.parquet"
    options = ["--root", "g", "--same", "g/x", "--new-dim", "t", "--slab", 24, "--dims", "g/a=y,x"]
    run("references", *files, "-o", made, *options)
    run("references", *files, "-o", folder, *options, "--record-size", 4)
    refs = json.loads(made.read_text())["refs"]
    metadata = json.loads(refs["a/.zarray"])
    assert metadata["shape"] == [3, 4, 3] and metadata["chunks"] == [1, 2, 3]
    assert json.loads(refs["a/.zattrs"])["_ARRAY_DIMENSIONS"] == ["t", "y", "x"]
    for part in range(3):
        np.testing.assert_array_equal(elements(refs[f"a/{part}.1.0"], "<i4"), np.arange(6, 12) + 100 * part)
    np.testing.assert_array_equal(elements(refs["x/0"], "<f8"), np.arange(3))
    lazy = json.loads((folder / ".zmetadata").read_text())
    assert lazy["record_size"] == 4 and lazy["metadata"]["a/.zarray"] == metadata
    keys = [f"a/{part}.{slab}.0" for part in range(3) for slab in range(2)]
    rows = [
        row for number in range(2) for row in pyarrow.parquet.read_table(folder / f"a/refs.{number}.parq").to_pylist()
    ]
    assert [[row["path"], row["offset"], row["size"]] for row in rows] == [refs[key] for key in keys]
    assert all(row["raw"] is None for row in rows)
    assert b"pandas" not in (pyarrow.parquet.read_schema(folder / "a/refs.0.parq").metadata or {})


def test_files_are_concatenated(files, tmp_path):
    made = json.loads(output("references", *files, "--concat", "--axis", 1, "-o", "-"))
    assert json.loads(made["refs"]["g/a/.zarray"])["shape"] == [4, 9]
    # The second array has no such dimension, and is named.
    assert [note["path"] for note in made["asdfkit"]["notes"]] == ["/g/x"]
    summary = document("references", files[0], "-o", tmp_path / "one.json")
    assert summary == {"files": 1, "arrays": [{"path": "g/a", "chunks": 1}, {"path": "g/x", "chunks": 1}], "notes": []}


def test_stale_references_are_noticed(files, tmp_path):
    made, folder = tmp_path / "refs.json", tmp_path / "refs.parq"
    for target in (made, folder):
        run("references", *files, "-o", target)
    assert "3 files, 0 changed" in output("references", "--check", made, folder)
    status = os.stat(files[1])
    os.utime(files[1], ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert "it was written since" in output("references", "--check", made, code=1)
    with open(files[2], "ab") as file:
        file.write(b"x")
    files[0].unlink()
    found = document("references", "--check", folder, code=1)
    assert [change["url"] for change in found["changed"]] == [f"file://{path}" for path in files]


def test_wrong_arguments(files, tmp_path):
    made = tmp_path / "refs.json"
    run("references", files[0], "-o", made)
    refused("references", files[0], "-o", made, match="exists")
    run("references", files[0], "-o", made, "--force")
    refused("references", files[0], files[0], "-o", tmp_path / "b.json", code=2, match="added before")
    refused("references", files[0], "-o", tmp_path / "b.json", "--root", "none", code=1, match="none")
    refused("references", files[0], "-o", tmp_path / "b.json", "--slab", "much", code=2, match="4MiB")
    refused("references", files[0], "-o", tmp_path / "b.json", "--dims", "x", code=2, match="--dims")
    refused("references", files[0], code=2)
    refused("references", "--check", files[0])
    (tmp_path / "other.parquet").mkdir()
    refused(
        "references", files[0], "-o", tmp_path / "other.parquet", "--force", code=2, match="no folder of references"
    )
    asdf.AsdfFile({"a": 1}).write_to(tmp_path / "none.asdf")
    run("references", tmp_path / "none.asdf", "-o", tmp_path / "none.json", code=1)
