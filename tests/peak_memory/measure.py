"""Compares the peak memory of programs that read or write an array of 256 MiB with the size of the array.

measure.py measure DIRECTORY LANGUAGE=COMMAND …
    A command takes `open FILE` (opens the file and the array, and ends), `read FILE` (reads all elements), or
    `write FILE` (makes the elements and writes them). Reading and writing may take the size of the array and SLACK more
    than opening: a second copy of the elements is a failure. Less than LEAST of the array means that the program did
    not do its task.
measure.py make FILE
    Makes the file that the programs read.
measure.py check FILE
    Fails if the file does not hold the elements that the programs write.

Other processes make and check the files, because a new process begins with the peak memory of the one that starts it.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

SHAPE = (4096, 8192)
ELEMENT = 1.5
SIZE = SHAPE[0] * SHAPE[1] * 8
SLACK = 24 << 20
# The compiler of Julia frees memory between opening and reading, which the elements then take: 0.73 to 0.88 were
# measured.
LEAST = 0.5


def make(path: str) -> int:
    import asdf
    import numpy as np

    asdf.AsdfFile({"data": np.full(SHAPE, ELEMENT)}).write_to(path)
    return 0


def check(path: str) -> int:
    import asdf

    with asdf.open(path) as file:
        return 0 if file["data"].shape == SHAPE and (file["data"] == ELEMENT).all() else 1


def peak(command: list[str]) -> int:
    """Returns the largest resident memory of a process in bytes."""
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_maxrss * 1024


def measure(directory: str, *programs: str) -> int:
    given = Path(directory) / "given.asdf"
    subprocess.run([sys.executable, __file__, "make", str(given)], check=True)
    passed = failed = 0
    for program in programs:
        language, command = program.split("=", 1)
        written = Path(directory) / f"{language}.asdf"
        least = peak([*shlex.split(command), "open", str(given)])
        for action, path in (("read", given), ("write", written)):
            size = peak([*shlex.split(command), action, str(path)]) - least
            good = LEAST * SIZE < size < SIZE + SLACK
            if good and action == "write":
                good = subprocess.run([sys.executable, __file__, "check", str(path)], check=False).returncode == 0
            passed, failed = passed + good, failed + (not good)
            verdict = "" if good else "FAILED "
            print(f"{verdict}{language} {action}: {size / SIZE:.3f} of the array, besides {least >> 20} MiB to open it")
        written.unlink()
    given.unlink()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit({"make": make, "check": check, "measure": measure}[sys.argv[1]](*sys.argv[2:]))
