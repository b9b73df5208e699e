"""Write the section of NOTICE about the crates that are linked into the native module.

python scripts/licences.py            writes it
python scripts/licences.py --check    exits with 1 if it is not current, with 3 if that cannot be known here
"""

from __future__ import annotations

import re
import sys

from crates import ROOT, Crate, linked

NOTICE = ROOT / "NOTICE"
BEGIN = "The native module contains these crates, and the standard library of Rust (Apache-2.0):\n"
END = "The texts of the licences:\n"

#: Files of a crate in which its licences are.
_FILES = ("LICENSE*", "LICENCE*", "COPYING*", "COPYRIGHT*", "zstd/LICENSE")
_COPYRIGHT = re.compile(
    r"^\W*((?:Copyright|©|\(c\)).{3,150}?)[.\s]*(?:all rights reserved\W*)?$", re.IGNORECASE | re.MULTILINE
)
#: Of the licence itself, and no statement of an owner.
_NO_OWNER = re.compile(
    r"copyright (?:notice|holder|owner|license|\[yyyy\]|statement|and related)|<year>|\{yyyy\}", re.IGNORECASE
)


def owners(crate: Crate) -> list[str]:
    """The copyright lines of a crate; without any, its authors or its name."""
    found: dict[str, None] = {}
    for path in sorted({path for pattern in _FILES for path in crate.folder.glob(pattern) if path.is_file()}):
        if "apache" in path.name.lower():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for line in _COPYRIGHT.findall(text):
            if not _NO_OWNER.search(line) and re.search(
                r"\d{4}|contributors|authors|inc\b|whatwg", line, re.IGNORECASE
            ):
                found.setdefault(" ".join(line.split()))
    names = ", ".join(re.sub(r"\s*<[^>]*>", "", author) for author in crate.authors)
    return list(found) or [f"Copyright {names or f'the authors of {crate.name}'}"]


def notices(crate: Crate) -> str:
    """The NOTICE file of a crate under the Apache License, which must be passed on."""
    files = sorted(path for path in crate.folder.glob("NOTICE*") if path.is_file())
    return "\n".join(path.read_text(encoding="utf-8", errors="replace").strip() for path in files)


def section(crates: list[Crate]) -> str:
    """The section: every crate with its version, licences, and the owners of those that ask for it."""
    lines = [BEGIN]
    for crate in crates:
        lines.append(f"{crate.name} {crate.version}: {' and '.join(crate.licences)}")
        if crate.licences != ("Apache-2.0",):
            lines += [f"    {line}" for line in owners(crate)]
        elif text := notices(crate):
            lines += [f"    {line}".rstrip() for line in text.splitlines()]
    return "\n".join(lines) + "\n\n"


def whole(text: str, new: str) -> str:
    """The NOTICE with a new section, which stands before the texts of the licences."""
    before, _, rest = text.partition(BEGIN if BEGIN in text else END)
    after = rest.partition(END)[2] if BEGIN in text else rest
    return f"{before}{new}{END}{after}"


def main() -> int:
    """Writes or checks the section."""
    check = "--check" in sys.argv[1:]
    try:
        new = whole(NOTICE.read_text(encoding="utf-8"), section(linked(offline=check)))
    except RuntimeError as error:
        print(f"licences: {error}", file=sys.stderr)
        return 3
    if not check:
        NOTICE.write_text(new, encoding="utf-8")
    elif new != NOTICE.read_text(encoding="utf-8"):
        print("NOTICE is not current: make notice", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
