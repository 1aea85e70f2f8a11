"""Reads and writes ASDF, ECSV and NDL files.

    >>> import asdfkit
    >>> with asdfkit.open("image.asdf") as file:
    ...     seconds = file["meta/exposure/time"]
    ...     corner = file["data"][:100, :100]

`open` and `new` return a `File`, whose tree reads like a dict. Arrays are read only when they are indexed.
"""

from . import constants, errors
from ._library import lib as _lib
from .ecsv import TableReader, TableWriter, read_ecsv, write_ecsv
from .errors import AsdfError
from .tables import Column, Table

__version__ = "0.1.0"
#: Version of the library.
library_version: str = _lib.asdf_library_version().decode()

__all__ = [
    "AsdfError",
    "Column",
    "Table",
    "TableReader",
    "TableWriter",
    "constants",
    "errors",
    "library_version",
    "read_ecsv",
    "write_ecsv",
]
