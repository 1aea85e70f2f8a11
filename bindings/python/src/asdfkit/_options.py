"""Options of a call: keyword arguments of Python become a handle of options, with progress and interrupts.

with options_for("asdf_file_write", {"replace": True}) as options:
    options.check(lib.asdf_file_write(file, path, options.pointer))
"""

from __future__ import annotations

import difflib
import signal
import threading
from collections.abc import Collection, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from . import constants
from ._functions import CALLS, EVERY_CALL, OPTIONS, close_callback, progress_callback
from ._library import Handle, check, encoded, failure, file_name, int64s, is_url, lib, pointer, utf8
from ._memory import set_resolver

if TYPE_CHECKING:
    from typing_extensions import Self

#: Calls of at least this many bytes on the main thread can be interrupted from the keyboard.
LONG_CALL = 64 << 20

#: Names that other packages give to options.
OTHER_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("overwrite", "clobber", "force", "exist_ok"), ("replace",)),
    **dict.fromkeys(("all_array_compression", "array_compression", "codec", "compressor"), ("compression",)),
    **dict.fromkeys(("compression_level", "compression_opts", "complevel", "clevel"), ("level",)),
    **dict.fromkeys(("validate_checksums", "check_checksums", "verify"), ("verify_checksums",)),
    **dict.fromkeys(("n_jobs", "nthreads", "num_threads", "n_threads", "workers", "max_workers"), ("threads",)),
    **dict.fromkeys(("array_storage", "all_array_storage", "inline"), ("storage",)),
    **dict.fromkeys(("usecols", "include_names", "names", "use_columns"), ("columns",)),
    **dict.fromkeys(("nrows", "n_rows"), ("row_count", "rows")),
    **dict.fromkeys(("byteorder", "endian"), ("byte_order",)),
    **dict.fromkeys(("fill_value", "fill_values"), ("fill", "null_values")),
    **dict.fromkeys(("sep", "delim"), ("delimiter",)),
    **dict.fromkeys(("na_values", "null", "nulls"), ("null_values",)),
    **dict.fromkeys(("version", "asdf_standard"), ("standard",)),
    **dict.fromkeys(("callback", "show_progress"), ("progress",)),
    **dict.fromkeys(("fsync", "sync"), ("durable",)),
    **dict.fromkeys(("memmap", "memory_map"), ("mapped",)),
}

#: Functions of the library with options of their own, and the methods that call them.
METHODS = {
    "asdf_file_open": "asdfkit.open()",
    "asdf_file_new": "asdfkit.new()",
    "asdf_node_set_array": "file.set(path, array)",
    "asdf_file_write": "file.write()",
    "asdf_file_save": "file.save()",
    "asdf_array_read_region": "array.read()",
    "asdf_table_read_ecsv": "asdfkit.read_ecsv()",
    "asdf_table_write_ecsv": "table.write_ecsv()",
}


class Options(Handle):
    """Options that are set for one call. `pointer` is the handle, or None for the defaults."""

    __slots__ = ("_bar", "_handler", "_keep", "failure")
    _free = lib.asdf_options_free

    def __init__(self) -> None:
        super().__init__(0)
        self._bar: Any = None
        self._handler: Any = None
        self._keep: list[Any] = []
        self.failure: BaseException | None = None

    @property
    def pointer(self) -> int | None:
        return self._pointer or None

    def handle(self) -> int:
        """The handle, which is made if there is none yet."""
        if not self._pointer:
            self._pointer = pointer(lib.asdf_options_new)
        return self._pointer

    def check(self, status: int) -> None:
        """Raises the exception of a callback, or the error of the call."""
        problem, self.failure = self.failure, None
        if problem is not None:
            raise problem
        if status:
            raise failure(status)

    def __enter__(self) -> Self:
        # A handler that raised in the callback, before its first statement, would be lost. This one keeps the exception.
        if self._keep and threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            self._handler = None
        if self._bar is not None:
            self._bar.close()
        if self.failure is not None and kind is None:
            self.check(0)

    def _interrupt(self, number: int, frame: Any) -> None:
        try:
            self._handler(number, frame)
        except BaseException as problem:
            self.failure = problem

    def set(self, name: str, value: Any) -> None:
        key, kind, enumeration = OPTIONS[name]
        if name == "progress":
            self.set_progress(value)
        elif name == "resolver":
            set_resolver(self, value)
        elif name == "schemas":
            check(lib.asdf_options_set_schemas(self.handle(), value._pointer))
        elif enumeration:
            number = constant(f"the option {name!r}", getattr(constants, enumeration), value)
            check(lib.asdf_options_set_int(self.handle(), key, number))
        elif kind in ("flag", "int", "power of two", "int, also at paths"):
            self.set_int(name, key, value)
        elif kind == "float":
            check(lib.asdf_options_set_float(self.handle(), key, float(value)))
        elif kind == "ints":
            values = integers(name, value)
            check(lib.asdf_options_set_ints(self.handle(), key, values, len(values)))
        elif kind in ("text", "file name"):
            data = option_text(name, kind, value)
            check(lib.asdf_options_set_text(self.handle(), key, data, len(data)))
        elif kind in ("texts", "file names"):
            if isinstance(value, str):
                raise TypeError(f"the option {name!r} takes a list of texts, not one text")
            for item in value:
                data = option_text(name, kind, item)
                check(lib.asdf_options_add_text(self.handle(), key, data, len(data)))
        else:
            raise TypeError(f"the option {name!r} cannot be set from Python")

    def set_int(self, name: str, key: int, value: Any) -> None:
        if isinstance(value, Mapping):
            for path, number in value.items():
                number = integer(name, number)
                check(lib.asdf_options_set_int_at(self.handle(), key, encoded(path), number))
        else:
            check(lib.asdf_options_set_int(self.handle(), key, integer(name, value)))

    def set_progress(self, value: Any) -> None:
        """Sets a callable that gets (done, total), or a progress bar for True. Its exceptions end the call."""
        if value is False:
            return
        if value is True:
            value = self.progress_bar()
        if not callable(value):
            raise TypeError("progress must be True or a callable that takes the done and the total bytes")

        def report(_: Any, done: int, total: int) -> int:
            if self.failure is not None:
                return 1
            try:
                value(done, total)
            except BaseException as problem:
                self.failure = problem
                return 1
            return 0

        function = progress_callback(report)
        self._keep.append(function)
        check(lib.asdf_options_set_progress(self.handle(), function, close_callback(), None))

    def progress_bar(self) -> Any:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError("progress=True needs the package tqdm; pass a callable instead") from None
        # The library waits between two reports, so that each one is shown.
        bar = self._bar = tqdm(unit="B", unit_scale=True, leave=False, mininterval=0, miniters=1)

        def show(done: int, total: int) -> None:
            bar.total = total if total >= 0 else None
            bar.update(done - bar.n)

        return show


