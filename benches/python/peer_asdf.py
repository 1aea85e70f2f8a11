"""The Python package asdf in the comparison: one workload, measured in this process."""

import contextlib
import io
import os

import asdf
import numpy as np
from measure import KEY, TILES, arguments, buffer, check_of, field, measure, sync

workload, synced, source, output = arguments()


def read_whole(dtype: str, size: int, **options) -> None:
    out = buffer(size).view(dtype)

    def work() -> float:
        with asdf.open(source, memmap=True, **options) as file:
            out[:] = file["data"][...].reshape(-1)
        return check_of(out)

    measure(work)


def touch() -> float:
    with asdf.open(source, memmap=True) as file:
        return float(file["data"][8192, 8192])


def read_regions(starts: list[tuple[int, int]], shape: tuple[int, int]) -> None:
    out = buffer(shape[0] * shape[1] * 4).view("<f4").reshape(shape)

    def work() -> float:
        total = 0.0
        with asdf.open(source, memmap=True) as file:
            for row, column in starts:
                out[:] = file["data"][row : row + shape[0], column : column + shape[1]]
                total += check_of(out)
        return total

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


def describe() -> float:
    """Prints the content of the file with `info`, into memory."""
    told = io.StringIO()
    with asdf.open(source) as file, contextlib.redirect_stdout(told):
        file.info(max_rows=None)
    return float(told.getvalue().count("NDArrayType"))


def write(tree: dict, **options) -> None:
    def work() -> float:
        asdf.AsdfFile(tree).write_to(output, **options)
        if synced:
            sync(output)
        return 0.0

    measure(work, before=lambda: os.path.exists(output) and os.remove(output))


def change() -> float:
    with asdf.open(output, mode="rw") as file:
        file["meta"]["exposure_time"] += 1.0
        file.update()
    if synced:
        sync(output)
    return 0.0


def encode(codec: str) -> None:
    with asdf.open(source) as file:
        image = np.array(file["data"])
    write({"data": image}, all_array_compression=codec, write_checksums=False)


match workload:
    case "w1-touch":
        measure(touch)
    case "w2":
        read_whole("<f8", 1 << 30)
    case "w3":
        read_whole("<f8", 2 << 30)
    case "w4-tile":
        read_regions(TILES, (1024, 1024))
    case "w4-strip":
        read_regions([(0, 8000)], (16384, 16))
    case "w1":
        read_whole("<f4", 1 << 30)
    case "w5-int16" | "w5-lz4":
        read_whole("<i2", 256 << 20)
    case "w5-float32":
        read_whole("<f4", 64 << 20)
    case "w5-bzp2":
        read_whole("<i2", 64 << 20)
    case "w5-deflate":
        encode("zlib")
    case "w5-lz4-encode":
        encode("lz4")
    case "w5-bzp2-encode":
        encode("bzp2")
    case "w6-verify":
        read_whole("<f4", 1 << 30, validate_checksums=True)
    case "w6-write":
        write({"data": field(1 << 28).reshape(16384, 16384)}, write_checksums=True)
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
        write({"data": field(1 << 28).reshape(16384, 16384)}, write_checksums=False)
    case "w9-many":
        pieces = enumerate(field(640_000).reshape(-1, 64).copy())
        write({"arrays": {f"a{index:05}": piece for index, piece in pieces}}, write_checksums=True)
    case "w11":
        tree = {"meta": {"exposure_time": 0.5}, "data": field(1 << 28).reshape(16384, 16384)}
        asdf.AsdfFile(tree).write_to(output, pad_blocks=True, write_checksums=False)
        measure(change)
    case "ndl-describe":
        measure(describe)
    case "w10":
        read_whole("<f8", 8_000_000)
