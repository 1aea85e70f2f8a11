"""ruamel.yaml in the comparison, as it reads YAML 1.2: a description as any YAML, without its rules."""

from measure import arguments, measure
from ruamel.yaml import YAML
from yaml_check import check_of

_, _, source, _ = arguments()
yaml = YAML(typ="safe", pure=True)


def read() -> float:
    with open(source) as file:
        return check_of(yaml.load(file))


measure(read)
