"""Memory and file objects that the library uses during a call, or until it releases them."""

from __future__ import annotations

import contextlib
import errno
import io
import itertools
import os
import threading
from collections.abc import Iterator
from ctypes import POINTER, c_double, c_int64, c_void_p, cast, memmove
from typing import TYPE_CHECKING, Any

from ._functions import (
    close_callback,
    read_callback,
    read_ranges_callback,
    release_callback,
    resolve_callback,
)
from ._library import lib, pending
from .constants import Order, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Memory and file objects that the library uses, by the number that it passes to the callbacks.
lent: dict[int, Any] = {}
numbers = itertools.count(1)


@release_callback  # type: ignore[untyped-decorator]
def release(user: int) -> None:
    lent.pop(user, None)


@close_callback  # type: ignore[untyped-decorator]
def close(user: int) -> int:
    lent.pop(user, None)
    return 0


def read_part(user: int, offset: int, buffer: int, size: int) -> int:
    """Reads bytes of a file object and returns how many. One thread at a time moves its position."""
    source, lock = lent[user]
    with lock:
        source.seek(offset)
        data = source.read(size)
    if not data:
        raise EOFError(f"the file object ends at byte {offset}, before its length")
    if len(data) > size:
        raise ValueError(f"the file object returned {len(data)} bytes instead of at most {size}")
    memmove(buffer, bytes(data), len(data))
    return len(data)


@read_callback  # type: ignore[untyped-decorator]
def read(user: int, offset: int, buffer: int, size: int, got: Any) -> int:
    """Reads bytes of a file object."""
    try:
        got[0] = read_part(user, offset, buffer, size)
    except BaseException as problem:
        pending.problem = problem
        return int(Status.CALLBACK)
    return 0


@read_ranges_callback  # type: ignore[untyped-decorator]
def read_ranges(user: int, count: int, offsets: Any, sizes: Any, buffers: Any) -> int:
    """Reads ranges of a file object, one after another."""
    try:
        for offset, size, buffer in zip(offsets[:count], sizes[:count], buffers[:count], strict=True):
            done = 0
            while done < size:
                done += read_part(user, offset + done, buffer + done, size - done)
    except BaseException as problem:
        pending.problem = problem
        return int(Status.CALLBACK)
    return 0


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


def end_of(source: Any) -> int | None:
    """Length of a file object; None if it cannot seek, such as a pipe or the answer of a server."""
    # seekable() of io.RawIOBase says no, also where a class defines seek(). So this tries.
    try:
        return int(source.seek(0, os.SEEK_END))
    except (AttributeError, io.UnsupportedOperation):
        return None
    except OSError as problem:
        if problem.errno == errno.ESPIPE:
            return None
        raise


def read_rest(source: Any) -> bytes:
    """The rest of a file object that cannot seek."""
    data = source.read()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"read() of the file object must return bytes, not {type(data).__name__}")
    return bytes(data)


def source_of(content: Any) -> tuple[Any, int]:
    """File object and length of the content that a resolver returns."""
    if not hasattr(content, "read"):
        try:
            content = io.BytesIO(bytes(memoryview(content)))
        except TypeError:
            content = None
    if content is None or isinstance(content, io.TextIOBase):
        raise TypeError("a resolver returns bytes or a binary file object, or raises an exception")
    length = end_of(content)
    if length is None:
        data = read_rest(content)
        return io.BytesIO(data), len(data)
    return content, length


def set_resolver(options: Any, resolver: Any) -> None:
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

    with lending(resolve) as (_, key):
        options.check(lib.asdf_options_set_resolver(options.handle(), resolve, close, key))


def place(memory: NDArray[Any], options: Any) -> tuple[int | None, int]:
    """Address and size in bytes of the memory of an array. Sets strides as options of the call if they are needed."""
    if memory.size == 0:
        return None, 0
    if memory.flags.c_contiguous:
        return memory.ctypes.data, memory.nbytes
    if memory.flags.f_contiguous:
        options.set("order", Order.FORTRAN)
        return memory.ctypes.data, memory.nbytes
    options.set("strides", memory.strides)
    spans = [(extent - 1) * stride for extent, stride in zip(memory.shape, memory.strides)]
    low, high = sum(min(span, 0) for span in spans), sum(max(span, 0) for span in spans)
    return memory.ctypes.data + low, high - low + memory.dtype.itemsize


def doubles(array: NDArray[Any]) -> Any:
    """The memory of a contiguous array as doubles."""
    return cast(c_void_p(array.ctypes.data), POINTER(c_double))


def longs(array: NDArray[Any]) -> Any:
    """The memory of a contiguous array as 64-bit integers."""
    return cast(c_void_p(array.ctypes.data), POINTER(c_int64))
