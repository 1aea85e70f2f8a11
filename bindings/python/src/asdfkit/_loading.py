"""Search for the shared library of asdfkit, and the check that it fits this package."""

import ctypes
import ctypes.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ._functions import PROTOTYPES
from .constants import ABI

#: File name of the library on this platform.
FILE_NAME = {"darwin": f"libasdfkit.{ABI}.dylib", "win32": "asdfkit.dll"}.get(sys.platform, f"libasdfkit.so.{ABI}")


def candidates() -> Iterator[str]:
    """Names to load, in order: ASDFKIT_LIBRARY alone; else bundled, this environment, the loader, pkg-config."""
    if name := os.environ.get("ASDFKIT_LIBRARY"):
        yield str(Path(name) / FILE_NAME) if Path(name).is_dir() else name
        return
    bundled = (Path(__file__).parent / "_lib").glob("*asdfkit.*")
    found = [*bundled, Path(sys.prefix) / "lib" / FILE_NAME]
    yield from (str(path) for path in found if path.exists())
    yield FILE_NAME
    try:
        asked = subprocess.run(["pkg-config", "--variable=libdir", "asdfkit"], capture_output=True, text=True)
    except OSError:
        return
    if directory := asked.stdout.strip():
        yield str(Path(directory) / FILE_NAME)


def load() -> Any:
    """Loads the library and declares its functions. Fails with ImportError and a way to mend it."""
    problems = []
    for name in candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as problem:
            problems.append(str(problem))
            continue
        abi = library.asdf_library_abi()
        if abi != ABI:
            raise ImportError(f"{name} has the binary interface {abi}; this package needs {ABI}")
        declare(library, name)
        return library
    hint = "set ASDFKIT_LIBRARY to its path or folder, or add its folder to LD_LIBRARY_PATH, without ASDFKIT_LIBRARY"
    raise ImportError(f"the library {FILE_NAME} is not found ({'; '.join(problems)}): {hint}")


def declare(library: Any, name: str) -> None:
    for function, (result, arguments) in PROTOTYPES.items():
        try:
            prototype = getattr(library, function)
        except AttributeError:
            raise ImportError(f"{name} is older than this package: it lacks {function}") from None
        prototype.restype = result
        prototype.argtypes = arguments
