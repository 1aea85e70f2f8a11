"""Measures the command asdfkit against asdftool and h5diff, its start-up, and its peak memory.

Usage: command.py COMMAND, where COMMAND is the installed asdfkit (profile release). h5py, asdftool and h5diff must be there.
ROUNDS=n sets the number of runs of each side, MIB=n the size of the array (1024). The sides run in turns; the minima are
compared. The exit status is 1 if a figure misses its target.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import asdf
import h5py
import numpy as np

ROUNDS = int(os.environ.get("ROUNDS", "5"))
MIB = int(os.environ.get("MIB", "1024"))
ASDFTOOL = Path(sys.executable).with_name("asdftool")
NULL = subprocess.DEVNULL
# Runs a command and prints its peak memory. A small process must start it: exec keeps the peak of the process before it.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", 1, 0)])
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(status != 0)
"""


def seconds(command: list[object]) -> float:
    """Time of one run of a command, which must succeed."""
    begin = time.perf_counter()
    subprocess.run([str(word) for word in command], stdout=NULL, check=True)
    return time.perf_counter() - begin


def interleaved(*commands: list[object]) -> list[float]:
    """Least time of each command. The commands run in turns, so that a busy machine disturbs them alike."""
    times = [[seconds(command) for command in commands] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*times, strict=True)]


def peak_mebibytes(command: list[object]) -> float:
    """Peak resident memory of a command."""
    launcher = [sys.executable, "-S", "-c", LAUNCHER, *map(str, command)]
    return int(subprocess.run(launcher, stdout=subprocess.PIPE, check=True).stdout) / 1024


def make_files(folder: Path) -> None:
    """Writes a file with a deep tree, and pairs of equal files with one large array."""
    tree = {f"group{n}": {f"key{k}": k * 0.5 for k in range(20)} | {"data": np.arange(50)} for n in range(20)}
    asdf.AsdfFile(tree).write_to(folder / "tree.asdf")
    row = np.random.default_rng(1).random((128, 1024))
    data = np.broadcast_to(row, (MIB, 128, 1024)).reshape(MIB * 128, 1024)
    for name in ("a", "b"):
        asdf.AsdfFile({"data": data}).write_to(folder / f"{name}.asdf")
        with h5py.File(folder / f"{name}.h5", "w") as file:
            file["data"] = data


def main() -> int:
    command = Path(sys.argv[1]).resolve()
    failed = 0

    def figure(title: str, value: float, unit: str, good: bool, target: str) -> None:
        nonlocal failed
        failed += not good
        print(f"{title:52} {value:10.1f} {unit:4} target {target} {'' if good else 'MISSED'}".rstrip(), flush=True)

    with tempfile.TemporaryDirectory(dir=os.environ.get("ASDFKIT_BENCH_INPUTS")) as name:
        folder = Path(name)
        make_files(folder)
        a, b = folder / "a.asdf", folder / "b.asdf"
        ours, other = interleaved([command, "info", folder / "tree.asdf"], [ASDFTOOL, "info", folder / "tree.asdf"])
        figure("info: asdftool / asdfkit", other / ours, "x", other / ours >= 50, ">= 50")
        ours, other = interleaved([command, "diff", a, b], ["h5diff", folder / "a.h5", folder / "b.h5"])
        figure(f"diff of {MIB} MiB: h5diff / asdfkit", other / ours, "x", other / ours >= 5, ">= 5")
        (start,) = interleaved([command, "--version"])
        figure("start-up", start * 1000, "ms", start <= 0.01, "<= 10")
        for title, arguments in (
            ("stat", ["stat", a, "data"]),
            ("get --as raw", ["get", a, "data", "--as", "raw"]),
            ("get --as npy", ["get", a, "data", "--as", "npy"]),
            ("diff", ["diff", a, b]),
        ):
            peak = peak_mebibytes([command, *arguments])
            figure(f"peak memory of {title} on {MIB} MiB", peak, "MiB", peak <= 64, "<= 64")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
