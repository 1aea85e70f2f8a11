"""Sums the rows of an image in processes that open the file on their own: read_in_parallel.py FILE"""

import multiprocessing
import sys

import asdfkit


def total(data: asdfkit.Array, first: int, last: int) -> float:
    return float(data[first:last].sum(dtype=float))


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file, multiprocessing.get_context("spawn").Pool(2) as pool:
        data = file["data"]
        bands = [(data, row, row + 64) for row in range(0, len(data), 64)]
        print("sum", sum(pool.starmap(total, bands)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
