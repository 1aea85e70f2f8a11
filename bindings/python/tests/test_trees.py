"""Trees for people: representations, search, comparison, completion, and where files come from."""

import gzip
import io
import os
import re

import numpy as np
import pytest

import asdfkit
from asdfkit.constants import CommentPosition


@pytest.fixture
def tree():
    """A file with all kinds of nodes."""
    file = asdfkit.new(
        {
            "meta": {
                "telescope": "Roman",
                "exposure": {"time": 139.8, "count": 8, "good": True},
                5: "five",
                "a/b": None,
            },
            "data": np.arange(48.0).reshape(6, 8),
            "list": [{"name": "x"}, [1, 2], 3.5],
            "masked": np.ma.array([1.0, np.nan, 3], mask=[0, 0, 1]),
        },
        astropy=False,
    )
    file.set("packed", np.arange(3, dtype="i2"), compression="zlib")
    file["temperature"] = asdfkit.Quantity(88.5, "K")
    return asdfkit.open(file.to_bytes(), astropy=False)


def test_new_takes_a_tree(tree):
    file = asdfkit.new({"a/b": 1, "c": {"d": [1, 2]}, 3: True})
    assert asdfkit.Key("a/b") in file and file["c/d"].load() == [1, 2] and file[3] is True
    assert asdfkit.new(tree) == tree and asdfkit.new({}).load().keys() <= {"asdf_library"}
    for wrong in (5, [1], "text", np.arange(3)):
        with pytest.raises(TypeError, match="mapping"):
            asdfkit.new(wrong)
    with pytest.raises(TypeError):
        asdfkit.new({"x": object()})


def test_representations_show_the_content(tree, capsys):
    lines = repr(tree).splitlines()
    assert lines[0] == "<asdfkit.File ''>" and not any("asdf_library" in line for line in lines)
    for line in (
        "  meta: mapping with 4 keys",
        "    telescope: 'Roman'",
        "      time: 139.8",
        "  data: array (6, 8) float64",
        "  packed: array (3,) int16, zlib",
        "  masked: array (3,) float64, masked",
        "  temperature: 88.5 K",
        "    [1]: [1, 2]",
    ):
        assert line in lines, line
    assert repr(tree["meta/exposure"]).splitlines() == [
        "<asdfkit.Tree '/meta/exposure'>",
        "  time: 139.8",
        "  count: 8",
        "  good: True",
    ]
    tree.info()
    printed = capsys.readouterr().out
    assert "asdf_library: mapping" in printed and "    telescope: 'Roman'" in printed
    tree.info(max_rows=4, max_cols=20, show_values=False)
    few = capsys.readouterr().out.splitlines()
    assert len(few) == 5 and few[-1].strip() == "…" and all(len(line) <= 20 for line in few)
    tree["meta"].info(depth=1)
    assert "time" not in capsys.readouterr().out


def test_columns_are_shown_with_their_units():
    file = asdfkit.new({"t": asdfkit.Table({"flux": [1.0, None], "id": [1, 2]}, units={"flux": "Jy"})})
    assert "      flux: column (2,) float64, masked, unit 'Jy'" in repr(file).splitlines()
    assert "      id: column (2,) int64" in repr(file).splitlines()


def test_long_and_deep_trees_are_cut():
    file = asdfkit.new({f"key{number}": {"a": number} for number in range(1000)})
    assert len(repr(file).splitlines()) == 25 and file._repr_html_().count("<li>") <= 200
    deep: list = []
    for _ in range(200):
        deep = [deep, {"x": 1}]
    assert len(repr(asdfkit.new({"deep": deep})).splitlines()) <= 25
    shared = b"#ASDF 1.0.0\n%YAML 1.1\n---\na: &x {k: {z: 1}}\nb: *x\n...\n"
    assert "shown above" in repr(asdfkit.open(shared))
    closed = asdfkit.open(shared)
    closed.close()
    assert "closed" in repr(closed)


def test_html_has_no_markup_of_the_file():
    file = asdfkit.new({"<b>": "<script>", "m": {"n": {"o": 1}}})
    page = file._repr_html_()
    assert "&lt;script&gt;" in page and "<script>" not in page
    assert page.count("<details open>") == page.count("</details>") == 2 and page.count("<ul>") == page.count("</ul>")


