"""Settings of the tests: the number of random cases, and the corpora."""

import os
from pathlib import Path

import pytest


def folder(variable: str) -> Path | None:
    name = os.environ.get(variable)
    return Path(name) if name and Path(name).is_dir() else None


@pytest.fixture(scope="session")
def cases() -> int:
    """Number of random arrays; `make torture` sets more."""
    return int(os.environ.get("ASDFKIT_PYTHON_CASES", "1000"))


@pytest.fixture(scope="session")
def repeats() -> int:
    """Number of repeated opens and reads in the test of leaks."""
    return int(os.environ.get("ASDFKIT_PYTHON_REPEATS", "5000"))


@pytest.fixture
def image(tmp_path):
    """A file with metadata, an image and a compressed image."""
    import numpy as np

    import asdfkit

    path = tmp_path / "image.asdf"
    file = asdfkit.new()
    file["meta"] = {"telescope": "Roman", "exposure": {"time": 139.8, "start": "2027-01-31"}}
    file["data"] = np.arange(48, dtype="f4").reshape(6, 8)
    file.set("packed", np.arange(48, dtype="i2").reshape(6, 8), compression="zlib")
    file["records"] = np.array([(1, 2.5), (3, 4.5)], dtype=[("id", "i4"), ("flux", "f8")])
    file.write(path)
    return path
