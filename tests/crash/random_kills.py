"""random_kills.py COUNT [OPERATION ...]: ends processes at random moments while they save files of 16 MiB.

Our reader must find the number from before or after the save in each file. Python asdf must, too, where a new file
replaces the old one. Elsewhere the results of Python asdf before a repair are counted.
"""

import collections
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numbered

SIZE = 16 << 20
ROOM = 1 << 16  # after the tree
PYTHON_READS_EVERY = 10


class Operation:
    """Changes a file of one number to the next number. With `fixed`, the first arrays stay."""

    fixed = False
    in_place = False

    def prepare(self, path: Path, number: int, durable: bool) -> Callable[[], None]:
        """Does everything that does not touch the file. The returned function does the rest."""
        raise NotImplementedError


class WriteOver(Operation):
    def prepare(self, path: Path, number: int, durable: bool) -> Callable[[], None]:
        options = numbered.kit.Options(durable=int(durable), replace=1)
        file = numbered.new(number, SIZE)
        return lambda: numbered.kit.call("asdf_file_write", file, os.fsencode(path), options)


class Save(Operation):
    def prepare(self, path: Path, number: int, durable: bool) -> Callable[[], None]:
        file = numbered.open_for_update(path)
        root = file.root()
        numbered.set_numbers(root, number)
        for name in "ab":
            root.set_array(name, numbered.elements(number, SIZE // 2))
        return lambda: numbered.save(file, durable)


class SaveInPlace(Operation):
    """Changes the tree only, within its room."""

    fixed = True
    in_place = True

    def prepare(self, path: Path, number: int, durable: bool) -> Callable[[], None]:
        file = numbered.open_for_update(path)
        numbered.set_numbers(file.root(), number)
        return lambda: numbered.save(file, durable, numbered.IN_PLACE)


class Append(Operation):
    """Changes the tree and adds an array after the last block. From time to time it begins with a new file."""

    fixed = True
    in_place = True

    def prepare(self, path: Path, number: int, durable: bool) -> Callable[[], None]:
        file = numbered.open_for_update(path)
        root = file.root()
        count = root.get("arrays").integer()
        root.set_array(str(number), numbered.elements(number, 1 << 20))
        root.set("i64", "arrays", count + 1)
        numbered.set_numbers(root, number)
        return lambda: numbered.save(file, durable, numbered.IN_PLACE)


class Stream(Operation):
    """Overwrites the file by rows of 64 KiB."""

    def prepare(self, path: Path, number: int, durable: bool) -> Callable[[], None]:
        file = numbered.new(number, 1 << 20)
        rows = numbered.elements(number, 1 << 16)
        return lambda: numbered.stream(file, path, "a", rows, SIZE // rows.nbytes, durable)


OPERATIONS = {"write": WriteOver(), "save": Save(), "in place": SaveInPlace(), "append": Append(), "stream": Stream()}
APPENDED = 20  # arrays; then the file begins anew


def run_and_kill(operation: Operation, path: Path, number: int, durable: bool, seconds: float | None) -> float:
    """Applies an operation in a process that is killed after this time. Returns the time that it lived."""
    ready, tell = os.pipe()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            run = operation.prepare(path, number, durable)
            os.write(tell, b"x")
            run()
            status = 0
        except BaseException as error:  # the process is a copy of this one and must not continue
            print(f"FAILED: {error}", flush=True)
        finally:
            os._exit(status)
    os.close(tell)
    os.read(ready, 1)
    os.close(ready)
    start = time.monotonic()
    if seconds is not None:
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        raise SystemExit("an operation failed that nobody disturbed")
    return time.monotonic() - start


def torture(name: str, operation: Operation, count: int, path: Path) -> int:
    """Returns the number of faults."""
    found = collections.Counter()
    foreign = collections.Counter()
    numbered.new(numbered.FIRST, SIZE).write(path, tree_slack=ROOM)
    number, wrong = numbered.FIRST, 0
    seconds = {}
    for durable in (False, True):
        times = []
        for _ in range(3):
            number += 1
            times.append(run_and_kill(operation, path, number, durable, None))
        seconds[durable] = max(times)
    for attempt in range(count):
        durable = attempt % 2 == 1
        run_and_kill(operation, path, number + 1, durable, random.uniform(0, 1.1 * seconds[durable]))
        if operation.in_place or attempt % PYTHON_READS_EVERY == 0:
            try:
                read = numbered.read_by_python(path, operation.fixed)
                foreign["old" if read == number else "new" if read == number + 1 else "another"] += 1
            except numbered.Mixed:
                foreign["mixed"] += 1
            except Exception as error:
                foreign[f"error: {type(error).__name__}"] += 1
        try:
            read = numbered.read(path, operation.fixed)
            if read not in (number, number + 1):
                raise numbered.Mixed(f"{path} says {read} after {number}")
            found["old" if read == number else "new"] += 1
        except (numbered.Mixed, numbered.kit.Error) as error:
            print(f"FAILED {name}: {error}", flush=True)
            found["wrong"] += 1
            wrong += 1
            read = numbered.FIRST
            numbered.new(read, SIZE).write(path, tree_slack=ROOM)
        number = read
        if isinstance(operation, Append) and attempt % APPENDED == APPENDED - 1:
            number = numbered.FIRST
            numbered.new(number, SIZE).write(path, tree_slack=ROOM)
        for temporary in path.parent.glob(f".{path.name}.*.asdf-tmp"):
            found["temporary files"] += 1
            temporary.unlink()
    if not operation.in_place:
        wrong += sum(times for outcome, times in foreign.items() if outcome not in ("old", "new"))
    print(f"{name}: {count} kills: {dict(found)}; Python asdf: {dict(foreign)}", flush=True)
    if operation.in_place:  # remains of the last kill
        numbered.kit.call("asdf_file_close", numbered.open_for_update(path))
    left = sorted(entry.name for entry in path.parent.iterdir() if entry != path)
    if left:
        print(f"FAILED {name}: left behind: {left}")
        wrong += 1
    for entry in path.parent.iterdir():
        entry.unlink()
    return wrong


def main() -> int:
    count = int(sys.argv[1])
    seed = int(os.environ.get("ASDFKIT_CRASH_SEED", time.time_ns() % 10**9))
    print(f"seed {seed}")
    random.seed(seed)
    path = Path("numbered.asdf")
    wrong = 0
    names = sys.argv[2:] or list(OPERATIONS)
    for name in names:
        wrong += torture(name, OPERATIONS[name], count, path)
    print(f"{count * len(names) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
