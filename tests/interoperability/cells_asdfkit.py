"""Changes one cell in each table of a folder: cells_asdfkit.py FROM TO PLAN. See cells.py for the plan."""

import json
import sys
from pathlib import Path

import asdfkit
import numpy as np
from asdfkit.constants import Datatype


def value_of(kind: str, text: str) -> object:
    if kind == "missing":
        return None
    if kind == "text":
        return text
    numbers = [float(number) for number in text.split()]
    if kind == "complex":
        return complex(*numbers)
    values = np.array(numbers, bool if kind == "flags" else float)
    return values[0] if len(numbers) == 1 else values


def change(table: asdfkit.Table, column: str, row: str, kind: str, text: str) -> asdfkit.Table:
    value = value_of(kind, text)
    shape = table.columns[column].shape
    if table.columns[column].datatype == Datatype.JSON:
        value = json.loads(text)
    if kind in ("numbers", "flags") and shape:
        value = np.array(value).reshape(shape)
    table[int(row), column] = value
    return table


def main(source: str, target: str, plan: str) -> None:
    for line in Path(plan).read_text().splitlines():
        name, *fields = line.split("\t")
        if name.endswith(".asdf"):
            with asdfkit.open(Path(source, name)) as file:
                made = asdfkit.new()
                made["t"] = change(file.node("t").table(), *fields)
                made.write(Path(target, name))
        else:
            change(asdfkit.read_ecsv(Path(source, name)), *fields).write_ecsv(Path(target, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
