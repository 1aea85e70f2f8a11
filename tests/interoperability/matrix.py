"""Files written by C, its bindings and Python asdf, read by each other: elements must be equal bit by bit.

A writer makes these files in its directory:

- CODEC-ORDER-BYTEORDER.asdf: an array of each datatype and rank, at the path DATATYPE/rankN. ORDER is the order of the
  elements in the file, c or fortran; Python sees the same array.
- extras.asdf: strings, records, an array with a mask, and a table.
- table.ecsv: the same table.

The elements come from a directory of expected content: files NAME.bin with packed elements in native byte order and C
order, and NAME.txt with one text in each line. NAME is the path with "-" for "/".

A reader dumps each file FILE into FILE.found, a list of sections. A section is a line "NAME SIZE" and SIZE bytes: the
elements of an array, or lines of text. NAME is the path; "PATH.mask" is a mask of bytes, and missing elements are 0.
"PATH@DATATYPE" are elements that the reader converted, "PATH@overflow" is empty: the reader has no type for the values.

Arguments: a directory for all files, and NAME=PROGRAM for each program besides the one of Python. A program takes
`write EXPECTED DIR` and `read FOUND FILE...`.
"""

import itertools
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
import samples

# asdf and astropy are imported in the functions that need them, because only some processes do.

DATATYPES = {name.replace("bool", "bool8"): np.dtype(name) for name in samples.DTYPES}
SHAPES = [(), (7,), (3, 5), (2, 3, 4), (2, 3, 2, 5)]
CODECS = ["none", "zlib", "bzp2", "lz4", "lz4f", "zstd", "blsc", "bls2"]
ORDERS = {"c": "C", "fortran": "F"}
BYTE_ORDERS = {"little": "<", "big": ">"}
RECORD = np.dtype([("id", "i4"), ("position", "f8", (3,)), ("name", "S8"), ("flux", "f4"), ("good", "?")])
ROWS = 5

# Sections and files that a program cannot write or read, by the beginnings of their names, with the reasons.
NO_UNSIGNED = "Fortran has no unsigned kinds, and gfortran has no 16-bit reals"
CANNOT_WRITE = {
    "fortran": {
        **dict.fromkeys(("uint8/", "uint16/", "uint32/", "uint64/", "float16/"), NO_UNSIGNED),
        "records": "the Fortran binding writes no records: derived types have no fields to go through",
    },
    "r": {
        **dict.fromkeys(("int64/", "uint64/"), "the least of int64 is NA in R, and there are no larger integers"),
        **dict.fromkeys(("float16/", "complex64/"), "R stores doubles and complex numbers of 128 bits"),
        "float32/": "a signalling NaN becomes a quiet one as a double",
        "records": "R stores data frames as tables",
    },
    "python": {"bls2-": "asdf-compression has no bls2"},
}
CANNOT_READ = {"python": {"bls2-": "asdf-compression has no bls2"}}
# Datatypes that a program reads as another one.
READS_AS = {
    "fortran": {"uint8": "int16", "uint16": "int32", "uint32": "int64", "uint64": "int64", "float16": "float32"},
    "r": {"float16": "float64", "float32": "float64", "complex64": "complex128"},
    "cpp": {"float16": "float32"},  # std::float16_t is part of C++23
}


# The content -----------------------------------------------------------------------------------------------------


