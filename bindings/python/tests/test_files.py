"""Files: opening in every way, trees, values, editing, saving, streams, and errors of each."""

import collections
import datetime
import io
import math
import os

import asdf
import numpy as np
import pytest

import asdfkit
from asdfkit.constants import Checksum, Kind, Status


@pytest.fixture
def new():
    return asdfkit.new()


def again(file: asdfkit.File) -> asdfkit.File:
    return asdfkit.open(file.to_bytes())


class Reader:
    """A file object that is only read in the usual way."""

    def __init__(self, data: bytes, problem: BaseException | None = None):
        self.file = io.BytesIO(data)
        self.problem = problem

    def seek(self, *where):
        return self.file.seek(*where)

    def read(self, size):
        if self.problem:
            raise self.problem
        return self.file.read(min(size, 100))


def test_sources(image):
    content = image.read_bytes()
    with open(image, "rb") as real:
        sources = [str(image), image, content, bytearray(content), memoryview(content), io.BytesIO(content), real]
        for source in [*sources, Reader(content)]:
            with asdfkit.open(source) as file:
                assert file["data"][5, 7] == 47 and file["packed"][5, 7] == 47
    with asdfkit.open(os.fsencode(content)) as file:
        assert file["meta/telescope"] == "Roman"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("/nowhere/at/all.asdf", FileNotFoundError),
        (b"no asdf", asdfkit.errors.FormatError),
        (b"", asdfkit.errors.FormatError),
        ("a\0b", ValueError),
        (17, TypeError),
        (None, TypeError),
        (io.StringIO("#ASDF 1.0.0"), TypeError),
    ],
)
def test_sources_that_fail(source, error):
    with pytest.raises(error):
        asdfkit.open(source)


def test_exceptions_of_file_objects_are_raised_again():
    # Opening reads the first MiB.
    reader = Reader(asdfkit.new({"data": np.arange(600_000)}).to_bytes())
    with asdfkit.open(reader) as file:
        reader.problem = KeyboardInterrupt("stop")
        with pytest.raises(KeyboardInterrupt, match="stop"):
            file["data"][300_000:300_010]
        reader.problem = None
        assert file["data"][300_001] == 300_001


def test_file_objects_are_read_in_few_pieces():
    class Counting(io.RawIOBase):
        """A file object of which each read is a request."""

        def __init__(self, data: bytes):
            self.file, self.reads = io.BytesIO(data), []

        def seek(self, *where):
            return self.file.seek(*where)

        def read(self, size=-1):
            self.reads.append(size)
            return self.file.read(size)

    numbers = np.arange(4096 * 4096, dtype="f4").reshape(4096, 4096)
    source = Counting(asdfkit.new({"data": numbers}).to_bytes())
    with asdfkit.open(source) as file:
        assert source.reads == [1 << 20, 64 << 10]
        assert (file["data"][2000:2064, 300:364] == numbers[2000:2064, 300:364]).all()
    assert len(source.reads) <= 4, source.reads


def test_modes_and_options(image, tmp_path):
    with pytest.raises(ValueError, match="mode"):
        asdfkit.open(image, "w")
    with pytest.raises(TypeError, match="unknown option 'colour'"):
        asdfkit.open(image, colour=1)
    with pytest.raises(ValueError, match="same_directory"):
        asdfkit.open(image, access="all")
    with pytest.raises(TypeError):
        asdfkit.open(image, directories="one")
    with pytest.raises(asdfkit.errors.UsageError):
        asdfkit.open(image, limit_depth=-1)
    with pytest.raises(OverflowError):
        asdfkit.open(image, limit_depth=2**64)
    with pytest.raises(asdfkit.errors.LimitError):
        asdfkit.open(image, limit_tree_bytes=10)
    with asdfkit.open(image, directories=[tmp_path], mapped=True, threads=2, cache_bytes=None) as file:
        assert file.format_version == "1.0.0" and file.standard == file.declared_standard == "1.6.0"
        assert file.transfers == (0, 0)


