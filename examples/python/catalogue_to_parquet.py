"""Converts a Roman catalogue in an ASDF or ECSV file to Parquet, with its units: catalogue_to_parquet.py FILE PARQUET"""

import sys

import asdfkit
import pyarrow.parquet


def main() -> None:
    source, target = sys.argv[1:]
    if source.endswith(".asdf"):
        with asdfkit.open(source) as file:
            table = file.table("roman/source_catalog")
    else:
        table = asdfkit.read_ecsv(source)
    pyarrow.parquet.write_table(pyarrow.table(table), target)
    print(f"{table.num_rows} sources, fluxes in {table.columns['kron_flux'].unit}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(2)
    try:
        main()
    except (asdfkit.AsdfError, OSError) as problem:
        sys.exit(str(problem))
