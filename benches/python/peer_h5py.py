"""HDF5 through h5py in the comparison: one workload on the same numbers, measured in this process."""

import os

import h5py
import numpy as np
from measure import TILES, arguments, buffer, check_of, field, measure, sync

workload, synced, source, output = arguments()


def read_whole(dtype: str, shape: tuple[int, int]) -> None:
    out = buffer(shape[0] * shape[1] * int(dtype[-1])).view(dtype).reshape(shape)

    def work() -> float:
        with h5py.File(source, "r") as file:
            file["data"].read_direct(out)
        return check_of(out)

    measure(work)


def read_element() -> float:
    with h5py.File(source, "r") as file:
        return float(file["data"][8192, 8192])


def read_regions(starts: list[tuple[int, int]], shape: tuple[int, int]) -> None:
    out = buffer(shape[0] * shape[1] * 4).view("<f4").reshape(shape)

    def work() -> float:
        total = 0.0
        with h5py.File(source, "r") as file:
            for row, column in starts:
                file["data"].read_direct(out, np.s_[row : row + shape[0], column : column + shape[1]])
                total += check_of(out)
        return total

    measure(work)


def write(datasets: dict) -> None:
    def work() -> float:
        with h5py.File(output, "w") as file:
            for name, values in datasets.items():
                file.create_dataset(name, data=values)
        if synced:
            sync(output)
        return 0.0

    measure(work, before=lambda: os.path.exists(output) and os.remove(output))


def change() -> float:
    with h5py.File(output, "r+") as file:
        file.attrs.modify("exposure_time", file.attrs["exposure_time"] + 1.0)
    if synced:
        sync(output)
    return 0.0


match workload:
    case "w1-element":
        measure(read_element)
    case "w2":
        read_whole("<f8", (8192, 16384))
    case "w3":
        read_whole("<f8", (16384, 16384))
    case "w4-tile":
        read_regions(TILES, (1024, 1024))
    case "w4-strip":
        read_regions([(0, 8000)], (16384, 16))
    case "w1":
        read_whole("<f4", (16384, 16384))
    case "w5-int16":
        read_whole("<i2", (8192, 16384))
    case "w5-float32":
        read_whole("<f4", (4096, 4096))
    case "w9-large":
        write({"data": field(1 << 28).reshape(16384, 16384)})
    case "w9-many":
        write({f"arrays/a{index:05}": piece for index, piece in enumerate(field(640_000).reshape(-1, 64))})
    case "w11":
        with h5py.File(output, "w") as file:
            file["data"] = field(1 << 28).reshape(16384, 16384)
            file.attrs["exposure_time"] = 0.5
        measure(change)
