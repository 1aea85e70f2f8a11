"""Files that Python asdf's update() changed in place, read by us: complete updates, and interrupted ones."""

import io
import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import numpy as np
import trees

SIZES = (100, 3000, 40)


class Killed(BaseException):
    """Raised in place of a write, like the end of the process."""


class Disk(io.BytesIO):
    """Accepts a number of writes, and half of the last one."""

    def __init__(self, content: bytes, writes: int):
        super().__init__(content)
        self.writes = writes

    def write(self, data) -> int:
        self.writes -= 1
        if self.writes < 0:
            super().write(bytes(data)[: memoryview(data).nbytes // 2])
            raise Killed
        return super().write(data)

    def truncate(self, size=None) -> int:
        self.writes -= 1
        if self.writes < 0:
            raise Killed
        return super().truncate(size)


def tree() -> dict:
    arrays = {f"array {number}": np.arange(size) + number for number, size in enumerate(SIZES)}
    return {"name": "Böhm", "lines": [f"line {number}" for number in range(50)], **arrays}


def written(streamed: bool = False, **options) -> bytes:
    output = io.BytesIO()
    content = tree()
    if streamed:
        content["stream"] = asdf.tags.core.Stream([3], "int16")
    asdf.AsdfFile(content).write_to(output, **options)
    return output.getvalue() + (np.arange(30, dtype="int16").tobytes() if streamed else b"")


def updated(file: bytes, change, **options) -> bytes:
    """Returns the file on disk after update()."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "file.asdf"
        path.write_bytes(file)
        with asdf.open(path, mode="rw") as opened:
            change(opened)
            opened.update(**options)
        return path.read_bytes()


def grow(file: asdf.AsdfFile) -> None:
    file["added"] = [f"a line that was not there before, number {number}" for number in range(100)]


def shrink(file: asdf.AsdfFile) -> None:
    del file["lines"]


def drop_block(file: asdf.AsdfFile) -> None:
    del file["array 1"]


def add_block(file: asdf.AsdfFile) -> None:
    file["added"] = np.arange(5000, dtype="float32")


def replace_blocks(file: asdf.AsdfFile) -> None:
    file["array 0"] = np.arange(2000)
    file["array 1"] = np.arange(7, dtype="uint8")


def compress(file: asdf.AsdfFile) -> None:
    for number in range(len(SIZES)):
        file.set_array_compression(file[f"array {number}"], ("zlib", "bzp2", "lz4")[number])


def change_elements(file: asdf.AsdfFile) -> None:
    file["array 1"][:100] = -1


def much(file: asdf.AsdfFile) -> None:
    for change in (grow, drop_block, add_block, compress_first):
        change(file)


def compress_first(file: asdf.AsdfFile) -> None:
    file.set_array_compression(file["array 0"], "zlib")


CHANGES = (grow, shrink, drop_block, add_block, replace_blocks, compress, change_elements, much)


def plain(value):
    """Returns arrays in a form that can be compared."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in ("asdf_library", "history")}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        return array.dtype.name, array.shape, array.tobytes()
    return value


def as_python_reads(file: bytes) -> dict:
    with asdf.open(io.BytesIO(file), lazy_load=False) as found:
        return plain(dict(found.tree))


def as_we_read(file: bytes) -> dict:
    return plain(trees.take(kit.File.open(file).root()))


class PythonUpdates(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")
        self.enterContext(asdf.config_context()).validate_on_read = False

    def check(self, file: bytes, message: str) -> None:
        self.assertEqual(as_python_reads(file), as_we_read(file), message)

    def test_updated(self):
        for change in CHANGES:
            # With padding, update() may run forever; it leaves the existing padding.
            for first in ({}, {"pad_blocks": 2.0}, {"all_array_compression": "zlib"}):
                message = f"{change.__name__}, written with {first}"
                with self.subTest(message):
                    file = updated(written(**first), change, include_block_index=first != {})
                    self.check(file, message)
                    found = kit.File.open(file)
                    self.assertEqual(found.verify()[0], 0)
                    self.assertEqual(found.warnings(), [])

    def test_updated_again(self):
        for streamed in (False, True):
            file = written(streamed=streamed, pad_blocks=not streamed)
            for change in (grow, replace_blocks, shrink, add_block, drop_block):
                file = updated(file, change)
                self.check(file, f"{change.__name__}, streamed {streamed}")

    def test_cut_off(self):
        """After every third write, we read the mixture as Python asdf does, or refuse it."""
        outcomes = {"same": 0, "we refuse": 0, "both refuse": 0, "Python refuses": 0}
        for change in (grow, shrink, replace_blocks, much):
            for first in ({}, {"pad_blocks": True}):
                before = written(**first)
                writes = 0
                while True:
                    data = Disk(before, writes)
                    file = asdf.open(data, mode="rw")
                    change(file)
                    try:
                        file.update()
                        break
                    except Killed:
                        pass
                    outcomes[self.compare(data.getvalue(), f"{change.__name__}, {first}, {writes} writes")] += 1
                    writes += 3
        self.assertGreater(outcomes["same"], 10)

    def compare(self, file: bytes, message: str) -> str:
        try:
            expected = as_python_reads(file)
        except Exception:
            expected = None
        # Of an array that it cannot make, Python asdf returns the description.
        if expected is not None and any(isinstance(value, dict) for value in expected.values()):
            expected = None
        try:
            found = as_we_read(file)
        except kit.Error:
            return "both refuse" if expected is None else "we refuse"
        if expected is None:
            return "Python refuses"
        self.assertEqual(expected, found, message)
        return "same"


if __name__ == "__main__":
    unittest.main()
