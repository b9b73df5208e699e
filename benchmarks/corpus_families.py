"""The families of the planted corpus: articles, edited copies of them, and how the members of a family are related."""

from collections.abc import Callable

from corpus_world import Draw, World


class Article:
    """A title and paragraphs of sentences, so that editing can be done by sentence."""

    __slots__ = ("cast", "footer", "lead", "paragraphs", "title", "topic")

    def __init__(
        self,
        title: str,
        paragraphs: list[list[str]],
        topic: list[str],
        cast: list[str],
        lead: str = "",
        footer: str | None = None,
    ) -> None:
        self.title, self.paragraphs, self.topic, self.cast = title, paragraphs, topic, cast
        self.lead, self.footer = lead, footer

    def copy(self) -> "Article":
        return Article(self.title, [list(p) for p in self.paragraphs], self.topic, self.cast, self.lead, self.footer)

    def words(self) -> int:
        return sum(len(s.split()) for p in self.paragraphs for s in p)

    def text(self) -> str:
        body = "\n\n".join(" ".join(p) for p in self.paragraphs if p)
        return self.lead + body + ("\n\n" + self.footer if self.footer else "")


def fresh(
    world: World, draw: Draw, topic: list[str] | None = None, cast: list[str] | None = None, words: int | None = None
) -> Article:
    """A new article, of its own topic and people unless they are given."""
    topic = topic or draw.pick(world.topics)
    cast = cast or world.cast(draw)
    target = words or draw.lognormal(285, 0.32, 90, 900)
    paragraphs: list[list[str]] = []
    done = 0
    while done < target:
        p: list[str] = []
        for _ in range(draw.pick([1, 1, 2, 2, 2, 3, 3, 4])):
            s = world.sentence(draw, topic, cast)
            done += s.count(" ") + 1
            p.append(s)
            if done >= target:
                break
        paragraphs.append(p)
    lead = world.dateline(draw) if draw.chance(0.3) else ""
    return Article(world.title(draw, topic, cast), paragraphs, topic, cast, lead)


# -- edits -----------------------------------------------------------------


def scatter_edits(world: World, draw: Draw, article: Article, rate: float) -> None:
    """Replace, insert after, or drop single words, each with the given chance."""
    for p in article.paragraphs:
        for i, s in enumerate(p):
            out = []
            for w in s.split(" "):
                if draw.random() >= rate:
                    out.append(w)
                    continue
                kind = draw.random()
                new = (
                    draw.weighted(article.topic, world.topic_weights)
                    if draw.chance(0.3)
                    else draw.weighted(world.words, world.word_weights)
                )
                if kind < 0.5:
                    out.append(new)
                elif kind < 0.75:
                    out += [w, new]
            p[i] = " ".join(out) or s


def sentence_edits(world: World, draw: Draw, article: Article, rate: float) -> None:
    """Drop, extend or rewrite whole sentences until the given share of the words is touched."""
    budget = rate * article.words()
    places = [(i, j) for i, p in enumerate(article.paragraphs) for j in range(len(p))]
    draw.shuffle(places)
    for i, j in places:
        if budget <= 0:
            break
        s = article.paragraphs[i][j]
        budget -= len(s.split())
        kind = draw.random()
        if kind < 0.25:
            article.paragraphs[i][j] = ""
        elif kind < 0.5:
            article.paragraphs[i][j] = s + " " + world.sentence(draw, article.topic, article.cast)
        else:
            article.paragraphs[i][j] = world.sentence(draw, article.topic, article.cast)
    article.paragraphs = [[s for s in p if s] for p in article.paragraphs]
    article.paragraphs = [p for p in article.paragraphs if p] or [[world.sentence(draw, article.topic, article.cast)]]


def reorder(draw: Draw, article: Article) -> None:
    """Move one or two paragraphs or sentences."""
    ps = article.paragraphs
    for _ in range(draw.between(1, 2)):
        if len(ps) > 2 and draw.chance(0.6):
            p = ps.pop(draw.below(len(ps)))
            ps.insert(draw.below(len(ps) + 1), p)
        else:
            p = draw.pick(ps)
            if len(p) > 1:
                s = p.pop(draw.below(len(p)))
                p.insert(draw.below(len(p) + 1), s)


def near_copy(world: World, draw: Draw, base: Article) -> Article:
    """1-15 % of the words edited, and often what another outlet does to wire copy."""
    a = base.copy()
    rate = 0.01 + 0.14 * draw.random() ** 3  # median 2.75 %, mean 4.5 %
    if draw.chance(0.5):
        scatter_edits(world, draw, a, rate)
    else:
        sentence_edits(world, draw, a, rate)
    if draw.chance(0.25):
        reorder(draw, a)
    if draw.chance(0.6):
        a.title = world.title(draw, a.topic, a.cast)
    if draw.chance(0.35):
        a.lead = "" if a.lead and draw.chance(0.5) else world.dateline(draw)
    if draw.chance(0.15) and len(a.paragraphs) > 4:
        a.paragraphs.pop()
    a.footer = None
    return a


# -- families: articles, their sources, and the relation of members i and j ------------

# (relation, first, second): only for `contains` does the order say something.
Relation = Callable[[int, int], tuple[str, int, int]]
Family = tuple[list[Article], list[int], Relation | None]


def stamp(world: World, article: Article, source: int) -> Article:
    """The article with the footer its source puts under everything, if it has one."""
    if world.footers[source] and article.footer is None:
        article.footer = world.footers[source]
    return article


