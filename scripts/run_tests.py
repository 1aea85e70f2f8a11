"""Runs the test suites, keeps their logs and ends with "N passed, N failed".

A suite is `cargo test`, or a script with exit status 0 for success: tests/<name>/run.sh, or run_<name>.sh in a folder that
has more than one suite. With --torture it is torture.sh, or torture_<name>.sh; with --soak it is soak.sh, or soak_<name>.sh.
A script may end its output with its own line "N passed, N failed"; without one it counts as a single test.
tests/README.md says what a script may rely on.

Suites of `make test` run three at a time: some wait for a disk, a server or a clock, and two processors stay busy. Suites
of `make torture` run two at a time, suites of `make soak` one at a time. A suite that measures time runs alone. The first
suite of `make test`, "setup", installs the packages that the others need, while the library is built.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
# Suites that build what others use, or that use one directory of cargo: each suite waits for these. Others wait
# for "install" and "c".
AFTER = {
    "setup": (),
    "install": (),
    "lint": ("setup",),
    "rust": ("lint",),
    "c": ("setup", "install"),
    "conformance": ("rust", "c"),
    "wcs": ("conformance",),
}
# Suites that take long begin before the others.
LONG = (
    "setup",
    "install",
    "lint",
    "rust",
    "c",
    "valgrind",
    "downstream",
    "cpp",
    "interoperability",
    "crash",
    "julia",
    "python",
    "conformance",
    "wcs",
)
# Commands of the languages whose suites ASDFKIT_SKIP can leave out.
INTERPRETERS = {"julia": ("julia", BUILD / "julia" / "julia"), "r": ("R",)}
# Processes of the running suites. They are stopped with the runner.
running: set[subprocess.Popen] = set()
# Suites that measure time: nothing else runs beside them.
ALONE = {"formats_speed"}
# Suites at a time.
WORKERS = {"test": 3, "torture": 2, "soak": 1}
# Sizes of proof: how the scripts of their suites begin, and the seconds that one suite may take.
BEGIN = {"test": "run", "torture": "torture", "soak": "soak"}
TIME_LIMIT = {"test": 1800, "torture": 4 * 3600, "soak": 24 * 3600}
CARGO_SUMMARY = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed", re.MULTILINE)
SCRIPT_SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed", re.MULTILINE)


# Crates whose tests need no installation.
CRATES = ["--package", "asdfkit", "--package", "asdfkit-pictures"]


def profile_of(size: str) -> str:
    """Returns the cargo profile of the library that is installed and tested."""
    return "quick" if size == "test" else "release"


def suites(size: str) -> list[tuple[str, list[str]]]:
    """Returns the name and command of each suite, in the order in which they run."""
    prefix = BUILD / "prefix"
    profile = profile_of(size)
    install = ("install", ["sh", "-c", f"rm -rf '{prefix}' && make install PREFIX='{prefix}' PROFILE={profile}"])
    if size == "soak":
        fixed = [install]
    elif size == "torture":
        fixed = [
            install,
            (
                "rust",
                [
                    "cargo",
                    "test",
                    "--locked",
                    "--all-features",
                    "--profile",
                    "quick",
                    "--no-fail-fast",
                    "--",
                    "--ignored",
                ],
            ),
        ]
    else:
        fixed = [
            ("setup", ["scripts/setup.sh", "test"]),
            ("lint", ["scripts/lint.sh", "--without-library"]),
            ("rust", ["scripts/cargo-with-lints.sh", "test", "--locked", "--all-features", "--no-fail-fast", *CRATES]),
            install,
        ]
    begin = BEGIN[size]
    found = {script.parent.name: script for script in ROOT.glob(f"tests/*/{begin}.sh")}
    found |= {script.stem.removeprefix(f"{begin}_"): script for script in ROOT.glob(f"tests/*/{begin}_*.sh")}
    return fixed + [(name, [str(script)]) for name, script in sorted(found.items())]


def environment(size: str) -> dict[str, str]:
    """Returns the environment of the suites."""
    env = dict(os.environ)
    # The jobserver and flags of a calling make would disturb the builds inside the suites.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "DESTDIR", "PREFIX"):
        env.pop(name, None)
    env["ASDFKIT_SOURCE"] = str(ROOT)
    env["ASDFKIT_BUILD"] = str(BUILD)
    env["ASDFKIT_PROFILE"] = profile_of(size)
    env["ASDFKIT_PREFIX"] = str(BUILD / "prefix")
    env["ASDFKIT_PYTHON"] = str(BUILD / "python" / "bin" / "python")
    env["ASDFKIT_REFERENCE_FILES"] = str(BUILD / "reference_files")
    env["CARGO_TERM_COLOR"] = "never"
    # Incremental compilation would make this build a seventh slower.
    env["CARGO_INCREMENTAL"] = "0"
    for language, commands in INTERPRETERS.items():
        variable = f"ASDFKIT_{language.upper()}"
        env.pop(variable, None)
        found = next(filter(None, map(shutil.which, commands)), None)
        if found and language not in skipped():
            env[variable] = found
    env["ASDFKIT_CORPORA"] = str(ROOT / "tests" / "corpora")
    if "ASDFKIT_SAMPLES" in env:
        env["ASDFKIT_SAMPLES"] = str(Path(env["ASDFKIT_SAMPLES"]).resolve(strict=True))
    return env


def skipped() -> list[str]:
    """Returns the suites that the variable ASDFKIT_SKIP names."""
    return os.environ.get("ASDFKIT_SKIP", "").split()


def run(command: list[str], env: dict[str, str], log: Path, time_limit: float) -> int:
    """Runs a command with its output in the log. 124 means that the time limit was exceeded."""
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        running.add(process)
        try:
            return process.wait(time_limit)
        except subprocess.TimeoutExpired:
            output.write(f"\nstopped after {time_limit} seconds\n")
            return 124
        finally:
            stop(process)
            running.discard(process)


def stop(process: subprocess.Popen) -> None:
    """Ends a suite with all its processes, unless it has ended."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def count(name: str, status: int, output: str) -> tuple[int, int]:
    """Returns the numbers of passed and failed tests of a suite."""
    if name == "rust":
        found = CARGO_SUMMARY.findall(output)
    else:
        found = SCRIPT_SUMMARY.findall(output)[-1:] or ([("1", "0")] if status == 0 else [])
    passed = sum(int(numbers[0]) for numbers in found)
    failed = sum(int(numbers[1]) for numbers in found)
    # A suite that fails outside its tests, or that runs no test, has not passed.
    if failed == 0 and (status != 0 or not found):
        failed = 1
    return passed, failed


