"""Compares each time, unit, quantity, table and coordinate of files with what Python asdf reads: compare.py FILE…

Python asdf needs no package of the files: a node with a tag that it does not know is a mapping.
"""

import sys
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence

import asdf
import asdfkit
import astropy.units as u
import numpy as np
from astropy import coordinates
from astropy.table import Table
from astropy.time import Time, TimeDelta

COORDINATES = (
    coordinates.SkyCoord,
    coordinates.BaseCoordinateFrame,
    coordinates.BaseRepresentationOrDifferential,
    coordinates.EarthLocation,
)


def equal_columns(ours, theirs) -> bool:
    """Whether two columns have the same values; a NaN equals a NaN."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    return np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind in "fc")


def problem_of(ours, theirs) -> str | None:
    """What differs between two objects of astropy; None if they are equal."""
    if type(ours) is not type(theirs):
        return f"a {type(ours).__name__} instead of a {type(theirs).__name__}"
    if isinstance(theirs, (Time, TimeDelta)):
        equal = (ours.scale, ours.format) == (theirs.scale, theirs.format) and np.all(
            (ours.jd1 == theirs.jd1) & (ours.jd2 == theirs.jd2)
        )
    elif isinstance(theirs, u.UnitBase):
        equal = ours == theirs
    elif isinstance(theirs, u.Quantity):
        equal = ours.unit == theirs.unit and np.array_equal(ours.value, theirs.value, equal_nan=True)
    elif isinstance(theirs, Table):
        equal = ours.colnames == theirs.colnames and all(
            equal_columns(ours[name], theirs[name]) and ours[name].unit == theirs[name].unit for name in theirs.colnames
        )
    else:
        equal = repr(ours) == repr(theirs)
    return None if equal else f"{ours!r} instead of {theirs!r}"


def differences(ours, theirs, path: str, counts: Counter, above: tuple[int, ...] = ()):
    """Yields differences between two trees."""
    if id(theirs) in above:
        return
    above = (*above, id(theirs))
    if isinstance(theirs, (Time, TimeDelta, u.UnitBase, u.Quantity, Table, *COORDINATES)):
        counts[next(base.__name__ for base in type(theirs).__mro__ if base.__module__.startswith("astropy"))] += 1
        problem = problem_of(ours, theirs)
        if problem:
            yield f"{path}: {problem}"
    elif isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        for key, value in theirs.items():
            if path or key not in ("asdf_library", "history"):
                yield from differences(ours[key], value, f"{path}/{key}", counts, above)
    elif isinstance(theirs, Sequence) and not isinstance(theirs, (str, bytes)) and isinstance(ours, Sequence):
        for index, value in enumerate(theirs):
            yield from differences(ours[index], value, f"{path}/{index}", counts, above)


def main() -> None:
    warnings.simplefilter("ignore")
    failures, counts = 0, Counter()
    for path in sys.argv[1:]:
        with asdf.open(path, lazy_load=False, memmap=False, ignore_unrecognized_tag=True) as theirs:
            for problem in differences(asdfkit.open(path), theirs.tree, "", counts):
                print(f"{path}: {problem}")
                failures += 1
    print(f"compared in {len(sys.argv) - 1} files: {dict(counts)}; {failures} differences")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
