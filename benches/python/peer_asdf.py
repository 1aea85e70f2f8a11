"""The Python package asdf in the comparison: one workload, measured in this process."""

import os

import asdf
import numpy as np
from measure import KEY, arguments, buffer, check_of, field, measure

workload, source, output = arguments()


def read_whole(dtype: str, size: int) -> None:
    out = buffer(size).view(dtype)

    def work() -> float:
        with asdf.open(source, memmap=True) as file:
            out[:] = file["data"][...].reshape(-1)
        return check_of(out)

    measure(work)


def read_all() -> float:
    with asdf.open(source) as file:
        for piece, array in zip(pieces, file["arrays"]):
            piece[:] = array[...]
    return check_of(pieces)


def read_last() -> float:
    with asdf.open(source) as file:
        return check_of(np.array(file["last"][...]))


def look_up() -> float:
    with asdf.open(source) as file:
        return sum(file["groups"][f"group_{200 * number + 7:04}"][KEY] for number in range(10))


def small() -> float:
    with asdf.open(source) as file:
        return file["roman"]["meta"]["exposure"]["exposure_time"]


def write(tree: dict, checksums: bool) -> None:
    def work() -> float:
        asdf.AsdfFile(tree).write_to(output, write_checksums=checksums)
        return 0.0

    measure(work, before=lambda: os.path.exists(output) and os.remove(output))


match workload:
    case "w1":
        read_whole("<f4", 1 << 30)
    case "w5-int16":
        read_whole("<i2", 256 << 20)
    case "w5-float32":
        read_whole("<f4", 64 << 20)
    case "w7-all":
        pieces = buffer(10_000 * 1024).view("<f4").reshape(10_000, 256)
        measure(read_all)
    case "w7-last":
        measure(read_last)
    case "w8-tree":
        measure(look_up)
    case "w8-small":
        measure(small)
    case "w9-large":
        write({"data": field(1 << 28).reshape(16384, 16384)}, checksums=False)
    case "w9-many":
        pieces = enumerate(field(640_000).reshape(-1, 64).copy())
        write({"arrays": {f"a{index:05}": piece for index, piece in pieces}}, checksums=True)
