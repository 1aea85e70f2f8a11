"""What a user at a terminal expects: kept types, new files by suffix, conditions, formats, widths, readable statistics."""

import json
import re
import subprocess

import asdf
import numpy as np
import pytest
from astropy.table import MaskedColumn, Table
from conftest import COMMAND, document, output, refused, run


def test_set_keeps_the_type(roman):
    time, count, name = "roman/meta/exposure/time", "roman/meta/exposure/count", "roman/meta/telescope"
    for path, value, expected in (
        (time, "141", "141.0 (float)"),
        (count, "9", "9 (integer)"),
        (name, "12", "12 (string)"),
        (name, "[1]", "[1] (string)"),
        ("roman/meta/exposure/good", "no", "false (bool)"),
        ("roman/meta/exposure/note", "5", "5 (integer)"),
    ):
        output("set", roman, path, value)
        assert output("set", roman, path, value, "-n").rstrip().endswith(f"to {expected}")
    output("set", roman, count, "2.5", "--type", "float")
    assert output("get", roman, count) == "2.5\n"
    with asdf.open(roman) as file:
        assert isinstance(file["roman"]["meta"]["exposure"]["time"], float)
        assert file["roman"]["meta"]["telescope"] == "[1]"
    for path, value in ((time, "long"), ("roman/meta/exposure/good", "7")):
        message = refused("set", roman, path, value, code=2, match="--type changes the type")
        assert message.startswith(f"asdfkit: {roman}: at /{path}: ")
    before = roman.read_bytes()
    refused("set", roman, name, code=2, match="a file, a path and a value")
    assert roman.read_bytes() == before
    output("set", roman, "wavelengths", "[1, 2, 3]")
    output("set", roman, "roman/meta/exposure", '{"time": 1.5}')
    assert output("get", roman, time) == "1.5\n"


def test_regions_need_no_brackets(roman):
    assert output("get", roman, "roman/data", "--region", "0:2,::9") == output("get", roman, "roman/data[0:2,::9]")
    for region, reason in (("x", "'x' is not an integer"), ("[0", "it has the form"), ("", "it has the form")):
        refused("get", roman, "roman/data", f"--region={region}", code=2, match=reason)


def test_statistics_of_tables_are_refused_in_words(tmp_path):
    (tmp_path / "t.ecsv").write_text("# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n1\n")
    refused("stat", tmp_path / "t.ecsv", code=2, match="convert makes one of a table")


def test_set_makes_no_new_groups(roman):
    refused("set", roman, "roman/metta/x", "1", code=1, match="did you mean 'meta'? --create adds it")
    refused("set", roman, "roman/meta/telescop", "HST", code=1, match="did you mean 'telescope'? --create adds it")
    output("set", roman, "roman/meta/x", "1", "--create")
    output("set", roman, "roman/new/deep/x", "1", "--create")
    assert output("get", roman, "roman/new/deep/x") == "1\n"


