"""ASDF in FITS files is taken out, put in and edited; astropy and Python asdf read what they wrote before."""

import gzip
import hashlib
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest
from fits_builders import PRIMARY, asdf_hdu, fits_file, hdu, image, node, raw_images, status_of, table, tree

import asdfkit
from asdfkit.constants import Status

asdf = pytest.importorskip("asdf")
fits = pytest.importorskip("astropy.io.fits")


def headers_of(path):
    """Returns the header bytes of all HDUs but ASDF, one after another."""
    content, found = path.read_bytes(), b""
    with fits.open(path) as opened:
        for one in opened:
            if one.name != "ASDF":
                info = one.fileinfo()
                found += content[info["hdrLoc"] : info["datLoc"]]
    return found


def hash_of(path):
    return hashlib.sha256(headers_of(path)).hexdigest()


def product(path, *, sums=False, size=10, more="", blocks=True, slack=0):
    """Writes a file with two images and a table, as stdatamodels lays them out. Returns the content of the images."""
    sci = np.arange(size * 7, dtype="f4").reshape(7, size)
    dq = np.arange(size * 7, dtype="u4").reshape(7, size)
    rows = np.array([(1, 2.5, "a"), (2, -1.0, "bc")], [("n", "i4"), ("x", "f8"), ("t", "S4")])
    hdus = [fits.PrimaryHDU(), fits.ImageHDU(sci, name="SCI"), fits.ImageHDU(dq, name="DQ"), fits.BinTableHDU(rows)]
    hdus[0].header["TELESCOP"] = "JWST"
    hdus[3].name = "SPEC"
    for one in hdus[1:]:
        one.header["EXTVER"] = 1
    fits.HDUList(hdus).writeto(path, overwrite=True, checksum=sums)
    new = asdfkit.new(standard="1.6.0")
    new["meta"] = {"telescope": "JWST", "exposure": 3}
    new["_fits_hash"] = hash_of(path)
    if blocks:
        new["matrix"] = np.eye(3)
    content = new.to_bytes(tree_slack=slack, block_index=False)
    fields = "[{name: n, datatype: int32}, {name: x, datatype: float64}, {name: t, datatype: [ascii, 4]}]"
    arrays = (
        f"data: {node('fits:SCI,1', f'[7, {size}]', 'float32')}\n"
        f"dq: {node('fits:DQ,1', f'[7, {size}]', 'uint32')}\n"
        f"spec: {node('fits:SPEC,1', '[2]', fields)}\n{more}"
    )
    content = content.replace(b"meta:", arrays.encode() + b"meta:", 1)
    with path.open("ab") as out:
        out.write(asdf_hdu(content))
    return sci, dq, rows


@pytest.mark.filterwarnings("ignore")
def test_extracted_images_are_read_by_python_asdf(tmp_path):
    path, plain = tmp_path / "image.fits", tmp_path / "image.asdf"
    for raw, cards in raw_images():
        text = f"data: {node('fits:SCI,1')}\nsame: {node('fits:1')}\nlist:\n- {node('fits:sci,1')}"
        path.write_bytes(fits_file(image(raw, *cards), text=text))
        with fits.open(path) as opened, asdfkit.open(path) as file:
            expected = opened["SCI"].data
            file.write(plain, replace=True)
            with asdf.open(plain, memmap=False) as found:
                for array in (found["data"], found["same"], found["list"][0]):
                    array = np.asarray(array)
                    assert array.dtype.newbyteorder("=") == expected.dtype.newbyteorder("="), cards
                    np.testing.assert_array_equal(array, expected)
            with asdfkit.open(plain) as found:
                assert found["data"].has_mask == file["data"].has_mask
                assert not found.report() and not found.inspect()
                assert found.verify()["stored"] >= 1


