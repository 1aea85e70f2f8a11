"""Random tables with objects of astropy, in which programs of several languages change one cell each.

    cells.py DIRECTORY NAME=PROGRAM...

astropy writes a table as ASDF or ECSV, or the Python package makes the file. A program reads all files, changes the cells
of a plan and writes the files again. astropy must find the same tables but for the cells. The plan has a line for each
file: name, column, row, kind of the value, value. The kinds are `missing`, `text`, `numbers` and `flags` (the elements
of the cell, flags as 0.0 and 1.0), and `complex` (real and imaginary part).
"""

import os
import random
import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import asdf
import astropy.coordinates as c
import astropy.units as u
import numpy as np
from astropy.table import QTable
from astropy.time import Time, TimeDelta

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings/python/tests"))
import asdfkit
from test_qtables import Maker, check_column, of_asdf, table_of_asdf

COUNT = int(os.environ.get("ASDFKIT_CELLS", "300"))
#: Writer and format of the files, one after the other. In torture each table is written in each way.
WAYS = [("astropy", "asdf"), ("astropy", "ecsv"), ("asdfkit", "asdf"), ("asdfkit", "ecsv")]
IS_WHOLE = COUNT > 300


def table_of(seed: int, form: str) -> QTable:
    """The random table of a seed. ECSV has cells of different lengths and integers of any size, too."""
    maker = Maker(f"cells {seed}", 1 + seed % 4)
    table = maker.table()
    if form == "ecsv" and seed % 3 == 0:
        table["lists"] = np.empty(len(table), object)
        table["lists"][:] = [np.arange(row + 1, dtype=float) for row in range(len(table))] or None
        table["big"] = np.array([10**30 + row for row in range(len(table))], object)
    for name in table.colnames:
        methods = getattr(table[name].info, "serialize_method", {})
        if "ecsv" in methods and not isinstance(table[name], (Time, TimeDelta)) and maker.random.random() < 0.5:
            methods["ecsv"] = "data_mask"
    return table


def read_back(path: Path) -> QTable:
    if path.suffix == ".asdf":
        return table_of_asdf(path.read_bytes())
    return QTable.read(path, format="ascii.ecsv")


def write(path: Path, table: QTable, writer: str) -> None:
    if writer == "asdfkit":
        ours = asdfkit.Table.from_astropy(table)
        if path.suffix == ".ecsv":
            ours.write_ecsv(path)
            return
        file = asdfkit.new()
        file["t"] = ours
        file.write(path)
    elif path.suffix == ".asdf":
        path.write_bytes(of_asdf(asdf.AsdfFile({"t": table})))
    else:
        table.write(path, format="ascii.ecsv")


