"""Arrays in every layout that Python asdf writes: codecs, byte orders, datatypes, streamed, inline, exploded, shared.

Each array that the command gives, counts or compares has the values that Python asdf reads.
"""

import io
import json
import math

import asdf
import numpy as np
import pytest
from conftest import document, output, refused, run

DATATYPES = [*(order + kind for order in "<>" for kind in ("i2", "u4", "i8", "f4", "f8", "c16", "u8")), "u1", "i1", "?"]
REGIONS = ["[:]", "[3]", "[-2,1:]", "[::-1]", "[1:6:2,::3]", "[...,0]", "[2:2]", "[-100:100]", "[6:1:-2,4]", "[...]"]


def given(path, name, *options):
    """The array that the command writes as a file of numpy."""
    content = run("get", path, name, "--as", "npy", *options, text=False).stdout
    return np.load(io.BytesIO(content))


def written(path, tree, storage="internal", compression=None, **options):
    """Writes a tree with Python asdf and returns the path."""
    file = asdf.AsdfFile(tree)
    for value in tree.values():
        if isinstance(value, np.ndarray):
            file.set_array_storage(value, storage)
            if compression:
                file.set_array_compression(value, compression)
    file.write_to(path, **options)
    return path


@pytest.mark.parametrize("storage", ["internal", "inline"])
def test_datatypes(tmp_path, storage):
    random = np.random.default_rng(5)
    tree = {}
    for number, name in enumerate(DATATYPES):
        made = random.integers(0, 100, (7, 5)).astype(name)
        if made.dtype.kind == "c":
            made += 0.5j * made.real[::-1]
        tree[f"a{number}"] = made
    path = written(tmp_path / "types.asdf", tree, storage)
    for name, expected in tree.items():
        found = given(path, name)
        assert np.array_equal(found, expected), name
        if storage == "internal":
            assert found.dtype == expected.dtype.newbyteorder("="), name


def test_limits_of_types(tmp_path):
    tree = {
        "u8": np.array([0, 2**64 - 1], "u8"),
        "i8": np.array([-(2**63), 2**63 - 1], "i8"),
        "f8": np.array([5e-324, np.finfo("f8").max, -0.0, 0.1]),
        "f4": np.array([0.1, 1e-45, 3.4028235e38], "f4"),
    }
    path = written(tmp_path / "limits.asdf", tree)
    for name, values in tree.items():
        lines = output("get", path, name).split()
        read = np.array([int(text) if values.dtype.kind in "iu" else float(text) for text in lines], values.dtype)
        assert read.tobytes() == values.tobytes(), (name, lines)
        parsed = np.array(json.loads(output("get", path, name, "--as", "json")), values.dtype)
        assert parsed.tobytes() == values.tobytes(), name
        found = document("stat", path, name)["arrays"][0]
        assert values.dtype.type(found["min"]) == values.min() and values.dtype.type(found["max"]) == values.max()


@pytest.mark.parametrize("codec", ["zlib", "bzp2", "lz4"])
def test_codecs(tmp_path, codec):
    tree = {"a": np.arange(200_000, dtype="i4").reshape(400, 500), "b": np.zeros(9), "empty": np.zeros((0, 3))}
    path = written(tmp_path / "packed.asdf", tree, compression=codec)
    assert np.array_equal(given(path, "a[10:390:7,::-11]"), tree["a"][10:390:7, ::-11])
    assert given(path, "empty").shape == (0, 3)
    assert codec in {block["compression"] for block in document("blocks", path, "--check")["blocks"]}
    assert not output("diff", "--quiet", path, written(tmp_path / "plain.asdf", tree))


@pytest.mark.parametrize("region", REGIONS)
def test_regions_are_those_of_numpy(tmp_path, region):
    tree = {"a": np.arange(40).reshape(8, 5), "b": np.arange(480).reshape(8, 5, 3, 4).astype(">f4")}
    path = written(tmp_path / "regions.asdf", tree)
    for name, values in tree.items():
        expected = eval(f"values{region}", {"values": values})
        found = given(path, name, "-r", region)
        assert found.shape == expected.shape and np.array_equal(found, expected), name
        if expected.size:
            found = document("stat", path, name, "-r", region)["arrays"][0]
            assert found["min"] == expected.min() and found["mean"] == pytest.approx(expected.mean(), rel=1e-12)


@pytest.mark.parametrize(
    "region", ["[8]", "[-9]", "[0,0,0]", "[1.5]", "[", "[1:2:3:4]", "[::0]", "[...,...]", "[99999999999999999999]"]
)
def test_wrong_regions(tmp_path, region):
    path = written(tmp_path / "regions.asdf", {"a": np.arange(40).reshape(8, 5)})
    refused("get", path, "a", "-r", region, code=2, match="region")


def test_streamed(tmp_path):
    path = tmp_path / "streamed.asdf"
    file = asdf.AsdfFile({"first": np.arange(3), "rows": asdf.tags.core.Stream([4], np.float64)})
    with path.open("wb") as target:
        file.write_to(target)
        for row in range(50):
            target.write(np.full(4, row, "f8").tobytes())
    expected = np.repeat(np.arange(50.0), 4).reshape(50, 4)
    assert np.array_equal(given(path, "rows"), expected)
    assert np.array_equal(given(path, "rows[-1]"), expected[-1])
    assert document("stat", path, "rows")["arrays"][0]["mean"] == 24.5
    assert not run("verify", path).stderr


