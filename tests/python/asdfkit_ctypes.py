"""The C interface in Python's ctypes: prototypes written by hand, and a few classes around the handles.

It shows that calling the library needs no C compiler and no header. It is no package for users: it has only the
functions that the tests need.
"""

import json
import os
import re
from ctypes import (
    CDLL,
    POINTER,
    byref,
    c_char,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint64,
    c_void_p,
    create_string_buffer,
    string_at,
)
from pathlib import Path

import numpy as np

DATATYPES = {
    "int8": 1, "int16": 2, "int32": 3, "int64": 4, "uint8": 11, "uint16": 12, "uint32": 13, "uint64": 14,
    "float16": 21, "float32": 22, "float64": 23, "complex64": 31, "complex128": 32, "bool": 41,
}  # fmt: skip
TEXTS = {"S": 51, "U": 52}
NULL, BOOL, INTEGER, FLOAT, STRING, TIMESTAMP, BINARY, SEQUENCE, MAPPING = range(9)
KEY_STRING, KEY_INTEGER, KEY_BOOL, KEY_OTHER = range(4)
STORAGES = {"internal": 0, "inline": 1, "external": 2, "streamed": 3}
BYTE_ORDERS = {"little": 0, "big": 1}

HANDLES = (
    "file", "node", "array", "view", "buffer", "datatype",
    "options", "chunk_map", "report", "stream", "ndl",
)  # fmt: skip
HANDLE = c_void_p
HANDLE_OUT = POINTER(c_void_p)
TEXT_OUT = (c_void_p, c_size_t, POINTER(c_size_t))  # buffer, capacity, needed
KIND_ARRAY = 8  # ASDF_KIND_ARRAY
PLACE = (HANDLE, c_char_p)  # a node and a path from it
ELEMENTS_OUT = (c_void_p, c_size_t, c_void_p, c_size_t)  # memory for elements and for their mask

