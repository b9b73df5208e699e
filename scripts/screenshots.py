"""Take pictures of every page of the portal, in two widths and two themes, on an archive of the demo news.

    python scripts/screenshots.py [--out .artefacts/screenshots] [--language en] [--readme]

With --readme, only the picture of the README is taken, into docs/pictures/portal.png.  Requires Chromium.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
NEWS = ROOT / "demo" / "news.jsonl"
WIDTHS = {"phone": (320, 720), "desktop": (1280, 900)}
THEMES = ("light", "dark")
#: Pages by name; {story} is that of the first article of the demo.
PAGES = {
    "front": "/",
    "story": "/story/{story}",
    "article": "/article?id=en-harbour-4",
    "compare": "/compare?left=en-fire-2&right=en-fire-1",
    "search": "/search?q=fire",
    "empty-search": "/search?q=",
    "decisions": "/decisions",
    "status": "/status",
    "api": "/api",
    "sign-in": "/sign-in",
    "missing": "/story/999999",
}
README_SIZE = (1000, 860)
TOKEN = "screenshots-of-the-demo-news"


@contextmanager
def portal(folder: Path) -> Iterator[str]:
    """Serve an archive of the demo news; yield its address."""
    samestory = [sys.executable, "-m", "samestory"]
    subprocess.run([*samestory, "index", "add", "news.db", str(NEWS), "--within", "60d"], cwd=folder, check=True)
    (folder / "token").write_text(TOKEN)
    words = [*samestory, "portal", "news.db", "--port", "0", "--token-file", "token"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://[\d.]+:\d+", line):
                yield found[0]
                return
        sys.exit("the portal did not start")
    finally:
        process.terminate()
        process.wait(timeout=30)


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / ".artefacts" / "screenshots")
    parser.add_argument("--language", default="en", help="the language of the browser: en, tr, ru")
    parser.add_argument("--readme", action="store_true", help="only the picture of the README")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("screenshots: no chromium (make packages)")
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, portal(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        sizes = {"readme": README_SIZE} if options.readme else WIDTHS
        for width, (x, y) in sizes.items():
            for theme in THEMES[:1] if options.readme else THEMES:
                context = browser.new_context(
                    viewport={"width": x, "height": y}, color_scheme=theme, locale=options.language
                )
                page = context.new_page()
                page.goto(f"{address}/article?id=en-harbour-1")
                link = page.locator("a[href^='/story/']").first.get_attribute("href") or "/story/1"
                story = link.removeprefix("/story/").partition("?")[0].partition("#")[0]
                for name, path in PAGES.items():
                    if options.readme and name != "story":
                        continue
                    page.goto(address + path.format(story=story))
                    picture = options.out / f"{name}-{width}-{theme}.png"
                    if options.readme:
                        picture = ROOT / "docs" / "pictures" / "portal.png"
                    page.screenshot(path=str(picture), full_page=not options.readme)
                    print(picture)
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
