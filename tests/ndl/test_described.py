"""Files of Python asdf, and others by its rules, are described by the mapping of ASDF to NDL."""

import os
import unittest
import warnings
from pathlib import Path

import asdf
import descriptions
import numpy as np
from asdf.tagged import TaggedString
from asdfkit_ctypes import Error, File

import yaml

BOOLEAN = {"enum": {"base": "int8", "members": {"FALSE": 0, "TRUE": 1}}}
UNIT = "tag:stsci.edu:asdf/unit/unit-1.0.0"
OWN = "tag:example.org:level-1.0.0"
HEAD = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"


def scalar(datatype: object, value: object, /, **asdf_facts) -> dict:
    attribute = {"shape": [], "type": datatype, "value": value}
    return attribute | ({"x-asdf": asdf_facts} if asdf_facts else {})


def listed(datatype: object, shape: list[int], value: object) -> dict:
    return {"shape": shape, "type": datatype, "value": value}


def pair(part: str) -> dict:
    return {"compound": [{"r": part}, {"i": part}]}


def tagged(text: str, tag: str) -> TaggedString:
    value = TaggedString(text)
    value._tag = tag
    return value


# Content of the tree, and the attribute that describes it.
ATTRIBUTES = {
    "string": ("a", "a"),
    "word": ("No", "No"),
    "int32": (-5, -5),
    "int64": (3_000_000_000, scalar("int64", 3_000_000_000)),
    "uint64": (asdf.IntegerType(2**64 - 1), scalar("uint64", 2**64 - 1)),
    "integer": (asdf.IntegerType(2**70), scalar("string", str(2**70), kind="integer")),
    "float": (0.1, 0.1),
    "whole float": (2.0, 2.0),
    "true": (True, scalar(BOOLEAN, "TRUE")),
    "complex": (1 - 2j, scalar(pair("float64"), [1.0, -2.0])),
    "unit": (tagged("m", UNIT), scalar("string", "m", tag=UNIT)),
    "own": (tagged("5", OWN), scalar("string", "5", tag=OWN)),
    "date": ("2020-01-02", "2020-01-02"),
    "integers": ([1, 2], listed("int32", [2], [1, 2])),
    "longs": ([1, 2**40], listed("int64", [2], [1, 2**40])),
    "mixed": ([1, 2.5], listed("float64", [2], [1.0, 2.5])),
    "grid": ([[1, 2], [3, 4]], listed("int32", [2, 2], [[1, 2], [3, 4]])),
    "words": (["No", "1"], listed("string", [2], ["No", "1"])),
    "truths": ([True, False], listed(BOOLEAN, [2], ["TRUE", "FALSE"])),
    "nothing": ([], listed("string", [0], [])),
    "to": ({"$ref": "#/string"}, scalar("objref", "/string")),
    "to all": ([{"$ref": "#/string"}, None], listed("objref", [2], ["/string", None])),
    "far": ({"$ref": "other.asdf#/x"}, scalar("string", "other.asdf#/x", kind="reference")),
}  # fmt: skip

NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
MIXED = np.dtype([("a", "<f4"), ("b", ">i2"), ("c", "S3")])
PLANE = np.arange(6, dtype="<i2").reshape(2, 3)


def block(shape: list, datatype: object, storage: dict | None = None, /, **asdf_facts) -> dict:
    array = {"shape": shape, "type": datatype} | ({"storage": storage} if storage else {})
    return array | ({"x-asdf": asdf_facts} if asdf_facts else {})


LITTLE = {"endian": "little"}
# Arrays of Python asdf, and their descriptions.
ARRAYS = {name: (np.zeros(2, name), block([2], name, LITTLE if name[-1] != "8" else None)) for name in NUMBERS} | {
    "scalar": (np.array(1.5), block([], "float64", LITTLE)),
    "empty": (np.zeros((0, 3)), block([0, 3], "float64", LITTLE)),
    "big": (np.zeros(2, ">f4"), block([2], "float32", {"endian": "big"})),
    "bool8": (np.ones(2, bool), block([2], BOOLEAN)),
    "float16": (np.ones(2, "<f2"), block([2], {"opaque": {"size": 2, "tag": "IEEE 754 binary16"}}, LITTLE, datatype="float16")),
    "complex64": (np.ones(2, "<c8"), block([2], pair("float32"), LITTLE)),
    "complex128": (np.ones(2, "<c16"), block([2], pair("float64"), LITTLE)),
    "ascii": (np.array([b"ab", b"c"]), block([2], "string", {"charset": "ascii"}, datatype=["ascii", 2])),
    "ucs4": (np.array(["é", "bcd"], "<U3"), block([2], "string", LITTLE | {"charset": "ucs4"}, datatype=["ucs4", 3])),
    "record": (
        np.zeros(2, [("n", "<i4"), ("v", "<f8", (2, 3)), ("inner", [("k", "u1")])]),
        block(
            [2],
            {"compound": [{"n": "int32"}, {"v": {"array": {"base": "float64", "shape": [2, 3]}}},
                          {"inner": {"compound": [{"k": "uint8"}]}}]},
            LITTLE,
        ),
    ),
    "mixed orders": (
        np.zeros(2, MIXED),
        block(
            [2],
            {"compound": [{"a": "float32"}, {"b": "int16"}, {"c": "string"}]},
            {"charset": "ascii"},
            datatype=[{"name": "a", "byteorder": "little", "datatype": "float32"},
                      {"name": "b", "byteorder": "big", "datatype": "int16"},
                      {"name": "c", "byteorder": "big", "datatype": ["ascii", 3]}],
        ),
    ),
    "no complex": (
        np.zeros(2, [("r", "<f4"), ("i", "<f4")]),
        block([2], pair("float32"), LITTLE, datatype=[{"name": part, "byteorder": "little", "datatype": "float32"} for part in "ri"]),
    ),
    "transposed": (PLANE.T, block([3, 2], "int16", LITTLE, strides=[2, 6])),
}  # fmt: skip
CODECS = {"zlib": [{"deflate": None}], "bzp2": ["bzip2"], "lz4": ["lz4"]}

