"""Datatypes of arrays: NumPy's dtypes and the library's datatype handles, in both directions."""

from __future__ import annotations

from ctypes import byref, c_char_p, c_int32, c_int64, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from ._library import Handle, check, encoded, extents, int32, int64, int64s, lib, pointer, text
from .constants import ByteOrder
from .constants import Datatype as Code

if TYPE_CHECKING:
    from ._options import Options

#: Code of each scalar type, by kind and size of its dtype.
CODES = {
    "i1": Code.INT8,
    "i2": Code.INT16,
    "i4": Code.INT32,
    "i8": Code.INT64,
    "u1": Code.UINT8,
    "u2": Code.UINT16,
    "u4": Code.UINT32,
    "u8": Code.UINT64,
    "f2": Code.FLOAT16,
    "f4": Code.FLOAT32,
    "f8": Code.FLOAT64,
    "c8": Code.COMPLEX64,
    "c16": Code.COMPLEX128,
    "b1": Code.BOOL8,
}
DTYPES = {code: np.dtype(name) for name, code in CODES.items()}


class Datatype(Handle):
    """Datatype of the library."""

    __slots__ = ()
    _free = lib.asdf_datatype_free

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype in memory: packed, in native byte order."""
        address = self._pointer
        code = int32(lib.asdf_datatype_code, address)
        if code in DTYPES:
            return DTYPES[Code(code)]
        if code == Code.ASCII:
            return np.dtype(f"S{int64(lib.asdf_datatype_string_length, address)}")
        if code == Code.UCS4:
            return np.dtype(f"U{int64(lib.asdf_datatype_string_length, address)}")
        if code == Code.RECORD:
            return np.dtype([self._field(index) for index in range(int64(lib.asdf_datatype_field_count, address))])
        raise TypeError(f"NumPy has no dtype for {text(lib.asdf_datatype_name, address)}")

    def stored(self, order: ByteOrder) -> np.dtype[Any]:
        """The dtype of elements as they are stored, in an array of a byte order."""
        if int32(lib.asdf_datatype_code, self._pointer) != Code.RECORD:
            return self.dtype.newbyteorder(">" if order == ByteOrder.BIG else "<")
        fields = []
        for index, field in enumerate(map(self._field, range(int64(lib.asdf_datatype_field_count, self._pointer)))):
            own = int32(lib.asdf_datatype_field_byte_order, self._pointer, index)
            member = Datatype(pointer(lib.asdf_datatype_field_datatype, self._pointer, index))
            fields.append((field[0], member.stored(order if own < 0 else ByteOrder(own)), *field[2:]))
        return np.dtype(fields)

    def _field(self, index: int) -> Any:
        name = text(lib.asdf_datatype_field_name, self._pointer, index) or f"f{index}"
        shape = extents(lib.asdf_datatype_field_shape, self._pointer, index)
        field = Datatype(pointer(lib.asdf_datatype_field_datatype, self._pointer, index)).dtype
        return (name, field, shape) if shape else (name, field)


def scalar_code(dtype: np.dtype[Any]) -> int | None:
    """Code of a scalar dtype of any byte order; None for strings and records."""
    return CODES.get(f"{dtype.kind}{dtype.itemsize}")


def in_unit(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Datatype of numbers that are read in another unit: float64 for integers."""
    return np.dtype(np.float64) if dtype.kind in "iu" else dtype


def native(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of the same values, packed and in native byte order. Fails with TypeError if ASDF has no such type."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return np.dtype((native(base), shape))
    if dtype.names is not None:
        return np.dtype([(name, native(dtype[name])) for name in dtype.names])
    if scalar_code(dtype) is None and dtype.kind not in "SU":
        raise TypeError(f"ASDF has no datatype for elements of {dtype}{ADVICE.get(dtype.kind, '')}")
    return dtype.newbyteorder("=")


ADVICE = {
    "M": ": file.set_times(path, times) stores times, and asdfkit.Time(text) one; a table has columns of datetime64",
    "m": ": store astype('int64') with its unit",
    "O": ": convert it to numbers or to strings of fixed length first",
    "T": ": convert it to strings of fixed length first, with astype('U')",
    "f": ": convert it to float64 first",
    "c": ": convert it to complex128 first",
    "V": ": store the bytes as uint8",
}


def datatype(dtype: np.dtype[Any]) -> Datatype:
    """Makes the library's datatype for a dtype in native byte order."""
    code = scalar_code(dtype)
    if code is not None:
        return Datatype(pointer(lib.asdf_datatype_scalar, code))
    if dtype.kind == "S":
        return Datatype(pointer(lib.asdf_datatype_string, Code.ASCII, dtype.itemsize))
    if dtype.kind == "U":
        return Datatype(pointer(lib.asdf_datatype_string, Code.UCS4, dtype.itemsize // 4))
    names = dtype.names or ()
    shapes = [dtype[name].shape for name in names]
    members = [datatype(dtype[name].base) for name in names]
    count = len(names)
    record = c_void_p()
    check(
        lib.asdf_datatype_record(
            c_int64(count),
            (c_char_p * count)(*(encoded(name, "name of a field") for name in names)),
            (c_void_p * count)(*(member._pointer for member in members)),
            (c_int32 * count)(*map(len, shapes)),
            int64s([extent for shape in shapes for extent in shape]),
            byref(record),
        )
    )
    return Datatype(record.value or 0)


def code_for(dtype: np.dtype[Any], options: Options) -> int:
    """Code of a dtype in native byte order, for a call with these options: 0 if the options have its datatype."""
    code = scalar_code(dtype)
    if code is not None:
        return code
    made = datatype(dtype)
    check(lib.asdf_options_set_datatype(options.handle(), made._pointer))
    return 0


def item_size(datatype: Datatype) -> int:
    size = c_size_t()
    check(lib.asdf_datatype_item_size(datatype._pointer, byref(size)))
    return size.value
