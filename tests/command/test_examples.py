"""The programs of examples/shell, with right and wrong files."""

import os
import subprocess
from pathlib import Path

import asdf
import numpy as np
import pytest
from conftest import COMMAND, HERE

EXAMPLES = HERE.parent.parent / "examples/shell"
DATA = HERE.parent.parent / "examples-c"


def example(name, *arguments, code=0):
    """Output of a program."""
    path = f"{Path(COMMAND).parent}:{os.environ['PATH']}"
    command = [EXAMPLES / f"{name}.sh", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": path}, check=False)
    assert result.returncode == code, (name, result.stdout, result.stderr)
    return result.stdout + result.stderr


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("open_file", "1.0.0\n"),
        ("list_tree", "wavelengths: "),
        ("read_scalar", "139.8 s\n"),
        ("read_string", "NGC 1300"),
        ("read_array", "last pixel 112.1875\n"),
        ("read_region", "249.4375 412.6875"),
        ("describe_content", "shape: [256, 256]"),
        ("handle_errors", "nothing at this path\n"),
    ],
)
def test_reading(name, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert expected in example(name, DATA / "quickstart.asdf")
    (tmp_path / "broken.asdf").write_text("#ASDF 1.0.0\n--- [\n...\n")
    assert "broken.asdf" in example(name, "broken.asdf", code=1 if name == "handle_errors" else 3)
    example(name, code=2)
    if name == "read_array":
        with asdf.open(DATA / "quickstart.asdf") as file:
            assert np.array_equal(np.load("data.npy"), file["data"])


def test_writing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example("write_file", "exposure.asdf")
    with asdf.open("exposure.asdf") as file:
        assert file["meta"]["exposure"]["time"] == 139.8 and file["data"].shape == (4, 6)
        assert file.get_array_compression(file["data"]) == "zlib"
    assert "exists" in example("write_file", "exposure.asdf", code=3)
    example("edit_file", "exposure.asdf")
    assert example("read_scalar", "exposure.asdf") == "140.5 s\n"
    assert "nowhere" in example("edit_file", "nowhere.asdf", code=3)


def test_tables():
    lines = example("read_table", DATA / "catalogue.ecsv").splitlines()
    assert lines[0] == "flux" and "" in lines
    example("read_table", "nowhere.ecsv", code=3)


def test_all_are_tried():
    text = Path(__file__).read_text()
    assert all(f'"{path.stem}"' in text for path in EXAMPLES.glob("*.sh"))
