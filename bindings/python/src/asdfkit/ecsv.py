"""Files of ECSV: tables as a whole or in batches."""

from __future__ import annotations

import io
import operator
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_int64, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrow, _sources
from ._column import Column
from ._library import Handle, encoded, file_name, lib, local_path, utf8
from ._memory import close, end_of, lending, read
from ._options import Options, options_for
from ._rows import range_of
from .constants import Status
from .errors import MissingFileError
from .tables import Table

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._handles import NodeHandle


def read_ecsv(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    rows: slice | range | None = None,
    batches: int | bool | None = None,
    units: Mapping[str, str] | None = None,
    **options: Any,
) -> Any:
    """Reads a table from ECSV, also compressed with gzip, bzip2, xz or Zstandard.

    Parameters
    ----------
    source : str, os.PathLike, bytes or file object
        Name of the file, or its content.
    columns : sequence of str, optional
        Names of the columns to read. The table has them in the order of the file. Default: all.
    rows : slice or range, optional
        Rows to read, in steps of one, counted from the first row of the file.
    batches : int or True, optional
        Returns an iterator of tables with at most this number of rows, in memory that does not grow with the file.
        True chooses batches of a few MiB.
    units : mapping, optional
        Units to convert columns to, by name: `{"distance": "km"}`.
    **options
        `null_values` (texts for missing cells besides the empty one, such as ["null"] in files of Gaia),
        `ecsv_strict`, `column_names`, `trim_quoted`, `header_file`, `header_text`, `as_text`, `threads`, `progress`,
        limits.
        docs/guide/tables.md of asdfkit describes them.

    Returns
    -------
    Table or TableReader
        The table, or the iterator of batches.

    Raises
    ------
    TableError
        The header or a row is not valid; the error has the line, the byte offset and the column.
    FormatError
        The content is no ECSV, its compressed bytes are damaged, or it ends early.
    ArrayError
        A column has a datatype that tables do not have.
    NotFoundError
        The table has no column of a name in `columns`.
    FileNotFoundError, OSError
        The file cannot be read. A text in place of a name is a FileNotFoundError; pass `text.encode()`.

    Examples
    --------
    >>> table = asdfkit.read_ecsv("catalogue.ecsv", columns=["ra", "dec"])
    >>> table["ra"].mean()
    """
    first, count = range_of(rows, None)
    if isinstance(source, str) and "\n" in source and not os.path.exists(source):
        raise MissingFileError("no file has this name; the text of a table is passed as bytes", Status.FILE_NOT_FOUND)
    if isinstance(columns, str):
        columns = [columns]
    if columns is not None and not columns:
        raise ValueError("columns is empty; it needs at least one name")
    options.update(columns=columns, first_row=first or None, row_count=None if count < 0 else count)
    if batches is not None and batches is not False:
        if units:
            raise ValueError("units are converted in each batch: batch.columns[name].convert(unit)")
        size = None if batches is True else operator.index(batches)
        if size is not None and size < 1:
            raise ValueError(f"batches must have at least one row, not {batches}")
        return TableReader(source, dict(options, batch_rows=size))
    table = c_void_p()
    content = content_of(source)
    if content is None:
        name = file_name(source)
        with options_for("asdf_table_read_ecsv", options, _size_of_file(source)) as handle:
            handle.check(lib.asdf_table_read_ecsv(name, handle.pointer, byref(table)))
    else:
        with options_for("asdf_table_read_ecsv_memory", options, content.nbytes) as handle:
            address = content.ctypes.data if content.nbytes else None
            handle.check(lib.asdf_table_read_ecsv_memory(address, content.nbytes, handle.pointer, byref(table)))
    result = Table._of(table.value or 0)
    for column, unit in (units or {}).items():
        Column(result, column).convert(unit)
    return result


def write_ecsv(table: Any, path: Any, **options: Any) -> None:
    """Writes a table to an ECSV file, which gets its name when it is complete.

    Parameters
    ----------
    table : Table, mapping, list of dicts, table of astropy, or object with Arrow's protocol
        The table; anything that `Table` accepts.
    path : str or os.PathLike
        Name of the file; ".gz" and ".bz2" compress it.
    **options
        `replace=True` replaces an existing file. `delimiter` ("space", "comma"), `empty_strings` ("mark", "mark_all",
        "missing", "refuse"), `json_numbers`, `text_compression`, `durable`, `threads`, `progress`.

    Raises
    ------
    FileExistsError
        A file of this name exists, and `replace` is not True.
    """
    as_table(table).write_ecsv(path, **options)


