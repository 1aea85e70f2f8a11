"""polars in the comparison: it reads a table of text on one thread and detects the types."""

import os

os.environ["POLARS_MAX_THREADS"] = "1"

import polars
from measure import arguments, measure

_, _, source, _ = arguments()


def read() -> float:
    table = polars.read_csv(source, comment_prefix="#", infer_schema_length=1000)
    return float(table.to_series(0).floor().sum())


measure(read)
