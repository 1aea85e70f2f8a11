"""Arrays and columns that are read in another unit: astropy converts the same numbers."""

import io
import os
import random
from fractions import Fraction

import asdf
import astropy.units as u
import numpy as np
import pytest

import asdfkit
from asdfkit import errors

COUNT = int(os.environ.get("ASDFKIT_UNIT_READS", "400"))
GROUPS = (
    ("m", "km", "cm", "mm", "um", "nm", "Angstrom", "AU", "pc", "kpc", "lyr", "R_sun"),
    ("s", "ms", "us", "min", "h", "d", "yr", "wk"),
    ("deg", "arcmin", "arcsec", "mas", "rad", "hourangle", "urad"),
    ("Jy", "mJy", "uJy", "erg / (s cm2 Hz)", "W / (m2 Hz)", "MJy"),
    ("km / s", "m / s", "km / h", "cm / s", "AU / d", "pc / yr"),
    ("J", "eV", "keV", "erg", "kg m2 / s2", "W h"),
    ("%", "", "1e-6"),
    ("MJy / sr", "Jy / arcsec2", "mJy / arcsec2"),
    ("electron / s", "electron / min", "electron / h"),
    ("kg", "g", "M_sun", "mg", "u"),
)
NUMBERS = "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()
#: Relative error of a conversion: a rounding error of the factor, one of the product, and that of the result.
ERRORS = {"f2": 2.0**-10, "f4": 2.0**-23, "f8": 2.0**-51, "c8": 2.0**-23, "c16": 2.0**-51}


def numbers(choose, dtype, shape):
    size = int(np.prod(shape))
    if dtype[0] in "iu":
        most = min(np.iinfo(dtype).max, 2**53)
        values = [choose.choice([0, 1, 2, 5, 60, 100, most, choose.randrange(most)]) for _ in range(size)]
        values = [-value if dtype[0] == "i" and choose.random() < 0.5 else value for value in values]
    else:
        values = [choose.choice([0.0, -0.0, 1.0, choose.uniform(-9, 9), choose.uniform(-9, 9)]) for _ in range(size)]
        if dtype[0] == "c":
            values = [complex(value, choose.uniform(-9, 9)) for value in values]
    return np.array(values, dtype=dtype).reshape(shape)


def exact(values, factor, dtype):
    """The integers of the conversion; None if one is not an integer of the type. `factor` is a fraction."""
    found = [int(value) * factor for value in values.flat]
    limits = np.iinfo(dtype)
    if any(value.denominator != 1 or not limits.min <= value <= limits.max for value in found):
        return None
    return np.array([int(value) for value in found], dtype).reshape(values.shape)


def small_fraction(factor):
    """The fraction that a factor between units stands for; None if it stands for none."""
    for limit in (10, 1000, 100_000):
        near = Fraction(max(factor, 1 / factor)).limit_denominator(limit)
        candidate = near if factor >= 1 else 1 / near
        if abs(float(candidate) / factor - 1) < 4e-16:
            return candidate
    return None


@pytest.mark.parametrize("block", range(8))
def test_arrays_of_quantities(block):
    for seed in range(block, COUNT, 8):
        choose = random.Random(seed)
        group = choose.choice(GROUPS)
        unit, to = u.Unit(choose.choice(group)), u.Unit(choose.choice(group))
        stored, wanted = choose.choice(NUMBERS), choose.choice(NUMBERS)
        shape = choose.choice([(5,), (2, 3), (3, 2, 2), (1000,)])
        values = numbers(choose, stored, shape)
        missing = np.array([choose.random() < 0.3 for _ in range(values.size)]).reshape(shape)
        is_masked = choose.random() < 0.3
        order = choose.choice("<>")
        file = asdfkit.new()
        array = np.ma.MaskedArray(values, missing) if is_masked else values
        file["q"] = asdfkit.Quantity(array, str(unit))
        if not is_masked and choose.random() < 0.5:
            # asdf-astropy keeps integers only in quantities of their dtype.
            quantity = u.Quantity(values.astype(values.dtype.newbyteorder(order)), unit, dtype=f"{order}{stored}")
            target = io.BytesIO()
            asdf.AsdfFile({"q": quantity}).write_to(target, all_array_compression=choose.choice([None, "zlib"]))
            file = asdfkit.open(io.BytesIO(target.getvalue()))
        index = tuple(choose.choice([slice(None), slice(0, 2), slice(None, None, -1)]) for _ in shape)
        here = (seed, str(unit), str(to), stored, wanted)
        check(file["q/value"], values, missing if is_masked else None, (unit, to), wanted, index, choose, here)


