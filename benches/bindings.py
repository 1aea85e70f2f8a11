"""Compares calls through the C++ and Fortran bindings with the same calls of the C interface, in interleaved runs.

Usage: bindings.py [ROUNDS]. `make bench WHAT=bindings` installs the optimized library in build/prefix first. The
programs are those whose instructions the slow tests count: tests/cpp/overhead and tests/fortran/overhead.f90.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PREFIX = Path(os.environ.get("ASDFKIT_PREFIX", ROOT / "build/prefix"))
WORK = ROOT / "build/bench-bindings"
CALLS = 20_000
FORTRAN_CALLS = "get get_string set set_array set_section read load read_region column push".split()


def run(command: list[str], directory: Path = WORK, **environment: str) -> str:
    return subprocess.run(
        command, cwd=directory, env=os.environ | environment, check=True, capture_output=True, text=True
    ).stdout


def build() -> None:
    """Compiles both programs as the slow tests do."""
    WORK.mkdir(parents=True, exist_ok=True)
    pkg_config = ["pkg-config", "--cflags", "--libs", "asdfkit"]
    flags = run(pkg_config, PKG_CONFIG_PATH=str(PREFIX / "lib/pkgconfig")).split() + [f"-Wl,-rpath,{PREFIX / 'lib'}"]
    source = ROOT / "tests/cpp/overhead/calls.cpp"
    run(["g++", "-O2", "-std=c++17", str(source), f"-I{ROOT / 'bindings/cpp'}", *flags, "-o", "cpp"])
    fortran = ["gfortran", "-std=f2018", "-O2", f"-I{WORK}", f"-J{WORK}"]
    run(["./compile.sh", str(WORK), *fortran], ROOT / "tests/fortran")
    run([*fortran, str(ROOT / "tests/fortran/overhead.f90"), "libmodules.a", *flags, "-o", "fortran"])


def seconds(command: list[str]) -> float:
    """Returns the time of a run, in a directory of its own for the files that it writes."""
    with tempfile.TemporaryDirectory() as directory:
        start = time.perf_counter()
        run(command, Path(directory))
        return time.perf_counter() - start


def compare(title: str, by_c: list[str], by_binding: list[str], rounds: int) -> None:
    """Prints the times of one call by C and by a binding, and their ratio."""
    times: dict[str, list[float]] = {"c": [], "binding": []}
    for number in range(rounds):
        order = [("c", by_c), ("binding", by_binding)]
        for who, command in order if number % 2 == 0 else reversed(order):
            times[who].append(seconds(command))
    c, binding = (statistics.median(times[who]) / CALLS * 1e6 for who in ("c", "binding"))
    print(f"{title:24} C {c:8.2f} us, binding {binding:8.2f} us, ratio {binding / c:.2f}", flush=True)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    build()
    cpp, fortran = str(WORK / "cpp"), str(WORK / "fortran")
    for name in run([cpp]).split():
        compare(f"C++ {name}", [cpp, "c", name, str(CALLS)], [cpp, "cpp", name, str(CALLS)], rounds)
    for name in FORTRAN_CALLS:
        command = [fortran, "none", name]
        compare(f"Fortran {name}", [*command, "c", str(CALLS)], [*command, "binding", str(CALLS)], rounds)


if __name__ == "__main__":
    main()
