"""Units: astropy parses, prints and converts random texts, and all units that it knows, as the library does.

ASDFKIT_UNITS sets the number of random texts, ASDFKIT_UNITS_SEED another seed.
"""

import math
import os
import tempfile
import unittest
import warnings
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_size_t, c_void_p, create_string_buffer
from pathlib import Path

import asdf
import astropy.units as u
from asdfkit_ctypes import TEXT_OUT, Error, call, library
from astropy.units.format import VOUnit
from unit_texts import NAMES, SPELLINGS, Texts

COUNT = int(os.environ.get("ASDFKIT_UNITS", "2000"))
SEED = int(os.environ.get("ASDFKIT_UNITS_SEED", "35"))

library.asdf_unit_format.argtypes = (c_char_p, c_int32, c_int32, *TEXT_OUT)
library.asdf_unit_kind.argtypes = (c_char_p, c_int32, POINTER(c_int32))
library.asdf_unit_convert.argtypes = (
    c_char_p, c_int32, c_char_p, c_int32, POINTER(c_double), c_size_t, c_void_p, POINTER(c_double), c_size_t,
)  # fmt: skip


def formatted(text: str, spelling: str, to: str) -> str | None:
    """Returns the text of the library in another spelling, or None if the spelling has none."""
    buffer, needed = create_string_buffer(4096), c_size_t()
    numbers = SPELLINGS.index(spelling), SPELLINGS.index(to)
    try:
        call("asdf_unit_format", text.encode(), *numbers, buffer, len(buffer), byref(needed))
    except Error as problem:
        assert problem.status == "ASDF_ERR_UNITS", problem
        return None
    return buffer.raw[: needed.value].decode()


def is_known(text: str, spelling: str) -> bool:
    kind = c_int32(-1)
    call("asdf_unit_kind", text.encode(), SPELLINGS.index(spelling), byref(kind))
    return kind.value != 0


def converted(text: str, to: str, spelling: str, value: float) -> float | None:
    """Returns a value of the library in another unit, or None if the units are not commensurable."""
    number, values, out = SPELLINGS.index(spelling), (c_double * 1)(value), (c_double * 1)()
    try:
        call("asdf_unit_convert", text.encode(), number, to.encode(), number, values, 1, None, out, 1)
    except Error as problem:
        assert problem.status == "ASDF_ERR_UNITS", problem
        return None
    return out[0]


def of_astropy(text: str, spelling: str):
    """Returns the unit of astropy, or None if it refuses the text."""
    VOUnit._custom_units.clear()
    try:
        unit = u.Unit(text, format=spelling)
    except Exception:
        return None
    return unit if unit is not None and not isinstance(unit, u.StructuredUnit) else None


def printed(unit, spelling: str) -> str | None:
    try:
        return unit.to_string(format=spelling)
    except Exception:
        return None


def is_extreme(unit) -> bool:
    """Whether the scale of a unit, or of its parts, is so large or small that astropy fails on the way, or complex."""
    try:
        physical = getattr(unit, "physical_unit", unit)
        scales = [physical.scale, physical.decompose().scale]
        scales += [(base.decompose().scale ** float(power)) for base, power in zip(physical.bases, physical.powers)]
        return any(isinstance(scale, complex) or not 1e-150 < abs(scale) < 1e150 for scale in scales)
    except Exception:
        return True


def is_nearly_power_of_ten(unit) -> bool:
    """Whether it depends on the rounding of NumPy's logarithm if astropy takes the scale for a power of ten."""
    scale = getattr(unit, "physical_unit", unit).decompose().scale
    exponent = round(math.log10(scale)) if scale > 0 else 0
    if scale != float(f"1e{exponent}") and abs(scale / float(f"1e{exponent}") - 1) < 1e-13:
        return True
    try:
        unit.to_string("fits")
    except Exception as problem:
        # The product of the factors of the units that FITS knows is off by a last place.
        return "Multiply your data by 1.000000e" in str(problem)
    return False


#: Units of quantities, in the spelling of astropy.
QUANTITIES = (
    "", "m", "km", "km / s", "m / s2", "erg / (Angstrom s cm2)", "erg / (Hz s cm2)", "Jy", "uJy", "mJy / beam", "MJy / sr",
    "deg", "arcsec", "mas", "uas", "hourangle", "rad", "ct", "ct / s", "photon", "electron", "electron / s", "DN", "DN / s",
    "adu", "pix", "pix / s", "%", "K", "deg_C", "eV", "keV", "micron", "Angstrom", "nm", "1 / cm", "1 / s", "Hz", "GHz",
    "d", "yr", "Msun", "Lsun", "solMass / yr", "pc", "kpc", "km / (Mpc s)", "mag", "dex", "dB", "mag(AB)", "mag(ST)",
    "mag(ct / s)", "dex(cm / s2)", "dB(W)", "m(3/2)", "1e-17 erg / s", "10 m", "mag / arcsec2",
)  # fmt: skip