PROTOTYPES = {
    "asdf_error_message": TEXT_OUT,
    "asdf_buffer_bytes": (HANDLE, POINTER(c_void_p), POINTER(c_size_t)),
    "asdf_options_new": (HANDLE_OUT,),
    "asdf_options_set_int": (HANDLE, c_int32, c_int64),
    "asdf_options_set_ints": (HANDLE, c_int32, POINTER(c_int64), c_int64),
    "asdf_options_set_text": (HANDLE, c_int32, c_char_p, c_size_t),
    "asdf_options_set_fill": (HANDLE, c_int32, c_void_p, c_size_t),
    "asdf_options_set_datatype": (HANDLE, HANDLE),
    "asdf_file_open": (c_char_p, HANDLE, HANDLE_OUT),
    "asdf_file_open_for_update": (c_char_p, HANDLE, HANDLE_OUT),
    "asdf_file_save": (HANDLE, HANDLE),
    "asdf_file_open_memory": (c_char_p, c_size_t, HANDLE, HANDLE_OUT),
    "asdf_file_new": (HANDLE, HANDLE_OUT),
    "asdf_file_root": (HANDLE, HANDLE_OUT),
    "asdf_file_close": (HANDLE,),
    "asdf_file_standard": (HANDLE, *TEXT_OUT),
    "asdf_file_block_count": (HANDLE, POINTER(c_int64)),
    "asdf_file_block_compression": (HANDLE, c_int64, *TEXT_OUT),
    "asdf_file_block_is_streamed": (HANDLE, c_int64, POINTER(c_int32)),
    "asdf_file_check_blocks": (HANDLE,),
    "asdf_file_verify": (HANDLE, HANDLE, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64)),
    "asdf_file_report": (HANDLE, HANDLE_OUT),
    "asdf_report_json": (HANDLE, HANDLE_OUT),
    "asdf_file_write": (HANDLE, c_char_p, HANDLE),
    "asdf_file_explode": (HANDLE, c_char_p, HANDLE),
    "asdf_file_implode": (HANDLE, c_char_p, HANDLE),
    "asdf_file_write_memory": (HANDLE, HANDLE, HANDLE_OUT),
    "asdf_node_get": (*PLACE, HANDLE_OUT),
    "asdf_node_type": (*PLACE, POINTER(c_int32)),
    "asdf_node_kind": (*PLACE, POINTER(c_int32)),
    "asdf_node_tag": (*PLACE, *TEXT_OUT),
    "asdf_node_identity": (*PLACE, POINTER(c_int64)),
    "asdf_node_reference": (*PLACE, *TEXT_OUT),
    "asdf_node_count": (*PLACE, POINTER(c_int64)),
    "asdf_node_item": (*PLACE, c_int64, HANDLE_OUT),
    "asdf_node_key_type": (*PLACE, c_int64, POINTER(c_int32)),
    "asdf_node_key_string": (*PLACE, c_int64, *TEXT_OUT),
    "asdf_node_key_i64": (*PLACE, c_int64, POINTER(c_int64)),
    "asdf_node_key_bool": (*PLACE, c_int64, POINTER(c_int32)),
    "asdf_node_get_by_string": (*PLACE, c_char_p, c_size_t, HANDLE_OUT),
    "asdf_node_get_by_i64": (*PLACE, c_int64, HANDLE_OUT),
    "asdf_node_get_bool": (*PLACE, POINTER(c_int32)),
    "asdf_node_get_i64": (*PLACE, POINTER(c_int64)),
    "asdf_node_get_u64": (*PLACE, POINTER(c_uint64)),
    "asdf_node_get_integer": (*PLACE, *TEXT_OUT),
    "asdf_node_get_f64": (*PLACE, POINTER(c_double)),
    "asdf_node_get_complex": (*PLACE, POINTER(c_double), POINTER(c_double)),
    "asdf_node_get_string": (*PLACE, *TEXT_OUT),
    "asdf_node_get_unit": (*PLACE, *TEXT_OUT),
    "asdf_node_get_text": (*PLACE, *TEXT_OUT),
    "asdf_node_get_binary": (*PLACE, *TEXT_OUT),
    "asdf_node_get_array": (*PLACE, HANDLE_OUT),
    "asdf_node_set_null": PLACE,
    "asdf_node_set_bool": (*PLACE, c_int32),
    "asdf_node_set_i64": (*PLACE, c_int64),
    "asdf_node_set_integer": (*PLACE, c_char_p, c_size_t),
    "asdf_node_set_f64": (*PLACE, c_double),
    "asdf_node_set_complex": (*PLACE, c_double, c_double),
    "asdf_node_set_string": (*PLACE, c_char_p, c_size_t),
    "asdf_node_set_sequence": (*PLACE, c_int32),
    "asdf_node_set_mapping": (*PLACE, c_int32),
    "asdf_node_set_tag": (*PLACE, c_char_p),
    "asdf_node_set_reference_to": (*PLACE, c_char_p),
    "asdf_node_set_array": (*PLACE, c_int32, c_int32, POINTER(c_int64), c_void_p, c_size_t, HANDLE),
    "asdf_node_set_array_borrowed": (
        *PLACE, c_int32, c_int32, POINTER(c_int64), c_void_p, c_size_t, c_void_p, c_void_p, HANDLE,
    ),
    "asdf_node_set_array_zeros": (*PLACE, c_int32, c_int32, POINTER(c_int64), HANDLE),
    "asdf_array_write_region": (
        HANDLE, c_int32, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64), c_int32, c_void_p, c_size_t, HANDLE,
    ),
    "asdf_array_append": (HANDLE, c_int64, c_int32, c_void_p, c_size_t, HANDLE),
    "asdf_stream_create": (
        HANDLE, c_char_p, c_char_p, c_int32, c_int32, POINTER(c_int64), HANDLE, HANDLE_OUT,
    ),
    "asdf_stream_push": (HANDLE, c_int64, c_void_p, c_size_t),
    "asdf_stream_finish": (HANDLE,),
    "asdf_node_set_storage": (*PLACE, c_int32, HANDLE),
    "asdf_node_copy": (*PLACE, HANDLE, HANDLE),
    "asdf_node_insert_item": (*PLACE, c_int64),
    "asdf_node_insert_key": (*PLACE, c_char_p, c_int32, c_char_p),
    "asdf_node_rename_key": (*PLACE, c_char_p),
    "asdf_node_move": (*PLACE, c_char_p),
    "asdf_node_resize_array": (*PLACE, c_int32, POINTER(c_int64), c_void_p, c_size_t, HANDLE),
    "asdf_node_recompress_array": (*PLACE, HANDLE),
    "asdf_datatype_scalar": (c_int32, HANDLE_OUT),
    "asdf_datatype_string": (c_int32, c_int64, HANDLE_OUT),
    "asdf_datatype_record": (
        c_int64, POINTER(c_char_p), POINTER(HANDLE), POINTER(c_int32), POINTER(c_int64), HANDLE_OUT,
    ),
    "asdf_datatype_name": (HANDLE, *TEXT_OUT),
    "asdf_array_datatype_name": (HANDLE, *TEXT_OUT),
    "asdf_array_read_string": (HANDLE, c_int32, POINTER(c_int64), HANDLE, *TEXT_OUT, POINTER(c_int32)),
    "asdf_array_field": (HANDLE, c_char_p, HANDLE_OUT),
    "asdf_file_compact": (HANDLE, HANDLE),
    "asdf_file_recover": (c_char_p, c_char_p, c_int32, HANDLE, HANDLE_OUT),
    "asdf_file_repair": (HANDLE, c_int32, HANDLE, POINTER(c_int32), POINTER(c_int64)),
    "asdf_file_add_history": (HANDLE, c_char_p, c_size_t, c_char_p, c_char_p, c_char_p, c_char_p, c_char_p),
    "asdf_array_shape": (HANDLE, POINTER(c_int64), c_int32, POINTER(c_int32)),
    "asdf_array_strides": (HANDLE, POINTER(c_int64), c_int32, POINTER(c_int32)),
    "asdf_array_chunk_map": (HANDLE, HANDLE_OUT),
    "asdf_chunk_map_count": (HANDLE, POINTER(c_int64)),
    "asdf_chunk_map_file": (HANDLE, *TEXT_OUT),
    "asdf_chunk_map_codec": (HANDLE, *TEXT_OUT),
    "asdf_chunk_map_bytes": (HANDLE, c_int64, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64)),
    "asdf_chunk_map_origin": (HANDLE, c_int64, POINTER(c_int64), c_int32, POINTER(c_int32)),
    "asdf_chunk_map_shape": (HANDLE, c_int64, POINTER(c_int64), c_int32, POINTER(c_int32)),
    "asdf_chunk_map_first_element": (HANDLE, c_int64, POINTER(c_int64), POINTER(c_int32)),
    "asdf_array_datatype": (HANDLE, POINTER(c_int32)),
    "asdf_array_byte_order": (HANDLE, POINTER(c_int32)),
    "asdf_array_byte_size": (HANDLE, c_int32, POINTER(c_size_t)),
    "asdf_array_is_inline": (HANDLE, POINTER(c_int32)),
    "asdf_array_block": (HANDLE, POINTER(c_int64)),
    "asdf_array_read": (HANDLE, c_int32, HANDLE, *ELEMENTS_OUT),
    "asdf_array_read_region": (
        HANDLE, c_int32, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64), c_int32, HANDLE, *ELEMENTS_OUT,
    ),
    "asdf_array_has_mask": (HANDLE, POINTER(c_int32)),
    "asdf_array_without_mask": (HANDLE, HANDLE_OUT),
    "asdf_array_read_mask": (HANDLE, HANDLE, c_void_p, c_size_t),
    "asdf_array_read_mask_region": (
        HANDLE, c_int32, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64), HANDLE, c_void_p, c_size_t,
    ),
    "asdf_array_view": (HANDLE, c_int32, HANDLE, HANDLE_OUT),
    "asdf_view_bytes": (HANDLE, POINTER(c_void_p), POINTER(c_size_t)),
    "asdf_view_first_element": (HANDLE, POINTER(c_void_p)),
    "asdf_ndl_read_memory": (c_char_p, c_size_t, HANDLE, HANDLE_OUT),
    "asdf_ndl_is_valid": (HANDLE, POINTER(c_int32)),
    "asdf_ndl_report": (HANDLE, HANDLE_OUT),
    "asdf_ndl_size": (HANDLE, c_char_p, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64)),
    "asdf_ndl_value_shape": (HANDLE, c_char_p, c_char_p, POINTER(c_int64), c_int32, POINTER(c_int32)),
    "asdf_ndl_value_notation": (HANDLE, c_char_p, c_char_p, c_int64, *TEXT_OUT),
    "asdf_ndl_read_values": (HANDLE, c_char_p, c_char_p, c_int32, HANDLE, c_void_p, c_size_t),
    "asdf_ndl_export": (HANDLE, c_int32, c_char_p, HANDLE, HANDLE_OUT),
    "asdf_ndl_describe": (HANDLE, HANDLE, HANDLE_OUT),
    "asdf_ndl_create_asdf": (HANDLE, c_char_p, HANDLE, HANDLE_OUT),
    "asdf_view_strides": (HANDLE, POINTER(c_int64), c_int32, POINTER(c_int32)),
}  # fmt: skip