def plain_value(column, row: int, choice: random.Random) -> tuple[str, str]:
    """Kind and text of a new value of an array, and changes the cell."""
    kind, shape = column.dtype.kind, column.shape[1:]
    if hasattr(column, "mask") and choice.random() < 0.3:
        column[row] = np.ma.masked
        return "missing", "-"
    if kind == "U":
        column[row] = "zz"[: column.dtype.itemsize // 4]
        return "text", str(column[row])
    if kind == "c":
        column[row] = 1.5 - 2j
        return "complex", "1.5 -2.0"
    low = 0 if kind in "ub" else -99
    values = np.array([choice.randint(low, 1 if kind == "b" else 99) for _ in range(int(np.prod(shape)))], float)
    cell, unit = values.reshape(shape).astype(column.dtype), getattr(column, "unit", None)
    column[row] = cell if unit is None else u.Quantity(cell, unit, dtype=column.dtype)
    return "flags" if kind == "b" else "numbers", " ".join(map(repr, values.tolist()))


def set_component(coordinates, key: str, row: int, value: float) -> None:
    """Changes a component of coordinates in place."""
    component = getattr(coordinates.data, f"_{key}")
    component[row] = value * component.unit
    coordinates.cache.clear()


def change(table: QTable, name: str, row: int, form: str, choice: random.Random) -> tuple[str, str, str]:
    """Changes a cell of a table. Returns the column of the file, and kind and text of its new value."""
    column = table[name]
    if isinstance(column, TimeDelta):
        if form == "asdf":
            column[row] = TimeDelta(5.0, float(column.jd2[row]), format="jd", scale=column.scale)
            return f"{name}.jd1", "numbers", "5.0"
        column[row] = TimeDelta(7.25, format=column.format, scale=column.scale)
        return name, "numbers", "7.25"
    if isinstance(column, Time):
        value = Time(55555.25, format="mjd", scale=column.scale)
        value.format = column.format
        column[row] = Time(value.value, format=column.format, scale=column.scale, location=column.location)
        return (
            (name, "text", value.value) if isinstance(value.value, str) else (name, "numbers", repr(float(value.value)))
        )
    if isinstance(column, c.SkyCoord):
        names = {v: k for k, v in column.get_representation_component_names().items()}
        key = "x" if "x" in names else "lat"
        set_component(column, key, row, 12.5)
        return f"{name}.{names[key]}", "numbers", "12.5"
    if isinstance(column, c.EarthLocation):
        column["x"][row] = 6500.5 * column.unit
        return f"{name}.x", "numbers", "6500.5"
    if column.dtype.names:
        column["x"][row] = -3.5
        return f"{name}.x", "numbers", "-3.5"
    if name == "lists":
        column[row] = np.array([9.0, 8.0, 7.5, 6.0, 5.0])
        return name, "numbers", "9.0 8.0 7.5 6.0 5.0"
    if name == "big":
        column[row] = -(10**40)
        return name, "text", str(-(10**40))
    return name, *plain_value(column, row, choice)


def check_tables(found: QTable, expected: QTable) -> None:
    assert type(found) is QTable and found.colnames == expected.colnames
    assert dict(found.meta).get("list") == [1, 2.5] and dict(found.meta)["inner"] == {"a": True}
    for name in expected.colnames:
        try:
            if expected[name].dtype.kind == "O" if hasattr(expected[name], "dtype") else False:
                assert all(np.array_equal(one, other) for one, other in zip(found[name], expected[name]))
                continue
            check_column(found[name], expected[name])
        except (AssertionError, ValueError, TypeError) as problem:
            raise AssertionError(f"column {name}: {found[name]!r} instead of {expected[name]!r}") from problem


def files() -> list[tuple[int, str, str]]:
    """Seed, writer and format of each file."""
    ways = [(seed, way) for seed in range(COUNT) for way in (WAYS if IS_WHOLE else [WAYS[seed % len(WAYS)]])]
    return [(seed, writer, form) for seed, (writer, form) in ways]


def make(arguments: tuple[Path, int, str, str]) -> str:
    """Writes a file, and returns its line of the plan."""
    directory, seed, writer, form = arguments
    warnings.simplefilter("ignore")
    path = directory / f"{seed}-{writer}.{form}"
    table = table_of(seed, form)
    write(path, table, writer)
    expected = read_back(path)
    if writer == "asdfkit":
        check_tables(expected, table)
    column, kind, text = changed(expected, seed, form)
    return "\t".join((path.name, column, str(seed % len(table)), kind, text))


def changed(table: QTable, seed: int, form: str) -> tuple[str, str, str]:
    choice = random.Random(f"change {seed}")
    return change(table, choice.choice(table.colnames), seed % len(table), form, choice)


def judge(arguments: tuple[Path, Path, int, str, str]) -> str | None:
    """Compares a file that a program changed with the table; returns what is wrong."""
    source, target, seed, writer, form = arguments
    warnings.simplefilter("ignore")
    name = f"{seed}-{writer}.{form}"
    try:
        expected = read_back(source / name)
        changed(expected, seed, form)
        check_tables(read_back(target / name), expected)
    except Exception as problem:
        return f"{target.name}: {name}: {type(problem).__name__}: {problem}"
    return None


def main(directory: Path, programs: dict[str, str]) -> int:
    source = directory / "tables"
    source.mkdir(parents=True)
    with ProcessPoolExecutor(2) as pool:
        plan = list(pool.map(make, [(source, *file) for file in files()], chunksize=16))
        (directory / "plan.txt").write_text("".join(f"{line}\n" for line in plan))

        def run(program: tuple[str, str]) -> None:
            name, command = program
            target = directory / f"tables-{name}"
            target.mkdir()
            subprocess.run([command, source, target, directory / "plan.txt"], check=True)

        with ThreadPoolExecutor(2) as threads:
            list(threads.map(run, programs.items()))
        work = [(source, directory / f"tables-{name}", *file) for name in programs for file in files()]
        wrong = [line for line in pool.map(judge, work, chunksize=16) if line]
    for line in wrong:
        print("FAILED", line)
    print(f"{', '.join(programs)} changed a cell in each of {len(plan)} tables")
    print(f"{len(work) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), dict(argument.split("=", 1) for argument in sys.argv[2:])))
