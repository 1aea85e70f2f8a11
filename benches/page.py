"""Writes the table and the plot of docs/guide/performance.md from build/bench/results.json: `page.py`."""

import json
import re
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "guide" / "performance.md"
PLOT = ROOT / "docs" / "guide" / "performance.svg"
OURS, TWO_THREADS, MAPPED = "asdfkit", "2 threads", "mapped"
# Programs without a file format: what the machine or a codec can do.
LIMITS = ("pread", "map", "C codecs", "write")


def best(seconds: dict[str, float], names: set[str]) -> str | None:
    there = [name for name in seconds if name in names]
    return min(there, key=lambda name: seconds[name]) if there else None


def ratios(row: dict) -> dict[str, tuple[float, str]]:
    """Returns how many times as fast asdfkit is as the best library, as the best limit, and on two threads."""
    seconds = row["seconds"]
    ours = seconds.get(OURS)
    if not ours:
        return {}
    others = set(seconds) - {OURS, TWO_THREADS, MAPPED, *LIMITS}
    found = {}
    for kind, names in (("library", others), ("limit", set(LIMITS) - {"map"})):
        if name := best(seconds, names):
            found[kind] = (seconds[name] / ours, name)
    if TWO_THREADS in seconds:
        found["threads"] = (ours / seconds[TWO_THREADS], "")
    if MAPPED in seconds and "map" in seconds:
        found["mapped"] = (seconds["map"] / seconds[MAPPED], "")
    return found


def shown(ratio: float) -> str:
    """Returns a ratio with two digits, or as a whole number."""
    return f"{ratio:.2g}" if ratio < 99.5 else f"{ratio:.0f}"


def table(rows: list[dict]) -> str:
    """Returns the table of ratios in Markdown."""
    head = ["", "asdfkit", "to the best library", "to the limit", "mapped, to a map", "2 threads"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for row in rows:
        found = ratios(row)
        if not found:
            continue
        cells = [row["title"], row["shown"]]
        for kind in ("library", "limit", "mapped", "threads"):
            ratio, name = found.get(kind, (0, ""))
            cells.append(f"{shown(ratio)} × {name}".strip() if ratio else "–")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def plot(rows: list[dict]) -> None:
    """Draws how many times as fast asdfkit is as the best other library, for each workload."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "asdfkit"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    bars = [(row["title"], *ratios(row)["library"]) for row in reversed(rows) if "library" in ratios(row)]
    figure, axes = pyplot.subplots(figsize=(8, 0.26 * len(bars) + 1))
    colours = ["tab:blue" if ratio >= 1 else "tab:orange" for _, ratio, _ in bars]
    axes.barh([title for title, _, _ in bars], [ratio - 1 for _, ratio, _ in bars], left=1, color=colours)
    for place, (_, ratio, name) in enumerate(bars):
        axes.text(max(ratio, 1) * 1.05, place, f"{shown(ratio)} × {name}", va="center", fontsize=7)
    axes.set_xscale("log")
    smallest, largest = (pick(ratio for _, ratio, _ in bars) for pick in (min, max))
    axes.set_xlim(0.9 * min(smallest, 1), 4 * largest)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel("times as fast as the best other library")
    axes.tick_params(axis="y", labelsize=7)
    figure.tight_layout()
    figure.savefig(PLOT, metadata={"Date": None})


def main() -> None:
    results = json.loads((ROOT / "build" / "bench" / "results.json").read_text())
    text = f"{textwrap.fill(results['circumstances'], 120)}\n\n{table(results['rows'])}"
    begin, end = "<!-- figures -->\n", "<!-- end of figures -->"
    page = PAGE.read_text()
    PAGE.write_text(re.sub(f"{begin}.*{end}", lambda _: f"{begin}\n{text}\n{end}", page, flags=re.DOTALL))
    plot(results["rows"])


if __name__ == "__main__":
    main()
