"""Random texts of units in all spellings, from a grammar that makes right and wrong ones."""

import random

from astropy.units.core import get_current_unit_registry
from astropy.units.format import CDS, FITS, VOUnit

SPELLINGS = ("generic", "vounit", "fits", "cds")

NAMES = {
    "generic": list(get_current_unit_registry().registry),
    "vounit": list(VOUnit._units),
    "fits": list(FITS._units),
    "cds": list(CDS._units),
}

COMMON = (
    "m s kg K Hz J W erg Jy ct adu DN electron pix deg arcsec rad sr km cm mm um nm Angstrom mag dB dex % AB ST ph eV "
    "keV yr d h min Msun solLum pc Mpc kpc uJy mJy M_sun beam bit byte"
).split()
STRANGE = ["foo", "bogus", "'foo'", "k'foo'", "furlong", "x", "°", "µm", "Ω", "Å", "L☉", "m²", "s⁻¹"]
#: Texts of files and of people, also wrong ones.
OTHERS = """
km/s | erg s^-1 cm^-2 A^-1 | erg/s/cm**2/Angstrom | 10^-17 erg/(s cm^2 A) | W m-2 um-1 | mas/yr | m.s-1 | Jy/beam |
counts/s | photons s-1 | log(m) | 1e-17erg/s/cm2 | days | deg C | degF | µJy | Å | L_sun | M_jup | R_earth | pc^3 |
km s^{-1} | (km/s)/Mpc | mag/arcsec^2 | sqrt(Hz) | ppm | percent | %/d | unitless | None | - | n/a | e-/s | ADU | DN/s |
pix^2 | '' | ' | " | ° | ′ | ″ | K s | J/K | cm^-1 | 1/cm | gauss | kG | a | ha | dag | daa | [-] | dex(g) | mag(AB)/2 |
2 mag(AB) | mag(mag) | mag(1) | dB(mW) / m | dex(cm s**-2) | mag( AB ) | MAG(AB) | ABmag | STmag | M_bol | bol | bar |
psi | inch | cal | furlong | Ci | steradian | spat | littleh / Mpc | vox | Sun | Ry | mbarn | fm2 | kayser | P | eV/c2 |
5 c | G M_sun | hbar | sigma_sb | h-1 | erg / | m s^^2 | flux [Jy] | km·s⁻¹ | m²/s | Unit("m") | 1.5 10**-3 W
""".replace("\n", " ").split(" | ")
CDS_FACTORS = ["10+3", "10-3", "2", "1.5x10+3m", "0.1", "10", "3x10-2", "-2", "1.5×10-7", "12e3", "2e", "2x3+3"]
FACTORS = [
    "10", "10**3", "10^-3", "10**(-23)", "2", "1.5", "1e-3", "10-3", "10+6", "0.01", "5 10**3", "1.5 10-3", "-2",
    "2**3", "10(-3)", "2**(0.5)", "1e6", "3", "100", "123456789", "0.000012345", "10**(2.5)", "10**(1/2)", "7 2**(1/2)",
]  # fmt: skip
INTEGERS = [2, 3, 1, -1, -2, 4, 0, -3]
DECIMALS = ["0.5", "1.5", "-2.5", "0.333", "0.3333333333333333", "2", "-3", ".25", "2.", "1e-3"]


class Texts:
    """A source of random texts. The same seed gives the same texts."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def case(self) -> tuple[str, str]:
        """Returns a spelling and a text."""
        choose = self.random
        spelling = choose.choices(SPELLINGS, [5, 2, 2, 2])[0]
        kind = choose.random()
        if kind < 0.03:
            return spelling, f"{choose.choice(['mag', 'dB', 'dex'])}({self.unit(spelling, 1)})"
        if spelling == "cds" and kind < 0.1:
            return spelling, f"[{self.unit(spelling)}]"
        text = self.unit(spelling)
        if kind < 0.06:
            at = choose.randrange(len(text))
            text = text[:at] + choose.choice("()/*. 1m-+^%") + text[at + 1 :]
        return spelling, text

    def other_case(self) -> tuple[str, str]:
        """Returns a spelling and a text from elsewhere, often with a few characters changed."""
        choose = self.random
        spelling = choose.choice(SPELLINGS)
        kind = choose.random()
        if kind < 0.2:
            return spelling, choose.choice(OTHERS).strip() + choose.choice([" ", "/", "*", ".", "**", "·"]) + self.unit(
                spelling
            )
        text = choose.choice(OTHERS).strip() if kind < 0.7 else self.unit(spelling)
        for _ in range(choose.choice([0, 1, 1, 2])):
            at = choose.randrange(len(text) + 1)
            text = (
                text[:at] + choose.choice(" ./*^()[]+-0123456789kmnuGdahsJyÅ%'_") + text[at + choose.choice([0, 1]) :]
            )
        return spelling, text

    def unit(self, spelling: str, depth: int = 0) -> str:
        choose, is_cds = self.random, spelling == "cds"
        text = ""
        if choose.random() < 0.2:
            text = choose.choice(CDS_FACTORS if is_cds else FACTORS) + choose.choice([""] if is_cds else ["", " ", "*"])
        if choose.random() < 0.06:
            return f"{text}/{self.item(spelling, depth)}"
        text += self.product(spelling, depth)
        for _ in range(choose.choice([0, 0, 1, 1, 2])):
            text += choose.choice(["/"] if is_cds else ["/", " / "]) + self.product(spelling, depth)
        return text

    def product(self, spelling: str, depth: int) -> str:
        choose = self.random
        text = self.item(spelling, depth)
        for _ in range(choose.choice([0, 0, 1, 1, 2])):
            text += choose.choice([".", "*"] if spelling == "cds" else [" ", ".", "*", " * "])
            text += self.item(spelling, depth)
        if depth and choose.random() < 0.2:
            text += "/" + self.item(spelling, depth)
        return text

    def item(self, spelling: str, depth: int) -> str:
        choose, kind = self.random, self.random.random()
        if depth < 2 and kind < 0.12:
            return f"({self.product(spelling, depth + 1)})"
        if depth < 2 and kind < 0.15 and spelling != "cds":
            return f"{choose.choice(['sqrt', 'mag', 'dB', 'dex', 'ln'])}({self.unit(spelling, depth + 1)})"
        return self.name(spelling) + self.power(spelling)

    def name(self, spelling: str) -> str:
        kind = self.random.random()
        return self.random.choice(COMMON if kind < 0.5 else NAMES[spelling] if kind < 0.97 else STRANGE)

    def power(self, spelling: str) -> str:
        choose, number = self.random, self.random.choice(INTEGERS)
        if spelling == "cds":
            return choose.choice(["", "", "", str(number), f"{number:+d}", "-1", "2"])
        sign = choose.choice(["**", "^", ""])
        fraction = f"({choose.randint(-9, 9)}/{choose.randint(-3, 9)})"
        decimal = f"({choose.choice(DECIMALS)})"
        forms = ["", str(number), f"**{number}", f"^{number}", sign + fraction, sign + decimal, f" {number:+d}"]
        return choose.choices(forms, [40, 20, 10, 8, 7, 5, 10])[0]
