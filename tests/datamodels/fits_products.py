"""ASDF in FITS files as stdatamodels and old versions of asdf wrote them: fits_products.py DIRECTORY [SAMPLE ...].

Each array is equal to that which stdatamodels reads, stdatamodels reads our edits, and Python asdf reads the ASDF file
that is made of a product. So are the arrays of HDUs that ASDF files of dkist name. torture.sh runs this in the
environment of make_files.py.
"""

import gzip
import shutil
import sys
import time
import warnings
from pathlib import Path

import asdf
import asdfkit
import asdfkit.formats
import dkist
import numpy as np
from astropy.io import fits
from astropy.time import Time
from make_files import sky_wcs
from stdatamodels.fits_support import fits_hash
from stdatamodels.jwst import datamodels

#: Longest time in seconds for opening a product of 100 MB and reading a scalar.
MOST = 1e-3


def described(model, name: str):
    """Gives a model some metadata, and world coordinates."""
    model.meta.telescope = "JWST"
    model.meta.instrument.name = "NIRCAM"
    model.meta.observation.date = "2026-01-02"
    model.meta.date = Time("2026-01-02T03:04:05").isot
    model.meta.wcs = sky_wcs()
    model.history.append(f"made for {name}")
    return model


def made(directory: Path) -> list[Path]:
    """Files with images, tables, slits of several versions, and compressed HDUs."""
    random = np.random.default_rng(4)
    image = datamodels.ImageModel((64, 96))
    image.data = random.normal(size=(64, 96)).astype("f4")
    image.dq = random.integers(0, 2**32, (64, 96), dtype="u4")
    image.err = random.normal(size=(64, 96)).astype("f4")
    cube = datamodels.CubeModel((3, 8, 9))
    cube.data = random.normal(size=(3, 8, 9)).astype("f4")
    spectra = datamodels.MultiSpecModel()
    for number in range(3):
        table = np.zeros(20 + number, datamodels.SpecModel().get_dtype("spec_table"))
        table["WAVELENGTH"], table["FLUX"] = np.linspace(1, 5, 20 + number), random.normal(size=20 + number)
        spectrum = datamodels.SpecModel(spec_table=table)
        spectra.spec.append(spectrum)
    slits = datamodels.MultiSlitModel()
    for number in range(3):
        slit = datamodels.SlitModel((4 + number, 7))
        slit.data = random.normal(size=(4 + number, 7)).astype("f4")
        slit.name = f"slit {number}"
        slits.slits.append(slit)
    paths = []
    for name, model in {"image": image, "cube": cube, "spectra": spectra, "slits": slits}.items():
        path = directory / f"jw_{name}.fits"
        described(model, name).save(path)
        paths.append(path)
    packed = directory / "jw_image.fits.gz"
    packed.write_bytes(gzip.compress(paths[0].read_bytes()))
    return [*paths, *(with_tiles(path) for path in paths if path.name != "jw_spectra.fits"), packed]


def with_tiles(path: Path) -> Path:
    """Writes a product again with tile-compressed images, which hold the same pixels."""
    tiles = path.with_name(path.name.replace("jw_", "jw_tiles_"))
    with fits.open(path) as opened:
        hdus = fits.HDUList([opened[0]])
        for one in opened[1:]:
            if isinstance(one, fits.ImageHDU) and one.data is not None:
                kind = "GZIP_2" if one.data.dtype.kind == "f" else "RICE_1"
                one = fits.CompImageHDU(one.data, one.header, compression_type=kind, quantize_level=0)
            hdus.append(one)
        hdus.writeto(tiles)
    with fits.open(tiles, disable_image_compression=True) as opened:
        assert any("ZIMAGE" in one.header for one in opened)
    # The hash says that the tree is newer than the cards.
    with fits.open(tiles) as opened, asdfkit.open(tiles, "r+") as file:
        file["_fits_hash"] = fits_hash(opened)
        file.save()
    return tiles


