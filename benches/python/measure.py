"""One measurement in a process of its own: wall time, CPU time and memory of a piece of work, printed as JSON.

It does the same as the Rust package `measure`, for libraries that are used from Python.
"""

import json
import mmap
import os
import statistics
import sys
import time

import numpy as np

ENOUGH = 0.4  # seconds: work is repeated until it has taken this long, but at least MIN_RUNS times
MIN_RUNS = 3
SLOW = 3.0  # seconds: work this slow is not repeated, its first run counts
KEY = "calibration_coefficient_of_detector_040"

# First row and column of the 16 tiles of 1024 × 1024 that are read from the image of 16384 × 16384.
TILES = [(number * 7919 % 15361, number * 10007 % 15361) for number in range(1, 17)]


def arguments() -> tuple[str, bool, str, str]:
    """Returns workload, whether it waits for the disk (its name ends with "-synced"), input and output."""
    _, name, source, output = sys.argv
    workload = name.removesuffix("-synced")
    return workload, workload != name, source, output


def sync(path: str) -> None:
    """Waits until a file is on the disk."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def measure(work, before=lambda: None) -> None:
    """Measures runs of `work` and prints the result. `before` precedes each run and is not measured."""
    before()
    resident = resident_bytes("VmRSS:")
    check, first = timed(work)
    growth = resident_bytes("VmHWM:") - resident
    runs = [first] if first[0] >= SLOW else []
    while not runs or (first[0] < SLOW and (len(runs) < MIN_RUNS or sum(run[0] for run in runs) < ENOUGH)):
        before()
        again, run = timed(work)
        assert again == check, "another result than the first time"
        runs.append(run)
    wall, cpu = (statistics.median(times) for times in zip(*runs))
    print(json.dumps({"wall": wall, "cpu": cpu, "resident": growth, "heap": None, "io": None, "check": check}))


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    check = work()
    return check, (time.perf_counter() - wall, time.process_time() - cpu)


def resident_bytes(field: str) -> int:
    """Returns the resident memory of the process in bytes: the current size (VmRSS) or the peak (VmHWM)."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith(field))


def buffer(size: int) -> np.ndarray:
    """Returns memory to read into, in huge pages if possible, already touched."""
    memory = mmap.mmap(-1, size)
    memory.madvise(mmap.MADV_HUGEPAGE)
    array = np.frombuffer(memory, dtype=np.uint8)
    array[:] = 0
    return array


def check_of(array: np.ndarray) -> float:
    """Returns the sum of a few 32-bit words spread over the bytes: a cheap check for wrong data."""
    words = array.reshape(-1).view("<u4")
    return float(words[:: max(-(-words.size // 64), 1)].sum(dtype=np.uint64))


def field(count: int) -> np.ndarray:
    """Returns numbers to write: the multiples of 1/8."""
    return np.arange(count, dtype=np.float32) / np.float32(8)