def test_exploded(tmp_path):
    tree = {"a": np.arange(30).reshape(5, 6), "b": np.linspace(0, 1, 7)}
    path = written(tmp_path / "parts.asdf", tree, all_array_storage="external")
    assert len(list(tmp_path.iterdir())) == 3
    for name, values in tree.items():
        assert np.array_equal(given(path, name), values)
    whole = tmp_path / "whole.asdf"
    run("implode", path, "-o", whole)
    with asdf.open(whole) as file:
        assert all(np.array_equal(file[name], values) for name, values in tree.items())
    run("diff", path, whole)
    (tmp_path / "parts0000.asdf").unlink()
    assert "parts0000.asdf" in refused("get", path, "a")
    refused("implode", path, "-o", tmp_path / "other.asdf")
    assert not (tmp_path / "other.asdf").exists()


def test_shared_block(tmp_path):
    base = np.arange(100, dtype="i2").reshape(10, 10)
    tree = {"whole": base, "part": base[2:8:2, ::3], "turned": base.T, "flipped": base[::-1]}
    path = tmp_path / "shared.asdf"
    with asdf.config_context() as config:
        config.default_array_save_base = True
        asdf.AsdfFile(tree).write_to(path)
    with asdf.open(path) as file:
        for name in tree:
            assert np.array_equal(given(path, name), file[name]), name
    assert len(document("blocks", path)["blocks"]) == 1
    for command in (("recompress", path, "--codec", "zlib"), ("compact", path)):
        run(*command)
        with asdf.open(path) as file:
            assert all(np.array_equal(file[name], values) for name, values in tree.items()), command


def test_statistics_of_special_numbers(tmp_path):
    tree = {
        "nan": np.full(5, np.nan),
        "infinite": np.array([1.0, np.inf, -np.inf, np.nan]),
        "large": np.array([1e16, 1.0, -1e16, 2**53 + 2.0]),
        "empty": np.zeros(0),
        "offset": 1e9 + np.arange(1000.0) / 1000,
        "masked": np.ma.MaskedArray([1.0, 2.0, 3.0, 1000.0], [0, 0, 0, 1]),
        "words": np.array([2**64 - 1, 2**64 - 3], "u8"),
    }
    path = tmp_path / "special.asdf"
    asdf.AsdfFile(tree).write_to(path)
    found = {entry["path"].lstrip("/"): entry for entry in document("stat", path)["arrays"]}
    assert found["nan"]["nan"] == 5 and found["nan"].get("mean") is None
    assert found["infinite"]["nan"] == 1
    assert found["masked"]["masked"] == 1 and found["masked"]["mean"] == 2.0 and found["masked"]["max"] == 3.0
    assert found["offset"]["mean"] == pytest.approx(tree["offset"].mean(), rel=1e-15)
    assert found["offset"]["std"] == pytest.approx(tree["offset"].std(), rel=1e-6)
    assert found["words"]["min"] == 2**64 - 3 and found["words"]["max"] == 2**64 - 1
    assert found["large"]["mean"] == pytest.approx(math.fsum(tree["large"]) / 4, rel=1e-12)
    output("stat", path)


def test_percentiles_and_histogram(tmp_path):
    values = np.random.default_rng(2).normal(size=10_001)
    path = written(tmp_path / "normal.asdf", {"a": values})
    found = document("stat", path, "a", "-p", "5,50,97.5", "--histogram", "10")["arrays"][0]
    assert list(found["percentiles"]) == ["5", "50", "97.5"]
    for percent, value in found["percentiles"].items():
        assert value == pytest.approx(np.percentile(values, float(percent)), rel=1e-12), percent
    counts, _ = np.histogram(values, 10)
    assert found["histogram"]["counts"] == counts.tolist()


def test_tree_of_astronomers(tmp_path):
    gwcs = {
        "wcs": {
            "name": "270p65x48y69",
            "steps": [
                {"frame": "detector", "transform": {"inputs": ["x", "y"], "matrix": np.eye(2)}},
                {"frame": "world", "transform": None},
            ],
        },
        "list": [[1, 2], [3, {"deep": np.arange(3)}]],
        "odd/key": 1,
        "til~de": 2,
        "": 3,
    }
    path = tmp_path / "gwcs.asdf"
    asdf.AsdfFile(gwcs).write_to(path)
    assert given(path, "wcs/steps/0/transform/matrix").tolist() == [[1, 0], [0, 1]]
    assert given(path, "list/1/1/deep").tolist() == [0, 1, 2]
    assert output("get", path, "wcs/steps/1/frame") == "world\n"
    assert output("get", path, "odd~1key") == "1\n" and output("get", path, "til~0de") == "2\n"
    paths = {node["path"] for node in document("info", path, "--depth", "20")["tree"]}
    assert {"/odd~1key", "/til~0de", "/list/1/1/deep", "/wcs/steps/0/transform/inputs/1"} <= paths
    for path_name in ("wcs/steps/2", "wcs/steps/x", "list/0/0/0"):
        refused("get", path, path_name, code=1)