def run_in_order(
    wanted: list[tuple[str, list[str]]], workers: int, run_one: Callable[[str, list[str]], tuple[int, int]]
) -> list[tuple[int, int]]:
    """Runs the suites, as many at once as there are workers. A suite begins after those that it needs have ended."""
    names = {name for name, _ in wanted}
    waiting = list(wanted)
    ended: set[str] = set()
    results = []
    active: dict[Future, str] = {}
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            while waiting or active:
                for suite in list(waiting):
                    needed = names.intersection(AFTER.get(suite[0], ("install", "c")))
                    has_room = len(active) < workers and not (active and ALONE & {suite[0], *active.values()})
                    if has_room and needed <= ended:
                        waiting.remove(suite)
                        active[pool.submit(run_one, *suite)] = suite[0]
                for future in wait(active, return_when=FIRST_COMPLETED).done:
                    ended.add(active.pop(future))
                    results.append(future.result())
        except BaseException:
            for process in list(running):
                stop(process)
            raise
    return results


def run_suite(name: str, command: list[str], env: dict[str, str], time_limit: float) -> tuple[tuple[int, int], str]:
    """Runs a suite. Returns the numbers of passed and failed tests, and the report."""
    log = BUILD / "logs" / f"{name}.log"
    start = time.monotonic()
    status = run(command, env, log, time_limit)
    seconds = time.monotonic() - start
    output = log.read_text(errors="replace")
    passed, failed = count(name, status, output)
    verdict = "FAILED" if failed else "ok"
    report = f"{verdict:7} {name:16} {passed:6} passed {failed:4} failed {seconds:7.1f} s"
    if failed:
        report += "".join(f"\n    | {line}" for line in output.splitlines()[-60:])
        report += f"\n    the whole log: {log.relative_to(ROOT)}"
    return (passed, failed), report


def main() -> int:
    # A runner that is ended stops its suites, as one that is interrupted does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sizes = parser.add_mutually_exclusive_group()
    for size, help_text in (
        ("torture", "run the slow suites instead of the fast ones"),
        ("soak", "run those of hours"),
    ):
        sizes.add_argument(f"--{size}", dest="size", action="store_const", const=size, default="test", help=help_text)
    parser.add_argument("only", nargs="*", metavar="SUITE", help="run these suites only")
    arguments = parser.parse_args()
    size = arguments.size
    chosen = suites(size)
    unknown = set(arguments.only) - {name for name, _ in chosen}
    if unknown:
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")

    wanted = [suite for suite in chosen if not arguments.only or suite[0] in arguments.only]
    for name in skipped():
        print(f"{'SKIPPED' if name in dict(wanted) else 'unknown':7} {name:16} as ASDFKIT_SKIP says", flush=True)
    wanted = [suite for suite in wanted if suite[0] not in skipped()]
    (BUILD / "logs").mkdir(parents=True, exist_ok=True)
    time_limit = TIME_LIMIT[size]
    if size == "test":
        wanted.sort(key=lambda suite: LONG.index(suite[0]) if suite[0] in LONG else len(LONG))

    def run_one(name: str, command: list[str]) -> tuple[int, int]:
        # The set-up installs interpreters, which the environment names.
        result, report = run_suite(name, command, environment(size), time_limit)
        print(report, flush=True)
        if name == "setup" and result[1]:
            sys.exit("Without these packages no suite can run.")
        return result

    results = run_in_order(wanted, WORKERS[size], run_one)
    total_passed, total_failed = (sum(numbers) for numbers in zip(*results, strict=True))
    print(f"{total_passed} passed, {total_failed} failed", flush=True)
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main())
