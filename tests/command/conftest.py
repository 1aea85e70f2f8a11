"""Runs the command, and files for it that Python asdf and astropy write."""

import json
import os
import subprocess
import sys
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy import units as u
from astropy.table import MaskedColumn, Table

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "python"))
COMMAND = os.environ["ASDFKIT_COMMAND"]


def run(*arguments, code=0, stdin=None, text=True, env=None):
    """Runs the command. It must end with the exit code (None: any), and write only notes on standard error if it is 0."""
    result = subprocess.run(
        [COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=text,
        env={**os.environ, **(env or {})},
        timeout=120,
        check=False,
    )
    assert code is None or result.returncode == code, (
        arguments,
        result.returncode,
        result.stdout[-2000:],
        result.stderr,
    )
    if code == 0:
        lines = (result.stderr if text else result.stderr.decode()).splitlines()
        assert all(str(line).startswith("note: ") for line in lines), result.stderr
    return result


def output(*arguments, code=0, **options):
    """Standard output of the command."""
    return run(*arguments, code=code, **options).stdout


def document(*arguments, code=0, **options):
    """The JSON document that the command writes."""
    return json.loads(output("--json", *arguments, code=code, **options))


def refused(*arguments, code=3, match="", **options):
    """Message of a command that must fail."""
    result = run(*arguments, code=code, **options, text=False)
    message = result.stderr.decode()
    assert match in message, message
    return message


def tree():
    """A tree as files of the Roman Space Telescope have it."""
    random = np.random.default_rng(1)
    image = random.normal(100, 5, (60, 80)).astype("f4")
    image[3, 4] = np.nan
    records = np.zeros(6, [("id", "i4"), ("ra", "f8"), ("name", "U5"), ("position", "f4", (2,))])
    records["id"], records["ra"], records["name"] = np.arange(6), np.linspace(0, 1, 6), ["a", "b", "é", "d", "e", "f,g"]
    return {
        "roman": {
            "meta": {
                "telescope": "ROMAN",
                "exposure": {"time": 139.8, "count": 8, "good": True, "note": None},
                "temperature": 88.5 * u.K,
            },
            "data": image,
            "big": np.arange(24, dtype=">i2").reshape(2, 3, 4),
            "error": np.ma.MaskedArray(np.arange(12.0).reshape(3, 4), np.arange(12).reshape(3, 4) % 5 == 0),
            "records": records,
            "complex": np.array([1 + 2j, -0.5j]),
            "packed": np.arange(1000, dtype="i8"),
            "flags": np.array([True, False]),
        },
        "wavelengths": [1.5, 2.5],
    }


@pytest.fixture
def roman(tmp_path):
    """An ASDF file with compressed and other arrays, masks and records."""
    file = asdf.AsdfFile(tree())
    file.set_array_compression(file["roman"]["packed"], "zlib")
    file.set_array_storage(file["roman"]["flags"], "inline")
    path = tmp_path / "roman.asdf"
    file.write_to(path)
    return path


@pytest.fixture
def table(tmp_path):
    """An ECSV table with units, missing cells, texts and cells with arrays."""
    made = Table(
        {
            "id": np.arange(5),
            "flux": MaskedColumn([1.5, 2.5, 3.5, 4.5, np.nan], mask=[0, 0, 1, 0, 0], unit="mJy"),
            "name": ["a", "b c", 'say "x"', "é", ""],
            "position": np.arange(10.0).reshape(5, 2),
        },
        meta={"author": "somebody"},
    )
    path = tmp_path / "table.ecsv"
    made.write(path, format="ascii.ecsv")
    return path


@pytest.fixture
def damaged(roman, tmp_path):
    """A copy of the file whose last block is cut off."""
    path = tmp_path / "damaged.asdf"
    content = roman.read_bytes()
    path.write_bytes(content[: content.rindex(b"\xd3BLK") + 60])
    return path