library = CDLL(str(Path(os.environ["ASDFKIT_PREFIX"]) / "lib" / "libasdfkit.so"))
for name, arguments in PROTOTYPES.items():
    getattr(library, name).argtypes = arguments
    getattr(library, name).restype = c_int32  # asdf_status
for kind in HANDLES:
    free = getattr(library, f"asdf_{kind}_free")
    free.argtypes, free.restype = (HANDLE,), None
library.asdf_status_name.argtypes = (c_int32,)
library.asdf_status_name.restype = c_char_p


class Error(Exception):
    """A failed call: the name of its status, and the message."""

    def __init__(self, status: int):
        self.status = library.asdf_status_name(status).decode()
        message = create_string_buffer(1000)
        library.asdf_error_message(message, len(message), None)
        super().__init__(f"{self.status}: {message.value.decode(errors='replace')}")


def call(name: str, *arguments) -> None:
    status = getattr(library, name)(*arguments)
    if status != 0:
        raise Error(status)


def value_of(kind, name: str, *arguments):
    """Calls a function whose last argument gets a number, and returns the number."""
    value = kind()
    call(name, *arguments, byref(value))
    return value.value


def bytes_of(name: str, *arguments) -> bytes:
    """Calls a function that writes into a buffer: first for the length, then for the content."""
    needed = c_size_t()
    call(name, *arguments, None, 0, byref(needed))
    buffer = create_string_buffer(needed.value + 1)
    call(name, *arguments, buffer, len(buffer), None)
    return buffer.raw[: needed.value]


