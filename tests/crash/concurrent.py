"""concurrent.py SAVES: processes that read and save one file at the same time.

Each read must give one version or ASDF_ERR_FILE_CHANGED, and never an older version than before. Of two processes
that save, none may undo the saves of the other.
"""

import os
import sys
import time
import traceback
from pathlib import Path

import numbered

SIZE = 1 << 18
REFUSED = ("ASDF_ERR_FILE_CHANGED", "ASDF_ERR_LOCKED")


def in_process(work) -> int:
    """Runs a function in a process of its own. The exit status is 1 if it fails."""
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    return process


def is_good(process: int) -> bool:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def save_next(path: Path, arrays: bool, mode: int) -> int:
    """Saves the next number. Returns it, or 0 if another process prevents the save."""
    try:
        file = numbered.open_for_update(path)
        root = file.root()
        number = root.get("number").integer() + 1
        numbered.set_numbers(root, number)
        if arrays:
            for name in "ab":
                root.set_array(name, numbered.elements(number, SIZE // 2))
        numbered.save(file, False, mode)
        numbered.kit.call("asdf_file_close", file)
    except numbered.kit.Error as error:
        if error.status in REFUSED:
            return 0
        raise
    return number


def readers_and_saver(path: Path, saves: int, arrays: bool, mode: int) -> bool:
    numbered.new(numbered.FIRST, SIZE).write(path)
    end, stop = os.pipe()
    os.set_blocking(end, False)

    def read() -> None:
        read, changed, last = 0, 0, numbered.FIRST
        is_saved = False
        while not is_saved:
            try:
                os.read(end, 1)
                is_saved = True  # the other process is closed, so the file no longer changes
            except BlockingIOError:
                pass
            try:
                number = numbered.read(path, fixed=not arrays)
            except numbered.kit.Error as error:
                if error.status != "ASDF_ERR_FILE_CHANGED" or is_saved:
                    raise
                changed += 1
                continue
            if number < last:
                raise numbered.Mixed(f"{number} was read after {last}")
            read, last = read + 1, number
        print(
            f"  a reader read {read} times, up to number {last - numbered.FIRST}; the file changed {changed} times",
            flush=True,
        )
        if last != numbered.FIRST + saves:
            raise numbered.Mixed("what was saved last is not what was read last")

    def start_reader() -> None:
        os.close(stop)
        read()

    readers = [in_process(start_reader) for _ in range(2)]

    def save() -> None:
        for number in range(saves):
            if save_next(path, arrays, mode) != numbered.FIRST + number + 1:
                raise numbered.Mixed("a save was lost, or refused without another process that saves")

    good = is_good(in_process(save))
    os.close(stop)
    good = all([is_good(reader) for reader in readers]) and good
    os.close(end)
    return good and numbered.read(path, fixed=not arrays) == numbered.FIRST + saves


def two_savers(path: Path, saves: int, arrays: bool, mode: int) -> bool:
    numbered.new(numbered.FIRST, SIZE).write(path)

    def save() -> None:
        saved, refused = 0, 0
        while saved < saves:
            if save_next(path, arrays, mode):
                saved += 1
            else:
                refused += 1
                time.sleep(0.0005)
        print(f"  a saver saved {saved} times and was refused {refused} times", flush=True)

    processes = [in_process(save), in_process(save)]
    good = all([is_good(process) for process in processes])
    number = numbered.read(path, fixed=not arrays) - numbered.FIRST
    if number != 2 * saves:
        print(f"  {2 * saves} times it was saved, but {number} times it counted")
        return False
    return good


def main() -> int:
    saves = int(sys.argv[1])
    path = Path("numbered.asdf")
    failed = passed = 0
    for what in (readers_and_saver, two_savers):
        for kind, arrays, mode in (("whole", True, numbered.WHOLE), ("in place", False, numbered.IN_PLACE)):
            name = f"{what.__name__}, {kind}"
            print(f"{name}:")
            start = time.monotonic()
            if what(path, saves, arrays, mode):
                passed += 1
            else:
                failed += 1
                print(f"FAILED {name}")
            print(f"  {time.monotonic() - start:.1f} s", flush=True)
            for entry in path.parent.iterdir():
                entry.unlink()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
