"""History entries that we append, as Python asdf lists them, and the content that must stay."""

import os
import tempfile
import unittest
import warnings
from ctypes import POINTER, c_char_p, c_int32, c_int64
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import numpy as np

HEAD = "#ASDF 1.0.0\n#ASDF_STANDARD {}\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-{}\n"
EXTENSIONS = """\
history:
  extensions:   # who took part
  - !core/extension_metadata-1.0.0
    extension_class: asdf.extension._manifest.ManifestExtension
    extension_uri: asdf://asdf-format.org/core/extensions/core-1.6.0
    software: !core/software-1.0.0 {name: asdf,   version: 5.0.0}
  - !core/extension_metadata-1.0.0 {extension_class: some.where.Else, odd: [1, 2 ]}
data: 1   # one
"""


PARTS = ["name", "version", "author", "homepage"]
TEXT = (*kit.PLACE, c_int64, c_int32, *kit.TEXT_OUT)
for name, arguments in {
    "asdf_file_extensions": (kit.HANDLE, kit.HANDLE_OUT),
    "asdf_file_add_extension": (kit.HANDLE, *[c_char_p] * 4),
    "asdf_node_software_count": (*kit.PLACE, POINTER(c_int64)),
    "asdf_node_get_software": TEXT,
    "asdf_node_set_software": (*kit.PLACE, *[c_char_p] * 4),
}.items():
    getattr(kit.library, name).argtypes = arguments
    getattr(kit.library, name).restype = c_int32


def software(node: kit.Node, path: str) -> list[list[str]]:
    """Name, version, author and homepage of the programs at a path."""
    count = kit.value_of(c_int64, "asdf_node_software_count", node, path.encode())
    part = range(len(PARTS))
    return [[kit.text_of("asdf_node_get_software", node, path.encode(), i, it) for it in part] for i in range(count)]


def add(file: kit.File, text: str, *software: str, time: str | None = None) -> None:
    software = [part.encode() for part in software] + [None] * (4 - len(software))
    content = text.encode()
    kit.call("asdf_file_add_history", file, content, len(content), time and time.encode(), *software)