def text_of(name: str, *arguments) -> str:
    return bytes_of(name, *arguments).decode()


def numbers_of(name: str, *arguments) -> list[int]:
    """Calls a function that writes one number for each axis."""
    numbers, rank = (c_int64 * 32)(), c_int32()
    call(name, *arguments, numbers, len(numbers), byref(rank))
    return numbers[: rank.value]


class Handle:
    """Owns a handle; `kind` names the function that frees it."""

    kind = ""

    def __init__(self, function: str = "", *arguments):
        self._as_parameter_ = c_void_p()
        if function:
            call(function, *arguments, byref(self._as_parameter_))

    def __del__(self):
        getattr(library, f"asdf_{self.kind}_free")(self)


# The numbers of options, by their names in lower case.
OPTIONS = {
    name.lower(): int(number)
    for name, number in re.findall(
        r"#define ASDF_OPTION_(\w+) (\d+)",
        (Path(os.environ["ASDFKIT_PREFIX"]) / "include" / "asdfkit" / "asdf.h").read_text(encoding="utf-8"),
    )
}


class Options(Handle):
    """Options; each keyword is one: an integer, a text, a list of integers, or the arguments of a setter of its own.
    None leaves an option unset.
    """

    kind = "options"

    def __init__(self, **settings):
        super().__init__("asdf_options_new")
        for name, value in settings.items():
            self.set(name, value)

    def set(self, name: str, value) -> None:
        match value:
            case None:
                pass
            case int():
                call("asdf_options_set_int", self, OPTIONS[name], value)
            case bytes():
                call("asdf_options_set_text", self, OPTIONS[name], value, len(value))
            case list():
                call("asdf_options_set_ints", self, OPTIONS[name], (c_int64 * max(1, len(value)))(*value), len(value))
            case _:
                call(f"asdf_options_set_{name}", self, *value)