def is_linear(unit) -> bool:
    return isinstance(unit, u.UnitBase)


def tags_of(path: Path) -> dict[str, str]:
    """Returns the tags of the units of quantities at the root of a file."""
    with asdf.open(path, _force_raw_types=True) as file:
        units = {name: node["unit"] for name, node in file.tree.items() if name.startswith("q")}
        return {name: getattr(unit, "_tag", None) for name, unit in units.items()}


class Units(unittest.TestCase):
    def setUp(self):
        quiet = warnings.catch_warnings()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def check_texts(self, text: str, spelling: str, unit) -> None:
        for to in SPELLINGS:
            if to == "fits" and is_nearly_power_of_ten(unit):
                continue
            self.assertEqual(formatted(text, spelling, to), printed(unit, to), (spelling, text, to))

    def check_factors(self, text: str, to: str, spelling: str) -> None:
        """Compares the factors of two units of astropy; powers of ten are exact here."""
        try:
            expected = float(of_astropy(text, spelling).to(of_astropy(to, spelling), 2.5))
        except Exception:
            expected = None
        found = converted(text, to, spelling, 2.5)
        if expected is None or found is None:
            self.assertEqual(found, expected, (spelling, text, to))
            return
        if math.isfinite(expected):
            ratio = found / 2.5
            is_power_of_ten = ratio > 0 and float(f"1e{round(math.log10(ratio))}") == ratio
            is_log = "mag(" in text or "dB(" in text or "dex(" in text
            bound = 100 if is_power_of_ten else 30 if is_log else 1
            self.assertLessEqual(
                abs(found - expected), bound * math.ulp(expected), (spelling, text, to, found, expected)
            )

    def test_all_units_of_astropy(self):
        for spelling in SPELLINGS:
            for name in sorted(set(NAMES[spelling])):
                unit = of_astropy(name, spelling)
                self.check_texts(name, spelling, unit)
                if spelling == "generic":
                    base = unit.decompose().to_string()
                    self.check_factors(name, base, spelling)
                    self.check_factors(base, name, spelling)

    def test_random_texts(self):
        texts, accepted = Texts(SEED), []
        for number in range(COUNT):
            spelling, text = texts.case() if number % 3 else texts.other_case()
            unit = of_astropy(text, spelling)
            if unit is None:
                # A text that is no unit in its spelling may be one in another.
                others = [of_astropy(text, other) for other in SPELLINGS]
                if all(other is None for other in others) and is_known(text, spelling):
                    self.fail((spelling, text))
            elif not is_extreme(unit):
                self.check_texts(text, spelling, unit)
                accepted.append((spelling, text, unit))
        self.assertGreater(len(accepted), COUNT // 3)
        for spelling, text, unit in accepted:
            if spelling == "generic":
                base = unit.decompose().to_string()
                if of_astropy(base, spelling) is not None:
                    self.check_factors(text, base, spelling)
                    self.check_factors(base, text, spelling)

    def test_quantities_have_the_units_of_asdf_astropy(self):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = Path(folder) / "ours.asdf", Path(folder) / "theirs.asdf"
            file, root = c_void_p(), c_void_p()
            call("asdf_file_new", None, byref(file))
            call("asdf_file_root", file, byref(root))
            for number, text in enumerate(QUANTITIES):
                path = f"q{number}".encode()
                call("asdf_node_set_f64", root, path + b"/value", c_double(1.5))
                call("asdf_node_set_quantity", root, path, text.encode(), c_size_t(len(text.encode())))
            call("asdf_file_write", file, str(ours).encode(), None)
            library.asdf_node_free(root)
            library.asdf_file_free(file)
            units = {f"q{number}": u.Unit(text) for number, text in enumerate(QUANTITIES)}
            asdf.AsdfFile({name: 1.5 * unit for name, unit in units.items() if is_linear(unit)}).write_to(theirs)
            VOUnit._custom_units.clear()
            with asdf.open(ours) as found:
                for name, unit in units.items():
                    # asdf-astropy reads no quantities whose unit is a logarithm, but the unit itself.
                    node = found[name]
                    self.assertEqual(node.unit if isinstance(node, u.Quantity) else node["unit"], unit, (name, unit))
            tags = [tags_of(path) for path in (ours, theirs)]
            for name, tag in tags[1].items():
                self.assertEqual(tags[0][name], tag, (name, units[name]))

    def test_texts_that_are_no_units_are_kept(self):
        for text in ("furlongs per fortnight", "m s^^2", "erg/", "''", "flux [Jy]", "unité"):
            for spelling in SPELLINGS:
                self.assertFalse(is_known(text, spelling), text)
                for to in SPELLINGS:
                    self.assertEqual(formatted(text, spelling, to), text)


if __name__ == "__main__":
    unittest.main()