def test_completion_of_keys(tree):
    found = tree._ipython_key_completions_()
    assert found[: len(list(tree))] == list(tree)
    assert "meta/exposure/time" in found and "meta/a~1b" in found and all(path in tree for path in found)
    assert tree["meta"]._ipython_key_completions_()[0] == "telescope"


def test_search(tree):
    found = tree.search(key="^(time|count)$")
    assert found.paths == ["/meta/exposure/time", "/meta/exposure/count"] and found.nodes == [139.8, 8]
    assert dict(found) == {"/meta/exposure/time": 139.8, "/meta/exposure/count": 8}
    assert found.search(type=float).node == 139.8 and found.search(type=float).path == "/meta/exposure/time"
    assert tree.search(value="Rom").paths == ["/meta/telescope"]
    assert tree.search(value=139.8).paths == ["/meta/exposure/time"] and tree.search(value=True).nodes == [True]
    assert set(tree.search(type=np.ndarray).paths) == {"/data", "/masked", "/packed"}
    assert tree.search(type="ndarray").paths == tree.search(type=asdfkit.Array).paths
    assert "/meta/exposure" in tree.search(type=dict).paths and "/list/1" in tree.search(type="^list$").paths
    assert tree.search(type="Quantity").paths == ["/temperature"]
    assert (
        tree.search(key=5).nodes == ["five"]
        and tree.search(key=re.compile("NAME", re.IGNORECASE)).paths[-1] == "/list/0/name"
    )
    assert tree["meta"].search(key="time").paths == ["/exposure/time"] and tree["meta"]["/exposure/time"] == 139.8
    assert (
        tree.search(key="a/b").paths == ["/meta/a~1b"]
        and tree["/meta/a~1b"] is None
        and tree.search(value=None).node is None
    )
    assert tree.search(filter=lambda value: value == 3.5).paths == ["/list/2"]
    assert tree.search(filter=lambda value, key: key == "time" and value > 100).paths == ["/meta/exposure/time"]
    assert len(tree.search(key="nothing")) == 0 and tree.search(key="nothing").node is None
    assert repr(tree.search(key="nothing")) == "nothing was found" and "139.8" in repr(found)
    with pytest.raises(ValueError, match="2 nodes"):
        _ = found.node
    with pytest.raises(ValueError, match="regular expression"):
        tree.search(key="(")
    for wrong in ({"type": 5}, {"filter": 5}):
        with pytest.raises(TypeError):
            tree.search(**wrong)


def test_comparison_is_deep(tree):
    plain = tree.load()
    assert tree == plain and plain["meta"] == tree["meta"] and tree["list"] == [{"name": "x"}, [1, 2], 3.5]
    assert dict(tree["meta"]) == plain["meta"] and tree["meta"] == dict(tree["meta"])
    assert tree == asdfkit.open(asdfkit.new(tree).to_bytes(), astropy=False)
    for path, value in (
        ("meta/exposure/count", 9),
        ("meta/new", 1),
        ("list/1/0", 7),
        ("data", np.arange(48.0).reshape(8, 6)),
        ("data", np.zeros((6, 8))),
        ("masked", np.array([1.0, np.nan, 3])),
        ("temperature", asdfkit.Quantity(88.5, "mK")),
    ):
        other = asdfkit.new(tree, astropy=False)
        other[path] = value
        assert other != tree and tree != other, path
    assert tree["meta"] != {} and tree["list"] != [] and tree["list"] != "x" and tree["meta"] != 5
    assert asdfkit.new({"x": [1, {"a": [np.nan]}]})["x"] == [1, {"a": [np.nan]}]
    cycle = asdfkit.open(b"#ASDF 1.0.0\n%YAML 1.1\n---\na: &x [1, *x]\n...\n")
    assert cycle["a"] == cycle["a"] and cycle == cycle
    with pytest.raises(TypeError):
        hash(tree)


