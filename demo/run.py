"""The demo: the main job on the news in this folder, then one explanation, then an archive of it."""

import sys
from pathlib import Path

from samestory.cli import main

NEWS = str(Path(__file__).parent / "news.jsonl")
ARCHIVE = Path(".demo") / "news.db"


def show(*words: str) -> None:
    """Runs a command and shows it as one would type it."""
    print(f"\n$ samestory {' '.join(Path(w).name if w == NEWS else w for w in words)}\n", flush=True)
    if code := main(words):
        sys.exit(code)
    sys.stdout.flush()


show("find", NEWS, "--table")
show("relate", NEWS, "--quiet")
show("explain", "en-fire-1", "en-fire-2", NEWS)

# an archive of the same news, made anew every time
ARCHIVE.parent.mkdir(exist_ok=True)
for file in ARCHIVE.parent.glob(f"{ARCHIVE.name}*"):
    file.unlink()
show("index", "add", str(ARCHIVE), NEWS, "--within", "60d")
show("index", "stats", str(ARCHIVE))
print(f"\nRead it in the browser: {Path(sys.executable).parent / 'samestory'} portal {ARCHIVE} --edit")
