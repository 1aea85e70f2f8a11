"""Random changes of existing files: PyYAML finds the intended tree, and the rest of the text is unchanged."""

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
from asdf.tags.core.ndarray import NDArrayType
from trees import text_of, token

import yaml

SCRIPTS = int(os.environ.get("ASDFKIT_EDIT_SCRIPTS", "300"))
REFERENCE_FILES = Path(os.environ["ASDFKIT_REFERENCE_FILES"])
STRINGS = [
    "x",
    "yes",
    "1e5",
    "~",
    "",
    "two words",
    "a: b",
    "a # b",
    "- x",
    "two\nlines",
    "it's",
    '"',
    "é",
    " blank ",
    "[",
    "0o14",
]

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


def arrays_of(file: asdf.AsdfFile) -> dict[str, np.ndarray]:
    """Returns the arrays directly under the root. They have a lazy type until they are looked at."""
    return {key: np.array(value) for key, value in file.tree.items() if isinstance(value, NDArrayType)}


class Place:
    """A node of PyYAML's tree, with its path and the lines of its entry."""

    def __init__(self, path, parent, index, node, lines):
        self.path, self.parent, self.index, self.node, self.lines = path, parent, index, node, lines


def places(root) -> list[Place]:
    """Returns the nodes that have one path only, and are not reached through aliases, merge keys or references."""
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
        # The line before may end in the braces of a collection that became empty.
        found.append(Place(path, parent, index, value, range(line - 1, value.end_mark.line + 1)))
        visit(value, path)

    visit(root, "")
    return found


def path_of(root, wanted) -> str | None:
    """Returns the first path to a node."""
    seen, stack = set(), [(root, "")]
    while stack:
        node, path = stack.pop()
        if node is wanted:
            return path
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            stack.extend((value, f"{path}/{token(key.value)}") for key, value in node.value)
        elif isinstance(node, yaml.SequenceNode):
            stack.extend((value, f"{path}/{index}") for index, value in enumerate(node.value))
    return None


def scalar(value):
    if value is None:
        return yaml.ScalarNode("tag:yaml.org,2002:null", "null")
    if isinstance(value, str):
        return yaml.ScalarNode("tag:yaml.org,2002:str", value)
    return yaml.ScalarNode("tag:yaml.org,2002:int", str(value))


def below(node):
    """Returns the nodes below a node."""
    seen, stack = {}, [node]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = node
        if isinstance(node, yaml.MappingNode):
            stack.extend(part for pair in node.value for part in pair)
        elif isinstance(node, yaml.SequenceNode):
            stack.extend(node.value)
    return seen.values()


def put(parent, index, node):
    if isinstance(parent, yaml.MappingNode):
        parent.value[index] = (parent.value[index][0], node)
    else:
        parent.value[index] = node


