"""foreign.py KEPT: Python asdf, and astropy for FITS, read the files that killed processes left, before any repair.

The subfolders are those that tests/crash/disturb.c keeps: "OPERATION, old" (or "in place"), "OPERATION, new" and one
for each kill. Where a new file replaces the old one, Python asdf must find the old or the new one, too. Where the
file is changed in place, Python asdf does not know the journal, so the results are only counted.
"""

import collections
import sys
import warnings
from pathlib import Path

import asdf
import numpy as np
from astropy.io import fits


def content(path: Path):
    """Returns the whole content of a file, arrays as their bytes. astropy reads FITS files."""
    if path.read_bytes()[:6] == b"SIMPLE":
        with fits.open(path, memmap=False) as hdus:
            hdus.verify("exception")
            return [(hdu.name, hdu.data if hdu.data is None else hdu.data.tobytes()) for hdu in hdus]
    with asdf.open(path, memmap=False, lazy_load=False) as file:
        return plain(dict(file.tree))


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "__array__"):
        array = np.asarray(value)
        return array.dtype.str, array.shape, array.tobytes()
    return str(value)


def main() -> int:
    warnings.simplefilter("ignore")
    kept = Path(sys.argv[1])
    passed = failed = 0
    for new in sorted(kept.glob("*, new")):
        operation = new.name.removesuffix(", new")
        in_place = (kept / f"{operation}, in place").is_dir()
        old = kept / f"{operation}, {'in place' if in_place else 'old'}"
        versions = {"new": content(new / "image.asdf"), "old": content(old / "image.asdf")}
        outcomes = collections.Counter()
        for folder in sorted(kept.glob(f"{operation}, killed *")):
            try:
                found = content(folder / "image.asdf")
                outcome = next((name for name, version in versions.items() if found == version), "mixed")
            except Exception as error:  # any exception of a reader
                outcome = f"error {type(error).__name__}"
            outcomes[outcome] += 1
            if outcome in versions or in_place:
                passed += 1
            else:
                failed += 1
                print(f"FAILED {folder.name}: {outcome}")
        print(f"{operation}: Python asdf finds {dict(sorted(outcomes.items()))}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
