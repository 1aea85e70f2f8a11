"""Measures how asdfkit's time grows with size and with the number of blocks, and plots it: `scaling.py [GIBIBYTES]`.

Takes the minimum of the CPU times of several runs, because a single read or write depends on the state of the machine.
Prints the slope of a line through them: 1 means that time is proportional to size. Needs matplotlib.
"""

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from inputs import block, ndarray, write_asdf
from run import OURS, RELEASE, ROOT, WORK, build

FILES = WORK / "scaling"
ROUNDS = int(os.environ.get("ROUNDS", "5"))
MIB = 1 << 20
COUNTS = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]


def sizes(most: float) -> list[int]:
    """Returns sizes in bytes from 1 MiB to `most`, each twice the one before."""
    return [MIB << step for step in range(int(math.log2(most / MIB)) + 1)]


def large(path: Path, size: int) -> None:
    """Writes a file with one block of float32, in pieces."""
    count = size // 4
    write_asdf(path, f"data: {ndarray(0, 'float32', [count])}\n", [])
    piece = np.arange(MIB // 4, dtype="<f4").tobytes()
    header = bytearray(block(b"", 0))
    for field in (14, 22, 30):
        header[field : field + 8] = (4 * count).to_bytes(8, "big")
    header[38:54] = bytes(16)
    with path.open("ab") as file:
        file.write(header)
        for start in range(0, size, MIB):
            file.write(piece[: min(MIB, size - start)])


def many(path: Path, count: int) -> None:
    """Writes a file with blocks of 64 float32, each an array in a list."""
    payload = np.arange(64, dtype="<f4").tobytes()
    tree = "arrays:\n" + "".join(f"- {ndarray(number, 'float32', [64])}\n" for number in range(count))
    write_asdf(path, tree, [block(payload, len(payload))] * count, index=True)


def tree(path: Path, size: int) -> None:
    """Writes a file with groups of a hundred numbers in the tree."""
    group = "".join(f"    calibration_coefficient_of_detector_{number:03}: {number / 7!r}\n" for number in range(100))
    groups = size // (len(group) + 14) + 1
    write_asdf(path, "groups:\n" + "".join(f"  group_{number:04}:\n{group}" for number in range(groups)), [])


def cpu_time(kind: str, source: Path, amount: int) -> float:
    """Returns the minimum of the CPU times of several processes."""
    command = [str(RELEASE / "bench-asdfkit"), kind, str(source), str(FILES / "written"), str(amount)]
    times = []
    for _ in range(ROUNDS):
        times.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["cpu"])
        (FILES / "written").unlink(missing_ok=True)
    return min(times)


def series(kind: str, make, amounts: list[int]) -> list[float]:
    """Returns the times of one kind of work for all amounts."""
    times = []
    for amount in amounts:
        source = FILES / "input.asdf"
        if make:
            make(source, amount)
        times.append(cpu_time(kind, source, amount))
        print(f"{kind} {amount}: {1e3 * times[-1]:.4g} ms", flush=True)
        source.unlink(missing_ok=True)
    return times


def main() -> None:
    most = float(sys.argv[1] if len(sys.argv) > 1 else 4) * (1 << 30)
    missing = build({OURS})
    if OURS in missing:
        sys.exit(missing[OURS])
    FILES.mkdir(parents=True, exist_ok=True)
    figure, (by_size, by_count) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    for axes, title, kind, make, amounts in [
        (by_size, "W1 read one array", "scaling-read", large, sizes(most)),
        (by_size, "W9 write one array", "scaling-write", None, sizes(most)),
        (by_size, "W8 open a tree", "scaling-tree", tree, sizes(min(most, 256 * MIB))),
        (by_count, "W7 read arrays of 64 float32", "scaling-read-many", many, COUNTS),
        (by_count, "W9 write arrays of 64 float32", "scaling-write-many", None, COUNTS),
    ]:
        times = series(kind, make, amounts)
        # Only the upper half, because opening the file takes most of the time of small amounts.
        half = len(amounts) // 2
        slope = np.polyfit(np.log(amounts[half:]), np.log(times[half:]), 1)[0]
        print(f"{title}: time grows as size to the power of {slope:.2f}")
        axes.loglog(amounts, times, "o-", label=f"{title} (slope {slope:.2f})")
    by_size.set_xlabel("bytes")
    by_count.set_xlabel("blocks")
    for axes in (by_size, by_count):
        axes.set_ylabel("CPU time, s")
        axes.grid(True, which="major", alpha=0.4)
        axes.legend(fontsize="small")
    figure.savefig(ROOT / "docs/reference/scaling.png", dpi=110)


if __name__ == "__main__":
    main()
