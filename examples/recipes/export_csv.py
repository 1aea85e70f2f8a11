"""Writes a table as CSV, which Excel and other programs open: export_csv.py TABLE CSV"""

import sys

import asdfkit
import pandas


def main() -> None:
    table = asdfkit.read_ecsv(sys.argv[1])
    # CSV has no units, so they go into the names of the columns.
    names = {name: f"{name} [{column.unit}]" for name, column in table.columns.items() if column.unit}
    pandas.DataFrame(table.to_dict()).rename(columns=names).to_csv(sys.argv[2], index=False)
    print(f"{len(table)} stars")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
