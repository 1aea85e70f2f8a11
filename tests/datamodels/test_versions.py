"""Files in every version of the standard: Python asdf opens each result, and finds the values of the original.

`test_versions.py FILE…` checks these files; without arguments it checks a sample.
"""

import io
import re
import sys
import unittest
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import asdf
import asdfkit
import numpy as np

STANDARDS = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"]
REFUSALS = asdfkit.AsdfError
SOURCE = Path(__file__).resolve().parents[2]
#: Tags and extensions of packages that have versions of their own for older standards. They stay as they are.
OTHERS = ("tag:stsci.edu:jwst_pipeline/", "asdf://stsci.edu/", "tag:sunpy.org", "asdf://dkist.nso.edu/")
PLAIN = "plain nodes at "


def opened(content: bytes) -> asdf.AsdfFile:
    return asdf.open(io.BytesIO(content), lazy_load=False, memmap=False, ignore_unrecognized_tag=True)


def shown(value) -> str:
    """The text of a value, without the addresses of functions."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def is_wcs(value) -> bool:
    return hasattr(type(value), "forward_transform")


def at(tree, path: str):
    """The part of a tree of YAML at a path."""
    for key in path.split("/")[1:]:
        tree = tree[int(key)] if isinstance(tree, list) else tree[key]
    return tree


def differences(found, expected, path: str, above: tuple[int, ...] = ()):
    """Yields the paths at which two trees differ."""
    if id(expected) in above:
        return
    above = (*above, id(expected))
    is_plain = getattr(found, "_tag", "").startswith(OTHERS) and type(found) is not type(expected)
    if is_plain and not isinstance(expected, Mapping):
        # Python does not know the extension in this version: the node is plain, with the values of the file.
        yield PLAIN + path
        return
    # Python asdf makes a tree of its own kind if a file has none.
    if isinstance(expected, Mapping) and isinstance(found, Mapping) and type(found) is not type(expected):
        found, expected = dict(found), dict(expected)
    if type(found) is not type(expected):
        yield f"{path}: a {type(found).__name__} instead of a {type(expected).__name__}"
    elif isinstance(expected, Mapping):
        # The history has another form before 1.2.0; its entries are compared on their own.
        skipped = set() if path else {"asdf_library", "history"}
        if other := (set(found) ^ set(expected)) - skipped:
            yield f"{path}: keys {other}"
        for key in (set(found) & set(expected)) - skipped:
            yield from differences(found[key], expected[key], f"{path}/{key}", above)
    elif isinstance(expected, Sequence) and not isinstance(expected, (str, bytes)):
        if len(found) != len(expected):
            yield f"{path}: {len(found)} items instead of {len(expected)}"
        for index, (one, other) in enumerate(zip(found, expected, strict=False)):
            yield from differences(one, other, f"{path}/{index}", above)
    elif hasattr(expected, "dtype") and hasattr(expected, "shape"):
        # A view of numpy for arrays of asdf; quantities and columns have a unit beside it.
        one, other = np.asarray(found), np.asarray(expected)
        same = one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
        if not same or getattr(found, "unit", None) != getattr(expected, "unit", None):
            yield f"{path}: {found!r} instead of {expected!r}"
        if np.any(np.ma.getmaskarray(found) != np.ma.getmaskarray(expected)):
            yield f"{path}: another mask"
    elif is_wcs(expected):
        if repr(found.pipeline) != repr(expected.pipeline):
            yield f"{path}: {found.pipeline!r} instead of {expected.pipeline!r}"
    elif shown(found) != shown(expected):
        yield f"{path}: {found!r} instead of {expected!r}"


def missing_extensions(file: asdf.AsdfFile) -> set[str]:
    """URIs of the extensions in the history that Python asdf does not have for this version of the standard."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        file._check_extensions(file.tree)
    found = (re.search(r"extension URI '([^']*)'.*not currently installed", str(one.message)) for one in caught)
    return {match[1] for match in found if match}


