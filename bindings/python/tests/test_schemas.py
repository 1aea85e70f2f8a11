"""Validation by schemas: the test suite of draft 4, regular expressions, and the verdict of Python asdf on files and on
changed trees.
"""

import copy
import io
import json
import os
import random
import re
import threading
import warnings
import zipfile
from pathlib import Path

import pytest
import yaml

import asdfkit

asdf = pytest.importorskip("asdf")
HEAD = "#ASDF 1.0.0\n#ASDF_STANDARD {}\n"
SUITE = Path(asdf.__file__).parent / "_jsonschema" / "json"
# Tests of the suite that demand what ASDF excludes: a key `$ref` with a string is a reference, whose target has no
# schema here; expressions are those of Python, not of ECMAScript.
NOT_OF_ASDF = {"ecmascript-regex.json"}


@pytest.fixture(scope="module")
def schemas() -> asdfkit.Schemas:
    return asdfkit.Schemas()


def in_yaml(value, **style) -> str:
    return yaml.safe_dump(value, default_flow_style=True, width=1 << 30, allow_unicode=True, sort_keys=False, **style)


def opened(value, standard="1.6.0"):
    text = HEAD.format(standard) + "%YAML 1.1\n---\n" + in_yaml({"value": value}) + "...\n"
    return asdfkit.open(io.BytesIO(text.encode()))


def errors(findings):
    return [finding for finding in findings if finding.severity == "error"]


def verdict(all, schema, value) -> bool:
    """Whether a value matches a schema, which is a part of the schema of the root."""
    with opened(value) as file:
        return not errors(file.validate(all, schema))


def below(schema, uri="http://example.org/root"):
    """A schema of the root for a value below it, and the schema of the value."""
    return {"id": uri, "properties": {"value": {"$ref": schema}}}


def test_the_suite_of_draft_4():
    remotes = {}
    for path in sorted((SUITE / "remotes").rglob("*.json")):
        name = path.relative_to(SUITE / "remotes").as_posix()
        if not name.startswith(("draft", "v1")) or name.startswith("draft4"):
            document = json.loads(path.read_text())
            if isinstance(document, dict):
                remotes[f"http://localhost:1234/{name}"] = document
    passed = 0
    for path in sorted((SUITE / "tests" / "draft4").rglob("*.json")):
        if path.name in NOT_OF_ASDF or "format" in path.parts:
            continue
        for group in json.loads(path.read_text()):
            all = asdfkit.Schemas([])
            for uri, document in remotes.items():
                all.add(in_yaml({"id": uri, **document}))
            uri = all.add(in_yaml(group["schema"]))
            root = all.add(below(uri))
            for test in group["tests"]:
                what = f"{path.name}: {group['description']}: {test['description']}"
                assert verdict(all, root, test["data"]) == test["valid"], what
                passed += 1
    assert passed > 500


def random_pattern(depth: int = 0) -> str:
    """A regular expression that Python may accept."""
    parts = []
    for _ in range(random.randrange(1, 4)):
        kind = random.randrange(12)
        if kind < 5:
            parts.append(random.choice(["a", "b", "é", "1", ".", r"\d", r"\w", r"\s", r"\W", r"\.", " ", "_"]))
        elif kind == 5:
            parts.append(random.choice(["[ab]", "[^a]", r"[\d_]", "[a-c1-3]", "[]a]", r"[^\w]", "[é-ü]"]))
        elif kind == 6:
            parts.append(random.choice(["^", "$", r"\b", r"\B", r"\A", r"\Z"]))
        elif depth < 3:
            opening = random.choice(
                ["(", "(?:", "(?=", "(?!", "(?i:", "(?s:", "(?m:", "(?>", f"(?P<n{random.randrange(9)}>"]
            )
            parts.append(opening + random_pattern(depth + 1) + ")")
        else:
            parts.append(random.choice([r"\1", "(?<=a)", "(?<!b)", "(a)?(?(1)b|a)"]))
        if random.randrange(3) == 0:
            parts.append(random.choice(["*", "+", "?", "*?", "+?", "{2}", "{1,2}", "{,2}", "{0}", "*+", "{1,}"]))
    return random.choice(["", "", "|"]).join(parts)


