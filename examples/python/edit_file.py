"""Changes a number in a file and saves it: edit_file.py FILE"""

import sys

import asdfkit


def main() -> None:
    with asdfkit.open(sys.argv[1], "r+") as file:
        file["meta/exposure/time"] = 140.5
        file.save()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except asdfkit.AsdfError as problem:
        sys.exit(str(problem))