def test_extraction_keeps_text_blocks_and_columns(tmp_path):
    path, plain = tmp_path / "jw.fits", tmp_path / "jw.asdf"
    sci, dq, rows = product(path, more="# A comment.\nagain: 1\n")
    with asdfkit.open(path) as file:
        file.write(plain)
        assert plain.read_bytes() == file.to_bytes()
        assert status_of(lambda: file.write(plain))[0] == Status.FILE_EXISTS
    assert b"# A comment." in plain.read_bytes()
    with asdf.open(plain, memmap=False) as found:
        np.testing.assert_array_equal(found["data"], sci)
        np.testing.assert_array_equal(found["dq"], dq)
        np.testing.assert_array_equal(found["matrix"], np.eye(3))
        assert found["dq"].dtype.newbyteorder("=") == np.dtype("u4")
        for name in rows.dtype.names:
            np.testing.assert_array_equal(found["spec"][name], rows[name])
        assert found["meta"]["exposure"] == 3
    with asdfkit.open(path) as file:
        new = asdfkit.new()
        new["copy"] = file.node("dq")
        new["all"] = file.node("")
        np.testing.assert_array_equal(new["copy"][...], dq)
        new.write(tmp_path / "copy.asdf")
    with asdf.open(tmp_path / "copy.asdf", memmap=False) as found:
        np.testing.assert_array_equal(found["copy"], dq)
        np.testing.assert_array_equal(found["all"]["data"], sci)


def test_edits_change_nothing_but_the_asdf_hdu(tmp_path):
    for number, (size, blocks, mode) in enumerate(
        [
            (10, True, "auto"),
            (10, False, "in_place"),
            (40000, True, "auto"),
            (40000, False, "auto"),
            (10, True, "whole"),
        ]
    ):
        path = tmp_path / f"{number}.fits"
        sci, dq, _ = product(path, size=size, blocks=blocks, slack=3000)
        before, headers, inode = path.read_bytes(), headers_of(path), path.stat().st_ino
        with asdfkit.open(path, "r+") as file:
            data = file["data"]
            for step in range(3):
                file["meta"]["telescope"] = "HST" * (1 + 300 * step)
                file.save(save_mode=mode)
                np.testing.assert_array_equal(data[...], sci)
                np.testing.assert_array_equal(file["dq"][...], dq)
                assert file["_fits_hash"] == hash_of(path)
            del file["meta"]["telescope"]
            file.save(save_mode=mode)
        assert headers_of(path) == headers
        assert (path.stat().st_ino == inode) == (mode == "in_place" or size > 10), number
        content = path.read_bytes()
        start = before.index(b"XTENSION= 'BINTABLE'", before.index(b"'SPEC"))
        assert content[:start] == before[:start] and len(content) % 2880 == 0
        with asdfkit.open(path) as file:
            assert set(file["meta"]) == {"exposure"} and not file.report() and not file.inspect()
            np.testing.assert_array_equal(file["dq"][...], dq)
            if blocks:
                np.testing.assert_array_equal(file["matrix"][...], np.eye(3))
        with fits.open(path) as opened:
            opened.verify("exception")
            assert opened[-1].name == "ASDF" and opened[-1].header["TFORM1"] == f"{opened[-1].header['NAXIS1']}B"
        assert not list(tmp_path.glob(".*"))


def test_new_arrays_go_into_the_asdf_hdu(tmp_path):
    path = tmp_path / "jw.fits"
    sci, _, _ = product(path)
    with asdfkit.open(path, "r+") as file:
        file["data"] = sci * 2
        file["more"] = np.arange(5)
        file.save()
        file["moved"] = file.node("dq")
        file.compact()
    with asdfkit.open(path) as file:
        np.testing.assert_array_equal(file["data"][...], sci * 2)
        np.testing.assert_array_equal(file["more"][...], np.arange(5))
        assert not file.inspect()


def test_hdus_after_the_asdf_hdu_stay(tmp_path):
    path, values = tmp_path / "odd.fits", np.arange(9, dtype="i2")
    content = hdu(PRIMARY) + asdf_hdu(tree(f"a: 1\ndata: {node('fits:SCI,1', '[9]', 'int16')}"), "own") + image(values)
    path.write_bytes(content)
    with asdfkit.open(path, "r+") as file:
        file["a"] = "x" * 9000
        assert status_of(lambda: file.save(save_mode="in_place"))[0] == Status.NOT_IN_PLACE
        file.save()
        np.testing.assert_array_equal(file["data"][...], values)
        file["a"] = "y" * 9000
        file.save(save_mode="in_place")
    with asdfkit.open(path) as file:
        assert file["a"] == "y" * 9000 and not file.report()
        np.testing.assert_array_equal(file["data"][...], values)
    assert path.read_bytes().endswith(image(values))