def cluster_family(world: World, draw: Draw, size: int) -> Family:
    """Copies and edited copies of one article, and of its copies."""
    base = fresh(world, draw)
    sources = [world.source(draw)]
    members = [stamp(world, base, sources[0])]
    for _ in range(size - 1):
        parent = members[0] if draw.chance(0.7) else draw.pick(members)
        if draw.chance(0.25):
            members.append(parent.copy())
            sources.append(world.source(draw))
        else:
            a = near_copy(world, draw, parent)
            sources.append(world.source(draw))
            members.append(stamp(world, a, sources[-1]))
    texts = [m.text() for m in members]
    return members, sources, lambda i, j: ("exact" if texts[i] == texts[j] else "near", i, j)


def containment_family(world: World, draw: Draw, size: int) -> Family:
    """An article with shorter versions of it and longer ones that hold all of it."""
    base = fresh(world, draw, words=draw.between(180, 420))
    members, kinds = [base], ["base"]
    for _ in range(size - 1):
        n = len(base.paragraphs)
        if draw.chance(0.5):  # a shorter version: a prefix, or a choice of paragraphs
            keep = max(1, round(n * (0.3 + 0.3 * draw.random())))
            if draw.chance(0.6):
                chosen = list(range(keep))
            else:
                chosen = list(range(n))
                draw.shuffle(chosen)
                chosen = sorted(chosen[:keep])
            a = Article(base.title, [list(base.paragraphs[i]) for i in chosen], base.topic, base.cast, base.lead)
            kinds.append("part")
        else:  # a longer version: an update, or a round-up of two stories
            other = fresh(
                world,
                draw,
                topic=base.topic if draw.chance(0.5) else None,
                cast=base.cast if draw.chance(0.5) else None,
                words=int(base.words() * (0.7 + 0.8 * draw.random())),
            )
            ps = [list(p) for p in base.paragraphs]
            ps = other.paragraphs + ps if draw.chance(0.3) else ps + other.paragraphs
            a = Article(world.title(draw, base.topic, base.cast), ps, base.topic, base.cast, base.lead)
            kinds.append("whole")
        members.append(a)
    order = {"part": 0, "base": 1, "whole": 2}

    def relation(i: int, j: int) -> tuple[str, int, int]:
        x, y = order[kinds[i]], order[kinds[j]]
        if x == y:
            return ("overlap", i, j)
        return ("contains", i, j) if x > y else ("contains", j, i)

    return members, [world.source(draw) for _ in members], relation


def template_family(world: World, draw: Draw, size: int) -> Family:
    """A form filled in anew: results, earnings, weather. Sparse slots make it hardest."""
    gap = draw.pick([4, 8, 16, 40])  # words between slots
    topic = draw.pick(world.topics)
    paragraphs = []
    cast = ["\0P"] if gap < 40 else world.cast(draw)  # a sparse form keeps its people too
    for p in fresh(world, draw, topic=topic, cast=cast).paragraphs:
        out = []
        for s in p:
            words = s.split(" ")
            for i in range(len(words)):
                if draw.random() < 1.0 / gap:
                    words[i] = "\0" + draw.pick("NNPLF")
            out.append(" ".join(words))
        paragraphs.append(out)
    head = world.title(draw, topic, ["\0P"])
    fill: dict[str, Callable[[Draw], str]] = {
        "N": world.number,
        "P": world.person,
        "L": lambda d: d.weighted(world.places, world.place_weights),
        "F": lambda d: d.pick(world.firms),
    }

    def filled(s: str, names: list[str]) -> str:
        parts = s.split("\0")
        out = [parts[0]]
        for x in parts[1:]:
            k = x[:1]
            out.append((names[draw.below(len(names))] if k == "P" and draw.chance(0.7) else fill[k](draw)) + x[1:])
        return "".join(out)

    members, sources = [], []
    source = world.source(draw)
    for _ in range(size):
        names = [world.person(draw) for _ in range(3)]
        a = Article(filled(head, names), [[filled(s, names) for s in p] for p in paragraphs], topic, names)
        sources.append(source if draw.chance(0.8) else world.source(draw))
        members.append(stamp(world, a, sources[-1]))
    return members, sources, lambda i, j: ("template", i, j)


def topic_family(world: World, draw: Draw, size: int) -> Family:
    """Independent reports of one event: the same people, places and terms, and at times one quote."""
    topic, cast = draw.pick(world.topics), world.cast(draw)
    narrow = [draw.pick(topic) for _ in range(60)]
    narrow = (narrow * 5)[:250]
    quote = f"“{world.sentence(draw, narrow, cast, draw.between(12, 24))}” {draw.pick(cast)} said."
    members, sources = [], []
    for _ in range(size):
        a = fresh(world, draw, topic=narrow, cast=cast)
        if draw.chance(0.5):
            draw.pick(a.paragraphs).append(quote)
        sources.append(world.source(draw))
        members.append(stamp(world, a, sources[-1]))
    return members, sources, lambda i, j: ("topic", i, j)


def single_family(world: World, draw: Draw, size: int) -> Family:
    """One article that is not repeated."""
    a = fresh(world, draw)
    source = world.source(draw)
    return [stamp(world, a, source)], [source], None


FAMILIES = {
    "cluster": cluster_family,
    "containment": containment_family,
    "template": template_family,
    "topic": topic_family,
    "single": single_family,
}