def spelled(unit, spelling):
    try:
        return unit.to_string(spelling)
    except ValueError:
        return str(unit)


def check(array, values, missing, units, wanted, index, choose, here):
    values = values[index]
    keep = np.ones(values.shape, bool) if missing is None else ~missing[index]
    text = spelled(units[1], choose.choice(["generic", "vounit", "fits"]))
    options = {"dtype": wanted, "unit": text, "threads": choose.choice([1, 3])}

    def read():
        return array.read(index, **options)

    factor = units[0].to(units[1])
    if values.dtype.kind == "c" and wanted[0] != "c":
        if np.any(values.imag[keep] * factor):
            pytest.raises(errors.ArrayError, read)
        return
    if values.dtype.kind in "iu" and wanted[0] in "iu":
        fraction = small_fraction(factor)
        expected = exact(values[keep], fraction, wanted) if fraction else None
        if expected is None and np.any(values[keep]):
            pytest.raises(errors.ArrayError, read)
        elif expected is not None:
            assert np.array_equal(np.asarray(read())[keep], expected), here
        return
    wide = values.astype("c16" if values.dtype.kind == "c" else "f8")
    expected = (wide * units[0]).to_value(units[1])
    if wanted[0] in "iu":
        rounded = np.rint(expected)
        with np.errstate(invalid="ignore"):
            fits = np.all(rounded[keep] == rounded[keep].astype(wanted))
        if fits and np.all(rounded[keep] == expected[keep]):
            # A number that astropy finds to be an integer may be off by a rounding error here, and the reverse.
            return
        pytest.raises(errors.ArrayError, read) if np.any(abs(rounded - expected)[keep] > 1e-6) else None
        return
    with np.errstate(over="ignore"):
        narrow = expected.astype(wanted)
    if not np.all(np.isfinite(narrow[keep])):
        pytest.raises(errors.ArrayError, read)
        return
    found = read()
    assert isinstance(found, np.ma.MaskedArray) == (missing is not None), here
    if missing is not None:
        assert np.array_equal(np.ma.getmaskarray(found), missing[index]), here
    smallest = {"f2": 2.0**-24, "f4": 2.0**-149, "c8": 2.0**-149}.get(wanted, 0.0)
    difference = abs(np.asarray(found)[keep].astype("c16") - expected[keep])
    assert np.all(difference <= ERRORS[wanted] * abs(expected[keep]) + smallest), here


def test_an_array_without_a_dtype_has_floats():
    file = asdfkit.new()
    file["q"] = asdfkit.Quantity(np.array([1, 2], "i2"), "km")
    array = file["q/value"]
    assert array.unit == "km"
    assert array.read(unit="m").dtype == np.float64 and array.read(unit="m").tolist() == [1000, 2000]
    assert array.read(0, unit="Mm") == 0.001
    assert array.read(unit="m", dtype="i2").tolist() == [1000, 2000]
    out = np.zeros(2, "f4")
    assert array.read(unit="cm", out=out) is out and out.tolist() == [1e5, 2e5]
    assert array.read(unit="Hz", equivalencies="spectral")[0] == pytest.approx(299792.458)
    with pytest.raises(errors.ArrayError, match=r"becomes 0\.001"):
        array.read(unit="Mm", dtype="i2")
    with pytest.raises(errors.AsdfError, match="cannot convert 'km' to 's'"):
        array.read(unit="s")
    file["plain"] = np.array([1.0])
    assert file["plain"].unit is None
    with pytest.raises(errors.AsdfError, match="no unit"):
        file["plain"].read(unit="s")