VALUES = [
    None,
    True,
    False,
    0,
    -(2**63),
    2**64,
    -(10**5000),
    1.5,
    math.inf,
    5e-324,
    1 + 2j,
    "",
    "a\0b",
    "yes",
    "1.5",
    "líne\nfeed",
    b"",
    b"\0\xff",
    datetime.date(2027, 1, 31),
    datetime.datetime(2027, 1, 31, 4, 5, 6, 700000),
    datetime.datetime(2027, 1, 31, 4, 5, 6, tzinfo=datetime.timezone(datetime.timedelta(hours=-5, minutes=-30))),
    [],
    {},
    [1, [2, {"a": None}]],
    {"a/b": 1, "~": 2, "": 3, " x": {"y": []}},
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_values(new, value):
    new["value"] = value
    new["list"] = [value, value]
    result = again(new).load()
    assert result["value"] == value and type(result["value"]) is type(value)
    assert result["list"] == [value, value]


def test_scalars_of_numpy(new):
    for number, value in enumerate(
        [np.float32(1.5), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True), np.complex64(2j)]
    ):
        new[f"n{number}"] = value
        assert new[f"n{number}"] == value
    assert isinstance(new["n3"], bool)


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1.5: 2},
        {"a": [object()]},
        {1, 2},
        np.array([object()]),
        np.array(["2027"], "M8[s]"),
        np.datetime64("2027"),
        np.timedelta64(1, "s"),
        np.ma.masked,
        np.longdouble(1),
        "\ud800",
        {None: 1},
        np.zeros(1, "V3"),
    ],
    ids=repr,
)
def test_values_that_cannot_be_stored(new, value):
    with pytest.raises((TypeError, ValueError)):
        new["value"] = value
    assert "value" not in new and "value" not in again(new)


def test_a_value_that_contains_itself(new):
    value = {}
    value["self"] = [value]
    with pytest.raises(ValueError, match="itself"):
        new["x"] = value
    deep = []
    for _ in range(1000):
        deep = [deep]
    with pytest.raises(ValueError, match="deep"):
        new["x"] = deep


def test_mapping(new):
    new["meta/a/b"] = 1
    new.update({"x": 2, "y": [3, 4]})
    tree = new["meta"]
    assert isinstance(tree, asdfkit.Tree) and list(tree) == ["a"] and len(tree) == 1
    assert "a/b" in tree and "a/c" not in tree and 5 not in tree and None not in tree and () not in tree
    assert tree.get("nope", 7) == 7 and tree["a"]["b"] == tree["a/b"] == 1
    assert dict(new.items())["x"] == 2 and list(new.values())[2] == 2 and len(new.items()) == len(new)
    assert new.pop("x") == 2 and "x" not in new
    del new["meta/a"]
    assert dict(tree) == {} and tree == {}
    new["a/b"], new["a"] = 1, {"b": 2, "b/c": 3}
    assert new["a/b"] == 2 and new["a"]["b/c"] == 3 and new["a/b~1c"] == 3
    new["a"]["b/c"] = 4
    assert new["a"].load() == {"b": 2, "b/c": 4}
    new["a"].rename("b", "d")
    new.move("a/d", "z")
    assert new["z"] == 2
    assert new.get("z/1", 7) == 7
    with pytest.raises(asdfkit.errors.WrongTypeError):
        new["z/1"]
    for wrong in ("nope", "a/nope/x"):
        with pytest.raises(KeyError):
            new[wrong]
        with pytest.raises(KeyError):
            del new[wrong]
    for wrong in (None, 1.5, ()):
        with pytest.raises(TypeError):
            new[wrong]
    with pytest.raises(TypeError):
        new[1.5] = 1


def test_keys_that_are_no_text():
    text = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    with asdfkit.open(text + b"m: {17: a, true: b, '17': c, 'a/b': d}\n...\n") as file:
        tree = file["m"]
        assert list(tree) == [17, True, "17", "a/b"] and list(tree.values()) == list("abcd")
        assert tree[17] == "a" and tree[True] == "b" and tree["a/b"] == "d" and 2**70 not in tree


