"""The table of keys with defaults is that of the published schemas, and of asdf's own filling; a copy that would change
what Python reads is refused.
"""

import io
import os
import re
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
from asdf.schema import fill_defaults
from asdf.tagged import TaggedDict, TaggedList

SOURCE = Path(os.environ["ASDFKIT_SOURCE"])
TABLE = SOURCE / "src" / "file" / "edit" / "schema_defaults.rs"
STANDARDS = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0"]
ENTRY = re.compile(r'name: "(.*?)",\s*versions: &\[(.*?)\],\s*keys: &\[(.*?)\],\n')


def table() -> dict[str, set[str]]:
    """Returns the paths of keys in the table, by tag."""
    found = {}
    for name, versions, keys in ENTRY.findall(TABLE.read_text(encoding="utf-8")):
        paths = set(re.findall(r'\("(.*?)", "', keys))
        found.update({f"{name}-{version}": paths for version in re.findall(r'"(.*?)"', versions)})
    return found


def filled(standard: str, tag: str, node: dict | list) -> set[str]:
    """Returns the paths of the keys that asdf adds to a node of this tag."""
    before = set(paths(node))
    tagged = TaggedDict(node, tag) if isinstance(node, dict) else TaggedList(node, tag)
    fill_defaults({"node": tagged}, asdf.AsdfFile(version=standard), reading=True)
    return set(paths(tagged.data)) - before


def paths(node: object, path: str = "") -> list[str]:
    if isinstance(node, dict):
        below = [(key, value) for key, value in node.items()]
    elif isinstance(node, list):
        below = [("*", value) for value in node]
    else:
        return [path]
    return [path, *(found for key, value in below for found in paths(value, f"{path}/{key}".strip("/")))]


class SchemaDefaults(unittest.TestCase):
    def setUp(self):
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")

    def test_the_table_is_that_of_the_schemas(self):
        script = SOURCE / "scripts" / "schema_defaults.py"
        subprocess.run([sys.executable, script, "--check"], check=True)

    def test_asdf_fills_the_same_keys(self):
        known, tried = table(), set()
        for standard in STANDARDS:
            manager = asdf.AsdfFile(version=standard).extension_manager
            for tag in {str(one.tag_uri) for extension in manager.extensions for one in extension.tags}:
                if "*" in tag:
                    continue
                found = set()
                # Parents of nested keys must be there, or nothing is added to them.
                for node in ({}, {"ra": {}, "dec": {}}, [{}]):
                    found |= filled(standard, tag, node)
                self.assertEqual(found, known.get(tag, set()), f"{tag} in {standard}")
                tried.add(tag)
        # Schemas without an extension here are those of gwcs.
        self.assertEqual({tag for tag in known if "gwcs" not in tag} - tried, set())

    def test_a_copy_that_python_would_read_otherwise_is_refused(self):
        source = Path(os.environ["ASDFKIT_CORPORA"]) / "reports" / "rotate3d_default.asdf"
        with asdf.open(source, lazy_load=False) as file:
            expected = repr(file["rot"])
        for standard in ("1.0.0", "1.5.0", "1.6.0"):
            made = kit.File.new(standard)
            copy = lambda: made.root().copy("rot", kit.File.open(source).root().get("rot"))  # noqa: B023
            if standard == "1.6.0":
                with self.assertRaisesRegex(kit.Error, "UNSUPPORTED.*'direction' is missing"):
                    copy()
                continue
            copy()
            with asdf.open(io.BytesIO(made.write_memory()), lazy_load=False) as file:
                self.assertEqual(repr(file["rot"]), expected)


if __name__ == "__main__":
    unittest.main()
