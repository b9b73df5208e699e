"""Floors of quality: what every detector must reach on the small sets that the repository itself contains.

    python -m tests.quality.floors                                        raise floors to what is reached today
    python -m tests.quality.floors --lower SET SPEC VALUE --reason TEXT   lower one, and say why

A floor is a value of `floors.json` cut to three digits. It says nothing about another set, so the digest of the set
stands beside it; whoever changes a set pins its floors anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from math import floor
from pathlib import Path
from typing import Any

from samestory import DETECTORS, parse
from samestory.lab import evaluate, read_gold, score
from samestory.readers import Source
from tests.conftest import DEMO, ROOT

FILE = Path(__file__).with_name("floors.json")
MEASURE = "pair_f(unjudged='wrong')"
PLANTED = 1000
#: What the planted pairs are for somebody who looks for near-duplicates; parts and overlaps are another question.
LABELS = {"exact": 1, "near": 1, "template": 0, "topic": 0}


@contextmanager
def demo() -> Iterator[tuple[Path, Path]]:
    """The news of the demo, with its gold."""
    yield DEMO / "news.jsonl", DEMO / "gold.jsonl"


@contextmanager
def planted() -> Iterator[tuple[Path, Path]]:
    """A corpus made on the spot, with the pairs that were planted in it."""
    with tempfile.TemporaryDirectory() as folder:
        maker = [sys.executable, str(ROOT / "benchmarks" / "corpus.py"), "--docs", str(PLANTED), "--workers", "1"]
        subprocess.run([*maker, "--out", folder], check=True, capture_output=True)
        gold = Path(folder) / "gold.jsonl"
        with gold.open("w", encoding="utf-8") as lines:
            for line in (Path(folder) / "truth.jsonl").read_text().splitlines():
                row = json.loads(line)
                if row["relation"] in LABELS:
                    row |= {"label": LABELS[row["relation"]], "relation": "near"}
                    lines.write(json.dumps(row) + "\n")
        yield Path(folder) / "docs.jsonl", gold


SETS = {"demo": demo, "planted": planted}


def specs() -> list[str]:
    """Every detector there is, with its defaults."""
    return [f"{name}()" for name in sorted(DETECTORS)]


def reached(docs: Path, gold: Path) -> dict[str, float]:
    """What every detector reaches that reports what the gold is about: events are no near-duplicates."""
    judged = read_gold(str(gold))
    able = [detector for detector in map(parse, specs()) if detector.reports & judged.meaning.kinds]
    runs = [score(detector, [Source(str(docs))]) for detector in able]
    found = evaluate(judged, runs, [MEASURE], rounds=0)
    return {result.detector: result.figures[0].value or 0.0 for result in found.results}


def digest(docs: Path, gold: Path) -> str:
    """Of the set."""
    return hashlib.sha256(docs.read_bytes() + gold.read_bytes()).hexdigest()[:16]


def load() -> dict[str, Any]:
    """The floors as they are pinned."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}  # type: ignore[no-any-return]


def save(floors: dict[str, Any]) -> None:
    """Pins them."""
    FILE.write_text(json.dumps(floors, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def raised() -> dict[str, Any]:
    """The floors, none lower than before unless its set is another one."""
    floors = load()
    for name, each in SETS.items():
        with each() as (docs, gold):
            now, values = digest(docs, gold), reached(docs, gold)
        old = floors.get(name, {})
        same = old.get("digest") == now
        pinned = old.get("floors", {}) if same else {}
        floors[name] = {
            "digest": now,
            "measure": MEASURE,
            "floors": {spec: max(pinned.get(spec, 0.0), floor(value * 1000) / 1000) for spec, value in values.items()},
            "lowered": old.get("lowered", []) if same else [],
        }
    return floors


def main() -> None:
    """Raises floors, or lowers one with a reason."""
    parser = argparse.ArgumentParser(description="Raise the floors of quality to what is reached today.")
    parser.add_argument("--lower", nargs=3, metavar=("SET", "SPEC", "VALUE"))
    parser.add_argument("--reason", help="why a floor is lowered")
    args = parser.parse_args()
    if not args.lower:
        return save(raised())
    if not args.reason:
        parser.error("--lower wants a --reason")
    floors, (name, spec, value) = load(), args.lower
    if spec not in floors.get(name, {}).get("floors", {}):
        parser.error(f"no floor is pinned for {spec} on {name}")
    before = floors[name]["floors"][spec]
    floors[name]["floors"][spec] = float(value)
    floors[name]["lowered"].append({"spec": spec, "from": before, "to": float(value), "reason": args.reason})
    return save(floors)


if __name__ == "__main__":
    main()
