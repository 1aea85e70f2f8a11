"""Prints the coverage of each room of src, and the longest runs of lines that no test reaches: rooms.py COVERAGE.json"""

import itertools
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent / "src"
# Tests are no code to be reached.
TESTS = re.compile(r"(_test|/tests)\.rs$|/tests/")
SHOWN = 30


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".rs")


def unreached(segments: list[list]) -> list[tuple[int, int]]:
    """Runs of lines without an execution. A segment is [line, column, count, has count, is entry, is gap]."""
    runs = []
    for segment, end in itertools.pairwise(segments):
        if segment[3] and not segment[5] and segment[2] == 0:
            if runs and segment[0] <= runs[-1][1] + 1:
                runs[-1] = runs[-1][0], end[0]
            else:
                runs.append((segment[0], end[0]))
    return runs


def main(report: Path) -> None:
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    runs = []
    for file in json.loads(report.read_text())["data"][0]["files"]:
        path = Path(file["filename"])
        if not path.is_relative_to(SOURCE) or TESTS.search(str(path)):
            continue
        kinds = file["summary"]["lines"], file["summary"]["branches"]
        found = [kind[part] for kind in kinds for part in ("covered", "count")]
        for name in (room(path), "all"):
            sums[name] = [sum(pair) for pair in zip(sums[name], found)]
        runs += [(end - start, path.relative_to(SOURCE), start, end) for start, end in unreached(file["segments"])]
    for name, (lines, all_lines, branches, all_branches) in sorted(sums.items()):
        print(f"{name:12} {100 * lines / max(all_lines, 1):6.1f} % of {all_lines:6} lines", end="")
        print(f" {100 * branches / max(all_branches, 1):6.1f} % of {all_branches:6} branches")
    for _, path, start, end in sorted(runs, reverse=True)[:SHOWN]:
        print(f"not reached: {path}:{start}-{end}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