def pairs(ours, theirs, path=""):
    """Yields the arrays of both trees, and what stands at other places."""
    if isinstance(theirs, dict):
        for key, value in theirs.items():
            if key not in ("asdf_library", "extra_fits", "filename", "history", "wcs"):
                yield from pairs(ours[key], value, f"{path}/{key}")
    elif isinstance(theirs, (list, tuple)):
        for number, value in enumerate(theirs):
            yield from pairs(ours[number], value, f"{path}/{number}")
    else:
        yield path, ours, theirs


def same(ours, theirs) -> bool:
    if not hasattr(theirs, "dtype"):
        return True if ours is None or theirs is None else str(ours) == str(theirs)
    ours, theirs = np.asarray(ours[...]), np.asarray(theirs)
    if theirs.dtype.names:
        return all(same(ours[name], theirs[name]) for name in theirs.dtype.names)
    if theirs.dtype.kind == "U":
        ours = np.char.decode(ours, "ascii")
    return ours.shape == theirs.shape and bool(np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind in "fc"))


def compare(path: Path) -> list[str]:
    """Arrays that differ from those of stdatamodels."""
    problems, arrays = [], 0
    with datamodels.open(path) as model, asdfkit.open(path) as file:
        problems += [str(finding) for finding in file.report()]
        for place, ours, theirs in pairs(file, model._instance):
            arrays += hasattr(theirs, "dtype")
            if not same(ours, theirs):
                problems.append(f"{path.name}{place}: {ours!r} is not {theirs!r}")
    return problems if arrays else [f"{path.name}: no arrays"]


def edit(path: Path) -> list[str]:
    """What stdatamodels does not see of our edits. Compressed images are not changed."""
    problems, has_image = [], path.name == "jw_image.fits"
    with fits.open(path) as opened:
        names = [one.name for one in opened]
    for step, mode in enumerate(("whole", "auto", "in_place")):
        value = f"TARGET {step}"
        with asdfkit.open(path, "r+") as file:
            file["meta"]["instrument"]["name"] = value
            if has_image and not step:
                file["data"][:2, :2] = 7
                file.save()
            try:
                file.save(save_mode=mode)
            except asdfkit.AsdfError as error:
                problems += [] if mode == "in_place" else [str(error)]
                continue
        with datamodels.open(path) as model:
            found = model.meta.instrument.name
            if found != value:
                problems.append(f"{path.name}: {found} instead of {value}")
            if has_image and not (model.data[:2, :2] == 7).all():
                problems.append(f"{path.name}: the region was not written")
        with fits.open(path, checksum=True) as opened:
            opened.verify("exception")
            if [one.name for one in opened] != names:
                problems.append(f"{path.name}: other HDUs")
    return problems + compare(path)


def extract(path: Path, directory: Path) -> list[str]:
    """Arrays of the ASDF file that Python asdf does not read as stdatamodels reads the product."""
    plain, again = directory / f"{path.name}.asdf", directory / f"again_{path.name.removesuffix('.gz')}"
    with asdfkit.open(path) as file:
        file.write(plain, replace=True)
    with asdfkit.open(plain) as file:
        file.write(again, replace=True, container="fits")
    problems = []
    with datamodels.open(path) as model, asdf.open(plain) as found, datamodels.open(again) as back:
        for place, ours, theirs in pairs(found.tree, model._instance):
            if hasattr(theirs, "dtype") and not same(ours, theirs):
                problems.append(f"{plain.name}{place}: {ours!r} is not {theirs!r}")
        if type(back) is not type(model):
            problems.append(f"{again.name}: {type(back)} instead of {type(model)}")
        if back.meta.instrument.name != model.meta.instrument.name:
            problems.append(f"{again.name}: {back.meta.instrument.name}")
    return problems