def test_list(new):
    new["list"] = [1, 2, 3]
    items = new["list"]
    items.append("four")
    items.insert(0, "zero")
    items[1] = {"one": 1}
    del items[-1]
    assert isinstance(items, asdfkit.List) and items.load() == ["zero", {"one": 1}, 2, 3]
    assert items[-1] == 3 and items[1:3][1] == 2 and items["1/one"] == 1 and 3 in items and items.index(3) == 3
    new["list/-"] = "five"
    new["list"].extend([6, [7]])
    del items[::2]
    assert items.load() == [{"one": 1}, 3, 6]
    for wrong in (3, -4, 2**70):
        with pytest.raises((IndexError, OverflowError)):
            items[wrong]
    with pytest.raises(TypeError):
        items[0:1] = 1
    assert new["list"].array if new["list"] else None
    new["numbers"] = [[1, 2], [3, 4]]
    assert new["numbers"].array()[:, 1].tolist() == [2, 4] and new["numbers"].kind == Kind.NUMBER_LIST


def test_tags_units_and_quantities(new):
    new["model"] = asdfkit.Tagged({"shift": 1.5}, "tag:example.org:model-1.0.0")
    new["speed"] = asdfkit.Quantity(3.5, "km.s**-1")
    new["flux"] = asdfkit.Quantity(np.arange(3.0), "Jy")
    file = asdfkit.open(new.to_bytes(), astropy=False)
    assert file["model"].tag == file.tag_of("model") == "tag:example.org:model-1.0.0"
    assert file["speed"] == asdfkit.Quantity(3.5, "km.s**-1") and file["flux"].unit == "Jy"
    assert file["flux"].value[1] == 1 and np.asarray(file["flux"]).tolist() == [0, 1, 2]
    assert file["model"].line and file["model"].column and new["model"].line is None


@pytest.mark.parametrize(("standard", "quantity", "time"), [("1.5.0", "1.1.0", "1.1.0"), ("1.6.0", "1.3.0", "1.4.0")])
def test_quantities_and_times_have_the_tags_of_the_standard(standard, quantity, time):
    new = asdfkit.new(standard=standard)
    new["speed"] = asdfkit.Quantity(3.5, "km.s**-1")
    new["times"] = [asdfkit.Time("2027-01-31T04:05:06.7"), asdfkit.Time("J2000.0")]
    assert new.tag_of("speed") == f"tag:stsci.edu:asdf/unit/quantity-{quantity}"
    assert new.tag_of("times/1") == f"tag:stsci.edu:asdf/time/time-{time}"
    file = asdfkit.open(new.to_bytes(), astropy=False)
    assert file["speed"].unit == "km.s**-1" and file["speed/unit"].tag == "tag:stsci.edu:asdf/unit/unit-1.0.0"
    assert file["times"].load() == ["2027-01-31T04:05:06.7", "J2000.0"]
    with pytest.raises(ValueError, match="is no time"):
        new["start"] = asdfkit.Time("now")


def test_programs_and_extensions(new):
    assert new.extensions == []
    new.add_extension("a.B", "asdf://x.org/e-1.0.0", "pipe", "2.1")
    new.add_extension("a.C", "asdf://x.org/e-1.0.0")
    new.set_software("by", "pipe", "2.1", author="we")
    file = again(new)
    assert [entry["extension_class"] for entry in file.extensions] == ["a.C"]
    assert file.software("by") == [{"name": "pipe", "version": "2.1", "author": "we", "homepage": ""}]
    assert file.software("asdf_library")[0]["name"] == "asdfkit"
    with pytest.raises(asdfkit.errors.WrongTypeError, match="program"):
        file.software("by/name")
    with pytest.raises(asdfkit.errors.UsageError):
        new.add_extension("a.B", None, "pipe")


def test_aliases_are_one_object():
    text = b"#ASDF 1.0.0\n%YAML 1.1\n---\na: &x {b: 1}\nc: *x\nr: &y {self: *y}\nd: {$ref: '#/nope'}\ne: {$ref: '#/a/b'}\n...\n"
    result = asdfkit.open(text).load()
    assert result["a"] is result["c"] and result["r"]["self"] is result["r"] and result["e"] == 1
    assert result["d"] == asdfkit.Reference("#/nope")


