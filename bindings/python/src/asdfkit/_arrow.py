"""Arrow's C interface: capsules around its structs, made with ctypes alone.

A capsule owns the struct inside. Its destructor releases the content unless a consumer has taken it.
The destructor is Python code, which must not run while an exception is pending in code of C. So the exporting object
keeps its last capsule: the last reference to a capsule is dropped in Python.
"""

import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p, py_object
from typing import Any

from ._library import check, lib


class Schema(Structure):
    """Type of an array, with its metadata."""


class Array(Structure):
    """Values of an array."""


class Stream(Structure):
    """Sequence of arrays of one type."""


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", CFUNCTYPE(None, POINTER(Schema))),
    ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", c_void_p),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", CFUNCTYPE(None, POINTER(Array))),
    ("private_data", c_void_p),
]
Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", CFUNCTYPE(c_char_p, POINTER(Stream))),
    ("release", CFUNCTYPE(None, POINTER(Stream))),
    ("private_data", c_void_p),
]

NAMES: dict[type[Structure], bytes] = {Schema: b"arrow_schema", Array: b"arrow_array", Stream: b"arrow_array_stream"}

# Prototypes of our own: attributes of `ctypes.pythonapi` are shared with other modules, which may change their types.
_new_capsule = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_pointer_of_capsule = ctypes.PYFUNCTYPE(c_void_p, py_object, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_pointer_of_address = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_is_capsule = ctypes.PYFUNCTYPE(c_int, py_object, c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_retain = ctypes.PYFUNCTYPE(None, py_object)(("Py_IncRef", ctypes.pythonapi))

#: Structs that capsules own, by address.
_owned: dict[int, Any] = {}


def _make_destructor(name: bytes) -> Any:
    """Destructor of the capsules of a name.

    The capsule has no references left, so the destructor takes it as an address: a Python object would be freed twice.
    Defaults of arguments keep everything that the destructor needs while the interpreter clears its modules.
    """

    def destroy(
        capsule: int, owned: dict[int, Any] = _owned, pointer: Any = _pointer_of_address, reference: Any = byref
    ) -> None:
        struct = owned.pop(pointer(capsule, name), None)
        if struct is not None and struct.release:
            struct.release(reference(struct))

    callback = ctypes.PYFUNCTYPE(None, c_void_p)(destroy)
    _retain(callback)  # capsules can outlive this module, so the code of the callback must never be freed
    return ctypes.cast(callback, c_void_p).value


_destructors = {kind: _make_destructor(name) for kind, name in NAMES.items()}


def new_capsule(struct: Structure) -> Any:
    """Capsule that owns a struct with its content."""
    address = ctypes.addressof(struct)
    _owned[address] = struct
    kind = type(struct)
    try:
        return _new_capsule(address, NAMES[kind], _destructors[kind])
    except BaseException:
        del _owned[address]
        struct.release(byref(struct))
        raise


def stream_capsule(export: Callable[[Any], int]) -> Any:
    """Capsule with the stream that a function of the library exports."""
    stream = Stream()
    check(export(byref(stream)))
    return new_capsule(stream)


def schema_capsule(export: Callable[[Any], int]) -> Any:
    """Capsule with the schema of the stream that a function of the library exports."""
    stream, schema = Stream(), Schema()
    check(export(byref(stream)))
    try:
        if stream.get_schema(byref(stream), byref(schema)):
            message = stream.get_last_error(byref(stream)) or b"the stream has no schema"
            raise ValueError(message.decode(errors="replace"))
    finally:
        stream.release(byref(stream))
    return new_capsule(schema)


def pointer_of(capsule: Any, kind: type[Structure]) -> int:
    """Address of the struct in a capsule of another program. Fails with TypeError for any other object."""
    if not _is_capsule(capsule, NAMES[kind]):
        raise TypeError(f"not a capsule of the name {NAMES[kind].decode()!r}: {capsule!r}")
    return int(_pointer_of_capsule(capsule, NAMES[kind]))


def import_table(source: Any, options: int | None, check: Callable[[int], None] = check) -> int:
    """Address of the new handle of a table, from an object with a method of Arrow's protocol."""
    handle = c_void_p()
    if hasattr(source, "__arrow_c_stream__"):
        capsule = source.__arrow_c_stream__()
        check(lib.asdf_table_import_arrow_stream(pointer_of(capsule, Stream), options, byref(handle)))
    elif hasattr(source, "__arrow_c_array__"):
        schema, array = source.__arrow_c_array__()
        addresses = pointer_of(schema, Schema), pointer_of(array, Array)
        check(lib.asdf_table_import_arrow(*addresses, options, byref(handle)))
    else:
        raise TypeError(f"{type(source).__name__} has no method __arrow_c_stream__ or __arrow_c_array__")
    return handle.value or 0
