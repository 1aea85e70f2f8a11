"""set, delete, rename, copy, history, recompress, explode, implode, compact, repair and recover."""

import os
import signal
import subprocess
import time
from pathlib import Path

import asdf
import numpy as np
import pytest
from astropy import units as u
from astropy.time import Time
from conftest import COMMAND, document, output, refused


def opened(path):
    return asdf.open(path, lazy_load=False, memmap=False)


@pytest.mark.parametrize(
    ("given", "expected"),
    [("12", 12), ("1.5", 1.5), ("true", True), ("null", None), ("HST", "HST"), ('{"a": [1, "x"]}', {"a": [1, "x"]})],
)
def test_set(roman, given, expected):
    output("set", roman, "roman/meta/new/value", given, "--create")
    with opened(roman) as file:
        found = file["roman"]["meta"]["new"]["value"]
        assert found == expected and type(found) is type(expected)
        assert np.array_equal(file["roman"]["packed"], np.arange(1000))


def test_set_with_types(roman):
    output("set", roman, "roman/meta/telescope", "12", "--type", "string")
    output("set", roman, "roman/meta/exposure/time", "140", "--type", "float")
    with opened(roman) as file:
        assert file["roman"]["meta"]["telescope"] == "12"
        assert repr(file["roman"]["meta"]["exposure"]["time"]) == "140.0"
    before = roman.read_bytes()
    refused("set", roman, "x", "abc", "--type", "integer", "--create", code=2)
    refused("set", roman, "wavelengths/9", "1", code=1)
    assert roman.read_bytes() == before


def test_dry_run_and_backup(roman, tmp_path):
    before = roman.read_bytes()
    for arguments in (
        ("set", roman, "x", "1", "--create"),
        ("delete", roman, "roman/data"),
        ("rename", roman, "roman/data", "roman/image"),
        ("history", "add", roman, "text"),
        ("recompress", roman, "--codec", "zstd"),
        ("compact", roman),
        ("repair", roman, "--wrong-checksums"),
    ):
        assert output(*arguments, "--dry-run"), arguments
        assert roman.read_bytes() == before, arguments
    assert sorted(path.name for path in tmp_path.iterdir()) == ["roman.asdf"]
    output("delete", roman, "roman/data", "--backup")
    assert (tmp_path / "roman.asdf.bak").read_bytes() == before != roman.read_bytes()


def test_copies_that_would_lose_are_refused(tmp_path):
    reports = Path(os.environ["ASDFKIT_CORPORA"]) / "reports"
    new = tmp_path / "new.asdf"
    zarr = reports / "zarr_internal.asdf"
    # A chunked array is copied with its chunks.
    output("copy", zarr, "z", new)
    assert output("diff", zarr, new, code=1).count("/z") == 0
    new.unlink()
    # The whole tree is copied with all blocks, under their numbers.
    output("copy", zarr, "/", tmp_path / "whole.asdf")
    sizes = lambda path: [block["decoded_bytes"] for block in document("blocks", path)["blocks"]]
    assert sizes(tmp_path / "whole.asdf") == sizes(zarr)
    assert output("diff", zarr, tmp_path / "whole.asdf") == ""
    output("copy", reports / "zarr_internal.asdf", "b", new)
    refused("copy", reports / "rotate3d_default.asdf", "rot", new, match="the key 'direction' is missing")
    with opened(new) as file:
        assert "rot" not in file


def test_delete_rename_copy(roman, tmp_path):
    output("delete", roman, "roman/complex", "wavelengths")
    output("rename", roman, "roman/data", "roman/image")
    output("copy", roman, "roman/error", tmp_path / "new.asdf", "error")
    output("copy", roman, "roman/packed", tmp_path / "new.asdf")
    with opened(roman) as file:
        assert "wavelengths" not in file and "complex" not in file["roman"] and file["roman"]["image"].shape == (60, 80)
    with opened(tmp_path / "new.asdf") as file:
        assert np.asarray(file["error"].mask).sum() == 3
        assert np.array_equal(file["roman"]["packed"], np.arange(1000))
    before = roman.read_bytes()
    refused("delete", roman, "roman/nothing", code=1, match="no key 'nothing'")
    refused("rename", roman, "roman/image", "roman/big", code=2, match="exists at the new path")
    refused("rename", roman, "roman/image", "big", code=2)
    refused("copy", roman, "roman/nothing", tmp_path / "new.asdf", code=1)
    assert roman.read_bytes() == before


