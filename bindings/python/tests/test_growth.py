"""Arrays that grow: Python asdf reads each step after its save."""

from pathlib import Path

import asdf
import numpy as np
import pytest

import asdfkit

STEPS = np.arange(12 * 5 * 7, dtype="float32").reshape(12, 5, 7)


@pytest.mark.parametrize("storage", ["internal", "streamed", "chunked"])
@pytest.mark.parametrize("first", [0, 3])
def test_each_step_is_read(tmp_path: Path, storage: str, first: int) -> None:
    path = tmp_path / "series.asdf"
    new = asdfkit.new()
    new["meta"] = {"model": "ocean"}
    if storage == "chunked":
        new.set("field", STEPS[:first], chunks=[2, 5, 4])
    else:
        new.set("field", STEPS[:first], storage=storage)
    new.write(path)
    with asdfkit.open(path, "r+") as file:
        field = file["field"]
        for now in range(first, 10):
            field.append(STEPS[now])
            assert field.shape == (now + 1, 5, 7)
            file.save()
            with asdfkit.open(path) as read:
                np.testing.assert_array_equal(read["field"].read(), STEPS[: now + 1])
            if storage != "chunked":
                with asdf.open(path) as foreign:
                    np.testing.assert_array_equal(foreign["field"], STEPS[: now + 1])
                    assert foreign["meta"]["model"] == "ocean"
        field.append(STEPS[10:].astype("float64"))
        with pytest.raises(ValueError, match="do not fit"):
            field.append(STEPS[0, :4])
    with asdfkit.open(path) as read:
        np.testing.assert_array_equal(read["field"].read(), STEPS[:10])


def test_what_cannot_grow_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "series.asdf"
    asdfkit.write(path, {"field": STEPS, "last": np.zeros(3)})
    with asdfkit.open(path, "r+") as file, pytest.raises(asdfkit.AsdfError, match="last block"):
        file["field"].append(STEPS[0])
