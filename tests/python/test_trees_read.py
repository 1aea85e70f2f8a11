"""Trees that Python asdf writes and we read."""

import datetime
import io
import unittest
import warnings

import asdf
import asdfkit_ctypes as kit
import samples
import trees

import yaml

warnings.simplefilter("error")


def written(tree: dict, version: str = "1.6.0", **options) -> bytes:
    output = io.BytesIO()
    asdf.AsdfFile(tree, version=version).write_to(output, **options)
    return output.getvalue()


def in_order_of(tree, node: yaml.Node):
    """Returns the tree with its keys in the order of the file, because Python sorts them when it writes."""
    if isinstance(tree, dict):
        order = {key.value: value for key, value in node.value}
        return {key: in_order_of(tree[key], order[key]) for key in sorted(tree, key=list(order).index)}
    if isinstance(tree, list):
        return [in_order_of(*pair) for pair in zip(tree, node.value, strict=True)]
    return tree


class TreesRead(unittest.TestCase):
    def check(self, value, version: str = "1.6.0") -> None:
        file = written({"value": value}, version)
        opened = kit.File.open(file)
        self.assertEqual(opened.warnings(), [])
        composed = yaml.compose(trees.text_of(file), Loader=yaml.CSafeLoader)
        ordered = in_order_of(value, next(node for key, node in composed.value if key.value == "value"))
        self.assertIsNone(samples.difference(ordered, trees.take(opened.root().get("value"))))

    def test_strings(self):
        self.check(samples.STRINGS)
        self.check([{"key": text, "list": [text, [text]]} for text in samples.STRINGS])
        self.check([{text: text} for text in samples.STRINGS if text != "$ref"])
        self.check({text: {text: [text]} for text in samples.STRINGS if text != "$ref"})

    def test_numbers(self):
        self.check(samples.INTEGERS)
        self.check(samples.DOUBLES)
        self.check(samples.COMPLEXES)
        self.check([None, True, False, {"none": None, "true": True, "false": False}])

    def test_integers_beyond_64_bits(self):
        for storage in ("internal", "inline"):
            values = [asdf.IntegerType(value, storage) for value in samples.LARGE_INTEGERS + samples.INTEGERS]
            root = kit.File.open(written({"values": values})).root()
            self.assertEqual(trees.take(root.get("values")), samples.LARGE_INTEGERS + samples.INTEGERS)

    def test_empty_and_nested(self):
        self.check(samples.EMPTY)
        self.check(samples.nested(100, "end"))

    def test_many_keys(self):
        self.check({f"key {number}": number for number in range(10_000)})

    def test_keys_of_all_types(self):
        tree = {"1": "text", 2: "integer", -(2**63) + 2: "lowest", True: "bool", False: "other", "true": "text", "": 0}
        found = trees.take(kit.File.open(written({"value": tree})).root().get("value"))
        self.assertEqual(samples.typed(found), samples.typed(tree))
        self.assertEqual(found, tree)

    def test_keys_with_nul(self):
        node = kit.File.open(written({"value": {"a\0b": 7, "a": 8}})).root().get("value")
        self.assertEqual(kit.Node("asdf_node_get_by_string", node, b"", b"a\0b", 3).integer(), 7)

    def test_shared_and_recursive(self):
        shared = {"name": "shared"}
        recursive: dict = {"list": []}
        recursive["list"] += [recursive, recursive["list"]]
        tree = {"first": shared, "second": shared, "equal": {"name": "shared"}, "recursive": recursive}
        root = kit.File.open(written({"value": tree})).root()
        found = trees.take(root.get("value"))
        self.assertIs(found["first"], found["second"])
        self.assertIsNot(found["first"], found["equal"])
        self.assertIs(found["recursive"]["list"][0], found["recursive"])
        self.assertIs(found["recursive"]["list"][1], found["recursive"]["list"])
        self.assertEqual(
            root.get("value/recursive/list/0/list/1/0/list/0").identity(), root.get("value/recursive").identity()
        )

    def test_times_and_bytes(self):
        utc = datetime.UTC
        tree = {
            "date": datetime.date(2020, 1, 2),
            "time": datetime.datetime(2020, 1, 2, 3, 4, 5, 678, utc),
            "naive": datetime.datetime(2020, 1, 2, 3, 4, 5),
            "bytes": bytes(range(256)),
        }
        root = kit.File.open(written(tree)).root()
        for key, text in (
            ("date", "2020-01-02"),
            ("time", "2020-01-02 03:04:05.000678+00:00"),
            ("naive", "2020-01-02 03:04:05"),
        ):
            self.assertEqual((root.get(key).type(), root.get(key).string()), (kit.TIMESTAMP, text))
        self.assertEqual((root.get("bytes").type(), trees.take(root.get("bytes"))), (kit.BINARY, bytes(range(256))))

    def test_references(self):
        with asdf.AsdfFile({"a": {"b c": [1, 2], "x/~y": "z"}}, uri="http://example.org/a.asdf") as file:
            file["list"] = file.make_reference(["a", "b c"])
            file["text"] = file.make_reference(["a", "x/~y"])
            output = io.BytesIO()
            file.write_to(output)
        root = kit.File.open(output.getvalue()).root()
        self.assertEqual(trees.take(root.get("list")), [1, 2])
        self.assertEqual(root.get("list/1").integer(), 2)
        self.assertEqual(root.get("text").string(), "z")
        self.assertEqual(kit.text_of("asdf_node_reference", root, b"list"), "#a/b c")  # not escaped

    def test_history(self):
        for version in samples.STANDARDS:
            with self.subTest(version=version):
                file = asdf.AsdfFile({"a": 1}, version=version)
                file.add_history_entry("first", {"name": "test", "version": "1.0"})
                file.add_history_entry("second: 'quoted'\nlines")
                output = io.BytesIO()
                file.write_to(output)
                opened = kit.File.open(output.getvalue())
                entries = opened.root().get("history" if version < "1.2.0" else "history/entries")
                self.assertEqual(opened.warnings(), [])
                self.assertEqual(kit.text_of("asdf_file_standard", opened), version)
                self.assertEqual(
                    [entries.item(index).get("description").string() for index in range(2)],
                    ["first", "second: 'quoted'\nlines"],
                )
                self.assertEqual(entries.get("0/time").type(), kit.TIMESTAMP)
                self.assertEqual(entries.get("0/software/name").string(), "test")

    def test_random_trees(self):
        for first in range(1000, 1300, 10):
            with self.subTest(seeds=f"{first} to {first + 9}"):
                self.check([samples.random_tree(seed) for seed in range(first, first + 10)])
