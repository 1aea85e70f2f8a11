"""Files that exist, changed in random ways: PyYAML finds the intended tree, and the rest of the text as it was."""

import os
import random
import re
import shutil
import struct
import tempfile
import unittest
import warnings
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import numpy as np
import yaml
from trees import text_of, token

SCRIPTS = int(os.environ.get("ASDFKIT_EDIT_SCRIPTS", "300"))
REFERENCE_FILES = Path(os.environ["ASDFKIT_REFERENCE_FILES"])
STRINGS = ["x", "yes", "1e5", "~", "", "two words", "a: b", "a # b", "- x", "two\nlines", "it's", '"', "é", " blank ", "[", "0o14"]

COMMENTED = b"""#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
# a remark
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
# about the observation
meta:   # metadata
  time: 139.8     # seconds
  'quoted': "double"   # key in quotes
  deep:
      wide: {a: 1, b: [1, 2 , 3], c: {d: e}}   # flow
      lines: |
        literal
        # no comment

      folded: >-
        one
        two
  list:
  - 1   # first
  -   k: v
      l: w   # inner
  - - 5
    - 6
  # the end of the list
empty: {}
none:
last: end  # of it
...
"""


def compose(file: bytes):
    return yaml.compose(text_of(file), yaml.CSafeLoader)


class Place:
    """A node of PyYAML's tree, with its path and the lines of its entry."""

    def __init__(self, path, parent, index, node, lines):
        self.path, self.parent, self.index, self.node, self.lines = path, parent, index, node, lines