class TableIndex(str):
    """Index of an ECSV file: text with offsets of records, and the number of rows. It can be pickled."""

    __slots__ = ("row_count",)
    row_count: int

    def __new__(cls, text: str, row_count: int) -> Self:
        made = super().__new__(cls, text)
        made.row_count = row_count
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return TableIndex, (str(self), self.row_count)

    def __repr__(self) -> str:
        return f"<asdfkit.TableIndex of {self.row_count} rows>"


def table_index(path: Any, step: int = 0, **options: Any) -> TableIndex:
    """Makes the index of an ECSV file, with which several processes read disjoint ranges of its rows.

    The text is passed over once, near the speed of memory. Quotes and line ends alone are looked at, so that line ends
    inside quotes are known.

    Parameters
    ----------
    path : str or os.PathLike
        Name of the file, which must not be compressed.
    step : int
        Rows from one offset to the next; 0 for about a thousand offsets.
    **options
        Options of `read_ecsv` about the header, such as `header_file`.

    Examples
    --------
    >>> index = asdfkit.table_index("gaia.ecsv")
    >>> half = index.row_count // 2
    >>> second = asdfkit.read_ecsv("gaia.ecsv", rows=slice(half, None), table_index=index)
    """
    name, rows = file_name(path), c_int64()
    with options_for("asdf_table_index", options, _size_of_file(path)) as made:
        text = _sources.returned_bytes(made, _index_of, name, operator.index(step), rows)
    return TableIndex(text.decode(), rows.value)


def _index_of(name: bytes, step: int, rows: c_int64, options: Any, index: Any) -> int:
    return int(lib.asdf_table_index(name, step, options, byref(rows), index))


def as_table(table: Any) -> Table:
    """The table itself, or one that is made from a table of another program."""
    return table if isinstance(table, Table) else Table(table)


def content_of(source: Any) -> Any:
    """Bytes of a source as an array; None for the name of a file."""
    if isinstance(source, (str, os.PathLike)):
        return None
    if hasattr(source, "read"):
        source = source.read()
        if isinstance(source, str):
            source = utf8(source)
    try:
        return np.frombuffer(source, np.uint8) if len(source) else np.zeros(0, np.uint8)
    except (TypeError, ValueError, BufferError):
        raise TypeError(f"a file name, bytes or a file object is needed, not {type(source).__name__}") from None


def _size_of_file(path: Any) -> int:
    try:
        return os.stat(local_path(path)).st_size
    except (OSError, ValueError):
        return 0


def _opened_source(options: Options, source: Any) -> int:
    """Address of a reader of bytes or of a file object, which is read when batches are."""
    if not hasattr(source, "read") or isinstance(source, io.TextIOBase) or end_of(source) is None:
        source = io.BytesIO(content_of(source).tobytes())
    length = end_of(source)
    with lending((source, threading.Lock())) as (_, key):
        function = lib.asdf_table_reader_open_source
        return int(_sources.opened(options, function, read, close, key, length))


