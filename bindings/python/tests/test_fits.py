"""ASDF in FITS files: arrays are equal to the data that astropy reads. Damage and missing parts are typed errors."""

import gzip

import numpy as np
import pytest
from fits_builders import PRIMARY, asdf_hdu, fits_file, hdu, image, node, raw_images, status_of, table, tree

import asdfkit
from asdfkit.constants import Status

fits = pytest.importorskip("astropy.io.fits")


@pytest.mark.filterwarnings("ignore")
def test_images_of_all_types_are_those_of_astropy(tmp_path):
    path = tmp_path / "image.fits"
    for raw, cards in raw_images():
        text = f"data: {node('fits:sci,2')}\nsame: {node('fits:1')}"
        path.write_bytes(fits_file(image(raw, *cards, ("EXTVER", 2)), text=text))
        with fits.open(path) as opened, asdfkit.open(path) as file:
            expected = opened["SCI", 2].data
            native = expected.astype(expected.dtype.newbyteorder("="))
            for key in ("data", "same"):
                array = file[key]
                assert (array.dtype, array.shape) == (native.dtype, native.shape), (raw.dtype, cards)
                blank = dict(cards).get("BLANK")
                is_masked = blank is not None and native.dtype.kind == "f"
                assert array.has_mask == is_masked, (raw.dtype, cards)
                elements = array.without_mask()[...]
                assert elements.tobytes() == native.tobytes() or np.isnan(native).any()
                np.testing.assert_array_equal(elements, native)
                np.testing.assert_array_equal(array.without_mask()[-1:, 1:3], native[-1:, 1:3])
                if is_masked:
                    np.testing.assert_array_equal(array.mask(), raw == blank)


def test_large_images_are_converted_in_pieces(tmp_path):
    raw = np.arange(700_000, dtype="i4").reshape(700, 1000)
    path = tmp_path / "image.fits"
    path.write_bytes(fits_file(image(raw, ("BZERO", 2**31)), text=f"data: {node('fits:SCI,1')}"))
    with asdfkit.open(path) as file:
        expected = raw.astype("u4") + np.uint32(2**31)
        np.testing.assert_array_equal(file["data"][...], expected)
        np.testing.assert_array_equal(file["data"][3:700:7, 5:1000:3], expected[3:700:7, 5:1000:3])
        np.testing.assert_array_equal(file["data"].read(dtype="f8"), expected.astype("f8"))


#: Columns: cards, bytes of a value.
COLUMNS = [
    ({"TTYPE": "flag", "TFORM": "L"}, 1),
    ({"TTYPE": "bits", "TFORM": "11X"}, 2),
    ({"TTYPE": "bytes", "TFORM": "3B"}, 3),
    ({"TTYPE": "signed", "TFORM": "B", "TZERO": -128}, 1),
    ({"TTYPE": "short", "TFORM": "I"}, 2),
    ({"TTYPE": "ushort", "TFORM": "2I", "TZERO": 2**15}, 4),
    ({"TTYPE": "int", "TFORM": "6J", "TDIM": "(3,2)"}, 24),
    ({"TTYPE": "uint", "TFORM": "1J", "TZERO": 2**31, "TSCAL": 1}, 4),
    ({"TTYPE": "ulong", "TFORM": "K", "TZERO": 2**63}, 8),
    ({"TTYPE": "scaled", "TFORM": "2I", "TSCAL": 0.1, "TZERO": 7.5}, 4),
    ({"TTYPE": "moved", "TFORM": "J", "TZERO": 5}, 4),
    ({"TTYPE": "float", "TFORM": "E"}, 4),
    ({"TTYPE": "wide", "TFORM": "D", "TSCAL": 3.0}, 8),
    ({"TTYPE": "complex", "TFORM": "C"}, 8),
    ({"TTYPE": "pair", "TFORM": "2M"}, 32),
    ({"TTYPE": "text", "TFORM": "5A"}, 5),
    ({"TTYPE": "words", "TFORM": "6A", "TDIM": "(2,3)"}, 6),
    ({"TTYPE": "nothing", "TFORM": "0J"}, 0),
    ({"TTYPE": "lists", "TFORM": "1PJ(3)"}, 8),
    ({"TTYPE": "long_lists", "TFORM": "1QE(3)"}, 16),
]


