"""astropy in the comparison: its default reader of ECSV, and its writer for the table that was read."""

import numpy as np
from astropy.table import Table
from measure import arguments, measure

workload, _, source, output = arguments()


def read() -> float:
    table = Table.read(source, format="ascii.ecsv")
    return float(np.floor(table.columns[0]).sum())


def write(table: Table) -> float:
    table.write(output, format="ascii.ecsv", delimiter=",", overwrite=True)
    return float(len(table))


if workload == "table-write":
    read_before = Table.read(source, format="ascii.ecsv")
    measure(lambda: write(read_before))
else:
    measure(read)
