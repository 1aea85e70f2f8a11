"""Handles of files, nodes and tables, which the modules below the public classes share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ._library import Handle, int32, int64, lib, text
from ._values import Key, literal
from .constants import KeyType


@dataclass(frozen=True)
class Origin:
    """How a file was opened by name, for pickles."""

    path: str
    options: dict[str, Any]
    wants_astropy: bool = True


class FileHandle(Handle):
    """Handle of a file, shared by its nodes."""

    __slots__ = ("_origin", "can_change", "wants_astropy")
    _free = lib.asdf_file_free

    def __init__(self, address: int, origin: Origin | None = None, can_change: bool = False) -> None:
        super().__init__(address)
        #: True for a new file, and for one that was opened for update.
        self.can_change = can_change
        self._origin = origin
        #: Whether values are objects of astropy, where it is installed.
        self.wants_astropy = origin is None or origin.wants_astropy

    @property
    def is_changing(self) -> bool:
        """True if the content can differ from that of a file on disk."""
        return self._origin is None

    def origin(self) -> Origin:
        if self._origin is None:
            raise TypeError("only content of files that were opened by name for reading can be pickled")
        return self._origin


class NodeHandle(Handle):
    """Handle of a node. It keeps its file open; a node of a table's metadata has no file."""

    __slots__ = ("_file",)
    _free = lib.asdf_node_free

    def __init__(self, address: int, file: FileHandle | None) -> None:
        super().__init__(address)
        self._file: Any = file

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Forgets the failure of a change.

        The library remembers it and then refuses to write the file, but an exception cannot be overlooked.
        """
        try:
            yield
        except BaseException:
            if self._file is not None:
                lib.asdf_file_forget_failure(self._file._pointer)
            raise

    def _identity(self) -> int:
        return int64(lib.asdf_node_identity, self._pointer, b"")

    def _count(self) -> int:
        return int64(lib.asdf_node_count, self._pointer, b"")

    def _tag(self) -> str | None:
        return text(lib.asdf_node_tag, self._pointer, b"") or None

    def _key(self, index: int) -> Any:
        """Key of a pair of a mapping."""
        kind = int32(lib.asdf_node_key_type, self._pointer, b"", index)
        if kind == KeyType.INTEGER:
            return int64(lib.asdf_node_key_i64, self._pointer, b"", index)
        if kind == KeyType.BOOL:
            return bool(int32(lib.asdf_node_key_bool, self._pointer, b"", index))
        key = text(lib.asdf_node_key_string, self._pointer, b"", index)
        return literal(key) if kind == KeyType.STRING else Key(key, KeyType.OTHER)


class TableHandle(Handle):
    """Handle of a table."""

    __slots__ = ()
    _free = lib.asdf_table_free
