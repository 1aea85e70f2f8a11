"""Decides by the class of an error, and prints its place: handle_errors.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        try:
            file["meta/exposure/end"]
        except KeyError as problem:
            print(f"line {problem.line}: nothing at this path\n{problem}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