def content() -> dict[str, np.ndarray]:
    """Returns all arrays by their names in the directory of expected content."""
    arrays = {
        f"{name}/rank{rank}": samples.array(dtype, shape)
        for (name, dtype), (rank, shape) in itertools.product(DATATYPES.items(), enumerate(SHAPES))
    }
    # No text is empty, and none has a blank at its end: strings of Fortran cannot have them.
    arrays["strings/ascii"] = np.array([["a", "Roman", "x y"], ["it's", "#1 ~", "abcdef"]], "S6")
    arrays["strings/ucs4"] = np.array([["é", "日本語", "a"], ["😀b", "µm", "Å Å\U0010ffff"]], "U4")
    records = np.zeros(ROWS, RECORD)
    for field in ("id", "position", "flux", "good"):
        records[field] = samples.array(RECORD[field].base, records[field].shape, seed=7)
    records["name"] = [b"Vega", b"Sirius A", b"x", b"Mira", b"a b c"]
    arrays["records"] = records
    mask = np.arange(12).reshape(3, 4) % 5 == 1
    arrays["masks/image"] = np.where(mask, 0.0, samples.array("float64", (3, 4), seed=3))
    arrays["masks/image.mask"] = mask
    # A text file has one NaN without a sign, so the columns of the table have none. R takes -2^63 for missing.
    mask = np.array([False, True, False, False, True])
    arrays["table/id"] = np.array([1 - 2**63, 2**63 - 1, 0, -1, 2**53 + 1])
    arrays["table/flux"] = np.where(mask, 0.0, [-0.0, 1, 5e-324, 1.7976931348623157e308, 2])
    arrays["table/flux.mask"] = mask
    arrays["table/name"] = np.array(["Vega", "été 1", "日", 'a "b"', "x,y z"])
    arrays["table/good"] = np.array([True, False, False, True, True])
    arrays["table/position"] = np.array([0.1, 1 / 3, np.pi, -1e-300, np.inf, -np.inf, 1e23, 7, -0.0, 2.5]).reshape(5, 2)
    return arrays


def lines(texts: np.ndarray) -> bytes:
    """Returns the texts as lines of UTF-8."""
    unicode = texts.astype("U") if texts.dtype.kind == "S" else texts
    return "".join(f"{text}\n" for text in unicode.flat).encode()


def section_bytes(array: np.ndarray) -> bytes:
    return lines(array) if array.dtype.kind in "SU" else samples.native_bytes(array)


def write_expected(directory: Path) -> None:
    for name, array in content().items():
        stem = directory / name.replace("/", "-")
        Path(f"{stem}.bin").write_bytes(samples.native_bytes(array))
        if array.dtype.kind in "SU":
            Path(f"{stem}.txt").write_bytes(lines(array))


def expected_sections(file: str) -> dict[str, np.ndarray]:
    """Returns the sections of a file by their names."""
    found = {}
    for name, array in content().items():
        group = name.split("/")[0]
        if file == "table.ecsv":
            is_inside = group == "table"
        else:
            is_inside = (group in DATATYPES) != (file == "extras.asdf")
        if not is_inside:
            continue
        if array.dtype.names:
            found.update({f"{name}/{field}": array[field] for field in array.dtype.names})
        else:
            found[name] = array
    return found


def files() -> list[str]:
    names = itertools.product(CODECS, ORDERS, BYTE_ORDERS)
    return [*("-".join(parts) + ".asdf" for parts in names), "extras.asdf", "table.ecsv"]


def is_listed(listed: dict[str, dict[str, str]], program: str, name: str) -> bool:
    return any(name.startswith(pattern) for pattern in listed.get(program, {}))


# The program of Python -------------------------------------------------------------------------------------------


def table_of(arrays: dict[str, np.ndarray]):
    from astropy.table import MaskedColumn, Table

    table = Table({name: arrays[f"table/{name}"] for name in ("id", "flux", "name", "good", "position")})
    table["flux"] = MaskedColumn(arrays["table/flux"], mask=arrays["table/flux.mask"])
    return table


