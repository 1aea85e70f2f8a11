"""Pages of files in Chromium. A script that is added to a copy of a page uses it and writes down what it sees."""

import html
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import asdf
import numpy as np
import pytest
from conftest import run
from test_file_page import HOSTILE

SCREENSHOTS = Path(os.environ["ASDFKIT_SCREENSHOTS"])
SIZES = {"wide": (1280, 1600), "narrow": (390, 1600)}
# Runs after the script of the page.
USE = """
(() => {
  const seen = {};
  const press = (key, target) =>
    (target || document.activeElement).dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const text = () => document.activeElement.textContent.split(" ")[0];
  const type = (field, value) => { field.value = value; field.dispatchEvent(new Event("input")); };
  seen.fired = window.fired === true;
  seen.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const search = document.getElementById("search");
  if (search) {
    press("/", document.body);
    seen.focus = document.activeElement.id;
    type(search, "exposure");
    seen.found = document.getElementById("found").textContent;
    const shown = () => [...document.querySelectorAll("#nodes .key")].filter(key => key.checkVisibility()).map(key => key.textContent);
    seen.shown = shown();
    press("Escape", search);
    seen.all = shown().length;
    document.querySelector("#nodes summary").focus();
    press("Home");
    seen.walk = [text()];
    for (const key of ["ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowUp"]) {
      press(key);
      seen.walk.push(text());
    }
    document.getElementById("close").click();
    seen.closed = shown().length;
    document.getElementById("open").click();
    seen.opened = shown().length;
  }
  seen.tables = [...document.querySelectorAll(".rows")].map((part) => {
    const column = index => [...part.querySelectorAll("tbody tr")].filter(row => !row.hidden).map(row => row.cells[index].textContent);
    const buttons = [...part.querySelectorAll("th button")];
    const orders = buttons.map((button, index) => [0, 1].map(() => {
      button.click();
      return [button.parentElement.getAttribute("aria-sort"), column(index)];
    }));
    type(part.querySelector(".filter"), "b C");
    return {orders, filtered: column(0)};
  });
  document.body.textContent = JSON.stringify(seen);
})();
"""


def chromium(*options):
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", "--enable-logging=stderr", "--v=0", *options]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)


def used(page, width=1280):
    """What the added script sees. The policy of the page would not let it run."""
    text = page.read_text()
    text = re.sub(
        r'<meta http-equiv="Content-Security-Policy"[^>]*>',
        "<script>window.alert = () => { window.fired = true; };</script>",
        text,
    )
    copy = page.with_name("used.html")
    copy.write_text(text.replace("</body>", f"<script>{USE}</script></body>"))
    dumped = chromium(f"--window-size={width},1600", "--virtual-time-budget=5000", "--dump-dom", copy.as_uri()).stdout
    return json.loads(html.unescape(re.search(r"<body[^>]*>(\{.*\})\s*</body>", dumped, re.DOTALL)[1]))


def page_of(file, tmp_path):
    page = tmp_path / "page.html"
    run("page", file, "--force", "-o", page)
    return page


def photograph(page, name):
    """Photographs a page in all sizes and themes; its own policy lets its script run."""
    for size, (width, height) in SIZES.items():
        for theme, scheme in (("light", 1), ("dark", 0)):
            file = SCREENSHOTS / f"{name}-{size}-{theme}.png"
            look = f"--blink-settings=preferredColorScheme={scheme}"
            told = chromium(look, f"--window-size={width},{height}", f"--screenshot={file}", page.as_uri()).stderr
            assert file.exists() and "Content Security Policy" not in told and "Uncaught" not in told, told


def test_a_tree_is_used_by_keys(roman, tmp_path):
    page = page_of(roman, tmp_path)
    photograph(page, "roman")
    seen = used(page)
    assert seen["focus"] == "search" and seen["found"] == "1 node found" and not seen["fired"]
    assert seen["shown"][-4:] == ["count", "good", "note", "time"] or "exposure" in seen["shown"]
    assert "telescope" not in seen["shown"] and seen["closed"] < seen["all"] <= seen["opened"]
    # Down to the first branch; it closes, opens, its first child, back to it; the last line, the one above.
    first = seen["walk"]
    assert first[0] == "/" and first[1] == first[2] == first[3] == first[5] != first[4]
    assert len(set(first[6:])) == 2


@pytest.mark.parametrize("size", SIZES)
def test_pages_fit_the_window(roman, table, tmp_path, size):
    for file in (roman, table):
        assert used(page_of(file, tmp_path), SIZES[size][0])["overflow"] <= 0


def test_tables_are_sorted_and_filtered(table, tmp_path):
    page = page_of(table, tmp_path)
    photograph(page, "table")
    (seen,) = used(page)["tables"]
    up, down = seen["orders"][1]
    # Missing cells and NaN stay at the end.
    assert up == ["ascending", ["1.5", "2.5", "4.5", "NaN", "--"]]
    assert down == ["descending", ["4.5", "2.5", "1.5", "NaN", "--"]]
    assert seen["orders"][0][1][1] == ["4", "3", "2", "1", "0"]
    assert seen["filtered"] == ["1"]


def test_hostile_names_do_nothing(tmp_path):
    records = np.zeros(3, [(HOSTILE[0], "i4"), (HOSTILE[1], "U40")])
    records[HOSTILE[1]] = HOSTILE[1]
    tree = {name: {"value": name, "array": np.arange(6.0).reshape(2, 3)} for name in HOSTILE}
    file = tmp_path / "<img src=x onerror=alert(1)>.asdf"
    asdf.AsdfFile(tree | {"records": records}).write_to(file)
    page = page_of(file, tmp_path)
    photograph(page, "hostile")
    seen = used(page)
    assert not seen["fired"] and seen["tables"][0]["orders"][0][0][0] == "ascending"