def test_the_suffix_of_the_output_decides(roman, tmp_path):
    with asdf.open(roman) as file:
        image = np.array(file["roman"]["data"])
    output("get", roman, "roman/data", "-o", tmp_path / "x.npy")
    assert np.array_equal(np.load(tmp_path / "x.npy"), image, equal_nan=True)
    output("get", roman, "roman/data[:2,:3]", "-o", tmp_path / "x.csv")
    assert np.array_equal(np.loadtxt(tmp_path / "x.csv", "f4", delimiter=","), image[:2, :3])
    output("get", roman, "roman/meta", "-o", tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_text())["telescope"] == "ROMAN"
    output("get", roman, "roman/meta", "-o", tmp_path / "x.yaml")
    assert "telescope: ROMAN" in (tmp_path / "x.yaml").read_text()
    output("get", roman, "roman/data[0]", "-o", tmp_path / "x.raw")
    assert (tmp_path / "x.raw").read_bytes() == image[0].tobytes()
    output("get", roman, "roman/data[10:20,5:9]", "-o", tmp_path / "x.asdf")
    with asdf.open(tmp_path / "x.asdf") as file:
        assert np.array_equal(file["roman"]["data"], image[10:20, 5:9])
    refused("get", roman, "roman/data", "-o", tmp_path / "x.asdf", match="--force")
    output("get", roman, "roman/meta", "-o", tmp_path / "x.asdf", "--force")
    with asdf.open(tmp_path / "x.asdf") as file:
        assert file["roman"]["meta"]["telescope"] == "ROMAN" and "data" not in file["roman"]
    for suffix in ("fits", "h5", "ecsv", "png"):
        refused("get", roman, "roman/data", "-o", tmp_path / f"x.{suffix}", code=2)
        assert not (tmp_path / f"x.{suffix}").exists()
    refused("--json", "get", roman, "roman/data", "-o", tmp_path / "y.npy", code=2, match="differ")
    output("get", roman, "roman/data[0]", "-o", tmp_path / "x.fits", "--as", "text")
    output("get", roman, "roman/data[0]", "-o", tmp_path / "x")
    assert (tmp_path / "x").read_bytes() == (tmp_path / "x.fits").read_bytes()


@pytest.fixture
def stars(tmp_path):
    made = Table(
        {
            "id": np.arange(6),
            "flux": MaskedColumn(
                [1.25, 2.5, 3.75, 4.0, np.nan, 6.0], mask=[0, 0, 1, 0, 0, 0], unit="mJy", format="%.1f"
            ),
            "name": ["a", "b c", "Vega", "é", "", "Vega"],
            "good": [True, False, True, True, False, True],
            "big": np.array([2**64 - 1, 2**64 - 2, 1, 2, 3, 4], dtype="u8"),
            "x y": np.arange(6) * 0.5,
        }
    )
    path = tmp_path / "stars.ecsv"
    made.write(path, format="ascii.ecsv")
    return path


@pytest.mark.parametrize(
    ("condition", "ids"),
    [
        ("flux > 2", [1, 3, 5]),
        ("flux > 2 and name == 'Vega'", [5]),
        ("flux is missing", [2]),
        ("flux is not missing and not flux < 3", [3, 4, 5]),
        ("name = 'b c' or id >= 5", [1, 5]),
        ("good", [0, 2, 3, 5]),
        ("!good && (id < 2 || id == 4)", [1, 4]),
        ("big == 18446744073709551614", [1]),
        ("`x y` * 2 == id and id in (1, 2, 9)", [1, 2]),
        ("name not in ('Vega', \"a\")", [1, 3]),
        ("id % 2 == 1 and -id < -2", [3, 5]),
        ("flux != flux", [4]),
    ],
)
def test_rows_that_meet_a_condition(stars, condition, ids, tmp_path):
    lines = output("select", stars, "--where", condition, "-c", "id").split()
    assert [int(line) for line in lines[1:]] == ids
    found = [json.loads(line) for line in output("select", stars, "--where", condition, "--as", "json").splitlines()]
    assert [row["id"] for row in found] == ids and (not ids or "flux" in found[0])
    output("convert", stars, tmp_path / "stars.asdf")
    assert output("select", tmp_path / "stars.asdf", "--where", condition, "-c", "id").split() == lines


def test_wrong_conditions(stars):
    for wrong in ("flux >", "flux > 'a", "1 < flux < 2", "(flux > 1", "flux ? 1", "flux > 1 name"):
        refused("select", stars, "--where", wrong, code=2)
    refused("select", stars, "--where", "flx > 1", code=1, match="did you mean 'flux'?")
    refused("select", stars, "--where", "name > 1", code=2, match="cannot be compared")
    refused("select", stars, "--where", "flux", code=2, match="compar")
    assert output("select", stars, "--where", "id > 100", "-c", "id") == "id\n"
    assert output("select", stars, "--where", "flux > 0.002", "--units", "flux=Jy", "-c", "id").split() == [
        "id",
        "1",
        "3",
        "5",
    ]


