"""Messages in the terms of Python: keywords instead of constants of C, one suggestion, what to do."""

import subprocess
import sys

import numpy as np
import pytest
from astropy import units
from astropy.io import fits

import asdfkit


@pytest.fixture
def path(tmp_path):
    name = tmp_path / "image.asdf"
    masked = np.ma.array([1, 2, 3], mask=[0, 1, 0])
    asdfkit.new({"masked": masked, "data": np.zeros((4, 5))}).write(name)
    return name


def message_of(call, *arguments, **options):
    with pytest.raises(Exception) as caught:
        call(*arguments, **options)
    message = str(caught.value)
    assert "ASDF_" not in message and "asdf_" not in message, message
    return message


def test_options_have_the_names_of_keywords(path):
    file = asdfkit.open(path)
    assert message_of(file.write, path).endswith("the file exists; set the option 'replace' to replace it")
    assert "for the option 'threads'; it takes an integer 1 .. 1024" in message_of(file["data"].read, threads=-1)
    assert "the option 'limit_nodes' raises it" in message_of(asdfkit.open, path, limit_nodes=1)
    assert "the option 'level' is set without the option 'codec'" in message_of(
        asdfkit.new().set, "x", np.zeros(3), level=3
    )


def test_a_file_for_reading_is_not_changed(path):
    file = asdfkit.open(path)
    for change in (file.save, lambda: file.__setitem__("x", 1), lambda: file["data"].__setitem__(0, 1)):
        assert "open it with the mode 'r+'" in message_of(change)


def test_a_mask_names_the_ways_to_read(path):
    masked = asdfkit.open(path)["masked"]
    for call in (masked.view, lambda: np.asarray(masked), lambda: masked.read(out=np.zeros(3))):
        assert "read(fill=...) replaces missing elements" in message_of(call)
    assert masked.read(fill=9).tolist() == [1, 9, 3] and masked.without_mask()[...].tolist() == [1, 2, 3]


def test_a_wrong_option_has_one_suggestion(path):
    file = asdfkit.open(path)
    assert message_of(file.write, path, overwrite=True) == "unknown option 'overwrite'; did you mean 'replace'?"
    wrong = message_of(file.write, path, compression="zlib")
    assert wrong == "this call has no option 'compression'; 'compression' is an option of file.set(path, array)"
    assert "This call knows alignment, as_standard" in message_of(file.write, path, qwerty=1)
    new = asdfkit.new()
    assert "create_array() takes it" in message_of(new.set, "x", np.zeros(3), maxshape=(None,))
    assert "create_array() takes chunks=True" in message_of(new.set, "x", np.zeros(3), chunks=True)
    assert "takes an integer, not str" in message_of(new.set, "x", np.zeros(3), chunks=("a",))


def test_constants_are_found_by_one_rule(path):
    file = asdfkit.open(path, "r+")
    for call, arguments in (
        (asdfkit.units.kind, ("m", "fitz")),
        (asdfkit.ndl.describe(file).export, ("jsonn",)),
        (file.set_comment, ("data", "x", "beside")),
        (file["data"].set_storage, ("inlin",)),
    ):
        assert " is one of '" in message_of(call, *arguments)
    file["data"].set_storage("INLINE")
    assert file["data"].is_inline


def test_a_refused_resize_leaves_a_file_that_can_be_saved(path):
    with asdfkit.open(path, "r+") as file:
        message_of(file["data"].resize, (-1, 5))
        message_of(file["data"].resize, (1, 2, 3))
        file["x"] = 1
        file.save()
    assert asdfkit.open(path)["x"] == 1 and asdfkit.open(path)["data"].shape == (4, 5)


def test_elements_have_no_paths(path):
    assert "the array has no key '0'; its elements are read by regions" in message_of(asdfkit.open(path).node, "data/0")


def test_values_are_found_as_in_lists_and_arrays():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    file = asdfkit.new({"list": [1, 2], "array": np.array([[1, 2], [3, 4]]), "masked": masked, "text": np.array(["a"])})
    assert message_of(file["list"].remove, 99) == "99 is not in the list '/list'"
    assert 4 in file["array"] and 5 not in file["array"] and "a" in file["text"] and "b" not in file["text"]
    assert 4 in file["masked"] and 2 not in file["masked"] and file["list"].index(2) == 1
    assert "the mapping has no integer key '0'" in message_of(asdfkit.new({"d": {"a": 1}})["d"].__getitem__, 0)


def test_columns_of_tables():
    assert "'a' 2, 'b' 3" in message_of(asdfkit.Table, {"a": [1, 2], "b": [1, 2, 3]})
    assert "one type, not several: int, str" in message_of(asdfkit.Table, {"a": [1, "x"]})
    table = asdfkit.Table({"a": [1, 2]})
    assert message_of(table.__getitem__, np.array([True])) == "the mask has 1 elements, and the table 2 rows"
    for row, advice in ((-1, "table[-1:]"), (-2, "table[-2:-1]"), (0, "table[0:1]")):
        assert f"{advice} is a table of one row, and table[{row}, name] a cell" in message_of(table.__getitem__, row)
        assert len(eval(advice, {"table": table})) == 1
    assert "column 'a' of int64: 'x' cannot be stored" in message_of(table.__setitem__, (0, "a"), "x")
    assert "table[rows, name] = values" in message_of(table.__setitem__, 0, 5)
    assert "a number or a slice, not str" in message_of(table.__setitem__, ("a", "a"), 5)
    assert "one unit, not several: 'km', 'm'" in message_of(asdfkit.Table, {"a": [1 * units.m, 2 * units.km]})
    assert "one unit, not several: 'm', none" in message_of(asdfkit.Table, {"a": [1 * units.m, 2.5]})


def test_a_mask_names_the_ways_to_write(path):
    with asdfkit.open(path, "r+") as file:
        masked = file["masked"]
        for value in (5, np.ma.masked):
            message = message_of(masked.__setitem__, 1, value)
            assert "without_mask()[index] = value" in message and "file[path + '/mask'][index] = " in message
        # What the messages advise.
        masked.without_mask()[1] = 5
        file["masked/mask"][1] = False
        file["masked/mask"][0] = True
        file.save()
    assert asdfkit.open(path)["masked"][...].tolist() == [None, 5, 3]


def test_other_files_and_names(tmp_path):
    assert "asdfkit.open(path) opens a file" in message_of(asdfkit.File, "image.asdf")
    fits.PrimaryHDU(np.zeros((2, 2))).writeto(tmp_path / "image.fits")
    assert "asdfkit.formats.open_fits() reads other FITS files" in message_of(asdfkit.open, tmp_path / "image.fits")
    assert "has no attribute 'nothing'" in message_of(getattr, asdfkit, "nothing")
    code = "import asdfkit; print('formats' in dir(asdfkit), asdfkit.formats.open_fits.__name__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True open_fits\n"


def test_times_of_numpy_have_an_advice():
    file = asdfkit.new()
    time = np.datetime64("2027-01-31T04:05:06.5")
    for value in (time, np.array([time])):
        assert "file.set_times(path, times)" in message_of(file.__setitem__, "x", value)
    file.set_times("x", time)
    assert file.times("x") == time


def test_views_of_a_mapping_show_keys():
    tree = asdfkit.new({"m": {"a/b": [1], "c": {"d": 1}}})["m"]
    assert repr(tree.keys()) == "Keys([Key('a/b'), 'c'])" and tree.keys() & {"c", "d"} == {"c"}
    assert repr(tree.values()) == "<Values of [Key('a/b'), 'c']>" and repr(tree.items()).startswith("<Items of")
