"""Compares the Python package with Python asdf and astropy in one process, in interleaved runs.

Usage: python_package.py [WORKLOAD ...]. The package must be importable. ROUNDS=n sets the number of runs of each side.
ASDFKIT_BENCH_INPUTS names a folder that keeps the inputs (1.2 GB); by default they are made anew.
The table prints the medians and their ratio; the exit status is 1 if a ratio is below its target.
"""

import gc
import importlib
import io
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import asdf
import asdfkit
import asdfkit.astropy
import inputs
import numpy as np
from astropy.table import Table
from python.measure import TILES

ROUNDS = int(os.environ.get("ROUNDS", "5"))
ROW = 16384
TILE = 1024


@dataclass
class Workload:
    """One task for both sides. `target` is the least ratio of the other side's time to ours."""

    title: str
    other: Callable[[], object]
    ours: Callable[[], object]
    target: float
    repeats: int = 1


def seconds(work: Callable[[], object], repeats: int) -> float:
    gc.collect()
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - start) / repeats


def compare(workload: Workload) -> bool:
    """Prints the medians of both sides, whose runs alternate."""
    assert workload.other() == workload.ours(), f"{workload.title}: the results differ"
    times: dict[str, list[float]] = {"other": [], "ours": []}
    for number in range(ROUNDS):
        order = [("other", workload.other), ("ours", workload.ours)]
        for who, work in order if number % 2 == 0 else reversed(order):
            # The fast side may need more repeats for a time that can be measured.
            times[who].append(seconds(work, workload.repeats))
    other, ours = (statistics.median(times[who]) for who in ("other", "ours"))
    met = other / ours >= workload.target
    verdict = "" if met else "  MISSED"
    print(
        f"{workload.title:42} other {other * 1e3:10.3f} ms  asdfkit {ours * 1e3:10.3f} ms  ratio {other / ours:8.1f}"
        f"  (at least {workload.target:g}){verdict}",
        flush=True,
    )
    return met


def ecsv(folder: Path, target: float, options: dict[str, str]) -> Workload:
    path = folder / "ecsv-mixed.ecsv"
    if not path.exists():
        inputs.ecsv(folder)

    def other() -> float:
        return float(np.sum(Table.read(path, format="ecsv", **options)["b"]))

    def ours() -> float:
        return float(np.sum(Table.read(path, format="asdfkit.ecsv", threads=os.cpu_count())["b"]))

    name = options.get("engine", "default")
    return Workload(f"ECSV to a Table, engine {name}", other, ours, target)


def image_file(folder: Path) -> Path:
    path = folder / "python-package.asdf"
    if not path.exists():
        data = inputs.image(ROW, ROW)
        tree = f"meta: {{exposure_time: 0.5}}\ndata: {inputs.ndarray(0, 'float32', [ROW, ROW])}\n"
        inputs.write_asdf(path, tree, [inputs.block(data.tobytes(), data.nbytes)], index=True)
    return path


def tiles(folder: Path) -> Workload:
    path = image_file(folder)
    places = [np.s_[row : row + TILE, column : column + TILE] for row, column in TILES]

    def other() -> float:
        with asdf.open(path) as file:
            return sum(float(np.array(file["data"][place])[0, 0]) for place in places)

    def ours() -> float:
        with asdfkit.open(path) as file:
            data = file["data"]
            return sum(float(data[place][0, 0]) for place in places)

    return Workload("W4 16 tiles", other, ours, 5)


def mapped_tiles(folder: Path) -> Workload:
    """The same tiles through memory maps, which Python asdf makes only with memmap=True. NumPy copies them for both."""
    path = image_file(folder)
    places = [np.s_[row : row + TILE, column : column + TILE] for row, column in TILES]

    def other() -> float:
        with asdf.open(path, memmap=True) as file:
            return sum(float(np.array(file["data"][place])[0, 0]) for place in places)

    def ours() -> float:
        with asdfkit.open(path) as file:
            view = file["data"].view()
            return sum(float(np.array(view[place])[0, 0]) for place in places)

    return Workload("W4 16 tiles, both through memory maps", other, ours, 0.8)


def tree(folder: Path) -> Workload:
    path = folder / "w8-small.asdf"
    inputs.w8_small(folder)

    def other() -> float:
        with asdf.open(path) as file:
            return float(file["roman"]["meta"]["exposure"]["exposure_time"])

    def ours() -> float:
        with asdfkit.open(path) as file:
            return float(file["roman/meta/exposure/exposure_time"])

    return Workload("W8 open a 30 KB tree, read one scalar", other, ours, 20, repeats=3)


