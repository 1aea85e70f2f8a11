"""growth_kills.py KILLS [KIND...]: ends processes at random moments while they append steps to an array and save each.

The file must have all steps whose save returned, or one more that is whole. Our reader, Python asdf and the next
opening for update must find it so. A process that reads meanwhile finds the saved steps, too.
"""

import collections
import os
import random
import signal
import sys
import time
from pathlib import Path

import asdf
import numbered
import numpy as np

kit = numbered.kit
COLUMNS = 20_000  # a step of 80 kB
MOST_STEPS = 60  # then the file begins anew
PYTHON_READS_EVERY = 5
KINDS = ("last block", "streamed block", "chunks", "packed chunks", "zarr chunks")


def step(number: int) -> np.ndarray:
    return np.arange(number, number + COLUMNS, dtype="uint32").reshape(1, COLUMNS)


def make(path: Path, kind: str) -> None:
    """Writes a file with another array and a first step."""
    file = kit.File.new()
    root = file.root()
    root.set_array("other", numbered.elements(7, 400_000))
    settings = {}
    if kind == "streamed block":
        settings["storage"] = kit.STORAGES["streamed"]
    if "chunks" in kind:
        settings["chunks"] = [1 if kind == "chunks" else 3, COLUMNS // 2]
    if "packed" in kind:
        settings["codec"] = b"zlib"
    if "zarr" in kind:
        settings["chunk_codec"] = b"gzip"
    root.set_array("steps", step(0), **settings)
    file.write(path)
    kit.call("asdf_file_close", file)


def append_steps(path: Path, tell: int, durable: bool) -> None:
    """Appends steps without an end, and tells the number of each that was saved."""
    file = numbered.open_for_update(path)
    array = file.root().array("steps")
    number = array.shape()[0]
    os.write(tell, number.to_bytes(4, "little"))
    options = kit.Options(durable=int(durable))
    while True:
        rows = step(number)
        kit.call(
            "asdf_array_append",
            array,
            kit.c_int64(1),
            kit.DATATYPES["uint32"],
            kit.c_void_p(rows.ctypes.data),
            kit.c_size_t(rows.nbytes),
            None,
        )
        kit.call("asdf_file_save", file, options)
        number += 1
        os.write(tell, number.to_bytes(4, "little"))


def check(found: np.ndarray, other: np.ndarray) -> int:
    """Returns the number of steps, after a check of all elements."""
    expected = np.concatenate([step(number) for number in range(len(found))])
    if not np.array_equal(found, expected) or not (other == 7).all():
        raise numbered.Mixed("elements are not those that were appended")
    return len(found)


def read(path: Path, for_update: bool = False) -> int:
    file = numbered.open_for_update(path) if for_update else kit.File.open(path)
    root = file.root()
    count = check(root.array("steps").read(), root.array("other").read())
    kit.call("asdf_file_close", file)
    return count


def read_by_python(path: Path) -> int:
    with asdf.open(path, memmap=False, lazy_load=False) as file:
        return check(np.asarray(file["steps"]), np.asarray(file["other"]))


def kill_once(path: Path, durable: bool, seconds: float) -> tuple[int, int]:
    """Lets a process append steps for this time. Returns the last number of steps that it told, and that which a reader
    found before the end.
    """
    listen, tell = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            append_steps(path, tell, durable)
        except BaseException as error:  # the process is a copy of this one and must not continue
            print(f"FAILED: {error}", flush=True)
        finally:
            os._exit(1)
    os.close(tell)
    told = os.read(listen, 4)
    time.sleep(seconds / 2)
    try:
        meanwhile = read(path)
    except kit.Error as error:
        if error.status != "ASDF_ERR_FILE_CHANGED":
            raise
        meanwhile = 0
    time.sleep(seconds / 2)
    os.kill(process, signal.SIGKILL)
    if not os.WIFSIGNALED(os.waitpid(process, 0)[1]):
        raise SystemExit("appending failed although nobody disturbed it")
    while more := os.read(listen, 1 << 16):
        told += more
    os.close(listen)
    return int.from_bytes(told[-4:], "little"), meanwhile


def torture(kind: str, kills: int, path: Path) -> int:
    """Returns the number of faults."""
    found: collections.Counter[str] = collections.Counter()
    make(path, kind)
    for attempt in range(kills):
        saved, meanwhile = kill_once(path, attempt % 2 == 1, random.uniform(0, 0.12))
        now = saved
        try:
            foreign = None
            # asdf-zarr, which reads chunks, is not part of this environment.
            if "chunks" not in kind and attempt % PYTHON_READS_EVERY == 0:
                foreign = read_by_python(path)
            now = read(path)
            again = read(path, for_update=True)
            good = now in (saved, saved + 1) and again == now and meanwhile <= now
            if not good or foreign not in (None, saved, now):
                raise numbered.Mixed(f"{saved} steps saved, {meanwhile}, {foreign}, {now}, {again} found")
            found["saved" if now == saved else "one more"] += 1
        except Exception as error:
            print(f"FAILED {kind}: {type(error).__name__}: {error}", flush=True)
            found["wrong"] += 1
        if found["wrong"] or now > MOST_STEPS:
            path.unlink()
            make(path, kind)
    path.unlink()
    left = sorted(entry.name for entry in path.parent.iterdir())
    if left:
        print(f"FAILED {kind}: left behind: {left}")
        found["wrong"] += 1
    print(f"{kind}: {kills} kills: {dict(found)}", flush=True)
    return found["wrong"]


def main() -> int:
    kills = int(sys.argv[1])
    seed = int(os.environ.get("ASDFKIT_CRASH_SEED", time.time_ns() % 10**9))
    print(f"seed {seed}")
    random.seed(seed)
    kinds = sys.argv[2:] or KINDS
    wrong = sum(torture(kind, kills, Path("growing.asdf")) for kind in kinds)
    print(f"{kills * len(kinds) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
