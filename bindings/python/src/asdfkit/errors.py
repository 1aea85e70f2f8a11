"""Exceptions of the package: one class for each group of statuses, some of them also Python's own.

Every exception is an `AsdfError`, which carries the status and the place of the problem.
"""

import re
from typing import Any

from .constants import Status

#: A constant of C after the name of an option, which is the keyword here.
CONSTANT = re.compile(r" \(ASDF_OPTION_\w+\)")
#: Advice of the library in its own terms, and in those of this package.
ADVICE = {
    "open it for update": "open it with the mode 'r+'",
    "request the mask, pass a fill value, or read the array without its mask": (
        "read() returns a masked array, read(fill=...) replaces missing elements, without_mask() ignores the mask"
    ),
    "write to the array without its mask": (
        "array.without_mask()[index] = value writes elements, and file[path + '/mask'][index] = False, or True, changes "
        "a mask that is an array"
    ),
    "ask for the rests as well, or for Julian dates": "times(rounded=True) reads the nearest nanosecond",
    "so it holds no ASDF tree": "so it holds no ASDF tree; asdfkit.formats.open_fits() reads other FITS files",
}


class AsdfError(Exception):
    """Failure of a call of the library.

    Attributes
    ----------
    status : Status or int
        Stable number of the problem; an int if it is newer than this package.
    message : str
        Position, if known, and one sentence.
    path : str or None
        Path of the node in the tree.
    file : str or None
        Name of the file.
    subject : str or None
        Column of a table.
    line, column : int or None
        Position in the file, both from 1.
    offset : int or None
        Position in the file in bytes, from 0.
    """

    status: int
    message: str
    path: str | None
    file: str | None
    subject: str | None
    line: int | None
    column: int | None
    offset: int | None

    def __init__(self, message: str, status: int = Status.INTERNAL, details: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        names = ("path", "file", "subject", "line", "column", "offset")
        for name in names:
            setattr(self, name, (details or {}).get(name))

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> Any:
        names = ("path", "file", "subject", "line", "column", "offset")
        return type(self), (self.message, self.status, {name: getattr(self, name) for name in names})


class UsageError(AsdfError, ValueError):
    """The call is not possible: wrong arguments, a closed file, a removed node."""


class CancelledError(AsdfError):
    """The progress callback cancelled the call."""


class IndexRangeError(UsageError, IndexError):
    """An index, a region or a number is out of range."""


class FileError(AsdfError, OSError):
    """The operating system reported an error; `errno` is its number, if known."""


class MissingFileError(FileError, FileNotFoundError):
    """No file has this name."""


class ExistingFileError(FileError, FileExistsError):
    """A file of this name exists and may not be replaced."""


class DeniedError(FileError, PermissionError):
    """The system, or the options of the open call, deny the access."""


class OutOfMemoryError(AsdfError, MemoryError):
    """Memory could not be allocated."""


class FormatError(AsdfError, ValueError):
    """The file is not laid out as its format requires."""


class CodecError(AsdfError, ValueError):
    """A compressed block is damaged, or its codec is unknown."""


class TreeError(AsdfError, ValueError):
    """The tree, or a value in it, is not valid or cannot be used as asked."""


class NotFoundError(TreeError, KeyError):
    """Nothing exists at the path."""


class WrongTypeError(TreeError, TypeError):
    """The node does not have the requested type."""


class ArrayError(AsdfError, ValueError):
    """An array cannot be read or converted as asked."""


class LimitError(AsdfError):
    """A limit of the open options was exceeded."""


class TableError(AsdfError, ValueError):
    """The text of a table is not valid."""


class SchemaError(AsdfError, ValueError):
    """A schema is malformed, or missing."""


class InvalidError(AsdfError, ValueError):
    """The content does not match its schemas."""


GROUPS: dict[int, type[AsdfError]] = {
    1: UsageError,
    2: FileError,
    3: FormatError,
    4: CodecError,
    5: TreeError,
    6: ArrayError,
    7: LimitError,
    8: TableError,
    10: SchemaError,
}
SPECIAL: dict[int, type[AsdfError]] = {
    Status.OUT_OF_RANGE: IndexRangeError,
    Status.CANCELLED: CancelledError,
    Status.FILE_NOT_FOUND: MissingFileError,
    Status.PERMISSION_DENIED: DeniedError,
    Status.ACCESS_DENIED: DeniedError,
    Status.FILE_EXISTS: ExistingFileError,
    Status.OUT_OF_MEMORY: OutOfMemoryError,
    Status.NOT_FOUND: NotFoundError,
    Status.WRONG_TYPE: WrongTypeError,
    Status.INVALID: InvalidError,
}


def in_python(message: str) -> str:
    """A message of the library in the terms of this package."""
    message = CONSTANT.sub("", message)
    for advice, own in ADVICE.items():
        message = message.replace(advice, own)
    return message


def make(
    status: int,
    message: str,
    path: str | None = None,
    file: str | None = None,
    subject: str | None = None,
    line: int | None = None,
    column: int | None = None,
    offset: int | None = None,
    number: int | None = None,
) -> AsdfError:
    """Makes the exception for a status."""
    try:
        status = Status(status)
    except ValueError:
        pass
    kind = SPECIAL.get(status) or GROUPS.get(status // 100, AsdfError)
    details = {"path": path, "file": file, "subject": subject, "line": line, "column": column, "offset": offset}
    error = kind(in_python(message), status, details)
    if isinstance(error, OSError):
        error.errno = number
        error.filename = file
    return error
