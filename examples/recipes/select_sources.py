"""Copies the sources in a field of a large ECSV catalogue to another one, batch by batch: select_sources.py FILE NEW"""

import sys

import asdfkit
import numpy as np


def main() -> None:
    count = 0
    writer = None
    for batch in asdfkit.read_ecsv(sys.argv[1], batches=1000):
        inside = (np.abs(batch["ra"] - 45.0) < 1.0) & (np.abs(batch["dec"]) < 1.0)
        columns = {name: batch[name][inside] for name in batch.names}
        units = {name: batch.columns[name].unit for name in batch.names if batch.columns[name].unit}
        field = asdfkit.Table(columns, units=units)
        writer = writer or asdfkit.TableWriter(sys.argv[2], field)
        writer.write(field)
        count += field.num_rows
    if writer:
        writer.close()
    print(count, "sources")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