def compressed(codec: bytes | None, level: int = -1) -> dict:
    """Returns options for a codec and its level; -1 for the default level."""
    level = {} if level == -1 else {"level": level}
    return {"codec": codec, **level} if codec else level


class Datatype(Handle):
    """Returns the datatype whose packed elements are those of a numpy type without padding."""

    kind = "datatype"

    def __init__(self, dtype: np.dtype):
        if dtype.names:
            fields = [dtype.fields[name][0] for name in dtype.names]
            inner = [Datatype(field.base) for field in fields]
            names = (c_char_p * len(fields))(*(name.encode() for name in dtype.names))
            handles = (HANDLE * len(fields))(*(datatype._as_parameter_ for datatype in inner))
            ranks = (c_int32 * len(fields))(*(len(field.shape) for field in fields))
            extents = [extent for field in fields for extent in field.shape]
            arguments = len(fields), names, handles, ranks, (c_int64 * len(extents))(*extents)
            super().__init__("asdf_datatype_record", *arguments)
        elif dtype.kind in TEXTS:
            super().__init__(
                "asdf_datatype_string", TEXTS[dtype.kind], dtype.itemsize // np.dtype(f"{dtype.kind}1").itemsize
            )
        else:
            super().__init__("asdf_datatype_scalar", DATATYPES[dtype.name])


class Buffer(Handle):
    kind = "buffer"

    def bytes(self) -> bytes:
        address, size = c_void_p(), c_size_t()
        call("asdf_buffer_bytes", self, byref(address), byref(size))
        return string_at(address, size.value)


class File(Handle):
    kind = "file"

    @classmethod
    def open(cls, file: str | os.PathLike | bytes, **options) -> "File":
        options = Options(**options)
        if isinstance(file, bytes):
            return cls("asdf_file_open_memory", file, len(file), options)
        return cls("asdf_file_open", os.fsencode(file), options)

    @classmethod
    def new(cls, standard: str = "1.6.0") -> "File":
        return cls("asdf_file_new", Options(standard=standard.encode()))

    def root(self) -> "Node":
        return Node("asdf_file_root", self)

    def write(self, path: os.PathLike, **options) -> None:
        """Writes the file. It replaces an existing file, because tests use names again."""
        call("asdf_file_write", self, os.fsencode(path), Options(durable=0, replace=1, **options))

    def explode(self, path: os.PathLike, **options) -> None:
        call("asdf_file_explode", self, os.fsencode(path), Options(durable=0, replace=1, **options))

    def implode(self, path: os.PathLike, **options) -> None:
        call("asdf_file_implode", self, os.fsencode(path), Options(durable=0, replace=1, **options))

    def write_memory(self, **options) -> bytes:
        return Buffer("asdf_file_write_memory", self, Options(**options)).bytes()

    def warnings(self) -> list[str]:
        call("asdf_file_check_blocks", self)
        return Report("asdf_file_report", self).texts()

    def codecs(self) -> list[str]:
        count = value_of(c_int64, "asdf_file_block_count", self)
        return [text_of("asdf_file_block_compression", self, index) for index in range(count)]

    def verify(self) -> tuple[int, int, int]:
        """Returns the numbers of blocks without a checksum, with that of the stored bytes, and with that of the
        decoded bytes.
        """
        counts = c_int64(), c_int64(), c_int64()
        call("asdf_file_verify", self, None, *(byref(count) for count in counts))
        return tuple(count.value for count in counts)


class Report(Handle):
    """Returns the entries."""

    kind = "report"

    def entries(self) -> list[dict]:
        """Returns the fields of each entry."""
        return json.loads(Buffer("asdf_report_json", self).bytes())

    def texts(self) -> list[str]:
        return [entry["text"] for entry in self.entries()]


