"""Loaded library and the helpers of every call: status checks, texts, buffers and handles.

`lib` releases the global interpreter lock in every call.
"""

import errno
import os
import re
import threading
from ctypes import byref, c_int32, c_int64, c_size_t, c_void_p, create_string_buffer, string_at
from typing import Any, ClassVar
from urllib.request import url2pathname

from . import _loading, errors
from .constants import Field, Status

lib = _loading.load()
#: Schemes of URLs. A single letter is a drive of Windows.
# Schemes of URLs that asdf_file_open() knows.
REMOTE_SCHEMES = frozenset({"http", "https", "s3", "s3a", "gs", "az", "azure", "abfs", "abfss"})
SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]+")
#: Longest file name in bytes that a system allows (Windows).
LONGEST_NAME = 32767

#: Exception of a callback of this thread (`problem`), which the failed call raises again.
pending = threading.local()


def check(status: int) -> None:
    """Raises the error of the last call of this thread unless its status is 0."""
    if status:
        raise failure(status)


def failure(status: int) -> BaseException:
    """Error of the last failed call of this thread, with its details, or the exception of a callback."""
    problem: BaseException | None = pending.__dict__.pop("problem", None)
    if status == Status.CALLBACK and problem is not None:
        return problem
    message = text(lib.asdf_error_message) or f"status {status}"
    path, file, subject = (error_text(field) for field in (Field.PATH, Field.FILE, Field.SUBJECT))
    numbers = (error_number(field) for field in (Field.LINE, Field.COLUMN, Field.OFFSET, Field.OS_NUMBER))
    return errors.make(status, message, path, file, subject, *numbers)


def error_text(field: int) -> str | None:
    return text(lib.asdf_error_text, field) or None


def error_number(field: int) -> int | None:
    value = c_int64()
    return None if lib.asdf_error_int(field, byref(value)) else value.value


def raw(function: Any, *arguments: Any) -> bytes:
    """Result of a function that writes into a buffer and tells the needed length."""
    needed = c_size_t()
    capacity = 256
    while True:
        buffer = create_string_buffer(capacity)
        status = function(*arguments, buffer, capacity, byref(needed))
        if not status:
            return string_at(buffer, needed.value)
        if status != Status.BUFFER_TOO_SMALL:
            raise failure(status)
        capacity = needed.value + 1


def text(function: Any, *arguments: Any) -> str:
    return raw(function, *arguments).decode("utf-8", "surrogateescape")


def int32(function: Any, *arguments: Any) -> int:
    value = c_int32()
    check(function(*arguments, byref(value)))
    return value.value


def int64(function: Any, *arguments: Any) -> int:
    value = c_int64()
    check(function(*arguments, byref(value)))
    return value.value


def pointer(function: Any, *arguments: Any) -> int:
    """Address of the handle that a function returns through its last argument."""
    value = c_void_p()
    check(function(*arguments, byref(value)))
    return value.value or 0


def extents(function: Any, *arguments: Any) -> tuple[int, ...]:
    """Extents that a function writes into a buffer of 32 numbers at most."""
    values, rank = (c_int64 * 32)(), c_int32()
    check(function(*arguments, values, 32, byref(rank)))
    return tuple(values[: rank.value])


def int64s(values: Any) -> Any:
    """Array of C of 64-bit integers. Fails with OverflowError, where ctypes would cut numbers off."""
    values = [int(value) for value in values]
    for value in values:
        if not -(2**63) <= value < 2**63:
            raise OverflowError(f"{value} does not fit 64 bits")
    return (c_int64 * len(values))(*values)


def escaped(key: str) -> str:
    """A key as a part of a path."""
    return key.replace("~", "~0").replace("/", "~1")


def encoded(string: str, what: str = "path") -> bytes:
    """UTF-8 bytes of a path or a name, which C ends at the first NUL."""
    if not isinstance(string, str):
        raise TypeError(f"the {what} must be a str, not {type(string).__name__}")
    if "\0" in string:
        raise ValueError(f"the {what} {string!r} contains a NUL character")
    return utf8(string)


def utf8(string: str) -> bytes:
    if not isinstance(string, str):
        raise TypeError(f"a text must be a str, not {type(string).__name__}")
    try:
        return string.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{string!r} is not Unicode text: it has lone surrogates") from None


def is_url(path: Any) -> bool:
    """Whether a name is a URL of a file on a server, which the library reads by libasdfkit_remote."""
    return isinstance(path, str) and path.partition("://")[0].lower() in REMOTE_SCHEMES and "://" in path


def local_path(path: Any) -> str | bytes:
    """Path of a file as the system knows it: with the home directory in place of "~", and without "file://"."""
    name: str | bytes = os.fspath(path)
    if not isinstance(name, str):
        return name
    scheme, mark, rest = name.partition("://")
    if mark and SCHEME.fullmatch(scheme) and not os.path.exists(name):
        if scheme.lower() != "file":
            raise ValueError(f"{name!r} is no file of this computer: pass a file object, such as that of fsspec.open()")
        host, slash, rest = rest.partition("/")
        if host not in ("", "localhost"):
            raise ValueError(f"{name!r} is a file of another computer")
        return url2pathname(slash + rest)
    return os.path.expanduser(name)


def file_name(path: Any) -> bytes:
    name = os.fsencode(local_path(path))
    if len(name) > LONGEST_NAME:
        # No system has such names. The message would repeat a text that was passed by mistake.
        message = f"a file name of {len(name)} bytes is too long; pass the content of a file as bytes"
        problem = errors.FileError(message, Status.IO)
        problem.errno = errno.ENAMETOOLONG
        raise problem
    if b"\0" in name:
        raise ValueError(f"the file name {name!r} contains a NUL character")
    return name


class Handle:
    """Owner of a handle of the library. The handle is freed with the object, in any order and on any thread."""

    __slots__ = ("__weakref__", "_pointer")
    _free: ClassVar[Any] = None

    def __init__(self, address: int) -> None:
        self._pointer = address

    def __del__(self) -> None:
        # The class keeps the function of C, so this works while the interpreter clears its modules.
        address = getattr(self, "_pointer", 0)
        if address:
            self._pointer = 0
            self._free(address)

    def __copy__(self) -> Any:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled")


class Buffer(Handle):
    """Bytes in memory of the library."""

    __slots__ = ()
    _free = lib.asdf_buffer_free

    def address_and_size(self) -> tuple[int, int]:
        address, size = c_void_p(), c_size_t()
        check(lib.asdf_buffer_bytes(self._pointer, byref(address), byref(size)))
        return address.value or 0, size.value

    def bytes(self) -> bytes:
        address, size = self.address_and_size()
        return string_at(address, size) if size else b""


def buffer_bytes(function: Any, *arguments: Any) -> bytes:
    """Copy of the bytes of the buffer that a function returns."""
    return Buffer(pointer(function, *arguments)).bytes()
