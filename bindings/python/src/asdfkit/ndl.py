"""Descriptions in the Ndarray Data Language (NDL): read, checked, made from files, exported and compared."""

from __future__ import annotations

import json
import os
from ctypes import byref, c_int64
from typing import TYPE_CHECKING, Any

from . import files
from ._library import Handle, encoded, extents, file_name, int32, int64, lib, text, utf8
from ._library import check as raise_failure
from ._options import constant, options_for
from ._report import Finding, findings, findings_of
from ._sources import opened, returned_bytes
from .constants import NdlFormat, NdlIgnore, NdlKind

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import _option_types as types


class Description(Handle):
    """A description of groups, arrays and dimension coordinates. It does not change."""

    __slots__ = ()
    _free = lib.asdf_ndl_free

    @property
    def is_valid(self) -> bool:
        """True if the text has no errors."""
        return bool(int32(lib.asdf_ndl_is_valid, self._pointer))

    def report(self) -> list[Finding]:
        """Errors and irregularities of the text, with line and column, or content that it cannot express."""
        return findings(lib.asdf_ndl_report, self._pointer)

    @property
    def groups(self) -> list[str]:
        """Path names of the groups."""
        return self._paths(NdlKind.GROUP)

    @property
    def coordinates(self) -> list[str]:
        """Path names of the dimension coordinates."""
        return self._paths(NdlKind.DIMCOORD)

    @property
    def arrays(self) -> list[str]:
        """Path names of the arrays."""
        return self._paths(NdlKind.NDARRAY)

    def _paths(self, kind: int) -> list[str]:
        count = int64(lib.asdf_ndl_count, self._pointer, kind)
        return [text(lib.asdf_ndl_path, self._pointer, kind, index) for index in range(count)]

    def shape(self, path: str, attribute: str | None = None) -> tuple[int, ...]:
        """Extents of an array, a dimension coordinate or an attribute; -1 for an unlimited dimension."""
        name = None if attribute is None else encoded(attribute, "attribute")
        return extents(lib.asdf_ndl_shape, self._pointer, encoded(path), name)

    def attributes(self, path: str) -> list[str]:
        """Names of the attributes of an object."""
        name = encoded(path)
        count = int64(lib.asdf_ndl_attribute_count, self._pointer, name)
        return [text(lib.asdf_ndl_attribute_name, self._pointer, name, index) for index in range(count)]

    def nbytes(self) -> int:
        """Size of all arrays and dimension coordinates whose size is known."""
        total, unknown = c_int64(), c_int64()
        raise_failure(lib.asdf_ndl_total_size(self._pointer, byref(total), byref(unknown)))
        return total.value

    def export(
        self, format: str = "text", name: str | None = None, **options: Unpack[types.ExportingDescriptionsOptions]
    ) -> str:
        """Text in a format: "text" (the canonical text), "json", "cdl", "c" or "fortran".

        `name` is that of the CDL data set, of the Fortran module, or the prefix of the C identifiers.
        """
        number = constant("the format", NdlFormat, format)
        title = None if name is None else encoded(name, "name")
        with options_for("asdf_ndl_export", options) as made:
            return returned_bytes(made, lib.asdf_ndl_export, self._pointer, number, title).decode()

    def __str__(self) -> str:
        return self.export() if self.is_valid else repr(self)

    def content(self) -> Any:
        """The whole description as dicts and lists: "groups", "dimcoords" and "ndarrays" by path name."""
        return json.loads(self.export("json"))

    def write(self, path: Any, **options: Unpack[types.WritingDescriptionsOptions]) -> None:
        """Writes the canonical text to a file."""
        with options_for("asdf_ndl_write", options) as made:
            made.check(lib.asdf_ndl_write(self._pointer, file_name(path), made.pointer))

    def create_asdf(self, path: Any, **options: Unpack[types.MakingASDFFilesFromDescriptionsOptions]) -> list[Finding]:
        """Creates an ASDF file with the described arrays, and returns notes about it."""
        with options_for("asdf_ndl_create_asdf", options) as made:
            return findings_of(opened(made, lib.asdf_ndl_create_asdf, self._pointer, file_name(path)))

    def compare(self, newer: Description, ignore: int = 0) -> list[Finding]:
        """Differences that turn this description into a newer one; `ignore` is a sum of `constants.NdlIgnore`."""
        return findings(lib.asdf_ndl_compare, self._pointer, of(newer), int(NdlIgnore(ignore)))

    def conform(self, file: Description, *, subset: bool = False) -> list[Finding]:
        """Places where the description of a file does not conform to this one. With `subset`, it may have more."""
        return findings(lib.asdf_ndl_conform, self._pointer, of(file), int(subset))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Description):
            return NotImplemented
        return bool(int32(lib.asdf_ndl_is_same, self._pointer, other._pointer))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return parse, (self.export(),)


def of(description: Any) -> int:
    if not isinstance(description, Description):
        raise TypeError(f"a Description is needed, not {type(description).__name__}")
    return description._pointer


def read(path: Any, **options: Unpack[types.ReadingDescriptionsOptions]) -> Description:
    """Reads a description from a file. Errors of its content are in its `report`; a text that is no YAML fails."""
    with options_for("asdf_ndl_read", options) as made:
        return Description(opened(made, lib.asdf_ndl_read, file_name(path)))


def parse(string: str, **options: Unpack[types.ReadingDescriptionsOptions]) -> Description:
    """Reads a description from a text, as `read` does from a file."""
    data = utf8(string)
    with options_for("asdf_ndl_read_memory", options) as made:
        return Description(opened(made, lib.asdf_ndl_read_memory, data, len(data)))


def check(path: Any, **options: Unpack[types.ReadingDescriptionsOptions]) -> list[Finding]:
    """Reads a description and returns its errors and irregularities, none for a good one."""
    return read(path, **options).report()


def describe(file: Any, **options: Unpack[types.DescribingASDFFilesOptions]) -> Description:
    """Describes an ASDF file: an open `File`, or the name of one."""
    if isinstance(file, (str, os.PathLike)):
        with files.open(file) as opened_file:
            return describe(opened_file, **options)
    return _describe(file, options)


def _describe(file: files.File, options: Any) -> Description:
    if not isinstance(file, files.File):
        raise TypeError(f"a File or its name is needed, not {type(file).__name__}")
    with options_for("asdf_ndl_describe", options) as made:
        return Description(opened(made, lib.asdf_ndl_describe, file._file._pointer))
