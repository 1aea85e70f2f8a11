"""Compares asdfkit with other libraries and with the machine itself, in one run: `run.py [WORKLOAD...]`.

Each measurement is a separate process. The processes of one workload take turns, ROUNDS times (environment variable,
default 5), and the medians of the rounds count. Ratios are those of wall times, with those of CPU times in brackets.
The tables also go to build/bench/results.md, the wall times to build/bench/results.json, from which `page.py` makes
the table and the plot of docs/guide/performance.md.
"""

import datetime
import importlib.metadata
import json
import os
import platform
import re
import shlex
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

import page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = ROOT / "build" / "bench"
INPUTS = WORK / "inputs"
RELEASE = WORK / "cargo" / "release"
OURS = "asdfkit"
PACKAGES = {OURS: "bench-asdfkit", "asdf-rs": "bench-asdf-rs", "machine": "measure"}
# Programs that use C libraries, with the names of these libraries for pkg-config.
SYSTEM = {
    "HDF5": ("hdf5", ["hdf5"]),
    "cfitsio": ("cfitsio", ["cfitsio"]),
    "C codecs": ("codecs", ["zlib", "liblz4", "libcrypto"]),
}
PYTHON = {
    "Python asdf": ("asdf", "peer_asdf.py"),
    "h5py": ("h5py", "peer_h5py.py"),
    "astropy": ("astropy", "peer_astropy.py"),
    "gwcs": ("gwcs", "peer_gwcs.py"),
    "pyarrow": ("pyarrow", "peer_pyarrow.py"),
    "polars": ("polars", "peer_polars.py"),
    "PyYAML": ("yaml", "peer_pyyaml.py"),
    "ruamel": ("ruamel.yaml", "peer_ruamel.py"),
}
# Tools of other projects, by workload, measured as whole processes.
TOOLS = {"netCDF tools": {"ndl-describe": "ncdump", "ndl-create": "ncgen"}, "HDF5 tools": {"ndl-describe": "h5dump"}}
SUFFIXES = {"h5py": ".h5", "HDF5": ".h5", "cfitsio": ".fits", "netCDF tools": ".h5", "HDF5 tools": ".h5"}
# Variants of our own program, and limit programs, with the suffixes that choose them.
TWO_THREADS, MAPPED, CHUNKED, CHUNKED_THREADS = "2 threads", "mapped", "in chunks", "in chunks, 2 threads"
VARIANTS = {TWO_THREADS: "-threads", MAPPED: "-mapped", CHUNKED: "-chunked", CHUNKED_THREADS: "-chunked-threads"}
LIMITS = {"pread": "-pread", "map": "-mmap"}
# Slow libraries, which are measured in one round only.
SLOW = ("astropy", "ruamel")
GIB = 1 << 30
MIB = 1 << 20


@dataclass
class Target:
    """A bound for asdfkit's value, relative to the best value of `others`, or absolute if there are none."""

    others: tuple[str, ...]
    bound: float
    # "rate" is a lower bound. Upper bounds: time, heap, written (bytes of the output), resident (MiB), io (MB written),
    # cpu (s).
    of: str = "time"
    # Our program or a variant of it.
    ours: str = OURS


@dataclass
class Workload:
    name: str
    title: str
    source: str
    who: tuple[str, ...]
    unit: str  # s, ms, us, GB/s, MB/s
    targets: list[Target] = field(default_factory=list)
    size: int = 0  # bytes, for rates
    kind: str = ""  # name of the workload in the programs, if it differs
    pages: str = "large"  # pages of the inputs in the page cache

    def value(self, seconds: float) -> float:
        scale = {"s": 1, "ms": 1e3, "us": 1e6}
        if self.unit in scale:
            return seconds * scale[self.unit]
        return self.size / seconds / {"GB/s": 1e9, "MB/s": 1e6}[self.unit]

    def show(self, seconds: float) -> str:
        value = self.value(max(seconds, 1e-9))
        return f"{f'{value:,.0f}' if value >= 1000 else f'{value:.3g}'} {self.unit.replace('us', 'µs')}"


