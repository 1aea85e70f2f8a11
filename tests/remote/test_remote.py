"""Files on a web server of our own: requests and bytes, faults, access to other files, threads and forks.

Usage: test_remote.py FOLDER, which gets the files. ASDFKIT_REMOTE_LIBRARY names the library under test.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

import asdfkit
import numpy as np
from server import Server

SIDE, TILE = 4096, 64
MIB = 1 << 20
folder = Path(sys.argv[1])
server = Server()
remote = ctypes.CDLL(os.environ["ASDFKIT_REMOTE_LIBRARY"])
numbers = np.arange(SIDE * SIDE, dtype=np.float32).reshape(SIDE, SIDE)
checks: list = []


def check(function):
    checks.append(function)
    return function


def make_files() -> None:
    asdfkit.write(folder / "image.asdf", {"data": numbers, "name": "large"})
    asdfkit.write(folder / "small.asdf", {"data": numbers[:10, :10].copy(), "name": "small"})
    zlib = np.arange(3_000_000, dtype=np.int32)
    asdfkit.write(folder / "zlib.asdf", {"data": zlib}, compression="zlib")
    several = asdfkit.new({f"a{number}": numbers[:256].copy() for number in range(5)})
    several.write(folder / "several.asdf")
    columns = asdfkit.Table({"a": np.arange(1_000_000.0), "b": np.arange(1_000_000, dtype=np.int32)})
    asdfkit.write(folder / "table.asdf", {"t": columns})
    tree = "#ASDF 1.0.0\n%YAML 1.1\n--- \nlist:\n" + "".join(f"- {n}\n" for n in range(400_000)) + "...\n"
    (folder / "tree.asdf").write_text(tree)
    for name in ("image", "small", "zlib", "several", "table", "tree"):
        server.files[f"{name}.asdf"] = (folder / f"{name}.asdf").read_bytes()
    server.files["empty.asdf"] = b""
    server.files["near.asdf"] = b"#ASDF 1.0.0\n%YAML 1.1\n--- \nname: {$ref: 'small.asdf#/name'}\n...\n"
    for name, source in (("external", "small.asdf"), ("far", "../private/small.asdf"), ("file", "file:///etc/passwd")):
        server.files[f"{name}.asdf"] = external(source).encode()


def external(source: str) -> str:
    """A file with an array whose elements are in another one."""
    array = f"!core/ndarray-1.0.0 {{source: '{source}', datatype: float32, byteorder: little, shape: [10, 10]}}"
    return f"#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- \ndata: {array}\n...\n"


def opened(path: str, login: str = "", **options):
    return asdfkit.open(server.url(path, login), **options)


def tile(file, row: int, column: int = 2000):
    found = file["data"][row : row + TILE, column : column + TILE]
    assert (np.asarray(found) == numbers[row : row + TILE, column : column + TILE]).all()


def fails(kind, call, *parts: str, status: str | None = None) -> None:
    try:
        call()
    except asdfkit.AsdfError as error:
        assert isinstance(error, kind), repr(error)
        for part in parts:
            assert part in str(error), f"{part!r} is not in {error}"
        assert status is None or status in repr(error.status), error.status
        assert "pass word" not in str(error) and "secret" not in str(error)
        return
    raise AssertionError("the call succeeded")


@check
def two_requests_open_a_file_and_one_reads_a_tile():
    server.clear()
    with opened("ok/image.asdf") as file:
        assert file["name"] == "large"
        size = len(server.files["image.asdf"])
        assert [(at, count) for _, at, count in server.requests] == [(0, MIB), (size - 65536, 65536)]
        before = server.sent
        tile(file, 3000)
        assert len(server.requests) == 3 and server.sent - before < 3 * MIB
        assert file.transfers.bytes == sum(count for _, _, count in server.requests)
        assert 1 < file.transfers.requests <= 3
        # The first request has this tile.
        tile(file, 0)
        assert len(server.requests) == 3


@check
def a_small_file_takes_one_request():
    server.clear()
    with opened("ok/small.asdf") as file:
        assert (np.asarray(file["data"]) == numbers[:10, :10]).all()
    assert len(server.requests) == 1


@check
def a_long_tree_takes_a_request_for_each_doubling():
    server.clear()
    with opened("ok/tree.asdf") as file:
        assert file["list"][399_999] == 399_999
    assert len(server.requests) <= 4, server.requests


@check
def all_elements_arrive():
    for place in ("ok/image", "ok/zlib", "together/image"):
        server.clear()
        with opened(f"{place}.asdf") as file, asdfkit.open(folder / f"{place.split('/')[1]}.asdf") as local:
            assert (np.asarray(file["data"]) == np.asarray(local["data"])).all()
    assert server.most_together > 1


@check
def headers_of_blocks_are_read_together():
    server.clear()
    with opened("ok/several.asdf") as file:
        assert (np.asarray(file["a4"]) == numbers[:256]).all()
        assert len(server.requests) <= 5, server.requests


@check
def statuses():
    fails(asdfkit.errors.MissingFileError, lambda: opened("ok/missing.asdf"), "missing.asdf")
    denied = asdfkit.errors.DeniedError
    fails(denied, lambda: opened("private/small.asdf"), "127.0.0.1")
    fails(denied, lambda: opened("private/small.asdf", "user:wrong@"))
    fails(denied, lambda: opened("signed/small.asdf?key=wrong"))
    with opened("private/small.asdf", "user:pass%20word@") as file:
        assert "pass" not in str(file.name)
    with opened("private/small.asdf", remote_settings="header.Authorization=Bearer token") as file:
        assert file["name"] == "small"
    with opened("signed/small.asdf?key=secret") as file:
        assert "secret" not in str(file.name)
    fails(asdfkit.errors.FormatError, lambda: opened("ok/empty.asdf"))


@check
def faults_that_pass():
    for fault in ("cutonce", "twice500", "busy"):
        server.clear()
        with opened(f"{fault}/image.asdf") as file:
            tile(file, 3000)
        assert len(server.requests) > 3, fault


@check
def faults_that_stay():
    quick = {"remote_settings": "retries=1\nstall_seconds=0.5"}
    fails(asdfkit.errors.FileError, lambda: opened("always500/image.asdf", **quick), "500")
    fails(asdfkit.errors.FileError, lambda: opened("cut/image.asdf", **quick))
    for fault in ("short", "shifted", "stalled"):
        begin = time.monotonic()
        fails(asdfkit.errors.FileError, lambda fault=fault: opened(f"{fault}/image.asdf", **quick))
        assert time.monotonic() - begin < 5, fault
    slow = "call_seconds=0.4"
    with opened("slow/image.asdf", remote_settings="call_seconds=5") as file:
        tile(file, 3000)
    fails(asdfkit.errors.FileError, lambda: tile(opened("slow/image.asdf", remote_settings=slow), 3000), "time limit")
    with opened("ok/image.asdf") as file:
        tile(file, 3000)


@check
def a_server_without_ranges():
    with opened("norange/small.asdf") as file:
        assert (np.asarray(file["data"]) == numbers[:10, :10]).all()
    fails(
        asdfkit.AsdfError, lambda: opened("norange/image.asdf"), "ignores ranges", "whole_bytes", status="UNSUPPORTED"
    )
    with opened("norange/image.asdf", remote_settings="whole_bytes=100000000") as file:
        tile(file, 3000)


@check
def an_object_that_is_replaced():
    for fault in ("ok", "weak", "unmarked", "careless"):
        server.version = 1
        with opened(f"{fault}/image.asdf") as file:
            tile(file, 2000)
            server.version = 2
            try:
                fails(asdfkit.errors.FileError, lambda file=file: tile(file, 3000), "replaced", status="CHANGED")
            finally:
                server.version = 1


@check
def a_cache_of_blocks():
    with opened("ok/image.asdf", remote_settings="cache_bytes=20000000") as file:
        tile(file, 3000)
        server.clear()
        tile(file, 3000)
        tile(file, 3001, 1990)
        assert len(server.requests) == 0, server.requests
    # Many ranges that are far from each other, some in one block, some in neighbours.
    for step in (3, 40, 700):
        with opened("ok/image.asdf", remote_settings="cache_bytes=300000") as file:
            part = np.asarray(file["data"][1000:4000:step, 7:40:16])
            assert (part == numbers[1000:4000:step, 7:40:16]).all(), step


@check
def a_cache_on_disk():
    cache = folder / "cache"
    settings = f"cache_directory={cache}\ncache_disk_bytes=100000000"

    def blocks() -> list[Path]:
        return sorted(path for path in cache.rglob("*") if path.is_file())

    def whole() -> bool:
        with opened("ok/image.asdf", remote_settings=settings) as file:
            tile(file, 3000)
            return bool((np.asarray(file["data"]) == numbers).all())

    assert whole() and len(blocks()) >= 250
    assert all(path.stat().st_mode & 0o77 == 0 for path in blocks())
    # Another program needs the request that tells the version, and nothing else.
    server.clear()
    code = f"import asdfkit, sys; print(asdfkit.open(sys.argv[1], remote_settings={settings!r})['data'][3000, 5])"
    found = subprocess.run([sys.executable, "-c", code, server.url("ok/image.asdf")], capture_output=True, text=True)
    assert found.stdout.strip() == str(numbers[3000, 5]), found
    assert len(server.requests) == 1, server.requests
    server.clear()
    assert whole() and len(server.requests) == 1, server.requests
    # Damaged blocks are fetched again.
    for number, path in enumerate(blocks()):
        content = bytearray(path.read_bytes())
        content[(number * 997) % len(content)] ^= 1
        path.write_bytes(content if number % 3 else content[:-5])
    server.clear()
    assert whole() and len(server.requests) > 5
    server.clear()
    assert whole() and len(server.requests) == 1
    # Blocks of another version are not taken.
    server.version = 2
    try:
        server.clear()
        assert whole() and len(server.requests) > 5
    finally:
        server.version = 1
    # The budget holds with several programs that write the same blocks.
    small = f"cache_directory={cache}\ncache_disk_bytes=8000000"
    code = f"import asdfkit, sys; print(asdfkit.open(sys.argv[1], remote_settings={small!r})['data'][...].sum())"
    command = [sys.executable, "-c", code, server.url("ok/image.asdf")]
    programs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert len({program.communicate()[0] for program in programs}) == 1
    assert all(program.returncode == 0 for program in programs)
    assert sum(path.stat().st_size for path in blocks()) <= 8_000_000 + 3 * 800_000
    (folder / "none").write_text("a file")
    wrong = f"cache_directory={folder / 'none'}"
    fails(asdfkit.AsdfError, lambda: opened("ok/image.asdf", remote_settings=wrong), "cannot be used")
    # A version that is not certain is not kept.
    empty = f"cache_directory={folder / 'empty'}"
    for fault in ("weak", "unmarked"):
        with opened(f"{fault}/image.asdf", remote_settings=empty) as file:
            tile(file, 3000)
    assert not any(path.is_file() for path in (folder / "empty").rglob("*"))


@check
def other_files_by_url():
    def elements(file) -> bool:
        return bool((np.asarray(file["data"]) == numbers[:10, :10]).all())

    near = {"access": "same_directory"}
    fails(asdfkit.AsdfError, lambda: elements(opened("ok/external.asdf")), "access", status="EXTERNAL_REFERENCE")
    with opened("ok/near.asdf", **near) as file:
        assert file["name"] == "small"
    assert elements(opened("ok/external.asdf", **near))
    for name in ("far", "file"):
        fails(asdfkit.AsdfError, lambda name=name: elements(opened(f"ok/{name}.asdf", **near)), status="ACCESS_DENIED")
    login = {"remote_settings": "header.Authorization=Bearer token"}
    assert elements(opened("ok/far.asdf", directories=[server.url("private")], **login))
    # A file on the disk may name one on a server only if the directory is allowed.
    local = folder / "local.asdf"
    local.write_text(external(server.url("ok/small.asdf")))
    fails(asdfkit.AsdfError, lambda: elements(asdfkit.open(local, **near)), status="ACCESS_DENIED")
    assert elements(asdfkit.open(local, directories=[server.url("ok")]))
    for outside in ("ok2", "ok/small.asdf/x", "private"):
        call = lambda outside=outside: elements(asdfkit.open(local, directories=[server.url(outside)]))
        fails(asdfkit.AsdfError, call, status="ACCESS_DENIED")
    for source in ("ok%2F..%2Fok/small.asdf", "ok/%2e%2e/private/small.asdf"):
        local.write_text(external(server.url(source)))
        call = lambda: elements(asdfkit.open(local, directories=[server.url("ok")]))
        fails(asdfkit.AsdfError, call, status="ACCESS_DENIED")


@check
def bad_arguments():
    fails(asdfkit.errors.UsageError, lambda: opened("ok/small.asdf", remote_settings="secret"), "line 1")
    fails(asdfkit.errors.UsageError, lambda: opened("ok/small.asdf", remote_settings="colour=red"), "colour")
    fails(asdfkit.errors.UsageError, lambda: asdfkit.open("http://[::bad/x"), "URL")
    fails(asdfkit.AsdfError, lambda: opened("ok/small.asdf", remote="/nonexistent.so"), "make install-remote")
    fails(asdfkit.AsdfError, lambda: asdfkit.open(server.url("ok/small.asdf"), "r+"), "read only")
    fails(asdfkit.errors.FileError, lambda: asdfkit.open("http://127.0.0.1:9/x", remote_settings="retries=0"))


@check
def threads_and_forks():
    with opened("ok/image.asdf") as file:
        failures: list[BaseException] = []

        def read(number: int) -> None:
            try:
                for row in range(1000 + number, 4000, 900):
                    tile(file, row)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures, failures
        child = os.fork()
        if child == 0:
            try:
                tile(file, 3500)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        _, status = os.waitpid(child, 0)
        assert status == 0
        tile(file, 3600)


@check
def statistics():
    requests, size, cached = ctypes.c_int64(), ctypes.c_int64(), ctypes.c_int64()
    assert remote.asdf_remote_statistics(ctypes.byref(requests), ctypes.byref(size), ctypes.byref(cached)) == 0
    assert requests.value > 50 and size.value > 100 * MIB and cached.value > 0
    message = ctypes.create_string_buffer(10)
    assert remote.asdf_remote_message(message, 10, None) in (0, 106)
    assert remote.asdf_remote_abi() == 1
    assert remote.asdf_remote_connect(None, None, None, None, None, None, None) == 102


MEMORY = """
import sys, numpy as np, asdfkit
def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1024
asdfkit.open(sys.argv[2])["data"][:2]
before = peak()
asked = 0
with asdfkit.open(sys.argv[1], remote_settings=sys.argv[4]) as file:
    if sys.argv[3] == "tiles":
        for row in range(0, 4000, 70):
            file["data"][row:row + 64, 2000:2064]
    elif sys.argv[3] == "table":
        asked = sum(column.nbytes for column in file.table("t", first_row=1000, row_count=500_000).values())
    else:
        asked = file["data"][...].nbytes
