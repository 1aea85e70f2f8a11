"""Exit codes: 1 for what a file does not have, 2 for wrong arguments, 3 for files that cannot be read or written."""

import asdf
import numpy as np
import pytest
from conftest import output, refused, run


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (1, ["get", "FILE", "roman/nothing"]),
        (1, ["get", "FILE", "roman/meta/telescope/x"]),
        (1, ["get", "FILE", "roman/meta[0:1]"]),
        (1, ["get", "FILE", "roman/records/nothing"]),
        (1, ["stat", "FILE", "roman/nothing"]),
        (1, ["stat", "FILE", "roman/meta"]),
        (1, ["info", "FILE", "--path", "roman/nothing"]),
        (1, ["find", "FILE", "--key", "nothing"]),
        (1, ["show", "FILE", "roman/nothing"]),
        (1, ["sky", "FILE", "1", "2"]),
        (1, ["head", "FILE"]),
        (1, ["head", "FILE", "roman/nothing"]),
        (1, ["select", "TABLE", "-c", "nothing"]),
        (1, ["select", "TABLE", "--sort", "nothing"]),
        (1, ["select", "TABLE", "--where", "nothing > 1"]),
        (1, ["convert", "TABLE", "new.csv", "-c", "nothing"]),
        (1, ["table", "-k", "nothing", "FILE"]),
        (1, ["set", "FILE", "roman/nothing", "1"]),
        (1, ["delete", "FILE", "roman/nothing"]),
        (1, ["rename", "FILE", "roman/nothing", "x"]),
        (1, ["copy", "FILE", "roman/nothing", "new.asdf"]),
        (1, ["recompress", "FILE", "roman/meta", "--codec", "zlib"]),
        (2, ["get", "FILE", "roman/data[99]"]),
        (2, ["get", "FILE", "roman/meta/temperature", "--unit", "s"]),
        (2, ["set", "FILE", "roman/meta/exposure/time", "long"]),
        (2, ["rename", "FILE", "roman/data", "big"]),
        (2, ["rename", "FILE", "roman/data", "roman/big"]),
        (2, ["copy", "FILE", "roman/data", "FILE", "roman/big"]),
        (1, ["diff", "FILE", "TABLE"]),
        (2, ["select", "TABLE", "-r", "x"]),
        (2, ["get", "TABLE", "id"]),
        (3, ["get", "none.asdf", "roman/data"]),
        (3, ["validate", "FILE", "--schema", "none.yaml"]),
        (3, ["convert", "TABLE", "FILE"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_exit_codes(roman, table, tmp_path, monkeypatch, code, arguments):
    monkeypatch.chdir(tmp_path)
    before = roman.read_bytes()
    run(*[{"FILE": roman.name, "TABLE": table.name}.get(word, word) for word in arguments], code=code)
    assert roman.read_bytes() == before


def test_an_empty_part_is_told(roman):
    result = run("get", roman, "roman/data[500:600]")
    assert result.stdout == "" and "the region [500:600] has no element of /roman/data" in result.stderr


def test_arguments_in_another_order_or_notation(roman, tmp_path, monkeypatch):
    refused("get", "roman/meta/telescope", roman, code=2, match="a path stands after its file")
    refused("get", roman, "roman.meta.telescope", code=1, match="a slash stands between the keys")
    refused("get", roman, "roman/data[0,0", code=2, match="not closed")
    refused("get", roman, "roman/data", "[0,0]", code=2, match="right after the path, or after --region")
    refused("stat", "--histogram", roman, code=2, match="stands after the files and paths")
    refused("validate", "--schemas", "rad", roman, code=2, match="files stand before --schemas")
    refused("find", roman, "--kind", "tabel", code=2, match="a similar value exists: 'table'")
    assert "/roman/big" in output("find", roman, "--kind", "Array")


def test_arguments_that_a_table_in_text_has_no_use_for(table, tmp_path):
    for arguments in (("head", table, "id"), ("head", table, 5), ("select", table, "id"), ("info", table, "-p", "id")):
        refused(*arguments, code=2, match="table.ecsv: ")
    np.save(tmp_path / "cut.npy", np.arange(4))
    for option in (("--datatype", "float64"), ("--shape", "2,2")):
        refused("convert", tmp_path / "cut.npy", tmp_path / "x.asdf", *option, code=2, match="raw bytes")
    refused("convert", table, tmp_path / "x.csv", "--path", "t", code=2, match="--path")
    (tmp_path / "empty.ecsv").write_bytes(b"")
    refused("select", tmp_path / "empty.ecsv", match="it has no content")
    refused("select", table, "-r", "-2:", code=2, match="counted from the first row")
    refused("head", table, "-n", "-1", code=2, match="no whole number from 0")
    assert output("head", table, "-c", "name, id", "-n", "1", "--as", "csv") == "name,id\na,0\n"


def test_folders_of_both_kinds(roman, table, tmp_path):
    asdf.AsdfFile({"roman": {"meta": {"telescope": "HST"}}}).write_to(tmp_path / "a.asdf")
    result = run("head", tmp_path, "-n", "1")
    assert result.stdout.count("==>") == 1 and result.stderr.count("the file has no table") == 2
    (tmp_path / "only").mkdir()
    roman.rename(tmp_path / "only" / "roman.asdf")
    refused("head", tmp_path / "only", code=1, match="no table")
    assert output("get", tmp_path, "roman/meta/telescope").endswith(
        "a.asdf: HST\n" + f"{tmp_path}/only/roman.asdf: ROMAN\n"
    )
    assert len(output("table", "-k", "roman/meta/telescope", tmp_path).splitlines()) == 3
    output("set", tmp_path, "roman/meta/telescope", "JWST")
    assert output("find", tmp_path, "-v", "JWST").count("asdf:/roman/meta/telescope") == 2
    result = run("table", "-k", "roman/meta[0]", tmp_path, code=2)
    assert result.stderr.count("not elements of arrays") == 1


def test_values_that_begin_with_a_hyphen(roman, tmp_path):
    assert output("get", roman, "roman/packed", "-r", "-2:") == "998 999\n"
    assert output("get", roman, "roman/error", "--missing", "-99").split()[0] == "-99"
    (tmp_path / "a.csv").write_text("a,b\n1,-99\n")
    output("convert", tmp_path / "a.csv", tmp_path / "a.ecsv", "--null", "-99")
    assert output("select", tmp_path / "a.ecsv") == "a,b\n1,\n"
    assert output("select", tmp_path / "a.ecsv", "--sort", "-a", "-c", "a") == "a\n1\n"
    message = refused("select", tmp_path / "a.ecsv", "-o", "-x", code=2, match="write '-o=-x'")
    assert "'-- " not in message
    refused("set", roman, "roman/meta/telescope", "-x", code=2, match="use '-- -x'")
