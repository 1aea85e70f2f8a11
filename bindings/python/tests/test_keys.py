"""Keys and values that iteration yields: what a loop gets, it can set again. Keys that are no paths."""

import copy
import io
import pickle

import asdf
import numpy as np
import pytest

import asdfkit
from asdfkit import Key, Quantity, Reference, Tagged, TaggedText
from asdfkit.constants import KeyType, Kind

HEAD = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
TREE = """\
asdf/library: {name: asdf-cxx}
a~b: 1
1: one
'1': text
-7: minus
true: truth
'false': text
'': empty
"n\\0l": 4
measure: !unit/unit-1.0.0 m
start: !time/time-1.1.0 2020-01-01T00:00:00
model: !<tag:example.org:model-1.0.0> 1.5
nothing: !<tag:example.org:nothing-1.0.0>
exact: 2020-01-01T00:00:00.123456789
length: !unit/quantity-1.1.0 {unit: !<tag:astropy.org:astropy/units/unit-1.0.0> DN, value: 1.5, note: x}
far: {$ref: 'x.asdf#/a'}
inner: {x/y: 1, 7: 2, deep: [!<tag:example.org:item-1.0.0> z]}
pair: !<tag:example.org:pair-1.0.0> [1, 2]
"""


@pytest.fixture
def source():
    return asdfkit.open(HEAD + TREE.encode() + b"...\n", astropy=False)


@pytest.fixture
def new():
    return asdfkit.new(standard="1.5.0", astropy=False)


def content(file) -> list[str]:
    """Words of the tree without the entry about the library."""
    return file.to_bytes().decode().partition("asdf_library")[2].partition("\n")[2].split()


def test_a_loop_copies_all_pairs(source, new):
    for key in source:
        new[key] = source[key]
    expected = TREE.replace("'x.asdf#/a'", "x.asdf#/a").replace("nothing-1.0.0>", "nothing-1.0.0> ''")
    assert content(new) == [*expected.split(), "..."]
    again = asdfkit.new(standard="1.5.0")
    again.update(asdfkit.open(HEAD + TREE.encode() + b"...\n"))
    assert content(again) == content(new)
    for key, value in source.items():
        if key not in again:
            raise AssertionError(key)
        again[key] = value
    assert content(again) == content(new)
    with asdf.open(io.BytesIO(new.to_bytes())) as theirs:
        assert theirs["asdf/library"] == {"name": "asdf-cxx"} and theirs["a~b"] == 1


def test_pairs_are_found_and_removed(source, new):
    new.update(source)
    for key in list(source):
        assert key in new
        assert new.get(key) is not None
        new.pop(key)
    assert [key for key in new if key != "asdf_library"] == []


def test_loaded_values_keep_tags(source, new):
    loaded = source["inner"].load()
    assert loaded == {"x/y": 1, 7: 2, "deep": ["z"]}
    new["inner"] = loaded
    assert new["inner"]["deep"][0].tag == "tag:example.org:item-1.0.0"
    length = source["length"]
    new["length"] = Quantity(length.value, length.unit)
    assert new.tag_of("length/unit") == "tag:astropy.org:astropy/units/unit-1.0.0"


def test_values_outlive_their_file(source, new):
    values = [source[key] for key in ("measure", "length", "exact")]
    source.close()
    new["values"] = values
    assert new["values"].load() == ["m", Quantity(1.5, "DN"), "2020-01-01T00:00:00.123456789"]
    assert new.node("values/2").kind == Kind.TIMESTAMP


def test_keys(new):
    new[Key("a/b")] = 1
    new["c/d"] = 2
    new["a/b"] = 3
    assert new.load() | {"asdf_library": 0} == {"a/b": 3, "c": {"d": 2}, "asdf_library": 0}
    assert new.node(Key("a/b")).path == "/a~1b" and new.text_of(Key("a/b")) == "3"
    with pytest.raises(KeyError):
        new[Key("c/d")]
    assert Key("c/d") not in new and "c/d" in new
    new.rename(Key("a/b"), "e/f")
    assert [*new][-2:] == [Key("e/f"), "c"] or "e/f" in [*new]
    key = pickle.loads(pickle.dumps(Key("x/y")))
    assert type(key) is Key and key.type == KeyType.STRING and copy.deepcopy(key) == "x/y" == Key("x/y")
    assert repr(key) == "Key('x/y')" and {key: 1} == {"x/y": 1}


