"""Writes random data with PyYAML, in random styles, widths and indentations, and prints the events that PyYAML reads.

    write_yaml.py COUNT SEED

prints a line of JSON for each text: the text, and its steps as tests/yaml/pyyaml.rs compares them.
"""

import datetime
import json
import random
import sys

import yaml

WORDS = [
    "a", "key", "two words", "yes", "No", "~", "null", "1", "-2.5", "1e5", "0x1F", "1:30", "2020-01-02", "<<", "=", "",
    " lead", "trail ", "a: b", "a #b", "#c", "- d", "?", "-", "---", "...", "two\nlines", "end\n", "ends\n\n", "\nstart",
    "a\n\nb", " a\n b\n", "tab\there", "\ttab", "é", "\U0001f600", "*a", "&a", "!a", "%a", "@a", "`a", "'", '"', "\\",
    "it's", "[x]", "{x}", "a,b", "a:b", "a:", ":a", "|", ">", "\r", "a\rb", "\x07", "\ufeffx", "\u00a0", "x\u2028y",
    "x\u2029", "x\u0085y", "\u0085", "a" * 200, "word " * 40, "- [a]", "{a: b}: c", "a\n  b\n c\n", "x: |\n  y\n", "a'b\"c",
]  # fmt: skip
TAGS = [
    "!local",
    "!a/b-1.0.0",
    "tag:yaml.org,2002:str",
    "tag:stsci.edu:asdf/core/x-1.0.0",
    "tag:example.org,2000:a,b",
    "!é",
]
STYLES = [None, None, None, "'", '"', "|", ">"]


def text(random):
    """Returns a word, or several of them."""
    joined = random.choice(["", " ", "\n", ": ", " #", ", "]).join(
        random.choices(WORDS, k=random.choice([1, 1, 1, 2, 3]))
    )
    return joined


def scalar(random):
    """Returns a node of a value, or of a text in some style and with some tag."""
    kind = random.randrange(8)
    if kind == 0:
        values = [None, True, 1, -(10**20), 1.5e300, float("inf"), b"\x00\xff" * 30, datetime.date(2020, 1, 2)]
        return yaml.SafeDumper("").represent_data(random.choice(values))
    tag = random.choice(TAGS) if kind == 1 else "tag:yaml.org,2002:str"
    return yaml.ScalarNode(tag, text(random), style=random.choice(STYLES))


def node(random, depth, shared):
    """Returns a random node. `shared` are nodes that may be used again."""
    kind = random.randrange(10)
    if shared and kind == 0:
        return random.choice(shared)
    if depth > 4 or kind < 5:
        made = scalar(random)
    else:
        tag = random.choice(TAGS) if random.randrange(8) == 0 else None
        flow = random.choice([None, True, False, False])
        size = random.choice([0, 1, 2, 3, 3, 6])
        if kind < 7:
            items = [node(random, depth + 1, shared) for _ in range(size)]
            made = yaml.SequenceNode(tag or "tag:yaml.org,2002:seq", items, flow_style=flow)
        else:
            pairs = [(scalar(random), node(random, depth + 1, shared)) for _ in range(size)]
            made = yaml.MappingNode(tag or "tag:yaml.org,2002:map", pairs, flow_style=flow)
    if random.randrange(12) == 0:
        shared.append(made)
    return made


def written(random):
    """Returns a document that PyYAML writes."""
    head = random.randrange(3) == 0
    options = {
        "width": random.choice([10, 20, 40, 80, 80, 1000]),
        "indent": random.choice([2, 2, 3, 4, 8]),
        "allow_unicode": random.choice([True, False]),
        "line_break": random.choice(["\n", "\n", "\n", "\r\n", "\r"]),
        "explicit_start": random.choice([None, True]),
        "explicit_end": random.choice([None, True]),
        "version": (1, 1) if head else None,
        "tags": {"!": "tag:stsci.edu:asdf/"} if head and random.randrange(2) else None,
        "canonical": True if random.randrange(30) == 0 else None,
    }
    dumper = random.choice([yaml.SafeDumper, yaml.CSafeDumper])
    root = node(random, 0, [])
    while isinstance(root, yaml.ScalarNode) and not root.value:
        # A document without content is an empty mapping for the library.
        root = node(random, 0, [])
    return yaml.serialize(root, Dumper=dumper, **options)


def steps(document, loader):
    """Returns the events of a document: their kind, and value or number of the target, tag, style."""
    found = []
    anchors = {}
    nodes = 0
    for event in yaml.parse(document, Loader=loader):
        style = "flow" if getattr(event, "flow_style", None) else "block"
        if isinstance(event, yaml.AliasEvent):
            found.append(["alias", anchors[event.anchor]])
            continue
        if isinstance(event, yaml.NodeEvent):
            anchors[event.anchor] = nodes
            nodes += 1
        if isinstance(event, yaml.ScalarEvent):
            found.append(["scalar", event.value, event.tag, event.style or ""])
        elif isinstance(event, yaml.SequenceStartEvent):
            found.append(["sequence", event.tag, style])
        elif isinstance(event, yaml.MappingStartEvent):
            found.append(["mapping", event.tag, style])
        elif isinstance(event, yaml.CollectionEndEvent):
            found.append(["end"])
    return found


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    for _ in range(count):
        document = written(source)
        # The loader in Python is slow.
        loader = source.choice([yaml.SafeLoader, yaml.CSafeLoader, yaml.CSafeLoader, yaml.CSafeLoader])
        print(json.dumps([document, steps(document, loader)]))


if __name__ == "__main__":
    main()
