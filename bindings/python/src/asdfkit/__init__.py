"""Reads and writes ASDF, ECSV and NDL files.

    >>> import asdfkit
    >>> with asdfkit.open("image.asdf") as file:
    ...     seconds = file["meta/exposure/time"]
    ...     corner = file["data"][:100, :100]

`open` and `new` return a `File`, whose tree reads like a dict; `write` writes one in a single call. Arrays are read only when they are indexed. All errors
are subclasses of `AsdfError`.
"""

import importlib
from typing import TYPE_CHECKING

from . import constants, errors, ndl, options, units
from ._column import Column
from ._converters import register
from ._library import lib as _lib
from ._logical import LogicalColumn
from ._report import Finding
from ._values import Key, Quantity, Reference, Tagged, TaggedText, Time
from .arrays import Array
from .blocks import Block
from .ecsv import TableIndex, TableReader, TableWriter, read_ecsv, table_index, write_ecsv
from .errors import AsdfError
from .files import File, new, open, recover, write
from .nodes import List, Node, Tree, new_mapping
from .references import export_references
from .schemas import Schemas
from .streams import RowStream
from .table_streams import stream_table
from .tables import Table
from .wcs import WCS, Transform

if TYPE_CHECKING:
    from . import astropy as astropy
    from . import formats as formats
    from . import xarray as xarray
else:
    #: Modules that need other packages or libraries, and are imported when they are used.
    _LATER = ("astropy", "formats", "xarray")

    def __getattr__(name):
        if name in _LATER:
            return importlib.import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *_LATER})


__version__ = "0.1.0"
#: Version of the library.
library_version: str = _lib.asdf_library_version().decode()

__all__ = [
    "WCS",
    "Array",
    "AsdfError",
    "Block",
    "Column",
    "File",
    "Finding",
    "Key",
    "List",
    "LogicalColumn",
    "Node",
    "Quantity",
    "Reference",
    "RowStream",
    "Schemas",
    "Table",
    "TableIndex",
    "TableReader",
    "TableWriter",
    "Tagged",
    "TaggedText",
    "Time",
    "Transform",
    "Tree",
    "constants",
    "errors",
    "export_references",
    "library_version",
    "ndl",
    "new",
    "new_mapping",
    "open",
    "options",
    "read_ecsv",
    "recover",
    "register",
    "stream_table",
    "table_index",
    "units",
    "write",
    "write_ecsv",
]