def test_history(roman):
    output("history", "add", roman, "bias subtracted")
    with opened(roman) as file:
        assert file.get_history_entries()[-1]["description"] == "bias subtracted"
    assert "bias subtracted" in output("info", roman)


@pytest.mark.parametrize("codec", ["zlib", "bzp2", "lz4", "none"])
def test_recompress(roman, codec):
    output("recompress", roman, "--codec", codec)
    found = {block["compression"] for block in document("blocks", roman)["blocks"]}
    assert found == {None if codec == "none" else codec}
    with opened(roman) as file:
        assert np.array_equal(file["roman"]["packed"], np.arange(1000)) and file["roman"]["big"].sum() == 276
    refused("recompress", roman, "--codec", "zip", code=2, match="zip")


def test_recompress_one_array(roman):
    output("recompress", roman, "roman/data", "--codec", "bzp2")
    assert [block["compression"] for block in document("blocks", roman)["blocks"]].count("bzp2") == 1
    refused("recompress", roman, "roman/meta", "--codec", "bzp2", code=1)


def test_explode_implode(roman, tmp_path):
    folder = tmp_path / "exploded"
    folder.mkdir()
    output("explode", roman, "-o", folder / "roman.asdf")
    assert len(list(folder.iterdir())) == 8
    output("implode", folder / "roman.asdf", "-o", tmp_path / "whole.asdf")
    output("diff", roman, tmp_path / "whole.asdf")
    refused("explode", roman, "-o", folder / "roman.asdf", match="exists")
    output("implode", folder / "roman.asdf", "-o", tmp_path / "whole.asdf", "--force")


def test_new_files_are_arguments_or_options(roman, tmp_path):
    folder = tmp_path / "exploded"
    folder.mkdir()
    output("explode", roman, folder / "roman.asdf")
    output("implode", folder / "roman.asdf", tmp_path / "whole.asdf")
    output("diff", roman, tmp_path / "whole.asdf")
    output("recover", roman, tmp_path / "recovered.asdf")
    output("diff", roman, tmp_path / "recovered.asdf")
    for command in ("explode", "implode", "recover"):
        refused(command, roman, code=2, match="NEW")
        refused(command, roman, tmp_path / "a.asdf", "-o", tmp_path / "b.asdf", code=2, match="cannot be used with")
    assert not (tmp_path / "a.asdf").exists() and not (tmp_path / "b.asdf").exists()


def test_compact(roman):
    size = roman.stat().st_size
    output("delete", roman, "roman/data")
    output("compact", roman)
    assert roman.stat().st_size < size - 60 * 80 * 4 + 600
    with opened(roman) as file:
        assert file["roman"]["big"].sum() == 276


def test_compact_never_enlarges(tmp_path):
    path = tmp_path / "small.asdf"
    # Blocks without padding, and no block index.
    asdf.AsdfFile({"a": np.arange(3, dtype="u1"), "b": np.arange(5, dtype="u1")}).write_to(path, pad_blocks=False)
    before = path.read_bytes()[: path.read_bytes().rindex(b"#ASDF BLOCK INDEX")]
    path.write_bytes(before)
    assert "keep the size" in output("compact", path, "--dry-run")
    output("compact", path)
    assert path.read_bytes() == before


def test_compact_removes_what_was_deleted_also_from_a_small_file(tmp_path):
    path = tmp_path / "small.asdf"
    asdf.AsdfFile({"a": np.arange(3, dtype="u1"), "b": np.full(100, 7, "u1")}).write_to(path, pad_blocks=False)
    output("delete", path, "b")
    assert b"\7" * 100 in path.read_bytes()
    assert "remove unused blocks: 1" in output("compact", path, "--dry-run")
    output("compact", path)
    assert b"\7" * 100 not in path.read_bytes()
    assert "no node" not in output("verify", path)
    with asdf.open(path) as file:
        assert file["a"].tolist() == [0, 1, 2]


