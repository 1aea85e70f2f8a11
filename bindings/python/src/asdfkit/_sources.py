"""Sources of bytes that are no named files: memory of the program and file objects."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import stat
import threading
from collections.abc import Iterator, Mapping
from ctypes import byref as reference
from ctypes import c_void_p, cast, memmove
from typing import Any

from ._functions import close_callback, read_callback, release_callback, resolve_callback
from ._library import Buffer, lib, pending
from ._options import Options, options_for
from .constants import Status

#: Memory and file objects that the library uses, by the number that it passes to the callbacks.
lent: dict[int, Any] = {}
numbers = itertools.count(1)


def opened(options: Options, function: Any, *arguments: Any) -> int:
    """Address of the handle that a function returns after its options."""
    address = c_void_p()
    options.check(function(*arguments, options.pointer, reference(address)))
    return address.value or 0


def returned_bytes(options: Options, function: Any, *arguments: Any) -> bytes:
    return Buffer(opened(options, function, *arguments)).bytes()


@release_callback  # type: ignore[untyped-decorator]
def release(user: int) -> None:
    lent.pop(user, None)


@close_callback  # type: ignore[untyped-decorator]
def close(user: int) -> int:
    lent.pop(user, None)
    return 0


@read_callback  # type: ignore[untyped-decorator]
def read(user: int, offset: int, buffer: int, size: int, got: Any) -> int:
    """Reads bytes of a file object. One thread at a time moves its position."""
    try:
        source, lock = lent[user]
        with lock:
            source.seek(offset)
            data = source.read(size)
        if not data:
            raise EOFError(f"the file object ends at byte {offset}, before its length")
        if len(data) > size:
            raise ValueError(f"the file object returned {len(data)} bytes instead of at most {size}")
        memmove(buffer, bytes(data), len(data))
        got[0] = len(data)
    except BaseException as problem:
        pending.problem = problem
        return int(Status.CALLBACK)
    return 0


def open_source(source: Any, options: Mapping[str, Any], make: Any) -> Any:
    """Opens bytes or a file object."""
    if isinstance(source, io.TextIOBase):
        raise TypeError("the file object must be binary: open it with mode 'rb'")
    if isinstance(source, io.BytesIO):
        # The content may change later, so it is copied.
        source = source.getvalue()
    if not hasattr(source, "read"):
        return open_memory(source, options, make)
    number = descriptor(source)
    if number is not None:
        with options_for("asdf_file_open_descriptor", options) as made:
            return make(opened(made, lib.asdf_file_open_descriptor, number))
    length = source.seek(0, os.SEEK_END)
    key = next(numbers)
    lent[key] = (source, threading.Lock())
    try:
        with options_for("asdf_file_open_source", options) as made:
            return make(opened(made, lib.asdf_file_open_source, read, close, key, length))
    except BaseException:
        lent.pop(key, None)
        raise


def open_memory(source: Any, options: Mapping[str, Any], make: Any) -> Any:
    """Opens a bytes-like object. Immutable bytes are lent, all others are copied."""
    try:
        data = source if isinstance(source, bytes) else bytes(memoryview(source))
    except TypeError:
        kind = type(source).__name__
        raise TypeError(f"a file is opened from a path, bytes or a binary file object, not from {kind}") from None
    with lending(data) as owner, options_for("asdf_file_open_borrowed", options) as made:
        return make(opened(made, lib.asdf_file_open_borrowed, data, len(data), *owner))


@contextlib.contextmanager
def lending(memory: Any) -> Iterator[tuple[Any, int]]:
    """Release callback and its user pointer for a call that lends memory to the library. A failed call lends nothing."""
    key = next(numbers)
    lent[key] = memory
    try:
        yield release, key
    except BaseException:
        lent.pop(key, None)
        raise


def source_of(content: Any) -> tuple[Any, int]:
    """File object and length of the content that a resolver returns."""
    if not hasattr(content, "read"):
        try:
            content = io.BytesIO(bytes(memoryview(content)))
        except TypeError:
            content = None
    if content is None or isinstance(content, io.TextIOBase) or not hasattr(content, "seek"):
        raise TypeError("a resolver returns bytes or a binary file object that can seek, or raises an exception")
    return content, content.seek(0, os.SEEK_END)


def set_resolver(options: Options, resolver: Any) -> None:
    """Sets a callable that opens other files: it takes a URI and returns bytes or a binary file object."""
    if not callable(resolver):
        raise TypeError("the resolver must be a callable that takes a URI")

    @resolve_callback  # type: ignore[untyped-decorator]
    def resolve(_: int, uri: bytes, read_out: int, close_out: int, user: Any, length: Any) -> int:
        try:
            content, size = source_of(resolver(uri.decode("utf-8", "surrogateescape")))
            key = next(numbers)
            lent[key] = (content, threading.Lock())
            for place, function in ((read_out, read), (close_out, close)):
                c_void_p.from_address(place).value = cast(function, c_void_p).value
            user[0], length[0] = key, size
        except BaseException as problem:
            pending.problem = problem
            return int(Status.CALLBACK)
        return 0

    key = next(numbers)
    lent[key] = resolve
    status = lib.asdf_options_set_resolver(options.handle(), resolve, close, key)
    if status:
        lent.pop(key, None)
        options.check(status)


def descriptor(source: Any) -> int | None:
    """Descriptor of a regular file that is read without a decoder; None for all others."""
    if not isinstance(source, (io.FileIO, io.BufferedReader, io.BufferedRandom)):
        return None
    try:
        number = source.fileno()
    except OSError:
        return None
    if source.writable():
        source.flush()
    return number if stat.S_ISREG(os.fstat(number).st_mode) else None
