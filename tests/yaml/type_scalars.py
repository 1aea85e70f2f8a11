"""Tell what PyYAML's safe loader makes of plain scalars.

Reads one JSON string per line; writes, for each, the type and the value in a form that compares.
With `--table` it writes the text before them, which is how scalars.txt is made:

    cut -f1 scalars.txt | python3 type_scalars.py --table > new && mv new scalars.txt
"""

import datetime
import json
import struct
import sys

import yaml

loader = yaml.SafeLoader("")


def meaning(text):
    node = yaml.ScalarNode(loader.resolve(yaml.ScalarNode, text, (True, False)), text)
    if node.tag in ("tag:yaml.org,2002:merge", "tag:yaml.org,2002:value"):
        return "str"
    try:
        value = loader.construct_object(node)
    except (ValueError, OverflowError):
        # Scalars that PyYAML fails on are strings for us.
        return "str"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"bool {value}"
    if isinstance(value, int):
        return f"int {value}"
    if isinstance(value, float):
        return "float nan" if value != value else "float " + struct.pack(">d", value).hex()
    if isinstance(value, datetime.date):
        return "timestamp"
    return "str"


for line in sys.stdin:
    text = json.loads(line)
    print(*([line.rstrip("\n")] if "--table" in sys.argv else []), meaning(text), sep="\t")
