"""Streams of rows: arrays that are written piece by piece and never are in memory as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _datatypes
from ._casting import fitting
from ._foreign import elements_only
from ._library import Handle, encoded, file_name, int64, int64s, lib
from ._options import Options, options_for
from ._sources import opened

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._handles import FileHandle


class RowStream(Handle):
    """An array that is being written; `File.stream_rows` makes it.

    `close`, or the end of the `with` block, finishes the file. After an exception in the block no file remains, and none
    if the stream is dropped without `close`.

        >>> with asdfkit.new().stream_rows("samples.asdf", "samples", "float32", (3,)) as stream:
        ...     stream.push([[1, 2, 3], [4, 5, 6]])
    """

    __slots__ = ("_dtype", "_is_ended", "_options", "_row_shape")
    _free = lib.asdf_stream_free

    def __init__(self, address: int, dtype: np.dtype[Any], row_shape: tuple[int, ...], options: Options) -> None:
        super().__init__(address)
        self._dtype = dtype
        self._row_shape = row_shape
        self._is_ended = False
        # The stream reports its progress to the callback of these options.
        self._options = options

    def push(self, rows: Any) -> None:
        """Adds rows: an array of shape (number of rows, *row_shape), or a single row."""
        rows = elements_only(rows)
        if rows.dtype != self._dtype:
            rows = fitting(rows, self._dtype)
        if rows.shape == self._row_shape:
            rows = rows[np.newaxis]
        if rows.ndim == 0 or rows.shape[1:] != self._row_shape:
            raise ValueError(f"rows have the shape (n, {str(self._row_shape)[1:-1]}), not {rows.shape}")
        rows = np.ascontiguousarray(rows)
        self._options.check(lib.asdf_stream_push(self._pointer, rows.shape[0], rows.ctypes.data, rows.nbytes))

    def __len__(self) -> int:
        return int64(lib.asdf_stream_row_count, self._pointer)

    def finish(self) -> None:
        """Finishes the file and gives it its name. No rows can be added after that."""
        self._options.check(lib.asdf_stream_finish(self._pointer))
        self._is_ended = True

    def close(self) -> None:
        """Finishes the file, unless the stream was finished or abandoned. Closing twice is allowed."""
        if not self._is_ended:
            self.finish()

    def abandon(self) -> None:
        """Ends the stream without a file."""
        address, self._pointer = self._pointer, 0
        self._is_ended = True
        lib.asdf_stream_free(address or None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()


def start(
    file: FileHandle, path: Any, node_path: str, dtype: Any, row_shape: tuple[int, ...], given: Mapping[str, Any]
) -> RowStream:
    wanted = _datatypes.native(np.dtype(dtype))
    shape = tuple(int(extent) for extent in row_shape)
    options = options_for("asdf_stream_create", given)
    arguments = file._pointer, file_name(path), encoded(node_path), _datatypes.code_for(wanted, options)
    address = opened(options, lib.asdf_stream_create, *arguments, len(shape), int64s(shape))
    return RowStream(address, wanted, shape, options)
