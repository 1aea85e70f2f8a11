"""The descriptions of the tests, and the library's results for them."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from asdfkit_ctypes import (
    Buffer,
    Datatype,
    Error,
    File,
    Handle,
    Options,
    Report,
    c_int32,
    call,
    numbers_of,
    text_of,
    value_of,
)

HERE = Path(__file__).parent
FORMATS = {"text": 1, "json": 2, "cdl": 3, "c": 4, "fortran": 5}


class Description(Handle):
    """A description that the library has read."""

    kind = "ndl"

    def __init__(self, text: bytes):
        super().__init__("asdf_ndl_read_memory", text, len(text), None)

    @classmethod
    def of_file(cls, file: File, **options) -> "Description":
        described = cls.__new__(cls)
        Handle.__init__(described, "asdf_ndl_describe", file, Options(**options))
        return described

    def notes(self) -> list[str]:
        return Report("asdf_ndl_report", self).texts()

    def is_valid(self) -> bool:
        return value_of(c_int32, "asdf_ndl_is_valid", self) == 1

    def model(self) -> dict:
        return json.loads(self._exported("json"))

    def text(self) -> str:
        return self._exported("text")

    def cdl(self, **options) -> str:
        return self._exported("cdl", **options)

    def code(self, language: str) -> str:
        return self._exported(language)

    def value_shape(self, *place: bytes | None) -> list[int]:
        """Returns the shape of the value of an array, or of one of its attributes."""
        return numbers_of("asdf_ndl_value_shape", self, *place)

    def notation(self, *place: bytes | None, index: int) -> str:
        return text_of("asdf_ndl_value_notation", self, *place, index)

    def values(self, *place: bytes | None, dtype: np.dtype, shape: list[int]) -> np.ndarray:
        """Returns all elements. `shape` is that of the value, with the dimensions that the datatype adds."""
        out = np.empty(shape, dtype)
        options = Options(datatype=(Datatype(out.dtype),))
        call("asdf_ndl_read_values", self, *place, 0, options, out.ctypes.data, out.nbytes)
        return out

    def create(self, path: Path, **options) -> None:
        call("asdf_ndl_create_asdf", self, os.fsencode(path), Options(**options), None)

    def _exported(self, form: str, **options) -> str:
        buffer = Buffer("asdf_ndl_export", self, FORMATS[form], b"tried", Options(**options))
        return buffer.bytes().decode()


def own() -> Iterator[tuple[str, Description]]:
    """Returns the descriptions of this directory, all of which are valid."""
    for path in sorted(HERE.glob("*.yaml")):
        description = Description(path.read_bytes())
        assert description.is_valid(), description.notes()
        yield path.stem, description


def samples() -> Iterator[tuple[str, Description]]:
    """Returns the valid descriptions of the corpus."""
    paths = sorted(Path(os.environ["ASDFKIT_CORPORA"], "ndl-samples").glob("*.yaml"))
    assert paths, "the corpus of descriptions is missing"
    for path in paths:
        try:
            description = Description(path.read_bytes())
        except Error:
            continue  # not even YAML
        if description.is_valid():
            yield path.stem, description


def folder(name: str) -> Path:
    """Returns the directory for the files of a test."""
    path = Path(os.environ["ASDFKIT_BUILD"], "tests", "ndl", name)
    path.mkdir(parents=True, exist_ok=True)
    return path


def run(*command) -> str:
    """Returns the output of a program, which must succeed."""
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout
