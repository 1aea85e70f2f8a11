"""Threads, processes, leaks and the end of the interpreter."""

import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import asdfkit


def total(array) -> float:
    return float(np.sum(array[...]))


def row(argument):
    file, index = argument
    return file["data"][index].tolist()


def test_threads_read_one_file(image):
    with asdfkit.open(image) as file:

        def work(number):
            for _ in range(50):
                assert file["meta/exposure/time"] == 139.8
                assert file["data"][number % 6, 3] == number % 6 * 8 + 3
                assert total(file["packed"]) == 47 * 24
                with pytest.raises(KeyError):
                    file[f"missing{number}"]
            return number

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            assert list(pool.map(work, range(8))) == list(range(8))


def test_errors_belong_to_their_thread(image):
    with asdfkit.open(image) as file:
        messages = {}

        def work(number):
            for _ in range(200):
                try:
                    file[f"missing{number}"]
                except KeyError as problem:
                    messages.setdefault(number, set()).add(str(problem))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert all(len(texts) == 1 and f"missing{number}'" in str(texts) for number, texts in messages.items())
        assert len(messages) == 8


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes(image, method):
    with asdfkit.open(image) as file, multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(total, [file["data"], file["packed"], file["records"].field("flux")]) == [1128, 1128, 7]
        assert pool.map(row, [(file, 0), (file, 5)]) == [list(range(8)), list(range(40, 48))]


def test_pickles(image, tmp_path):
    with asdfkit.open(image, verify_checksums=True) as file:
        assert pickle.loads(pickle.dumps(file["meta"]))["exposure/time"] == 139.8
        assert pickle.loads(pickle.dumps(file)).name == os.fspath(image)
        with pytest.raises(TypeError):
            pickle.dumps(file.blocks[0]._file)
    with asdfkit.open(image.read_bytes()) as memory, pytest.raises(TypeError, match="by name"):
        pickle.dumps(memory["data"])
    with asdfkit.open(image, "r+") as changed, pytest.raises(TypeError, match="by name"):
        pickle.dumps(changed["meta"])
    with pytest.raises(TypeError):
        pickle.dumps(asdfkit.new())


def test_child_of_a_fork_cannot_save(image):
    with asdfkit.open(image, "r+") as file:
        child = os.fork()
        if child == 0:
            try:
                file["x"] = 1
                file.save()
                os._exit(1)
            except asdfkit.AsdfError as problem:
                os._exit(0 if problem.status == asdfkit.constants.Status.FORKED else 2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        file["x"] = 2
        file.save()
    with asdfkit.open(image) as file:
        assert file["x"] == 2


def memory() -> int:
    """Resident memory in KiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def read_all(image, content: bytes) -> None:
    with asdfkit.open(image) as file:
        assert file["meta"]["exposure"]["time"] == 139.8
        file["data"].read(slice(1, 4), dtype="f8")
        file["packed"].view if len(file) == 0 else file["packed"][2, ::-1]
        view = file["data"].view()
        with pytest.raises(KeyError):
            file["missing"]
    assert view[5, 7] == 47
    with asdfkit.open(content, progress=lambda done, all: None) as file:
        file["records"]["flux"][...]
        list(file.items())


def test_memory_stays_constant(image, repeats):
    content = image.read_bytes()
    for _ in range(300):
        read_all(image, content)
    gc.collect()
    before = memory()
    for _ in range(repeats):
        read_all(image, content)
    gc.collect()
    assert memory() - before < 2048
    assert len(os.listdir("/proc/self/fd")) < 64


def test_writing_leaks_nothing(tmp_path, repeats):
    def write():
        file = asdfkit.new()
        file["a"] = np.ones((100, 100))
        file["meta"] = {"list": [1, "two", {"three": 3.0}]}
        file["t"] = asdfkit.Quantity(np.arange(10), "m")
        assert len(file.to_bytes()) > 80000
        with pytest.raises(TypeError):
            file["b"] = object()

    [write() for _ in range(100)]
    before = memory()
    [write() for _ in range(max(repeats // 20, 50))]
    assert memory() - before < 2048


INTERRUPT = """
import asdfkit, numpy, os, signal, threading
values = numpy.random.default_rng(1).integers(0, 1000, 10_000_000).astype("f8")
file = asdfkit.new()
file.set("x", values, compression="bzp2")
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    file.write("out.asdf")
except KeyboardInterrupt:
    # No file is left: the call was cancelled, not only followed by the exception.
    print(os.listdir("."), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_keyboard_interrupt_ends_a_long_call(tmp_path):
    command = [sys.executable, "-c", INTERRUPT]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (result.stdout, result.stderr) == ("[] True\n", "")


END = """
import asdfkit, sys, threading, io, numpy
file = asdfkit.open(sys.argv[1])
data, meta, view = file["data"], file["meta"], file["data"].view()
class Source(io.BytesIO):
    pass
class Reader:
    def __init__(self): self.file = open(sys.argv[1], "rb")
    def seek(self, *a): return self.file.seek(*a)
    def read(self, n): return self.file.read(n)
other = asdfkit.open(Reader()); part = other["data"]
new = asdfkit.new(); new["x"] = numpy.ones(3)
lent = asdfkit.open(open(sys.argv[1], "rb").read())
cycle = [file, data, part]; cycle.append(cycle)
def work():
    while True: data[0]
threading.Thread(target=work, daemon=True).start()
print(view[0, 1])
"""


def test_end_of_the_interpreter_with_open_handles(image):
    result = subprocess.run([sys.executable, "-c", END, str(image)], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "1.0\n", "")