print(peak() - before, asked / 2**20)
"""


@check
def memory():
    on_disk = f"cache_directory={folder / 'peak'}"
    cases = [("tiles", "image", ""), ("whole", "image", ""), ("compressed", "zlib", ""), ("table", "table", "")]
    cases += [(f"{what}, {when} cache", "image", on_disk) for what in ("whole", "tiles") for when in ("empty", "full")]
    for what, name, settings in cases:
        urls = (server.url(f"ok/{name}.asdf"), server.url("ok/small.asdf"))
        command = [sys.executable, "-c", MEMORY, *urls, what.split(",")[0], settings]
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        grown, asked = map(float, found.split())
        print(f"peak memory of {what}: {grown:.1f} MiB above that before, for {asked:.1f} MiB of elements")
        assert grown <= asked + 16, (what, grown, asked)


@check
def the_command():
    command = Path(os.environ["ASDFKIT_PREFIX"]) / "bin" / "asdfkit"
    if not command.exists():
        return
    run = lambda *arguments: subprocess.run([command, *arguments], capture_output=True, text=True)
    found = run("info", server.url("ok/small.asdf"))
    assert found.returncode == 0 and "small" in found.stdout, found.stderr
    found = run("get", server.url("ok/near.asdf"), "name")
    assert found.stdout.strip().strip('"') == "small", found
    found = run("info", server.url("ok/missing.asdf", "user:secret@"))
    assert found.returncode != 0 and "missing.asdf" in found.stderr and "secret" not in found.stderr, found.stderr


@check
def the_c_interface():
    found = subprocess.run(
        [os.environ["ASDFKIT_TEST_REMOTE"], server.url("ok/small.asdf")], capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr


if __name__ == "__main__":
    make_files()
    failed = 0
    for function in checks:
        try:
            begin = time.monotonic()
            function()
            print(f"{function.__name__}: ok ({time.monotonic() - begin:.1f} s)")
        except Exception:
            failed += 1
            print(f"{function.__name__}: failed")
            traceback.print_exc(file=sys.stdout)
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(failed > 0)