def test_writing(new, tmp_path, image):
    new["x"] = 1
    new.write(tmp_path / "new.asdf")
    with pytest.raises(FileExistsError) as caught:
        new.write(tmp_path / "new.asdf")
    assert caught.value.status == Status.FILE_EXISTS
    new.write(tmp_path / "new.asdf", replace=True)
    stream = io.BytesIO()
    new.write(stream)
    assert asdfkit.open(stream.getvalue())["x"] == 1
    for wrong, error in [(17, TypeError), (tmp_path / "no" / "x", OSError), ("a\0", ValueError)]:
        with pytest.raises(error):
            new.write(wrong)
    with asdfkit.open(image) as file:
        with pytest.raises(asdfkit.errors.UsageError) as caught:
            file["x"] = 1
        assert caught.value.status == Status.READ_ONLY and caught.value.path == "/x"
        with pytest.raises(asdfkit.AsdfError):
            file.save()


def test_copies_between_files(new, image):
    with asdfkit.open(image) as file:
        new["copy"], new["whole"], new["list"] = file["packed"], file["meta"], [file["data"], file["meta/exposure"]]
        new["ids"] = file["records"]["id"]
        result = again(new)
    assert (
        result.blocks[0].compression == "zlib" and result["copy"][5, 7] == 47 and result["ids"][...].tolist() == [1, 3]
    )
    assert result["whole/exposure/time"] == result["list/1/time"] == 139.8 and result["list/0"][0, 1] == 1


def test_edits(image):
    before = image.stat().st_ino
    with asdfkit.open(image, "r+") as file:
        file["meta/exposure/time"] = 12.5
        file["data"][1:3, ::2] = 7
        file["data"][0] = np.arange(8, dtype=">i2")
        file["packed"].recompress("lz4")
        file["records"].resize((3,))
        file.add_history("changed", software="test", version="1")
        file.save(durable=False)
    assert image.stat().st_ino == before or True
    with asdf.open(image, memmap=False) as file:
        assert file["meta"]["exposure"]["time"] == 12.5
        assert file["data"][1].tolist() == [7, 9, 7, 11, 7, 13, 7, 15] and file["data"][0, 7] == 7
        assert file["packed"][5, 7] == 47 and file["records"]["id"].tolist() == [1, 3, 0]
    with asdfkit.open(image) as file:
        assert file.history[0]["description"] == "changed" and file.history[0]["software"]["name"] == "test"


def test_changes_without_saving_are_lost(image):
    with asdfkit.open(image, "r+") as file:
        file["data"][...] = 0
        file["new"] = 1
    with asdfkit.open(image) as file:
        assert file["data"][5, 7] == 47 and "new" not in file


def test_closed_files_and_removed_nodes(image, new):
    with asdfkit.open(image) as file:
        tree, data, view = file["meta"], file["data"], file["data"].view()
    file.close()
    for use in (lambda: file["meta"], lambda: tree["telescope"], lambda: data[0], lambda: list(tree), file.to_bytes):
        with pytest.raises(asdfkit.errors.UsageError) as caught:
            use()
        assert caught.value.status == Status.CLOSED
    assert view[5, 7] == 47 and repr(file) and repr(tree) and repr(data)
    new["a"] = {"b": 1}
    tree = new["a"]
    del new["a"]
    with pytest.raises(asdfkit.errors.UsageError) as caught:
        tree["b"]
    assert caught.value.status == Status.STALE


def test_errors_tell_the_place(image):
    with asdfkit.open(image) as file, pytest.raises(asdfkit.errors.NotFoundError) as caught:
        file["meta/exposure/nope"]
    error = caught.value
    assert error.status == Status.NOT_FOUND and error.path == "/meta/exposure" and error.file == str(image)
    assert error.line > 5 and error.column > 0 and error.offset > 100 and "nope" in str(error) == error.message
    import pickle

    assert pickle.loads(pickle.dumps(error)).line == error.line


