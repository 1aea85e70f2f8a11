"""Python asdf opens the files made from descriptions without a warning, and finds the described content.

Arrays in chunks need the package asdf-zarr there, so our own library reads them here.
"""

import base64
import unittest
import warnings
from collections import Counter
from pathlib import Path

import asdf
import descriptions
import numpy as np
from asdfkit_ctypes import Error, File, Node

# Extent of unlimited dimensions and length of strings, where the description has none.
ROWS, LENGTH = 3, 8
REFUSED = {"lists": "/with lists"}
# Number of samples, and number of samples that make no file.
SAMPLES = (44, 3)


# Arrays that blocks cannot hold, and a group that is a list.
TREE = """
/:
  ndarrays:
    target: {shape: [2, 2], type: int8}
    text: {shape: [], type: string, value: No}
    references: {shape: [3], type: objref, value: [/target, null, /target]}
    block: {shape: [], type: {regref: {selection: block}}, value: {target: /target, start: [1, 1], opposite: [0, 0]}}
    lists: {shape: [2], type: {vlen: {base: {compound: [k: float32, e: {enum: {members: {A: 0, B: 7}}}]}}}, value: [[[0.5, B]], []]}
/list:
  x-asdf: {kind: sequence, 'null': ['3']}
  attributes: {'1': No}
  ndarrays: {'2': {shape: [2], type: int8, value: [1, 2]}}
/list/0: {attributes: {a: 1}}
"""
IN_TREE = {"text": "No", "block": {"start": [0, 0], "opposite": [1, 1]}, "lists": [[[0.5, 7]], []]}


def shape_and_dtype(datatype: object) -> tuple[tuple[int, ...], np.dtype] | None:
    """Returns numpy's datatype of an element, without byte order; None for elements in the tree, and for texts."""
    if isinstance(datatype, str):
        return None if datatype in ("string", "objref") else ((), np.dtype(datatype))
    ((keyword, of),) = datatype.items()
    if keyword == "opaque":
        return (of["size"],), np.dtype("uint8")
    if keyword == "enum":
        return (), np.dtype(of["base"])
    if keyword == "array" and (base := shape_and_dtype(of["base"])):
        return (*of["shape"], *base[0]), base[1]
    if keyword == "compound":
        fields = [(name, shape_and_dtype(member)) for name, member in of]
        if all(field for _, field in fields):
            return (), np.dtype([(name, dtype, shape) for name, (shape, dtype) in fields])
    return None


def stored(value: object, datatype: object, rank: int) -> object:
    """Returns a value of the model as numpy has it: numbers for constants and opaque bytes, tuples for compounds."""
    if rank:
        return [stored(item, datatype, rank - 1) for item in value]
    if isinstance(datatype, str):
        return float(value) if datatype.startswith("float") else value
    ((keyword, of),) = datatype.items()
    if keyword == "compound":
        return tuple(stored(item, member, 0) for item, (_, member) in zip(value, of, strict=True))
    if keyword == "array":
        return stored(value, of["base"], len(of["shape"]))
    return list(base64.b64decode(value)) if keyword == "opaque" else of["members"][value]


def with_chunks(node: object, root: Node, path: str = "") -> object:
    """Replaces chunked arrays by their elements."""
    if not isinstance(node, dict):
        return node
    if ".zarray" in node:
        return root.array(path).read()
    keys = {key: f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}" for key in node}
    return {key: with_chunks(node[key], root, place) for key, place in keys.items()}


