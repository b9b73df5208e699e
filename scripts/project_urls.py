"""Write the addresses of the repository into pyproject.toml before a release is built.

    python scripts/project_urls.py https://code.example/team/samestory

The address is not in the sources: a fork that releases wheels has its own.
"""

import re
import sys
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
PATHS = {
    "Homepage": "",
    "Documentation": "/tree/main/docs",
    "Source": "",
    "Issues": "/issues",
    "Changelog": "/blob/main/CHANGELOG.md",
}


def with_urls(text: str, repository: str) -> str:
    """Return pyproject.toml with a table of the project's addresses; an existing one is replaced."""
    lines = [f'{name} = "{repository}{path}"' for name, path in PATHS.items()]
    table = "[project.urls]\n" + "\n".join(lines) + "\n\n"
    text = re.sub(r"^\[project\.urls\]\n(?:.+\n)*\n?", "", text, flags=re.MULTILINE)
    return text.replace("[project.scripts]\n", table + "[project.scripts]\n")


def main() -> None:
    """Rewrite the file."""
    if len(sys.argv) != 2 or not re.fullmatch(r"https://[\w.:/~-]+[\w-]", sys.argv[1]):
        sys.exit("usage: project_urls.py https://HOST/PATH")
    PYPROJECT.write_text(with_urls(PYPROJECT.read_text(encoding="utf-8"), sys.argv[1]), encoding="utf-8")


if __name__ == "__main__":
    main()