def test_repair(roman):
    whole = roman.read_bytes()
    roman.write_bytes(whole[: whole.rindex(b"#ASDF BLOCK INDEX")])
    output("repair", roman)
    assert b"#ASDF BLOCK INDEX" in roman.read_bytes()
    broken = bytearray(roman.read_bytes())
    place = document("blocks", roman)["blocks"][0]["payload_offset"]
    broken[place] ^= 1
    roman.write_bytes(broken)
    output("verify", roman, code=1)
    output("repair", roman, "--wrong-checksums")
    output("verify", roman)


def test_recover(damaged, roman, tmp_path):
    found = document("recover", damaged, "-o", tmp_path / "saved.asdf", code=1)
    assert found
    with opened(tmp_path / "saved.asdf") as file:
        assert file["roman"]["meta"]["telescope"] == "ROMAN" and file["roman"]["data"].shape == (60, 80)
    output("recover", roman, "-o", tmp_path / "same.asdf")
    output("diff", roman, tmp_path / "same.asdf")
    refused("recover", damaged, "-o", tmp_path / "saved.asdf", match="exists")


def test_files_do_not_replace_what_they_are_made_from(roman, table, tmp_path):
    (tmp_path / "link.asdf").symlink_to(roman)
    (tmp_path / "hard.asdf").hardlink_to(roman)
    before = roman.read_bytes()
    for name in ("roman.asdf", "link.asdf", "hard.asdf"):
        refused("get", roman, "roman/data", "--force", "-o", tmp_path / name, code=2, match="the file that is read")
        refused(
            "convert",
            roman,
            tmp_path / name,
            "--to",
            "csv",
            "--path",
            "roman/records",
            "--force",
            code=2,
            match="that is read",
        )
    assert roman.read_bytes() == before
    refused("convert", table, table, "--force", "-c", "id", code=2, match="the file that is read")


def test_wrong_files(tmp_path, table):
    (tmp_path / "empty.asdf").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for path in ("empty.asdf", "folder", "none.asdf", "table.ecsv"):
        for arguments in (("set", "x", "1"), ("delete", "x"), ("compact",), ("repair",)):
            refused(arguments[0], tmp_path / path, *arguments[1:], match=path)
    refused("set", "-", "x", "1", code=2, match="standard input")


def test_interrupt_leaves_the_file_whole(tmp_path):
    path = tmp_path / "large.asdf"
    values = np.random.default_rng(3).integers(0, 50, 16_000_000, dtype="i4")
    asdf.AsdfFile({"a": values}).write_to(path)
    before = path.stat().st_size
    process = subprocess.Popen(
        [COMMAND, "recompress", path, "--codec", "bzp2", "--threads", "1"], stderr=subprocess.PIPE
    )
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 3 and "CANCELLED" in error.upper() or "interrupted" in error
    assert path.stat().st_size == before and [each.name for each in tmp_path.iterdir()] == ["large.asdf"]
    output("verify", path)


@pytest.fixture
def tagged(tmp_path):
    """A file whose values have tags of times, units and numbers."""
    path = tmp_path / "tagged.asdf"
    meta = {"start": Time("2026-01-01T00:00:00"), "temperature": 88.5 * u.K, "shift": 1 + 2j, "x": 1.0}
    asdf.AsdfFile({"meta": meta}).write_to(path)
    return path


def test_set_keeps_the_tag(tagged):
    tags = lambda: [found.get("tag") for found in document("info", tagged)["tree"]]
    before = tags()
    for path, value in (("start", "2027-01-01T00:00:00"), ("temperature/unit", "mK"), ("shift", "3-4j")):
        output("set", tagged, f"meta/{path}", value)
    assert tags() == before
    with opened(tagged) as file:
        meta = file["meta"]
        assert meta["start"] == Time("2027-01-01T00:00:00") and meta["shift"] == 3 - 4j
        assert meta["temperature"] == 88.5 * u.mK
    content = tagged.read_bytes()
    for path, value, words in (
        ("start", "tomorrow", "'tomorrow' is no time"),
        ("start", "2027-02-30T00:00:00", "is no time"),
        ("temperature/unit", "furlong", "'furlong' is no unit"),
        ("temperature", "90", "/meta/temperature/value"),
        ("x", "1e400", "beyond the range of floats; .inf is infinity"),
    ):
        assert str(tagged) in refused("set", tagged, f"meta/{path}", value, code=2, match=words)
    assert tagged.read_bytes() == content
    output("set", tagged, "meta/temperature/value", "90")
    output("set", tagged, "meta/x", ".inf")
    with opened(tagged) as file:
        assert file["meta"]["temperature"] == 90 * u.mK and file["meta"]["x"] == np.inf


