"""World coordinates: evaluation, frames, the interface of astropy, compared with gwcs."""

import pickle
import warnings

import numpy as np
import pytest
from corpora import SOURCE

import asdfkit
from asdfkit import errors
from asdfkit.constants import FrameKind, Status

SAMPLES = SOURCE / "tests" / "corpora" / "gwcs-samples"
IMAGE = SAMPLES / "gwcs" / "jwst_like.asdf"

UNKNOWN = """#ASDF 1.0.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
  name: a
  steps:
  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: a, transform: !transform/unheard_of-1.0.0 {}}
  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: b}
shift: !transform/shift-1.2.0 {offset: 2.5, bounding_box: [0.0, 10.0]}
invalid: !<tag:stsci.edu:gwcs/wcs-1.2.0> {name: a, steps: []}
...
"""


@pytest.fixture
def wcs():
    with asdfkit.open(IMAGE) as file:
        found = next(value for value in walked(file.node()) if isinstance(value, asdfkit.WCS))
    return found


def walked(tree):
    for key in tree:
        value = tree[key]
        yield value
        if isinstance(value, asdfkit.Tree):
            yield from walked(value)


def foreign(path):
    asdf = pytest.importorskip("asdf")
    gwcs = pytest.importorskip("gwcs")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with asdf.open(path) as file:
            return next(value for value in file.tree.values() if isinstance(value, gwcs.WCS))


def test_pixels_and_sky_agree_with_gwcs(wcs):
    other = foreign(IMAGE)
    y, x = np.mgrid[0:40:7, 0:50:9]
    found, wanted = wcs(x, y), other(x, y)
    assert found[0].shape == x.shape
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-11)
    back = wcs.invert(*found, threads=2)
    # The inverse in this file is an approximation.
    np.testing.assert_allclose(back, (x, y), rtol=0, atol=0.01)
    frames = other.available_frames
    np.testing.assert_allclose(back, other.get_transform(frames[-1], frames[0])(*found), rtol=0, atol=1e-7)
    np.testing.assert_allclose(wcs.footprint(), other.footprint(center=False), rtol=0, atol=1e-10)
    assert wcs.pixel_n_dim == other.pixel_n_dim and wcs.world_n_dim == other.world_n_dim
    assert list(wcs.world_axis_physical_types) == list(other.world_axis_physical_types)
    assert list(wcs.world_axis_units) == list(other.world_axis_units)
    np.testing.assert_array_equal(wcs.axis_correlation_matrix, other.axis_correlation_matrix)
    assert wcs.available_frames == other.available_frames
    middle = other.available_frames[1]
    found = wcs.get_transform(None, middle)(10.0, 20.0)
    np.testing.assert_allclose(found, other.get_transform(other.available_frames[0], middle)(10.0, 20.0), rtol=1e-12)


def test_scalars_and_points_outside(wcs):
    ra, dec = wcs(10.0, 20)
    assert isinstance(ra, float) and isinstance(dec, float)
    assert np.isnan(wcs(1e7, 0)).all() and not np.isnan(wcs(1e7, 0, with_bounding_box=False)).any()
    assert wcs(1e7, 0, fill=-1.0) == (-1.0, -1.0)
    with pytest.raises(TypeError):
        wcs(1.0)
    with pytest.raises(ValueError):
        wcs(np.zeros(2), np.zeros(3))
    with pytest.raises(TypeError):
        wcs(1.0, 2.0, colour="red")
    assert wcs([], [])[0].shape == (0,)


def test_the_image_on_the_sky(wcs):
    x, y = wcs.center
    low, high = wcs.bounding_box[0]
    assert x == (low + high) / 2 and wcs.pixel_bounds[0] == (low, high)
    assert 0 < wcs.pixel_scale(x, y) < 1
    angle, is_mirrored = wcs.orientation(x, y)
    assert 0 <= angle < 360 and isinstance(is_mirrored, bool)
    assert wcs.frames[-1].kind is FrameKind.CELESTIAL and wcs.frames[-1].reference_frame == "icrs"
    assert wcs.array_shape is None or wcs.array_shape == wcs.pixel_shape[::-1]