def same(left, right, known) -> bool:
    """Returns whether two trees of PyYAML's nodes are the same, aliases included."""
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
    """Returns the same file with much room after the tree, and blocks if there are none, but without an index."""
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
        kinds = ["set", "set", "set", "remove", "add", "append", "nest", "insert", "rename", "rename", "move", "move"]
        kind = self.random.choice(kinds)
        value = self.random.choice([*STRINGS, self.random.randint(-99, 99)])
        new = scalar(value)
        if kind == "remove":
            kit.call("asdf_node_remove", node, place.path.encode())
            del place.parent.value[place.index]
        elif kind == "add" and isinstance(place.node, yaml.MappingNode):
            if "core/ndarray" in place.node.tag or any(key.value == f"new{number}" for key, _ in place.node.value):
                return
            self.set(node, f"{place.path}/new{number}", value)
            place.node.value.append((scalar(f"new{number}"), new))
        elif kind == "append" and isinstance(place.node, yaml.SequenceNode):
            self.set(node, f"{place.path}/-", value)
            place.node.value.append(new)
        elif kind == "insert":
            self.insert(node, place, number)
        elif kind == "rename" and isinstance(place.parent, yaml.MappingNode):
            kit.call("asdf_node_rename_key", node, place.path.encode(), f"renamed {number}".encode())
            place.parent.value[place.index] = (scalar(f"renamed {number}"), place.node)
        elif kind == "move":
            self.move(node, place, self.random.choice(found), number)
        elif kind == "nest":
            node.set("mapping", place.path, 0)
            self.set(node, f"{place.path}/inner/x", value)
            inner = yaml.MappingNode("tag:yaml.org,2002:map", [(scalar("x"), new)])
            put(place.parent, place.index, yaml.MappingNode("tag:yaml.org,2002:map", [(scalar("inner"), inner)]))
        else:
            self.set(node, place.path, value)
            put(place.parent, place.index, new)
        self.touched.update(place.lines)

    def insert(self, node: kit.Node, place: Place, number: int) -> None:
        at = place.path.rpartition("/")[0].encode()
        if isinstance(place.parent, yaml.SequenceNode):
            kit.call("asdf_node_insert_item", node, at, place.index)
            place.parent.value.insert(place.index, scalar(None))
            return
        after = self.random.randint(0, 1)
        key, neighbour = f"inserted {number}", place.parent.value[place.index][0].value
        kit.call("asdf_node_insert_key", node, at, key.encode(), after, neighbour.encode())
        place.parent.value.insert(place.index + after, (scalar(key), scalar(None)))

    def move(self, node: kit.Node, place: Place, target: Place, number: int) -> None:
        """Puts a node into the target if that is a collection, else in its place."""
        if (target.path + "/").startswith(place.path + "/"):
            return
        taken = place.parent.value.pop(place.index)
        collection = target.node if isinstance(target.node, yaml.CollectionNode) else target.parent
        path = path_of(self.root, collection)
        if isinstance(collection, yaml.SequenceNode):
            index, new = self.random.randint(0, len(collection.value)), place.node
            to = f"{path}/{index}"
        else:
            values = [value for _, value in collection.value]
            inside = collection is target.node or target.node not in values
            index = len(values) if inside else values.index(target.node)
            if inside and "core/ndarray" in collection.tag:  # An array gets no key by a path.
                place.parent.value.insert(place.index, taken)
                return
            key = scalar(f"moved {number}") if inside else collection.value[index][0]
            to, new = f"{path}/{token(key.value)}", (key, place.node)
        # The other path begins with the path of the moved node, although it may now mean another node.
        if any(part is collection for part in below(place.node)) or (to + "/").startswith(place.path + "/"):
            place.parent.value.insert(place.index, taken)
            return
        replaced = isinstance(collection, yaml.MappingNode) and index < len(collection.value)
        collection.value[index : index + replaced] = [new]
        kit.call("asdf_node_move", node, place.path.encode(), to.encode())
        self.touched.update(target.lines)

    @staticmethod
    def set(node, path, value):
        if isinstance(value, str):
            node.set_string(path, value)
        else:
            node.set_integer(path, value)

    def lost_lines(self) -> list[str]:
        """Returns the untouched lines that are not in the new text, in their order."""
        # The text after a dash moves up when the item before it goes.
        after = iter([line.lstrip(" -") for line in text_of(self.after).splitlines()])
        library = re.compile(r"^(asdf_library|  (author|homepage|name|version)):")
        lines = enumerate(text_of(self.before).splitlines())
        kept = [line for number, line in lines if number not in self.touched and not library.match(line)]
        return [line for line in kept if line.strip() and not any(line.lstrip(" -") == other for other in after)]


