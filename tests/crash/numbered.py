"""Files that contain one number everywhere. Two different numbers mean that content of different times is mixed."""

import os
import sys
from ctypes import c_int64
from pathlib import Path

import asdf
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
import asdfkit_ctypes as kit

FIRST = 100_000  # numbers with a fixed count of digits, so that the tree keeps its length
PLACES = 500  # of the number in the tree, spread over it
AUTO, WHOLE, IN_PLACE = range(3)


class Mixed(Exception):
    """A file contains two different numbers."""


def elements(number: int, size: int) -> np.ndarray:
    return np.full(size // 4, number, "uint32")


def new(number: int, size: int) -> kit.File:
    """Makes a file with two arrays of `size` bytes together."""
    file = kit.File.new()
    root = file.root()
    root.set("i64", "number", number)
    root.set("i64", "arrays", 0)
    root.set("sequence", "places", 0)
    for _ in range(PLACES):
        root.set("i64", "places/-", number)
    for name in "ab":
        root.set_array(name, elements(number, size // 2))
    return file


def set_numbers(root: kit.Node, number: int) -> None:
    root.set("i64", "number", number)
    for place in range(PLACES):
        root.set("i64", f"places/{place}", number)


def open_for_update(path: Path) -> kit.File:
    return kit.File("asdf_file_open_for_update", os.fsencode(path), None)


def save(file: kit.File, durable: bool, mode: int = WHOLE) -> None:
    kit.call("asdf_file_save", file, kit.Options(durable=int(durable), save_mode=mode))


def stream(file: kit.File, path: Path, name: str, rows: np.ndarray, count: int, durable: bool) -> None:
    """Writes a file with one more array, to which these elements are pushed `count` times."""
    handle = kit.c_void_p()
    arguments = kit.DATATYPES["uint32"], 0, None, kit.Options(durable=int(durable), replace=1)
    kit.call("asdf_stream_create", file, os.fsencode(path), name.encode(), *arguments, kit.byref(handle))
    for _ in range(count):
        kit.call(
            "asdf_stream_push",
            handle,
            kit.c_int64(rows.size),
            kit.c_void_p(rows.ctypes.data),
            kit.c_size_t(rows.nbytes),
        )
    kit.call("asdf_stream_finish", handle)
    kit.library.asdf_stream_free(handle)


def check(path: Path, places: list[int], number: int, arrays: dict[str, np.ndarray]) -> int:
    if len(places) != PLACES or any(place != number for place in places):
        raise Mixed(f"{path}: the tree says {number}, {sorted(set(places))}")
    for name, array in arrays.items():
        # Appended arrays keep the number that they were written with.
        expected = int(name) if name.isdigit() else number
        if not array.size or not (array == expected).all():
            raise Mixed(f"{path}: the tree says {number}, the array {name} {np.unique(array)[:10]}")
    return number


def read(path: Path, fixed: bool = False) -> int:
    """Returns the number that our reader finds. With `fixed`, the first arrays have another number, which stays."""
    file = kit.File.open(path)
    root = file.root()
    number = kit.value_of(c_int64, "asdf_node_get_i64", root, b"number")
    count = kit.value_of(c_int64, "asdf_node_get_i64", root, b"arrays")
    places = root.get("places")
    named = [str(number - back) for back in range(count)]
    names = [*([] if fixed else "ab"), *named]
    arrays = {name: root.array(name).read() for name in names}
    found = check(path, [places.item(index).integer() for index in range(places.count())], number, arrays)
    if fixed:
        for name in "ab":
            if not (root.array(name).read() == FIRST).all():
                raise Mixed(f"{path}: the array {name} is not as it was")
    kit.call("asdf_file_close", file)
    return found


def read_by_python(path: Path, fixed: bool = False) -> int:
    """Returns the number that Python asdf finds."""
    with asdf.open(path, memmap=False, lazy_load=False) as file:
        number, count = file["number"], file["arrays"]
        names = [*([] if fixed else "ab"), *(str(number - back) for back in range(count))]
        arrays = {name: np.asarray(file[name]) for name in names}
        found = check(path, list(file["places"]), number, arrays)
        if fixed and not all((np.asarray(file[name]) == FIRST).all() for name in "ab"):
            raise Mixed(f"{path}: an array is not as it was")
        return found
