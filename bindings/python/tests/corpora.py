"""Corpora and generators that the tests of tables share with other suites of the project."""

import json
import os
import sys
from pathlib import Path

SOURCE = Path(os.environ.get("ASDFKIT_SOURCE") or Path(__file__).parents[3])
sys.path.insert(0, str(SOURCE / "tests" / "python"))

import random_tables

__all__ = ["KINDS", "SOURCE", "ecsv_samples", "random_tables", "table_count"]

#: Kinds of columns of random tables.
KINDS = ["scalar"] * 6 + ["fixed"] * 2 + ["variable", "axes", "json"]


def table_count() -> int:
    """Number of random tables; `make torture` sets more."""
    return int(os.environ.get("ASDFKIT_PYTHON_TABLES", "100"))


def ecsv_samples() -> tuple[Path, list[dict]]:
    """Folder and entries of the samples of ECSV."""
    folder = SOURCE / "tests" / "corpora" / "ecsv-samples"
    return folder, json.loads((folder / "manifest.json").read_text())["samples"]