def places(root) -> list[Place]:
    """The places that have one path only, and are not reached through aliases, merge keys or references."""
    seen, shared, stack = set(), set(), [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            shared.add(id(node))
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            stack.extend(part for pair in node.value for part in pair)
        elif isinstance(node, yaml.SequenceNode):
            stack.extend(node.value)
    found = []

    def visit(node, path):
        if id(node) in shared:
            return
        if isinstance(node, yaml.MappingNode):
            keys = [key.value for key, _ in node.value]
            if "<<" in keys or "$ref" in keys or len(set(keys)) < len(keys):
                return
            for index, (key, value) in enumerate(node.value):
                if key.start_mark and value.start_mark:
                    add(node, index, value, f"{path}/{token(key.value)}", key.start_mark.line)
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                if value.start_mark:
                    add(node, index, value, f"{path}/{index}", value.start_mark.line)

    def add(parent, index, value, path, line):
        if id(value) in shared or path == "/asdf_library" or path.startswith("/asdf_library/"):
            return
        # The line before may end in the braces of what became empty.
        found.append(Place(path, parent, index, value, range(line - 1, value.end_mark.line + 1)))
        visit(value, path)

    visit(root, "")
    return found


def scalar(value):
    if isinstance(value, str):
        return yaml.ScalarNode("tag:yaml.org,2002:str", value)
    return yaml.ScalarNode("tag:yaml.org,2002:int", str(value))


def put(parent, index, node):
    if isinstance(parent, yaml.MappingNode):
        parent.value[index] = (parent.value[index][0], node)
    else:
        parent.value[index] = node


def same(left, right, known) -> bool:
    """Whether two trees of PyYAML's nodes are the same, aliases included."""
    stack = [(left, right)]
    while stack:
        a, b = stack.pop()
        if known.setdefault(id(a), id(b)) != id(b):
            return False
        if type(a) is not type(b) or a.tag != b.tag:
            return False
        if isinstance(a, yaml.ScalarNode):
            if a.value != b.value and not (a.tag.endswith(":null")):
                return False
        elif len(a.value) != len(b.value):
            return False
        elif isinstance(a, yaml.MappingNode):
            stack.extend(parts for one, other in zip(a.value, b.value) for parts in zip(one, other))
        else:
            stack.extend(zip(a.value, b.value))
    return True


MAGIC = b"\xd3BLK"
BLOCKS = b"".join(
    MAGIC + struct.pack(">HI4sQQQ16s", 48, 0, b"", len(payload), len(payload), len(payload), bytes(16)) + payload
    for payload in (b"first" * 100, b"second" * 1000)
)
SAVE_WHOLE, SAVE_IN_PLACE = 1, 2


def with_room(file: bytes, with_blocks: bool) -> bytes:
    """The same file with much room behind the tree, and blocks if there are none, but without an index."""
    head, magic, blocks = file.partition(MAGIC)
    if not magic:
        return head + 4000 * b" " + b"\n" + BLOCKS if with_blocks else head
    return head + 4000 * b" " + b"\n" + magic + blocks.partition(b"#ASDF BLOCK INDEX")[0]


class Script:
    """Random changes, made through the library and in PyYAML's tree."""

    def __init__(self, path: Path, seed: int, options=None):
        self.random = random.Random(seed)
        self.before = path.read_bytes()
        self.root = compose(self.before)
        self.touched = set()
        file = kit.File("asdf_file_open_for_update", os.fsencode(path), None)
        node = file.root()
        for number in range(self.random.randint(1, 4)):
            self.change(node, number)
        kit.call("asdf_file_save", file, options)
        self.after = path.read_bytes()

    def change(self, node: kit.Node, number: int) -> None:
        found = places(self.root)
        if not found:
            return
        place = self.random.choice(found)
        kind = self.random.choice(["set", "set", "set", "remove", "add", "append", "nest"])
        value = self.random.choice([*STRINGS, self.random.randint(-99, 99)])
        new = scalar(value)
        if kind == "remove":
            kit.call("asdf_node_remove", node, place.path.encode())
            del place.parent.value[place.index]
        elif kind == "add" and isinstance(place.node, yaml.MappingNode):
            if any(key.value == f"new{number}" for key, _ in place.node.value):
                return
            self.set(node, f"{place.path}/new{number}", value)
            place.node.value.append((scalar(f"new{number}"), new))
        elif kind == "append" and isinstance(place.node, yaml.SequenceNode):
            self.set(node, f"{place.path}/-", value)
            place.node.value.append(new)
        elif kind == "nest":
            node.set("mapping", place.path, 0)
            self.set(node, f"{place.path}/inner/x", value)
            inner = yaml.MappingNode("tag:yaml.org,2002:map", [(scalar("x"), new)])
            put(place.parent, place.index, yaml.MappingNode("tag:yaml.org,2002:map", [(scalar("inner"), inner)]))
        else:
            self.set(node, place.path, value)
            put(place.parent, place.index, new)
        self.touched.update(place.lines)

    @staticmethod
    def set(node, path, value):
        if isinstance(value, str):
            node.set_string(path, value)
        else:
            node.set_integer(path, value)

    def lost_lines(self) -> list[str]:
        """Lines that nothing touched, and that are not in the new text, in their order."""
        # What follows a dash moves up when the item before it goes.
        after = iter([line.lstrip(" -") for line in text_of(self.after).splitlines()])
        library = re.compile(r"^(asdf_library|  (author|homepage|name|version)):")
        lines = enumerate(text_of(self.before).splitlines())
        kept = [line for number, line in lines if number not in self.touched and not library.match(line)]
        return [line for line in kept if line.strip() and not any(line.lstrip(" -") == other for other in after)]


class Edits(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "edited.asdf"
        warnings.simplefilter("ignore")

    def files(self):
        yield COMMENTED
        for path in sorted(REFERENCE_FILES.glob("1.6.0/*.asdf")):
            if "exploded" not in path.name:
                yield path.read_bytes()

    def test_random_scripts(self):
        files = list(self.files())
        for seed in range(SCRIPTS):
            # The file with comments everywhere is the hardest.
            content = files[0] if seed % 2 else files[seed // 2 % len(files)]
            self.path.write_bytes(content)
            with self.subTest(seed=seed):
                script = Script(self.path, seed, kit.Options("write", save_mode=SAVE_WHOLE))
                self.check(script)
                self.assertEqual(script.before.split(MAGIC)[1:-1], script.after.split(MAGIC)[1:-1])

    def test_random_scripts_in_place(self):
        files = list(self.files())
        options = kit.Options("write", save_mode=SAVE_IN_PLACE)
        for seed in range(SCRIPTS):
            content = files[0] if seed % 2 else files[seed // 2 % len(files)]
            self.path.write_bytes(with_room(content, seed % 3 > 0))
            with self.subTest(seed=seed):
                same_file = self.path.stat().st_ino
                script = Script(self.path, seed, options)
                self.check(script)
                self.assertEqual(script.before.partition(MAGIC)[1:], script.after.partition(MAGIC)[1:])
                self.assertEqual(self.path.stat().st_ino, same_file)
                self.assertEqual(os.listdir(self.path.parent), [self.path.name])

    def check(self, script: Script) -> None:
        written = compose(script.after)
        for root in (script.root, written):
            root.value = [pair for pair in root.value if pair[0].value != "asdf_library"]
        self.assertTrue(same(script.root, written, {}), text_of(script.after))
        self.assertEqual(script.lost_lines(), [], text_of(script.after))

    def test_python_reads_what_was_saved_in_place(self):
        """After each kind of change, in files with blocks of each kind, and without."""
        options = kit.Options("write", save_mode=SAVE_IN_PLACE)
        more = np.arange(1000, dtype="f8")
        changes = {
            "a longer text": lambda root: root.set_string("note", "a long text " * 20),
            "a shorter text": lambda root: root.set_string("note", ""),
            "an array": lambda root: root.set_array("more", more),
            "a text and an array": lambda root: (root.set_string("note", "x"), root.set_array("again", more)),
            "less": lambda root: kit.call("asdf_node_remove", root, b"note"),
        }
        sources = {source.name: source.read_bytes() for source in sorted(REFERENCE_FILES.glob("1.6.0/*.asdf"))}
        sources["without blocks"] = COMMENTED
        for name, content in sources.items():
            if "exploded" in name or name == "shared.asdf":
                continue
            self.path.write_bytes(with_room(content, False))
            with asdf.open(self.path) as old:
                before = {key: np.array(value) for key, value in old.tree.items() if isinstance(value, np.ndarray)}
            file = kit.File("asdf_file_open_for_update", os.fsencode(self.path), None)
            root = file.root()
            for change, make in changes.items():
                with self.subTest(name, change=change):
                    make(root)
                    kit.call("asdf_file_save", file, options)
                    with asdf.open(self.path, validate_checksums=True) as new:
                        for key, value in before.items():
                            np.testing.assert_array_equal(np.array(new[key]), value)
                        for key in {"more", "again"} & set(new.tree):
                            np.testing.assert_array_equal(new[key], more)
            kit.call("asdf_file_close", file)

    def test_python_reads_arrays_added(self):
        for source in sorted(REFERENCE_FILES.glob("1.6.0/*.asdf")):
            if "exploded" in source.name or source.name == "shared.asdf":
                continue
            with self.subTest(source.name):
                shutil.copy(source, self.path)
                with asdf.open(source) as old:
                    before = {key: np.array(value) for key, value in old.tree.items() if isinstance(value, np.ndarray)}
                more = np.arange(1000, dtype="f8")
                file = kit.File("asdf_file_open_for_update", os.fsencode(self.path), None)
                file.root().set_array("more", more)
                file.root().set_string("note", "a long text " * 1000)
                kit.call("asdf_file_save", file, None)
                kit.call("asdf_file_close", file)
                with asdf.open(self.path) as new:
                    np.testing.assert_array_equal(new["more"], more)
                    for key, value in before.items():
                        np.testing.assert_array_equal(np.array(new[key]), value)


if __name__ == "__main__":
    unittest.main()
