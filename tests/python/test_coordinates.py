"""Coordinates: what we read equals what astropy says, in trees and in tables, and asdf-astropy reads what we write."""

import tempfile
import unittest
import warnings
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path

import asdf
import asdfkit_ctypes as kit
import astropy.coordinates as c
import astropy.units as u
import numpy as np
from asdfkit_ctypes import HANDLE, HANDLE_OUT, PLACE, TEXT_OUT
from astropy.coordinates import frame_transform_graph
from astropy.table import QTable
from astropy.time import Time
from astropy.utils import iers

iers.conf.auto_download = False

for name, arguments in {
    "asdf_node_get_coordinates": (*PLACE, HANDLE_OUT),
    "asdf_table_get_coordinates": (HANDLE, c_char_p, HANDLE_OUT),
    "asdf_table_read_ecsv_memory": (c_char_p, c_size_t, HANDLE, HANDLE_OUT),
    "asdf_node_get_table": (*PLACE, HANDLE, HANDLE_OUT),
    "asdf_coordinates_kind": (HANDLE, POINTER(c_int32)),
    "asdf_coordinates_frame": (HANDLE, *TEXT_OUT),
    "asdf_coordinates_representation": (HANDLE, *TEXT_OUT),
    "asdf_coordinates_differential": (HANDLE, *TEXT_OUT),
    "asdf_coordinates_shape": (HANDLE, POINTER(c_int64), c_int32, POINTER(c_int32)),
    "asdf_coordinates_component_count": (HANDLE, POINTER(c_int64)),
    "asdf_coordinates_component_name": (HANDLE, c_int64, *TEXT_OUT),
    "asdf_coordinates_read": (HANDLE, c_char_p, c_char_p, HANDLE, c_void_p, c_size_t),
    "asdf_coordinates_attribute_count": (HANDLE, POINTER(c_int64)),
    "asdf_coordinates_attribute_name": (HANDLE, c_int64, *TEXT_OUT),
    "asdf_node_set_coordinates": (
        *PLACE, c_char_p, c_int32, POINTER(c_int64), c_void_p, c_void_p, c_char_p, c_void_p, c_char_p, HANDLE,
    ),
}.items():  # fmt: skip
    getattr(kit.library, name).argtypes = arguments
    getattr(kit.library, name).restype = c_int32
for kind in ("coordinates", "table"):
    free = getattr(kit.library, f"asdf_{kind}_free")
    free.argtypes, free.restype = (HANDLE,), None

PLACE_ON_EARTH = c.EarthLocation.from_geodetic([1.0, 2.0], [3.0, 4.0])
DATE = Time("2020-01-01")
D = [1.0, 2.0] * u.deg
V = [3.0, 4.0] * u.km / u.s
FRAMES = [name for name in frame_transform_graph.get_names() if name != "custombarycentricecliptic"]
SKY = {
    "icrs": c.SkyCoord(D, D),
    "one": c.SkyCoord(1 * u.deg, 2 * u.deg, distance=3 * u.kpc, frame="fk5", equinox="J1975"),
    "moving": c.SkyCoord(
        D, D, distance=[5.0, 6.0] * u.pc, pm_ra_cosdec=D / u.yr, pm_dec=D / u.yr, radial_velocity=V, frame="fk4"
    ),
    "galactic": c.SkyCoord(l=D, b=D, distance=[5.0, 6.0] * u.pc, frame="galactic"),
    "cartesian": c.SkyCoord(
        x=[1.0, 2] * u.pc, y=[1.0, 2] * u.pc, z=[1.0, 2] * u.pc, v_x=V, v_y=V, v_z=V,
        representation_type="cartesian", differential_type="cartesian",
    ),
    "altaz": c.SkyCoord(D, D, frame="altaz", obstime=DATE, location=PLACE_ON_EARTH[0]),
    "moments": c.SkyCoord(D, D, frame="altaz", obstime=DATE + [0, 1] * u.day, location=PLACE_ON_EARTH),
    "galactocentric": c.SkyCoord(D, D, distance=[1.0, 2.0] * u.kpc).transform_to(c.Galactocentric()),
    "gcrs": c.SkyCoord(D, D, frame="gcrs", obstime=DATE),
    "plane": c.SkyCoord([[1.0, 2], [3, 4]] * u.deg, [[1.0, 2], [3, 4]] * u.deg, frame="supergalactic"),
}  # fmt: skip
OTHERS = {
    "fk5": c.FK5(D, D, equinox="J1975"),
    "itrs": c.ITRS([1.0, 2] * u.km, [3.0, 4] * u.km, [5.0, 6] * u.km, obstime=DATE),
    "empty": c.GCRS(obstime=DATE),
    "spherical": c.SphericalRepresentation(D, D, [1.0, 2] * u.pc),
    "velocity": c.CartesianDifferential([1.0, 2.0], [3.0, 4.0], [5.0, 6.0], unit="km/s"),
    "place": PLACE_ON_EARTH,
    "angle": c.Angle(D),
    "longitude": c.Longitude(D, wrap_angle=180 * u.deg),
    "light": c.SpectralCoord([1.0, 2.0], "nm"),
}


