"""Changes the code of rooms one expression at a time, and lists the changes that the tests of the room do not see.

mutants.py COUNT SEED [ROOM…] draws COUNT changes in each room. cargo-mutants also tries all struct expressions without one
of their fields, which it does not let us choose. Survivors stand in explained.txt with the reason why no
test can see them, or are failures. Logs stay in build/mutants.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["ASDFKIT_SOURCE"])
WORK = Path(os.environ["ASDFKIT_BUILD"]) / "mutants"
# The rooms, and their tests outside the library.
ROOMS = {
    "layout": [],
    "codec": ["--test=codec"],
    "array/convert": [],
    "table/ecsv": [],
    "yaml": ["--test=yaml"],
}
# A module of tests of the library.
MODULE = re.compile(r"#\[cfg\(test\)\]\n((?:#\[.*\]\n)*mod (?:\w+_)?tests?\b)")
EXPLAINED = Path(__file__).with_name("explained.txt")
# Mutants are linked often and never debugged.
ENVIRONMENT = {
    **os.environ,
    "CARGO_PROFILE_TEST_DEBUG": "0",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "CARGO_INCREMENTAL": "1",
    # Small numbers of random texts: each mutant reads them.
    "ASDFKIT_YAML_DOCUMENTS": "200",
    "ASDFKIT_YAML_TEXTS": "100",
}
if shutil.which("mold"):
    ENVIRONMENT["RUSTFLAGS"] = "-Clink-arg=-fuse-ld=mold"
# Rooms at a time.
AT_ONCE = 2
# Its tests have helpers of other rooms. They do not run for those.
SHARED_TESTS = Path("src/array/mod.rs")
SKIPPED = "array::tests::"


def copied(room: str) -> Path:
    """Copies the source, without the tests of other rooms: they would take most of the time to compile."""
    tree = WORK / room.replace("/", "-") / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    built = {"build", "target", ".git"}
    shutil.copytree(SOURCE, tree, symlinks=True, ignore=lambda folder, _: built if Path(folder) == SOURCE else set())
    for path in (tree / "src").rglob("*.rs"):
        if path.is_relative_to(tree / "src" / room) or path == tree / SHARED_TESTS:
            continue
        path.write_text(MODULE.sub(r"#[cfg(any())]\n\1", path.read_text()))
    return tree


def drawn(tree: Path, room: str, count: int, seed: str) -> list[str]:
    """Draws mutants; each is a line such as "src/layout/mod.rs:67:47: replace == with != in Layout::read"."""
    listed = subprocess.run(
        ["cargo", "mutants", "--list", "--file", f"src/{room}/**"],
        cwd=tree,
        check=True,
        capture_output=True,
        text=True,
    )
    mutants = sorted(listed.stdout.splitlines())
    return random.Random(f"{seed} {room}").sample(mutants, min(count, len(mutants)))


def explained_mutants() -> set[tuple[str, int]]:
    """The mutants of explained.txt, each as its name without place, and its line."""
    explained = set()
    for entry in EXPLAINED.read_text().split("\n\n")[1:]:
        name, *code, _ = (line.strip() for line in entry.strip().splitlines())
        path = name.partition(":")[0]
        lines = [line.strip() for line in (SOURCE / path).read_text().splitlines()]
        ends = [end for end in range(len(code), len(lines) + 1) if lines[end - len(code) : end] == code]
        if not code or len(ends) != 1:
            raise SystemExit(
                f"FAILED {EXPLAINED.name}: the code of {name!r} stands {len(ends)} times in its file, not once"
            )
        explained.add((name, ends[0]))
    return explained


def named(mutant: str) -> tuple[str, int]:
    """The name without place, and the line, of a mutant such as "src/layout/mod.rs:67:47: replace == with !="."""
    path, line, _, change = mutant.split(":", 3)
    return f"{path}:{change}", int(line)


def judge(room: str, count: int, seed: str, explained: set[tuple[str, int]]) -> tuple[int, int]:
    """Runs the tests of a room with each mutant, and returns the numbers of those that were seen and not seen."""
    output = WORK / room.replace("/", "-")
    output.mkdir(parents=True, exist_ok=True)
    tree = copied(room)
    mutants = drawn(tree, room, count, seed)
    config = output / "mutants.toml"
    wanted = json.dumps([f"^{re.escape(mutant)}$" for mutant in mutants])
    config.write_text(f"examine_re = {wanted}\n")
    command = ["cargo", "mutants", "--config", str(config), "--file", f"src/{room}/**", "--output", str(output)]
    command += ["--in-place", "--no-times", "--colors", "never", "--minimum-test-timeout", "120"]
    # Arguments after `--` would limit what runs, but not what is compiled.
    command += [f"--cargo-arg={argument}" for argument in ("--lib", *ROOMS[room])]
    with (output / "log").open("w") as log:
        done = subprocess.run(
            [*command, "--", "--", "--skip", SKIPPED],
            cwd=tree,
            env={**ENVIRONMENT, "CARGO_TARGET_DIR": str(output / "cargo")},
            stdout=log,
            stderr=log,
        )
    # 2: some were missed; 3: some ended by the time limit, which sees them, too.
    if done.returncode not in (0, 2, 3):
        raise SystemExit(f"FAILED {room}: cargo mutants ends with {done.returncode}; {output / 'log'}")
    outcome = {
        name: (output / "mutants.out" / f"{name}.txt").read_text().splitlines()
        for name in ("caught", "missed", "timeout", "unviable")
    }
    missed = [mutant for mutant in outcome["missed"] if named(mutant) not in explained]
    for mutant in missed:
        print(f"FAILED {mutant}: no test sees it")
    seen = len(outcome["caught"]) + len(outcome["timeout"])
    print(
        f"{room}: {seen} seen, {len(missed)} not seen, {len(outcome['missed']) - len(missed)} explained, "
        f"{len(outcome['unviable'])} do not compile",
        flush=True,
    )
    return seen, len(missed)


def main(count: int, seed: str, rooms: list[str]) -> int:
    print(f"seed {seed}", flush=True)
    explained = explained_mutants()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(lambda room: judge(room, count, seed, explained), rooms))
    seen, missed = (sum(numbers) for numbers in zip(*found))
    print(f"{seen} passed, {missed} failed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:] or list(ROOMS)))