def test_keys_of_other_types(new):
    new["channels"] = {0: {"buffer": 1}, True: "yes", "0": "text", np.int64(-5): 2, "a/b": 4}
    channels = asdfkit.open(new.to_bytes())["channels"]
    assert channels[0]["buffer"] == 1 and channels[True] == "yes" and channels[Key("0")] == "text"
    assert [type(key) for key in channels] == [int, bool, Key, int, Key]
    new[7] = [1]
    new[7].append(2)
    new.set(8, np.arange(3), compression="zlib")
    assert new[7].load() == [1, 2] and new[8][2] == 2
    new.setdefault(7, 5)
    del new[7]
    assert 7 not in new
    with pytest.raises(KeyError):
        del new[7]
    for key, error in [(1.5, TypeError), (None, TypeError), (b"x", TypeError), (2**70, ValueError), ((1,), TypeError)]:
        with pytest.raises(error):
            new[key] = 1
        with pytest.raises(error):
            new["x"] = {key: 1}
    assert "x" not in new
    with pytest.raises(TypeError, match="cannot be stored"):
        new[9] = object()
    assert 9 not in new


def test_a_key_that_asdf_does_not_allow_is_read_and_not_made(new):
    source = asdfkit.open(HEAD + b"{1.5: one}\n...\n")
    (key,) = source
    assert key == "1.5" and source[key] == "one" and key.type == KeyType.OTHER
    with pytest.raises(TypeError, match="1.5"):
        new[key] = 1
    with pytest.raises(TypeError, match="1.5"):
        new["x"] = source.load()


def test_a_merged_pair_belongs_to_its_mapping(tmp_path):
    path = tmp_path / "merged.asdf"
    path.write_bytes(HEAD + b"base: &b {a/b: 1, 7: 2}\nuser: {<<: *b, c: 3}\n...\n")
    with asdfkit.open(path, "r+") as file:
        user = file["user"]
        for key in (Key("a/b"), 7):
            with pytest.raises(asdfkit.errors.UsageError, match="merged"):
                del user[key]
            user[key] = 9
            assert user[key] == 9 and file["base"][key] != 9


def test_paths_end_at_arrays_and_quantities(new):
    new["image"] = np.zeros(3)
    new["length"] = Quantity(1.5, "m")
    new["list"] = [{"image": np.zeros(2)}]
    changes = [
        lambda: new.__setitem__("image/name", 1),
        lambda: new.__setitem__("image/a/b", {}),
        lambda: new.update({"length/error": 0.1}),
        lambda: new.setdefault("image/mask", [0, 1, 0]),
        lambda: new["list"].__setitem__("0/image/name", 1),
        lambda: new.set("image/more", np.zeros(2), compression="zlib"),
        lambda: new.move("list", "image/list"),
        lambda: new.set_reference("image/far", "length"),
        lambda: new.stream_rows("none.asdf", "image/rows", "f4"),
    ]
    before = new.to_bytes()
    for change in changes:
        with pytest.raises(asdfkit.errors.WrongTypeError, match="image|length"):
            change()
    assert new.to_bytes() == before
    new["list/0/other"] = 1
    new["image"] = np.ones(3)
    assert new["list/0"]["other"] == 1


def test_tagged_texts(new):
    text = TaggedText("m", "tag:stsci.edu:asdf/unit/unit-1.0.0")
    new["unit"] = [text, {"deep": text}]
    again = asdfkit.open(new.to_bytes(), astropy=False)
    assert again.tag_of("unit/0") == again.tag_of("unit/1/deep") == text.tag
    assert again["unit"][0] == "m" and isinstance(again["unit"][0], str)
    assert pickle.loads(pickle.dumps(text)).tag == copy.copy(text).tag == text.tag
    with pytest.raises(ValueError, match="NUL"):
        new["x"] = TaggedText("m", "a\0b")
    with pytest.raises(asdfkit.errors.UsageError):
        new["x"] = Tagged("m", "a b")


def test_references_are_stored(new):
    new["far"] = Reference("other.asdf#/data")
    assert asdfkit.open(new.to_bytes())["far"] == Reference("other.asdf#/data")


def test_an_array_without_its_mask_is_stored_without_it(new):
    new["a"] = np.ma.array([1, 2], mask=[0, 1])
    new["b"] = new["a"].without_mask()
    assert not new["b"].has_mask and list(new["b"]) == [1, 2]
