"""Every file of the corpora that Python asdf reads gives the same values, dtypes and masks."""

import re
import warnings
from pathlib import Path

import asdf
import pytest
from compare import differences
from conftest import folder

import asdfkit

#: Parts of the names of samples where Python asdf deviates from the standard, or reads what the standard forbids.
DEVIATIONS = [
    r"/bad_|_bad_|out_of_range|truncated|duplicate_names|without_datatype|two_stars|star_not_first",  # damage
    r"alloc_lt_used|streamed_compressed",  # damage that the library finds when it opens the file
    r"inline/infer_null|inline/explicit_record_nested|masks/(broadcast_row|ref)\.",  # masks and records
    r"exploded/(missing_file|no_block_in_target)|refs/",  # references, which asdf follows only on request
    r"yaml/(key_float|key_null|keys)\.",  # keys that are no text, and 1 and True in one mapping
    r"yaml/scalar_resolution\.",  # nanoseconds, which asdf cuts off
    r"reports/float_key\.",  # keys that the package does not offer
    r"reports/inline_record_big\.",  # records in the tree, which asdf does not convert
    r"reports/k2_key_hex",  # a limit
    r"reports/zarr_internal\.",  # an array in chunks, which is a mapping without asdf-zarr
]


def files(variable: str) -> list[Path]:
    root = folder(variable)
    return sorted(root.rglob("*.asdf")) if root else []


def check(path: Path) -> list[str] | None:
    """Differences of one file; None if Python asdf refuses the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs = asdf.open(path, memmap=False, lazy_load=False)
        except Exception:
            return None
        try:
            ours = asdfkit.open(path, access="same_directory")
        except asdfkit.AsdfError as problem:
            return [f"refused: {problem}"]
        with theirs, ours:
            if not isinstance(theirs.tree, dict):
                return None
            tree = dict(theirs.tree)
            result = []
            for key, value in tree.items():
                if key in ("asdf_library", "history"):
                    continue
                try:
                    result += differences(ours[key], value, f"/{key}")
                except Exception as problem:
                    result.append(f"/{key}: {type(problem).__name__}: {problem}")
            return result


@pytest.mark.parametrize(
    ("variable", "least"), [("ASDFKIT_REFERENCE_FILES", 100), ("ASDFKIT_CORPORA", 200)], ids=["reference", "samples"]
)
def test_equal_to_python_asdf(variable, least):
    paths = files(variable)
    if not paths:
        pytest.skip(f"{variable} has no files")
    results = {path: check(path) for path in paths}
    known = re.compile("|".join(DEVIATIONS))
    wrong = {str(path): found for path, found in results.items() if found and not known.search(str(path))}
    compared = sum(found is not None for found in results.values())
    print(f"compared {compared} of {len(paths)} files")
    assert compared >= least
    assert not wrong, "\n".join(f"{path}: {text}" for path, found in wrong.items() for text in found[:3])
