"""The program of the Python package for the matrix: writes the files and dumps those of others, as matrix.py says."""

import itertools
import sys
from pathlib import Path

import asdfkit
import matrix
import numpy as np


def table_of(arrays: dict[str, np.ndarray]) -> asdfkit.Table:
    columns = {name: arrays[f"table/{name}"] for name in ("id", "flux", "name", "good", "position")}
    columns["flux"] = np.ma.MaskedArray(columns["flux"], arrays["table/flux.mask"])
    return asdfkit.Table(columns)


def write_files(directory: Path) -> None:
    arrays = matrix.content()
    for codec, order, byte_order in itertools.product(matrix.CODECS, matrix.ORDERS, matrix.BYTE_ORDERS):
        file = asdfkit.new()
        options = {"stored_order": order, "byte_order": byte_order}
        for datatype, (rank, shape) in itertools.product(matrix.DATATYPES, enumerate(matrix.SHAPES)):
            array = arrays[f"{datatype}/rank{rank}"].reshape(shape)
            file.set(f"{datatype}/rank{rank}", array, compression="" if codec == "none" else codec, **options)
        file.write(directory / f"{codec}-{order}-{byte_order}.asdf")
    file = asdfkit.new()
    file["strings"] = {name: arrays[f"strings/{name}"] for name in ("ascii", "ucs4")}
    file["records"] = arrays["records"]
    file["masks/image"] = np.ma.MaskedArray(arrays["masks/image"], arrays["masks/image.mask"])
    table = table_of(arrays)
    file.set("table", table, table_form="astropy")
    file.write(directory / "extras.asdf")
    table.write_ecsv(directory / "table.ecsv")


def read_file(directory: Path, file: Path) -> None:
    with (directory / f"{file.name}.found").open("wb") as found:
        if file.suffix == ".ecsv":
            matrix.dump_table(found, asdfkit.read_ecsv(file))
            return
        with asdfkit.open(file, verify_checksums=True) as opened:
            for datatype, (rank, shape) in itertools.product(matrix.DATATYPES, enumerate(matrix.SHAPES)):
                path = f"{datatype}/rank{rank}"
                if path in opened:
                    array = opened[path]
                    assert array.shape == shape
                    assert array.dtype == matrix.DATATYPES[datatype]
                    matrix.dump(found, path, array[...])
            for name in opened.get("strings", ()):
                matrix.dump(found, f"strings/{name}", opened[f"strings/{name}"][...])
            if "records" in opened:
                records = opened["records"][...]
                for field in matrix.RECORD.names:
                    matrix.dump(found, f"records/{field}", records[field])
            if "masks" in opened:
                image = np.ma.MaskedArray(opened["masks/image"][...])
                matrix.dump(found, "masks/image", image.filled(0))
                matrix.dump(found, "masks/image.mask", np.ma.getmaskarray(image))
            if "table" in opened:
                matrix.dump_table(found, opened.table("table"))


def main() -> None:
    mode, *arguments = sys.argv[1:]
    if mode == "write":
        write_files(Path(arguments[1]))
        return
    for file in arguments[1:]:
        read_file(Path(arguments[0]), Path(file))


if __name__ == "__main__":
    main()
