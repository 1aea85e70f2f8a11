"""Corrects a number in the trees of many files, each in place: correct_headers.py TIME FILE..."""

import sys

import asdfkit


def main() -> int:
    time, *names = sys.argv[1:]
    failed = 0
    for name in names:
        try:
            with asdfkit.open(name, "r+") as file:
                file["meta/exposure/time"] = float(time)
                file.add_history(f"Set the exposure time to {time} s")
                file.save()
        except asdfkit.AsdfError as problem:
            print(problem, file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) > 2 else 2)
