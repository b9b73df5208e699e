"""A whole collection, from articles to figures: commands, and the pages in a real browser."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.conftest import DEMO, PATIENCE, Runner, command, environment


@contextmanager
def served(gold: Path, *words: object) -> Iterator[tuple[str, str]]:
    """Run `samestory judge`; yields its address and that of its overview."""
    process = subprocess.Popen(
        command("judge", gold, *words, "--port", 0), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=environment(),
    )  # fmt: skip
    assert process.stderr
    try:
        overview = next(line for line in process.stderr if "overview of the progress" in line).split()[-1]
        yield overview.partition("/o/")[0], overview
        process.terminate()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.stderr.close()


def alike(page: Page, least: float) -> str:
    """Answer by the share of words of the shorter article that the other has."""
    one, other = (set(text.lower().split()) for text in page.locator(".side .text").all_inner_texts()[:2])
    return "Yes" if len(one & other) > least * min(len(one), len(other)) else "No"


def judge(page: Page, least: float, most: int = 1000) -> int:
    """Answer all tasks; returns the number of answers."""
    for number in range(most):
        buttons = page.get_by_role("button", name="Yes")
        if not buttons.count():
            return number
        before = page.url
        page.get_by_role("button", name=alike(page, least)).first.click()
        page.wait_for_url(lambda url, before=before: url != before)
    return most


def test_a_whole_collection(browser: Browser, samestory: Runner, tmp_path: Path) -> None:
    gold = tmp_path / "gold.db"
    assert samestory("collection", "new", gold, DEMO / "news.jsonl", "--relation", "near").code == 0
    assert samestory("collection", "pool", gold, "-d", "minhash", "-d", "exact", "--times", "1.2").code == 0
    done = samestory("collection", "assign", gold, "s1", "s2", "s3", "--groups", "3")
    links = dict(line.split("\t") for line in done.out.splitlines())
    items = json.loads(samestory("collection", "status", gold, "--json").out)["items"]
    assert items > 5
    with served(gold) as (base, _):
        pages = {name: browser.new_page(base_url=base) for name in links}
        for name, page in pages.items():
            page.goto(links[name])
            page.locator("#continue").click()
        assert judge(pages["s1"], 0.5) > 1
        # s1 changes the last answer
        pages["s1"].goto(f"{links['s1']}1")
        chosen = pages["s1"].locator("button.chosen").inner_text()
        other = "No" if "Yes" in chosen else "Yes"
        pages["s1"].get_by_role("button", name=other).first.click()
        # s2 stops on the way
        assert judge(pages["s2"], 0.5, 2) == 2
        for page in pages.values():
            page.close()
    with served(gold) as (base, overview):
        for name, least in (("s2", 0.5), ("s3", 0.95), ("s1", 0.5), ("s2", 0.5), ("s3", 0.5)):
            page = browser.new_page(base_url=base)
            page.goto(links[name])
            if (begin := page.locator("#continue")).count():
                begin.click()
                judge(page, least)
            page.close()
        page = browser.new_page()
        page.goto(overview)
        assert "Agreement" in page.locator("main").inner_text() and "pooled" in page.locator("main").inner_text()
        page.close()
    status = json.loads(samestory("collection", "status", gold, "--json").out)
    assert status["undecided"] == 0
    assert any(work["duty"] == "arbitrate" and work["done"] == work["all"] for work in status["work"])
    rows = [json.loads(line) for line in samestory("collection", "agreement", gold, "--json").out.splitlines()]
    pooled = next(row for row in rows if row.get("agreement") == "all")
    assert pooled["decisions"] == items and pooled["agreed"] < items
    lines, docs = tmp_path / "gold.jsonl", tmp_path / "docs.jsonl"
    assert samestory("collection", "export", gold, "--gold", lines, "--docs", docs).code == 0
    settled = [line for line in map(json.loads, lines.read_text().splitlines()) if "arbiter" in line]
    assert settled and all(line["arbiter"][0] not in {who for who, _ in line["assessors"]} for line in settled)
    done = samestory("evaluate", "--gold", lines, "--docs", docs, "-d", "minhash", "-d", "codet", "--rounds", "20")
    assert (done.code, "protocol: pool" in done.err) == (0, True)