def test_quantities_are_converted():
    file = asdfkit.new()
    file["number"] = asdfkit.Quantity(180.0, "deg")
    file["array"] = asdfkit.Quantity(np.array([1, 2]), "km")
    assert asdfkit.Quantity(180.0, "deg").to("arcmin") == asdfkit.Quantity(10800.0, "arcmin")
    assert asdfkit.Quantity(np.array([1, 2]), "km").to("m").value.tolist() == [1000, 2000]
    assert asdfkit.Quantity(file["array/value"], "km").to("m").value.tolist() == [1000, 2000]
    with pytest.raises(errors.AsdfError, match="not commensurable"):
        asdfkit.Quantity(180.0, "deg").to("m")


@pytest.mark.parametrize("seed", range(40))
def test_columns(seed):
    choose = random.Random(seed)
    group = choose.choice(GROUPS)
    unit, to = u.Unit(choose.choice(group)), u.Unit(choose.choice(group))
    stored = choose.choice([name for name in NUMBERS if name[0] != "c"])
    values = numbers(choose, stored, choose.choice([(5,), (4, 3)]))
    expected = (values.astype("f8") * unit).to_value(to)
    table = asdfkit.Table({"a": values, "b": values}, units={"a": str(unit)})
    found = table.columns["a"].read(unit=str(to), dtype="f8")
    assert np.all(abs(found - expected) <= ERRORS["f8"] * abs(expected))
    with np.errstate(over="ignore"):
        narrow = expected.astype(stored if stored[0] == "f" else "f8")
    if not np.all(np.isfinite(narrow)):
        pytest.raises(errors.ArrayError, table.columns["a"].convert, str(to))
        return
    table.columns["a"].convert(str(to))
    column = table.columns["a"]
    assert u.Unit(column.unit) == to
    result = column.read()
    if unit != to:
        assert result.dtype == (np.dtype(stored) if stored[0] == "f" else np.float64)
    error = ERRORS[result.dtype.str[1:]] if result.dtype.kind == "f" else 0
    assert np.all(abs(result.astype("f8") - expected) <= error * abs(expected) + 2.0**-24)
    with pytest.raises(errors.AsdfError, match="no unit"):
        table.columns["b"].convert("m")


def test_logarithms():
    table = asdfkit.Table(
        {"mag": [20.0, 23.9], "gravity": [4.0, 2.5]}, units={"mag": "mag(AB)", "gravity": "dex(cm/s2)"}
    )
    flux = (np.array([20.0, 23.9]) * u.ABmag).to_value(u.uJy)
    assert table.columns["mag"].read(unit="uJy") == pytest.approx(flux, rel=1e-14)
    gravity = u.Dex([4.0, 2.5], u.dex(u.cm / u.s**2)).to_value(u.m / u.s**2)
    assert table.columns["gravity"].read(unit="m / s2") == pytest.approx(gravity, rel=1e-14)
    table.columns["mag"].convert("uJy")
    table.columns["mag"].convert("mag(AB)")
    assert table["mag"] == pytest.approx([20.0, 23.9], rel=1e-14)


def test_columns_of_an_ecsv_file_are_read_in_other_units(tmp_path):
    path = tmp_path / "t.ecsv"
    asdfkit.Table({"d": [1.0, 2.0], "n": [1, 2]}, units={"d": "km"}).write_ecsv(path)
    table = asdfkit.read_ecsv(path, units={"d": "m"})
    assert table["d"].tolist() == [1000.0, 2000.0] and table.columns["d"].unit == "m" and table["n"].tolist() == [1, 2]
    with pytest.raises(errors.ArrayError, match="column 'd': cannot convert 'km' to 's'"):
        asdfkit.read_ecsv(path, units={"d": "s"})
    with pytest.raises(errors.NotFoundError, match="'e'"):
        asdfkit.read_ecsv(path, units={"e": "m"})
    with pytest.raises(ValueError, match="in each batch"):
        asdfkit.read_ecsv(path, units={"d": "m"}, batches=True)
