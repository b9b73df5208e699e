"""Invented sites: the news of one town on pages of different structure, with site rules for each."""

from __future__ import annotations

from dataclasses import dataclass

_WHO = ("The harbour office", "The town council", "A court in Oldmarsh", "The school board", "The fire service")
_WHAT = (
    "will open the new bridge over the Lenne in the second week of May, eight months later than planned",
    "has set aside 340,000 crowns for repairs, and expects the work to take until the end of the summer",
    "found rust on four of the twelve steel ropes, which date from 1968 and were last painted in 1994",
    "wants every ferry to carry a second engine, after one drifted for an hour in the fog last winter",
    "heard from eleven witnesses on Thursday, among them the engineer who had warned of the damage",
)
_WHY = (
    "Residents of the eastern bank had asked for it twice, and were refused both times.",
    "Nobody was hurt, but about ninety households were without water until the evening.",
    "The cost is shared by the three towns on the river, as it was agreed ten years ago.",
)
_LINKS = ("Fair opens on Friday", "Rain until Sunday", "Market prices", "Match report", "Letters", "Obituaries")


@dataclass(frozen=True)
class Story:
    title: str
    author: str
    paragraphs: tuple[str, ...]


def story(number: int) -> Story:
    """Returns the story of a number."""
    parts = [
        f"{_WHO[(number + at) % len(_WHO)]} {_WHAT[(2 * number + at) % len(_WHAT)]}. {_WHY[(number + at) % len(_WHY)]}"
        for at in range(3 + number % 3)
    ]
    return Story(f"News of the town, part {number}", f"Reporter {number}", tuple(parts))


def _list(number: int) -> str:
    return "".join(f'<li><a href="/{at}">{_LINKS[(number + at) % len(_LINKS)]}</a></li>' for at in range(4))


def _valley(story: Story, number: int) -> str:
    body = "".join(f"<p>{text}</p>" for text in story.paragraphs)
    return f"""<body><header><a href="/">Valley News</a><nav><ul>{_list(number)}</ul></nav></header>
<article><h1>{story.title}</h1><p class="byline">By {story.author}</p><div class="article-body">{body}
<div class="related"><h3>Read more</h3><ul>{_list(number + 1)}</ul></div></div></article>
<footer>&copy; Valley News. All rights reserved.</footer></body>"""


def _coast(story: Story, number: int) -> str:
    body = "<br><br>".join(story.paragraphs)
    return f"""<body><div id="top"><ul class="menu">{_list(number)}</ul></div><div class="page">
<h2 class="headline">{story.title}</h2><div class="story-text">{body}</div>
<div class="author">{story.author}</div></div><div class="sidebar"><h4>Most read</h4><ol>{_list(number + 2)}</ol></div>
<div class="copyright">&copy; Coast Herald. All rights reserved.</div></body>"""


def _marsh(story: Story, number: int) -> str:
    body = "".join(f"<p>{text}</p>" for text in story.paragraphs)
    return f"""<body><nav><ul>{_list(number)}</ul></nav><main><section class="news"><h1>{story.title}</h1>
<span class="by">{story.author}</span>{body}<aside>Subscribe to our letter for the news of every day.</aside></section>
</main><footer><ul>{_list(number + 3)}</ul><p>Oldmarsh Post, all rights reserved</p></footer></body>"""


def _isle(story: Story, number: int) -> str:
    body = "".join(f"<p>{text}</p>" for text in story.paragraphs)
    return f"""<body><div class="navigation"><ul>{_list(number)}</ul></div><div class="wrap"><h1>{story.title}</h1>
<div class="entry">{body}</div></div><div class="recommended"><ul>{_list(number + 1)}</ul></div>
<footer>Gull Island Times. All rights reserved.</footer></body>"""


_BUILDS = {
    "valley-news.example": _valley,
    "coast-herald.example": _coast,
    "oldmarsh-post.example": _marsh,
    "gull-island.example": _isle,
}

RULES = """
[sites."valley-news.example"]
content = ["div.article-body > p"]
title = "h1"
author = ".byline"

[sites."coast-herald.example"]
content = "div.story-text"
title = ".headline"
author = ".author"

[sites."oldmarsh-post.example"]
content = ["section.news"]
leave_out = ["aside", "h1", ".by"]
"""


def page(site: str, number: int) -> str:
    """A page of a site."""
    article = story(number)
    return f"<!DOCTYPE html><html><head><title>{article.title}</title></head>{_BUILDS[site](article, number)}</html>"
