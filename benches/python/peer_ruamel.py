"""ruamel.yaml (YAML 1.2) in the comparison: it reads a description as plain YAML, without the rules of the language."""

from measure import arguments, measure
from ruamel.yaml import YAML
from yaml_check import check_of

_, _, source, _ = arguments()
yaml = YAML(typ="safe", pure=True)


def read() -> float:
    with open(source) as file:
        return check_of(yaml.load(file))


measure(read)
