"""info, blocks, get, stat, find, head and select."""

import importlib
import io
import json
import os
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy import units as u
from astropy.table import Table
from conftest import document, output, refused, run

import yaml

REFERENCE_FILES = sorted(Path(os.environ["ASDFKIT_REFERENCE_FILES"]).rglob("*.asdf"))


def test_info(roman):
    text = output("info", roman)
    assert "telescope: ROMAN" in text and "data: array float32 [60, 80]" in text and "masked" in text
    found = document("info", roman)
    assert found["format"] == "asdf" and found["blocks"] == 7 and found["standard"] == asdf.AsdfFile().version_string
    nodes = {node["path"]: node for node in found["tree"]}
    assert nodes["/roman/big"]["shape"] == [2, 3, 4] and nodes["/roman/big"]["datatype"] == "int16"
    assert nodes["/roman/meta/exposure/time"]["value"] == 139.8
    assert nodes["/roman/meta/temperature"]["unit"] == "K"


@pytest.mark.parametrize("name", ["gzip", "bz2", "lzma"])
def test_compressed_files(roman, tmp_path, name):
    made = tmp_path / "roman.data"
    made.write_bytes(importlib.import_module(name).compress(Path(roman).read_bytes()))
    assert output("info", made).splitlines()[1:] == output("info", roman).splitlines()[1:]
    assert "telescope: ROMAN" in output("info", "-", stdin=made.read_bytes(), text=False).decode()
    assert output("get", made, "roman/meta/telescope") == output("get", roman, "roman/meta/telescope")
    run("verify", made)
    before = made.read_bytes()
    refused("set", made, "x", "1", match="can only be read")
    assert made.read_bytes() == before
    run("copy", made, "/", tmp_path / "copy.asdf")
    run("diff", roman, tmp_path / "copy.asdf")


def test_info_filters(roman):
    assert "exposure" not in output("info", roman, "--depth", "2")
    only = output("info", roman, "--path", "roman/meta/exposure")
    assert "time: 139.8" in only and "data" not in only
    refused("info", roman, "--path", "roman/metta", code=1, match="did you mean 'meta'?")


def test_info_of_other_formats(table, tmp_path):
    text = output("info", table)
    assert "4 columns" in text and "flux: float64, unit 'mJy'" in text
    assert document("info", table)["columns"][1]["unit"] == "mJy"
    model = tmp_path / "model.yaml"
    model.write_text("ndarrays: {a: {shape: [3], type: int8}}\n")
    assert "a" in output("info", model)


def test_many_files(roman, table, tmp_path):
    result = run("info", roman, tmp_path / "missing.asdf", table, code=3)
    assert "roman.asdf" in result.stdout and "table.ecsv" in result.stdout and "No such file" in result.stderr
    documents = [json.loads(line) for line in output("--json", "info", roman, table).splitlines()]
    assert [found["format"] for found in documents] == ["asdf", "ecsv"]


def test_blocks(roman):
    found = document("blocks", roman)["blocks"]
    with asdf.open(roman) as file:
        blocks = file._blocks.blocks
        assert [block["offset"] for block in found] == [block.offset - 4 for block in blocks]
        assert [block["stored_bytes"] for block in found] == [block.header["used_size"] for block in blocks]
        assert [block["decoded_bytes"] for block in found] == [block.header["data_size"] for block in blocks]
        assert [block["md5"] for block in found] == [block.header["checksum"].hex() for block in blocks]
    assert [block["compression"] for block in found].count("zlib") == 1
    assert "zlib" in output("blocks", roman)


def test_get_scalars(roman):
    for path, text in (("telescope", "ROMAN"), ("exposure/time", "139.8"), ("exposure/good", "true")):
        assert output("get", roman, f"roman/meta/{path}") == f"{text}\n"
    assert document("get", roman, "roman/meta/exposure") == {"time": 139.8, "count": 8, "good": True, "note": None}
    lines = output("get", roman, "roman/meta/exposure").split("---")[1].split("...")[0]
    assert yaml.safe_load(lines) == {"time": 139.8, "count": 8, "good": True, "note": None}
    refused("get", roman, "roman/meta/telescop", code=1, match="did you mean 'telescope'?")
    refused("get", roman, "roman/meta[0:1]", code=1, match="no array")