@pytest.mark.filterwarnings("ignore")
def test_regions_of_hdus_are_overwritten(tmp_path):
    for sums in (False, True):
        path = tmp_path / f"{sums}.fits"
        sci, dq, _ = product(path, sums=sums)
        saved = path.read_bytes()
        with asdfkit.open(path, "r+") as file:
            file["data"][1:3, 2:5] = -7
            np.testing.assert_array_equal(file["data"][1:3, 2:5], np.full((2, 3), -7))
        assert path.read_bytes() == saved
        with asdfkit.open(path, "r+") as file:
            file["data"][1:3, 2:5] = -7
            file["dq"][::2, 1] = 2**32 - 5
            file["matrix"][0] = 9
            file.save()
            file["dq"][0, 0] = 77
            file.save()
            assert file["_fits_hash"] == hash_of(path)
        sci[1:3, 2:5] = -7
        dq[::2, 1] = 2**32 - 5
        dq[0, 0] = 77
        with fits.open(path, checksum=True) as opened:
            np.testing.assert_array_equal(opened["SCI"].data, sci)
            np.testing.assert_array_equal(opened["DQ"].data, dq)
            for one in opened[1:-1]:
                assert not sums or (one.verify_datasum(), one.verify_checksum()) == (1, 1), one.name
        with asdfkit.open(path) as file:
            np.testing.assert_array_equal(file["dq"][...], dq)
            assert file["matrix"][...][0].tolist() == [9, 9, 9] and not file.inspect()
    scaled = tmp_path / "scaled.fits"
    text = f"data: {node('fits:SCI,1')}\nlogical: {node('fits:T,1')}"
    flags = table(1, 2, [{"TTYPE": "a", "TFORM": "L"}], b"TF", ("EXTNAME", "T"))
    scaled.write_bytes(fits_file(image(np.arange(3, dtype="i2"), ("BSCALE", 2.0)), flags, text=text))
    with asdfkit.open(scaled, "r+") as file:
        found = status_of(lambda: file["data"].__setitem__(0, 5))
        assert found[0] == Status.UNSUPPORTED and "HDU 1" in found[1] and "set the array again" in found[1]


def test_checksums_of_the_asdf_hdu_are_renewed(tmp_path):
    path = tmp_path / "sums.fits"
    column = fits.Column("ASDF_METADATA", "3B", array=np.zeros((1, 3), "u1"))
    with asdfkit.new() as new:
        new["a"] = 1
        content = np.frombuffer(new.to_bytes(), "u1")
    column = fits.Column("ASDF_METADATA", f"{len(content)}B", array=content[np.newaxis])
    asdf_table = fits.BinTableHDU.from_columns([column], name="ASDF")
    fits.HDUList([fits.PrimaryHDU(), asdf_table]).writeto(path, checksum=True)
    for mode in ("in_place", "whole"):
        with asdfkit.open(path, "r+") as file:
            file["a"] = mode * 1000
            file.save(save_mode=mode)
        with fits.open(path, checksum=True) as opened:
            assert (opened["ASDF"].verify_datasum(), opened["ASDF"].verify_checksum()) == (1, 1)


