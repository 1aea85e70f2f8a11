"""page: a file as one HTML page. Its structure is read by the parser of Python."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import asdf
import numpy as np
import pytest
from conftest import output, refused, run

VOID = {"meta", "input", "img", "br", "link"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style></details></ul><h1>x",
    "'; alert(1); '",
    "&lt;b&gt;",
    "\u202egnp.exe",
    "]]><!--",
]


class Page(HTMLParser):
    """Elements with their attributes and texts. Elements must be nested correctly."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        element = (tag, dict(attrs), [])
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, (tag, [element[0] for element in self.open])
        self.open.pop()

    def handle_data(self, data):
        for _, _, texts in self.open:
            texts.append(data)

    def all(self, tag, **attributes):
        """Elements of a tag with these attributes; `class_` is one of their classes."""
        wanted = attributes.pop("class_", None)
        for name, found, texts in self.elements:
            if name != tag or (wanted and wanted not in found.get("class", "").split()):
                continue
            if all(found.get(key) == value for key, value in attributes.items()):
                yield found, "".join(texts)

    def texts(self, tag, **attributes):
        return [text for _, text in self.all(tag, **attributes)]


def page_of(file, tmp_path, *options):
    target = tmp_path / "page.html"
    run("page", file, "--force", "-o", target, *options)
    text = target.read_text()
    return Page(text), text


def check_rules(page, text):
    """What holds for every page: nothing is loaded, the script is the only one, and people find their way."""
    addresses = re.findall(r'(?:src|href|action|srcset|data)="([^"]*)"', text)
    assert all(address.startswith(("data:image/png;base64,", "#")) for address in addresses), addresses
    assert not any(key.startswith("on") for _, found, _ in page.elements for key in found)
    scripts = page.texts("script")
    assert len(scripts) == 1
    policy = next(found["content"] for found, _ in page.all("meta") if found.get("http-equiv"))
    sum_ = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{sum_}'" in policy and "default-src 'none'" in policy
    assert next(page.all("html"))[0]["lang"] == "en" and len(page.texts("h1")) == 1 and len(page.texts("main")) == 1
    names = {found["name"]: found.get("content") for found, _ in page.all("meta") if "name" in found}
    assert "width=device-width" in names["viewport"] and names["color-scheme"] == "light dark"
    assert all(found.get("alt") for found, _ in page.all("img"))
    assert all(found.get("aria-label") for found, _ in page.all("svg"))
    labelled = {found.get("for") for found, _ in page.all("label")}
    assert all(found.get("id") in labelled or "filter" in found.get("class", "") for found, _ in page.all("input"))
    identities = [found["id"] for _, found, _ in page.elements if "id" in found]
    assert len(identities) == len(set(identities))


def test_a_page_shows_a_file(roman, tmp_path):
    page, text = page_of(roman, tmp_path)
    check_rules(page, text)
    assert page.texts("h1") == ["roman.asdf"]
    assert page.texts("h2") == ["Tree", "Layout", "Checks", "Description in NDL"]
    lines = page.texts("summary") + page.texts("div", class_="leaf")
    for expected in ["time 139.8 float", "temperature quantity", "data array, float32 [60, 80]", "count 8 integer"]:
        assert any(line.startswith(expected) for line in lines), (expected, lines)
    # An image with its limits, charts of lists, records as rows.
    assert "Image of roman/data" in [found["alt"] for found, _ in page.all("img")]
    assert len(page.texts("figure", class_="chart")) >= 4
    heads = [head for head in page.texts("th", scope="col")]
    assert {"id", "ra", "name", "position[0]"} <= set(heads)
    assert "f,g" in page.texts("td") and "masked: blue" in text and "not a number: magenta" in text
    blocks = [cells for cells in page.texts("th", scope="row")]
    assert len(blocks) == 7 and "zlib" in page.texts("td")
    assert any("No damage" in paragraph for paragraph in page.texts("p", class_="good"))
    assert any("ndarrays:" in block and "roman" in block for block in page.texts("pre"))
    assert output("page", roman, "-o", "-") == text
    refused("page", roman, "-o", tmp_path / "page.html", match="--force")
    refused("page", roman, "-o", roman, code=2, match="the file that is read")
    refused("page", tmp_path / "missing.asdf", "-o", tmp_path / "x.html")


