"""pyarrow in the comparison: it reads a table of text on one thread, with the types from the header."""

import numpy as np
import pyarrow as pa
from measure import arguments, measure
from pyarrow import csv

_, _, source, _ = arguments()
TYPES = {"bool": pa.bool_(), "int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64(), "float32": pa.float32(),
         "float64": pa.float64(), "string": pa.string()}  # fmt: skip


def header() -> tuple[int, dict[str, pa.DataType]]:
    """Returns the number of lines of the header, and the type of each column."""
    types = {}
    with open(source) as file:
        for number, line in enumerate(file):
            if not line.startswith("#"):
                return number, types
            if "name:" in line:
                name, datatype = line.strip("# -{}\n").split(", ")
                types[name.removeprefix("name: ")] = TYPES[datatype.removeprefix("datatype: ")]
    raise ValueError("there is nothing but a header")


def read() -> float:
    lines, types = header()
    convert = csv.ConvertOptions(
        column_types=types, true_values=["True"], false_values=["False"], strings_can_be_null=True
    )
    table = csv.read_csv(source, csv.ReadOptions(use_threads=False, skip_rows=lines), convert_options=convert)
    return float(np.floor(table.column(0).to_numpy()).sum())


measure(read)
