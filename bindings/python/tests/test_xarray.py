"""The engine of xarray: groups, names of dimensions, lazy variables; arrays of Dask."""

import importlib.util
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

import asdfkit

xr = pytest.importorskip("xarray")
ROMAN = Path(__file__).resolve().parents[3] / "tests" / "datamodels" / "files" / "roman_ImageModel.asdf"
HAS_DASK = importlib.util.find_spec("dask") is not None


def written(path: Path, tree: dict) -> Path:
    asdfkit.write(path, tree)
    return path


def test_a_roman_image_has_its_planes_on_y_and_x() -> None:
    with xr.open_dataset(ROMAN, engine="asdfkit") as image, asdfkit.open(ROMAN, astropy=False) as file:
        for name in ("data", "err", "dq"):
            assert image[name].dims == ("y", "x")
            np.testing.assert_array_equal(image[name].values, file["roman"][name][...])
        assert image["amp33"].dims == ("amp33_dim_0", "amp33_dim_1", "amp33_dim_2")
        cut = image["data"].isel(y=slice(2, 7, 2), x=[3, 1])
        np.testing.assert_array_equal(cut.values, file["roman/data"][...][2:7:2][:, [3, 1]])


def test_names_come_from_the_key_beside_the_arrays(tmp_path: Path) -> None:
    cube = np.arange(24.0).reshape(2, 3, 4)
    path = written(
        tmp_path / "cube.asdf",
        {
            "heat": cube,
            "other": np.zeros((3, 4), "i2"),
            "time": np.array([0.5, 1.5]),
            "_ARRAY_DIMENSIONS": {"heat": ["time", "row", "column"], "other": ["row", "column"]},
            "flux": asdfkit.Quantity(np.arange(5.0), "Jy"),
            "title": "a run",
            "steps": 2,
        },
    )
    with xr.open_dataset(path, engine="asdfkit") as run:
        assert run["heat"].dims == ("time", "row", "column") and run["other"].dims == ("row", "column")
        assert list(run.coords) == ["time"] and run["time"].values.tolist() == [0.5, 1.5]
        assert run["flux"].attrs == {"units": "Jy"} and run["flux"].dims == ("flux_dim_0",)
        assert run.attrs == {"title": "a run", "steps": 2}
        np.testing.assert_array_equal(run["heat"].sel(time=1.5).values, cube[1])
        assert not run["heat"].variable._in_memory


def test_a_description_beside_the_data_names_dimensions(tmp_path: Path) -> None:
    path = written(tmp_path / "run.asdf", {"a": np.zeros((2, 3)), "lon": np.arange(3.0)})
    text = "dimcoords:\n  lon: {size: 3, type: float64}\nndarrays:\n  a: {shape: [2, lon], type: float64}\n"
    (tmp_path / "run.yaml").write_text(text)
    for options in ({}, {"description": tmp_path / "run.yaml"}, {"description": asdfkit.ndl.parse(text)}):
        with xr.open_dataset(path, engine="asdfkit", **options) as run:
            assert run["a"].dims == ("a_dim_0", "lon") and list(run.coords) == ["lon"]
    (tmp_path / "run.yaml").write_text("a: [text, of, another, kind")
    with xr.open_dataset(path, engine="asdfkit") as run:
        assert run["a"].dims == ("a_dim_0", "a_dim_1")
    with pytest.raises(ValueError, match="report"):
        xr.open_dataset(path, engine="asdfkit", description=asdfkit.ndl.parse("ndarrays: 5"))
    with pytest.raises(ValueError, match="E-YAML-SYNTAX"):
        xr.open_dataset(path, engine="asdfkit", description=tmp_path / "run.yaml")


