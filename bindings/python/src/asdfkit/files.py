"""ASDF files: opening, creating, writing and saving, and the work on whole files."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping
from ctypes import byref, c_int32, c_int64
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _sources, streams
from ._functions import CALLS, EVERY_CALL
from ._handles import FileHandle, Origin
from ._library import check, encoded, file_name, int64, lib, pointer, text, utf8
from ._options import LONG_CALL, options_for
from ._report import Finding, findings, findings_of
from ._setting import check_outside, holds_array
from ._setting import prepared as prepared_value
from ._values import Key
from .blocks import Block
from .constants import Recover, Repair
from .nodes import List, Node, Tree
from .schemas import SchemaSet, validated
from .tables import table_of

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from . import _option_types as types

MODES = ("r", "r+", "rw")


def reopen(origin: Origin) -> File:
    """Opens a file again, in the process that loads a pickle."""
    return File(_sources.reopened(origin))


def open(
    path: Any, mode: str = "r", *, astropy: bool = True, **options: Unpack[types.OpeningFilesForUpdateOptions]
) -> File:
    """Opens an ASDF file.

    Parameters
    ----------
    path : str, os.PathLike, bytes-like or binary file object
        Name of the file, its content, or a file object. "~" stands for the home directory. A URL may begin with
        "file://"; one of https, s3, gs or az is read by libasdfkit_remote, if that is installed. Of a file object that can seek, the content from the first byte on is read, whatever its position; the
        rest of any other one is read into memory.
    mode : {"r", "r+"}
        "r" reads. "r+" (or "rw") also changes: `File.save` writes the changes. Bytes and file objects are copied for
        that, and `write` or `to_bytes` writes the changed file.
    astropy : bool
        Whether quantities, units, times, coordinates and tables are read as objects of astropy where it is installed.
        False gives those of this package, which read their elements when they are asked for. Objects of astropy from a
        file that can change are read-only: store a changed copy.
    verify_checksums, access, ... :
        Options; see `help(asdfkit.options)`.

    Returns
    -------
    File
        A mapping, and a context manager that closes the file.

    Raises
    ------
    AsdfError
        A `MissingFileError` (a FileNotFoundError), a `FormatError` and so on.
    """
    if mode not in MODES:
        raise ValueError(f"the mode is 'r' or 'r+', not {mode!r}; asdfkit.new() makes a new file")
    if isinstance(path, (str, os.PathLike)):
        return File(_sources.open_named(path, options, for_update=mode != "r", wants_astropy=bool(astropy)))
    handle = _sources.open_source(path, options) if mode == "r" else _sources.open_copy(path, options)
    handle.wants_astropy = bool(astropy)
    return File(handle)


def new(
    tree: Mapping[Any, Any] | None = None, *, astropy: bool = True, **options: Unpack[types.NewFilesOptions]
) -> File:
    """Creates a file in memory; `File.write` writes it.

        >>> asdfkit.new({"meta": {"telescope": "Roman"}, "data": image}).write("image.asdf")

    Parameters
    ----------
    tree : mapping, optional
        Content, as for `File.update`: each key is one of the root, and no path. Without it the file is empty.
    astropy : bool
        Whether values are read as objects of astropy, as in `open`.
    standard, ... :
        Options; `standard` sets the version of ASDF.
    """
    handle = _sources.new_file(options)
    handle.wants_astropy = bool(astropy)
    file = File(handle)
    if tree is not None:
        if not isinstance(tree, Mapping):
            raise TypeError(f"the tree of a file is a mapping, not a {type(tree).__name__}")
        file.update(tree if isinstance(tree, Tree) else {literal_key(key): value for key, value in tree.items()})
    return file


def write(path: Any, tree: Mapping[Any, Any], *, standard: str | None = None, **options: Any) -> None:
    """Writes a new file with a tree: `asdfkit.new(tree).write(path)` without a copy of the arrays in memory.

        >>> asdfkit.write("image.asdf", {"meta": {"telescope": "Roman"}, "data": image}, compression="zlib")

    Parameters
    ----------
    path : str, os.PathLike or binary file object
        Place of the file, as for `File.write`.
    tree : mapping
        Content, as for `new`. Its arrays must not change during the call.
    standard : str
        Version of the ASDF standard.
    replace, compression, ... :
        Options of `File.write`, and for all arrays those of `File.set`.
    """
    if not isinstance(tree, Mapping):
        raise TypeError(f"the tree of a file is a mapping, not a {type(tree).__name__}")
    of_call = "asdf_file_write" if isinstance(path, (str, os.PathLike)) else "asdf_file_write_memory"
    known = {*CALLS[of_call], *EVERY_CALL}
    is_of_arrays = {name: name not in known and name in CALLS["asdf_node_set_array"] for name in options}
    of_arrays = {name: value for name, value in options.items() if is_of_arrays[name]}
    with new(standard=standard) as file:
        for key in tree:
            file._lend(literal_key(key), tree.node(Key(key)) if isinstance(tree, Tree) else tree[key], of_arrays)
        file.write(path, **{name: value for name, value in options.items() if not is_of_arrays[name]})


def in_parallel(options: Any) -> dict[str, Any]:
    """Options of a call that writes, with some threads by default: one computes checksums while another one writes."""
    return {"threads": min(4, os.cpu_count() or 1), **options}


def literal_key(key: Any) -> Any:
    """A key that is no path."""
    return Key(key) if isinstance(key, str) and not isinstance(key, Key) else key


class Transfers(NamedTuple):
    """Requests for bytes of a file, and of the files that it refers to."""

    #: Number of calls; each may need several requests of the protocol of a server.
    requests: int
    #: Number of bytes asked for, with those that were read ahead.
    bytes: int


class File(Tree):
    """An ASDF file: its tree as a mapping, and the work on the whole file.

    Use it with `with`, or call `close`. Leaving the `with` block does not save changes. Nodes and arrays of a closed
    file fail with the status `CLOSED`; NumPy arrays and views stay valid.
    """

    __slots__ = ()

    def __init__(self, handle: FileHandle) -> None:
        if not isinstance(handle, FileHandle):
            raise TypeError("asdfkit.open(path) opens a file, and asdfkit.new() makes one")
        super().__init__(pointer(lib.asdf_file_root, handle._pointer), handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file. Changes that were not saved are lost. Closing twice is allowed."""
        check(lib.asdf_file_close(self._file._pointer))

    def _title(self) -> str:
        return f"<asdfkit.File {self.name!r}>"

    def __reduce__(self) -> Any:
        return reopen, (self._file.origin(),)

    def _lend(self, key: Any, value: Any, options: dict[str, Any]) -> None:
        """Sets a value whose arrays are read when the file is written. The options are for arrays."""
        prepared = prepared_value(value, {}, table_of)
        self.set(key, value, lend=True, **(options if holds_array(prepared) else {}))

    # Properties -------------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name under which the file was opened; "" if it has none."""
        return os.fsdecode(text(lib.asdf_file_name, self._file._pointer).encode("utf-8", "surrogateescape"))

    @property
    def transfers(self) -> Transfers:
        """How much was asked for so far from the server or the file object that the file is on; none for a disk."""
        requests, size = c_int64(), c_int64()
        check(lib.asdf_file_transfers(self._file._pointer, byref(requests), byref(size)))
        return Transfers(requests.value, size.value)

    @property
    def format_version(self) -> str:
        """Version of the file format in the first line."""
        return text(lib.asdf_file_format_version, self._file._pointer)

    @property
    def standard(self) -> str:
        """Version of the ASDF standard that is used to read or write the file."""
        return text(lib.asdf_file_standard, self._file._pointer)

    @property
    def declared_standard(self) -> str | None:
        """Version of the ASDF standard that the file declares, if any."""
        return text(lib.asdf_file_declared_standard, self._file._pointer) or None

    @property
    def comments(self) -> list[str]:
        """Comment lines before the tree."""
        count = int64(lib.asdf_file_comment_count, self._file._pointer)
        return [text(lib.asdf_file_comment, self._file._pointer, index) for index in range(count)]

    def add_comment(self, comment: str) -> None:
        """Adds a comment line to a new file."""
        data = utf8(comment)
        check(lib.asdf_file_add_comment(self._file._pointer, data, len(data)))

    @property
    def history(self) -> list[Any]:
        """Entries of the history, oldest first; each is a `Tree` with "description", "time" and "software"."""
        try:
            entries = Node(pointer(lib.asdf_file_history, self._file._pointer), self._file).node()
        except KeyError:
            return []
        return list(entries) if isinstance(entries, List) else []

    def add_history(
        self,
        description: str,
        time: datetime.datetime | None = None,
        software: str | None = None,
        version: str | None = None,
        author: str | None = None,
        homepage: str | None = None,
    ) -> None:
        """Appends an entry to the history. The default for `time` is now; a time without a zone is in UTC."""
        data = utf8(description)
        stamp = None
        if time is not None:
            if not isinstance(time, datetime.datetime):
                raise TypeError(f"the time of an entry is a datetime, not {type(time).__name__}")
            if time.tzinfo is not None:
                time = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
            stamp = f"{time.isoformat()}Z".encode()
        texts = (None if item is None else encoded(item, "text") for item in (software, version, author, homepage))
        check(lib.asdf_file_add_history(self._file._pointer, data, len(data), stamp, *texts))

    @property
    def extensions(self) -> list[Any]:
        """Extensions that the file was written with; each is a `Tree` with "extension_class", "software" and so on."""
        try:
            entries = Node(pointer(lib.asdf_file_extensions, self._file._pointer), self._file).node()
        except KeyError:
            return []
        return list(entries) if isinstance(entries, List) else []

    def add_extension(
        self, class_name: str, uri: str | None = None, software: str | None = None, version: str | None = None
    ) -> None:
        """Records an extension. An entry with the same URI, or without one with the same class, is replaced."""
        texts = (None if item is None else encoded(item, "text") for item in (uri, software, version))
        check(lib.asdf_file_add_extension(self._file._pointer, encoded(class_name, "text"), *texts))

    def report(self, *, check_blocks: bool = False) -> list[Finding]:
        """Warnings about the file so far; with `check_blocks`, all block headers are checked first."""
        if check_blocks:
            check(lib.asdf_file_check_blocks(self._file._pointer))
        return findings(lib.asdf_file_report, self._file._pointer)

    @property
    def blocks(self) -> list[Block]:
        """Blocks of the file, in order."""
        count = int64(lib.asdf_file_block_count, self._file._pointer)
        return [Block(self._file, index) for index in range(count)]

    # Writing ----------------------------------------------------------------------------------------------------------

    def write(self, path: Any, **options: Unpack[types.WritingFilesOptions]) -> None:
        """Writes the file under a name, or to a binary file object.

        An existing file of that name is an `ExistingFileError` (a FileExistsError), unless `replace=True`. It stays
        unchanged until the new one is complete. Checksums and compression of large arrays use up to four threads, unless
        `threads=1`.
        """
        if isinstance(path, (str, os.PathLike)):
            self._call("asdf_file_write", in_parallel(options), file_name(path))
        elif hasattr(path, "write"):
            path.write(self.to_bytes(**options))  # type: ignore[misc]
        else:
            raise TypeError(f"a file is written to a path or a file object, not to {type(path).__name__}")

    def to_bytes(self, **options: Unpack[types.WritingFilesWithoutANameOptions]) -> bytes:
        """The file as bytes."""
        with options_for("asdf_file_write_memory", in_parallel(options), LONG_CALL) as made:
            return _sources.returned_bytes(made, lib.asdf_file_write_memory, self._file._pointer)

    def save(self, **options: Unpack[types.SavingFilesOptions]) -> None:
        """Saves the changes of a file that was opened for update. Text and blocks that did not change stay."""
        self._call("asdf_file_save", in_parallel(options))

    def compact(self, **options: Unpack[types.CompactingAndRepairingFilesOptions]) -> None:
        """Saves the file in its smallest form, without unused blocks and gaps."""
        self._call("asdf_file_compact", in_parallel(options))

    def explode(self, path: Any, **options: Unpack[types.ExplodingAndImplodingFilesOptions]) -> None:
        """Writes a copy with each block in a file of its own, beside the main file."""
        self._call("asdf_file_explode", options, file_name(path))

    def implode(self, path: Any, **options: Unpack[types.ExplodingAndImplodingFilesOptions]) -> None:
        """Writes a copy that contains the blocks of other files. Open the file with `access="same_directory"`."""
        self._call("asdf_file_implode", options, file_name(path))

    def _call(self, function: str, options: Any, *arguments: Any) -> None:
        with options_for(function, options, LONG_CALL) as made:
            made.check(getattr(lib, function)(self._file._pointer, *arguments, made.pointer))

    def stream_rows(
        self, path: Any, node_path: str, dtype: Any, row_shape: tuple[int, ...] = (), **options: Any
    ) -> streams.RowStream:
        """Starts writing this file with an array whose rows are pushed one after the other; see `RowStream`."""
        check_outside(self, node_path)
        return streams.start(self._file, path, node_path, dtype, row_shape, options)

    # Checks -----------------------------------------------------------------------------------------------------------

    def verify(self, **options: Unpack[types.BlocksStoredViewsAndResizingOptions]) -> dict[str, int]:
        """Checks that the file is whole, and fails with the first problem: a block that is cut or does not match its
        checksum, an array that does not fit into its block, a reference that leads nowhere. Reads no elements.

        Returns
        -------
        dict
            Numbers of blocks: "absent" (without a checksum), "stored" and "decoded" (bytes that the checksum is of).
        """
        counts = [c_int64() for _ in range(3)]
        with options_for("asdf_file_verify", options, LONG_CALL) as made:
            made.check(lib.asdf_file_verify(self._file._pointer, made.pointer, *map(byref, counts)))
        return dict(zip(("absent", "stored", "decoded"), (count.value for count in counts)))

    def inspect(self, **options: Unpack[types.BlocksStoredViewsAndResizingOptions]) -> list[Finding]:
        """Checks that the file is whole, and returns all findings. Damage is not an error here.

        Returns
        -------
        list of Finding
            Damage with the severity "error", parts that cannot be checked and warnings of the file with the severity
            "warning", and notes.
        """
        with options_for("asdf_file_inspect", options, LONG_CALL) as made:
            return findings_of(_sources.opened(made, lib.asdf_file_inspect, self._file._pointer))

    def validate(self, schemas: SchemaSet = None, schema: str | dict[str, Any] | None = None) -> list[Finding]:
        """Validates the tree by the schemas of its tags. Violations are not errors here.

        Parameters
        ----------
        schemas : asdfkit.Schemas, name or path of a package, or list of them, optional
            Schemas; by default those of all packages on the search path. Make an `asdfkit.Schemas` to use them for many
            files.
        schema : str or dict, optional
            Schema that the root must match besides those of its tags: the URI of one of the schemas, or a schema as
            text or dict.

        Returns
        -------
        list of Finding
            An "error" for each violated keyword, with path, line, column, the keyword as `code` and its place in the
            schema as `subject`. Notes after it tell which choice comes closest. A "warning" tells that a schema is
            missing. Empty if the file is valid.
        """
        return validated(schemas, schema, lib.asdf_file_validate, self._file._pointer)

    def repair(
        self,
        what: int = Repair.INDEX | Repair.ABSENT_CHECKSUMS,
        **options: Unpack[types.CompactingAndRepairingFilesOptions],
    ) -> dict[str, int]:
        """Repairs block index and checksums of a file that was opened for update.

        Returns
        -------
        dict
            "index": 1 if the index was written; "checksums": number of changed checksums.
        """
        index, checksums = c_int32(), c_int64()
        with options_for("asdf_file_repair", options, LONG_CALL) as made:
            address = self._file._pointer
            made.check(lib.asdf_file_repair(address, int(what), made.pointer, byref(index), byref(checksums)))
        return {"index": index.value, "checksums": checksums.value}


def recover(path: Any, new_path: Any, what: int = 0, **options: Unpack[types.RecoveringFilesOptions]) -> list[Finding]:
    """Writes the readable parts of a damaged file into a new file, and returns the losses.

    `what` is 0 or `constants.Recover.WHOLE_BLOCKS`.
    """
    names = file_name(path), file_name(new_path)
    with options_for("asdf_file_recover", options, LONG_CALL) as made:
        address = _sources.opened(made, lib.asdf_file_recover, *names, int(Recover(what)))
    return findings_of(address)
