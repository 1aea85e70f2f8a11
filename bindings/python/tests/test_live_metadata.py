"""Metadata of tables that are changed in place: as a dict and its lists are, with the tags of everything else kept."""

import copy
import pickle

import asdf
import pytest
from astropy.table import QTable
from astropy.time import Time

import asdfkit

TAGGED = """# %ECSV 1.0
# ---
# datatype: [{name: a, datatype: int8, meta: {k: 1}}]
# meta: !!omap
# - when: !astropy.time.Time {format: iso, in_subfmt: '*', jd1: 2458850.0, jd2: -0.5, out_subfmt: '*', precision: 3, scale: utc}
# - comments: [x]
a
1
"""


def test_changes_are_kept_like_those_of_dict_and_list():
    table = asdfkit.Table({"a": [1]})
    meta, plain = table.meta, {}
    for target in (meta, plain):
        target["list"] = [1, {"deep": 2}]
        target["list"].append("last")
        target["list"][1]["more"] = [3]
        target["list"][1]["more"] += [4, 5]
        target.setdefault("inner", {})["flag"] = True
        target.update(text="x", none=None)
        target[3] = "a number as key"
        target["list"].insert(0, "first")
        target["list"].reverse()
        target["list"].remove("first")
        target["list"][-1] = [1.5]
        target |= {"z/y~": {"": 0}}
        assert target.pop("text") == "x" and target.pop("text", 7) == 7 and target.setdefault("none", 1) is None
        assert target["list"].pop(0) == "last" and target.popitem() == ("z/y~", {"": 0})
        del target["none"]
        # Nested values find their place, although the items before them were removed.
        target["list"][0]["more"].pop()
    assert meta == table.meta == plain and plain["list"] == [{"deep": 2, "more": [3, 4]}, [1.5]]
    meta["list"].clear()
    assert table.meta["list"] == []
    meta.clear()
    assert table.meta == meta == {}


def test_wrong_changes_are_errors_and_change_nothing():
    table = asdfkit.Table({"a": [1]}, meta={"list": [2, 1], "text": "x"})
    meta = table.meta
    wrong = [
        (TypeError, lambda: meta.__setitem__("x", object())),
        (TypeError, lambda: meta["list"].append(object())),
        (TypeError, lambda: meta["list"].sort()),
        (TypeError, lambda: meta["list"].__setitem__(slice(0, 1), [5])),
        (TypeError, lambda: meta.__setitem__(1.5, 1)),
        (IndexError, lambda: meta["list"].pop(2)),
        (KeyError, lambda: meta.__delitem__("y")),
        (KeyError, lambda: meta.pop("y")),
        (asdfkit.errors.TreeError, lambda: meta.__setitem__("q", asdfkit.Quantity([1.0], "m"))),
    ]
    for kind, change in wrong:
        with pytest.raises(kind):
            change()
        assert meta == table.meta == {"list": [2, 1], "text": "x"}
    saved = table.meta
    table.meta = {"other": 1}
    table.meta = saved
    assert table.meta == {"list": [2, 1], "text": "x"}
    entry = table.meta["list"]
    del table.meta["list"]
    with pytest.raises(KeyError):
        entry.append(1)
    assert table.meta == {"text": "x"}


def test_tags_of_other_entries_stay(tmp_path):
    table = asdfkit.read_ecsv(TAGGED.encode())
    table.meta["comments"].append("y")
    table.meta |= {"new": 1}
    table.meta["comments"] += ["z"]
    table.columns["a"].meta["unit of k"] = "m"
    table.write_ecsv(tmp_path / "a.ecsv")
    found = QTable.read(tmp_path / "a.ecsv")
    assert found.meta == {"when": Time("2020-01-01"), "comments": ["x", "y", "z"], "new": 1}
    assert found["a"].info.meta == {"k": 1, "unit of k": "m"}


def test_copies_are_plain(tmp_path):
    table = asdfkit.Table({"a": [1]}, meta={"inner": {"list": [1]}})
    # asdf makes the mappings and sequences that it writes of the same classes.
    asdf.AsdfFile({"meta": table.meta}).write_to(tmp_path / "meta.asdf")
    with asdf.open(tmp_path / "meta.asdf") as file:
        assert file["meta"]["inner"]["list"] == [1]
    for copied in (copy.deepcopy(table.meta), pickle.loads(pickle.dumps(table.meta))):
        copied["inner"]["list"].append(2)
        assert type(copied) is type(copied["inner"]) is dict and type(copied["inner"]["list"]) is list
    assert table.meta == {"inner": {"list": [1]}}


def test_a_column_keeps_its_name():
    table = asdfkit.Table({"a": [1]})
    with pytest.raises(AttributeError):
        table.columns["a"].name = "b"
    assert table.names == ["a"]