class CreatedTest(unittest.TestCase):
    def compare(self, tree: dict, model: dict) -> int:
        """Compares arrays whose elements have a size, and attributes of groups. Returns the number of arrays."""
        compared = 0
        arrays = {path: dimcoord | {"shape": [dimcoord["size"]]} for path, dimcoord in model["dimcoords"].items()}
        for path, array in (arrays | model["ndarrays"]).items():
            found = tree
            for name in path.strip("/").split("/"):
                found = found[name]
            if element := shape_and_dtype(array["type"]):
                with self.subTest(array=path):
                    self.compare_array(np.asarray(found), array, *element)
                compared += 1
        for path, group in model["groups"].items():
            found = tree
            for name in path.strip("/").split("/"):
                found = found[name] if name else found
            for name, attribute in group["attributes"].items():
                if attribute.get("short"):
                    with self.subTest(attribute=name):
                        value = attribute["value"]
                        # The enumeration that stands for booleans.
                        self.assertEqual(found[name], value if isinstance(attribute["type"], str) else value == "TRUE")
        return compared

    def compare_array(self, found: np.ndarray, array: dict, shape: tuple[int, ...], dtype: np.dtype) -> None:
        self.assertEqual(found.dtype.newbyteorder("="), dtype)
        extents = [len(array["value"]) if extent is None and "value" in array else extent for extent in array["shape"]]
        storage = array.get("storage", {})
        kept = storage.get("shape") or [storage["size"]] if "size" in storage or "shape" in storage else extents
        self.assertEqual(found.shape, (*(ROWS if extent is None else extent for extent in kept), *shape))
        if "value" in array:
            expected = np.array(stored(array["value"], array["type"], len(extents)), dtype)
            if expected.size:
                np.testing.assert_array_equal(found[tuple(slice(extent) for extent in expected.shape)], expected)
        elif "fillvalue" in storage:
            fill = np.array(stored(storage["fillvalue"], array["type"], 0), dtype)
            np.testing.assert_array_equal(found, np.broadcast_to(fill, found.shape))
        else:
            self.assertEqual(found.tobytes(), bytes(found.nbytes))

    def created(self, name: str, description: descriptions.Description) -> int:
        path: Path = descriptions.folder("created") / f"{name}.asdf"
        description.create(path, string_length=LENGTH, extent=ROWS, replace=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", message=".*asdf-format.org/zarr/tags")
            with asdf.open(path) as file:
                return self.compare(with_chunks(file.tree, File.open(path).root()), description.model())

    def test_own_descriptions(self):
        compared = 0
        for name, description in descriptions.own():
            with self.subTest(description=name):
                if name in REFUSED:
                    with self.assertRaisesRegex(Error, f"^ASDF_ERR_UNSUPPORTED: at {REFUSED[name]}:"):
                        self.created(name, description)
                else:
                    compared += self.created(name, description)
        self.assertGreater(compared, 40)

    def test_what_stands_in_the_tree(self):
        path = descriptions.folder("created") / "tree.asdf"
        descriptions.Description(TREE.encode()).create(path, replace=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with asdf.open(path) as file:
                file.resolve_references()
                tree = dict(file.tree)
                items, target = tree.pop("list"), tree["target"]
                np.testing.assert_array_equal(items.pop(2), [1, 2])
                self.assertEqual(items, [{"a": 1}, "No", None])
                self.assertTrue(all(tree["references"][index] is target for index in (0, 2)))
                self.assertIs(tree["block"].pop("target"), target)
                found = {name: tree[name] for name in IN_TREE}
                self.assertEqual(found, IN_TREE)

    def test_masks_come_back(self):
        """Masked elements in a file of Python asdf are masked in the file made from its description, too."""
        arrays = {
            "a": np.ma.array([1, 2, 3], mask=[True, False, True], dtype="i2"),
            "b": np.ma.array([[0.5, 1.5], [2.5, 3.5]], mask=[[False, True], [False, False]]),
        }
        folder = descriptions.folder("created")
        asdf.AsdfFile(arrays | {"list": [arrays["a"] * 2]}).write_to(folder / "masked.asdf")
        described = descriptions.Description.of_file(File.open(folder / "masked.asdf"), annotate=1, described_values=2)
        described.create(folder / "masked again.asdf", replace=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with asdf.open(folder / "masked again.asdf") as file:
                found = {name: file[name] for name in arrays} | {"item": file["list"][0]}
                for name, expected in (arrays | {"item": arrays["a"] * 2}).items():
                    with self.subTest(name):
                        array = np.ma.asarray(found[name])
                        np.testing.assert_array_equal(np.ma.getmaskarray(array), np.ma.getmaskarray(expected))
                        np.testing.assert_array_equal(array.filled(0), expected.filled(0))

    def test_references_to_the_root(self):
        path = descriptions.folder("created") / "root.asdf"
        text = "/g:\n  ndarrays: {r: {shape: [2], type: objref, value: [/, /g]}}\n"
        descriptions.Description(text.encode()).create(path, replace=1)
        with asdf.open(path) as file:
            file.resolve_references()
            root, group = file["g"]["r"]
            # Copies, because the references are circles.
            self.assertEqual((set(root), set(group)), ({"asdf_library", "g", "ndl"}, {"r"}))

    def test_a_difference_is_noticed(self):
        path = descriptions.folder("created") / "different.asdf"
        text = "attributes: {n: 1}\nndarrays: {a: {shape: [2], type: int16, value: [1, 2]}}"
        descriptions.Description(text.encode()).create(path, replace=1)
        with asdf.open(path) as file:
            for old, new in (("n: 1", "n: 2"), ("[2]", "[3]"), ("int16", "int32"), ("[1, 2]", "[1, 3]")):
                other = descriptions.Description(text.replace(old, new).encode()).model()
                with self.assertRaises(AssertionError, msg=old):
                    CreatedTest().compare(file.tree, other)

    def test_samples(self):
        reasons, count = Counter(), 0
        for name, description in descriptions.samples():
            count += 1
            with self.subTest(description=name):
                try:
                    self.created(name, description)
                except Error as error:
                    self.assertIn(error.status, ("ASDF_ERR_UNSUPPORTED", "ASDF_ERR_INCOMPLETE", "ASDF_ERR_LIMIT"))
                    reasons[str(error)] += 1
        for reason, times in sorted(reasons.items()):
            print(f"{times} refused: {reason}")
        if count:
            self.assertEqual((count, reasons.total()), SAMPLES)