def test_names_are_text(tmp_path):
    records = np.zeros(2, [(HOSTILE[0], "i4"), (HOSTILE[1], "U40")])
    records[HOSTILE[1]] = HOSTILE[2]
    tree = {name: {"value": name, "array": np.arange(6.0).reshape(2, 3)} for name in HOSTILE}
    tree |= {"records": records, "unit": asdf.tagged.TaggedDict({"x": HOSTILE[0]}, "tag:example.org:<script>-1.0.0")}
    path = tmp_path / "<img src=x>.asdf"
    made = asdf.AsdfFile(tree)
    made.add_history_entry(HOSTILE[0])
    made.write_to(path)
    page, text = page_of(path, tmp_path)
    check_rules(page, text)
    tags = {tag for tag, _, _ in page.elements}
    assert not tags & {"iframe", "object", "embed", "form", "link", "base"}
    assert len(page.texts("title")) - len(page.texts("svg")) >= 1 and page.texts("h1") == ["<img src=x>.asdf"]
    keys = page.texts("span", class_="key")
    assert all(name in keys or "\\u{202e}gnp.exe" in keys for name in HOSTILE)
    assert HOSTILE[0] in page.texts("li")[-1] or any(HOSTILE[0] in item for item in page.texts("li"))
    assert not any(key.startswith("on") for _, found, _ in page.elements for key in found)
    assert "\u202e" not in text


def test_tables(table, tmp_path):
    page, text = page_of(table, tmp_path, "--rows", "3")
    check_rules(page, text)
    assert page.texts("caption") == ["the first 3 rows, 4 columns"]
    assert len(page.texts("tr")) == 4 and page.texts("td", class_="missing") == ["--"]
    assert [found["data-kind"] for found, _ in page.all("th", scope="col")] == ["number", "number", "text", "number"]
    assert "mJy" in page.texts("span", class_="unit")
    whole, _ = page_of(table, tmp_path)
    assert whole.texts("caption") == ["5 rows, 4 columns"]
    made = tmp_path / "table.asdf"
    run("convert", table, made)
    page, text = page_of(made, tmp_path)
    check_rules(page, text)
    assert "5 rows, 4 columns" in page.texts("caption")


def test_descriptions_and_notes(tmp_path):
    made = tmp_path / "file.asdf"
    asdf.AsdfFile({"a": {"//": "what it is", "b": 1}}).write_to(made)
    page, _ = page_of(made, tmp_path)
    assert "what it is" in page.texts("span", class_="meaning")
    model = tmp_path / "model.yaml"
    model.write_text("ndarrays: {a: {shape: [3], type: int8}}\n")
    page, text = page_of(model, tmp_path)
    check_rules(page, text)
    assert "int8" in page.texts("pre")[0]


def test_large_and_damaged_files(damaged, tmp_path):
    page, text = page_of(damaged, tmp_path)
    check_rules(page, text)
    assert any("damaged" in paragraph for paragraph in page.texts("p", class_="bad"))
    deep = value = {}
    for _ in range(200):
        value["x"] = value = {}
    many = tmp_path / "many.asdf"
    asdf.AsdfFile(
        {
            "deep": deep,
            "list": [{"x": index} for index in range(500)],
            "map": {f"k{index}": index for index in range(3000)},
        }
    ).write_to(many)
    page, text = page_of(many, tmp_path, "--nodes", "1200")
    check_rules(page, text)
    assert len(page.texts("li")) < 1600 and "… 400 more" in page.texts("li", class_="more")


@pytest.mark.parametrize("previews", [0, 2])
def test_previews_are_limited(roman, tmp_path, previews):
    page, _ = page_of(roman, tmp_path, "--previews", str(previews))
    assert len(page.texts("div", class_="preview")) == previews
