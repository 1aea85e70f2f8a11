"""Compilers accept the generated code without a warning, and structures have the described size."""

import re
import unittest

import descriptions
from asdfkit_ctypes import byref, c_int64, call

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-fsyntax-only")
ARRAY = re.compile(r"^/\* (\S+) \*/\n#define (\w+)_RANK", re.MULTILINE)


def alignment_and_size(datatype: object) -> tuple[int, int]:
    """Returns alignment and size of the C form of a datatype without pointers, with the padding of 64-bit systems."""
    if isinstance(datatype, str):
        size = int(re.search(r"\d+$", datatype)[0]) // 8
        return size, size
    ((keyword, of),) = datatype.items()
    if keyword == "opaque":
        return 1, of["size"]
    if keyword == "enum":
        return alignment_and_size(of["base"])
    if keyword == "array":
        alignment, size = alignment_and_size(of["base"])
        for extent in of["shape"]:
            size *= extent
        return alignment, size
    largest, end = 1, 0
    for _, member in of:
        alignment, size = alignment_and_size(member)
        largest, end = max(largest, alignment), -(-end // alignment) * alignment + size
    return largest, -(-end // largest) * largest


def element_bytes(description: descriptions.Description, path: str) -> int:
    size = c_int64()
    call("asdf_ndl_size", description, path.encode(), None, byref(size), None)
    return size.value


class CodeTest(unittest.TestCase):
    def sizes(self, description: descriptions.Description, header: str) -> list[str]:
        """Returns declarations that compile only if each type has its size."""
        checks, model = [], description.model()
        arrays = model["dimcoords"] | model["ndarrays"]
        for number, (path, identifier) in enumerate(ARRAY.findall(header)):
            # Comments have "_" for some characters of paths.
            size = element_bytes(description, path) if path in arrays else -1
            if size >= 0:
                _, in_c = alignment_and_size(arrays[path]["type"])
                self.assertGreaterEqual(in_c, size)
                checks.append(f"typedef char check_{number}[sizeof({identifier}) == {in_c} ? 1 : -1];\n")
        return checks

    def compile(self, name: str, description: descriptions.Description) -> int:
        folder = descriptions.folder("code")
        header, source, module = folder / f"{name}.h", folder / f"{name}.c", folder / f"{name}.f90"
        header.write_text(description.code("c"))
        checks = self.sizes(description, header.read_text())
        source.write_text(f'#include "{name}.h"\n#include "{name}.h"\n' + "".join(checks))
        descriptions.run("gcc", "-std=c99", "-pedantic", *WARNINGS, source)
        module.write_text(description.code("fortran"))
        descriptions.run("gfortran", "-std=f2008", *WARNINGS, "-J", folder, module)
        return len(checks)

    def test_own_descriptions(self):
        checked = 0
        for name, description in descriptions.own():
            with self.subTest(description=name):
                checked += self.compile(name, description)
        self.assertGreater(checked, 30)

    def test_a_wrong_size_is_noticed(self):
        description = descriptions.Description(b"ndarrays: {a: {shape: [], type: {compound: [k: int16, l: int8]}}}")
        (check,) = self.sizes(description, description.code("c"))
        self.assertIn("== 4 ?", check)
        source = descriptions.folder("code") / "wrong.c"
        source.write_text(description.code("c") + check.replace("== 4", "== 3"))
        with self.assertRaises(AssertionError):
            descriptions.run("gcc", "-std=c99", *WARNINGS, source)

    def test_samples(self):
        for name, description in descriptions.samples():
            with self.subTest(description=name):
                self.compile(name, description)