def test_home_directory_and_urls(tree, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    asdfkit.new(tree).write("~/a b.asdf")
    assert (tmp_path / "a b.asdf").exists()
    for name in ("~/a b.asdf", f"file://{tmp_path}/a%20b.asdf", f"file://localhost{tmp_path}/a%20b.asdf"):
        assert asdfkit.open(name)["list/2"] == 3.5
    asdfkit.write_ecsv({"a": [1]}, "~/t.ecsv")
    for name in ("~/t.ecsv", f"FILE://{tmp_path}/t.ecsv"):
        assert len(asdfkit.read_ecsv(name)) == len(next(asdfkit.read_ecsv(name, batches=True))) == 1
    for wrong in ("ftp://example.org/a.asdf", "file://server/a.asdf"):
        with pytest.raises(ValueError, match="computer"):
            asdfkit.open(wrong)
    with pytest.raises(asdfkit.AsdfError, match="make install-remote"):
        asdfkit.open("https://example.org/a.asdf", remote=tmp_path / "missing.so")
    with pytest.raises(ValueError, match="computer"):
        asdfkit.new(tree).write("s3://bucket/a.asdf")
    with pytest.raises(FileNotFoundError):
        asdfkit.open("~/nothing.asdf")


def test_file_objects_that_cannot_seek(tree):
    data = asdfkit.new(tree).to_bytes()

    class Answer:
        """As the answer of a server, which has no other method."""

        def __init__(self, content):
            self.read = io.BytesIO(content).read

    class Text:
        def read(self):
            return "#ASDF 1.0.0"

    class Pipe(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            return content.readinto(buffer)

    read_end, write_end = os.pipe()
    if len(data) < 60_000:
        os.write(write_end, data)
    os.close(write_end)
    content = io.BytesIO(data)
    with os.fdopen(read_end, "rb") as pipe:
        sources = [Answer(data), Pipe(), pipe, gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(data)))]
        for source in sources:
            assert asdfkit.open(source)["data"][1, 2] == 10
    with pytest.raises(TypeError, match="bytes"):
        asdfkit.open(Text())
    text = b"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n1\n"
    assert asdfkit.read_ecsv(Answer(text))["a"].tolist() == [1]
    assert [len(batch) for batch in asdfkit.read_ecsv(Answer(text), batches=True)] == [1]


def test_streams_are_closed(tmp_path):
    stream = asdfkit.new().stream_rows(tmp_path / "a.asdf", "x", "f4", (2,))
    stream.push([[1, 2]])
    assert not (tmp_path / "a.asdf").exists()
    stream.close()
    stream.close()
    assert asdfkit.open(tmp_path / "a.asdf")["x"].shape == (1, 2)
    with asdfkit.new().stream_rows(tmp_path / "b.asdf", "x", "f4") as stream:
        stream.push([1, 2])
        stream.close()
    assert asdfkit.open(tmp_path / "b.asdf")["x"].shape == (2,)
    stream = asdfkit.new().stream_rows(tmp_path / "c.asdf", "x", "f4")
    stream.abandon()
    stream.close()
    assert not (tmp_path / "c.asdf").exists()
    for dtype, rows in (("f4", [1e300]), ("i2", [70_000]), ("c8", [1e300j]), ("f2", [1e5])):
        with pytest.raises(asdfkit.errors.ArrayError, match="cannot hold"):
            asdfkit.new().stream_rows(tmp_path / "d.asdf", "x", dtype).push(rows)


@pytest.mark.parametrize(
    ("call", "wrong", "right"),
    [
        (lambda file, **options: file.write("x.asdf", **options), "overwrite", "replace"),
        (lambda file, **options: file.set("x", np.ones(3), **options), "all_array_compression", "compression"),
        (lambda file, **options: file.set("x", np.ones(3), **options), "compresion", "compression"),
        (lambda file, **options: asdfkit.open(file.to_bytes(), **options), "verify_checksum", "verify_checksums"),
        (lambda file, **options: file["data"].read(**options), "num_threads", "threads"),
        (lambda file, **options: asdfkit.read_ecsv(b"", **options), "usecols", "columns"),
        (lambda file, **options: asdfkit.write_ecsv({"a": [1]}, "x", **options), "clobber", "replace"),
    ],
)
def test_the_right_option_is_suggested(tree, call, wrong, right):
    with pytest.raises(TypeError, match=f"unknown option '{wrong}'; did you mean '{right}'"):
        call(asdfkit.new(tree), **{wrong: 1})