@pytest.mark.parametrize("name", ["data", "big", "complex", "packed", "flags", "records"])
def test_get_arrays(roman, name, tmp_path):
    with asdf.open(roman) as file:
        expected = file["roman"][name]
        expected = np.array(expected)
    saved = tmp_path / "array.npy"
    assert not output("get", roman, f"roman/{name}", "--as", "npy", "-o", saved)
    found = np.load(saved)
    assert found.dtype == expected.dtype.newbyteorder("=") and np.array_equal(found, expected, equal_nan=name == "data")
    raw = run("get", roman, f"roman/{name}", "--as", "raw", text=False).stdout
    assert raw == expected.astype(expected.dtype.newbyteorder("=")).tobytes()


def test_get_regions(roman):
    with asdf.open(roman) as file:
        data, big, packed = (np.array(file["roman"][name]) for name in ("data", "big", "packed"))
    for region, expected in (
        ("data[10:20,::4]", data[10:20, ::4]),
        ("data[-1]", data[-1]),
        ("big[1,::-1,1:3]", big[1, ::-1, 1:3]),
        ("packed[990:]", packed[990:]),
        ("data[5:5]", data[5:5]),
    ):
        content = run("get", roman, f"roman/{region}", "--as", "npy", text=False).stdout
        assert np.array_equal(np.load(io.BytesIO(content)), expected), region
    assert np.loadtxt(io.StringIO(output("get", roman, "roman/big[0]"))).tolist() == big[0].tolist()
    assert json.loads(output("get", roman, "roman/big", "-r", "[1]", "--as", "json")) == big[1].tolist()
    for region, words in (("[0:1,0,0,0]", "dimensions"), ("[7]", "7"), ("[a]", "[a]"), ("[::0]", "step")):
        refused("get", roman, f"roman/big{region}", code=2, match=words)


def test_get_masked(roman):
    values = json.loads(output("get", roman, "roman/error", "--as", "json"))
    assert values[0] == [None, 1.0, 2.0, 3.0]
    assert output("get", roman, "roman/error", "--missing", "gone").split()[0] == "gone"
    refused("get", roman, "roman/error", "--as", "npy", code=2, match="--fill")
    filled = run("get", roman, "roman/error", "--as", "npy", "--fill", "-1", text=False).stdout
    assert np.load(io.BytesIO(filled))[0].tolist() == [-1, 1, 2, 3]


def test_get_records(roman):
    lines = output("get", roman, "roman/records", "--as", "csv").splitlines()
    assert lines[0] == 'id,ra,name,"position[0]","position[1]"' or lines[0] == "id,ra,name,position[0],position[1]"
    assert lines[6].split(",", 2)[2].startswith('"f,g"') and lines[3].split(",")[2] == "é"


def test_stat(roman):
    with asdf.open(roman) as file:
        data = np.array(file["roman"]["data"]).astype(float)
    found = document("stat", roman, "roman/data")["arrays"][0]
    assert (found["count"], found["nan"]) == (4799, 1)
    assert (found["min"], found["max"]) == (np.nanmin(data), np.nanmax(data))
    assert np.isclose(found["mean"], np.nanmean(data), rtol=1e-12)
    assert np.isclose(found["std"], np.nanstd(data), rtol=1e-9)
    ordered = np.sort(data[~np.isnan(data)])
    for percent, value in found["percentiles"].items():
        rank = np.searchsorted(ordered, value) / len(ordered)
        assert abs(rank - float(percent) / 100) <= found["rank_error"] + 1 / len(ordered)
    masked = document("stat", roman, "roman/error")["arrays"][0]
    assert (masked["count"], masked["masked"]) == (9, 3) and masked["max"] == 11
    assert "missing" in output("stat", roman, "roman/error")
    label = output("stat", roman, "roman/data", "--histogram=5").splitlines()[-1].split()[0]
    assert 100 < float(label) < 200 and "e" not in label
    refused("stat", roman, "roman/meta", code=1, match=f"{roman}: there is no array")