# Trees that Python asdf does not write, and the arrays that describe them.
TREES = {
    "a: !core/ndarray-1.1.0 {data: [1, 2, -9], datatype: int16, mask: -9}": {
        "a": block([3], "int16", {"fillvalue": -9}, kind="inline", mask="fillvalue") | {"value": [1, 2, -9]},
    },
    "m: !core/ndarray-1.1.0 {data: [true, false]}\n"
    "a: !core/ndarray-1.1.0 {data: [1, 2], mask: {$ref: '#/m'}}": {
        "m": block([2], BOOLEAN, kind="inline") | {"value": ["TRUE", "FALSE"]},
        "a": block([2], "int64", kind="inline", mask="/m") | {"value": [1, 2]},
    },
    "a: !core/ndarray-1.1.0 {data: [[a, 1]], datatype: [[ascii, 2], int8]}": {
        "a": block([1], {"compound": [{"f0": "string"}, {"f1": "int8"}]}, {"charset": "ascii"},
                   datatype=[["ascii", 2], "int8"], kind="inline") | {"value": [["a", 1]]},
    },
    "ragged: !core/ndarray-1.1.0 {data: [[1], [2, 3]]}\na: !core/ndarray-1.1.0 {data: [1.5]}": {
        "a": block([1], "float64", kind="inline") | {"value": [1.5]},
    },
}  # fmt: skip


def document(path: Path | bytes, **options) -> tuple[dict[str, dict], list[str]]:
    """Returns the canonical text of a file's description, by groups, and its notes."""
    described = descriptions.Description.of_file(File.open(path), annotate=1, **options)
    content = yaml.safe_load(described.text())
    is_grouped = any(key.startswith("/") for key in content)
    return (content if is_grouped else {"/": content}), described.notes()


