"""Other file formats: FITS files as ASDF files, and ASDF files as FITS files.

    >>> import asdfkit.formats
    >>> asdfkit.formats.fits_to_asdf("image.fits", "image.asdf")
    >>> with asdfkit.formats.open_fits("image.fits") as file:
    ...     corner = file["fits/0/data"][:100, :100]

The functions need the library libasdfkit_formats, which `make install-formats` installs beside that of this package.
docs/guide/fits-conversion.md of asdfkit tells which HDU becomes what.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref, c_char_p, c_int32, c_int64, c_size_t, c_void_p
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._handles import FileHandle
from ._library import check, file_name, int64, lib, text
from ._options import options_for
from ._report import Finding
from .files import File

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import _option_types as types

__all__ = ["asdf_to_fits", "fits_to_asdf", "load", "open_fits"]

#: Number of the interface of libasdfkit_formats.
ABI = 1
#: File name of the library on this platform.
FILE_NAME = {"darwin": f"libasdfkit_formats.{ABI}.dylib", "win32": "asdfkit_formats.dll"}.get(
    sys.platform, f"libasdfkit_formats.so.{ABI}"
)

TEXT = (c_char_p, c_size_t, c_void_p)
PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "asdf_formats_load": (c_char_p,),
    "asdf_formats_error_message": TEXT,
    "asdf_formats_open_fits": (c_char_p, c_void_p, c_void_p),
    "asdf_formats_fits_to_asdf": (c_char_p, c_char_p, c_void_p, c_void_p),
    "asdf_formats_asdf_to_fits": (c_char_p, c_char_p, c_void_p, c_void_p),
    "asdf_formats_report_count": (c_void_p, c_void_p),
    "asdf_formats_report_entry": (c_void_p, c_int64, c_void_p, *TEXT),
    "asdf_formats_report_free": (c_void_p,),
}


def fits_to_asdf(fits: Any, asdf: Any, **options: Unpack[types.WritingFilesOptions]) -> list[Finding]:
    """Writes a FITS file as an ASDF file.

    Parameters
    ----------
    fits : str or os.PathLike
        Name of the FITS file.
    asdf : str or os.PathLike
        Name of the ASDF file.
    replace, checksums, ... :
        Options of `File.write`. Blocks have checksums only with `checksums=True`.

    Returns
    -------
    list of Finding
        Losses and notes.

    Raises
    ------
    AsdfError
        The message names HDU, card and byte.
    ImportError
        libasdfkit_formats is not installed.
    """
    with options_for("asdf_file_write", options) as settings:
        return reported(library().asdf_formats_fits_to_asdf, file_name(fits), file_name(asdf), settings.pointer)


def asdf_to_fits(asdf: Any, fits: Any, *, replace: bool = False, durable: bool = True) -> list[Finding]:
    """Writes an ASDF file as a FITS file: the one that it was made of, or any tree by a rule.

    Parameters
    ----------
    asdf : str or os.PathLike
        Name of the ASDF file.
    fits : str or os.PathLike
        Name of the FITS file.
    replace : bool
        Whether an existing file is replaced.
    durable : bool
        Whether the call waits until the file is on disk.

    Returns
    -------
    list of Finding
        Losses and notes: a loss, with the `kind` "loss", is something that the FITS file does not hold.
    """
    with options_for("asdf_file_write", {"replace": replace, "durable": durable}) as settings:
        return reported(library().asdf_formats_asdf_to_fits, file_name(asdf), file_name(fits), settings.pointer)


def open_fits(fits: Any, *, astropy: bool = True) -> File:
    """Opens a FITS file as a new ASDF file in memory. Arrays are read from the FITS file when they are indexed.

    Parameters
    ----------
    fits : str or os.PathLike
        Name of the FITS file.
    astropy : bool
        Whether values are read as objects of astropy, as in `asdfkit.open`.
    """
    address = c_void_p()
    check(library().asdf_formats_open_fits(file_name(fits), byref(address), None))
    handle = FileHandle(address.value or 0)
    handle.wants_astropy = bool(astropy)
    return File(handle)


def load() -> None:
    """Makes `asdfkit.open` decode tile-compressed images in FITS files with an ASDF tree.

    Raises
    ------
    ImportError
        libasdfkit_formats is not installed.
    """
    library()


def reported(function: Any, *arguments: Any) -> list[Finding]:
    """Findings of a conversion."""
    report = c_void_p()
    check(function(*arguments, byref(report)))
    formats = library()
    try:
        return [finding(report, index) for index in range(int64(formats.asdf_formats_report_count, report))]
    finally:
        formats.asdf_formats_report_free(report)


def finding(report: c_void_p, index: int) -> Finding:
    """Finding of a report."""
    is_loss = c_int32()
    entry = text(library().asdf_formats_report_entry, report, index, byref(is_loss))
    kind, severity = ("loss", "warning") if is_loss.value else ("note", "note")
    return Finding(entry=entry, message=entry, severity=severity, kind=kind)


@cache
def library() -> Any:
    """Loads the library. Fails with ImportError and a way to mend it."""
    problems = []
    for name in candidates():
        try:
            loaded = ctypes.CDLL(name)
        except OSError as problem:
            problems.append(str(problem))
            continue
        if loaded.asdf_formats_abi() != ABI:
            raise ImportError(f"{name} has the binary interface {loaded.asdf_formats_abi()}; this package needs {ABI}")
        for function, arguments in PROTOTYPES.items():
            getattr(loaded, function).argtypes = arguments
        if loaded.asdf_formats_load(os.fsencode(lib._name)):
            raise ImportError(text(loaded.asdf_formats_error_message))
        return loaded
    raise ImportError(
        f"the library {FILE_NAME} is not found ({'; '.join(problems)}): `make install-formats` of asdfkit installs it; "
        "ASDFKIT_FORMATS is its path if it is elsewhere"
    )


def candidates() -> list[str]:
    """Names to load, in order: ASDFKIT_FORMATS alone; else beside the library of this package, then the loader."""
    if name := os.environ.get("ASDFKIT_FORMATS"):
        return [name]
    places = [
        Path(lib._name).parent / FILE_NAME,
        Path(__file__).parent / "_lib" / FILE_NAME,
        Path(sys.prefix) / "lib" / FILE_NAME,
    ]
    return [*(str(place) for place in places if place.exists()), FILE_NAME]
