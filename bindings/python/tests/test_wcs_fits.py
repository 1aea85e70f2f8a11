"""WCS of FITS headers: cards, trees and cut-outs, compared with astropy.wcs and gwcs."""

import warnings

import numpy as np
import pytest

import asdfkit
from asdfkit.constants import Status

fits = pytest.importorskip("astropy.io.fits")
astropy_wcs = pytest.importorskip("astropy.wcs")

#: Projections with the parameters of their latitude axis.
PROJECTIONS = {
    "AZP": {1: 2.0, 2: 30.0},
    "SZP": {1: 2.0, 2: 180.0, 3: 60.0},
    "TAN": {},
    "STG": {},
    "SIN": {1: 0.1, 2: -0.2},
    "ARC": {},
    "ZEA": {},
    "AIR": {1: 45.0},
    "CYP": {1: 1.0, 2: 0.7},
    "CEA": {1: 0.8},
    "CAR": {},
    "MER": {},
    "SFL": {},
    "PAR": {},
    "MOL": {},
    "AIT": {},
    "COP": {1: 45.0, 2: 25.0},
    "COE": {1: -45.0, 2: 25.0},
    "COD": {1: 45.0, 2: 25.0},
    "COO": {1: 45.0, 2: 25.0},
    "BON": {1: 45.0},
    "PCO": {},
    "TSC": {},
    "CSC": {},
    "QSC": {},
    "HPX": {1: 4.0, 2: 3.0},
    "XPH": {},
}
WIDTH, HEIGHT = 200, 150


def header_of(code, seed):
    """A header with one of four kinds of matrices and axes."""
    random = np.random.default_rng(seed)
    kind = seed % 4
    longitude, latitude = (2, 1) if kind == 2 else (1, 2)
    names = [("RA", "DEC"), ("GLON", "GLAT"), ("RA", "DEC"), ("ELON", "ELAT")][kind]
    header = fits.Header({"NAXIS": 2, "NAXIS1": WIDTH, "NAXIS2": HEIGHT})
    for axis, name in zip((longitude, latitude), names, strict=True):
        header[f"CTYPE{axis}"] = f"{name:-<5}{code}"
    header["CRPIX1"], header["CRPIX2"] = random.uniform(60, 140), random.uniform(40, 110)
    center = {longitude: random.uniform(5, 355), latitude: random.uniform(-75, 75)}
    for number, value in PROJECTIONS[code].items():
        header[f"PV{latitude}_{number}"] = value
    size = 10 ** random.uniform(-4, -1.5)
    unit = 3600 if kind == 3 else 1
    for axis, value in center.items():
        header[f"CRVAL{axis}"] = value * unit
    if kind == 0:
        header.update({"CD1_1": -size, "CD1_2": 0.1 * size, "CD2_1": 0.2 * size, "CD2_2": 1.1 * size})
        header.update({"RADESYS": "FK5", "EQUINOX": 1975.0})
    elif kind == 1:
        header.update({"CDELT1": -size, "CDELT2": size, "PC1_1": 0.8, "PC1_2": 0.6, "PC2_1": -0.6, "PC2_2": 0.8})
    elif kind == 2:
        header.update({"CDELT1": size, "CDELT2": -size, f"CROTA{latitude}": 30.0})
    else:
        header.update({"CDELT1": -size * unit, "CDELT2": size * unit, "CUNIT1": "arcsec", "CUNIT2": "arcsec"})
    return header


def distorted(degree, with_inverse, seed):
    random = np.random.default_rng(seed)
    header = header_of("TAN", 4 * seed)
    header["CTYPE1"], header["CTYPE2"] = "RA---TAN-SIP", "DEC--TAN-SIP"
    header.update({"A_ORDER": degree, "B_ORDER": max(2, degree - 1)})
    for i in range(degree + 1):
        for j in range(degree + 1 - i):
            if i + j > 1:
                header[f"A_{i}_{j}"] = 0.2 * random.normal() * 100.0 ** -(i + j)
                if i + j <= header["B_ORDER"]:
                    header[f"B_{i}_{j}"] = 0.2 * random.normal() * 100.0 ** -(i + j)
    if with_inverse:
        header.update({"AP_ORDER": 2, "BP_ORDER": 2, "AP_2_0": -header["A_2_0"], "BP_0_2": -header["B_0_2"]})
    return header


