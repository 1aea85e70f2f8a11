"""References to the arrays of files, for readers of zarr: fsspec, xarray and Dask, kerchunk, VirtualiZarr."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from ctypes import c_void_p
from typing import TYPE_CHECKING, Any

from . import _sources
from ._library import lib
from ._options import options_for
from .files import File
from .files import open as open_file

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import _option_types as types


def export_references(files: Any, **options: Unpack[types.ExportingReferencesOptions]) -> dict[str, Any]:
    """References to the arrays of one file or several, as a dictionary in the form of kerchunk, version 1.

    Readers such as `fsspec` with `zarr` and `xarray` then read the arrays where they lie, without this package.
    Arrays that zarr cannot express are left out; `references["asdfkit"]["notes"]` names them.

    Parameters
    ----------
    files : str, os.PathLike, File, or a list of these
        The files. The arrays of the same path in several files become one array.
    slab_bytes : int
        Wanted size of the parts of an uncompressed array.
    url : str
        URL of the file, or, with "/" at its end, of the folder that holds the files.
    root : str
        Path of the node that becomes the root group.
    join_dimension : str
        Name of the new dimension, with one index for each file; "" if the arrays have the dimension already.
    join_axis : int
        Index of the dimension along which the files are joined.
    same : list of str
        Paths of arrays that are the same in all files.
    inline_bytes : int
        Largest number of bytes of an array in the tree whose elements are written into the references.

    Examples
    --------
    >>> references = asdfkit.export_references(["a.asdf", "b.asdf"], join_dimension="time")
    >>> xarray.open_dataset(references, engine="kerchunk")
    """
    given = [files] if isinstance(files, (str, os.PathLike, File)) else list(_checked(files))
    with ExitStack() as opened:
        handles = [file if isinstance(file, File) else opened.enter_context(open_file(file)) for file in given]
        pointers = (c_void_p * len(handles))(*(file._file._pointer for file in handles))
        with options_for("asdf_file_export_references", options) as made:
            text = _sources.returned_bytes(made, lib.asdf_file_export_references, pointers, len(handles))
    references: dict[str, Any] = json.loads(text)
    return references


def _checked(files: Any) -> Iterable[Any]:
    if not isinstance(files, Iterable):
        raise TypeError(f"references are made of files, not of a {type(files).__name__}")
    return files
