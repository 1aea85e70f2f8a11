"""Fails if a page of the installed documents links to a file that is not there: installed_links.py DIRECTORY"""

import re
import sys
from pathlib import Path


def main(documents: Path) -> int:
    dead = []
    for page in sorted(documents.rglob("*.md")):
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
            if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
                dead.append(f"{page.relative_to(documents)}: {target}")
    print("\n".join(dead))
    return 1 if dead or not (documents / "docs/index.md").exists() else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