def test_blocks_and_checks(image):
    with asdfkit.open(image) as file:
        blocks = file.blocks
        assert [block.compression for block in blocks] == [None, "zlib", None] and blocks[1].decoded_size == 96
        assert blocks[1].read().view("i2").tolist() == list(range(48))
        assert len(blocks[1].read(decode=False)) == blocks[1].stored_size and blocks[0].verify() == Checksum.STORED
        assert file.verify() == {"absent": 0, "stored": 3, "decoded": 0} and file.report(check_blocks=True) == []
        assert file.inspect() == []
        place = blocks[0].payload_offset
    data = bytearray(image.read_bytes())
    data[place] ^= 1
    image.write_bytes(data)
    with asdfkit.open(image) as file, pytest.raises(asdfkit.errors.FormatError) as caught:
        file.verify()
    assert caught.value.status == Status.CHECKSUM
    with asdfkit.open(image) as file:
        assert [(found.severity, found.code) for found in file.inspect()] == [("error", "CHECKSUM")]
    with asdfkit.open(image, "r+") as file:
        assert file.repair(asdfkit.constants.Repair.WRONG_CHECKSUMS) == {"index": 0, "checksums": 1}
        file.compact()
    image.write_bytes(image.read_bytes()[: place + 20])
    losses = asdfkit.recover(image, image.with_suffix(".new"))
    assert losses and losses[0].kind == "loss" and "data" in " ".join(str(loss) for loss in losses)
    with asdfkit.open(image.with_suffix(".new")) as file:
        assert file["meta/telescope"] == "Roman"


def test_exploding(image, tmp_path):
    (tmp_path / "out").mkdir()
    with asdfkit.open(image) as file:
        file.explode(tmp_path / "out" / "main.asdf")
    with asdfkit.open(tmp_path / "out" / "main.asdf") as file, pytest.raises(asdfkit.AsdfError):
        file["data"][...]
    with asdfkit.open(tmp_path / "out" / "main.asdf", access="same_directory") as file:
        assert file["data"][5, 7] == 47
        file.implode(tmp_path / "one.asdf")
    with asdfkit.open(tmp_path / "one.asdf") as file:
        assert file["data"][5, 7] == 47


def test_resolvers(new):
    main = b"#ASDF 1.0.0\n%YAML 1.1\n---\na: {$ref: 'store:one#/x'}\nb: {$ref: 'store:two#/x'}\n...\n"
    new["x"] = np.arange(3)
    content, asked = new.to_bytes(), []

    def resolve(uri):
        asked.append(uri)
        if uri == "store:two":
            raise LookupError("no second file")
        return content

    with asdfkit.open(main, resolver=resolve) as file:
        assert file["a"][...].tolist() == [0, 1, 2] and "store:one" in asked
        with pytest.raises(LookupError, match="second"):
            file["b"].load()
    with asdfkit.open(main, resolver=lambda uri: Reader(content)) as file:
        assert file["a"][2] == 2
    with pytest.raises(TypeError):
        asdfkit.open(main, resolver=17)
    with asdfkit.open(main) as file:
        assert file["a"] == asdfkit.Reference("store:one#/x")


def test_streams(tmp_path, new):
    new["name"] = "run 7"
    path = tmp_path / "stream.asdf"
    with new.stream_rows(path, "rows", "f4", (3,), compression="zlib") as stream:
        stream.push(np.arange(6).reshape(2, 3))
        stream.push([7, 8, 9])
        with pytest.raises(ValueError, match="shape"):
            stream.push([[1, 2]])
        assert len(stream) == 3
    with asdf.open(path, memmap=False) as file:
        assert file["rows"].tolist() == [[0, 1, 2], [3, 4, 5], [7, 8, 9]] and file["name"] == "run 7"
    with pytest.raises(RuntimeError), new.stream_rows(tmp_path / "none.asdf", "rows", "f4") as stream:
        stream.push([1.0])
        raise RuntimeError
    assert os.listdir(tmp_path) == ["stream.asdf"]
    with pytest.raises(asdfkit.AsdfError):
        stream.push([1.0])
    with pytest.raises(TypeError):
        new.stream_rows(path, "rows", "O")


def test_progress(image, tmp_path):
    calls = []
    with asdfkit.open(image) as file:
        file["data"].read(progress=lambda done, total: calls.append((done, total)))
        assert calls[-1] == (192, 192)

        def fail(done, total):
            raise ZeroDivisionError("in the callback")

        with pytest.raises(ZeroDivisionError, match="in the callback"):
            file["data"].read(progress=fail)
        with pytest.raises(ZeroDivisionError):
            file.write(tmp_path / "out.asdf", progress=fail)
        with pytest.raises(TypeError):
            file["data"].read(progress=17)
        assert file["data"].read(progress=False)[0, 0] == 0
    assert not (tmp_path / "out.asdf").exists()