class ArrayScript:
    """Random changes of the arrays of a file of Python asdf, made through the library and in memory."""

    CODECS = (None, "zlib", "bzp2", "lz4")
    TYPES = ("u1", "<i2", ">i4", "<f4", ">f8", "<c16")

    def __init__(self, path: Path, seed: int):
        self.random = random.Random(seed)
        self.arrays = {f"a{number}": self.new_array() for number in range(self.random.randint(1, 4))}
        written = asdf.AsdfFile(dict(self.arrays))
        for array in self.arrays.values():
            written.set_array_compression(array, self.random.choice(self.CODECS))
        written.write_to(path)
        self.before = self.blocks(path)
        self.numbers = {name: number for number, name in enumerate(self.numbered(path))}
        file = kit.File("asdf_file_open_for_update", os.fsencode(path), None)
        root = file.root()
        self.kept = set(self.before)
        for _ in range(self.random.randint(1, 3)):
            self.change(root)
            if self.random.random() < 0.3:
                kit.call("asdf_file_save", file, None)
        kit.call("asdf_file_save", file, None)
        kit.call("asdf_file_close", file)
        self.after = self.blocks(path)

    def new_array(self) -> np.ndarray:
        shape = [self.random.randint(0, 9) for _ in range(self.random.randint(1, 3))]
        generator = np.random.default_rng(self.random.randint(0, 1 << 30))
        return generator.integers(0, 100, shape).astype(self.random.choice(self.TYPES))

    @staticmethod
    def numbered(path: Path) -> list[str]:
        file = kit.File("asdf_file_open", os.fsencode(path), None)
        root = file.root()
        names = [root.key(index) for index in range(root.count())]
        arrays = [name for name in names if root.get(name).is_array()]
        return sorted(arrays, key=lambda name: kit.value_of(kit.c_int64, "asdf_array_block", root.array(name)))

    @staticmethod
    def blocks(path: Path) -> dict[int, bytes]:
        """Returns the blocks as they are stored, without their sizes."""
        bytes_of, blocks = path.read_bytes(), {}
        at = bytes_of.find(MAGIC)
        while bytes_of[at : at + 4] == MAGIC:
            size, _, label, allocated, used, _, checksum = struct.unpack_from(">HI4sQQQ16s", bytes_of, at + 4)
            payload = at + 6 + size
            blocks[len(blocks)] = label + checksum + bytes_of[payload : payload + used]
            at = payload + allocated
        return blocks

    def change(self, root: kit.Node) -> None:
        name = self.random.choice(list(self.arrays))
        array = self.arrays[name]
        match self.random.choice(["set", "resize", "resize", "recompress", "recompress", "rename", "move"]):
            case "set":
                array = self.new_array()
                array = array.astype(array.dtype.newbyteorder("="))
                root.set_array(name, array, **kit.compressed(self.random.choice([b"", b"zlib", b"lz4"])))
                self.arrays[name] = array
            case "resize":
                shape = tuple(max(0, extent + self.random.randint(-3, 3)) for extent in array.shape)
                fill = np.full(1, 7, array.dtype.newbyteorder("="))
                root.resize_array(name, shape, fill)
                resized = np.full(shape, 7, array.dtype)
                common = tuple(slice(0, min(extents)) for extents in zip(shape, array.shape))
                resized[common] = array[common]
                self.arrays[name] = resized
            case "recompress":
                codec = self.random.choice(["", "zlib", "bzp2", "lz4"])
                kit.call(
                    "asdf_node_recompress_array", root, name.encode(), kit.Options(**kit.compressed(codec.encode()))
                )
            case "rename":
                new = f"r{self.random.randint(0, 10**9)}"
                kit.call("asdf_node_rename_key", root, name.encode(), new.encode())
                self.rename(name, new)
                return
            case "move":
                new = f"m{self.random.randint(0, 10**9)}"
                kit.call("asdf_node_move", root, name.encode(), new.encode())
                self.rename(name, new)
                return
        self.kept.discard(self.numbers[name])

    def rename(self, name: str, new: str) -> None:
        self.arrays[new] = self.arrays.pop(name)
        self.numbers[new] = self.numbers.pop(name)


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
                script = Script(self.path, seed, kit.Options(save_mode=SAVE_WHOLE))
                self.check(script)
                self.assertEqual(script.before.split(MAGIC)[1:-1], script.after.split(MAGIC)[1:-1])

    def test_random_scripts_in_place(self):
        files = list(self.files())
        options = kit.Options(save_mode=SAVE_IN_PLACE)
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
        """After each kind of change, in files with blocks of each kind, and without blocks."""
        options = kit.Options(save_mode=SAVE_IN_PLACE)
        compared = 0
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
                before = arrays_of(old)
            file = kit.File("asdf_file_open_for_update", os.fsencode(self.path), None)
            root = file.root()
            for change, make in changes.items():
                with self.subTest(name, change=change):
                    make(root)
                    kit.call("asdf_file_save", file, options)
                    # The checksums of that file are those of the decoded bytes, which Python asdf does not expect.
                    verify = name != "compressed.asdf"
                    with asdf.open(self.path, validate_checksums=verify) as new:
                        for key, value in before.items():
                            np.testing.assert_array_equal(np.array(new[key]), value)
                            compared += 1
                        for key in {"more", "again"} & set(new.tree):
                            np.testing.assert_array_equal(new[key], more)
            kit.call("asdf_file_close", file)
        self.assertGreater(compared, 100)

    def test_random_changes_of_arrays(self):
        for seed in range(SCRIPTS):
            with self.subTest(seed=seed):
                script = ArrayScript(self.path, seed)
                self.assertEqual(len(script.after), len(script.before))
                for number in script.kept:
                    self.assertEqual(script.after[number], script.before[number])
                with asdf.open(self.path, validate_checksums=True) as file:
                    self.assertEqual(
                        set(script.arrays), {name for name in file.tree if name not in ("asdf_library", "history")}
                    )
                    for name, array in script.arrays.items():
                        self.assertEqual(file[name].dtype, array.dtype)
                        np.testing.assert_array_equal(np.array(file[name]), array)

    def test_python_reads_arrays_added(self):
        compared = 0
        for source in sorted(REFERENCE_FILES.glob("1.6.0/*.asdf")):
            if "exploded" in source.name or source.name == "shared.asdf":
                continue
            with self.subTest(source.name):
                shutil.copy(source, self.path)
                with asdf.open(source) as old:
                    before = arrays_of(old)
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
                        compared += 1
        self.assertGreater(compared, 20)


if __name__ == "__main__":
    unittest.main()