def check(name: str, content: bytes, counts: Counter):
    """Yields what is wrong with the versions of a file."""
    try:
        expected = opened(content)
    except Exception:
        counts["not read by Python"] += 1
        return
    if re.match(rb"#ASDF \S+\r?\n#ASDF_STANDARD \S+\r?\n", content) is None:
        counts["without a standard"] += 1
    try:
        asdfkit.open(content).close()
    except REFUSALS as refusal:
        counts["not read by this library"] += 1
        counts[str(refusal)[:110]] += 1
        expected.close()
        return
    known = missing_extensions(expected)
    with expected:
        for standard in STANDARDS:
            with asdfkit.open(content) as file:
                try:
                    made = file.to_bytes(as_standard=standard)
                except REFUSALS as refusal:
                    counts["refused"] += 1
                    if "standard" not in str(refusal):
                        yield f"{name} as {standard}: {refusal}"
                    counts[re.sub(r"^.*?: (the|since)", r"\1", str(refusal))[:110]] += 1
                    continue
            try:
                with opened(made) as found:
                    if found.version_string != standard:
                        yield f"{name} as {standard}: declares {found.version_string}"
                    missing = {uri for uri in missing_extensions(found) if not uri.startswith(OTHERS)}
                    if other := missing - known:
                        yield f"{name} as {standard}: Python asdf warns of {other}"
                    found_differences = list(differences(found.tree, expected.tree, ""))
                    entries = [[dict(entry) for entry in file.get_history_entries()] for file in (found, expected)]
                    found_differences += differences(*entries, "/history")
                    plain = [what for what in found_differences if what.startswith(PLAIN)]
                    if plain:
                        trees = [asdf.util.load_yaml(io.BytesIO(one)) for one in (made, content)]
                        places = [what.removeprefix(PLAIN) for what in plain]
                        same = [place for place in places if repr(at(trees[0], place)) == repr(at(trees[1], place))]
                        found_differences = [what for what in found_differences if what.removeprefix(PLAIN) not in same]
                        counts["with plain nodes"] += 1
                    wrong = [f"{name} as {standard}: {what}" for what in found_differences]
            except Exception as problem:
                wrong = [f"{name} as {standard}: {problem!r}"]
            counts["equal" if not wrong else "different"] += 1
            yield from wrong


def sample() -> list[Path]:
    reference = sorted((SOURCE / "build" / "reference_files").glob("1.[0256].0/*.asdf"))
    return reference + sorted((SOURCE / "tests" / "datamodels" / "files").glob("*.asdf"))


class Versions(unittest.TestCase):
    maxDiff = None

    def test_files_of_others(self):
        counts: Counter = Counter()
        wrong = [what for path in sample() for what in check(path.name, path.read_bytes(), counts)]
        self.assertEqual(wrong, [])
        self.assertGreater(counts["equal"], 300)

    def test_tags_of_manifests(self):
        """Each tag gets a version that an extension of Python has for the standard, unless there is none."""
        known: dict[str, dict[str, set[str]]] = {standard: {} for standard in STANDARDS}
        for extension in asdf.get_config().extensions:
            for definition in extension.tags:
                name, _, version = definition.tag_uri.rpartition("-")
                for standard in STANDARDS:
                    if standard in extension.asdf_standard_requirement:
                        known[standard].setdefault(name, set()).add(version)
        checked, wrong = 0, []
        for source in STANDARDS:
            for name in known[source]:
                # A history entry or the root are no nodes like others.
                if name.endswith(("core/asdf", "core/extension_metadata", "core/subclass_metadata")):
                    continue
                for version in known[source][name]:
                    head = f"#ASDF 1.0.0\n#ASDF_STANDARD {source}\n%YAML 1.1\n---\n"
                    value = "AB" if name.endswith("magunit") else "{}"
                    content = f"{head}v: !<{name}-{version}> {value}\n...\n".encode()
                    for standard in STANDARDS:
                        with asdfkit.open(content) as file:
                            try:
                                text = file.to_bytes(as_standard=standard).decode()
                            except REFUSALS as refusal:
                                other = name.replace("/table/", "/core/").replace("/core/core", "/core")
                                has_none = name not in known[standard] and other not in known[standard]
                                if not has_none and "is missing" not in str(refusal):
                                    wrong.append(f"{name} as {standard}: {refusal}")
                                continue
                        tag = re.search(r"v: !(?:<([^>]*)>|(\S+))", text)
                        new = tag[1] or "tag:stsci.edu:asdf/" + tag[2]
                        new_name, _, new_version = new.rpartition("-")
                        # The standard left these tags to extensions.
                        is_known = name.startswith("tag:stsci.edu:asdf/wcs/")
                        if not is_known and new_version not in known[standard].get(new_name, ()):
                            wrong.append(f"{name}-{version} from {source} as {standard}: {new}")
                        checked += 1
        self.assertEqual(wrong, [])
        self.assertGreater(checked, 5000)


def main(paths: list[str]) -> int:
    warnings.simplefilter("ignore")
    counts: Counter = Counter()
    failures = 0
    for path in paths:
        for what in check(path, Path(path).read_bytes(), counts):
            print(what[:400])
            failures += 1
    print(f"{len(paths)} files in {len(STANDARDS)} versions: {dict(counts)}")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else unittest.main())
