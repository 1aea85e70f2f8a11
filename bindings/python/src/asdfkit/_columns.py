"""Columns of tables as arrays of NumPy, and arrays of NumPy as columns."""

import itertools
import json
import math
import re
from ctypes import byref, c_int64, c_void_p
from typing import Any

import numpy as np

from . import _datatypes, _times
from ._foreign import separated
from ._library import Buffer, check, encoded, extents, int32, int64, int64s, lib, pointer, text, utf8
from ._memory import place
from ._options import options_for
from .constants import Datatype

#: Datatypes whose elements are texts in the library, and the way NumPy holds them by default.
TEXTS = {Datatype.STRING: "U", Datatype.JSON: "O", Datatype.FLOAT128: "g", Datatype.COMPLEX256: "G"}
#: A complex number with parts of more digits than float64 has: "1.5+2e-4000j", also in parentheses.
COMPLEX = re.compile(r"\(?(?:(.*[^eE(])(?=[+-]))?([^()]*)[jJ]\)?")


# Reading -------------------------------------------------------------------------------------------------------------


def read(table: int, name: bytes, first: int, count: int, dtype: Any = None, **options: Any) -> Any:
    """Reads rows of a column; see `Column.read`."""
    code = Datatype(int32(lib.asdf_table_column_datatype, table, name))
    shape = extents(lib.asdf_table_column_shape, table, name)
    size = element_count(table, name, first, count)
    values, missing = elements(table, name, first, count, size, code, dtype, options)
    if shape and shape[-1] < 0:
        return _cells(values, missing, cell_lengths(table, name, first, count), shape[:-1])
    values = values.reshape(count, *shape)
    is_masked = bool(missing.any()) or int32(lib.asdf_table_column_has_mask, table, name)
    return np.ma.MaskedArray(values, missing.reshape(values.shape)) if is_masked else values


def element_count(table: int, name: bytes, first: int, count: int) -> int:
    """Number of elements of the cells of some rows."""
    return int64(lib.asdf_table_element_count, table, name, first, count)


def cell_lengths(table: int, name: bytes, first: int, count: int) -> np.ndarray:
    """Number of elements of each cell; -1 for a missing cell."""
    lengths = np.empty(count, np.int64)
    check(lib.asdf_table_read_cell_lengths(table, name, first, count, _of_c(lengths), lengths.size))
    return lengths


def _of_c(numbers: np.ndarray) -> Any:
    """Array of C that shares the memory of 64-bit integers of NumPy."""
    kind = c_int64 * numbers.size
    return kind.from_buffer(memoryview(numbers)) if numbers.size else kind()  # type: ignore[arg-type]


