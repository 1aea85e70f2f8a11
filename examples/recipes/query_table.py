"""Asks DuckDB about an ECSV table, whose columns it reads without a copy: query_table.py FILE

The file has the columns ra and phot_g_mean_mag.
"""

import sys

import asdfkit
import duckdb
import pyarrow


def main() -> None:
    database = duckdb.connect()
    database.register("stars", pyarrow.table(asdfkit.read_ecsv(sys.argv[1])))
    rows = database.sql("select round(ra) as field, count(*), avg(phot_g_mean_mag) from stars group by 1 order by 1")
    for field, count, magnitude in rows.fetchall():
        print(f"{field:g}: {count} stars, mean magnitude {magnitude:.2f}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
