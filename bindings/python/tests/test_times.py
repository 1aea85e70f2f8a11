"""Points in time as datetime64 of NumPy."""

import datetime

import numpy as np
import pytest

import asdfkit
from asdfkit.constants import Status


def again(file: asdfkit.File) -> asdfkit.File:
    return asdfkit.open(file.to_bytes())


def test_times_come_back_as_datetime64():
    times = np.array(
        [["2027-01-31T04:05:06.123456789", "1999-12-31"], ["NaT", "2016-12-31T23:59:59"]], "datetime64[ns]"
    )
    file = asdfkit.new()
    file.set_times("all", times)
    file.set_times("one", np.datetime64("2017-01-01"))
    file.set_times("python", datetime.datetime(2017, 1, 1, 0, 0, 0, 5), scale="tt")
    read = again(file)
    found = read.times("all")
    assert found.dtype == "datetime64[ns]"
    np.testing.assert_array_equal(found, times)
    assert read.times("one") == np.datetime64("2017-01-01")
    assert read.times("one", "tai") == np.datetime64("2017-01-01T00:00:37")
    assert read.times("python", "tt") == np.datetime64("2017-01-01T00:00:00.000005")


def test_what_is_no_nanosecond_is_refused():
    file = asdfkit.new()
    file["leap"] = asdfkit.Time("2016-12-31T23:59:60.5")
    file.set_times("tdb", np.datetime64("2017-01-01"), scale="tdb")
    assert file.times("leap", "tai") == np.datetime64("2017-01-01T00:00:36.5")
    for path, scale, status in (
        ("leap", "utc", Status.OUT_OF_RANGE),
        ("tdb", "utc", Status.UNSUPPORTED),
        ("none", "utc", Status.NOT_FOUND),
    ):
        with pytest.raises(asdfkit.AsdfError) as problem:
            file.times(path, scale)
        assert problem.value.status == status
    with pytest.raises(ValueError, match="scale"):
        file.times("leap", "UTC")
    with pytest.raises(OverflowError):
        file.set_times("far", np.datetime64("9999-01-01"))
    with pytest.raises(ValueError):
        file.set_times("text", "never")