def whole(what: str, value: Any) -> int:
    """A whole number of 64 bits; `what` names it in messages."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{what} takes an integer, not {type(value).__name__}")
    number = int(value.__index__())
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"{what} is out of range: {number}")
    return number


def integer(name: str, value: Any) -> int:
    return whole(f"the option {name!r}", value)


def integers(name: str, value: Any) -> Any:
    """Array of C of the integers of an option."""
    if isinstance(value, (str, bytes, bool)) or not hasattr(value, "__iter__"):
        also = "; create_array() takes chunks=True" if name == "chunks" and value is True else ""
        raise TypeError(f"the option {name!r} takes a tuple of integers, not {value!r}{also}")
    return int64s([integer(name, item) for item in value])


def constant(what: str, members: type[IntEnum], value: Any) -> int:
    """Number of a member of an enumeration, which is given as member, number or name in any case."""
    if isinstance(value, str):
        found = members.__members__.get(value.upper())
        if found is None:
            names = ", ".join(repr(item.name.lower()) for item in members)
            raise ValueError(f"{what} is one of {names}, not {value!r}")
        return int(found)
    return whole(what, value)


def option_text(name: str, kind: str, value: Any) -> bytes:
    if kind.startswith("file name"):
        # A URL stands for a directory on a server.
        return value.encode() if is_url(value) else file_name(value)
    if not isinstance(value, str):
        raise TypeError(f"the option {name!r} takes a str, not {type(value).__name__}")
    return utf8(value)


def nothing(done: int, total: int) -> None:
    """Gives Python the opportunity to handle signals during a call."""


def similar(name: str, options: Collection[str]) -> str | None:
    """The option that a wrong name probably stands for."""
    meant = [word for word in (name, *OTHER_NAMES.get(name, ())) if word in options]
    return next(iter(meant or difflib.get_close_matches(name, options, 1, 0.7)), None)


def unknown(name: str, options: set[str]) -> str:
    """Message for an option that a call does not know: the similar one, the call that knows it, or all options."""
    meant = similar(name, options)
    if meant:
        return f"unknown option {name!r}; did you mean {meant!r}?"
    if name == "maxshape":
        return "unknown option 'maxshape'; create_array() takes it, and every array of a file can be resized"
    elsewhere = similar(name, {option for function in METHODS for option in CALLS[function]})
    if elsewhere:
        method = next(method for function, method in METHODS.items() if elsewhere in CALLS[function])
        return f"this call has no option {name!r}; {elsewhere!r} is an option of {method}"
    known = ", ".join(sorted(option for option in options if not option.startswith("limit_")))
    return f"unknown option {name!r}. This call knows {known}, and limits; see help(asdfkit.options)"


def options_for(function: str, options: Mapping[str, Any], size: int = 0) -> Options:
    """Makes the options of a call. An option that is None keeps its default.

    `size` is the number of bytes that the call processes. Long calls on the main thread report progress, so that
    KeyboardInterrupt can end them.
    """
    result = Options()
    for name, value in options.items():
        if name not in OPTIONS or not (name in CALLS[function] or name in EVERY_CALL):
            raise TypeError(unknown(name, {*CALLS[function], *EVERY_CALL}))
        if value is not None:
            result.set(name, value)
    is_main = threading.current_thread() is threading.main_thread()
    if size >= LONG_CALL and not options.get("progress") and is_main:
        result.set_progress(nothing)
    return result
