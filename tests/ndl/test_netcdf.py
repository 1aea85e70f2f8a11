"""`ncgen` compiles the CDL, and the output of `ncdump` agrees with the description."""

import itertools
import json
import unittest
from collections import Counter

import descriptions
import netcdf
import numpy as np
from asdfkit_ctypes import Error

REFUSED = {
    "refused-array": "/matrices",
    "refused-attribute": "/",
    "refused-extent": "/empty",
    "refused-references": "/links",
}
# Number of samples, and number of samples that netCDF has no form for.
SAMPLES = (44, 11)
ATTRIBUTES_OF_FILES = {"_NCProperties", "_SuperblockVersion", "_IsNetcdf4", "_Format"}
ATTRIBUTES_OF_STORAGE = {
    "_Storage", "_ChunkSizes", "_DeflateLevel", "_Shuffle", "_Fletcher32", "_Endianness",
}  # fmt: skip


def in_netcdf(datatype: object) -> object:
    """Returns a datatype without the parts that netCDF lacks: tags of opaque bytes, origins of enumerations,
    extensions.
    """
    if isinstance(datatype, str):
        return datatype
    ((keyword, of),) = datatype.items()
    if keyword == "compound":
        return {keyword: [[name, in_netcdf(member)] for name, member in of]}
    if keyword == "array":
        base, shape = in_netcdf(of["base"]), of["shape"]
        if isinstance(base, dict) and "array" in base:
            base, shape = base["array"]["base"], shape + base["array"]["shape"]
        return {keyword: {"base": base, "shape": shape}}
    if keyword == "vlen":
        return {keyword: {"base": in_netcdf(of["base"])}}
    return {keyword: {key: of[key] for key in ("size", "base", "members") if key in of}}


def flat(value: object) -> list:
    """Returns the parts of a value in one list: netCDF writes arrays in compounds without their rows."""
    if isinstance(value, list):
        return list(itertools.chain.from_iterable(flat(item) for item in value))
    return [value]


def number(value: object) -> object:
    """Returns a number of the JSON model, in which floats that are not finite are texts."""
    return float(value) if value in ("nan", "inf", "-inf") else value