class TableReader(Handle, Iterator[Table]):
    """Iterator of the batches of an ECSV file; `asdfkit.read_ecsv(path, batches=True)` makes it.

    Programs that use Arrow read the remaining rows batch by batch: `pyarrow.RecordBatchReader.from_stream(reader)`.
    Several threads may take batches from one reader; each batch is returned once.

    Examples
    --------
    >>> with asdfkit.read_ecsv("gaia.ecsv.gz", batches=100_000) as batches:
    ...     for batch in batches:
    ...         print(batch["parallax"].max())
    """

    __slots__ = ("_capsule", "_lock", "_options")
    _free = lib.asdf_table_reader_free

    def __init__(self, source: Any, options: dict[str, Any]) -> None:
        self._capsule: Any = None
        self._lock = threading.Lock()
        is_named = isinstance(source, (str, os.PathLike))
        # The reader keeps the options, with their progress callback, for all its calls.
        self._options: Options = options_for(
            "asdf_table_reader_open" if is_named else "asdf_table_reader_open_source", options
        )
        with self._options as made:
            if is_named:
                address = _sources.opened(made, lib.asdf_table_reader_open, file_name(source))
            else:
                address = _opened_source(made, source)
        super().__init__(address)

    def __del__(self) -> None:
        self._capsule = None  # dropped here, where no exception is pending
        super().__del__()

    def __repr__(self) -> str:
        return f"<asdfkit.TableReader{'' if self._pointer else ', closed'}>"

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Table:
        table = c_void_p()
        with self._lock:
            self._options.check(lib.asdf_table_reader_next(self._open(), byref(table)))
        if not table.value:
            raise StopIteration
        return Table._of(table.value)

    @property
    def header(self) -> Table:
        """Table of the columns and the metadata, without rows."""
        table = c_void_p()
        with self._lock:
            self._options.check(lib.asdf_table_reader_header(self._open(), byref(table)))
        return Table._of(table.value or 0)

    def _open(self) -> int:
        if not self._pointer:
            raise ValueError("the reader is closed")
        return self._pointer

    def close(self) -> None:
        """Closes the file. Closing twice is allowed."""
        with self._lock:
            self._capsule = None
            super().__del__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Capsule with a stream of the remaining batches, each read when the consumer asks for it."""
        with self._lock:
            address = self._open()
            self._capsule = _arrow.stream_capsule(
                lambda stream: lib.asdf_table_reader_export_arrow_stream(address, None, stream)
            )
            return self._capsule


class TableWriter(Handle):
    """Writer of an ECSV file in batches. The file gets its name when the writer is closed.

    `TableWriter.into` makes a writer of a table in an ASDF file.

    Parameters
    ----------
    path : str or os.PathLike
        Name of the file.
    table : Table
        Columns, their properties and the metadata of the file; its rows are not written.
    **options
        Options of `write_ecsv`.

    Examples
    --------
    >>> with asdfkit.TableWriter("bright.ecsv", first_batch) as writer:
    ...     for batch in batches:
    ...         writer.write(batch)
    """

    __slots__ = ("_lock", "_options")
    _free = lib.asdf_table_writer_free

    def __init__(self, path: Any, table: Any, **options: Any) -> None:
        self._lock = threading.Lock()
        writer = c_void_p()
        self._options: Options = options_for("asdf_table_writer_create", options)
        with self._options as handle:
            handle.check(
                lib.asdf_table_writer_create(file_name(path), as_table(table)._pointer, handle.pointer, byref(writer))
            )
        super().__init__(writer.value or 0)

    @classmethod
    def into(cls, place: NodeHandle, path: str, table: Any, **options: Any) -> Self:
        """Writer of a table in an ASDF file, for a table that does not fit in memory.

        The rows are in a temporary file without a name. Closing the writer stores the table in the tree, and writing the
        file writes it.

        Parameters
        ----------
        place : File or Node
            File, or a node of it.
        path : str
            Path of the table.
        table : Table
            Columns, their properties and the metadata; its rows are not stored.
        temporary_directory : str or os.PathLike
            Directory of the temporary file, which takes about as much space as the table.
        **options
            Options of the storage and the form of the table.

        Examples
        --------
        >>> with asdfkit.new() as file:
        ...     with asdfkit.TableWriter.into(file, "catalogue", first_batch) as writer:
        ...         for batch in batches:
        ...             writer.write(batch)
        ...     file.write("catalogue.asdf")
        """
        self = cls.__new__(cls)
        self._lock = threading.Lock()
        writer = c_void_p()
        self._options = options_for("asdf_node_begin_table", options)
        with self._options as handle:
            where, columns = encoded(path, "path"), as_table(table)._pointer
            handle.check(lib.asdf_node_begin_table(place._pointer, where, columns, handle.pointer, byref(writer)))
        Handle.__init__(self, writer.value or 0)
        return self

    def write(self, table: Any) -> None:
        """Appends the rows of a table with the same columns."""
        table = as_table(table)
        with self._lock:
            self._options.check(lib.asdf_table_writer_append(self._open(), table._pointer))

    def close(self) -> None:
        """Writes the remaining data and gives the file its name, or stores the table. Closing twice is allowed."""
        with self._lock:
            if self._pointer:
                status = lib.asdf_table_writer_finish(self._pointer)
                try:
                    self._options.check(status)
                finally:
                    self._release()

    def discard(self) -> None:
        """Gives up the file: no new file remains."""
        with self._lock:
            self._release()

    def _release(self) -> None:
        super().__del__()

    def _open(self) -> int:
        if not self._pointer:
            raise ValueError("the writer is closed")
        return self._pointer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, problem: object, *_: object) -> None:
        if problem is None:
            self.close()
        else:
            self.discard()