def write_files(directory: Path) -> None:
    import asdf

    arrays = content()
    for codec, order, byte_order in itertools.product(CODECS, ORDERS, BYTE_ORDERS):
        name = f"{codec}-{order}-{byte_order}.asdf"
        if is_listed(CANNOT_WRITE, "python", name):
            continue
        tree = {}
        for datatype, (rank, shape) in itertools.product(DATATYPES, enumerate(SHAPES)):
            swapped = samples.swapped(arrays[f"{datatype}/rank{rank}"], BYTE_ORDERS[byte_order])
            tree.setdefault(datatype, {})[f"rank{rank}"] = np.array(swapped.reshape(shape), order=ORDERS[order])
        asdf.AsdfFile(tree).write_to(directory / name, all_array_compression=None if codec == "none" else codec)
    masked = np.ma.MaskedArray(arrays["masks/image"], arrays["masks/image.mask"])
    tree = {
        "strings": {name: arrays[f"strings/{name}"] for name in ("ascii", "ucs4")},
        "records": arrays["records"],
        "masks": {"image": masked},
        "table": table_of(arrays),
    }
    asdf.AsdfFile(tree).write_to(directory / "extras.asdf")
    table_of(arrays).write(directory / "table.ecsv", format="ascii.ecsv")


def dump(found, name: str, array: np.ndarray) -> None:
    payload = section_bytes(array)
    found.write(f"{name} {len(payload)}\n".encode() + payload)


def dump_table(found, table) -> None:
    dump(found, "table/id", np.asarray(table["id"]))
    flux = np.ma.MaskedArray(table["flux"])
    dump(found, "table/flux", flux.filled(0))
    dump(found, "table/flux.mask", np.ma.getmaskarray(flux))
    for name in ("name", "good", "position"):
        dump(found, f"table/{name}", np.asarray(table[name]))


def check_storage(file: Path, array: np.ndarray, codec: str | None) -> None:
    """Checks that an array is stored as the name of its file says."""
    wanted = file.stem.split("-")[-3:]
    assert (codec or "none") == wanted[0]
    assert array.dtype == array.dtype.newbyteorder(BYTE_ORDERS[wanted[2]])
    assert array.flags[f"{ORDERS[wanted[1]]}_CONTIGUOUS"]


def read_file(directory: Path, file: Path) -> None:
    import asdf
    from astropy.table import Table

    with (directory / f"{file.name}.found").open("wb") as found:
        if file.suffix == ".ecsv":
            dump_table(found, Table.read(file, format="ascii.ecsv"))
            return
        with asdf.open(file, validate_checksums=True) as opened:
            for datatype, (rank, shape) in itertools.product(DATATYPES, enumerate(SHAPES)):
                if datatype in opened.tree:
                    array = np.asarray(opened[datatype][f"rank{rank}"])
                    check_storage(file, array, opened.get_array_compression(opened[datatype][f"rank{rank}"]))
                    assert array.shape == shape and array.dtype.newbyteorder("=") == DATATYPES[datatype]
                    dump(found, f"{datatype}/rank{rank}", array)
            for name in opened.tree.get("strings", ()):
                dump(found, f"strings/{name}", np.asarray(opened["strings"][name]))
            if "records" in opened.tree:
                records = np.asarray(opened["records"])
                for field in RECORD.names:
                    dump(found, f"records/{field}", records[field])
            if "masks" in opened.tree:
                image = np.ma.MaskedArray(opened["masks"]["image"][...])
                dump(found, "masks/image", image.filled(0))
                dump(found, "masks/image.mask", np.ma.getmaskarray(image))
            if "table" in opened.tree:
                dump_table(found, opened["table"])


# Comparison --------------------------------------------------------------------------------------------------------


def sections_of(file: Path) -> dict[str, bytes]:
    """Returns the sections of a dump."""
    content = file.read_bytes()
    found = {}
    while content:
        heading, content = content.split(b"\n", 1)
        name, size = heading.decode().rsplit(" ", 1)
        found[name], content = content[: int(size)], content[int(size) :]
    return found


