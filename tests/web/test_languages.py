"""Language tags on the pages of the portal, over a real server."""

from __future__ import annotations

import httpx

from tests.web.test_api import ONE, post


def test_a_story_in_several_languages_has_language_tags(empty: httpx.Client) -> None:
    def page(path: str) -> str:
        return empty.get(path, headers={"accept": "text/html"}).text

    english = {**ONE, "lang": "en"}
    text = "Oldmere belediyesi ahşap iskeleyi kıştan önce yeniliyor."
    turkish = {"id": "iskele", "title": "İskele yenileniyor", "text": text, "lang": "tr"}
    for article in (english, {**ONE, "id": "copy", "lang": "en"}, turkish):
        post(empty, "/article", article)
    tag = 'class="kind language">'
    assert "Pier to be rebuilt" in page("/story/1")
    assert tag not in page("/story/1")
    post(empty, "/decisions", {"left": "pier", "right": "iskele", "decision": "same"})
    story = post(empty, "/article", english).json()["story"]
    assert page(f"/story/{story}").count(tag) == 3
    assert f"{tag}Turkish<" in page(f"/story/{story}")
    assert page("/").count(tag) == 3