class NetcdfTest(unittest.TestCase):
    def compare_values(self, found: list, expected: object, datatype: object) -> None:
        found, expected = flat(found), flat(expected)
        if isinstance(datatype, str) and datatype.startswith("float"):
            np.testing.assert_array_equal(
                np.array(found, datatype), np.array([number(value) for value in expected], datatype), strict=True
            )
        elif isinstance(datatype, str) or "enum" in datatype:
            self.assertEqual(found, expected)
        else:
            self.assertEqual(len(found), len(expected))

    def compare_attributes(self, found: dict, expected: dict) -> None:
        names = set(found) - ATTRIBUTES_OF_FILES - ATTRIBUTES_OF_STORAGE - {"_FillValue"}
        self.assertEqual(names, set(expected) - {"_FillValue"})
        for name, attribute in expected.items():
            datatype = in_netcdf(attribute["type"])
            if datatype == "string" and not attribute["shape"]:
                datatype = "char"
            with self.subTest(attribute=name):
                self.assertEqual(found[name].datatype, datatype)
                self.compare_values(found[name].values, attribute["value"], datatype)

    def compare_storage(self, found: netcdf.Variable, array: dict) -> None:
        storage, attributes = array.get("storage", {}), found.attributes
        if "chunk" in storage:
            self.assertEqual(attributes["_ChunkSizes"].values, storage["chunk"])
        filters = {item if isinstance(item, str) else next(iter(item)) for item in storage.get("filter", [])}
        for name, of in (("shuffle", "_Shuffle"), ("fletcher32", "_Fletcher32"), ("deflate", "_DeflateLevel")):
            self.assertEqual(of in attributes, name in filters, name)
        if "endian" in storage and isinstance(array["type"], str) and array["type"] not in ("string", "int8", "uint8"):
            self.assertEqual(attributes["_Endianness"].values, [storage["endian"]])
        self.assertEqual("_FillValue" in attributes, "fillvalue" in storage or "_FillValue" in array["attributes"])
        if "fillvalue" in storage:
            self.compare_values(attributes["_FillValue"].values, storage["fillvalue"], in_netcdf(array["type"]))

    def compare_dimensions(self, groups: dict, path: str, variable: netcdf.Variable, array: dict) -> None:
        """Compares dimension coordinates by name, other extents by their number.

        ncdump 4.9 writes wrong paths of dimensions (/g/x instead of /x), so only their last names can be compared.
        """
        self.assertEqual(len(variable.dimensions), len(array["shape"]))
        for name, extent, coordinate in zip(variable.dimensions, array["shape"], array["dims"], strict=True):
            if coordinate:
                self.assertEqual(name.rsplit("/", 1)[-1], coordinate.rsplit("/", 1)[-1])
            if not coordinate or "/" not in name:
                group = path
                while name not in groups[group].dimensions:
                    self.assertNotEqual(group, "/", name)
                    group = group.rsplit("/", 1)[0] or "/"
                self.assertEqual(groups[group].dimensions[name], extent)
                if coordinate:
                    self.assertEqual(group, coordinate.rsplit("/", 1)[0] or "/")

    def compare(self, groups: dict[str, netcdf.Group], model: dict) -> None:
        arrays = {}
        for path, dimcoord in model["dimcoords"].items():
            arrays[path] = dimcoord | {"shape": [dimcoord["size"]], "dims": [path]}
        arrays |= model["ndarrays"]
        found = {}
        for path, group in groups.items():
            self.compare_attributes(group.attributes, model["groups"].get(path, {}).get("attributes", {}))
            found |= {f"{path.rstrip('/')}/{name}": (path, variable) for name, variable in group.variables.items()}
        self.assertEqual(set(found), set(arrays))
        self.assertLessEqual(set(model["groups"]), set(groups))
        for path, array in arrays.items():
            with self.subTest(array=path):
                of_group, variable = found[path]
                self.assertEqual(variable.datatype, in_netcdf(array["type"]))
                self.compare_dimensions(groups, of_group, variable, array)
                self.compare_attributes(variable.attributes, array["attributes"])
                self.compare_storage(variable, array)
        extents = {array["shape"][axis] for array in arrays.values() for axis in range(len(array["shape"]))}
        self.assertLessEqual({extent for group in groups.values() for extent in group.dimensions.values()}, extents)

    def compiled(self, name: str, description: descriptions.Description) -> dict[str, netcdf.Group]:
        folder = descriptions.folder("netcdf")
        text, file = folder / f"{name}.cdl", folder / f"{name}.nc"
        text.write_text(description.cdl())
        descriptions.run("ncgen", "-k", "nc4", "-o", file, text)
        return netcdf.Reader(descriptions.run("ncdump", "-h", "-s", "-p", "9,17", file)).file()

    def test_own_descriptions(self):
        for name, description in descriptions.own():
            with self.subTest(description=name):
                if name in REFUSED:
                    with self.assertRaisesRegex(Error, f"^ASDF_ERR_UNSUPPORTED: .*{REFUSED[name]}"):
                        description.cdl()
                else:
                    self.compare(self.compiled(name, description), description.model())

    def test_a_difference_is_noticed(self):
        (description,) = (description for name, description in descriptions.own() if name == "groups")
        groups, model = self.compiled("groups", description), json.dumps(description.model())
        for old, new in (
            ('"int16"', '"int8"'), ("[null, 2, 3]", "[null, 2, 4]"), ('"value": "K"', '"value": "mK"'),
            ('"/model/x", null', '"/model/y", null'), ("[0.0, 400.0]", "[0.0, 401.0]"), ('"units"', '"unit"'),
        ):  # fmt: skip
            self.assertIn(old, model)
            with self.assertRaises(AssertionError, msg=old):
                NetcdfTest().compare(groups, json.loads(model.replace(old, new)))

    def test_samples(self):
        reasons, count = Counter(), 0
        for name, description in descriptions.samples():
            count += 1
            with self.subTest(description=name):
                try:
                    description.cdl()
                except Error as error:
                    self.assertIn(error.status, ("ASDF_ERR_UNSUPPORTED", "ASDF_ERR_INCOMPLETE"))
                    reasons[str(error)] += 1
                    continue
                self.compare(self.compiled(name, description), description.model())
        for reason, times in sorted(reasons.items()):
            print(f"{times} refused: {reason}")
        if count:
            self.assertEqual((count, reasons.total()), SAMPLES)
