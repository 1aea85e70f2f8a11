"""Metadata of chunked arrays that lie: each must be a typed error, quickly and with little memory. `hostile.py FOLDER`.

Every file begins as a good one. A word in its tree, or a number in its map, is replaced.
"""

import resource
import sys
import time
from pathlib import Path

import asdfkit
import numpy as np
from asdfkit.errors import AsdfError

TAG = "!<asdf://asdf-format.org/zarr/tags/zarr-1.0.0>"
HEAD = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
HUGE = 1 << 63
#: What is said instead of `shape: [8, 8]`, `chunks: [4, 4]` and other parts.
CHANGES = [
    ("shape: [8, 8]", f"shape: [{HUGE - 1}, 8]"),
    ("shape: [8, 8]", f"shape: [{HUGE}, 8]"),
    ("shape: [8, 8]", f"shape: [{HUGE - 1}, {HUGE - 1}]"),
    ("shape: [8, 8]", "shape: [-8, 8]"),
    ("shape: [8, 8]", "shape: [8]"),
    ("shape: [8, 8]", "shape: [8, 8, 8]"),
    ("shape: [8, 8]", "shape: [9, 8]"),
    ("shape: [8, 8]", f"shape: [{', '.join(['2'] * 40)}]"),
    ("shape: [8, 8]", "shape: [*a, 8]"),
    ("chunks: [4, 4]", "chunks: [0, 4]"),
    ("chunks: [4, 4]", "chunks: [1, 1]"),
    ("chunks: [4, 4]", f"chunks: [{HUGE - 1}, {HUGE - 1}]"),
    ("chunks: [4, 4]", "chunks: [4]"),
    ("chunks: [4, 4]", "chunks: {a: 4}"),
    ("dtype: <i4", "dtype: <i3"),
    ("dtype: <i4", "dtype: <U4611686018427387904"),
    ("dtype: <i4", "dtype: '|O'"),
    ("dtype: <i4", "dtype: [[a, <i4], [a]]"),
    ("dtype: <i4", "dtype: <f8"),
    ("fill_value: 0", "fill_value: [1, 2, 3]"),
    ("fill_value: 0", "fill_value: text"),
    ("compressor: null", "compressor: {id: pcodec}"),
    ("compressor: null", "compressor: {id: zlib, level: 1}"),
    ("compressor: null", "compressor: 7"),
    ("filters: null", "filters: [{id: shuffle, elementsize: 3}]"),
    ("filters: null", "filters: [{id: delta, dtype: <i4, astype: <f4}]"),
    ("filters: null", "filters: [{id: delta}]"),
    ("order: C", "order: K"),
    ("zarr_format: 2", "zarr_format: 3"),
    ("zarr_format: 2", ""),
    ("map: 4", "map: 5"),
    ("map: 4", "map: -6"),
    ("map: 4", f"map: {HUGE - 1}"),
    ("map: 4", "map: 3"),
    ("map: 4", "map: text"),
]


def block(payload: bytes) -> bytes:
    sizes = b"".join(len(payload).to_bytes(8, "big") for _ in range(3))
    return b"\xd3BLK" + (48).to_bytes(2, "big") + bytes(8) + sizes + bytes(16) + payload


def good(numbers: list[int], change: tuple[str, str] = ("", "")) -> bytes:
    metadata = (
        "{chunks: [4, 4], compressor: null, dtype: <i4, fill_value: 0, filters: null, order: C, shape: [8, 8], "
        "zarr_format: 2}"
    )
    text = f"z: {TAG}\n  .zarray: {metadata}\n  chunk_block_map: 4\n".replace(*change) if change[0] else ""
    text = text or f"z: {TAG}\n  .zarray: {metadata}\n  chunk_block_map: 4\n"
    chunks = [np.full((4, 4), number, "<i4").tobytes() for number in range(4)]
    return HEAD + text.encode() + b"...\n" + b"".join(map(block, [*chunks, np.array(numbers, "<i4").tobytes()]))


def try_all(path: Path, what: str) -> None:
    """Every call ends with a typed error, or gives elements of the declared shape."""
    begin = time.monotonic()
    seen: set[str] = set()
    try:
        with asdfkit.open(path, access="same_directory") as file:
            array = file["z"]
            array[...]
            seen.add("read")
    except (AsdfError, OSError, ValueError, MemoryError) as problem:
        seen.add(type(problem).__name__)
    for change in (
        lambda file: file["z"].append(np.zeros((1, 8), "<i4")),
        lambda file: file["z"].resize((4, 4)),
        lambda file: file["z"].recompress("zlib"),
        lambda file: file["z"].__setitem__((slice(0, 1), slice(0, 1)), 7),
        lambda file: file.compact(),
        lambda file: file.verify(),
        lambda file: file.explode(str(path) + ".out", replace=True),
    ):
        try:
            with asdfkit.open(path, "r+", access="same_directory") as file:
                change(file)
        except (AsdfError, OSError, ValueError, IndexError, MemoryError):
            pass
    seconds = time.monotonic() - begin
    assert seconds < 5, f"{what}: {seconds:.1f} s"
    assert "read" not in seen or what.startswith("right"), f"{what} was read"


def main() -> int:
    folder = Path(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    path = folder / "x.asdf"
    path.write_bytes(good([0, 1, 2, 3]))
    with asdfkit.open(path) as file:
        assert file["z"][...].tolist() == np.kron([[0, 1], [2, 3]], np.ones((4, 4), int)).tolist()
    count = 0
    for old, new in CHANGES:
        assert old.encode() in good([0, 1, 2, 3]), old
        path.write_bytes(good([0, 1, 2, 3], (old, new)))
        try_all(path, f"{old} -> {new}")
        count += 1
    for numbers in ([0, 1, 2], [0, 1, 2, 3, 3], [0, 1, 2, 9], [0, 1, 2, -2], [0, 1, 2, -(2**31)], [], [0, 1, 2, 4]):
        path.write_bytes(good(numbers))
        try_all(path, f"a map of {numbers}")
        count += 1
    path.write_bytes(good([0, 0, -1, 3]))
    try_all(path, "right: a shared and a missing chunk")
    # Stores that lead to themselves, to other files, and out of the folder.
    (folder / "loop").mkdir(exist_ok=True)
    if not (folder / "loop/again").is_symlink():
        (folder / "loop/again").symlink_to(folder / "loop")
    for store in (
        "{type_string: DirectoryStore, path: loop}",
        "{type_string: DirectoryStore, path: loop/again/again/again}",
        "{type_string: DirectoryStore, path: x.asdf}",
        "{type_string: DirectoryStore, path: ../../../../etc}",
        "{type_string: NestedDirectoryStore, path: /dev}",
        "{type_string: FSStore, path: 'http://localhost/x'}",
        "{type_string: KVStore, map: {}}",
        "&s {type_string: KVStore, map: *s}",
        "{type_string: 7}",
        "[]",
    ):
        path.write_bytes(HEAD + f"z: {TAG}\n  store: {store}\n".encode() + b"...\n")
        try_all(path, f"the store {store}")
        count += 1
    (folder / "loop/.zarray").write_text(f'{{"zarr_format": 2, "shape": [{HUGE - 1}], "chunks": [1], "dtype": "<i4"}}')
    path.write_bytes(HEAD + f"z: {TAG}\n  store: {{type_string: DirectoryStore, path: loop}}\n".encode() + b"...\n")
    try_all(path, "a store of 2^63 chunks")
    print(f"{count + 2} hostile descriptions are typed errors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
