"""Floats that we write have the same bits for Python's readers, in every format and of every width."""

import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import asdfkit_tables as tables
import numpy as np
from astropy.table import Table
from float_values import difference, numbers

import yaml


class Floats(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name)
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")

    def same(self, found: np.ndarray, expected: np.ndarray) -> None:
        self.assertIsNone(difference(found, expected))

    def narrowed(self, texts: list[str], expected: np.ndarray) -> None:
        """Checks texts as a program reads them that has only binary64 and converts the result to the type."""
        with np.errstate(over="ignore"):
            self.same(np.array([float(text) for text in texts]).astype(expected.dtype), expected)

    def test_ecsv(self):
        for dtype in ("float16", "float32", "float64", "complex64", "complex128"):
            with self.subTest(dtype):
                values = numbers(dtype)
                table = tables.Table.new(len(values))
                table.add("values", values)
                if values.dtype.kind != "c":
                    table.add("pairs", np.stack([values, values[::-1]], axis=1))
                path = self.path / "floats.ecsv"
                table.write_ecsv(path)
                found = Table.read(path, format="ascii.ecsv")
                self.same(np.asarray(found["values"]), values)
                again = tables.Table.read_ecsv(path)
                self.same(again.elements("values", dtype, values.shape)[0], values)
                if values.dtype.kind == "c":
                    continue
                self.same(np.asarray(found["pairs"])[:, 0], values)
                self.same(again.elements("pairs", dtype, (len(values), 2))[0][:, 1], values[::-1])
                lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
                texts = [line.split(" ")[0] for line in lines[1:]]
                self.narrowed(texts, values)
                if dtype == "float64":
                    self.assertEqual(texts, [repr(value) for value in values.tolist()])

    def test_inline_arrays(self):
        for dtype in ("float16", "float32", "float64", "complex64", "complex128"):
            with self.subTest(dtype):
                values = numbers(dtype)
                path = self.path / "floats.asdf"
                file = kit.File.new()
                file.root().set_array("values", values, storage=kit.STORAGES["inline"])
                file.write(path)
                with asdf.open(path, lazy_load=False, memmap=False) as found:
                    self.same(np.asarray(found["values"]), values)
                self.same(kit.File.open(path).root().array("values").read(), values)

    def test_yaml_takes_every_text_for_a_float(self):
        values = numbers("float64")
        file = kit.File.new()
        root = file.root()
        root.set_array("values", values, storage=kit.STORAGES["inline"])
        text = file.write_memory().decode()
        found = yaml.load("\n".join(line for line in text.splitlines() if not line.startswith("#")), Plain)
        found = found["values"]["data"]
        self.assertEqual({type(value) for value in found}, {float})
        self.same(np.array(found), values)


class Plain(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Reads tagged nodes as if they had no tag."""


def untagged(loader: yaml.Loader, _: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    return loader.construct_sequence(node, deep=True) if isinstance(node, yaml.SequenceNode) else node.value


Plain.add_multi_constructor("", untagged)