def test_patterns_are_those_of_python(cases):
    random.seed(5)
    texts = [
        "",
        "a",
        "b",
        "ab",
        "ba",
        "aab",
        "abab",
        "A",
        "1",
        "a1",
        "_",
        " ",
        "a b",
        "é",
        "Éa",
        "\n",
        "a\n",
        "a\nb",
        "٣",
    ]
    tried = 0
    while tried < cases // 3:
        pattern = random_pattern()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                expected = [text for text in texts if re.search(pattern, text)]
        except (re.error, Warning):
            continue
        all = asdfkit.Schemas([])
        root = all.add({"properties": {"value": {"items": {"pattern": pattern}}}})
        with opened(texts) as file:
            missed = {finding.path for finding in errors(file.validate(all, root))}
        found = [text for index, text in enumerate(texts) if f"/value/{index}" not in missed]
        assert found == expected, pattern
        tried += 1


def python_verdict(tree, standard) -> bool | None:
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


def trees():
    """Standard, head and text of the tree of each file of the corpora that can be read."""
    folders = [os.environ.get("ASDFKIT_REFERENCE_FILES"), os.environ.get("ASDFKIT_CORPORA")]
    paths = [path for folder in folders if folder for path in sorted(Path(folder).rglob("*.asdf"))]
    for path in paths:
        data = path.read_bytes()
        start, end = data.find(b"%YAML"), data.find(b"\n...")
        if 0 <= start < end < 200_000 and data.startswith(b"#ASDF "):
            declared = re.search(rb"#ASDF_STANDARD (\S+)", data[:start])
            try:
                yield path, declared[1].decode() if declared else "1.0.0", data[start : end + 5].decode()
            except UnicodeDecodeError:
                continue


def test_files_are_judged_as_by_python(schemas):
    found = list(trees())
    if not found:
        pytest.skip("needs the corpora")
    judged = 0
    for path, standard, text in found:
        if standard not in asdf.versioning.supported_versions:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = yaml.load(text, Loader=asdf.yamlutil.AsdfLoader)
            file = asdfkit.open(io.BytesIO((HEAD.format(standard) + text).encode()))
        except Exception:
            continue
        expected = python_verdict(tree, standard)
        # An empty document is an empty mapping here, and an empty text there.
        if expected is not None and isinstance(tree, dict):
            assert (not errors(file.validate(schemas))) == expected, path
            judged += 1
    assert judged > 200


def fresh():
    """A node of any kind."""
    plain = lambda kind, text: yaml.ScalarNode(f"tag:yaml.org,2002:{kind}", text)
    return random.choice(
        [
            plain("int", "1"),
            plain("int", "-5"),
            plain("float", "1.5"),
            plain("bool", "true"),
            plain("null", "null"),
            plain("timestamp", "2020-01-01T00:00:00"),
            yaml.ScalarNode("tag:yaml.org,2002:str", random.choice(["", "x", "m", "A" * 70]), style="'"),
            yaml.SequenceNode("tag:yaml.org,2002:seq", [plain("int", "1")]),
            yaml.MappingNode("tag:yaml.org,2002:map", []),
        ]
    )


def change(root, tags):
    """Changes a random node of a tree."""
    nodes, pending = [], [root]
    while pending:
        node = pending.pop()
        if any(node is other for other in nodes):
            continue
        nodes.append(node)
        if isinstance(node, yaml.MappingNode):
            pending += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            pending += node.value
    node, kind = random.choice(nodes), random.randrange(4)
    if isinstance(node, yaml.ScalarNode):
        if node is not root:
            other = fresh()
            if isinstance(other, yaml.ScalarNode):
                node.tag, node.value, node.style = other.tag, other.value, other.style
    elif kind == 0:
        node.tag = random.choice(tags)
    elif node.value:
        index = random.randrange(len(node.value))
        is_mapping = isinstance(node, yaml.MappingNode)
        if kind == 1:
            del node.value[index]
        elif kind == 2:
            node.value[index] = (node.value[index][0], fresh()) if is_mapping else fresh()
        else:
            key = yaml.ScalarNode("tag:yaml.org,2002:str", "other")
            node.value.append((key, fresh()) if is_mapping else fresh())