class Node(Handle):
    kind = "node"

    def get(self, path: str) -> "Node":
        return Node("asdf_node_get", self, path.encode())

    def item(self, index: int) -> "Node":
        return Node("asdf_node_item", self, b"", index)

    def array(self, path: str = "") -> "Array":
        return Array("asdf_node_get_array", self, path.encode())

    def type(self) -> int:
        return value_of(c_int32, "asdf_node_type", self, b"")

    def tag(self) -> str:
        return text_of("asdf_node_tag", self, b"")

    def identity(self) -> int:
        return value_of(c_int64, "asdf_node_identity", self, b"")

    def kind_of(self, path: str = "") -> int:
        return value_of(c_int32, "asdf_node_kind", self, path.encode())

    def unit(self) -> str:
        return text_of("asdf_node_get_unit", self, b"")

    def is_array(self) -> bool:
        return self.kind_of() == KIND_ARRAY

    def count(self) -> int:
        return value_of(c_int64, "asdf_node_count", self, b"")

    def key(self, index: int) -> str | int | bool:
        match value_of(c_int32, "asdf_node_key_type", self, b"", index):
            case 1:
                return value_of(c_int64, "asdf_node_key_i64", self, b"", index)
            case 2:
                return value_of(c_int32, "asdf_node_key_bool", self, b"", index) == 1
            case _:
                return text_of("asdf_node_key_string", self, b"", index)

    def integer(self) -> int:
        return int(text_of("asdf_node_get_integer", self, b""))

    def float(self) -> float:
        return value_of(c_double, "asdf_node_get_f64", self, b"")

    def complex(self) -> complex:
        real, imaginary = c_double(), c_double()
        call("asdf_node_get_complex", self, b"", byref(real), byref(imaginary))
        return complex(real.value, imaginary.value)

    def string(self) -> str:
        return text_of("asdf_node_get_string", self, b"")

    def set(self, kind: str, path: str, *value) -> None:
        call(f"asdf_node_set_{kind}", self, path.encode(), *value)

    def set_string(self, path: str, value: str) -> None:
        encoded = value.encode()
        self.set("string", path, encoded, len(encoded))

    def set_integer(self, path: str, value: int) -> None:
        digits = str(value).encode()
        self.set("integer", path, digits, len(digits))

    def set_array(self, path: str, array: np.ndarray, borrowed: bool = False, **options) -> None:
        """Sets an array from elements in native byte order, with their strides in memory."""
        options = Options(**options)
        if not array.flags.c_contiguous:
            options.set("strides", list(array.strides))
        code = DATATYPES.get(array.dtype.name, 0)
        if code == 0:
            options.set("datatype", (Datatype(array.dtype),))
        low, high = np.lib.array_utils.byte_bounds(array)
        arguments = path, code, array.ndim, (c_int64 * 32)(*array.shape), low, high - low
        if borrowed:
            self.set("array_borrowed", *arguments, None, None, options)
        else:
            self.set("array", *arguments, options)

    def set_storage(self, path: str, storage: str, **options) -> None:
        self.set("storage", path, STORAGES[storage], Options(**options))

    def resize_array(self, path: str, shape: tuple[int, ...], fill: np.ndarray | None = None) -> None:
        size = 0 if fill is None else fill.nbytes
        data = None if fill is None else fill.ctypes.data
        call("asdf_node_resize_array", self, path.encode(), len(shape), (c_int64 * 32)(*shape), data, size, None)

    def copy(self, path: str, node: "Node", **options) -> None:
        """Copies a node. With options, arrays are stored as these say; otherwise they stay as they are."""
        call("asdf_node_copy", self, path.encode(), node, Options(**options) if options else None)