def sample(path: Path) -> list[str]:
    """A file of an old version of asdf: what astropy reads of its HDUs."""
    problems = []
    with fits.open(path) as opened, asdfkit.open(path) as file:
        for place, ours, _ in pairs(file, dict(file)):
            if hasattr(ours, "dtype") and not any(same(ours, one.data) for one in opened if one.data is not None):
                problems.append(f"{path.name}{place}: {ours!r}")
    if path.suffix == ".fits":
        with asdfkit.open(path, "r+") as file:
            file["added"] = "x" * 5000
            file.save()
        with asdfkit.open(path) as file:
            problems += [] if file["added"] == "x" * 5000 else [f"{path.name}: not edited"]
    return problems


def dataset(path: Path, directory: Path) -> list[str]:
    """A dataset of dkist, which lists FITS files. An external array of the standard for each of them is the frame that dkist
    reads.
    """
    frames = dkist.Dataset.from_asdf(path)
    expected = frames.data.compute()
    manager = frames.files
    folder = directory / path.stem
    shutil.copytree(path.parent, folder)
    with asdfkit.open(path) as file:
        listed = file["dataset"]["data"]
        names, shape, target = (listed[key] for key in ("fileuris", "shape", "target"))
        nodes = [
            f"- !core/externalarray-1.0.0 {{fileuri: {name}, target: {target}, datatype: {listed['datatype']}, "
            f"shape: {list(shape)}}}\n"
            for name in names
        ]
    if len(nodes) != manager.fileuri_array.size:
        return [f"{path.name}: {len(nodes)} files instead of {manager.fileuri_array.size}"]
    head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nframes:\n"
    (folder / "frames.asdf").write_text(head + "".join(nodes) + "...\n")
    with asdfkit.open(folder / "frames.asdf", access="same_directory") as file:
        found = np.concatenate([frame[...].ravel() for frame in file["frames"]]).reshape(expected.shape)
    return [] if np.array_equal(found, expected, equal_nan=True) else [f"{path.name}: other frames"]


def speed(directory: Path) -> list[str]:
    """Opens a product of 100 MB and reads a scalar, beside astropy and stdatamodels."""
    path = directory / "jw_large.fits"
    model = described(datamodels.ImageModel((3000, 3000)), "speed")
    model.data, model.err, model.dq = (np.ones((3000, 3000), code) for code in ("f4", "f4", "u4"))
    model.save(path)

    def ours():
        with asdfkit.open(path) as file:
            return file["meta"]["telescope"]

    def theirs():
        with datamodels.open(path) as opened:
            return opened.meta.telescope

    def cards():
        with fits.open(path) as opened:
            return opened[0].header["TELESCOP"]

    seconds = {}
    for work in (ours, theirs, cards):
        times = []
        for _ in range(20):
            start = time.perf_counter()
            assert work() == "JWST"
            times.append(time.perf_counter() - start)
        seconds[work.__name__] = min(times)
    print(
        f"{path.stat().st_size / 1e6:.0f} MB, a scalar:", ", ".join(f"{k} {v * 1e3:.2f} ms" for k, v in seconds.items())
    )
    return [] if seconds["ours"] <= MOST else [f"opening takes {seconds['ours'] * 1e3:.2f} ms"]


def main() -> int:
    warnings.simplefilter("ignore")
    directory = Path(sys.argv[1])
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    asdfkit.formats.load()
    paths = made(directory)
    problems = [compare(path) for path in paths]
    problems += [extract(path, directory) for path in paths]
    problems += [edit(path) for path in paths if path.suffix == ".fits"]
    problems += [sample(Path(path)) for path in sys.argv[2:]]
    of_dkist = Path(dkist.__file__).parent / "data" / "test"
    names = ("EIT/eit_test_dataset.asdf", "small_visp/test_visp.asdf")
    problems += [dataset(of_dkist / name, directory) for name in names]
    problems += [speed(directory)]
    for found in problems:
        print(*found, sep="\n", end="\n" if found else "")
    failed = sum(map(bool, problems))
    print(f"{len(problems) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
