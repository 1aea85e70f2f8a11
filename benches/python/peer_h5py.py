"""HDF5 by way of h5py in the comparison: one workload on the same numbers, measured in this process."""

import os

import h5py
from measure import arguments, buffer, check_of, field, measure

workload, source, output = arguments()


def read_whole(dtype: str, shape: tuple[int, int]) -> None:
    out = buffer(shape[0] * shape[1] * int(dtype[-1])).view(dtype).reshape(shape)

    def work() -> float:
        with h5py.File(source, "r") as file:
            file["data"].read_direct(out)
        return check_of(out)

    measure(work)


def write(datasets: dict) -> None:
    def work() -> float:
        with h5py.File(output, "w") as file:
            for name, values in datasets.items():
                file.create_dataset(name, data=values)
        return 0.0

    measure(work, before=lambda: os.path.exists(output) and os.remove(output))


match workload:
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