def of_astropy(header):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return astropy_wcs.WCS(header)


def pixels(axes=2, seed=1):
    """Pixels of the image."""
    return np.random.default_rng(seed).uniform(0, 149, (axes, 40))


def apart(found, wanted):
    """Largest difference, of longitudes modulo 360 degrees. NaN must be where it is expected."""
    found, wanted = np.array(found), np.array(wanted)
    assert np.array_equal(np.isnan(found), np.isnan(wanted))
    difference = np.abs((found - wanted + 180) % 360 - 180)
    return np.nanmax(difference / np.maximum(1, np.abs(wanted) / 360), initial=0)


def reopened(header, tmp_path):
    """The WCS of a header in a file, by this package and by gwcs."""
    asdf, gwcs = pytest.importorskip("asdf"), pytest.importorskip("gwcs")
    path = tmp_path / "wcs.asdf"
    with asdfkit.new() as file:
        file.set_wcs_cards("meta/wcs", header)
        file.write(path)
    with asdf.open(path) as file:
        other = file["meta"]["wcs"]
    assert isinstance(other, gwcs.WCS)
    with asdfkit.open(path) as file:
        return file["meta/wcs"], other


@pytest.mark.parametrize("code", PROJECTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_projections(code, seed, tmp_path):
    header = header_of(code, seed)
    x, y = pixels()
    other = of_astropy(header)
    world = other.all_pix2world(x, y, 0)
    wcs = asdfkit.WCS.from_cards(header)
    # CSC is computed with 24 bits; near the ends of some projections, rounding counts for more.
    tolerance = 1e-8 if code == "CSC" else 1e-9 if code in ("SIN", "PAR") else 1e-11
    assert apart(wcs(x, y), world) <= tolerance
    good = np.isfinite(world[0])
    back = other.all_world2pix(world[0][good], world[1][good], 0)
    found = wcs.invert(world[0][good], world[1][good])
    near_limb = 1e-3 if code in ("SIN", "CSC") else 1e-7
    assert np.abs(np.array(found) - back).max(initial=0) <= near_limb
    ours, theirs = reopened(header, tmp_path)
    # Python's plate carrée has no ends.
    assert apart(ours(x, y), world) <= tolerance
    assert apart(theirs(x, y), world) <= tolerance
    if code != "CSC":
        pixel = np.array(theirs.backward_transform(world[0][good], world[1][good]))
        assert np.abs(pixel - back).max(initial=0) <= near_limb


@pytest.mark.parametrize("degree", [2, 3, 4, 5])
@pytest.mark.parametrize("with_inverse", [False, True])
def test_distortions(degree, with_inverse, tmp_path):
    header = distorted(degree, with_inverse, degree)
    x, y = pixels()
    other = of_astropy(header)
    world = other.all_pix2world(x, y, 0)
    wcs = asdfkit.WCS.from_cards(header)
    assert apart(wcs(x, y), world) <= 1e-11
    assert np.abs(np.array(wcs.invert(*world)) - (x, y)).max() <= 1e-8
    ours, theirs = reopened(header, tmp_path)
    assert apart(ours(x, y), world) <= 1e-11
    assert apart(theirs(x, y), world) <= 1e-11
    assert not ours.is_inverse_numerical
    for found in (ours.invert(*world), theirs.backward_transform(*world)):
        assert np.abs(np.array(found) - (x, y)).max() <= 1e-7


def test_more_axes(tmp_path):
    header = fits.Header({"NAXIS": 4})
    axes = [("STOKES", 1.0, 1.0, ""), ("DEC--SIN", -30.0, 0.01, "deg"), ("VOPT", 1.0, 0.02, "km/s")]
    for axis, (kind, value, step, unit) in enumerate([*axes, ("RA---SIN", 40.0, -0.01, "deg")], 1):
        header.update({f"NAXIS{axis}": 150, f"CTYPE{axis}": kind, f"CRVAL{axis}": value, f"CDELT{axis}": step})
        header.update({f"CUNIT{axis}": unit, f"CRPIX{axis}": 10.0 * axis})
    for matrix in ({}, {"PC2_4": 0.2, "PC4_2": -0.2}, {"PC2_3": 0.1, "PC3_2": 0.2, "PC4_3": 0.3}):
        header.update(matrix)
        pixel = pixels(4)
        world = of_astropy(header).all_pix2world(*pixel, 0)
        wcs = asdfkit.WCS.from_cards(header)
        ours, theirs = reopened(header, tmp_path)
        (tmp_path / "wcs.asdf").unlink()
        for found in (wcs, ours, theirs):
            assert apart(found(*pixel), world) <= 1e-11
        types = list(theirs.world_axis_physical_types)
        assert wcs.world_axis_physical_types == ours.world_axis_physical_types == types
        assert wcs.world_axis_units == ["", "deg", "m/s", "deg"]
        assert list(theirs.world_axis_units) == ["", "deg", "m.s**-1", "deg"]
        for back in (wcs.invert(*world), ours.invert(*world), theirs.backward_transform(*world)):
            assert np.abs(np.array(back) - pixel).max() <= 1e-8
    assert theirs.output_frame.name == "world"


def test_frames_are_those_of_python(tmp_path):
    coordinates = pytest.importorskip("astropy.coordinates")
    for more, frame in [
        ({"RADESYS": "ICRS"}, coordinates.ICRS()),
        ({"RADESYS": "FK5", "EQUINOX": 1975.5}, coordinates.FK5(equinox="J1975.5")),
        ({"EQUINOX": 1950.0}, coordinates.FK4(equinox="B1950")),
        ({"RADESYS": "FK4-NO-E", "EQUINOX": 1950.0}, coordinates.FK4NoETerms(equinox="B1950")),
        ({"CTYPE1": "GLON-TAN", "CTYPE2": "GLAT-TAN"}, coordinates.Galactic()),
    ]:
        header = fits.Header({"NAXIS": 2, "NAXIS1": 9, "NAXIS2": 8, "CTYPE1": "RA---TAN", "CTYPE2": "DEC--TAN"})
        header.update(more)
        ours, theirs = reopened(header, tmp_path)
        (tmp_path / "wcs.asdf").unlink()
        assert theirs.output_frame.reference_frame.is_equivalent_frame(frame)
        assert theirs.pixel_shape == ours.pixel_shape == (9, 8)
        box = theirs.bounding_box
        assert (tuple(box["x0"]), tuple(box["x1"])) == ours.bounding_box == ((-0.5, 8.5), (-0.5, 7.5))
        assert ours.pixel_to_world(1, 2).frame.is_equivalent_frame(frame)


def test_a_wcs_of_astropy_in_a_tree(tmp_path):
    asdf = pytest.importorskip("asdf")
    pytest.importorskip("asdf_astropy")
    header = distorted(3, False, 9)
    other = of_astropy(header)
    cube = fits.Header({"NAXIS": 3, "CTYPE1": "RA---CAR", "CTYPE2": "DEC--CAR", "CTYPE3": "FREQ", "CRVAL3": 1e9})
    sliced = astropy_wcs.wcsapi.SlicedLowLevelWCS(of_astropy(cube), [3, slice(2, 30), slice(5, None)])
    path = tmp_path / "file.asdf"
    asdf.AsdfFile({"plain": other, "sliced": sliced}).write_to(path)
    x, y = pixels()
    with asdfkit.open(path) as file:
        plain, part = file["plain"], file["sliced"]
    assert isinstance(plain, asdfkit.WCS)
    assert apart(plain(x, y), other.all_pix2world(x, y, 0)) <= 1e-11
    assert plain.pixel_shape == (WIDTH, HEIGHT)
    assert apart(part(x / 9, y / 9), sliced.pixel_to_world_values(x / 9, y / 9)) <= 1e-11
    assert part.world_axis_physical_types == ["pos.eq.ra", "pos.eq.dec"]


@pytest.mark.parametrize("is_fits", [False, True])
def test_cut_outs(is_fits, tmp_path):
    asdf = pytest.importorskip("asdf")
    header = distorted(3, False, 5)
    whole = tmp_path / "whole.asdf"
    if is_fits:
        asdf.AsdfFile({"wcs": of_astropy(header)}).write_to(whole)
    else:
        with asdfkit.new() as file:
            file.set_wcs_cards("wcs", header)
            file.write(whole)
    index = np.s_[10:70:2, 120:20:-3]
    part = tmp_path / "part.asdf"
    with asdfkit.open(whole) as file, asdfkit.new() as new:
        new.set_wcs_cutout("cut", file["wcs"], index)
        new.set_wcs_cutout("row", file["wcs"], np.s_[7], (HEIGHT, WIDTH))
        new.write(part)
    x, y = np.meshgrid(np.arange(34.0), np.arange(30.0))
    world = of_astropy(header).all_pix2world(120 - 3 * x, 10 + 2 * y, 0)
    with asdfkit.open(part) as file, asdf.open(part) as foreign:
        ours, theirs = file["cut"], foreign["cut"]
        assert ours.pixel_shape == theirs.pixel_shape == (34, 30)
        assert apart(ours(x, y), world) <= 1e-11
        assert apart(theirs.pixel_to_world_values(x, y), world) <= 1e-11
        assert np.abs(np.array(ours.invert(*world)) - (x, y)).max() <= 1e-7
        assert file["row"].pixel_shape == (WIDTH, 1)
        with pytest.raises(ValueError, match="shape"):
            new_part(file, asdfkit.WCS.from_cards(b"CTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'"))


def new_part(file, wcs):
    with asdfkit.new() as new:
        new.set_wcs_cutout("a", wcs, np.s_[1:2, 1:2])


def test_cards_of_a_wcs():
    header = header_of("ZEA", 1)
    wcs = asdfkit.WCS.from_cards(header)
    made = wcs.to_cards(max_error=1e-4, max_inverse_error=1e-4)
    assert made.error <= 1e-4 and made.inverse_error <= 1e-4
    other = of_astropy(fits.Header.fromstring(made.text))
    x, y = pixels()
    sky = wcs(x, y)
    back = other.all_world2pix(*sky, 0, tolerance=1e-8)
    assert np.hypot(back[0] - x, back[1] - y).max() <= 1.1e-4
    with pytest.raises(asdfkit.AsdfError) as caught:
        wcs.to_cards(degree=1, max_error=1e-9)
    assert caught.value.status == Status.NO_CONVERGENCE


def test_cards_are_no_worse_than_those_of_gwcs(tmp_path):
    pytest.importorskip("gwcs")
    ours, theirs = reopened(distorted(5, False, 3), tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        header = theirs.to_fits_sip(max_pix_error=0.01, max_inv_pix_error=0.01)
    made = ours.to_cards(degree=header["A_ORDER"], inverse_degree=header["AP_ORDER"])
    assert made.error <= header["SIPMXERR"] + 1e-9
    assert made.inverse_error <= header["SIPIVERR"] + 1e-9


def test_cards_that_are_no_wcs():
    with asdfkit.new() as file:
        for cards, status in [
            ("", Status.INVALID_ARGUMENT),
            ("CTYPE1  = 'RA---TAN'", Status.INVALID_ARGUMENT),
            ("CTYPE1  = 'RA---ZPN'\nCTYPE2  = 'DEC--ZPN'", Status.UNSUPPORTED),
        ]:
            with pytest.raises(asdfkit.AsdfError) as caught:
                asdfkit.WCS.from_cards(cards)
            assert caught.value.status == status
            with pytest.raises(asdfkit.AsdfError) as caught:
                file.set_wcs_cards("wcs", cards)
            assert caught.value.status == status
        with pytest.raises(TypeError):
            file.set_wcs_cards("wcs", 5)
        assert "wcs" not in file
        file.set_wcs_cards("wcs", "CTYPE1A = 'LINEAR'\nCRVAL1A = 5", alternate="A")
        assert file["wcs"](0.0) == 6.0
