"""The documentation is built as a site without a warning, and its pages need no network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from samestory.cli.registry import COMMANDS
from tests.conftest import ROOT, environment

pytest.importorskip("sphinx", reason="installed with the documentation tools: requirements/docs.txt")
pytest.importorskip("furo", reason="installed with the documentation tools: requirements/docs.txt")
#: Attributes whose address a browser loads without a click.
LOADED = re.compile(r"<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]+\"")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    words = ["--quiet", "--fail-on-warning", "--keep-going", str(ROOT / "docs"), str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx.cmd.build", *words],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page.name


def test_every_command_and_public_function_has_a_section(site: Path) -> None:
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"samestory {name}<" in commands
    api = (site / "reference" / "api.html").read_text(encoding="utf-8")
    for name in ("find", "relate", "explain", "Article", "Group", "Stream"):
        assert f'id="samestory.{name}"' in api or f'id="samestory.model.{name}"' in api or f".{name}" in api


def test_links_to_sources_are_names_without_a_repository_and_links_with_one() -> None:
    sys.path.insert(0, str(ROOT / "docs" / "_extensions"))
    try:
        from links_to_sources import rewrite
    finally:
        sys.path.pop(0)
    page = ROOT / "docs" / "concepts" / "promises.md"
    text = "[kills](../../tests/hostile/campaign/places.py#L3), [database](database.md), ![](../pictures/blocks.png)"
    assert rewrite(page, text, "") == "kills, [database](database.md), ![](../pictures/blocks.png)"
    linked = rewrite(page, text, "https://code.example/x")
    assert linked.startswith("[kills](https://code.example/x/blob/main/tests/hostile/campaign/places.py#L3), [data")