# Quantities with absolute bounds: title, unit, and factor from the measured unit to this one.
ALONE = {
    "resident": ("memory besides the destination", "MiB", 1 / MIB),
    "io": ("bytes written", "MB", 1e-6),
    "cpu": ("CPU time", "s", 1),
}
READERS = (OURS, "asdf-rs", "Python asdf")
# Libraries that read regions with system calls. The readers of ASDF map the file instead.
POSITIONED = ("h5py", "HDF5", "cfitsio")
ALL = (*READERS, *POSITIONED)
# Without asdf-rs: it first splits the whole array into elements, which takes minutes.
CUTTERS = (OURS, "Python asdf", *POSITIONED)
WRITERS = (*READERS, "h5py")
INFLATERS = (*READERS, "h5py", "HDF5", "C codecs")
# All of these use one thread.
TABLE_READERS = (OURS, "pyarrow", "polars", "astropy")
TABLE_WRITERS = (OURS, "polars", "astropy")
# Programs that read or write descriptions, some of them as plain YAML.
DESCRIBERS = (OURS, "PyYAML", "ruamel", "Python asdf", "netCDF tools", "HDF5 tools")
WORLDS = (OURS, TWO_THREADS, "gwcs")
# Our variants where they pay, and their targets.
OWN = (TWO_THREADS, MAPPED)
FASTER = (Target(("map",), 0.95, "rate", MAPPED), Target((OURS,), 1.5, "rate", TWO_THREADS))
WORKLOADS = [
    Workload("w1-read", "W1 read 1 GiB", "w1.asdf", (*ALL, *OWN, *LIMITS), "GB/s",
             [Target(("pread",), 0.98, "rate"), Target(("HDF5",), 1, "rate"), Target((), 8, "resident"), *FASTER], GIB, "w1"),
    Workload("w1-touch", "W1 open, view, touch", "w1.asdf", READERS, "us", [Target(("asdf-rs",), 1)]),
    Workload("w1-element", "W1 open, read an element", "w1.asdf", (OURS, *POSITIONED), "us", [Target(("cfitsio",), 1.5)]),
    Workload("w2", "W2 read big-endian float64", "w2.asdf", (*ALL, *OWN, *LIMITS), "GB/s",
             [Target(("pread",), 0.95, "rate"), Target(("cfitsio",), 1.25, "rate"), *FASTER], GIB),
    Workload("w3", "W3 read float32 as float64", "w1.asdf", (*CUTTERS, *OWN, *LIMITS), "GB/s",
             [Target(("pread",), 0.9, "rate"), Target(("HDF5",), 1.5, "rate"), Target(("map",), 0.9, "rate", MAPPED),
              Target((OURS,), 1.6, "rate", TWO_THREADS)], GIB),
    Workload("w4-tile", "W4 16 tiles", "w1.asdf", (*CUTTERS, MAPPED, *LIMITS), "ms",
             [Target(("pread",), 1), Target(("map",), 1, ours=MAPPED), Target(("cfitsio",), 0.4), Target((), 16, "resident")]),
    Workload("w4-strip", "W4 strip", "w1.asdf", (*CUTTERS, MAPPED, *LIMITS), "ms",
             [Target(("pread",), 1), Target(("map",), 1, ours=MAPPED), Target(("cfitsio",), 0.6), Target((), 16, "resident")]),
    Workload("w5-int16", "W5 inflate int16", "w5-int16.asdf", INFLATERS, "MB/s",
             [Target(("C codecs",), 1.8, "rate"), Target((), 132 + 16, "resident")], 256 * MIB),
    Workload("w5-float32", "W5 inflate float32", "w5-float32.asdf", INFLATERS, "MB/s",
             [Target(("C codecs",), 1.5, "rate"), Target((), 36 + 16, "resident")], 64 * MIB),
    Workload("w5-lz4-read", "W5 decode lz4", "w5-lz4.asdf", (*READERS, TWO_THREADS, "C codecs"), "MB/s",
             [Target((OURS,), 1.7, "rate", TWO_THREADS), Target(("C codecs",), 0.6, "rate"), Target((), 208 + 16, "resident")], 256 * MIB, "w5-lz4"),
    Workload("w5-bzp2-read", "W5 decode bzp2", "w5-bzp2.asdf", READERS, "MB/s",
             [Target((), 23 + 16, "resident")], 64 * MIB, "w5-bzp2"),
    Workload("w5-deflate", "W5 deflate, level 6", "w5-plain.asdf", (*READERS, "C codecs"), "MB/s",
             [Target(("C codecs",), 3.5, "rate"), Target(("C codecs",), 1, "written")], 64 * MIB),
    Workload("w5-lz4-encode", "W5 encode lz4", "w5-plain.asdf", (*READERS, TWO_THREADS, "C codecs"), "MB/s",
             [Target(("C codecs",), 0.8, "rate"), Target((OURS,), 1.5, "rate", TWO_THREADS)], 64 * MIB),
    Workload("w5-bzp2-encode", "W5 encode bzp2", "w5-plain.asdf", (*READERS, TWO_THREADS), "MB/s",
             [Target((OURS,), 1.8, "rate", TWO_THREADS)], 64 * MIB),
    Workload("w6-verify", "W6 read and verify 1 GiB", "w1.asdf", (*READERS, "C codecs"), "GB/s",
             [Target(("C codecs",), 0.98, "rate")], GIB),
    Workload("w6-blocks", "W6 verify 16 blocks", "w6-blocks.asdf", (OURS, TWO_THREADS, "C codecs"), "GB/s",
             [Target(("C codecs",), 3, "rate"), Target((OURS,), 1.8, "rate", TWO_THREADS)], 512 * MIB),
    Workload("w6-write", "W6 write 1 GiB with MD5", "", (*READERS, TWO_THREADS, "C codecs"), "GB/s",
             [Target(("C codecs",), 1, "rate"), Target((OURS,), 1.2, "rate", TWO_THREADS)], GIB),
    Workload("w7-last-index", "W7 last, index", "w7-last-index.asdf", READERS, "ms", [Target(("asdf-rs",), 1)], kind="w7-last"),
    Workload("w7-last", "W7 last, no index", "w7-last.asdf", READERS, "ms", [Target(("asdf-rs",), 1)]),
    Workload("w7-all-index", "W7 all, index", "w7-all-index.asdf", READERS, "ms", [Target(("asdf-rs",), 1 / 3)], kind="w7-all"),
    Workload("w7-all", "W7 all, no index", "w7-all.asdf", READERS, "ms", [Target(("asdf-rs",), 1 / 3)]),
    Workload("w8-tree", "W8 20 MB tree", "w8-tree.asdf", READERS, "ms",
             [Target(("asdf-rs",), 1), Target(("asdf-rs",), 0.6, "heap")]),
    Workload("w8-small", "W8 small file", "w8-small.asdf", READERS, "us",
             [Target(("asdf-rs",), 1 / 6), Target(("asdf-rs",), 0.6, "heap")]),
    # Without asdf-rs, whose interface cannot leave out the checksum.
    Workload("w9-large", "W9 write 1 GiB", "", (OURS, "Python asdf", "h5py", "HDF5", "write"), "GB/s",
             [Target(("HDF5", "h5py"), 1, "rate"), Target((), 32, "resident")], GIB),
    Workload("w9-large-synced", "W9 write 1 GiB to the disk", "", (OURS, "Python asdf", "h5py", "HDF5", "write"), "GB/s",
             [Target(("HDF5", "h5py"), 1, "rate")], GIB),
    Workload("w9-many", "W9 write 10,000 arrays", "", (*WRITERS, "HDF5"), "ms", [Target(("HDF5",), 1 / 5)]),
    Workload("w9-many-synced", "W9 write 10,000 arrays to the disk", "", (OURS, "Python asdf", "h5py", "HDF5"), "ms",
             [Target(("HDF5",), 0.5)]),
    Workload("w9-stream", "W9 stream 4 GiB", "", (OURS, "HDF5", "write"), "GB/s",
             [Target(("HDF5",), 1, "rate"), Target((), 64, "resident")], 4 * GIB),
    Workload("w11", "W11 change a number", "", CUTTERS, "ms", [Target((), 1, "io"), Target((), 0.005, "cpu")]),
    Workload("w11-synced", "W11 change a number on the disk", "", CUTTERS, "ms", [Target((), 1, "io"), Target((), 0.005, "cpu")]),
    Workload("w12-synced", "W12 append 128 steps of 1 MiB, each on the disk", "", (OURS, CHUNKED, "write"), "ms",
             [Target(("write",), 1.2), Target(("write",), 1.2, ours=CHUNKED)]),
    Workload("w13-tile", "W13 tile of a compressed image", "w13-tile.asdf", (OURS, CHUNKED), "ms",
             [Target((OURS,), 1 / 50, ours=CHUNKED)]),
    Workload("w13-write", "W13 write 256 MiB with zlib 1", "", (OURS, TWO_THREADS, CHUNKED, CHUNKED_THREADS), "MB/s",
             [Target((OURS,), 0.9, "rate", CHUNKED), Target((CHUNKED,), 1.7, "rate", CHUNKED_THREADS)], 256 * MIB),
    Workload("w13-open", "W13 open a million chunks", "w13-open.asdf", (OURS,), "ms",
             [Target((), 0.1, "cpu"), Target((), 61, "resident")]),
    Workload("w10", "W10 a million inline numbers", "w10.asdf", READERS, "ms", [Target(("asdf-rs",), 1 / 10)]),
    Workload("ecsv-mixed", "read 10 columns", "ecsv-mixed.ecsv", TABLE_READERS, "ms",
             [Target(("pyarrow",), 1 / 0.8), Target(("astropy",), 1 / 15), Target((), 80 + 64, "resident")], kind="table"),
    Workload("ecsv-floats", "read 3 float columns", "ecsv-floats.ecsv", TABLE_READERS, "ms",
             [Target(("pyarrow",), 1), Target((), 22 + 64, "resident")], kind="table"),
    Workload("ecsv-arrays", "read array columns", "ecsv-arrays.ecsv", (OURS, "astropy"), "ms",
             [Target(("astropy",), 1 / 10), Target((), 28 + 64, "resident")], kind="table"),
    Workload("ecsv-mixed-threads", "read 10 columns, 2 threads", "ecsv-mixed.ecsv", (OURS, TWO_THREADS), "ms",
             [Target((OURS,), 1 / 1.7, ours=TWO_THREADS)], kind="table"),
    Workload("ecsv-mixed-batches", "read 10 columns in batches", "ecsv-mixed.ecsv", (OURS,), "ms",
             [Target((), 64, "resident")], kind="table-batches"),
    Workload("ecsv-mixed-index", "index of 10 columns", "ecsv-mixed.ecsv", (OURS,), "ms",
             [Target((), 8, "resident")], kind="table-index"),
    Workload("ecsv-mixed-write", "write 10 columns", "ecsv-mixed.ecsv", TABLE_WRITERS, "ms",
             [Target(("polars",), 1 / 1.2), Target(("astropy",), 1 / 20)], kind="table-write"),
    Workload("ecsv-mixed-write-threads", "write 10 columns, 2 threads", "ecsv-mixed.ecsv", (OURS, TWO_THREADS), "ms",
             [Target((OURS,), 1 / 1.7, ours=TWO_THREADS)], kind="table-write"),
    Workload("ecsv-floats-write", "write 3 float columns", "ecsv-floats.ecsv", TABLE_WRITERS, "ms",
             [Target(("polars",), 1 / 1.2), Target(("astropy",), 1 / 20)], kind="table-write"),
    Workload("ecsv-arrays-write", "write array columns", "ecsv-arrays.ecsv", (OURS, "astropy"), "ms",
             [Target(("astropy",), 1 / 20)], kind="table-write"),
    Workload("wcs-forward", "4,096² pixels to the sky", "wcs-image.asdf", (OURS, TWO_THREADS, "gwcs"), "ms",
             [Target(("gwcs",), 1 / 6), Target((OURS,), 1 / 1.7, ours=TWO_THREADS)]),
    Workload("wcs-back", "the sky to 4,096² pixels, inverse in the file", "wcs-image.asdf", (OURS, TWO_THREADS, "gwcs"),
             "ms", [Target(("gwcs",), 1 / 6), Target((OURS,), 1 / 1.7, ours=TWO_THREADS)]),
    Workload("wcs-numerical", "1,024 pixels without an inverse", "wcs-plane.asdf", (OURS, "gwcs"), "us",
             [Target(("gwcs",), 1 / 50)]),
    Workload("wcs-pixel", "a pixel to the sky", "wcs-image.asdf", (OURS, "gwcs"), "us",
             [Target(("gwcs",), 1 / 50), Target((), 1e-6, "cpu")]),
    Workload("wcs-build", "build the WCS", "wcs-roman.asdf", (OURS, "gwcs"), "us",
             [Target(("gwcs",), 1 / 50), Target((), 200e-6, "cpu")]),
    Workload("ndl-read", "read the text of 10,000 arrays", "ndl-text.yaml", (OURS, "PyYAML", "ruamel"), "ms",
             [Target(("PyYAML",), 1 / 10)]),
    Workload("ndl-read-numbers", "read 500,000 values", "ndl-numbers.yaml", (OURS, "PyYAML"), "ms",
             [Target(("PyYAML",), 1 / 20)], kind="ndl-read"),
    Workload("ndl-write", "write the canonical text", "ndl-text.yaml", (OURS, "PyYAML"), "ms",
             [Target(("PyYAML",), 1 / 20)]),
    Workload("ndl-compare", "compare, and hold against a promise", "ndl-text.yaml", (OURS,), "ms"),
    Workload("ndl-describe", "describe a file of 10,000 arrays", "ndl-file.asdf",
             (OURS, "Python asdf", "netCDF tools", "HDF5 tools"), "ms",
             [Target(("netCDF tools", "HDF5 tools"), 1 / 8), Target(("Python asdf",), 1 / 10)]),
    Workload("ndl-create", "create a file of 10,000 arrays", "ndl-text.yaml", (OURS, "netCDF tools"), "ms",
             [Target(("netCDF tools",), 1 / 10)]),
]  # fmt: skip

