"""Compares asdfkit with other libraries and with the machine itself, in one run: `run.py [WORKLOAD...]`.

Each measurement is a process of its own; those of one workload take turns, ROUNDS times over (environment, default 5),
and the medians of the rounds count. Ratios are those of wall times. The table goes to build/bench/results.md, too.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WORK = ROOT / "build" / "bench"
INPUTS = WORK / "inputs"
RELEASE = WORK / "cargo" / "release"
OURS = "asdfkit"
PACKAGES = {OURS: "bench-asdfkit", "asdf-rs": "bench-asdf-rs", "machine": "measure"}
PYTHON = {"Python asdf": ("asdf", "peer_asdf.py"), "h5py": ("h5py", "peer_h5py.py")}
GIB = 1 << 30


@dataclass
class Target:
    """`value of asdfkit / that of the best of others` is to be at most (or, for rates, at least) `bound`."""

    others: tuple[str, ...]
    bound: float
    of: str = "time"  # time, rate or heap


@dataclass
class Workload:
    name: str
    title: str
    source: str
    who: tuple[str, ...]
    unit: str  # s, ms, us, GB/s, MB/s
    targets: list[Target] = field(default_factory=list)
    size: int = 0  # bytes, for rates
    kind: str = ""  # what the programs call it, if that is not its name

    def value(self, seconds: float) -> float:
        scale = {"s": 1, "ms": 1e3, "us": 1e6}
        if self.unit in scale:
            return seconds * scale[self.unit]
        return self.size / seconds / {"GB/s": 1e9, "MB/s": 1e6}[self.unit]


READERS = (OURS, "asdf-rs", "Python asdf")
ALL = (*READERS, "h5py")
WORKLOADS = [
    Workload("w1", "W1 read 1 GiB", "w1.asdf", (*ALL, "pread", "mmap+memcpy"), "GB/s",
             [Target(("pread", "mmap+memcpy"), 0.9, "rate"), Target(("h5py",), 1.0, "rate")], GIB),
    Workload("w5-int16", "W5 inflate int16", "w5-int16.asdf", ALL, "MB/s", [], 256 << 20),
    Workload("w5-float32", "W5 inflate float32", "w5-float32.asdf", ALL, "MB/s", [], 64 << 20),
    Workload("w7-last-index", "W7 last, index", "w7-last-index.asdf", READERS, "ms", [Target(("asdf-rs",), 1.5)], kind="w7-last"),
    Workload("w7-last", "W7 last, no index", "w7-last.asdf", READERS, "ms"),
    Workload("w7-all-index", "W7 all, index", "w7-all-index.asdf", READERS, "ms", kind="w7-all"),
    Workload("w7-all", "W7 all, no index", "w7-all.asdf", READERS, "ms"),
    Workload("w8-tree", "W8 20 MB tree", "w8-tree.asdf", READERS, "ms",
             [Target(("asdf-rs",), 1.0), Target(("asdf-rs",), 0.6, "heap")]),
    Workload("w8-small", "W8 small file", "w8-small.asdf", READERS, "us",
             [Target(("asdf-rs",), 1.0), Target(("asdf-rs",), 0.6, "heap")]),
    # Without asdf-rs, whose interface has no way to leave the checksum out.
    Workload("w9-large", "W9 write 1 GiB", "", (OURS, "Python asdf", "h5py", "write"), "GB/s", [], GIB),
    Workload("w9-many", "W9 write 10,000 arrays", "", ALL, "ms"),
]  # fmt: skip


def build() -> dict[str, str]:
    """Builds the programs; the libraries that are missing, each with the reason."""
    missing = {}
    for name, package in PACKAGES.items():
        # One by one, for the features of one must not reach into another.
        command = ["cargo", "build", "--release", "--manifest-path", str(HERE / "Cargo.toml")]
        command += ["--package", package, "--target-dir", str(WORK / "cargo")]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("error")] or done.stderr.splitlines()
            missing[name] = f"its program was not built: {lines[0] if lines else 'no reason given'}"
    for name, (module, _) in PYTHON.items():
        done = subprocess.run([sys.executable, "-c", f"import {module}"], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            missing[name] = done.stderr.splitlines()[-1]
    return missing


def command(workload: Workload, who: str) -> list[str]:
    """The command that measures one library at one workload."""
    source, kind = INPUTS / workload.source, workload.kind or workload.name
    if who in PYTHON:
        program = [sys.executable, str(HERE / "python" / PYTHON[who][1])]
        source = source.with_suffix(".h5") if who == "h5py" else source
    elif who in PACKAGES:
        program = [str(RELEASE / PACKAGES[who])]
    else:
        program = [str(RELEASE / "limits")]
        kind += {"pread": "-pread", "mmap+memcpy": "-mmap"}.get(who, "")
    return [*program, kind, str(source), str(WORK / "written")]


def measure(workload: Workload, who: tuple[str, ...], rounds: int, problems: list[str]) -> dict[str, dict[str, float]]:
    """The medians of all who take part, by name and quantity."""
    results: dict[str, list[dict]] = {name: [] for name in who}
    for _ in range(rounds):
        for name in who:
            done = subprocess.run(command(workload, name), capture_output=True, text=True)
            (WORK / "written").unlink(missing_ok=True)
            if done.returncode == 0:
                results[name].append(json.loads(done.stdout))
            else:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                problems.append(f"{workload.title}: {name} failed: {reason}")
    checks = {name: {run["check"] for run in runs} for name, runs in results.items() if runs}
    if len(set().union(*checks.values())) > 1:
        problems.append(f"{workload.title}: the results differ: {checks}")
    medians = {}
    for name, runs in results.items():
        if runs:
            quantities = [key for key in ("wall", "cpu", "resident", "heap") if runs[0][key] is not None]
            medians[name] = {key: statistics.median(run[key] for run in runs) for key in quantities}
    return medians


def quotient(target: Target, ours: float, other: float) -> float:
    return other / ours if target.of == "rate" else ours / other


def is_met(target: Target, ratio: float) -> bool:
    return ratio >= target.bound if target.of == "rate" else ratio <= target.bound


def ratio_lines(workload: Workload, medians: dict[str, dict[str, float]]) -> list[str]:
    """The comparisons with targets, or with the best other if there is no target."""
    ours = medians.get(OURS)
    if ours is None:
        return []
    rate = workload.unit.endswith("/s")
    lines = []
    for target in workload.targets or [Target(workload.who[1:], 0, "rate" if rate else "time")]:
        others = {name: medians[name] for name in target.others if name in medians}
        if not others:
            lines.append(f"{workload.title}: nothing to compare with of {', '.join(target.others)}")
            continue
        if target.of == "heap":
            best = min(others, key=lambda name: others[name]["heap"])
            ratio = ours["heap"] / others[best]["heap"]
            figures = (f"{ours['heap'] / 1e6:.3g} MB", f"{others[best]['heap'] / 1e6:.3g} MB")
        else:
            best = min(others, key=lambda name: others[name]["wall"])
            ratio, cpu = (quotient(target, ours[key], others[best][key]) for key in ("wall", "cpu"))
            unit = {"us": "µs"}.get(workload.unit, workload.unit)
            figures = tuple(f"{workload.value(one['wall']):.3g} {unit}" for one in (ours, others[best]))
        what = f"{workload.title}{' (heap)' if target.of == 'heap' else ''}"
        line = f"{what}: asdfkit {figures[0]}, {best} {figures[1]}, ratio {ratio:.2f}"
        if target.bound:
            line += f" (target {'≥' if target.of == 'rate' else '≤'} {target.bound:g})"
            line += " ok" if is_met(target, ratio) else " MISSED"
            if target.of != "heap" and not is_met(target, ratio) and is_met(target, cpu):
                line += f", but {cpu:.2f} by CPU time: the machine was busy"
        lines.append(line)
    return lines


def table(results: dict[str, dict[str, dict[str, float]]]) -> str:
    """All medians: wall time (CPU time), with memory in a second table."""
    names = [*ALL, "machine"]
    times, memory = [], []
    for workload in WORKLOADS:
        medians = results.get(workload.name)
        if not medians:
            continue
        cells, bytes_ = [], []
        for name in ALL:
            one = medians.get(name)
            shown = one and tuple(f"{workload.value(max(one[key], 1e-9)):.3g}" for key in ("wall", "cpu"))
            cells.append(f"{shown[0]} ({shown[1]})" if shown else "–")
            heap = f"{one['heap'] / 1e6:.3g}" if one and "heap" in one else "–"
            bytes_.append(f"{one['resident'] / 1e6:.3g} ({heap})" if one else "–")
        limits = [f"{name} {workload.value(one['wall']):.3g}" for name, one in medians.items() if name not in ALL]
        unit = workload.unit.replace("us", "µs")
        times.append(f"| {workload.title}, {unit} | {' | '.join(cells)} | {', '.join(limits) or '–'} |")
        memory.append(f"| {workload.title} | {' | '.join(bytes_)} |")
    head = f"| wall (CPU) | {' | '.join(names)} |\n|---|{'---|' * len(names)}\n"
    memory_head = f"| MB resident (heap) | {' | '.join(ALL)} |\n|---|{'---|' * len(ALL)}\n"
    return head + "\n".join(times) + "\n\n" + memory_head + "\n".join(memory) + "\n"


def main() -> int:
    rounds = int(os.environ.get("ROUNDS", "5"))
    wanted = [one for one in WORKLOADS if not sys.argv[1:] or one.name.startswith(tuple(sys.argv[1:]))]
    free = shutil.disk_usage(ROOT).free
    if free < 8 * GIB:
        print(f"The inputs and outputs take 6 GB, but only {free / 1e9:.1f} GB are free.")
        return 1
    missing = build()
    if OURS in missing or "machine" in missing:
        print(*missing.values(), sep="\n")
        return 1
    subprocess.run([sys.executable, str(HERE / "inputs.py"), str(INPUTS)], check=True)
    for name, reason in missing.items():
        print(f"Without {name}: {reason}")
    results, problems, lines = {}, [], []
    for workload in wanted:
        who = tuple(name for name in workload.who if name not in missing)
        for name in INPUTS.glob(f"{Path(workload.source).stem}.*") if workload.source else []:
            name.read_bytes()  # brings it into the page cache
        results[workload.name] = measure(workload, who, rounds, problems)
        for line in ratio_lines(workload, results[workload.name]):
            print(line, flush=True)
            lines.append(line)
    shown = table(results)
    (WORK / "results.md").write_text(shown + "\n" + "\n".join(f"- {line}" for line in lines) + "\n")
    print(f"\n{shown}\nMedians of {rounds} rounds.")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
