"""Runs the test suites one after another, keeps their logs and ends with "N passed, N failed".

A suite is `cargo test`, or a script tests/<name>/run.sh (with --torture: torture.sh) that succeeds with
exit status 0. A script may end its output with its own line "N passed, N failed"; without one it counts
as a single test. tests/README.md says what a script may rely on.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
TIME_LIMIT = {False: 1800, True: 4 * 3600}  # seconds for one suite; the slow ones have more
CARGO_SUMMARY = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed", re.MULTILINE)
SCRIPT_SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed", re.MULTILINE)


def suites(torture: bool) -> list[tuple[str, list[str]]]:
    """The name and command of each suite, in the order in which they run."""
    prefix = BUILD / "prefix"
    install = ("install", ["sh", "-c", f"rm -rf '{prefix}' && make install PREFIX='{prefix}'"])
    if torture:
        fixed = [
            install,
            ("rust", ["cargo", "test", "--locked", "--profile", "torture", "--no-fail-fast", "--", "--ignored"]),
        ]
    else:
        fixed = [
            ("lint", ["scripts/lint.sh"]),
            ("rust", ["cargo", "test", "--locked", "--no-fail-fast"]),
            install,
        ]
    scripts = sorted(ROOT.glob("tests/*/torture.sh" if torture else "tests/*/run.sh"))
    return fixed + [(script.parent.name, [str(script)]) for script in scripts]


def environment() -> dict[str, str]:
    """What the suites find in their environment."""
    env = dict(os.environ)
    # A jobserver or flags of the calling make are not meant for the builds inside the suites.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "DESTDIR", "PREFIX"):
        env.pop(name, None)
    env["ASDFKIT_SOURCE"] = str(ROOT)
    env["ASDFKIT_BUILD"] = str(BUILD)
    env["ASDFKIT_PREFIX"] = str(BUILD / "prefix")
    env["ASDFKIT_PYTHON"] = sys.executable
    env["ASDFKIT_REFERENCE_FILES"] = str(BUILD / "reference_files")
    env["CARGO_TERM_COLOR"] = "never"
    samples = Path(env.get("ASDFKIT_SAMPLES", ROOT.parent / "shared" / "data"))
    if samples.is_dir():
        env["ASDFKIT_SAMPLES"] = str(samples)
    else:
        env.pop("ASDFKIT_SAMPLES", None)
        print("No further corpora: the directory ASDFKIT_SAMPLES is not there.")
    return env


def run(command: list[str], env: dict[str, str], log: Path, time_limit: float) -> int:
    """Runs a command with its output in the log; 124 stands for running out of time."""
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
        try:
            return process.wait(time_limit)
        except BaseException as reason:  # also when interrupted: leave no process behind
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(reason, subprocess.TimeoutExpired):
                output.write(f"\nstopped after {time_limit} seconds\n")
                return 124
            raise


def count(name: str, status: int, output: str) -> tuple[int, int]:
    """How many tests of a suite passed and failed."""
    if name == "rust":
        found = CARGO_SUMMARY.findall(output)
    else:
        found = SCRIPT_SUMMARY.findall(output)[-1:] or ([("1", "0")] if status == 0 else [])
    passed = sum(int(numbers[0]) for numbers in found)
    failed = sum(int(numbers[1]) for numbers in found)
    # A suite that fails outside its tests, or in which nothing ran, has not passed.
    if failed == 0 and (status != 0 or not found):
        failed = 1
    return passed, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--torture", action="store_true", help="run the slow suites instead of the fast ones")
    parser.add_argument("only", nargs="*", metavar="SUITE", help="run these suites only")
    arguments = parser.parse_args()
    chosen = suites(arguments.torture)
    unknown = set(arguments.only) - {name for name, _ in chosen}
    if unknown:
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")

    env = environment()
    logs = BUILD / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    total_passed = total_failed = 0
    for name, command in chosen:
        if arguments.only and name not in arguments.only:
            continue
        log = logs / f"{name}.log"
        start = time.monotonic()
        status = run(command, env, log, TIME_LIMIT[arguments.torture])
        seconds = time.monotonic() - start
        output = log.read_text(errors="replace")
        passed, failed = count(name, status, output)
        total_passed += passed
        total_failed += failed
        verdict = "FAILED" if failed else "ok"
        print(f"{verdict:7} {name:16} {passed:6} passed {failed:4} failed {seconds:7.1f} s", flush=True)
        if failed:
            print("".join(f"    | {line}\n" for line in output.splitlines()[-60:]), end="")
            print(f"    the whole log: {log.relative_to(ROOT)}", flush=True)
    print(f"{total_passed} passed, {total_failed} failed", flush=True)
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main())
