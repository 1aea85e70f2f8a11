"""Compares the interface data of two releases: compare_interface.py OLD.json NEW.json

Prints each change that breaks programs compiled with the old header: functions and constants that are gone; other
types, values, directions or nullability; options that a call no longer takes. Additions are compatible.

Exit status 1 means that there are such changes and the ABI number is the same. Exit status 0 means that there are
none, or that the number is another one.
"""

import json
import sys
from pathlib import Path


def signature(function: dict) -> tuple:
    """Returns everything about a function that a compiled caller depends on, without documentation."""
    arguments = tuple((argument["type"], argument.get("direction")) for argument in function["arguments"])
    return function["returns"], arguments


def breaking_changes(old: dict, new: dict) -> list[str]:
    """Returns the changes that break compiled programs, one sentence each."""
    changes = []
    functions = {function["name"]: function for function in new["functions"]}
    for function in old["functions"]:
        name = function["name"]
        if name not in functions:
            changes.append(f"The function {name} is gone.")
        elif signature(function) != signature(functions[name]):
            changes.append(f"The function {name} has other arguments or another result.")
        else:
            for before, after in zip(function["arguments"], functions[name]["arguments"], strict=True):
                if before.get("nullable") and not after.get("nullable"):
                    changes.append(f"The argument {before['name']} of {name} may no longer be NULL.")

    callbacks = {callback["name"]: callback for callback in new["callbacks"]}
    for callback in old["callbacks"]:
        types = [parameter["type"] for parameter in callback["parameters"]]
        after = callbacks.get(callback["name"])
        if after is None:
            changes.append(f"The callback type {callback['name']} is gone.")
        elif (callback["returns"], types) != (
            after["returns"],
            [parameter["type"] for parameter in after["parameters"]],
        ):
            changes.append(f"The callback type {callback['name']} has other parameters or another result.")

    values = {constant["name"]: constant["value"] for constant in new["constants"]}
    for constant in old["constants"]:
        name = constant["name"]
        if name.startswith("ASDF_VERSION_") or name == "ASDF_ABI":
            continue
        if name not in values:
            changes.append(f"The constant {name} is gone.")
        elif values[name] != constant["value"]:
            changes.append(f"The constant {name} was {constant['value']} and is {values[name]}.")

    options = {option["name"]: option for option in new["options"]}
    for option in old["options"]:
        after = options.get(option["name"])
        if after is None:
            continue  # the loop over constants reports it
        if option["takes"] != after["takes"]:
            changes.append(f"The option {option['name']} took {option['takes']} and takes {after['takes']}.")
        if option["default"] != after["default"]:
            changes.append(f"The default of {option['name']} was {option['default']} and is {after['default']}.")
        if after.get("least", 0) > option.get("least", 0) or after.get("most", 0) < option.get("most", 0):
            changes.append(f"The option {option['name']} has a smaller range.")

    taken = {name: set(call["options"]) for call in new["calls"] for name in call["functions"]}
    for call in old["calls"]:
        for name in call["functions"]:
            for option in sorted(set(call["options"]) - taken.get(name, set())):
                if name in functions and option in options:
                    changes.append(f"The function {name} no longer takes {option}.")
    return changes


def abi(interface: dict) -> int:
    return next(constant["value"] for constant in interface["constants"] if constant["name"] == "ASDF_ABI")


def main() -> int:
    old, new = (json.loads(Path(path).read_text()) for path in sys.argv[1:3])
    changes = breaking_changes(old, new)
    print("\n".join(changes))
    if changes and abi(old) == abi(new):
        print(f"{len(changes)} changes break programs, but the ABI number is still {abi(old)}.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