def test_a_progress_bar_shows_every_report(image, capsys):
    pytest.importorskip("tqdm")
    with asdfkit.open(image) as file:
        file["data"].read(progress=True)
    shown = capsys.readouterr().err
    assert "100%" in shown and "192/192" in shown


def test_descriptions(image, tmp_path):
    description = asdfkit.ndl.describe(image)
    assert "/data" in description.arrays and description.shape("/data") == (6, 8) and description.is_valid
    assert asdfkit.ndl.parse(str(description)) == description and not description.compare(description)
    description.write(tmp_path / "image.yaml")
    assert asdfkit.ndl.check(tmp_path / "image.yaml") == []
    description.create_asdf(tmp_path / "made.asdf")
    with asdfkit.open(tmp_path / "made.asdf") as file:
        assert file["data"].shape == (6, 8)
        other = asdfkit.ndl.describe(file, only="/data")
    assert other.arrays == ["/data"] and description.compare(other)[0].operation == "remove"
    assert "float data(" in description.export("cdl", "image") or description.content()["ndarrays"]
    with pytest.raises(ValueError, match="format"):
        description.export("xml")
    wrong = asdfkit.ndl.parse("ndarrays:\n  /a: {shape: [-3], datatype: int32}\n")
    assert not wrong.is_valid and wrong.report()[0].severity == "error" and wrong.report()[0].line
    with pytest.raises(TypeError):
        description.compare(17)
    with pytest.raises(asdfkit.errors.TreeError):
        asdfkit.ndl.parse("a: [")


@pytest.mark.parametrize(
    ("dtype", "rows"),
    [
        ("f4", [[1e300, 1, 1]]),
        ("f4", [[1, -1e300, 1]]),
        ("f2", [[70000, 1, 1]]),
        ("i1", [[300, 1, 1]]),
        ("i8", np.array([[2**63, 1, 1]], "u8")),
        ("u1", [[-1, 1, 1]]),
        ("c8", [[1e300j, 1, 1]]),
        ("c8", [[complex(math.inf, 1e300), 1, 1]]),
    ],
)
def test_rows_that_do_not_fit_are_refused(new, tmp_path, dtype, rows):
    with new.stream_rows(tmp_path / "s.asdf", "s", dtype, (3,)) as stream:
        with pytest.raises(asdfkit.errors.ArrayError, match="cannot hold") as caught:
            stream.push(rows)
        assert caught.value.status == Status.OVERFLOW
        stream.push(np.ones((1, 3)).astype(dtype))
    assert asdfkit.open(tmp_path / "s.asdf")["s"].shape == (1, 3)


def test_rows_that_are_rounded_or_infinite_fit(new, tmp_path):
    with new.stream_rows(tmp_path / "s.asdf", "s", "f4", (2,)) as stream:
        stream.push([[0.1, math.inf], [math.nan, 1e-300]])
        with pytest.raises(TypeError):
            stream.push([[1j, 2]])
    records = np.array([(1, 2.5)], [("a", "i8"), ("b", "f8")])
    with new.stream_rows(tmp_path / "r.asdf", "r", [("a", "i2"), ("b", "f4")]) as stream:
        stream.push(records)
        for wrong in (np.array([(1, 2.5)], [("b", "i8"), ("a", "f8")]), np.array([(1 << 20, 2.5)], records.dtype)):
            with pytest.raises((ValueError, asdfkit.errors.ArrayError)):
                stream.push(wrong)
    assert asdfkit.open(tmp_path / "r.asdf")["r"][0].tolist() == (1, 2.5)


