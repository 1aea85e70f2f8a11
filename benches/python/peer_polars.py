"""polars in the comparison: it reads and writes tables of text on one thread and detects the types."""

import os

os.environ["POLARS_MAX_THREADS"] = "1"

import polars
from measure import arguments, measure

workload, _, source, output = arguments()


def table() -> polars.DataFrame:
    return polars.read_csv(source, comment_prefix="#", infer_schema_length=1000)


def read() -> float:
    return float(table().to_series(0).floor().sum())


def write(rows: polars.DataFrame) -> float:
    rows.write_csv(output)
    return float(len(rows))


if workload == "table-write":
    read_before = table()
    measure(lambda: write(read_before))
else:
    measure(read)
