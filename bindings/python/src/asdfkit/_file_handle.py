"""The handle of a file, which the objects of its content share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._library import Handle, lib


@dataclass(frozen=True)
class Origin:
    """How a file was opened by name, for pickles."""

    path: str
    options: dict[str, Any]


class FileHandle(Handle):
    """Handle of a file, shared by its nodes."""

    __slots__ = ("_origin",)
    _free = lib.asdf_file_free

    def __init__(self, address: int, origin: Origin | None = None) -> None:
        super().__init__(address)
        self._origin = origin

    @property
    def is_changing(self) -> bool:
        """True if the content can differ from that of a file on disk."""
        return self._origin is None

    def origin(self) -> Origin:
        if self._origin is None:
            raise TypeError("only content of files that were opened by name for reading can be pickled")
        return self._origin
