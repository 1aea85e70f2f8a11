"""Compiles and runs the programs of examples-c and examples as the table checks.txt says.

A line of the table holds the folders whose programs run (`*`: each that has the program), the exit status, a text that
the output contains (`''`: there is no output), the programs, and their arguments. A line with several programs stands
for as many lines. The word after `=>` names a function of written.py, which then compares the files that the program
has written. SERVER in an argument is the address of a server of the folder's files.

Each folder of examples works in a folder of its own, with the files of make_files.py. Every program must be in the
table. A program that fails leaves no file none.*.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import serve
import written
from languages import Languages

HERE = Path(__file__).resolve().parent
ROOT = Path(os.environ["ASDFKIT_SOURCE"])
WORK = Path(os.environ["ASDFKIT_BUILD"]) / "tests/examples"
FOLDERS = {"c": [ROOT / "examples-c", ROOT / "examples-c/tasks"]} | {
    path.name: [path] for path in sorted((ROOT / "examples").iterdir()) if path.is_dir()
}
TIME_LIMIT = 300  # seconds for one program


@dataclass
class Check:
    """A run of a program, and what must come of it."""

    folders: list[str]
    status: int
    output: str
    program: str
    arguments: list[str]
    compare: str | None

    def concerns(self, folder: str, programs: dict[str, Path]) -> bool:
        return folder in self.folders or ("*" in self.folders and self.program in programs)


class Failure(Exception):
    """The reason why a check fails."""


def table() -> Iterator[Check]:
    """Returns all checks in the order of the table."""
    for line in (HERE / "checks.txt").read_text().splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        compare = None
        if words[-2] == "=>":
            compare = words[-1]
            del words[-2:]
        folders, status, output, programs, *arguments = words
        for program in programs.split(","):
            yield Check(folders.split(","), int(status), output, program, arguments, compare)


def run(check: Check, command: list[str], directory: Path, environment: dict[str, str], server: str) -> int:
    """Runs a program and returns the number of checks that passed; raises the reason of a failure."""
    arguments = [argument.replace("SERVER", server) for argument in check.arguments]
    done = subprocess.run(
        [*command, *arguments],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=TIME_LIMIT,
    )
    is_expected = check.output in done.stdout if check.output else done.stdout == ""
    if done.returncode != check.status or not is_expected:
        raise Failure(
            f"it ends with {done.returncode} instead of {check.status}, or does not print '{check.output}', but:\n"
            f"{done.stdout}"
        )
    if check.status != 0 and (left := list(directory.glob("none.*"))):
        raise Failure(f"it left {left[0].name} after an error")
    if check.compare is None:
        return 1
    try:
        getattr(written, check.compare)(directory, done.stdout)
    except (AssertionError, OSError, KeyError) as problem:
        raise Failure(f"{check.compare}: {problem!r}") from problem
    return 2


def run_folder(folder: str, languages: Languages, checks: list[Check]) -> tuple[int, list[str]]:
    """Runs the programs of a folder. Returns the number of passed checks and the failures."""
    directory = WORK / folder
    files = [path for place in FOLDERS[folder] for path in sorted(place.iterdir())]
    programs = {path.stem: path for path in files if languages.knows(path)}
    passed, failures, untried = 0, [], set(programs)
    with serve.served(directory) as server:
        for check in checks:
            if not check.concerns(folder, programs):
                continue
            text = f"{folder}: {shlex.join([check.program, *check.arguments])}"
            if check.program not in programs:
                failures.append(f"FAILED {text}: there is no such program")
                continue
            untried.discard(check.program)
            if not languages.has(programs[check.program].suffix):
                continue
            try:
                command = languages.command(programs[check.program])
                passed += run(check, command, directory, languages.environment, server)
            except (Failure, OSError, subprocess.TimeoutExpired) as problem:
                failures.append(f"FAILED {text}: {problem}")
    return passed, failures + [f"FAILED {programs[name]}: it is never run" for name in sorted(untried)]


def main() -> int:
    shutil.rmtree(WORK, ignore_errors=True)
    sources = [path for places in FOLDERS.values() for place in places for path in sorted(place.iterdir())]
    languages = Languages(WORK / "languages", sources)
    checks = list(table())
    with ThreadPoolExecutor(2) as pool:
        languages.prepare(pool)
        for folder in FOLDERS:
            make = [sys.executable, HERE / "make_files.py", folder, WORK / folder]
            subprocess.run(make, check=True, env=languages.environment)
        # Those of languages that start slowly first, so that both processors end together.
        order = sorted(FOLDERS, key=lambda folder: folder not in ("julia", "r"))
        results = list(pool.map(lambda folder: run_folder(folder, languages, checks), order))
    failures = languages.failures + [failure for _, failed in results for failure in failed]
    for failure in failures:
        print(failure)
    print(f"{sum(passed for passed, _ in results)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