class Coordinates(kit.Handle):
    kind = "coordinates"

    def text(self, what: str) -> str:
        return kit.text_of(f"asdf_coordinates_{what}", self)

    def names(self, what: str) -> list[str]:
        count = kit.value_of(c_int64, f"asdf_coordinates_{what}_count", self)
        return [kit.text_of(f"asdf_coordinates_{what}_name", self, index) for index in range(count)]

    def shape(self) -> tuple[int, ...]:
        return tuple(kit.numbers_of("asdf_coordinates_shape", self))

    def read(self, name: str, unit: str) -> np.ndarray:
        values = np.empty(self.shape())
        kit.call("asdf_coordinates_read", self, name.encode(), unit.encode(), None, values.ctypes.data, values.size)
        return values


class Table(kit.Handle):
    kind = "table"


def components_of(value) -> dict[str, u.Quantity]:
    """Components of an object of astropy by their names."""
    if isinstance(value, c.SkyCoord):
        value = value.frame
    if isinstance(value, c.BaseCoordinateFrame):
        if not value.has_data:
            return {}
        names = value.get_representation_component_names()
        present = [name for name, general in names.items() if general in value.data.components]
        if value.data.differentials:
            present += value.get_representation_component_names("s")
        return {name: getattr(value, name) for name in present}
    if isinstance(value, c.BaseRepresentationOrDifferential):
        return {name: getattr(value, name) for name in value.components}
    if isinstance(value, c.EarthLocation):
        return {axis: getattr(value, axis) for axis in "xyz"}
    return {"value": value}


class CoordinatesTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = Path(directory.name) / "file.asdf"
        warnings.simplefilter("ignore")

    def compare(self, found: Coordinates, expected) -> None:
        components = components_of(expected)
        if isinstance(expected, (c.SkyCoord, c.BaseCoordinateFrame)):
            self.assertEqual(found.text("frame"), expected.name)
            self.assertLessEqual(set(expected.frame_attributes), {*found.names("attribute"), *missing(expected)})
        self.assertEqual(set(found.names("component")), set(components))
        for name, values in components.items():
            self.assertEqual(found.shape(), values.shape)
            unit = values.unit.to_string()
            np.testing.assert_array_equal(found.read(name, unit), values.value, name)
            other = (values.unit * 1000).to_string()
            np.testing.assert_allclose(found.read(name, other), values.to_value(values.unit * 1000), rtol=1e-15)

    def test_trees_of_asdf_astropy(self):
        tree = {**{f"sky {name}": value for name, value in SKY.items()}, **OTHERS}
        asdf.AsdfFile(tree).write_to(self.path)
        root = kit.File.open(self.path).root()
        for name, value in tree.items():
            with self.subTest(name):
                self.compare(Coordinates("asdf_node_get_coordinates", root, name.encode()), value)

    def test_columns_of_both_formats(self):
        table = QTable({name: value for name, value in SKY.items() if value.shape} | {"place": PLACE_ON_EARTH})
        asdf.AsdfFile({"t": table}).write_to(self.path)
        root = kit.File.open(self.path).root()
        of_asdf = Table("asdf_node_get_table", root, b"t", None)
        for name in ("fk5", "spherical", "velocity", "angle", "longitude"):
            table[name] = OTHERS[name]
        self.path.unlink()
        table.write(self.path, format="ascii.ecsv")
        text = self.path.read_bytes()
        of_ecsv = Table("asdf_table_read_ecsv_memory", text, len(text), None)
        for name in table.colnames:
            for source in (of_asdf, of_ecsv) if name not in OTHERS or name == "place" else (of_ecsv,):
                with self.subTest(name):
                    self.compare(Coordinates("asdf_table_get_coordinates", source, name.encode()), table[name])

    def test_positions_that_asdf_astropy_reads(self):
        random = np.random.default_rng(1)
        for standard in ("1.5.0", "1.6.0"):
            file = kit.File.new(standard)
            expected = {}
            for frame in FRAMES:
                for shape in ((), (3,), (2, 2)):
                    name = f"{frame} {len(shape)}"
                    lon, lat = random.uniform(0, 360, shape), random.uniform(-90, 90, shape)
                    far = random.uniform(1, 9, shape) if len(shape) < 2 else None
                    extents = (c_int64 * 2)(*shape)
                    memory = [
                        np.array(part, dtype=c_double, order="C") for part in (lon, lat, 0 if far is None else far)
                    ]
                    distances = (None, None) if far is None else (memory[2].ctypes.data, b"kpc")
                    kit.call(
                        "asdf_node_set_coordinates", file.root(), name.encode(), frame.encode(), len(shape), extents,
                        memory[0].ctypes.data, memory[1].ctypes.data, b"deg", *distances, None,
                    )  # fmt: skip
                    expected[name] = (lon, lat, far)
            file.write(self.path)
            with asdf.open(self.path, lazy_load=False, memmap=False) as read:
                for name, (lon, lat, far) in expected.items():
                    with self.subTest(name, standard=standard):
                        sky = read[name]
                        self.assertEqual((type(sky), sky.frame.name), (c.SkyCoord, name.split()[0]))
                        np.testing.assert_allclose(sky.data.lon.deg % 360, lon, rtol=1e-14)
                        np.testing.assert_array_equal(sky.data.lat.deg, lat)
                        if far is not None:
                            np.testing.assert_array_equal(sky.data.distance.kpc, far)
            self.path.unlink()


def missing(value) -> set[str]:
    """Attributes of a frame that have no value."""
    return {name for name in value.frame_attributes if getattr(value, name, None) is None}


if __name__ == "__main__":
    unittest.main()
