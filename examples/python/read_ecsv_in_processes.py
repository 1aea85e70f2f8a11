"""Counts the missing cells of an ECSV file in two processes: read_ecsv_in_processes.py FILE"""

import sys
from concurrent.futures import ProcessPoolExecutor

import asdfkit
import numpy as np

PROCESSES = 2


def missing_cells(path: str, index: asdfkit.TableIndex, first: int, last: int) -> int:
    table = asdfkit.read_ecsv(path, rows=slice(first, last), table_index=index)
    return sum(int(np.ma.getmaskarray(table[name]).sum()) for name in table.names)


def main() -> None:
    path = sys.argv[1]
    index = asdfkit.table_index(path)
    ends = [index.row_count * part // PROCESSES for part in range(PROCESSES + 1)]
    with ProcessPoolExecutor(PROCESSES) as pool:
        parts = [pool.submit(missing_cells, path, index, *ends[part : part + 2]) for part in range(PROCESSES)]
        missing = sum(part.result() for part in parts)
    print(f"{missing} missing cells in {index.row_count} rows")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
