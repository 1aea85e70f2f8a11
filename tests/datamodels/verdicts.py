"""Compares the verdict on each file with that of Python asdf: by the schemas of rad, gwcs and astropy, and after changes
that make most of them invalid.
"""

import io
import random
import re
import sys
import time
import warnings
from pathlib import Path

import asdf
import asdfkit

import yaml

CHANGES = 120


def expected(tree, standard) -> bool | None:
    """Whether Python asdf finds a tagged tree valid; None if it fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            asdf.schema.validate(tree, asdf.AsdfFile(version=standard), reading=True)
        except asdf.ValidationError:
            return False
        except Exception:
            return None
    return True


def changed(lines):
    """Lines of a tree with another value in one of them."""
    places = [index for index, line in enumerate(lines) if re.match(r" *[\w-]+: [^&*!|>]", line)]
    index = random.choice(places)
    key = lines[index].partition(": ")[0]
    value = random.choice(["5", "x", "[]", "{}", "null", "1.5", "true", "2020-01-01T00:00:00"])
    return [*lines[:index], f"{key}: {value}", *lines[index + 1 :]]


def main() -> int:
    random.seed(3)
    schemas = asdfkit.Schemas()
    passed = failed = 0
    seconds = [0.0, 0.0]
    for path in sys.argv[1:]:
        data = Path(path).read_bytes()
        start, end = data.find(b"%YAML"), data.find(b"\n...")
        head, lines = data[:start].decode(), data[start:end].decode().splitlines()
        standard = re.search(r"#ASDF_STANDARD (\S+)", head)[1]
        for trial in range(CHANGES):
            text = "\n".join(changed(lines) if trial else lines) + "\n...\n"
            try:
                tree = yaml.load(text, Loader=asdf.yamlutil.AsdfLoader)
                file = asdfkit.open(io.BytesIO((head + text).encode()))
            except Exception:
                continue
            times = [time.perf_counter()]
            wanted = expected(tree, standard)
            times.append(time.perf_counter())
            found = not [finding for finding in file.validate(schemas) if finding.severity == "error"]
            times.append(time.perf_counter())
            # The first trial of a file compiles schemas.
            if trial:
                seconds = [seconds[0] + times[1] - times[0], seconds[1] + times[2] - times[1]]
            if wanted is None or wanted == found:
                passed += 1
            else:
                failed += 1
                print(f"{path}: Python asdf says {wanted}, this library {found}:\n{text}")
    print(f"Python asdf took {seconds[0] / seconds[1]:.0f} times as long")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
