"""Random changes and differences: the command does to a file what the same steps do to a dict of Python."""

import copy
import json

import asdf
import numpy as np
import pytest
from conftest import document, output, run

VALUES = [
    0,
    -1,
    2**62,
    1.5,
    1e300,
    -0.0,
    "text",
    "true",
    "012",
    "1e3",
    "a: b",
    "# x",
    "é\n",
    "",
    True,
    None,
    [1, [2, "x"]],
    {"k": {"l": 1}},
]
KEYS = ["a", "b", "long key", "0", "é", "true", "a/b", "~", "x" * 200]


def pointer(path):
    return "/" + "/".join(str(key).replace("~", "~0").replace("/", "~1") for key in path)


def tree_of(path):
    with asdf.open(path, lazy_load=False, memmap=False) as file:
        return json.loads(
            json.dumps(
                {key: value for key, value in file.tree.items() if key not in ("asdf_library", "history")},
                default=np.ndarray.tolist,
            )
        )


@pytest.mark.parametrize("seed", range(4))
def test_changes_in_random_order(tmp_path, seed):
    random = np.random.default_rng(seed)
    image = np.arange(100.0).reshape(10, 10)
    model = {"image": image.tolist(), "meta": {}}
    path = tmp_path / "file.asdf"
    asdf.AsdfFile({"image": image, "meta": {}}).write_to(path)
    for step in range(25):
        parent = ("meta",)
        node = model["meta"]
        while random.random() < 0.5 and (inner := [key for key in node if isinstance(node[key], dict)]):
            parent, node = (*parent, inner[0]), node[inner[0]]
        key = KEYS[random.integers(len(KEYS))]
        place = pointer((*parent, key))
        kind = random.integers(4)
        if kind < 2 or key not in node:
            value = copy.deepcopy(VALUES[random.integers(len(VALUES))])
            if isinstance(node.get(key), dict | list) and not isinstance(value, dict | list):
                run("delete", path, place)
            run("set", path, place, "--create", "--type", "json", "--", json.dumps(value))
            node[key] = value
        elif kind == 2:
            run("delete", path, place)
            del node[key]
        else:
            run("rename", path, place, pointer(("meta", f"new{step}")))
            model["meta"][f"new{step}"] = node.pop(key)
        if step % 8 == 7:
            run("compact", path)
        assert tree_of(path) == model, (step, place)
    assert document("get", path, "meta") == model["meta"]
    run("verify", "--strict", path)


PAIRS = [
    ({"a": 1}, {"a": 1.0}, None),
    ({"a": 1}, {"a": True}, False),
    ({"a": "1"}, {"a": 1}, False),
    ({"a": None}, {}, False),
    ({"a": float("nan")}, {"a": float("nan")}, True),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ({"a": [1, 2]}, {"a": [2, 1]}, False),
    ({"a": np.arange(3)}, {"a": np.arange(3).astype(">i8")}, True),
    ({"a": np.arange(3)}, {"a": np.arange(3).astype("i4")}, False),
    ({"a": np.arange(6)}, {"a": np.arange(6).reshape(2, 3)}, False),
    ({"a": np.array([np.nan, 1])}, {"a": np.array([np.nan, 1])}, True),
    ({"a": np.array([np.nan, 1])}, {"a": np.array([1, np.nan])}, False),
    ({"a": np.asfortranarray(np.arange(6).reshape(2, 3))}, {"a": np.arange(6).reshape(2, 3)}, True),
    ({"a": np.zeros((0, 3))}, {"a": np.zeros((3, 0))}, False),
    ({"a": np.ma.MaskedArray([1, 2], [0, 1])}, {"a": np.ma.MaskedArray([1, 9], [0, 1])}, None),
    ({"a": np.ma.MaskedArray([1, 2], [0, 1])}, {"a": np.ma.MaskedArray([1, 2], [1, 0])}, False),
    ({"a": np.array(["x", "yy"])}, {"a": np.array(["x", "yz"])}, False),
    ({"a": 2**53}, {"a": 2**53 + 1}, False),
    ({"a": np.array([2**53], "i8")}, {"a": np.array([2**53 + 1], "i8")}, False),
]


@pytest.mark.parametrize(("old", "new", "equal"), PAIRS, ids=range(len(PAIRS)))
def test_differences(tmp_path, old, new, equal):
    paths = tmp_path / "old.asdf", tmp_path / "new.asdf"
    for path, tree in zip(paths, (old, new), strict=True):
        asdf.AsdfFile(tree).write_to(path)
    for one, two in (paths, paths[::-1]):
        result = run("diff", one, two, code=None)
        assert result.returncode in (0, 1) and (result.returncode == 0) == (result.stdout == "")
        assert equal is None or (result.returncode == 0) == equal, result.stdout
        found = document("diff", one, two, code=result.returncode)
        assert found["equal"] == (result.returncode == 0)


@pytest.mark.parametrize("seed", range(10))
def test_number_of_differing_elements(tmp_path, seed):
    random = np.random.default_rng(seed)
    old = random.integers(0, 5, (40, 50)).astype(["i2", "f4", "u1", "f8", ">i4"][seed % 5])
    new = old.copy()
    places = np.unique(random.integers(0, old.size, random.integers(1, 30)))
    new.reshape(-1)[places] += 1
    paths = tmp_path / "old.asdf", tmp_path / "new.asdf"
    for path, values in zip(paths, (old, new), strict=True):
        asdf.AsdfFile({"a": values}).write_to(path)
    text = output("diff", *paths, code=1)
    assert f"{len(places)} of {old.size}" in text, text
    assert not output("diff", *paths, "--atol", "1")
    output("diff", *paths, "--atol", "0.5", code=1)