def test_parts_of_times_and_quantities_are_checked(tmp_path):
    path = tmp_path / "parts.asdf"
    path.write_bytes(
        b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        b"t: !time/time-1.4.0 {value: '2027-01-31T00:00:00', scale: tai}\n"
        b"q: !unit/quantity-1.3.0 {value: 1.5, unit: m}\n...\n"
    )
    before = path.read_bytes()
    refused("set", path, "t", "2027-01-31T00:00:00", code=2, match="its text or number is /t/value")
    refused("set", path, "t/value", "tomorrow", code=2, match="the time would be unreadable")
    refused("set", path, "t/scale", "moon", code=2, match="the time would be unreadable")
    refused("set", path, "q/unit", "furlong", code=2, match="'furlong' is no unit")
    assert path.read_bytes() == before
    for place, value in (("t/value", "2028-02-29T01:02:03"), ("t/scale", "utc"), ("q/unit", "km")):
        output("set", path, place, value)
    with opened(path) as file:
        assert file["t"] == Time("2028-02-29T01:02:03", scale="utc") and file["q"] == 1.5 * u.km


def test_set_reads_numbers_as_a_shell_user_means_them(roman):
    for value, expected in (("1e5", 1e5), ("1E-3", 1e-3), ("1:30", "1:30"), ("1:30.5", "1:30.5"), ("e5", "e5")):
        output("set", roman, "new", value, "--create")
        with opened(roman) as file:
            assert repr(file["new"]) == repr(expected), value
        output("delete", roman, "new")


@pytest.mark.parametrize("kind", [[], ["--type", "integer"], ["--type", "null"], ["--type", "json"]], ids=" ".join)
def test_a_scalar_replaces_no_collection(roman, kind):
    before = roman.read_bytes()
    for path, what in (("roman/data", "an array"), ("roman/meta", "a mapping"), ("wavelengths", "a number list")):
        refused("set", roman, path, "5", *kind, code=2, match=f"at /{path}: {what} is there")
    refused("set", roman, "roman/data", "[1, 2]", *kind, code=2, match="`asdfkit delete` removes it first")
    assert roman.read_bytes() == before


def test_set_changes_all_files_or_none(roman, tmp_path):
    other = tmp_path / "other.asdf"
    asdf.AsdfFile({"roman": {"meta": {}}}).write_to(other)
    contents = [path.read_bytes() for path in (roman, other)]
    path = "roman/meta/telescope"
    # A value of two words without quotes.
    refused("set", roman, path, "John", "Smith", code=2, match=f"'{path}' is no file")
    assert "no file was changed" in refused("set", roman, other, path, "HST", code=1, match="other.asdf")
    assert [path.read_bytes() for path in (roman, other)] == contents
    output("set", roman, other, path, "HST", "--create")
    assert output("get", roman, other, path).count(": HST\n") == 2


def test_copy_replaces_nothing_without_force(roman, tmp_path):
    new = tmp_path / "new.asdf"
    output("copy", roman, "roman/big", new, "a/deep/array")
    before = new.read_bytes()
    refused("copy", roman, "roman/error", new, "a", code=2, match="at /a: a node exists at this path; --force")
    assert new.read_bytes() == before
    output("copy", roman, "roman/error", new, "a", "--force")
    assert document("info", new)["tree"][1]["shape"] == [3, 4]


def test_repair_tells_where_else_to_look(damaged, roman):
    assert "`asdfkit verify` checks the content" in output("repair", roman)
    message = refused("repair", damaged, "--dry-run")
    assert message.startswith(f"asdfkit: {damaged}: ") and "/tmp/.tmp" not in message


def test_counts_of_blocks(roman, damaged, tmp_path):
    content = bytearray(roman.read_bytes())
    content[document("blocks", roman)["blocks"][0]["payload_offset"]] ^= 1
    flipped = tmp_path / "flipped.asdf"
    flipped.write_bytes(content)
    assert "damaged (7 blocks, 6 with a right checksum" in output("verify", flipped, code=1)
    assert (
        output("recover", damaged, "-o", tmp_path / "saved.asdf", code=1)
        .splitlines()[0]
        .endswith("losses in 1 array, 1 block")
    )
