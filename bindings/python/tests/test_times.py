"""Points in time as datetime64 of NumPy."""

import datetime
import io

import asdf
import numpy as np
import pytest
from astropy import table as astropy_table
from astropy import time as astropy_time

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


def test_julian_dates_are_rounded_on_demand():
    file = asdfkit.new()
    file["all"] = astropy_time.Time([2461408.543091707, 2461408.25], format="jd")
    with pytest.raises(asdfkit.AsdfError, match=r"times\(rounded=True\) reads the nearest nanosecond"):
        file.times("all")
    with pytest.raises(TypeError, match=r"set it by file\[path\] = time"):
        file.set_times("all", astropy_time.Time("2027-01-01"))
    exact = file["all"].to_value("datetime64")
    np.testing.assert_array_equal(file.times("all", rounded=True), exact)


MOMENTS = ["2027-01-03T01:02:03.123456789", "2027-01-03T01:02:03.987654321"]


@pytest.mark.parametrize("name", sorted(astropy_time.Time.FORMATS))
def test_objects_of_astropy_lose_nothing_in_any_format(name):
    """Python asdf reads the same moments, scalars, arrays and columns of tables, up to half of the last decimal."""
    if name in ("astropy_time", "local"):
        pytest.skip("no format of a value")
    moments = astropy_time.Time(astropy_time.Time(MOMENTS, scale="tai"), format=name)
    masked = moments.copy()
    masked[1] = np.ma.masked
    file = asdfkit.new()
    file["one"], file["all"], file["masked"] = moments[0], moments, masked
    file["table"] = astropy_table.QTable({"all": moments, "masked": masked})
    with asdf.open(io.BytesIO(file.to_bytes())) as read:
        found = [(read["one"], moments[0]), (read["all"], moments), (read["masked"][0], moments[0])]
        found += [(read["table"]["all"], moments), (read["table"]["masked"][0], moments[0])]
        for time, wanted in found:
            assert np.all(np.abs((time - wanted).to_value("ns")) < 0.5001)
            assert time.scale == "tai"
    again_read = again(file)
    np.testing.assert_array_equal(again_read["masked"].mask, [False, True])
    assert np.all(np.abs((again_read["all"] - moments).to_value("ns")) < 0.5001)
