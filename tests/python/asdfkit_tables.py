"""Tables in Python's ctypes, like `asdfkit_ctypes`, and their exchange with programs that use Arrow."""

import ctypes
import itertools
import os
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_size_t, c_void_p, py_object

import asdfkit_ctypes as kit
import numpy as np

STRING, JSON, FLOAT128, COMPLEX256 = 53, 54, 24, 33
DELIMITERS = {"same": 0, "space": 1, "comma": 2}
FORMS = {"automatic": 0, "standard": 1, "astropy": 2, "records": 3, "arrays": 4}

ELEMENTS = (c_void_p, c_size_t, c_void_p, c_size_t)  # elements and mask
COLUMN = (kit.HANDLE, c_char_p)
PROTOTYPES = {
    "asdf_table_new": (c_int64, kit.HANDLE_OUT),
    "asdf_table_read_ecsv": (c_char_p, kit.HANDLE, kit.HANDLE_OUT),
    "asdf_table_write_ecsv": (kit.HANDLE, c_char_p, kit.HANDLE),
    "asdf_node_get_table": (*kit.PLACE, kit.HANDLE, kit.HANDLE_OUT),
    "asdf_node_set_table": (*kit.PLACE, kit.HANDLE, kit.HANDLE),
    "asdf_table_row_count": (kit.HANDLE, POINTER(c_int64)),
    "asdf_table_add_column": (*COLUMN, c_int32, c_int32, POINTER(c_int64), *ELEMENTS, kit.HANDLE),
    "asdf_table_add_variable_column": (
        *COLUMN, c_int32, c_int32, POINTER(c_int64), POINTER(c_int64), c_int64, *ELEMENTS, kit.HANDLE,
    ),
    "asdf_table_add_text_column": (*COLUMN, c_int32, c_char_p, c_size_t, POINTER(c_int64), c_int64, c_char_p, c_size_t),
    "asdf_table_set_column_unit": (*COLUMN, c_char_p, c_size_t),
    "asdf_table_set_column_description": (*COLUMN, c_char_p, c_size_t),
    "asdf_table_set_column_format": (*COLUMN, c_char_p, c_size_t),
    "asdf_table_set_meta": (kit.HANDLE, kit.HANDLE),
    "asdf_table_read_column": (*COLUMN, c_int64, c_int64, c_int32, kit.HANDLE, *ELEMENTS),
    "asdf_table_element_count": (*COLUMN, c_int64, c_int64, POINTER(c_int64)),
    "asdf_table_read_cell_lengths": (*COLUMN, c_int64, c_int64, POINTER(c_int64), c_size_t),
    "asdf_table_read_text": (*COLUMN, c_int64, c_int64, POINTER(c_int32), *kit.TEXT_OUT),
    "asdf_table_load_text": (*COLUMN, c_int64, c_int64, kit.HANDLE, *3 * (kit.HANDLE_OUT,)),
    "asdf_table_column_unit": (*COLUMN, *kit.TEXT_OUT),
    "asdf_table_export_arrow_stream": (kit.HANDLE, kit.HANDLE, c_void_p),
    "asdf_table_import_arrow_stream": (c_void_p, kit.HANDLE, kit.HANDLE_OUT),
}  # fmt: skip
for name, arguments in PROTOTYPES.items():
    getattr(kit.library, name).argtypes = arguments
    getattr(kit.library, name).restype = c_int32  # asdf_status
kit.library.asdf_table_free.argtypes, kit.library.asdf_table_free.restype = (kit.HANDLE,), None

STREAM = b"arrow_array_stream"
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = py_object, (c_void_p, c_char_p, c_void_p)
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = c_void_p, (py_object, c_char_p)