def test_tools_of_astropy_take_it(wcs):
    coordinates = pytest.importorskip("astropy.coordinates")
    from astropy.wcs.wcsapi import BaseLowLevelWCS, HighLevelWCSWrapper, SlicedLowLevelWCS

    assert isinstance(wcs, BaseLowLevelWCS)
    other = foreign(IMAGE)
    sky = wcs.pixel_to_world(10.0, 20.0)
    assert isinstance(sky, coordinates.SkyCoord)
    assert sky.separation(other.pixel_to_world(10.0, 20.0)).deg < 1e-11
    np.testing.assert_allclose(wcs.world_to_pixel(sky.galactic), (10, 20), atol=0.01)
    assert tuple(wcs.world_to_array_index(sky)) == (20, 10)
    assert wcs.array_index_to_world(20, 10).separation(sky).deg < 1e-11
    np.testing.assert_allclose(HighLevelWCSWrapper(wcs).world_to_pixel(sky), (10, 20), atol=0.01)
    sliced = SlicedLowLevelWCS(wcs, (slice(5, None), slice(3, None)))
    np.testing.assert_allclose(sliced.pixel_to_world_values(7, 15), wcs(10, 20), atol=1e-11)


@pytest.mark.parametrize(
    "name", ["spectral_linear", "slit_spectrum", "cube_interleaved", "temporal", "frame_fk5_j1975"]
)
def test_objects_of_other_frames(name):
    pytest.importorskip("astropy")
    path = SAMPLES / "gwcs" / f"{name}.asdf"
    other = foreign(path)
    with asdfkit.open(path) as file:
        found = next(value for value in walked(file.node()) if isinstance(value, asdfkit.WCS))
    pixel = [3.0] * found.pixel_n_dim
    objects, wanted = found.pixel_to_world(*pixel), other.pixel_to_world(*pixel)
    several = objects if isinstance(objects, (list, tuple)) else [objects]
    wanted = wanted if isinstance(wanted, (list, tuple)) else [wanted]
    assert [type(each).__name__ for each in several] == [type(each).__name__ for each in wanted]
    for each, expected in zip(several, wanted, strict=True):
        if hasattr(each, "separation"):
            assert each.is_equivalent_frame(expected.frame) and each.separation(expected).deg < 1e-10
        elif hasattr(each, "jd1"):
            assert abs((each - expected).sec) < 1e-6
        else:
            assert abs(each.to(expected.unit) / expected - 1) < 1e-10
    if name == "slit_spectrum":
        with pytest.raises(asdfkit.AsdfError):
            found.world_to_pixel(*several)
        return
    back = found.world_to_pixel(*several)
    np.testing.assert_allclose(back, pixel if len(pixel) > 1 else pixel[0], atol=1e-5)


def test_nodes_of_a_wcs_are_still_a_tree(wcs):
    with asdfkit.open(IMAGE) as file:
        key = next(key for key in file if isinstance(file[key], asdfkit.WCS))
        same = pickle.loads(pickle.dumps(file[key]))
        assert same(10.0, 20.0) == wcs(10.0, 20.0)
        new = asdfkit.new()
        new["copy"] = file[key]
        assert asdfkit.open(new.to_bytes())["copy"](10.0, 20.0) == wcs(10.0, 20.0)
        assert isinstance(file[key]["steps"], asdfkit.List) and isinstance(file.load()[key], dict)


def test_what_cannot_be_evaluated_can_be_read():
    with asdfkit.open(UNKNOWN.encode()) as file:
        wcs = file["wcs"]
        assert wcs.available_frames == ["a", "b"] and "wcs" in repr(wcs).lower()
        with pytest.raises(asdfkit.AsdfError) as caught:
            wcs(1.0)
        assert caught.value.status == Status.UNKNOWN_TRANSFORM and caught.value.path == "/wcs/steps/0/transform"
        assert file["invalid"]["name"] == "a" and "not valid" in repr(file["invalid"])
        with pytest.raises(asdfkit.AsdfError):
            file["invalid"].frames  # noqa: B018
        with pytest.raises(asdfkit.AsdfError):
            asdfkit.Transform(file["wcs"])


def test_a_transform_alone():
    with asdfkit.open(UNKNOWN.encode()) as file:
        shift = asdfkit.Transform(file.node("shift"))
    np.testing.assert_array_equal(shift([1.0, 20.0]), [3.5, 22.5])
    np.testing.assert_array_equal(shift([1.0, 20.0], with_bounding_box=True), [3.5, np.nan])
    assert shift(1) == 3.5 and shift.inverse(3.5) == 1 and shift.bounding_box == ((0, 10),)
    assert shift.inputs == ("x",) and shift.n_outputs == 1 and shift.input_units == (None,)
    assert shift.tag.endswith("shift-1.2.0") and shift.parts == [("/shift", shift.tag)] and shift.name is None
    assert shift.dependence.tolist() == [[True]] and shift.fix({0: 1.0})() == 3.5
    with pytest.raises(errors.AsdfError):
        shift.fix({1: 1.0})