def test_files_are_put_into_new_fits_files(tmp_path):
    random = np.random.default_rng(5)
    arrays = {
        str(np.dtype(code)): random.integers(0, 200, (3, 5)).astype(code)
        for code in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8", ">i4", ">u2", ">f8")
    }
    arrays["complex"] = np.ones(3, "c8")
    arrays["flags"] = np.array([True, False])
    new = asdfkit.new()
    new["meta"] = {"list": [{"data": np.arange(3)}, {"data": np.arange(4.0)}], "asdf": np.arange(2)}
    new["arrays"] = arrays
    plain, path, again = tmp_path / "x.asdf", tmp_path / "x.fits", tmp_path / "again.asdf"
    new.write(plain)
    with asdfkit.open(plain) as file:
        file.write(path, container="fits")
        assert path.read_bytes() == file.to_bytes(container="fits")
    with fits.open(path) as opened:
        opened.verify("exception")
        names = [one.name for one in opened]
        assert (names[0], names[-1]) == ("PRIMARY", "ASDF") and {"DATA", "ASDF_", "UINT16"} <= set(names)
        assert opened["DATA", 2].data.tolist() == [0.0, 1.0, 2.0, 3.0]
        for name, array in arrays.items():
            if array.dtype.kind in "uif" and array.dtype.isnative:
                assert opened[name].data.dtype.newbyteorder("=") == array.dtype
                np.testing.assert_array_equal(opened[name].data, array)
    with asdfkit.open(path) as file:
        assert not file.report() and not file.inspect()
        for name, array in arrays.items():
            np.testing.assert_array_equal(file["arrays"][name][...], array)
        file.write(again)
        shutil.copy(path, tmp_path / "copy.fits")
        file.write(tmp_path / "same.fits", container="fits")
    assert (tmp_path / "same.fits").read_bytes() == path.read_bytes()
    with asdf.open(again, memmap=False) as found:
        for name, array in arrays.items():
            np.testing.assert_array_equal(found["arrays"][name], array)
        assert found["meta"]["list"][1]["data"].tolist() == [0.0, 1.0, 2.0, 3.0]


def test_arrays_of_other_files_are_put_into_a_new_fits_file(tmp_path):
    new = asdfkit.new()
    new["data"], new["many"] = np.arange(6, dtype="i2").reshape(2, 3), {"c": np.ones(3, "c8")}
    (tmp_path / "parts").mkdir()
    new.explode(tmp_path / "parts" / "x.asdf")
    with asdfkit.open(tmp_path / "parts" / "x.asdf") as file:
        found = status_of(lambda: file.write(tmp_path / "x.fits", container="fits"))
        assert found[0] == Status.EXTERNAL_REFERENCE and "x0000.asdf" in found[1] and not (tmp_path / "x.fits").exists()
    with asdfkit.open(tmp_path / "parts" / "x.asdf", access="same_directory") as file:
        file.write(tmp_path / "x.fits", container="fits")
    with fits.open(tmp_path / "x.fits") as opened, asdfkit.open(tmp_path / "x.fits") as file:
        np.testing.assert_array_equal(opened["DATA"].data, new["data"][...])
        np.testing.assert_array_equal(file["data"][...], new["data"][...])
        np.testing.assert_array_equal(file["many/c"][...], np.ones(3, "c8"))
        assert not file.report() and not file.inspect()


