"""PyYAML (with libyaml) in the comparison: it reads a description as plain YAML, without the rules of the language."""

from measure import arguments, measure
from yaml_check import check_of

import yaml

workload, _, source, output = arguments()


def read() -> object:
    with open(source) as file:
        return yaml.load(file, yaml.CSafeLoader)


def write(content: object) -> float:
    with open(output, "w") as file:
        yaml.dump(content, file, yaml.CSafeDumper, sort_keys=False)
    return check_of(content)


if workload == "ndl-write":
    read_before = read()
    measure(lambda: write(read_before))
else:
    measure(lambda: check_of(read()))
