"""Site rule files: valid content, and messages for invalid content."""

from __future__ import annotations

from pathlib import Path

import pytest

from samestory import InputError
from samestory.html import Page
from samestory.lab.training.site_rules import read_rules, site_among
from samestory.readers import Origin


def rules(folder: Path, text: str) -> Path:
    path = folder / "sites.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_rule_is_a_selector_or_a_list_of_them(tmp_path: Path) -> None:
    path = rules(tmp_path, '[sites."a.example"]\ncontent = ["p", "h2", "p"]\ntitle = "h1, h2.title"\n')
    found = read_rules(str(path))["a.example"]
    assert found.site == "a.example"
    assert found.selectors == {"content": ("p", "h2"), "title": ("h1, h2.title",)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "sites.toml: no sites\nhint: begin the rules of a site"),
        ("[sites]", "no sites"),
        ("sites = 3", "no sites"),
        ("[sites", "not TOML: "),
        (
            '[site."a"]\ncontent="p"',
            "sites.toml: site: unknown key; available: sites\nhint: did you mean sites?",
        ),
        ('[sites."a"]\ncontents="p"', '."a".contents: unknown key; available: content, '),
        ('[sites."a"]\ncontents="p"', "hint: did you mean content?"),
        ('[sites."a"]\ntitle="p"', 'sites."a": content is missing\nhint: as in'),
        ('[sites]\na="p"', 'sites."a": expected rules, got'),
        ('[sites."a"]\ncontent=[]', 'sites."a".content: expected a selector, got an empty list'),
        ('[sites."a"]\ncontent=[3]', 'sites."a".content: expected a CSS selector, got'),
        ('[sites."a"]\ncontent=["p", "p["]', 'sites."a".content: invalid CSS selector: '),
        ('[sites."a"]\ncontent=""', 'sites."a".content: invalid CSS selector: '),
        ('[sites."a"]\ncontent="p"\nleave_out="::x"', 'sites."a".leave_out: invalid CSS selector: '),
        ('[sites."../a"]\ncontent="p"', 'sites."../a": expected a site name'),
        ('[sites.".."]\ncontent="p"', "expected a site name"),
    ],
)
def test_what_a_file_may_not_say_is_reported_with_its_location(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_rules(str(rules(tmp_path, text)))
    assert message in str(error.value)


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_rules(str(tmp_path / "none.toml"))
    (tmp_path / "odd.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_rules(str(tmp_path / "odd.toml"))


@pytest.mark.parametrize(
    ("page", "canonical", "site"),
    [
        (Page(b"", "https://a.example/1"), "", "a.example"),
        (Page(b"", "https://www.a.example/1"), "", "a.example"),
        (Page(b"", "https://sport.a.example./1"), "", "sport.a.example"),
        (Page(b"", "https://nota.example/1"), "", None),
        (Page(b"", "https://b.example/1"), "https://a.example/1", "a.example"),
        (Page(b"", "http://[broken"), "", None),
        (Page(b"", None, None, Origin("pages/a.example/1.html")), "", "a.example"),
        (Page(b"", None, None, Origin("a.example/sport.a.example/x/1.html")), "", "sport.a.example"),
        (Page(b"", None, None, Origin("a.example/1.html")), "https://sport.a.example/", "sport.a.example"),
        (Page(b"", "https://b.example/", None, Origin("a.example/1.html")), "", None),
        (Page(b""), "", None),
    ],
)
def test_the_site_of_a_page(tmp_path: Path, page: Page, canonical: str, site: str | None) -> None:
    text = '[sites."a.example"]\ncontent="p"\n[sites."sport.a.example"]\ncontent="p"\n'
    assert site_among(page, read_rules(str(rules(tmp_path, text))), canonical) == site