def test_stat_streams_large_arrays(tmp_path):
    values = np.random.default_rng(2).permutation(4_000_000).astype("f8")
    path = tmp_path / "large.asdf"
    asdf.AsdfFile({"a": values}).write_to(path)
    found = document("stat", path, "a")["arrays"][0]
    assert np.isclose(found["mean"], 1999999.5, rtol=1e-14) and found["max"] == 3999999
    assert 0 < found["rank_error"] < 0.01
    for percent, value in found["percentiles"].items():
        assert abs(value / 4e6 - float(percent) / 100) <= found["rank_error"]


def test_find(roman):
    paths = lambda *arguments: [found["path"] for found in document("find", roman, *arguments)["found"]]
    assert paths("--key", "TIME") == ["/roman/meta/exposure/time"]
    assert paths("--value", "139*") == ["/roman/meta/exposure/time"]
    assert paths("--tag", "*quantity*") == ["/roman/meta/temperature"]
    assert paths("--datatype", "int*", "--kind", "array") == ["/roman/big", "/roman/packed"]
    assert paths("--key", "e*", "--kind", "mapping") == ["/roman/meta/exposure"]
    assert output("find", roman, "--key", "nothing", code=1) == ""


def test_tables(table, roman):
    expected = Table.read(table, format="ascii.ecsv")
    lines = output("head", table, "-n", "2").splitlines()
    assert lines[0].split() == ["id", "flux", "name", "position"] and "mJy" in lines[1] and len(lines) == 4
    rows = [json.loads(line) for line in output("select", table, "--as", "json").splitlines()]
    assert [row["id"] for row in rows] == expected["id"].tolist() and rows[2]["flux"] is None
    assert [row["name"] for row in rows] == expected["name"].tolist() and rows[1]["position"] == [2.0, 3.0]
    csv = output("select", table, "-c", "name,id", "-r", "1:4")
    assert csv == 'name,id\nb c,1\n"say ""x""",2\né,3\n'
    assert len(output("head", roman, "roman/records", "-c", "ra").splitlines()) == 7
    refused("select", table, "-c", "flx", code=1, match="did you mean 'flux'?")
    refused("select", table, "-r", "x", code=2, match="10:20")
    refused("head", roman, "roman/meta")


@pytest.mark.parametrize("path", REFERENCE_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_reference_files(path):
    found = document("info", path)
    assert found["format"] == "asdf" and found["tree"]
    assert document("verify", path)["valid"]


def test_other_units(tmp_path):
    path, table = tmp_path / "units.asdf", tmp_path / "units.ecsv"
    quantity = u.Quantity(np.array([1, 2, 1500], "i4"), u.m, dtype="i4")
    asdf.AsdfFile({"q": quantity, "n": 180.0 * u.deg, "plain": np.arange(3)}).write_to(path)
    assert json.loads(output("get", path, "q", "--unit", "km", "--as", "json")) == [0.001, 0.002, 1.5]
    content = run("get", path, "q[1:]", "-u", "km", "--as", "npy", text=False).stdout
    assert np.load(io.BytesIO(content)).tolist() == [0.002, 1.5]
    assert output("get", path, "n", "--unit", "arcmin") == "10800.0\n"
    assert document("stat", path, "q", "--unit", "km")["arrays"][0]["max"] == 1.5
    for arguments in (("get", path, "q"), ("get", path, "n"), ("stat", path, "q")):
        refused(*arguments, "--unit", "s", code=2, match="not commensurable")
    refused("get", path, "plain", "--unit", "m", code=2, match="no unit")

    Table({"d": [1, 2], "e": [3.0, 4.0]}, units={"d": "km"}).write(table, format="ascii.ecsv")
    assert "d\n1000.0\n2000.0\n" in output("head", table, "--units", "d=m", "-c", "d", "--as", "csv")
    assert json.loads(output("select", table, "--units", "d=m", "-r", "1", "--as", "json")) == {"d": 2000.0, "e": 4.0}
    refused("head", table, "--units", "d=s", code=2, match="not commensurable")
    refused("head", table, "--units", "e=s", code=2, match="no unit")
    refused("head", table, "--units", "d", code=2, match="flux=Jy")
