"""The demo: the main job on the news in this folder, and three commands to go on with."""

import shlex
import sys
from pathlib import Path

from samestory.cli import main

NEWS = Path(__file__).parent / "news.jsonl"
#: Commands that work as printed, one after the other.
NEXT = (
    ("two articles side by side, with what is new in each", "explain en-fire-1 en-fire-2 {news}"),
    ("one article of each story, in the format of the input", "dedup {news} -o {folder}/unique.jsonl"),
    ("an archive that relates articles as they arrive", "index add {folder}/news.db {news} --within 60d"),
)


def relative(path: Path) -> str:
    """The path as one would type it here."""
    return shlex.quote(str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path))


news, folder = relative(NEWS), Path(".demo")
folder.mkdir(exist_ok=True)
for file in folder.glob("*"):
    if file.is_file():
        file.unlink()
command = relative(Path(sys.executable).parent / "samestory")
print(f"$ {command} find {news} --table\n", flush=True)
if code := main(["find", str(NEWS), "--table"]):
    sys.exit(code)
print("\nNext, from this folder:")
for what, words in NEXT:
    print(f"  {command} {words.format(news=news, folder=folder)}    # {what}")
