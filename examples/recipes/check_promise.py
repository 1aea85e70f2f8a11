"""Checks that files hold what an NDL description promises: check_promise.py DESCRIPTION FILE..."""

import sys

import asdfkit


def main() -> int:
    promise = asdfkit.ndl.read(sys.argv[1])
    broken = 0
    for name in sys.argv[2:]:
        with asdfkit.open(name) as file:
            differences = promise.conform(asdfkit.ndl.describe(file), subset=True)
        for difference in differences:
            print(f"{name}: {difference}")
        broken |= bool(differences)
    return broken


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(2)
    try:
        sys.exit(main())
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