@pytest.mark.filterwarnings("ignore")
def test_columns_of_variable_length_are_those_of_astropy(tmp_path):
    random = np.random.default_rng(11)
    for form in "PQ":
        columns = []
        for letter, code in zip("LXBIJKEDCMA", ("?", "?", "u1", "i2", "i4", "i8", "f4", "f8", "c8", "c16", "S1")):
            cells = []
            for length in (0, 3, 1, 12, 0, 5):
                if letter in "LX":
                    cells.append(random.integers(0, 2, length).astype(bool))
                elif letter == "A":
                    cells.append("".join(random.choice(list("abc"), length)))
                else:
                    cells.append(random.integers(0, 100, length).astype(code))
            if letter == "X":
                continue
            columns.append(fits.Column(f"c{letter}", f"{form}{letter}()", array=np.array(cells, dtype=object)))
        columns.append(fits.Column("n", "J", array=np.arange(6)))
        path = tmp_path / f"{form}.fits"
        fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns, name="T")]).writeto(path)
        with path.open("ab") as out:
            out.write(asdf_hdu(tree(f"data: {node('fits:T,1', '[6]', 'int8')}")))
        with fits.open(path) as opened, asdfkit.open(path) as file:
            found, expected = file["data"][...], opened["T"].data
            for name in expected.names:
                if name == "n":
                    np.testing.assert_array_equal(found["n"], expected["n"])
                    continue
                lengths = found[f"{name}_length"]
                for row, length in enumerate(lengths):
                    cell = expected[name][row]
                    if name == "cA":
                        assert found[name][row].decode() == "".join(cell)
                        continue
                    assert length == len(cell)
                    np.testing.assert_array_equal(found[name][row][:length], cell, err_msg=name)
                    assert not found[name][row][length:].any()
            np.testing.assert_array_equal(file["data"][2:4], found[2:4])
            file.write(tmp_path / f"{form}.asdf")
        with asdf.open(tmp_path / f"{form}.asdf", memmap=False) as plain:
            np.testing.assert_array_equal(plain["data"]["cI"], found["cI"])
    # Unsigned and scaled values, in a heap with a gap before it.
    cards = [{"TTYPE": "u", "TFORM": "1PI(2)", "TZERO": 2**15}, {"TTYPE": "e", "TFORM": "1QE", "TSCAL": 2.0}]
    body = np.array([2, 0], ">i4").tobytes() + np.array([1, 4], ">i8").tobytes() + bytes(8)
    body += np.array([-1, 5], ">i2").tobytes() + np.array([1.5], ">f4").tobytes()
    content = table(24, 1, cards, body, ("EXTNAME", "T"), ("THEAP", 32), heap=16)
    with asdfkit.open(fits_file(content, text=f"data: {node('fits:T,1')}")) as file:
        found = file["data"][...]
        assert found["u"].tolist() == [[32767, 32773]] and found["u"].dtype == np.dtype("u2")
        assert [found[name].tolist() for name in found.dtype.names][1:] == [[[3.0]], [2], [1]]


def test_lying_descriptors_are_typed_errors():
    for descriptor, cards in (
        ((3, 8), []),
        ((-1, 0), []),
        ((2**31 - 1, 0), []),
        ((1, 2**31 - 1), []),
        ((1, 0), [("THEAP", 3)]),
        ((1, 0), [("THEAP", 999999)]),
    ):
        body = np.array(descriptor, ">i4").tobytes() + bytes(16)
        content = table(8, 1, [{"TTYPE": "a", "TFORM": "1PJ(2)"}], body, ("EXTNAME", "T"), *cards, heap=16)
        with asdfkit.open(fits_file(content, text=f"data: {node('fits:T,1')}")) as file:
            status, message = status_of(lambda: file["data"])
        assert status == Status.FITS_HEADER and ("TFORM1" in message or "THEAP" in message), message


def test_a_fits_file_without_asdf_and_compressed_ones_say_so(tmp_path):
    path = tmp_path / "reference.fits"
    fits.HDUList([fits.PrimaryHDU(), fits.ImageHDU(np.zeros(3))]).writeto(path)
    for mode in ("r", "r+"):
        found = status_of(asdfkit.open, path, mode)
        assert found[0] == Status.NOT_ASDF and "ASDF" in found[1] and "FITS" in found[1]
    packed = tmp_path / "product.fits.gz"
    packed.write_bytes(gzip.compress(fits_file(text="a: 1")))
    with asdfkit.open(packed) as file:
        assert file["a"] == 1
    with pytest.raises(asdfkit.AsdfError, match="gzip and can only be read"):
        asdfkit.open(packed, "r+")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal")
def test_the_changes_of_a_killed_writer_are_undone(tmp_path):
    path = tmp_path / "jw.fits"
    sci, dq, _ = product(path, sums=True)
    before = path.read_bytes()
    program = (
        f"import os, signal, asdfkit; file = asdfkit.open({str(path)!r}, 'r+'); file['data'][:] = -1\n"
        "file['dq'][0] = 9; file['matrix'][0] = 5; os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program], check=False)
    assert path.read_bytes() != before
    with asdfkit.open(path) as file:
        np.testing.assert_array_equal(file["data"][...], sci)
        np.testing.assert_array_equal(file["dq"][...], dq)
        np.testing.assert_array_equal(file["matrix"][...], np.eye(3))
        assert len(file.report()) == 1
    asdfkit.open(path, "r+").close()
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
