"""Calls libasdfkit_formats through its C interface. ASDFKIT_FORMATS names it, ASDFKIT_LIBRARY the core."""

import ctypes
import os

library = ctypes.CDLL(os.environ["ASDFKIT_FORMATS"])
core = ctypes.CDLL(os.environ["ASDFKIT_LIBRARY"])
if library.asdf_formats_load(os.environ["ASDFKIT_LIBRARY"].encode()) != 0:
    text = ctypes.create_string_buffer(1000)
    library.asdf_formats_error_message(text, ctypes.c_size_t(1000), None)
    raise SystemExit(text.value.decode())
core.asdf_status_name.restype = ctypes.c_char_p


class ConversionError(Exception):
    """A conversion failed. Its arguments are the name of the status and the message."""


def _convert(function, *arguments):
    report = ctypes.c_void_p()
    status = function(*arguments, ctypes.byref(report))
    if status != 0:
        text = ctypes.create_string_buffer(4000)
        core.asdf_error_message(text, ctypes.c_size_t(4000), None)
        raise ConversionError(core.asdf_status_name(status).decode(), text.value.decode())
    count = ctypes.c_int64()
    library.asdf_formats_report_count(report, ctypes.byref(count))
    entries = []
    for index in range(count.value):
        text, is_loss = ctypes.create_string_buffer(4000), ctypes.c_int32()
        library.asdf_formats_report_entry(
            report, ctypes.c_int64(index), ctypes.byref(is_loss), text, ctypes.c_size_t(4000), None
        )
        entries.append((bool(is_loss.value), text.value.decode()))
    library.asdf_formats_report_free(report)
    return entries


def fits_to_asdf(fits, asdf, options=None):
    """Converts, and returns the report: pairs of whether something was lost, and a text."""
    return _convert(library.asdf_formats_fits_to_asdf, str(fits).encode(), str(asdf).encode(), options)


def asdf_to_fits(asdf, fits, options=None):
    """Converts back, and returns the report."""
    return _convert(library.asdf_formats_asdf_to_fits, str(asdf).encode(), str(fits).encode(), options)