def test_unequal_sizes_go_to_groups_of_their_own(tmp_path: Path) -> None:
    path = written(
        tmp_path / "sizes.asdf",
        {
            "wide": {
                "_ARRAY_DIMENSIONS": ["y", "x"],
                "a": np.zeros((2, 3)),
                "b": np.ones((4, 5)),
                "c": np.ones((2, 3)),
            },
            "list": [np.arange(3), {"deep/er": np.arange(4)}],
        },
    )
    groups = xr.open_groups(path, engine="asdfkit")
    assert sorted(groups) == ["/list", "/list/1", "/wide", "/wide/b"]
    assert dict(groups["/wide"].sizes) == {"y": 2, "x": 3} and list(groups["/wide"]) == ["a", "c"]
    assert groups["/wide/b"]["b"].dims == ("y", "x") and list(groups["/list/1"]) == ["deep~1er"]
    for group in groups.values():
        group.close()
    with xr.open_datatree(path, engine="asdfkit") as tree:
        assert tree["wide/b/b"].dims == ("b_y", "b_x") and tree["wide/a"].dims == ("y", "x")
        assert tree["wide/b/b"].values.tolist() == np.ones((4, 5)).tolist()
    with pytest.raises(ValueError, match="/list, /wide|/wide, /list"):
        xr.open_dataset(path, engine="asdfkit")
    with pytest.raises(ValueError, match="no group '/none'"):
        xr.open_dataset(path, engine="asdfkit", group="none")
    with xr.open_dataset(path, engine="asdfkit", group="wide/b", drop_variables="b") as empty:
        assert not list(empty)


def test_missing_elements_are_nan_or_left_out(tmp_path: Path) -> None:
    masked = {kind: np.ma.MaskedArray(np.arange(4, dtype=kind), [0, 1, 0, 0]) for kind in ("f4", "i2", "i8")}
    path = written(tmp_path / "masks.asdf", masked)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = xr.open_dataset(path, engine="asdfkit")
    assert [str(item.message) for item in caught if "i8" in str(item.message)]
    assert sorted(run) == ["f4", "i2"] and run["f4"].dtype == "f4" and run["i2"].dtype == "f8"
    for name in run:
        np.testing.assert_array_equal(run[name].values, [0, np.nan, 2, 3])
    run.close()


def test_aliases_and_cycles_end(tmp_path: Path) -> None:
    text = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n" + (
        b"a: &a {x: !core/ndarray-1.1.0 [1, 2, 3]}\nb: *a\nc: *a\n...\n"
    )
    path = tmp_path / "aliases.asdf"
    path.write_bytes(text)
    with xr.open_dataset(path, engine="asdfkit") as run:
        assert run["x"].values.tolist() == [1, 2, 3]


def test_chunks_of_arrays_suit_their_readers() -> None:
    file = asdfkit.new()
    tall = file.create_array("tall", (1 << 14, 1 << 10), "f4", chunks=(64, 64))
    assert tall.chunks == tall.chunk_shape == (64, 64)
    shapes = {
        (100, 1 << 20): (4, 1 << 20),
        (5, 1 << 24): (1, 1 << 22),
        (3, 4): (3, 4),
        (1 << 24,): (1 << 22,),
        (10, 3 << 20): (1, 3 << 20),
        (0, 5): (1, 5),
        (): (),
    }
    for number, (shape, expected) in enumerate(shapes.items()):
        array = file.create_array(f"a{number}", shape, "f4") if shape else None
        assert array is None or (array.chunks, array.chunk_shape) == (expected, None)


@pytest.mark.skipif(not HAS_DASK, reason="Dask is not installed")
def test_dask_computes_with_parts(tmp_path: Path) -> None:
    numbers = np.arange(600.0).reshape(20, 30)
    path = written(tmp_path / "dask.asdf", {"a": numbers, "m": np.ma.MaskedArray(numbers, numbers > 500)})
    with asdfkit.open(path) as file:
        array = file["a"].to_dask((7, 30))
        assert float((array * 2).sum().compute()) == float(numbers.sum() * 2)
        masked = file["m"].to_dask()
        assert int(np.ma.count_masked(masked.compute())) == 99
        assert pickle.loads(pickle.dumps(file["a"]))[3, 4] == numbers[3, 4]
    with xr.open_dataset(path, engine="asdfkit", chunks={}) as run:
        assert run["a"].chunks == ((20,), (30,)) and float(run["a"].mean()) == numbers.mean()


def test_quantities_that_are_one_number_are_variables_without_axes(tmp_path: Path) -> None:
    content = {"a": np.arange(3.0), "q": asdfkit.Quantity(3.0, "m"), "a_dim_0": asdfkit.Quantity(2, "s")}
    asdfkit.write(tmp_path / "q.asdf", {**content, "g": {"only": asdfkit.Quantity(1.0, "s")}})
    with xr.open_dataset(tmp_path / "q.asdf", engine="asdfkit") as dataset:
        assert dataset["q"].shape == () and dataset["q"].item() == 3.0 and dataset["q"].attrs == {"units": "m"}
        # A variable cannot have the name of an axis.
        assert dataset.attrs == {"a_dim_0": "2 s"}
