"""Chunked arrays in the notation of h5py: made, compressed, resized, appended to."""

from pathlib import Path

import numpy as np
import pytest

import asdfkit
from asdfkit import constants, errors

STEPS = np.arange(12 * 6 * 5, dtype="f4").reshape(12, 6, 5)


def test_an_array_grows(tmp_path: Path) -> None:
    path = tmp_path / "run.asdf"
    file = asdfkit.new()
    heat = file.create_array("run/heat", (0, 6, 5), "f4", maxshape=(None, 6, 5), compression="zlib")
    assert heat.shape == (0, 6, 5)
    assert heat.chunks[1:] == (6, 5) and heat.chunks[0] > 1
    assert heat.maxshape == (None, None, None)
    file.write(path)
    with asdfkit.open(path, mode="r+") as file:
        for number, step in enumerate(STEPS):
            file["run/heat"].append(step)
            file.save()
            with asdfkit.open(path) as reader:
                np.testing.assert_array_equal(reader["run/heat"][...], STEPS[: number + 1])
        file["run/heat"].resize(5, axis=0)
        file["run/heat"].resize((7, 6, 5))
        file.save()
    expected = np.concatenate([STEPS[:5], np.zeros((2, 6, 5), "f4")])
    with asdfkit.open(path) as file:
        np.testing.assert_array_equal(file["run/heat"][...], expected)
        with pytest.raises(IndexError):
            file["run/heat"].resize(5, axis=3)


@pytest.mark.parametrize("codec", ["", "zlib", "gzip", "bz2", "lz4", "zstd", "blosc"])
def test_codecs_of_zarr(tmp_path: Path, codec: str) -> None:
    path = tmp_path / "x.asdf"
    numbers = np.arange(1000, dtype="i4").reshape(20, 50)
    file = asdfkit.new()
    filters = ["delta", "shuffle"]
    made = file.create_array("z", data=numbers, chunks=(8, 16), chunk_codec=codec, chunk_filters=filters, threads=2)
    assert made.chunks == (8, 16)
    metadata = file["z"]._node.node(".zarray")
    assert [entry["id"] for entry in metadata["filters"]] == filters
    if codec:
        assert metadata["compressor/id"] == codec
    else:
        assert metadata["compressor"] is None
    file.write(path)
    with asdfkit.open(path, mode="r+") as file:
        file["z"][3:9, 5:40] = -7
        file.save()
    numbers[3:9, 5:40] = -7
    with asdfkit.open(path) as file:
        np.testing.assert_array_equal(file["z"][...], numbers)


def test_arrays_of_zeros_store_no_chunks(tmp_path: Path) -> None:
    file = asdfkit.new()
    array = file.create_array("big", (1 << 20, 1 << 10), "f8", chunks=True)
    assert array.chunk_shape is not None and np.prod(array.chunk_shape) * 8 <= 1 << 20
    array[5, 7:9] = [1.5, 2.5]
    file.write(tmp_path / "big.asdf")
    assert (tmp_path / "big.asdf").stat().st_size < 4 << 20
    with asdfkit.open(tmp_path / "big.asdf") as file:
        assert file["big"][5, 6:10].tolist() == [0.0, 1.5, 2.5, 0.0]
    plain = asdfkit.new().create_array("plain", data=[1, 2, 3])
    assert plain.chunk_shape is None and plain.chunks == (3,) and plain.maxshape == (3,)


def test_wrong_chunks_are_refused() -> None:
    file = asdfkit.new()
    with pytest.raises(ValueError, match="maxshape"):
        file.create_array("z", (4, 4), maxshape=(2, 4))
    with pytest.raises(TypeError, match="shape"):
        file.create_array("z")
    for options in [{"chunks": (2,)}, {"chunk_codec": "zlib"}, {"chunks": (2, 2), "chunk_codec": "zip"}]:
        with pytest.raises(errors.UsageError) as caught:
            file.create_array("z", (4, 4), **options)
        assert caught.value.status == constants.Status.INVALID_ARGUMENT
    assert "z" not in file