@pytest.mark.filterwarnings("ignore")
def test_columns_of_all_forms_are_those_of_astropy(tmp_path):
    random = np.random.default_rng(3)
    rows, width = 50, sum(size for _, size in COLUMNS)
    row = np.concatenate([[np.frombuffer(b"TF\0", "u1")[0]], np.zeros(width - 1, "u1")])
    body = np.tile(row, (rows, 1))
    body[:, 1:] = random.integers(0, 256, (rows, width - 1))
    at = 0
    for cards, size in COLUMNS:
        if cards["TFORM"].endswith("A"):
            body[:, at : at + size] = random.choice(list(b"ab "), (rows, size))
        elif cards["TFORM"] == "L":
            body[:, at] = random.choice(list(b"TF\0"), rows)
        elif cards["TTYPE"].endswith("lists"):
            body[:, at : at + size] = 0
        elif cards["TFORM"][-1] in "EDCM":
            number = ">f4" if cards["TFORM"][-1] in "EC" else ">f8"
            values = random.normal(size=(rows, size // np.dtype(number).itemsize)).astype(number)
            body[:, at : at + size] = np.frombuffer(values.tobytes(), "u1").reshape(rows, size)
        at += size
    content = table(width, rows, [cards for cards, _ in COLUMNS], body.tobytes(), ("EXTNAME", "T"))
    path = tmp_path / "table.fits"
    fields = ", ".join(f"{{name: {cards['TTYPE']}, datatype: int8}}" for cards, _ in COLUMNS)
    path.write_bytes(fits_file(content, text=f"data: {node('fits:T,1', f'[{rows}]', f'[{fields}]')}"))
    with fits.open(path) as opened, asdfkit.open(path) as file:
        found = file["data"][...]
        part = file["data"][3:40:5]
        for cards, _ in COLUMNS:
            name = cards["TTYPE"]
            if name.endswith("lists"):
                assert found[name].shape == (rows, 0) and not found[name + "_length"].any()
                continue
            if name == "bits":
                expected = np.asarray(opened["T"].data.view(np.ndarray)[name])
            else:
                expected = opened["T"].data[name]
            values = found[name]
            if expected.dtype.kind == "U":
                values = np.char.decode(values, "ascii")
            elif name != "signed":
                assert values.dtype == expected.dtype.newbyteorder("="), name
            np.testing.assert_array_equal(values, expected.reshape(values.shape), err_msg=name)
            np.testing.assert_array_equal(part[name], found[name][3:40:5], err_msg=name)
        np.testing.assert_array_equal(file["data"].field("uint")[...], opened["T"].data["uint"])


def test_lying_columns_are_typed_errors():
    for columns, card in (
        ([{"TFORM": "J"}, {"TFORM": "2D"}], "TFORM2"),
        ([{"TFORM": "4Z"}], "TFORM1"),
        ([{"TFORM": "99999999999999999999B"}], "TFORM1"),
        ([{"TFORM": "4294967295M"}], "TFORM1"),
        ([{}], "TFORM1"),
        ([{"TFORM": "4B", "TDIM": "(3,2)"}], "TDIM1"),
        ([{"TFORM": "4B", "TDIM": "(3;2)"}], "TDIM1"),
        ([{"TFORM": "4A", "TDIM": "(4294967295,4294967295,4294967295)"}], "TDIM1"),
        ([{"TFORM": "2I", "TSCAL": "x"}], "TSCAL1"),
    ):
        content = table(4, 2, columns, bytes(8), ("EXTNAME", "T"))
        with asdfkit.open(fits_file(content, text=f"data: {node('fits:T,1')}")) as file:
            status, message = status_of(lambda: file["data"])
        assert status == Status.FITS_HEADER and f"HDU 1: {card} " in message and "byte " in message, message
    spare = table(6, 2, [{"TTYPE": "a", "TFORM": "2I"}], bytes(range(12)), ("EXTNAME", "T"))
    text = f"data: {node('fits:T,1', '[2]', '[{name: a, datatype: int16, shape: [2]}]')}"
    with asdfkit.open(fits_file(spare, text=text)) as file:
        assert file["data"][...]["a"].tolist() == [[1, 0x203], [0x607, 0x809]]
        assert not file.report()


def test_all_forms_of_the_asdf_hdu_are_read(tmp_path):
    raw = np.arange(6, dtype="i2").reshape(2, 3)
    path = tmp_path / "image.fits"
    text = f"a: 1\ndata: {node('fits:SCI,1', '[2, 3]', 'int16')}"
    for form in ("table", "image", "own"):
        whole = fits_file(image(raw), text=text, form=form)
        for content in (whole, whole.rstrip(b"\0"), gzip.compress(whole)):
            path.write_bytes(content)
            with asdfkit.open(path) as file:
                assert file["a"] == 1
                np.testing.assert_array_equal(file["data"][...], raw)
                assert not file.report()
    content = tree("a: 5")
    primary = [("SIMPLE", True), ("BITPIX", 8), ("NAXIS", 1), ("NAXIS1", len(content)), ("EXTNAME", "ASDF")]
    with asdfkit.open(hdu(primary, content)) as file:
        assert file["a"] == 5


def test_hdus_are_found_by_name_version_and_number():
    numbers = [np.array([number], "u1") for number in range(6)]
    names = [("SCI", 1), ("SCI", 2), ("A,B 7", 1), ("sci ", 3), ("PRIMARY", 2)]
    hdus = [image(numbers[i], ("EXTVER", version), name=name) for i, (name, version) in enumerate(names)]
    sources = {"fits:SCI,1": 0, "fits:sci,2": 1, "fits:A,B 7,1": 2, "fits:SCI,3": 3, "fits:PRIMARY,2": 4, "fits:3": 2}
    text = "\n".join(f"- {node(source, datatype='uint8')}" for source in sources)
    text = f"list:\n{text}\n" + "\n".join(
        f"bad{i}: {node(source)}"
        for i, source in enumerate(
            ["fits:SCI,4", "fits:NONE,1", "fits:99", "fits:PRIMARY,1", "fits:SCI", "fits:SCI,1x", "fits:,1"]
        )
    )
    with asdfkit.open(fits_file(*hdus, text=text)) as file:
        assert [int(array[0]) for array in file["list"]] == list(sources.values())
        found = [status_of(lambda i=i: file[f"bad{i}"][...]) for i in range(7)]
        assert [status for status, _ in found[:3]] == [Status.HDU_NOT_FOUND] * 3
        assert "/bad1" in found[1][1] and "'fits:NONE,1'" in found[1][1]
        assert [status for status, _ in found[3:]] == [Status.BAD_ARRAY] * 4
        assert "HDU 0" in found[3][1] and "no data" in found[3][1]


def test_the_hdu_decides_and_a_difference_is_a_warning():
    raw = np.arange(6, dtype="i2").reshape(2, 3)
    for shape, datatype, count in (("[2, 3]", "int16", 0), ("[6]", "int16", 1), ("[3, 2]", "float64", 2)):
        with asdfkit.open(fits_file(image(raw), text=f"data: {node('fits:SCI,1', shape, datatype)}")) as file:
            np.testing.assert_array_equal(file["data"][...], raw)
            assert len(file.report()) == count
    scaled = image(raw, ("BSCALE", 2.0))
    for datatype in ("int16", "float32"):
        with asdfkit.open(fits_file(scaled, text=f"data: {node('fits:SCI,1', '[2, 3]', datatype)}")) as file:
            np.testing.assert_array_equal(file["data"][...], raw * 2.0)
            assert not file.report()


def test_views_and_chunks_show_stored_elements_only(tmp_path):
    raw = np.arange(6, dtype="u1").reshape(2, 3)
    path = tmp_path / "image.fits"
    text = f"plain: {node('fits:SCI,1', '[2, 3]', 'uint8')}\nscaled: {node('fits:ERR,1', '[2, 3]', 'uint8')}"
    path.write_bytes(fits_file(image(raw), image(raw, ("BSCALE", 2.0), name="ERR"), text=text))
    with asdfkit.open(path) as file:
        np.testing.assert_array_equal(file["plain"].view(), raw)
        assert status_of(file["scaled"].view)[0] == Status.NOT_VIEWABLE


def test_damaged_files_are_typed_errors_with_hdu_and_card():
    def opened(*hdus):
        with asdfkit.open(fits_file(*hdus, text=f"data: {node('fits:1')}")) as file:
            return file["data"][...]

    def changed(cards):
        return hdu([("XTENSION", "IMAGE"), *cards, ("PCOUNT", 0), ("GCOUNT", 1)])

    size = [("NAXIS1", 4)]
    cases = [
        ([("BITPIX", 12), ("NAXIS", 1), *size], Status.FITS_HEADER, "HDU 1: BITPIX is 12"),
        ([("NAXIS", 1), *size], Status.FITS_HEADER, "BITPIX is missing"),
        ([("BITPIX", 8), ("NAXIS", 2), *size], Status.FITS_HEADER, "NAXIS2 is missing"),
        ([("BITPIX", 8), ("NAXIS", -1)], Status.FITS_HEADER, "NAXIS is -1"),
        ([("BITPIX", 8), ("NAXIS", 1), ("NAXIS1", "x")], Status.FITS_HEADER, "NAXIS1 is not an integer"),
        ([("BITPIX", 64), ("NAXIS", 3), *((f"NAXIS{i}", 2**40) for i in (1, 2, 3))], Status.FITS_HEADER, "2^63"),
        ([("BITPIX", 8), ("NAXIS", 1), ("NAXIS1", 2**62)], Status.TRUNCATED, "HDU 1"),
    ]
    for cards, status, message in cases:
        found = status_of(opened, changed(cards))
        assert found[0] == status and message in found[1] and "byte " in found[1], found
    without_end = hdu([("XTENSION", "IMAGE"), ("BITPIX", 8), ("NAXIS", 0)]).replace(b"END", b"   ")
    found = status_of(opened, without_end)
    assert found[0] == Status.FITS_HEADER and "byte 5760: the header of HDU 1 has no card END" in found[1], found
    found = status_of(asdfkit.open, hdu(PRIMARY).replace(b"END", b"   "))
    assert found[0] == Status.TRUNCATED and "byte 2880: the header of HDU 0 has no card END" in found[1], found
    found = status_of(asdfkit.open, hdu(PRIMARY) + image(np.arange(3, dtype="i2")))
    assert found[0] == Status.NOT_ASDF and "FITS" in found[1]
    whole = fits_file(text="a: 1")
    found = status_of(asdfkit.open, whole[: len(whole) - 2880 + 20])
    assert found[0] == Status.TRUNCATED and "HDU 1 ('ASDF', 1)" in found[1] and "byte 5780" in found[1], found
    compressed = [("ZIMAGE", True), ("ZCMPTYPE", "RICE_1"), ("ZBITPIX", 16), ("ZNAXIS", 1), ("ZNAXIS1", 3)]
    found = status_of(opened, table(8, 1, [{"TFORM": "1PB(0)"}], bytes(8), *compressed))
    assert found[0] == Status.UNSUPPORTED and "compressed" in found[1]
    found = status_of(opened, table(8, 1, [{"TFORM": "1PB(0)"}], bytes(8), compressed[0]))
    assert found[0] == Status.FITS_HEADER and "HDU 1: ZBITPIX is missing" in found[1]
    # Damage behind the ASDF HDU is a warning, and an error of the array.
    content = hdu(PRIMARY) + asdf_hdu(tree(f"a: 1\ndata: {node('fits:SCI,1')}")) + image(np.zeros(4000, "u1"))[:-4000]
    with asdfkit.open(content) as file:
        assert file["a"] == 1 and len(file.report()) == 1
        assert status_of(lambda: file["data"][...])[0] == Status.TRUNCATED
        assert any("HDU" in finding.message for finding in file.inspect())
