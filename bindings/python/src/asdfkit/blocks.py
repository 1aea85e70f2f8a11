"""Blocks of a file: their place, sizes, compression and checksums."""

from __future__ import annotations

from ctypes import byref, c_int32, c_uint8
from typing import TYPE_CHECKING, Any

import numpy as np

from ._library import check, int32, int64, lib, text
from ._options import options_for
from .constants import Checksum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._handles import FileHandle


class Block:
    """A block of a file. Offsets and sizes are in bytes."""

    __slots__ = ("_file", "index")

    def __init__(self, file: FileHandle, index: int) -> None:
        self._file = file
        #: Number of the block, from 0.
        self.index = index

    @property
    def offset(self) -> int:
        """Offset of the header in the file."""
        return self._int64(lib.asdf_file_block_offset)

    @property
    def payload_offset(self) -> int:
        """Offset of the payload in the file."""
        return self._int64(lib.asdf_file_block_payload_offset)

    @property
    def allocated_size(self) -> int:
        """Size that is reserved for the payload."""
        return self._int64(lib.asdf_file_block_allocated_size)

    @property
    def stored_size(self) -> int:
        """Size of the payload in the file, compressed or not."""
        return self._int64(lib.asdf_file_block_stored_size)

    @property
    def decoded_size(self) -> int:
        """Size of the payload without compression."""
        return self._int64(lib.asdf_file_block_decoded_size)

    @property
    def compression(self) -> str | None:
        """Label of the compression, such as "zlib"; None without."""
        return text(lib.asdf_file_block_compression, self._file._pointer, self.index) or None

    @property
    def is_streamed(self) -> bool:
        """True if the payload extends to the end of the file."""
        return bool(int32(lib.asdf_file_block_is_streamed, self._file._pointer, self.index))

    @property
    def checksum(self) -> bytes | None:
        """MD5 checksum of 16 bytes; None if the block has none."""
        digest = (c_uint8 * 16)()
        check(lib.asdf_file_block_checksum(self._file._pointer, self.index, digest, 16))
        return bytes(digest) if any(digest) else None

    def verify(self, **options: Any) -> Checksum:
        """Compares the block with its checksum. A mismatch is a result, not an error."""
        outcome = c_int32()
        with options_for("asdf_file_verify_block", options, self.stored_size) as made:
            arguments = self._file._pointer, self.index, made.pointer
            made.check(lib.asdf_file_verify_block(*arguments, byref(outcome)))
        return Checksum(outcome.value)

    def read(self, *, decode: bool = True, **options: Any) -> NDArray[np.uint8]:
        """Reads the payload as an array of bytes, decoded or as it is stored."""
        function = "asdf_file_read_block" if decode else "asdf_file_read_block_stored"
        memory = np.empty(self.decoded_size if decode else self.stored_size, np.uint8)
        with options_for(function, options, memory.nbytes) as made:
            arguments = self._file._pointer, self.index, made.pointer
            made.check(getattr(lib, function)(*arguments, memory.ctypes.data, memory.nbytes))
        return memory

    def _int64(self, function: Any) -> int:
        return int64(function, self._file._pointer, self.index)

    def __repr__(self) -> str:
        return f"<asdfkit.Block {self.index}>"