class DescribedTest(unittest.TestCase):
    maxDiff = None

    def written(self, name: str, tree: dict, **options) -> Path:
        path = descriptions.folder("described") / f"{name}.asdf"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            asdf.AsdfFile(tree).write_to(path, **options)
        return path

    def test_scalars_and_lists(self):
        path = self.written("attributes", {name: value for name, (value, _) in ATTRIBUTES.items()})
        found, notes = document(path)
        for name, (_, expected) in ATTRIBUTES.items():
            with self.subTest(name):
                self.assertEqual(found["/"]["attributes"].pop(name), expected)
        self.assertEqual(found, {"/": {"attributes": {}}})
        self.assertEqual(notes, ["/far: a reference to another file is described as text"])

    def test_groups(self):
        array = np.arange(3, dtype="i1")
        tree = {"g": {"h": {}, "n": None, "array": array, "again": array}, "list": [1, "x", None, {"a": 1}], 5: "five"}
        found, notes = document(self.written("groups", tree))
        # Python asdf sorts keys.
        expected = {
            "/": {"attributes": {"5": "five"}},
            "/g": {
                "ndarrays": {"again": block([3], "int8")},
                "attributes": {"array": scalar("objref", "/g/again")},
                "x-asdf": {"null": ["n"]},
            },
            "/g/h": {},
            "/list": {"attributes": {"0": 1, "1": "x"}, "x-asdf": {"kind": "sequence", "null": ["2"]}},
            "/list/3": {"attributes": {"a": 1}},
        }
        self.assertEqual(found, expected)
        null = "NDL has no datatype for null; left out"
        same = "/g/array: the same node as /g/again; described as an objref"
        self.assertEqual(sorted(notes), [same, f"/g/n: {null}", f"/list/2: {null}"])
        everything, _ = document(self.written("groups", tree), all=1)
        self.assertEqual(set(everything["/asdf_library"]["attributes"]), {"author", "homepage", "name", "version"})

    def test_arrays(self):
        found, notes = document(self.written("arrays", {name: array for name, (array, _) in ARRAYS.items()}))
        for name, (_, expected) in ARRAYS.items():
            with self.subTest(name):
                self.assertEqual(found["/"]["ndarrays"].pop(name), expected)
        self.assertEqual((found, notes), ({"/": {"ndarrays": {}}}, []))

    def test_wider_numbers(self):
        found, _ = document(self.written("half", {"a": np.ones(2, "<f2")}), widen_float16=1, described_values=2)
        expected = block([2], "float32", LITTLE, datatype="float16") | {"value": [1.0, 1.0]}
        self.assertEqual(found["/"]["ndarrays"]["a"], expected)

    def test_storage(self):
        for codec, filters in CODECS.items():
            path = self.written(codec, {"a": np.zeros(100, "i1")}, all_array_compression=codec)
            self.assertEqual(document(path)[0]["/"]["ndarrays"]["a"], block([100], "int8", {"filter": filters}))
        path = self.written("inline", {"a": np.arange(2, dtype="i1")}, all_array_storage="inline")
        expected = block([2], "int8", kind="inline")
        self.assertEqual(document(path)[0]["/"]["ndarrays"]["a"], expected | {"value": [0, 1]})
        self.assertEqual(document(path, described_values=0)[0]["/"]["ndarrays"]["a"], expected)
        path = self.written("external", {"a": np.arange(2, dtype="i1")}, all_array_storage="external")
        expected = block([2], "int8", source="external0000.asdf")
        self.assertEqual(document(path)[0]["/"]["ndarrays"]["a"], expected)
        path = descriptions.folder("described") / "streamed.asdf"
        with path.open("wb") as file:
            asdf.AsdfFile({"a": asdf.tags.core.Stream([2], np.dtype("<f4"))}).write_to(file)
            file.write(np.zeros((3, 2), "<f4").tobytes())
        expected = block([None, 2], "float32", {"shape": [3, 2], "endian": "little"})
        self.assertEqual(document(path)[0]["/"]["ndarrays"]["a"], expected)

    def test_shared_blocks(self):
        plane = np.arange(6, dtype="<i2").reshape(2, 3)
        with asdf.config_context() as config:
            config.default_array_save_base = True
            path = self.written("shared", {"a": plane, "b": plane[1]})
        expected = {"a": block([2, 3], "int16", LITTLE), "b": block([3], "int16", LITTLE, offset=6)}
        self.assertEqual(document(path)[0]["/"]["ndarrays"], expected)

    def test_masks(self):
        masked = np.ma.array([1, 2], mask=[True, False], dtype="i1")
        found, _ = document(self.written("masked", {"a": masked}))
        expected = {"a": block([2], "int8", mask="/a.mask"), "a.mask": block([2], BOOLEAN)}
        self.assertEqual(found["/"]["ndarrays"], expected)

    def test_trees(self):
        for tree, expected in TREES.items():
            with self.subTest(tree):
                found, _ = document(f"{HEAD}{tree}\n...\n".encode())
                self.assertEqual(found["/"]["ndarrays"], expected)

    def test_a_part(self):
        path = self.written("part", {"a": {"b": np.zeros(2, "i1"), "c": 1}, "d": np.zeros(2, "i1")})
        found, _ = document(path, only=b"/a/b", described_values=2)
        self.assertEqual(found, {"/a": {"ndarrays": {"b": block([2], "int8") | {"value": [0, 0]}}}})
        with self.assertRaisesRegex(Error, "ASDF_ERR_NOT_FOUND"):
            document(path, only=b"/a/x")

    def test_all_files_are_described(self):
        """No content of a file is an error, and each description is valid."""
        variables = ("ASDFKIT_REFERENCE_FILES", "ASDFKIT_CORPORA", "ASDFKIT_SAMPLES")
        folders = [os.environ.get(name) for name in variables]
        paths = [path for folder in folders if folder for path in sorted(Path(folder).rglob("*.asdf"))]
        described = 0
        for path in paths:
            try:
                file = File.open(path)
            except Error:
                continue  # not a file of the format
            for values in (1, 2):
                with self.subTest(path=path, values=values):
                    try:
                        text = descriptions.Description.of_file(file, annotate=1, described_values=values).text()
                    except Error as error:
                        self.assertIn(error.status, ("ASDF_ERR_LIMIT", "ASDF_ERR_OUT_OF_MEMORY"))
                        continue
                    again = descriptions.Description(text.encode())
                    self.assertTrue(again.is_valid(), text)
                    self.assertEqual(again.text(), text)
                    described += 1
        print(f"{described} descriptions of {len(paths)} files")
        self.assertGreater(described, 500)
