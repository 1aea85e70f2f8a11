"""Opens a file, prints the version of its format, closes it: open_file.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1]) as file:
        print(file.format_version)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