# Raw reads again, from small pages.
WORKLOADS[7:7] = [
    replace(one, name=f"{one.name}-small", title=f"{one.title}, small pages", kind=one.kind or one.name, pages="small")
    for one in WORKLOADS[:7]
]


def build(who: set[str]) -> dict[str, str]:
    """Builds the programs of these libraries. Returns the missing libraries with the reasons."""
    missing = {}
    for name, package in PACKAGES.items():
        if name not in who:
            continue
        # One by one, because a common build would unify the features of shared dependencies.
        command = ["cargo", "build", "--release", "--manifest-path", str(HERE / "Cargo.toml")]
        command += ["--package", package, "--target-dir", str(WORK / "cargo")]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("error")] or done.stderr.splitlines()
            missing[name] = f"its program was not built: {lines[0] if lines else 'no reason given'}"
    for name, (program, libraries) in SYSTEM.items():
        if name not in who:
            continue
        found = subprocess.run(["pkg-config", "--libs", *libraries], capture_output=True, text=True)
        if found.returncode:
            missing[name] = found.stderr.splitlines()[0]
            continue
        command = [
            "cargo",
            "rustc",
            "--release",
            "--manifest-path",
            str(HERE / "Cargo.toml"),
            "--package",
            "bench-system",
        ]
        command += ["--bin", program, "--target-dir", str(WORK / "cargo"), "--"]
        command += [f"-Clink-arg={argument}" for argument in shlex.split(found.stdout)]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            missing[name] = f"its program was not built: {done.stderr.splitlines()[0]}"
    for name, (module, _) in PYTHON.items():
        if name not in who:
            continue
        done = subprocess.run([sys.executable, "-c", f"import {module}"], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            missing[name] = done.stderr.splitlines()[-1]
    for name, programs in TOOLS.items():
        lacking = [program for program in programs.values() if name in who and not shutil.which(program)]
        if lacking:
            missing[name] = f"there is no {' and no '.join(lacking)}"
    return missing


def command(workload: Workload, who: str) -> list[str]:
    """Returns the command that measures one library on one workload."""
    source, kind = INPUTS / workload.source, workload.kind or workload.name
    if workload.source and who in SUFFIXES:
        # A tool that makes a file reads the text in its own language.
        source = source.with_suffix(".cdl" if workload.name == "ndl-create" else SUFFIXES[who])
    if who in TOOLS:
        program = [sys.executable, str(HERE / "python" / "peer_tools.py")]
        kind = TOOLS[who][kind]
    elif who in PYTHON:
        program = [sys.executable, str(HERE / "python" / PYTHON[who][1])]
    elif who in VARIANTS:
        program = [str(RELEASE / PACKAGES[OURS])]
        kind += VARIANTS[who]
    elif who in PACKAGES:
        program = [str(RELEASE / PACKAGES[who])]
    elif who in SYSTEM:
        program = [str(RELEASE / SYSTEM[who][0])]
    else:
        program = [str(RELEASE / "limits")]
        kind += LIMITS.get(who, "")
    return [*program, kind, str(source), str(WORK / "written")]


def measure(workload: Workload, who: tuple[str, ...], rounds: int, problems: list[str]) -> dict[str, dict[str, float]]:
    """Returns the medians of all libraries, by name and quantity."""
    results: dict[str, list[dict]] = {name: [] for name in who}
    for turn in range(rounds):
        # A library that runs after one that freed much memory has an advantage, so each round begins with another one.
        first = turn % len(who)
        for name in (*who[first:], *who[:first]):
            if turn > 0 and name in SLOW:
                continue
            environment = os.environ | {"RUST_BACKTRACE": "0"}
            done = subprocess.run(command(workload, name), capture_output=True, text=True, env=environment)
            written = WORK / "written"
            size = written.stat().st_size if written.exists() else None
            written.unlink(missing_ok=True)
            if done.returncode == 0:
                results[name].append(json.loads(done.stdout) | {"written": size})
            else:
                # Rust prints the reason before a note about backtraces, Python on the last line.
                lines = [line for line in done.stderr.splitlines() if line.strip() and "RUST_BACKTRACE" not in line]
                reason = lines[-1] if lines else "no reason given"
                problems.append(f"{workload.title}: {name} failed: {reason}")
    checks = {name: {float(run["check"]) for run in runs} for name, runs in results.items() if runs}
    if len(set().union(*checks.values())) > 1:
        problems.append(f"{workload.title}: the results differ: {checks}")
    medians = {}
    for name, runs in results.items():
        if runs:
            quantities = [
                key for key in ("wall", "cpu", "resident", "heap", "io", "written") if runs[0][key] is not None
            ]
            medians[name] = {key: statistics.median(run[key] for run in runs) for key in quantities}
    return medians


def comparisons(workload: Workload, medians: dict[str, dict[str, float]]) -> list[str]:
    """Returns the rows of the table of targets: workload, quantity and peer, value, target, verdict."""
    rows = []
    for target in workload.targets:
        ours = medians.get(target.ours)
        if not ours:
            continue
        title = workload.title if target.ours == OURS else f"{workload.title}, {target.ours}"
        if target.of in ALONE:
            what, unit, scale = ALONE[target.of]
            met = ours[target.of] * scale <= target.bound
            figures = f"{ours[target.of] * scale:.3g} {unit} | ≤ {target.bound:g}"
            rows.append(f"{title} | {what} | {figures} | {verdict(met)}")
            continue
        key = "wall" if target.of in ("time", "rate") else target.of
        others = {name: medians[name] for name in target.others if key in medians.get(name, {})}
        if not others:
            rows.append(f"{title} | {target.of} to {', '.join(target.others)} | – | {target.bound:g} | not there")
            continue
        best = min(others, key=lambda name: others[name][key])
        ratio, cpu = (ours[one] / others[best][one] for one in (key, "cpu"))
        if target.of == "rate":
            ratio, cpu = 1 / ratio, 1 / cpu
        met, cpu_met = ((one >= target.bound if target.of == "rate" else one <= target.bound) for one in (ratio, cpu))
        if key == "wall":
            figures = f"{ratio:.2f} ({cpu:.2f}): {workload.show(ours[key])} to {workload.show(others[best][key])}"
        else:
            figures = f"{ratio:.2f}: {ours[key] / 1e6:.3g} MB to {others[best][key] / 1e6:.3g} MB"
        told = verdict(met) + (" (met by CPU time)" if key == "wall" and cpu_met and not met else "")
        sign = "≥" if target.of == "rate" else "≤"
        rows.append(f"{title} | {target.of} to {best} | {figures} | {sign} {target.bound:g} | {told}")
    return rows


def verdict(met: bool) -> str:
    return "met" if met else "**missed**"


def tables(results: dict[str, dict[str, dict[str, float]]], rows: list[str]) -> str:
    """Returns the tables of all medians (wall time, CPU time, memory) and of the targets."""
    overviews = [
        overview(results, [one for one in WORKLOADS if re.match(prefix, one.name)], names)
        for prefix, names in ((r"w\d", ALL), ("wcs", WORLDS), ("ecsv", TABLE_READERS), ("ndl", DESCRIBERS))
    ]
    return "\n".join([*overviews, markdown(["", "wall (CPU), heap, bytes or memory", "asdfkit", "target", ""], rows)])


def overview(results: dict[str, dict[str, dict[str, float]]], workloads: list[Workload], names: tuple[str, ...]) -> str:
    """Returns the medians of some workloads, with a column for each of these names."""
    times, memory = [], []
    for workload in workloads:
        medians = results.get(workload.name)
        if not medians:
            continue
        cells, bytes_ = [], []
        for name in names:
            one = medians.get(name)
            shown = one and tuple(f"{workload.value(max(one[key], 1e-9)):.3g}" for key in ("wall", "cpu"))
            cells.append(f"{shown[0]} ({shown[1]})" if shown else "–")
            heap = f"{one['heap'] / 1e6:.3g}" if one and "heap" in one and name not in SYSTEM else "–"
            bytes_.append(f"{one['resident'] / 1e6:.3g} ({heap})" if one else "–")
        limits = [f"{name} {workload.value(one['wall']):.3g}" for name, one in medians.items() if name not in names]
        unit = workload.unit.replace("us", "µs")
        times.append(f"{workload.title}, {unit} | {' | '.join(cells)} | {', '.join(limits) or '–'}")
        memory.append(f"{workload.title} | {' | '.join(bytes_)}")
    if not times:
        return ""
    return "\n".join([
        markdown(["wall (CPU)", *names, "others"], times),
        markdown(["MB resident (heap)", *names], memory),
    ])  # fmt: skip


def markdown(head: list[str], rows: list[str]) -> str:
    lines = [" | ".join(head), *rows]
    lines = [f"| {line} |\n" for line in lines]
    lines.insert(1, "|---" * len(head) + "|\n")
    return "".join(lines)


def circumstances(who: set[str], rounds: int, load: float) -> str:
    """Returns versions, machine and date of the comparison."""
    versions = [f"asdf-rs {locked('asdf-rs')}"] if "asdf-rs" in who else []
    for name, (module, _) in PYTHON.items():
        if name in who:
            distributions = importlib.metadata.packages_distributions()
            versions.append(f"{name} {importlib.metadata.version(distributions.get(module, [module])[0])}")
    versions += [f"{name} {tool_version(name)}" for name in TOOLS if name in who]
    for name, (_, libraries) in SYSTEM.items():
        if name in who:
            found = [f"{one} {said('pkg-config', '--modversion', one)}" for one in libraries]
            versions.append(", ".join(found))
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GIB
    return (
        f"{datetime.date.today():%d %B %Y}: {', '.join(versions)}; {said('rustc', '--version')}; Linux {platform.release()}; "
        f"{os.cpu_count()} cores of {cpu[1] if cpu else platform.machine()}, {memory:.0f} GiB of memory, "
        f"load of other work {load:.1f} before, {os.getloadavg()[2]:.1f} with the measured processes at the end; "
        f"{f'medians of {rounds} rounds' if rounds > 1 else 'one round'}.\n"
    )


def tool_version(name: str) -> str:
    """Returns the version of the first tool. h5dump prints it on request, ncdump in its error message."""
    done = subprocess.run([*TOOLS[name].values()][:1] + ["--version"], capture_output=True, text=True)
    found = re.search(r"\d+\.\d+[.\d]*", done.stdout + done.stderr)
    return found[0] if found else ""


def locked(package: str) -> str:
    found = re.search(rf'name = "{package}"\nversion = "(.*)"', (HERE / "Cargo.lock").read_text())
    return found[1] if found else ""


def said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def bring_in(path: Path, pages: str, known: dict[Path, str]) -> None:
    """Reads a file, so that it is in the page cache, in pages of this kind. `known` holds the kinds of all files.

    A file that is written in pieces of 4 KiB has small pages. One that is dropped from the cache and then read from
    start to end has large ones.
    """
    piece = bytearray(MIB)
    if known.get(path) != pages:
        if pages == "small":
            again = path.with_name("again")
            with path.open("rb", buffering=0) as source, again.open("wb", buffering=0) as file:
                while count := source.readinto(piece):
                    for start in range(0, count, 4096):
                        file.write(piece[start : min(start + 4096, count)])
            again.replace(path)
        with path.open("rb", buffering=0) as file:
            os.fsync(file.fileno())
            if pages == "large":
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        known[path] = pages
    with path.open("rb", buffering=0) as file:
        while file.readinto(piece):
            pass


def main() -> int:
    rounds = int(os.environ.get("ROUNDS", "5"))
    load = os.getloadavg()[0]
    wanted = [one for one in WORKLOADS if not sys.argv[1:] or one.name.startswith(tuple(sys.argv[1:]))]
    needed = 12 if any(re.match(r"w\d", one.name) for one in wanted) else 1
    free = shutil.disk_usage(ROOT).free
    if free < needed * GIB:
        print(f"The inputs and outputs take {needed} GiB at most, but only {free / GIB:.1f} are free.")
        return 1
    taking_part = {"machine", *(name for one in wanted for name in one.who)}
    missing = build(taking_part)
    if OURS in missing or "machine" in missing:
        print(*missing.values(), sep="\n")
        return 1
    sources = {Path(one.source).stem for one in wanted if one.source}
    subprocess.run([sys.executable, str(HERE / "inputs.py"), str(INPUTS), *sorted(sources)], check=True)
    for name, reason in missing.items():
        print(f"Without {name}: {reason}")
    results, problems, rows = {}, [], []
    pages: dict[Path, str] = {}
    for workload in wanted:
        who = tuple(name for name in workload.who if name not in missing)
        for name in INPUTS.glob(f"{Path(workload.source).stem}.*") if workload.source else []:
            if name.suffix != ".made-by":
                bring_in(name, workload.pages, pages)
        results[workload.name] = measure(workload, who, rounds, problems)
        for row in comparisons(workload, results[workload.name]):
            print(row, flush=True)
            rows.append(row)
    told = circumstances(taking_part - missing.keys(), rounds, load)
    ratios = [
        {
            "title": one.title,
            "shown": one.show(results[one.name][OURS]["wall"]),
            "seconds": {name: values["wall"] for name, values in results[one.name].items()},
        }
        for one in wanted
        if OURS in results[one.name]
    ]
    (WORK / "results.json").write_text(json.dumps({"circumstances": told, "rows": ratios}, indent=1))
    shown = "\n".join([told, page.table(ratios), tables(results, rows)])
    (WORK / "results.md").write_text(shown)
    print(f"\n{shown}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