def is_right(found: bytes, expected: np.ndarray, converted: str) -> bool:
    """Returns whether a section has the expected elements, or what these are in another datatype."""
    if not converted:
        return found == section_bytes(expected)
    if converted == "overflow":
        return not found and expected.max() > np.iinfo("int64").max
    with np.errstate(invalid="ignore"):  # signalling NaN
        wanted = expected.astype(converted)
    values = np.frombuffer(found, converted)
    if wanted.dtype.kind == "c":
        wanted, values = np.ascontiguousarray(wanted).view("f8"), values.view("f8")
    same = values.size == wanted.size and np.array_equal(values, wanted.ravel(), equal_nan=wanted.dtype.kind == "f")
    # A zero keeps its sign.
    return same and np.array_equal(np.signbit(values), np.signbit(wanted.ravel()))


def differences(writer: str, reader: str, file: str, dump_file: Path) -> tuple[int, list[str]]:
    """Compares a dump: returns the number of right sections, and a line for each fault."""
    found = sections_of(dump_file)
    passed, wrong = 0, []
    for name, array in expected_sections(file).items():
        if is_listed(CANNOT_WRITE, writer, name):
            continue
        group = name.split("/")[0]
        converted = READS_AS.get(reader, {}).get(group, "")
        if f"{name}@overflow" in found and group == "uint64":
            converted = "overflow"
        key = f"{name}@{converted}" if converted else name
        section = found.pop(key, None)
        if section is None:
            wrong.append(f"{writer} to {reader}, {file}: {key} is missing")
        elif is_right(section, array, converted):
            passed += 1
        else:
            wrong.append(f"{writer} to {reader}, {file}: {key} differs")
    wrong += [f"{writer} to {reader}, {file}: {name} should not be there" for name in found]
    return passed, wrong


def written_files(writer: str, reader: str, directory: Path) -> list[str]:
    """Returns the files that a program should have written and another one can read."""
    names = [name for name in files() if not is_listed(CANNOT_WRITE, writer, name)]
    present = {path.name for path in directory.iterdir()}
    if present != set(names):
        sys.exit(f"{writer} should write other files: {sorted(present.symmetric_difference(names))}")
    return [name for name in names if not is_listed(CANNOT_READ, reader, name)]


def compare(work: Path, programs: dict[str, list[str]]) -> int:
    """Runs all programs and compares what they find; returns the exit status."""
    expected = work / "expected"
    expected.mkdir(parents=True)
    write_expected(expected)
    for program in programs:
        (work / program).mkdir()
    pairs = list(itertools.product(programs, programs))

    def write(program: str) -> None:
        subprocess.run([*programs[program], "write", expected, work / program], check=True)

    def read(reader: str) -> None:
        # A program reads the files of all writers, because some programs take seconds to start.
        found = work / f"{reader}-reads"
        found.mkdir()
        for writer in programs:
            for name in written_files(writer, reader, work / writer):
                (found / f"{writer}-{name}").hardlink_to(work / writer / name)
        subprocess.run([*programs[reader], "read", found, *sorted(found.iterdir())], check=True)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, programs))
        list(pool.map(read, programs))

    passed, failed = 0, 0
    for writer, reader in pairs:
        right = 0
        for name in written_files(writer, reader, work / writer):
            count, wrong = differences(writer, reader, name, work / f"{reader}-reads" / f"{writer}-{name}.found")
            right += count
            failed += len(wrong)
            for line in wrong:
                print(f"FAILED {line}")
        print(f"{writer} to {reader}: {right} arrays and columns are equal")
        passed += right
    for listed, verb in ((CANNOT_WRITE, "write"), (CANNOT_READ, "read")):
        for program in programs:
            for pattern, reason in listed.get(program, {}).items():
                print(f"{program} does not {verb} {pattern}: {reason}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main() -> int:
    warnings.simplefilter("error")
    mode, *arguments = sys.argv[1:]
    if mode == "write":
        write_files(Path(arguments[1]))
        return 0
    if mode == "read":
        for file in arguments[1:]:
            read_file(Path(arguments[0]), Path(file))
        return 0
    programs = {name: [path] for name, path in (argument.split("=", 1) for argument in arguments)}
    programs["python"] = [sys.executable, __file__]
    return compare(Path(mode), programs)


if __name__ == "__main__":
    sys.exit(main())