def test_cells_have_the_format_of_their_column(stars):
    assert output("head", stars, "-c", "flux").split() == ["flux", "mJy", "1.2", "2.5", "--", "4.0", "nan", "6.0"]
    assert output("head", stars, "-c", "flux", "--raw").split()[2] == "1.25"
    assert output("select", stars, "-c", "flux", "--as", "text").split()[2] == "1.2"
    assert output("select", stars, "-c", "flux").split()[1] == "1.2"
    assert output("select", stars, "-c", "flux", "--raw").split()[1] == "1.25"
    assert json.loads(output("select", stars, "-c", "flux", "--as", "json").splitlines()[0]) == {"flux": 1.25}
    with_csv = output("convert", stars, "-", "--to", "csv", "-c", "flux")
    assert with_csv.split()[1] == "1.25"


def test_wide_tables_are_elided(tmp_path):
    Table({f"column{number}": [number] for number in range(50)}).write(tmp_path / "wide.ecsv", format="ascii.ecsv")
    lines = output("head", tmp_path / "wide.ecsv", env={"COLUMNS": "60"}).splitlines()
    assert all(len(line) <= 60 for line in lines[:2]) and "…" in lines[0]
    assert lines[0].split()[0] == "column0" and lines[0].split()[-1] == "column49" and "--wide shows all" in lines[-1]
    for arguments, width in ((["--wide"], "60"), ([], "")):
        assert len(output("head", tmp_path / "wide.ecsv", *arguments, env={"COLUMNS": width}).split()) == 100
    assert len(output("head", tmp_path / "wide.ecsv", "--as", "csv", env={"COLUMNS": "60"}).split(",")) == 99


def test_statistics_of_many_arrays_are_a_table(roman):
    lines = output("stat", roman).splitlines()
    assert lines[0].split()[:2] == ["array", "count"] and {"NaN", "missing", "min", "max", "mean", "std"} <= set(
        lines[0].split()
    )
    image = next(line.split() for line in lines if line.startswith("/roman/data"))
    assert image[1:3] == ["4799", "1"]
    assert sum(line.startswith("/roman/records") for line in lines) > 1
    assert "histogram" not in lines[0] and len(document("stat", roman)["arrays"]) == len(lines) - 1


def test_histograms_leave_out_outliers(tmp_path):
    values = np.append(np.random.default_rng(1).normal(100, 5, 10_000), [1e9, -1e12])
    asdf.AsdfFile({"data": values, "plain": values[:-2], "same": np.append(np.ones(100), 5.0)}).write_to(
        tmp_path / "a.asdf"
    )
    found = document("stat", tmp_path / "a.asdf", "data", "--histogram", "20")["arrays"][0]
    histogram = found["histogram"]
    assert (found["max"], found["min"]) == (1e9, -1e12)
    assert histogram["above"] >= 1 and histogram["below"] >= 1 and 50 < histogram["least"] < histogram["most"] < 150
    assert sum(histogram["counts"]) + histogram["above"] + histogram["below"] == 10_002
    assert sum(count > 100 for count in histogram["counts"]) > 5
    assert "are below" in output("stat", tmp_path / "a.asdf", "data")
    plain = document("stat", tmp_path / "a.asdf", "plain", "--histogram", "20")["arrays"][0]
    assert (plain["histogram"]["least"], plain["histogram"]["most"]) == (plain["min"], plain["max"])
    same = document("stat", tmp_path / "a.asdf", "same", "--histogram", "4")["arrays"][0]
    assert same["histogram"]["counts"] == [100, 0, 0, 1]


def test_deviation_of_large_integers(tmp_path):
    for values in (np.array([2**64 - 1, 2**64 - 2, 2**64 - 3], "u8"), np.array([-(2**63), -(2**63) + 7], "i8")):
        asdf.AsdfFile({"data": values}).write_to(tmp_path / "a.asdf")
        found = document("stat", tmp_path / "a.asdf", "data")["arrays"][0]
        exact = np.array([int(value) - int(values[0]) for value in values], float)
        assert np.isclose(found["std"], exact.std(), 1e-12) and found["min"] == int(values.min())
        assert np.isclose(found["mean"], float(values.astype(object).mean()), 1e-15)