def test_fill_values_fit(new, tmp_path):
    new["i"], new["f"], new["b"] = np.zeros(1, "i1"), np.zeros(1, "f4"), np.zeros(1, bool)
    new.write(tmp_path / "a.asdf")
    with asdfkit.open(tmp_path / "a.asdf", "r+") as file:
        for name, wrong in [("i", 300), ("i", 1.5), ("f", 1e300), ("b", 2)]:
            with pytest.raises(asdfkit.errors.ArrayError):
                file[name].resize((2,), fill=wrong)
        for name, fill in [("i", 5.0), ("f", 3), ("b", 1)]:
            file[name].resize((2,), fill=fill)
        file["f"].resize((3,))
        file.save()
        assert file["i"][1] == 5 and file["f"][...].tolist() == [0, 3, 0] and file["b"][1]


@pytest.mark.parametrize("standard", ["1.0.0", "1.5.0", "1.6.0"])
def test_times_of_history_entries(standard):
    new = asdfkit.new(standard=standard)
    utc = datetime.timezone.utc
    east = datetime.timezone(datetime.timedelta(hours=2))
    times = [
        datetime.datetime(2027, 1, 31, 4, 5, 6),
        datetime.datetime(2027, 1, 31, 4, 5, 6, 700000, utc),
        datetime.datetime(2027, 1, 31, 4, 5, 6, tzinfo=east),
        datetime.datetime(1, 1, 1),
    ]
    for time in times:
        new.add_history("x", time=time)
    with asdf.open(io.BytesIO(new.to_bytes())) as theirs:
        found = [datetime.datetime.fromisoformat(entry["time"]) for entry in theirs.get_history_entries()]
    assert found == [time if time.tzinfo else time.replace(tzinfo=utc) for time in times]


def test_rows_of_another_kind_are_refused(tmp_path, new):
    record = [("a", "i1"), ("b", "f4")]
    wrong = [
        ("S2", [12345]), ("U2", [True]), ("S2", [1.5]), ("i4", ["x"]), ("i4", [1.5]), ("b1", [2]), ("f4", [1j]),
        ("S2", ["abc"]), ("S2", ["é"]), ("i1", [300]), ("f4", [1e300]), (record, [(1, 2.0)]),
        (record, np.array([(300, 2.0)], [("a", "i4"), ("b", "f4")])), (record, np.array([(1,)], [("a", "i1")])),
    ]  # fmt: skip
    for dtype, rows in wrong:
        with new.stream_rows(tmp_path / "a.asdf", "r", dtype, replace=True) as stream:
            with pytest.raises((TypeError, ValueError, asdfkit.errors.ArrayError)):
                stream.push(rows)
            assert len(stream) == 0
    new["s"] = collections.UserString("x")
    assert new["s"] == "x"


def test_wrong_arguments_are_our_own_errors(new):
    for time in ("2027-01-31", 17, datetime.date(2027, 1, 31)):
        with pytest.raises(TypeError, match="datetime"):
            new.add_history("x", time=time)
    for wrong in (b"x", None, 5):
        with pytest.raises(TypeError, match="str"):
            new.add_history(wrong)
        with pytest.raises(TypeError, match="str"):
            asdfkit.ndl.parse(wrong)
        with pytest.raises(TypeError, match="str"):
            new.add_comment(wrong)
    reference = b"#ASDF 1.0.0\n%YAML 1.1\n--- {far: {$ref: 'x.asdf#/a'}}\n...\n"
    for content in (None, "text", 5, io.StringIO("text"), object()):
        with pytest.raises(TypeError, match="resolver"):
            asdfkit.open(reference, resolver=lambda uri, content=content: content)["far"]
    text = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int32}\na\n" + "1\n" * 500_000
    for source in (text, text[:70]):
        for options in ({}, {"batches": 2}):
            with pytest.raises((FileNotFoundError, asdfkit.errors.FileError)) as caught:
                asdfkit.read_ecsv(source, **options)
            assert len(str(caught.value)) < 200 and "bytes" in str(caught.value)
    long = "x" * 1_000_000
    for source in (f"# - {{name: a, datatype: {long}}}\na\n", f"# - {{name: a, datatype: int32}}\n{long}\n"):
        with pytest.raises(asdfkit.AsdfError) as caught:
            asdfkit.read_ecsv(f"# %ECSV 1.0\n# ---\n# datatype:\n{source}".encode())
        assert len(str(caught.value)) < 50_000
    with pytest.raises(asdfkit.errors.FileError):
        asdfkit.open(text)