class Array(Handle):
    kind = "array"

    def shape(self) -> tuple[int, ...]:
        return tuple(numbers_of("asdf_array_shape", self))

    def dtype(self) -> np.dtype:
        code = value_of(c_int32, "asdf_array_datatype", self)
        return np.dtype(next(name for name, number in DATATYPES.items() if number == code))

    def byte_order(self) -> int:
        return value_of(c_int32, "asdf_array_byte_order", self)

    def is_inline(self) -> bool:
        return value_of(c_int32, "asdf_array_is_inline", self) == 1

    def block(self) -> int:
        return value_of(c_int64, "asdf_array_block", self)

    def read(self, dtype=None, **options) -> np.ndarray:
        """Returns the whole array as this type, or as its stored type."""
        result = np.empty(self.shape(), self.dtype() if dtype is None else dtype)
        if result.dtype.name not in DATATYPES:
            return self.read_typed(result.dtype, **options)
        code = DATATYPES[result.dtype.name]
        assert value_of(c_size_t, "asdf_array_byte_size", self, code) == result.nbytes
        call("asdf_array_read", self, code, Options(**options), result.ctypes.data, result.nbytes, None, 0)
        return result

    def region(self, start, count, step, result: np.ndarray | None = None) -> np.ndarray:
        """Returns elements start, start + step, ... along each axis, as their stored type or as the type of a given
        result, which may be strided.
        """
        if result is None:
            result = np.empty(count, self.dtype())
        where = [(c_int64 * len(numbers))(*numbers) for numbers in (start, count, step)]
        low, high = np.lib.array_utils.byte_bounds(result)
        code, options = DATATYPES[result.dtype.name], Options()
        if not result.flags.c_contiguous:
            options.set("strides", list(result.strides))
        call("asdf_array_read_region", self, len(count), *where, code, options, low, high - low, None, 0)
        return result

    def is_masked(self) -> bool:
        return value_of(c_int32, "asdf_array_has_mask", self) == 1

    def mask(self) -> np.ndarray:
        """Returns the mask."""
        result = np.full(self.shape(), 7, "uint8")
        call("asdf_array_read_mask", self, None, result.ctypes.data, result.nbytes)
        return result

    def read_typed(self, dtype: np.dtype, **options) -> np.ndarray:
        """Returns the whole array as strings or records."""
        result = np.empty(self.shape(), dtype)
        options = Options(**options)
        options.set("datatype", (Datatype(result.dtype),))
        call("asdf_array_read", self, 0, options, result.ctypes.data, result.nbytes, None, 0)
        return result

    def string(self, *index: int) -> str:
        """Returns one string. Two calls, because its length is not known before."""
        place, needed = (c_int64 * len(index))(*index), c_size_t()
        call("asdf_array_read_string", self, len(index), place, None, None, 0, byref(needed), None)
        buffer = create_string_buffer(needed.value + 1)
        call("asdf_array_read_string", self, len(index), place, None, buffer, len(buffer), None, None)
        return buffer.raw[: needed.value].decode()

    def field(self, name: str) -> "Array":
        return Array("asdf_array_field", self, name.encode())

    def without_mask(self) -> "Array":
        return Array("asdf_array_without_mask", self)

    def strides(self) -> tuple[int, ...]:
        return tuple(numbers_of("asdf_array_strides", self))

    def chunks(self) -> "ChunkMap":
        return ChunkMap("asdf_array_chunk_map", self)

    def view(self) -> "View":
        return View("asdf_array_view", self, DATATYPES[self.dtype().name], None)


class ChunkMap(Handle):
    kind = "chunk_map"

    def count(self) -> int:
        return value_of(c_int64, "asdf_chunk_map_count", self)

    def file(self) -> str:
        return text_of("asdf_chunk_map_file", self)

    def codec(self) -> str:
        return text_of("asdf_chunk_map_codec", self)

    def bytes(self, index: int) -> tuple[int, int, int]:
        """Returns offset and length in the file, and the decoded length."""
        numbers = c_int64(), c_int64(), c_int64()
        call("asdf_chunk_map_bytes", self, index, *(byref(number) for number in numbers))
        return tuple(number.value for number in numbers)

    def elements(self, index: int) -> tuple[list[int], list[int], int, bool]:
        """Returns origin and shape, the byte of the element at the origin, and whether all elements are complete."""
        first, is_complete = c_int64(), c_int32()
        call("asdf_chunk_map_first_element", self, index, byref(first), byref(is_complete))
        box = (numbers_of(f"asdf_chunk_map_{what}", self, index) for what in ("origin", "shape"))
        return *box, first.value, is_complete.value == 1


class View(Handle):
    kind = "view"

    def as_numpy(self, dtype, shape) -> np.ndarray:
        """Returns the elements without a copy; valid as long as this view."""
        start, size, first = c_void_p(), c_size_t(), c_void_p()
        call("asdf_view_bytes", self, byref(start), byref(size))
        call("asdf_view_first_element", self, byref(first))
        memory = (c_char * size.value).from_address(start.value)
        return np.ndarray(shape, dtype, memory, first.value - start.value, numbers_of("asdf_view_strides", self))