def elements(
    table: int, name: bytes, first: int, count: int, size: int, code: Datatype, dtype: Any, options: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """All elements of the rows, one after the other, and the mask of the missing ones."""
    default: Any = TEXTS[code] if code in TEXTS else _datatypes.DTYPES[code]
    if options.get("unit") is not None:
        default = _datatypes.in_unit(np.dtype({"g": "f8", "G": "c16"}.get(default, default)))
    wanted: np.dtype[Any] = np.dtype(default if dtype is None else dtype)
    if _datatypes.scalar_code(wanted) is not None:
        return _read(table, name, first, count, size, wanted.newbyteorder("="), options)
    if code not in TEXTS:
        raise TypeError(f"column {name.decode()!r}: {Datatype(code).name.lower()} cannot be read as {wanted}")
    if wanted.kind in "US":
        return _fixed_texts(table, name, first, count, size, wanted, options)
    texts, missing = _texts(table, name, first, count, options)
    if wanted.kind == "O":
        convert = json.loads if code == Datatype.JSON else bytes.decode
        values = np.empty(size, object)
        for index, content in enumerate(texts):
            values[index] = None if missing[index] else convert(content)
        return values, missing
    if wanted.kind == "T":
        return np.array([text.decode() for text in texts], wanted), missing
    if wanted.kind in "fc":
        return _numbers(texts, missing, wanted), missing
    raise TypeError(f"column {name.decode()!r}: texts cannot be read as {wanted}")


def _read(
    table: int, name: bytes, first: int, count: int, size: int, dtype: np.dtype, options: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    # Zeros, because the library leaves missing elements as they are.
    values, missing = np.zeros(size, dtype), np.zeros(size, bool)
    memory = (values.ctypes.data, values.nbytes, missing.ctypes.data, missing.size)
    with options_for("asdf_table_read_column", options, values.nbytes) as made:
        code = _datatypes.code_for(dtype, made)
        made.check(lib.asdf_table_read_column(table, name, first, count, code, made.pointer, *memory))
    return values, missing


def _fixed_texts(
    table: int, name: bytes, first: int, count: int, size: int, dtype: np.dtype, options: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    if not dtype.itemsize:
        code = Datatype.UCS4 if dtype.kind == "U" else Datatype.ASCII
        dtype = np.dtype(f"{dtype.kind}{max(1, int64(lib.asdf_table_longest_text, table, name, code))}")
    dtype = dtype.newbyteorder("=")
    return _read(table, name, first, count, size, dtype, options)


def packed_texts(
    table: int, name: bytes, first: int, count: int, options: dict[str, Any]
) -> tuple[bytes, bytes, bytes]:
    """Texts one after the other, their offsets as integers of 64 bits, and a byte for each that tells if it is missing."""
    handles = [c_void_p() for _ in range(3)]
    with options_for("asdf_table_load_text", options) as chosen:
        outputs = [byref(handle) for handle in handles]
        chosen.check(lib.asdf_table_load_text(table, name, first, count, chosen.pointer, *outputs))
    content, offsets, missing = (Buffer(handle.value or 0).bytes() for handle in handles)
    return content, offsets, missing


def _texts(table: int, name: bytes, first: int, count: int, options: dict[str, Any]) -> tuple[list[Any], np.ndarray]:
    """Texts as bytes of UTF-8, and the mask of the missing ones."""
    content, offsets, missing = packed_texts(table, name, first, count, options)
    ends = np.frombuffer(offsets, np.int64).tolist()
    texts = [content[begin:end] for begin, end in itertools.pairwise(ends)]
    return texts, np.frombuffer(missing, np.uint8).astype(bool)


def _numbers(texts: list[bytes], missing: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Numbers from texts with more digits than float64 has, rounded once."""
    values = np.zeros(len(texts), dtype)
    scalar = np.longdouble
    for index, content in enumerate(texts):
        if missing[index]:
            continue
        if dtype.kind == "f":
            values[index] = scalar(content.decode())
            continue
        parts = COMPLEX.fullmatch(content.decode())
        if parts is None:
            values[index] = scalar(content.decode().strip("()"))
        else:
            values.real[index] = scalar(parts[1]) if parts[1] else 0
            values.imag[index] = scalar(parts[2])
    return values


def _cells(values: np.ndarray, missing: np.ndarray, lengths: np.ndarray, leading: tuple[int, ...]) -> Any:
    """Cells of different lengths as arrays in an array of objects."""
    cells = np.empty(len(lengths), object)
    has_missing = bool(missing.any())
    rows, begin = math.prod(leading), 0
    for row, length in enumerate(lengths.tolist()):
        end = begin + max(length, 0)
        shape = (*leading, (end - begin) // rows if rows else 0)
        cell = values[begin:end].reshape(shape)
        if has_missing and missing[begin:end].any():
            cell = np.ma.MaskedArray(cell, missing[begin:end].reshape(shape))
        cells[row], begin = cell, end
    gone = lengths < 0
    return np.ma.MaskedArray(cells, gone) if gone.any() else cells


# Adding --------------------------------------------------------------------------------------------------------------


def new_table(rows: int) -> int:
    """Address of a new table without columns."""
    return pointer(lib.asdf_table_new, rows)


def add(table: int, name: str, array: np.ndarray, missing: np.ndarray | None, datatype: str | None = None) -> None:
    """Adds a column; see `Table.add_column`."""
    key = encoded(name, "name of a column")
    rows = int64(lib.asdf_table_row_count, table)
    if len(array) != rows:
        raise ValueError(f"column {name!r} must have {rows} rows; its shape is {array.shape}")
    if datatype is not None:
        code = _text_type(datatype)
        texts = [None if gone else _text(item, code) for item, gone in zip(array.tolist(), _gone(array, missing))]
        _add_texts(table, key, texts, code, missing is not None)
    elif array.dtype.kind == "M":
        _times.add_times(table, key, array, missing)
    elif array.dtype.kind == "m":
        _times.add_spans(table, key, array, missing)
    elif array.dtype.kind in "US" or _datatypes.scalar_code(array.dtype) is not None:
        add_array(table, key, array, missing)
    elif array.dtype.kind in "fc":
        _add_long(table, name, key, array, missing)
    elif array.dtype.kind in "OT":
        _add_objects(table, name, key, array, missing)
    else:
        raise TypeError(f"column {name!r}: {_reason(array.dtype)}")


def _reason(dtype: np.dtype) -> str:
    if dtype.names:
        return "tables have no columns of records; add each field as a column"
    return f"tables have no type for {dtype}"


def array_mask_and_unit(values: Any) -> tuple[np.ndarray, np.ndarray | None, str | None]:
    """Array, mask and unit of a column. None and NumPy's masked mark missing items of lists."""
    unit = mask = None
    if isinstance(values, (list, tuple)):
        values, unit = without_unit(values)
    else:
        values, mask, unit = separated(values)
    array, missing = _array_and_mask(values)
    if array.ndim == 0:
        raise ValueError("the values of a column need at least one axis, the rows")
    return array, missing if mask is None else np.asarray(mask), unit


def without_unit(values: Any) -> tuple[Any, str | None]:
    """Items of a list without their unit, and the unit if they are quantities. A masked one is a masked array."""
    parts = [separated(value) if hasattr(value, "unit") else (value, None, None) for value in values]
    units = {unit for value, _, unit in parts if value is not None and value is not np.ma.masked}
    if units <= {None}:
        return values, None
    if len(units) > 1:
        spelled = ", ".join(sorted("none" if unit is None else repr(unit) for unit in units))
        raise ValueError(f"the quantities of a column have one unit, not several: {spelled}")
    return [value if mask is None else np.ma.MaskedArray(value, mask) for value, mask, _ in parts], units.pop()


def _array_and_mask(values: Any) -> tuple[np.ndarray, np.ndarray | None]:
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values) if values.mask is not np.ma.nomask else None
        return np.asarray(values.data), mask
    if isinstance(values, np.ndarray):
        return np.asarray(values), None
    if isinstance(values, (str, bytes)):
        raise TypeError("the values of a column are an array or a list, not one text")
    if not hasattr(values, "__array__") and not hasattr(values, "__array_interface__"):
        values = list(values)
        gone = [item is None or item is np.ma.masked or is_masked_scalar(item) for item in values]
        if any(gone):
            present = [item for item, lost in zip(values, gone) if not lost]
            if all(isinstance(item, (int, float, complex, np.number, np.bool_)) for item in present):
                filled = np.array([0 if lost else item for item, lost in zip(values, gone)])
                kept = np.array(present)
                return filled.astype(kept.dtype if present else float), np.array(gone)
            return _objects([None if lost else item for item, lost in zip(values, gone)]), None
        if values and not all(isinstance(item, (str, bytes)) for item in values):
            if any(isinstance(item, (str, bytes)) for item in values):
                kinds = ", ".join(sorted({type(item).__name__ for item in values}))
                raise TypeError(f"the cells of a column have one type, not several: {kinds}")
            is_masked = any(isinstance(item, np.ma.MaskedArray) for item in values)
            try:
                return _array_and_mask(np.ma.array(values)) if is_masked else (np.asarray(values), None)
            except ValueError:  # lists of different lengths
                return _objects([np.asanyarray(item) for item in values]), None
        if not values:
            return np.zeros(0), None
        if all(isinstance(item, str) for item in values):
            return _objects(values), None  # keeps NULs at the end of texts
    return np.asarray(values), None


def is_masked_scalar(item: Any) -> bool:
    return isinstance(item, np.ma.MaskedArray) and item.ndim == 0 and bool(item.mask)


def _objects(items: list[Any]) -> np.ndarray:
    array = np.empty(len(items), object)
    for index, item in enumerate(items):
        array[index] = item
    return array


def _gone(array: np.ndarray, missing: np.ndarray | None) -> list[bool]:
    if missing is None:
        return [False] * len(array)
    return [bool(cell.all()) for cell in missing]


def _mask_bytes(missing: np.ndarray | None) -> tuple[np.ndarray | None, Any, int]:
    """Mask in C order with its address and size; None without a mask."""
    if missing is None:
        return None, None, 0
    mask = np.ascontiguousarray(missing, dtype=bool)
    return mask, mask.ctypes.data, mask.size


def add_array(table: int, name: bytes, array: np.ndarray, missing: np.ndarray | None) -> None:
    array = _storable(array)
    mask, mask_address, mask_size = _mask_bytes(missing)
    shape = array.shape[1:]
    with options_for("asdf_table_add_column", {}) as made:
        address, size = place(array, made)
        code = _datatypes.code_for(array.dtype, made)
        arguments = (len(shape), int64s(shape), address, size, mask_address, mask_size, made.pointer)
        check(lib.asdf_table_add_column(table, name, code, *arguments))
    del mask  # until here the library reads it


def _storable(array: np.ndarray) -> np.ndarray:
    """The array in native byte order. A string of the library has room for one character at least."""
    if array.dtype.kind in "US" and not array.dtype.itemsize:
        return array.astype(f"{array.dtype.kind}1")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _add_long(table: int, name: str, key: bytes, array: np.ndarray, missing: np.ndarray | None) -> None:
    """Adds numbers of more than 64 bits, which a table holds as texts."""
    if array.ndim > 1:
        raise TypeError(f"column {name!r}: cells cannot be arrays of {array.dtype}; convert them to float64")
    code = Datatype.FLOAT128 if array.dtype.kind == "f" else Datatype.COMPLEX256
    gone = _gone(array, missing)
    _add_texts(table, key, [None if lost else str(item) for item, lost in zip(array, gone)], code, missing is not None)


def _add_objects(table: int, name: str, key: bytes, array: np.ndarray, missing: np.ndarray | None) -> None:
    if array.ndim > 1:
        raise TypeError(f"column {name!r}: cells cannot be arrays of Python objects")
    items = array.tolist() if array.dtype.kind == "O" else [item if isinstance(item, str) else None for item in array]
    gone = [lost or item is None or item is np.ma.masked for item, lost in zip(items, _gone(array, missing))]
    present = [item for item, lost in zip(items, gone) if not lost]
    if not present and items and all(isinstance(item, np.ndarray) and item.ndim for item in items):
        # The arrays under the mask of a column without values still have the type of its cells.
        _add_cells(table, name, key, items, gone)
    elif all(isinstance(item, str) for item in present):
        texts = [None if lost else item for item, lost in zip(items, gone)]
        _add_texts(table, key, texts, Datatype.STRING, missing is not None)
    elif all(isinstance(item, np.ndarray) and item.ndim for item in present):
        _add_cells(table, name, key, items, gone)
    else:
        texts = [None if lost else _text(item, Datatype.JSON) for item, lost in zip(items, gone)]
        _add_texts(table, key, texts, Datatype.JSON, missing is not None)


def _add_cells(table: int, name: str, key: bytes, cells: list[Any], gone: list[bool]) -> None:
    """Adds cells that differ in their last extent."""
    present = [cell for cell, lost in zip(cells, gone) if not lost] or [cells[0][..., :0]]
    leading = present[0].shape[:-1]
    if any(cell.shape[:-1] != leading for cell in present):
        raise ValueError(f"column {name!r}: cells may differ in their last extent only")
    values = np.concatenate([np.asarray(cell).reshape(-1) for cell in present])
    missing = np.concatenate([np.ma.getmaskarray(cell).reshape(-1) for cell in present])
    if values.dtype.kind not in "US" and _datatypes.scalar_code(values.dtype) is None:
        raise TypeError(f"column {name!r}: {_reason(values.dtype)}")
    lengths = np.array([-1 if lost else cell.size for cell, lost in zip(cells, gone)], np.int64)
    add_variable(table, key, _storable(values), missing if missing.any() else None, lengths, leading)


def add_variable(
    table: int,
    key: bytes,
    values: np.ndarray,
    missing: np.ndarray | None,
    lengths: np.ndarray,
    leading: tuple[int, ...],
) -> None:
    """Adds cells of these numbers of elements, -1 for a missing cell. `values` has the elements of all cells."""
    mask, address, size = _mask_bytes(missing)
    memory = (values.ctypes.data, values.nbytes, address, size)
    arguments = (len(leading), int64s(leading), _of_c(lengths), len(lengths), *memory)
    with options_for("asdf_table_add_variable_column", {}) as made:
        code = _datatypes.code_for(values.dtype, made)
        check(lib.asdf_table_add_variable_column(table, key, code, *arguments, made.pointer))
    del mask  # until here the library reads it


def _text_type(name: str) -> Datatype:
    for code in TEXTS:
        if code.name.lower() == name:
            return code
    raise ValueError(f"the datatype is one of {[code.name.lower() for code in TEXTS]}, not {name!r}")


def _text(item: Any, code: int) -> str | None:
    if code == Datatype.JSON:
        return json.dumps(item, ensure_ascii=False, default=_plain)
    return item if isinstance(item, str) else str(item)


def _plain(value: Any) -> Any:
    """Plain value of an object that JSON does not know."""
    if isinstance(value, np.ma.MaskedArray):
        return [None if item is np.ma.masked else item for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} is not a JSON value")


def _add_texts(table: int, name: bytes, texts: list[Any], code: int, is_masked: bool) -> None:
    items = [utf8(text or "") for text in texts]
    offsets = np.zeros(len(items) + 1, np.int64)
    np.cumsum([len(item) for item in items], out=offsets[1:])
    gone = bytes(text is None for text in texts)
    add_packed_texts(table, name, b"".join(items), offsets, gone if is_masked or any(gone) else None, code)


def add_packed_texts(
    table: int, name: bytes, content: bytes, offsets: np.ndarray, missing: bytes | None, code: int
) -> None:
    """Adds texts that stand one after the other: text i occupies the bytes from offset i to i + 1."""
    check(
        lib.asdf_table_add_text_column(
            table, name, code, content, len(content), _of_c(offsets), len(offsets), missing, len(missing or b""),
        )
    )  # fmt: skip


# Changing ------------------------------------------------------------------------------------------------------------


def set_cells(table: int, name: bytes, first: int, count: int, values: Any, is_one: bool) -> None:
    """Replaces cells of a column by one cell or a list of cells; see `Table.__setitem__`."""
    if values is None or values is np.ma.masked or is_masked_scalar(values):
        check(lib.asdf_table_set_missing(table, name, first, count))
        return
    code = Datatype(int32(lib.asdf_table_column_datatype, table, name))
    shape = extents(lib.asdf_table_column_shape, table, name)
    if not is_one and len(values) != count:
        raise ValueError(f"column {name.decode()!r}: {count} cells need as many values, not {len(values)}")
    if shape and shape[-1] < 0 or code in TEXTS:
        _set_one_by_one(table, name, first, [values] if is_one else list(values), code, shape)
        return
    given = values
    if not isinstance(values, (list, tuple)) and not np.ndim(values):
        given = [values] if hasattr(values, "unit") else np.ma.asanyarray([values])
    array, missing, unit = array_mask_and_unit(given)
    _check_unit(table, name, unit)
    dtype = _datatypes.DTYPES[code]
    whole = (count, *shape)
    # A number that does not fit is an error of the library, and no wrapped number of NumPy.
    wanted = dtype if _datatypes.scalar_code(array.dtype) is None else array.dtype
    try:
        cells = np.ascontiguousarray(np.broadcast_to(array, whole), wanted.newbyteorder("="))
    except (TypeError, ValueError) as problem:
        message = f"column {name.decode()!r} of {dtype}: {values!r} cannot be stored: {problem}"
        raise type(problem)(message) from None
    mask = None if missing is None else np.ascontiguousarray(np.broadcast_to(missing, whole), bool)
    _set_array(table, name, first, count, cells, mask)


def _check_unit(table: int, name: bytes, unit: str | None) -> None:
    """Fails for values with another unit than that of the column."""
    own = text(lib.asdf_table_column_unit, table, name)
    if unit is not None and unit != own:
        raise ValueError(f"column {name.decode()!r} has the unit {own!r}, not {unit!r}")


def _set_array(table: int, name: bytes, first: int, count: int, cells: np.ndarray, mask: np.ndarray | None) -> None:
    mask, mask_address, mask_size = _mask_bytes(mask)
    with options_for("asdf_table_set_cells", {}) as made:
        code = _datatypes.code_for(cells.dtype, made)
        memory = (cells.ctypes.data, cells.nbytes, mask_address, mask_size)
        made.check(lib.asdf_table_set_cells(table, name, first, count, code, *memory, made.pointer))
    del mask  # until here the library reads it


def _set_one_by_one(
    table: int, name: bytes, first: int, cells: list[Any], code: Datatype, shape: tuple[int, ...]
) -> None:
    """Replaces cells of texts, and cells of different lengths."""
    for row, cell in enumerate(cells, first):
        if cell is None or cell is np.ma.masked:
            check(lib.asdf_table_set_missing(table, name, row, 1))
        elif not shape:
            if code == Datatype.STRING and not isinstance(cell, str):
                raise TypeError(f"column {name.decode()!r}: a cell is a str, not {type(cell).__name__}")
            content = utf8(_text(cell, code) or "")
            check(lib.asdf_table_set_text(table, name, row, 0, content, len(content)))
        else:
            array, missing = _array_and_mask(cell)
            if array.dtype.kind == "O":
                array = array.astype("U")
            _set_array(table, name, row, 1, np.ascontiguousarray(_storable(array)), missing)
