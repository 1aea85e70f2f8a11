"""Tables in text: texts for missing cells, headers in another file, ECSV under other names, columns without datatypes."""

import gzip

import pytest
from astropy.table import Table
from conftest import output, refused

GAIA = "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n# - {name: v, datatype: float64}\n# - {name: n, datatype: int64}\nv,n\nnull,1\n2.5,null\n"
ROWS = "v,n\nnull,1\n2.5,null\n"
EXPECTED = "v,n\n,1\n2.5,\n"


@pytest.fixture(params=["gaia.csv", "gaia.csv.gz", "gaia.ecsv", "gaia"])
def gaia(tmp_path, request):
    path = tmp_path / request.param
    content = GAIA.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def test_texts_for_missing_cells(gaia, tmp_path):
    assert output("select", gaia, "--null", "null") == EXPECTED
    assert "--" in output("head", gaia, "--null", "null")
    output("verify", gaia, "--null", "null")
    assert "float64" in output("info", gaia)
    output("convert", gaia, tmp_path / "new.ecsv", "--null", "null", "--null", "NA")
    found = Table.read(tmp_path / "new.ecsv", format="ascii.ecsv")
    assert found["v"].tolist() == [None, 2.5] and found["n"].tolist() == [1, None]
    output("convert", gaia, tmp_path / "new.asdf", "--null", "null")
    assert output("select", tmp_path / "new.asdf") == EXPECTED
    refused("select", gaia, match="not a number")


def test_header_in_another_file(gaia, tmp_path):
    rows = tmp_path / "rows.txt"
    rows.write_text(ROWS)
    options = ["--header", gaia, "--null", "null"]
    assert output("select", rows, *options) == EXPECTED
    assert "float64" in output("info", rows, *options)
    output("verify", rows, *options)
    assert output("convert", rows, "-", "--to", "csv", *options) == EXPECTED
    refused("select", rows, "--header", rows, match="ECSV")
    refused("select", rows, "--header", tmp_path / "missing.ecsv", match="missing.ecsv")


@pytest.mark.parametrize("delimiter", [",", " "])
def test_columns_without_datatypes(tmp_path, delimiter):
    path = tmp_path / "plain.ecsv"
    path.write_text(
        f"# %ECSV 1.0\n# ---\n# delimiter: '{delimiter}'\na b\n007 x\n1.50 \"y z\"\n".replace("a b", f"a{delimiter}b")
        .replace("7 x", f"7{delimiter}x")
        .replace('0 "', f'0{delimiter}"')
    )
    refused("head", path)
    assert output("select", path, "--as-text") == "a,b\n007,x\n1.50,y z\n"
    assert output("info", path, "--as-text").count("string") == 2
    refused("head", path, "--as-text", "--header", path, code=2)


def test_differences_of_tables_in_text(gaia, tmp_path):
    rows, other = tmp_path / "rows.txt", tmp_path / "other.txt"
    rows.write_text(ROWS)
    other.write_text(ROWS.replace("2.5", "2.50").replace("null", "NA"))
    output("diff", gaia, gaia, "--null", "null")
    refused("diff", gaia, gaia, match="not a number")
    nulls = ["--null", "null", "--null", "NA"]
    output("diff", rows, other, "--header", gaia, *nulls)
    assert "2.5" in output("diff", rows, other, "--as-text", *nulls, code=1)
    output("diff", rows, rows, "--as-text")
    refused("diff", rows, other, "--as-text", "--header", gaia, code=2)


def test_wrong_lines_of_names_are_named(tmp_path):
    path = tmp_path / "wrong.txt"
    for text, message in (("a,,b\n", "no name for column 2"), ("a,a\n", "two columns"), ("# x\n", "line of names")):
        path.write_text(text)
        assert message in refused("head", path, "--as-text")


def test_messages_name_standard_input(tmp_path):
    for command in (
        ["select", "-"],
        ["head", "-"],
        ["convert", "-", tmp_path / "x.asdf"],
        ["convert", "-", "-", "--to", "csv"],
    ):
        assert refused(*command, stdin=GAIA.encode()).startswith("asdfkit: -:"), command