def test_changed_trees_are_judged_as_by_python(schemas, cases):
    random.seed(7)
    composed = []
    for _, standard, text in trees():
        try:
            composed.append((standard, yaml.compose(text, Loader=yaml.CSafeLoader)))
        except yaml.YAMLError:
            continue
    composed = [(standard, tree) for standard, tree in composed if isinstance(tree, yaml.MappingNode)]
    if not composed:
        pytest.skip("needs the corpora")
    tags = [
        f"tag:stsci.edu:asdf/{name}"
        for name in (
            "core/ndarray-1.1.0",
            "core/software-1.0.0",
            "core/complex-1.0.0",
            "core/asdf-1.1.0",
            "time/time-1.2.0",
        )
    ]
    judged = invalid = 0
    for _ in range(cases // 3):
        standard, original = random.choice(composed)
        if standard not in asdf.versioning.supported_versions:
            continue
        tree = copy.deepcopy(original)
        for _ in range(random.randrange(1, 4)):
            change(tree, tags)
        text = yaml.serialize(tree, Dumper=yaml.CSafeDumper, version=(1, 1), explicit_start=True, explicit_end=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                loaded = yaml.load(text, Loader=asdf.yamlutil.AsdfLoader)
            file = asdfkit.open(io.BytesIO((HEAD.format(standard) + text).encode()))
        except Exception:
            continue
        expected = python_verdict(loaded, standard)
        if expected is not None:
            assert (not errors(file.validate(schemas))) == expected, text
            judged, invalid = judged + 1, invalid + (not expected)
    assert judged > cases // 6 and invalid > judged // 10


def examples():
    """The examples in the installed schemas: a description, the standard and the text."""
    resources = asdf.get_config().resource_manager
    for uri in resources:
        if "/schemas/" in uri:
            for description, *label, text in yaml.safe_load(resources[uri]).get("examples") or []:
                standard = label[0].removeprefix("asdf-standard-") if label else "1.6.0"
                yield f"{uri}: {description}", standard, text


def test_examples_of_schemas(schemas):
    judged = 0
    for description, standard, text in examples():
        tree = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\nexample: " + text.strip() + "\n...\n"
        with asdfkit.open(io.BytesIO((HEAD.format(standard) + tree).encode())) as file:
            found = errors(file.validate(schemas))
        assert (not found) == python_verdict(yaml.load(tree, Loader=asdf.yamlutil.AsdfLoader), standard), description
        judged += 1
    assert judged > 400


def test_every_schema_compiles(schemas):
    """Each one is applied to a value of each type, and matches the schema of its dialect."""
    assert len(schemas.uris) > 500
    with opened({"a": [1, 2.5, "x", None, True]}) as file:
        for uri in schemas.uris:
            file.validate(schemas, uri)


def test_findings_and_options(schemas, image, tmp_path):
    with asdfkit.open(image) as file:
        assert file.validate(schemas) == []
        all = asdfkit.Schemas([])
        root = all.add("properties: {meta: {properties: {telescope: {enum: [JWST]}}, required: [a]}}\n")
        first, second = file.validate(all, root)
        assert (first.code, first.path, first.subject) == ("required", "/meta", f"{root}#/properties/meta/required")
        assert (second.code, second.path, second.line) == ("enum", "/meta/telescope", first.line)
        assert file["meta"].describe("exposure", schemas) == {}
    with pytest.raises(asdfkit.errors.InvalidError, match="required key 'a'"):
        asdfkit.open(image, schemas=all, root_schema=root)
    new = asdfkit.new()
    new["meta"] = {"telescope": "Roman"}
    with pytest.raises(asdfkit.errors.InvalidError):
        new.write(tmp_path / "new.asdf", schemas=all, root_schema=root)
    assert not (tmp_path / "new.asdf").exists()
    with pytest.raises(asdfkit.AsdfError, match="pip install"):
        asdfkit.Schemas("no-such-package")


def test_packages_in_wheels_on_the_path(tmp_path, monkeypatch):
    wheel = tmp_path / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("thing/__init__.py", "")
        archive.writestr("thing/thing.yaml", "id: asdf://example.org/schemas/thing-1.0.0\n")
        archive.writestr("thing-1.0.dist-info/METADATA", "Name: thing\nVersion: 1.0\n")
        archive.writestr("thing-1.0.dist-info/entry_points.txt", "[asdf.resource_mappings]\nthing = thing:mappings\n")
    monkeypatch.syspath_prepend(wheel)
    assert "asdf://example.org/schemas/thing-1.0.0" in asdfkit.Schemas().uris


def test_tables(tmp_path):
    path = tmp_path / "table.ecsv"
    path.write_text("# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int32}\n# meta: {k: 5}\na\n1\n")
    table = asdfkit.read_ecsv(path)
    schema = {"properties": {"meta": {"properties": {"k": {"type": "string"}}}}}
    (finding,) = table.validate([], schema)
    assert (finding.path, finding.line, finding.column) == ("/meta/k", 5, 13)
    assert table.validate([], {"properties": {"datatype": {"items": {"required": ["name"]}}}}) == []


def test_threads_share_schemas(schemas, image):
    found = []

    def work():
        with asdfkit.open(image) as file:
            found.extend([file.validate(schemas) for _ in range(20)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[]] * 80