def test_one_dimensional_arrays_wrap(tmp_path):
    asdf.AsdfFile({"data": np.arange(1000)}).write_to(tmp_path / "a.asdf")
    for env, width in (({"COLUMNS": ""}, 100), ({"COLUMNS": "40"}, 40)):
        lines = output("get", tmp_path / "a.asdf", "data", env=env).splitlines()
        assert (
            max(map(len, lines)) <= width
            and len(lines) > 30
            and " ".join(lines).split() == [str(n) for n in range(1000)]
        )
    rows = output("get", tmp_path / "a.asdf", "data", "--as", "csv").splitlines()
    assert rows == [str(number) for number in range(1000)]
    assert output("get", tmp_path / "a.asdf", "data[:5]") == "0 1 2 3 4\n"


def test_repair_tells_its_changes(roman):
    content = roman.read_bytes()
    roman.write_bytes(content[: content.rindex(b"#ASDF BLOCK INDEX")])
    assert "wrote the block index" in output("repair", roman)
    assert "nothing to repair" in output("repair", roman)
    assert document("repair", roman, "-n")["changes"] == []


def test_equal_blocks_are_not_decoded(tmp_path):
    """A damaged stream that is the same in both files differs in nothing."""
    file = asdf.AsdfFile({"data": np.arange(100_000) % 7, "other": 1})
    file.write_to(tmp_path / "a.asdf", all_array_compression="zlib")
    content = bytearray((tmp_path / "a.asdf").read_bytes())
    place = content.rindex(b"\xd3BLK") + 200
    content[place : place + 8] = b"\xff" * 8
    for name in ("a", "b"):
        (tmp_path / f"{name}.asdf").write_bytes(content)
    output("diff", tmp_path / "a.asdf", tmp_path / "b.asdf")
    run("get", tmp_path / "a.asdf", "data", code=3)
    content[place] = 0
    (tmp_path / "b.asdf").write_bytes(content)
    run("diff", tmp_path / "a.asdf", tmp_path / "b.asdf", code=3)


def test_units_of_columns_in_info(stars, tmp_path):
    output("convert", stars, tmp_path / "stars.asdf")
    text = output("info", tmp_path / "stars.asdf")
    assert re.search(r"flux: column float64 \[6\].*, unit 'mJy'", text) and "id: column int64 [6]" in text


def test_paths_are_completed(roman, tmp_path):
    assert output("complete", roman, "roman/me").splitlines() == ["roman/meta/"]
    assert "roman/meta/exposure/" in output("complete", roman, "roman/meta/").splitlines()
    assert output("complete", roman, "/roman/da").splitlines() == ["/roman/data"]
    assert output("complete", roman, "none") == output("complete", tmp_path / "nothing", "a") == ""
    output("manual", tmp_path / "out")
    script = tmp_path / "out" / "completions" / "asdfkit.bash"
    program = (
        f"source {script}; COMP_WORDS=({COMMAND} get {roman} roman/meta/exp); COMP_CWORD=3; "
        "_asdfkit_with_paths asdfkit roman/meta/exp roman; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    result = subprocess.run(["bash", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert result.stdout.split() == ["roman/meta/exposure/"], result.stderr
    program = f"source {script}; COMP_WORDS=({COMMAND} ver); COMP_CWORD=1; _asdfkit_with_paths {COMMAND} ver {COMMAND}; echo ${{COMPREPLY[@]}}"
    assert subprocess.run(["bash", "-c", program], capture_output=True, text=True).stdout.split() == ["verify"]
    for shell in ("_asdfkit", "asdfkit.fish"):
        assert "complete" in (tmp_path / "out" / "completions" / shell).read_text()
