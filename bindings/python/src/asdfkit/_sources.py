"""Opening of files: by name, in memory of the program, and behind file objects."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import threading
import zipfile
from collections.abc import Mapping
from ctypes import byref as reference
from ctypes import c_void_p
from typing import Any

from ._handles import FileHandle, Origin
from ._library import Buffer, file_name, is_url, lib, local_path
from ._memory import close, end_of, lending, read, read_ranges, read_rest
from ._options import Options, options_for

# Cost of a read of a file object in bytes: it may be a request to a server.
REQUEST_COST = 1 << 20
# File objects that decompress.
DECODERS = (bz2.BZ2File, gzip.GzipFile, lzma.LZMAFile, zipfile.ZipExtFile)


def opened(options: Options, function: Any, *arguments: Any) -> int:
    """Address of the handle that a function returns after its options."""
    address = c_void_p()
    options.check(function(*arguments, options.pointer, reference(address)))
    return address.value or 0


def returned_bytes(options: Options, function: Any, *arguments: Any) -> bytes:
    return Buffer(opened(options, function, *arguments)).bytes()


def new_file(options: Mapping[str, Any]) -> FileHandle:
    with options_for("asdf_file_new", options) as made:
        return FileHandle(opened(made, lib.asdf_file_new), can_change=True)


def open_named(
    path: Any, options: Mapping[str, Any], *, for_update: bool = False, wants_astropy: bool = True
) -> FileHandle:
    """Opens a file by its name."""
    function = "asdf_file_open_for_update" if for_update else "asdf_file_open"
    is_remote = is_url(path)
    name = path.encode() if is_remote else file_name(path)
    with options_for(function, options) as made:
        address = opened(made, getattr(lib, function), name)
    place = path if is_remote else os.path.abspath(os.fsdecode(local_path(path)))
    origin = Origin(place, dict(options), wants_astropy)
    handle = FileHandle(address, None if for_update else origin, can_change=for_update)
    handle.wants_astropy = wants_astropy
    return handle


def reopened(origin: Origin) -> FileHandle:
    """Opens a file again, in the process that loads a pickle."""
    return open_named(origin.path, origin.options, wants_astropy=origin.wants_astropy)


def open_source(source: Any, options: Mapping[str, Any]) -> FileHandle:
    """Opens bytes or a file object."""
    if isinstance(source, io.TextIOBase):
        raise TypeError("the file object must be binary: open it with mode 'rb'")
    if isinstance(source, io.BytesIO):
        # The content may change later, so it is copied.
        source = source.getvalue()
    if not hasattr(source, "read"):
        return open_memory(source, options)
    number = descriptor(source)
    if number is not None:
        with options_for("asdf_file_open_descriptor", options) as made:
            return FileHandle(opened(made, lib.asdf_file_open_descriptor, number))
    length = end_of(source)
    if length is None:
        return open_memory(read_rest(source), options)
    with lending((source, threading.Lock())) as (_, key):
        # To seek in what is decompressed costs more than a request.
        if isinstance(source, DECODERS):
            with options_for("asdf_file_open_source", options) as made:
                return FileHandle(opened(made, lib.asdf_file_open_source, read, close, key, length))
        with options_for("asdf_file_open_ranges", options) as made:
            arguments = (read_ranges, close, key, length, REQUEST_COST, None)
            return FileHandle(opened(made, lib.asdf_file_open_ranges, *arguments))


def open_copy(source: Any, options: Mapping[str, Any]) -> FileHandle:
    """Opens a copy of bytes, or of the content of a file object, to change it."""
    if isinstance(source, io.TextIOBase):
        raise TypeError("the file object must be binary: open it with mode 'rb'")
    if hasattr(source, "read"):
        if end_of(source) is not None:
            source.seek(0)
        source = read_rest(source)
    data = as_bytes(source)
    with options_for("asdf_file_open_memory_for_update", options) as made:
        return FileHandle(opened(made, lib.asdf_file_open_memory_for_update, data, len(data)), can_change=True)


def open_memory(source: Any, options: Mapping[str, Any]) -> FileHandle:
    """Opens a bytes-like object. Immutable bytes are lent, all others are copied."""
    data = as_bytes(source)
    with lending(data) as owner, options_for("asdf_file_open_borrowed", options) as made:
        return FileHandle(opened(made, lib.asdf_file_open_borrowed, data, len(data), *owner))


def as_bytes(source: Any) -> bytes:
    try:
        return source if isinstance(source, bytes) else bytes(memoryview(source))
    except TypeError:
        kind = type(source).__name__
        raise TypeError(f"a file is opened from a path, bytes or a binary file object, not from {kind}") from None


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