def test_notes(tree):
    file = asdfkit.new(tree)
    assert file.note is None and file["meta"].note is None
    file.note = "for people"
    file.set_note("meta/exposure", "when it was taken")
    found = asdfkit.open(file.to_bytes())
    assert (found.note, found["meta/exposure"].note, next(iter(found["meta/exposure"]))) == (
        "for people",
        "when it was taken",
        asdfkit.Key("//"),
    )
    with pytest.raises(KeyError):
        file.set_note("nothing", "x")


def test_comments(tree):
    file = asdfkit.new(tree)
    file.set_comment("meta", "set by hand")
    file.set_comment("meta/exposure/time", "seconds", "line_end")
    file.set_comment("", "the end", CommentPosition.DOCUMENT_END)
    found = asdfkit.open(file.to_bytes())
    assert found.comment("meta") == "set by hand"
    assert found["meta"].comment("exposure/time", "line_end") == "seconds"
    assert found.comment("", "document_end") == "the end"
    assert found.comment("meta", "line_end") is None
    with pytest.raises(ValueError, match="one of 'before', 'line_end', 'document_end', not"):
        file.set_comment("meta", "x", "behind")
    with pytest.raises(asdfkit.AsdfError):
        file.set_comment("meta/exposure/time", "two\nlines", "line_end")


def test_files_in_memory_are_changed(tree):
    data = asdfkit.new(tree).to_bytes()
    for source in (data, bytearray(data), io.BytesIO(data)):
        file = asdfkit.open(source, "r+", astropy=False)
        file["meta/exposure/time"] = 1.5
        changed = asdfkit.open(file.to_bytes(), astropy=False)
        assert changed["meta/exposure/time"] == 1.5 and changed["data"] is not None and changed != tree
        with pytest.raises(asdfkit.AsdfError):
            file.save()
    for wrong in (5, io.StringIO("x")):
        with pytest.raises(TypeError):
            asdfkit.open(wrong, "r+")


def test_a_file_is_written_in_one_call(tree, tmp_path):
    path = tmp_path / "a.asdf"
    image = np.arange(12.0).reshape(3, 4)
    asdfkit.write(path, {"a/b": 1, "data": image, "meta": {"x": "y"}, 5: [1, 2]}, compression="zlib", standard="1.5.0")
    with asdfkit.open(path) as file:
        assert file == {"asdf_library": file["asdf_library"], "a/b": 1, "data": image, "meta": {"x": "y"}, 5: [1, 2]}
        assert file["data"].compression == "zlib" and file.declared_standard == "1.5.0"
    with pytest.raises(FileExistsError):
        asdfkit.write(path, {})
    asdfkit.write(path, tree, replace=True)
    assert asdfkit.open(path, astropy=False) == tree
    content = io.BytesIO()
    asdfkit.write(content, {"data": image[::-1, ::2], "masked": np.ma.array([1, 2], mask=[0, 1])})
    found = asdfkit.open(content)
    assert np.array_equal(found["data"], image[::-1, ::2]) and found["masked"][...].tolist() == [1, None]
    with pytest.raises(TypeError, match="did you mean 'replace'"):
        asdfkit.write(path, {}, overwrite=True)
    with pytest.raises(TypeError, match="mapping"):
        asdfkit.write(path, image)


def test_slices_of_lists_are_set_as_those_of_lists():
    for index, values in (
        (slice(0, 2), [7]),
        (slice(1, 3), [7, 8, 9]),
        (slice(4, 1), [7, 8]),
        (slice(None), []),
        (slice(None, None, 2), [7, 8]),
        (slice(None, None, -2), [7, 8]),
        (slice(9, 12), ["end"]),
    ):
        expected = [1, 2, 3, 4]
        items = asdfkit.new({"items": expected})["items"]
        items[index] = values
        expected[index] = values
        assert list(items) == expected
    with pytest.raises(ValueError, match="3 items do not fit a slice of 2"):
        items[::3] = [1, 2, 3]
    with pytest.raises(TypeError):
        items[0:1] = [5, object()]
    assert list(items) == expected
