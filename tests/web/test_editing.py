"""Editing through the API, with cached pages: what a preview says is what the pages show, and undoing restores them."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from samestory.archive import Archive
from tests.archive.news import news
from tests.web.serving import WRITER, serving

#: Decisions made before all are undone.
STEPS = 14


class Editor:
    """A client that reads pages as an editor does: the same ones again and again."""

    def __init__(self, client: httpx.Client, random: Random) -> None:
        self.client, self.random = client, random
        self.ids = [each["id"] for each in news(7, 24)]

    def get(self, path: str, **params: Any) -> Any:
        answer = self.client.get(path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def send(self, path: str, body: dict[str, Any]) -> httpx.Response:
        return self.client.post(path, json=body, headers=WRITER)

    def pages(self) -> dict[str, Any]:
        """Return what every page shows, except the logs of decisions, in which undone ones stay."""
        shown: dict[str, Any] = {"front": self.get("/index.json"), "search": self.get("/search.json", q="the")}
        for number in {each["number"] for each in self.get("/search.json", limit=200)["stories"]}:
            shown[str(number)] = {**self.get(f"/story/{number}.json"), "decisions": None}
        return shown

    def stories(self) -> dict[str, int]:
        """Return the story of every article as its page says, which must list the article."""
        found = {id: int(self.get("/article.json", id=id)["story"]) for id in self.ids}
        for number in set(found.values()):
            members = {each["id"] for each in self.get(f"/story/{number}.json")["members"]}
            assert members == {id for id, story in found.items() if story == number}
        return found

    def any_decision(self) -> dict[str, Any]:
        now = self.stories()
        what = self.random.choice(["move", "split", "join", "join", "same", "apart"])
        if what == "join":
            return {"what": what, "stories": self.random.sample(sorted(set(now.values())), 2)}
        if what in ("same", "apart"):
            return {"what": what, "articles": self.random.sample(self.ids, 2)}
        story = now[self.random.choice(self.ids)]
        inside = [id for id, number in now.items() if number == story]
        leaving = 1 if what == "move" else self.random.randint(1, max(1, len(inside) - 1))
        return {"what": what, "articles": self.random.sample(inside, leaving)}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_pages_show_what_previews_say_and_undoing_in_any_order_restores_them(tmp_path: Any, seed: int) -> None:
    random = Random(seed)
    with Archive.open(tmp_path / "news.db") as archive, serving(archive) as client:
        archive.add(news(7, 24))
        editor = Editor(client, random)
        before, made = editor.pages(), []
        for step in range(STEPS):
            decision = {**editor.any_decision(), "who": "Ada", "why": f"reason {step}"}
            then, preview = editor.stories(), editor.send("/decision/preview", decision)
            answer = editor.send("/decision", decision)
            assert answer.status_code == preview.status_code
            if answer.status_code == 409:
                assert answer.json() == preview.json() and editor.stories() == then
                continue
            assert answer.status_code == 200, answer.text
            moves = {each["article"]: each["after"] for each in preview.json()["moves"]}
            assert editor.stories() == {**then, **moves}
            editor.pages()
            number = answer.json()["number"]
            made += [number] if number else []
            entry = editor.get("/decisions.json", limit=1)["decisions"][0]
            assert (entry["number"], entry["who"], entry["why"]) == (number, "Ada", f"reason {step}")
        in_force = [
            each["number"] for each in editor.get("/decisions.json", limit=200)["decisions"] if not each["undone_by"]
        ]
        assert set(in_force) <= set(made) and len(made) > STEPS // 3
        random.shuffle(in_force)
        for number in in_force:
            assert editor.send("/decision", {"what": "undo", "number": number}).status_code == 200
        assert editor.pages() == before