class History(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "file.asdf"
        warnings.simplefilter("ignore")

    def edited(self, content: str, change) -> str:
        self.path.write_bytes(content.encode())
        file = kit.File("asdf_file_open_for_update", os.fsencode(self.path), None)
        change(file)
        kit.call("asdf_file_save", file, None)
        return self.path.read_bytes().decode(errors="replace")

    def descriptions(self) -> list[str]:
        with asdf.open(self.path) as file:
            entries = file.get_history_entries()
            return [entry["description"] for entry in entries]

    def test_entries_that_python_lists(self):
        for standard in ("1.0.0", "1.1.0", "1.2.0", "1.5.0", "1.6.0"):
            with self.subTest(standard):
                file = kit.File.new(standard)
                add(file, "begun", "pipeline", "2.1", "we", "https://example.org")
                file.root().set_array("data", np.arange(5.0))
                file.write(self.path)
                self.edited_again()
                self.assertEqual(self.descriptions(), ["begun", "gone on"])
                with asdf.open(self.path) as read:
                    software = read.get_history_entries()[0]["software"]
                    self.assertEqual(dict(software)["version"], "2.1")

    def edited_again(self):
        file = kit.File("asdf_file_open_for_update", os.fsencode(self.path), None)
        add(file, "gone on", time="2027-01-31T04:05:06Z")
        kit.call("asdf_file_save", file, None)

    def test_files_of_python(self):
        with asdf.AsdfFile({"data": np.arange(5)}) as file:
            file.add_history_entry("by python", {"name": "x", "version": "1"})
            file.write_to(self.path)
        self.edited_again()
        self.assertEqual(self.descriptions(), ["by python", "gone on"])
        with asdf.open(self.path, mode="rw") as file:
            file.add_history_entry("python again")
            file.update()
        self.edited_again()
        self.assertEqual(self.descriptions(), ["by python", "gone on", "python again", "gone on"])

    def test_extensions_stay(self):
        before = HEAD.format("1.6.0", "1.1.0") + EXTENSIONS + "...\n"
        block = EXTENSIONS.removesuffix("data: 1   # one\n")
        for change in (
            lambda file: file.root().set_integer("data", 2),
            lambda file: file.root().set_array("more", np.arange(3)),
            lambda file: add(file, "done"),
        ):
            after = self.edited(before, change)
            self.assertIn(block, after)
            self.assertIn("asdf_library: !core/software-1.0.0 {name: asdfkit", after)
        self.assertEqual(self.descriptions(), ["done"])

    def test_lists_move_where_the_standard_wants_mappings(self):
        entry = "- !core/history_entry-1.0.0 {description: old, time: 2020-01-02 03:04:05}\n"
        old = HEAD.format("1.1.0", "1.0.0") + "history:   # it\n" + entry + "rest: [1, 2 ]  # stays\n...\n"
        after = self.edited(old, lambda file: add(file, "new"))
        self.assertIn("history:   # it\n" + entry + "- !core/history_entry-1.0.0\n", after)
        self.assertEqual(self.descriptions(), ["old", "new"])
        newer = HEAD.format("1.6.0", "1.1.0") + "history:\n" + entry + "rest: [1, 2 ]  # stays\n...\n"
        after = self.edited(newer, lambda file: add(file, "new"))
        self.assertIn("history:\n  entries:\n", after)
        self.assertIn("rest: [1, 2 ]  # stays\n", after)
        self.assertEqual(self.descriptions(), ["old", "new"])

    def test_programs_and_extensions(self):
        with asdf.AsdfFile({"data": np.arange(5)}) as file:
            file.add_history_entry(
                "by python", [{"name": "x", "version": "1"}, {"name": "y", "version": "2", "author": "z"}]
            )
            file.write_to(self.path)
        with asdf.open(self.path) as theirs:
            library, extensions = theirs["asdf_library"], theirs["history"]["extensions"]
        file = kit.File("asdf_file_open_for_update", os.fsencode(self.path), None)
        entries, ours = kit.Node("asdf_file_history", file), kit.Node("asdf_file_extensions", file)
        self.assertEqual(software(entries, "0/software"), [["x", "1", "", ""], ["y", "2", "z", ""]])
        self.assertEqual(software(file.root(), "asdf_library"), [[library[key] for key in PARTS]])
        for index, extension in enumerate(extensions):
            text = kit.text_of("asdf_node_get_string", ours, f"{index}/extension_uri".encode())
            self.assertEqual(text, extension["extension_uri"])
            self.assertEqual(
                software(ours, f"{index}/software")[0][:2], [extension["software"][key] for key in PARTS[:2]]
            )
        # Python keeps what we add, and replaces its own entries.
        for version in (b"1.0", b"1.1"):
            kit.call("asdf_file_add_extension", file, b"our.Code", b"asdf://x.org/e-1.0.0", b"ours", version)
        kit.call("asdf_node_set_software", file.root(), b"by", b"pipe", b"2.1", None, b"https://example.org")
        kit.call("asdf_file_save", file, None)
        with asdf.open(self.path, mode="rw") as theirs:
            added = theirs["history"]["extensions"]
            self.assertEqual([entry.get("extension_uri") for entry in added][-1], "asdf://x.org/e-1.0.0")
            self.assertEqual((len(added), added[-1]["software"]["version"]), (len(extensions) + 1, "1.1"))
            self.assertEqual(dict(theirs["by"]), {"name": "pipe", "version": "2.1", "homepage": "https://example.org"})
            theirs.update()
        file = kit.File.open(self.path)
        self.assertEqual(software(file.root(), "by"), [["pipe", "2.1", "", "https://example.org"]])

    def test_the_library_is_named_only_when_something_is_saved(self):
        before = HEAD.format("1.6.0", "1.1.0") + EXTENSIONS + "...\n"
        self.assertEqual(self.edited(before, lambda file: None), before)


if __name__ == "__main__":
    unittest.main()
