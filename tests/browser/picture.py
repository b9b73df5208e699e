"""`python -m tests.browser.picture` draws docs/pictures/blocks.png again: a page of an invented site with its blocks.

Three other sites are annotated by their rules, a model is trained on them, and the fourth is shown as it labels it.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS
from tests.conftest import ROOT, command, environment
from tests.html.sites import RULES, page

PICTURE = ROOT / "docs" / "pictures" / "blocks.png"
MORE = '\n[sites."gull-island.example"]\ncontent = ".entry p"\n'
COLOURS = 200
SHOWN, NUMBER = "valley-news.example", 9
LEARNED = ("coast-herald.example", "oldmarsh-post.example", "gull-island.example")


def make(folder: Path) -> Path:
    """The page to be drawn."""
    (folder / "sites.toml").write_text(RULES + MORE, encoding="utf-8")
    for site in (SHOWN, *LEARNED):
        (folder / "pages" / site).mkdir(parents=True)
        for number in [NUMBER] if site == SHOWN else range(4):
            (folder / "pages" / site / f"{number}.html").write_text(page(site, number), encoding="utf-8")
    words = [
        ["tag", "pages", "--rules", "sites.toml", "-o", "annotated"],
        ["train-extractor", *(f"annotated/{site}" for site in LEARNED), "-o", "my.model", "--folds", "0"],
        ["show", f"annotated/{SHOWN}/{NUMBER}.html", "-e", "crf(model='my.model')", "-o", "blocks.html"],
    ]
    for each in words:
        subprocess.run(command(*each), cwd=folder, env=environment(), check=True)
    return folder / "blocks.html"


def draw(source: Path, to: Path) -> None:
    """A picture of a page, as a browser shows it."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        shown = browser.new_page(viewport={"width": 820, "height": 600}, color_scheme="light")
        shown.goto(source.as_uri())
        shown.screenshot(path=to, full_page=True)
        browser.close()
    # few colours are enough, and the file is about a third
    with Image.open(to) as full:
        full.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(to, optimize=True)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        draw(make(Path(folder)), PICTURE)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size:,} bytes")