def change(folder: Path) -> Workload:
    path = image_file(folder)

    def other() -> None:
        with asdf.open(path, mode="rw") as file:
            file["meta"]["exposure_time"] += 1.0
            file.update()

    def ours() -> None:
        with asdfkit.open(path, mode="r+") as file:
            file["meta/exposure_time"] += 1.0
            file.save(durable=False)

    return Workload("change one scalar of 1 GiB", other, ours, 1000)


def rows(what: str, target: float) -> Workload:
    """Rows of a table of a million rows: numbers, small integers and texts."""
    random, count = np.random.default_rng(5), 1_000_000
    columns = {
        "id": np.arange(count),
        "flux": random.random(count),
        "kind": random.integers(0, 100, count, np.int32),
        "name": np.array([f"star{number % 5000}" for number in range(count)]),
    }
    theirs, ours = Table(columns), asdfkit.Table(columns)
    mask = columns["flux"] > 0.5
    title, other, own = {
        "mask": ("half of the rows", lambda: theirs[mask], lambda: ours[mask]),
        "slice": ("each third row", lambda: theirs[::3].copy(), lambda: ours[::3]),
        "sort": (
            "sort by two columns",
            lambda: theirs[theirs.argsort(["kind", "flux"])],
            lambda: ours.sort_by("kind", "flux"),
        ),
        "texts": (
            "sort by texts",
            lambda: theirs[theirs.argsort(["name"], kind="stable")],
            lambda: ours.sort_by("name"),
        ),
    }[what]

    def check(table: object) -> int:
        return int(np.sum(np.asarray(table["id"]) * np.arange(len(table["id"])) % 1009))

    return Workload(f"rows of a table: {title}", lambda: check(other()), lambda: check(own()), target)


def validate(folder: Path) -> Workload:
    """The tree of a Roman image by the schemas of rad, whose wheel is in the folder of ASDFKIT_SCHEMAS. Both sides have
    loaded the tree and the schemas before, and both find a changed tree invalid.
    """
    (wheel,) = Path(os.environ["ASDFKIT_SCHEMAS"]).glob("rad-*.whl")
    sys.path.insert(0, str(wheel))
    integration = importlib.import_module("rad.integration")
    config = asdf.get_config()
    for mapping in integration.get_resource_mappings():
        config.add_resource_mapping(mapping)
    path = Path(__file__).resolve().parents[1] / "tests" / "datamodels" / "files" / "roman_ImageModel.asdf"
    content = path.read_bytes()
    uri = re.search(rb"asdf://stsci.edu/datamodels/roman/extensions/(datamodels-[0-9.]*)", content)[1].decode()
    manifest = f"asdf://stsci.edu/datamodels/roman/manifests/{uri}"
    config.add_extension(asdf.extension.ManifestExtension.from_uri(manifest))
    changed = content.replace(b"exposure_time: ", b"exposure_time: x", 1)
    assert changed != content
    schemas = asdfkit.Schemas()
    context = asdf.AsdfFile(version="1.6.0")
    files = [asdfkit.open(io.BytesIO(one)) for one in (content, changed)]
    trees = [asdf.util.load_yaml(io.BytesIO(one), tagged=True) for one in (content, changed)]

    def is_valid(tree: object) -> bool:
        try:
            asdf.schema.validate(tree, context, reading=True)
        except asdf.ValidationError:
            return False
        return True

    def found(file: asdfkit.File) -> bool:
        return all(finding.severity != "error" for finding in file.validate(schemas))

    assert [is_valid(tree) for tree in trees] == [found(file) for file in files] == [True, False]
    return Workload("validate a Roman L2 tree", lambda: is_valid(trees[0]), lambda: found(files[0]), 20, repeats=3)


WORKLOADS: dict[str, Callable[[Path], Workload]] = {
    "tree": tree,
    "ecsv": lambda folder: ecsv(folder, 12, {}),
    "ecsv-pyarrow": lambda folder: ecsv(folder, 1, {"engine": "pyarrow"}),
    "tiles": tiles,
    "tiles-mapped": mapped_tiles,
    "change": change,
    "validate": validate,
    "rows-mask": lambda folder: rows("mask", 1),
    "rows-slice": lambda folder: rows("slice", 1),
    "rows-sort": lambda folder: rows("sort", 1),
    "rows-texts": lambda folder: rows("texts", 1),
}


def main() -> int:
    names = sys.argv[1:] or list(WORKLOADS)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.environ.get("ASDFKIT_BENCH_INPUTS", temporary))
        return 0 if all([compare(WORKLOADS[name](folder)) for name in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