class Table(kit.Handle):
    """A table. Programs that use Arrow read it by the method of their protocol."""

    kind = "table"

    def __init__(self, *arguments, batch_rows: int = 0):
        super().__init__(*arguments)
        self.batch_rows = batch_rows
        self.streams = []

    @classmethod
    def new(cls, rows: int) -> "Table":
        return cls("asdf_table_new", rows)

    @classmethod
    def read_ecsv(cls, path: os.PathLike) -> "Table":
        return cls("asdf_table_read_ecsv", os.fsencode(path), None)

    @classmethod
    def of_node(cls, node: kit.Node, path: str, plain: bool = False) -> "Table":
        options = kit.Options(plain_metadata=int(plain))
        return cls("asdf_node_get_table", node, path.encode(), options)

    @classmethod
    def of_arrow(cls, source) -> "Table":
        """Returns a table from another program's object with Arrow's protocol."""
        capsule = source.__arrow_c_stream__()
        return cls("asdf_table_import_arrow_stream", capsule_pointer(capsule, STREAM), None)

    def write_ecsv(self, path: os.PathLike, delimiter: str = "same") -> None:
        options = kit.Options(durable=0, replace=1, delimiter=DELIMITERS[delimiter])
        kit.call("asdf_table_write_ecsv", self, os.fsencode(path), options)

    def store(self, node: kit.Node, path: str, form: str) -> None:
        kit.call("asdf_node_set_table", node, path.encode(), self, kit.Options(table_form=FORMS[form]))

    def __arrow_c_stream__(self, requested_schema=None):
        stream = (c_void_p * 5)()
        kit.call("asdf_table_export_arrow_stream", self, kit.Options(batch_rows=self.batch_rows), stream)
        self.streams.append(stream)  # the reader of the stream moves it out of there
        return new_capsule(ctypes.addressof(stream), STREAM, None)

    def row_count(self) -> int:
        return kit.value_of(c_int64, "asdf_table_row_count", self)

    def add(self, name: str, values: np.ndarray, missing: np.ndarray | None = None) -> None:
        values, shape = np.ascontiguousarray(values), values.shape[1:]
        kit.call(
            "asdf_table_add_column", self, name.encode(), kit.DATATYPES[values.dtype.name], len(shape),
            (c_int64 * len(shape))(*shape), *elements_of(values, missing), None,
        )  # fmt: skip

    def add_lists(self, name: str, lengths: list[int], values: np.ndarray, missing: np.ndarray | None = None) -> None:
        """Adds a column with cells of different lengths; -1 for a missing cell."""
        kit.call(
            "asdf_table_add_variable_column", self, name.encode(), kit.DATATYPES[values.dtype.name], 0, None,
            (c_int64 * len(lengths))(*lengths), len(lengths), *elements_of(values, missing), None,
        )  # fmt: skip

    def add_texts(self, name: str, texts: list[str | None], code: int = STRING) -> None:
        items = [(text or "").encode() for text in texts]
        ends = itertools.accumulate(map(len, items), initial=0)
        content, missing = b"".join(items), bytes(text is None for text in texts)
        kit.call(
            "asdf_table_add_text_column", self, name.encode(), code, content, len(content),
            (c_int64 * (len(items) + 1))(*ends), len(items) + 1, missing, len(missing),
        )  # fmt: skip

    def elements(self, name: str, dtype: str, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Returns the elements of all cells, and their mask."""
        values, missing = np.zeros(shape, np.int32 if dtype == "bool" else dtype), np.zeros(shape, np.uint8)
        code = kit.DATATYPES[values.dtype.name]
        kit.call("asdf_table_read_column", self, name.encode(), 0, -1, code, None, *elements_of(values, missing))
        return values.astype(dtype), missing.astype(bool)

    def read(self, name: str, dtype: str, shape: tuple[int, ...] = ()) -> list:
        """Returns cells of this shape, as lists with None for missing elements."""
        values, missing = self.elements(name, dtype, (self.row_count(), *shape))
        found = values.astype(object)
        found[missing] = None
        return found.tolist()

    def read_lists(self, name: str, dtype: str) -> list:
        """Returns cells of different lengths, with None for missing elements and cells."""
        rows = self.row_count()
        lengths = (c_int64 * rows)()
        kit.call("asdf_table_read_cell_lengths", self, name.encode(), 0, rows, lengths, rows)
        count = kit.value_of(c_int64, "asdf_table_element_count", self, name.encode(), 0, rows)
        values, missing = self.elements(name, dtype, (count,))
        items = iter([None if lacks else item for item, lacks in zip(values.tolist(), missing, strict=True)])
        return [None if length == -1 else [next(items) for _ in range(length)] for length in lengths]

    def read_texts(self, name: str) -> list[str | None]:
        """Returns one text for each cell."""
        texts = []
        for row in range(self.row_count()):
            missing = c_int32()
            text = kit.text_of("asdf_table_read_text", self, name.encode(), row, 0, ctypes.byref(missing))
            texts.append(None if missing.value else text)
        return texts

    def load_texts(self, name: str, first: int = 0, count: int = -1) -> list[bytes]:
        """Returns texts one after the other, their offsets, and a byte for each that is 1 if it is missing."""
        buffers = [kit.Buffer() for _ in range(3)]
        outputs = [ctypes.byref(buffer._as_parameter_) for buffer in buffers]
        kit.call("asdf_table_load_text", self, name.encode(), first, count, None, *outputs)
        return [buffer.bytes() for buffer in buffers]


def elements_of(values: np.ndarray, missing: np.ndarray | None) -> tuple:
    """Returns addresses and sizes of the elements and of their mask."""
    if missing is None:
        return values.ctypes.data, values.nbytes, None, 0
    mask = missing.view(np.uint8)
    return values.ctypes.data, values.nbytes, mask.ctypes.data, mask.size
