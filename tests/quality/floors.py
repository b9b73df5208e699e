"""Quality floors: lower bounds on the score of every detector on the small sets in the repository.

    python -m tests.quality.floors                                        raise floors to the current values
    python -m tests.quality.floors --lower SET SPEC VALUE --reason TEXT   lower one, with a reason

A floor is a value of `floors.json`, truncated to three digits. It is valid only for one version of its set, whose
digest is stored with it; after a change of a set its floors must be pinned again.
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
from samestory.lab.evaluation import evaluate, read_gold, score
from samestory.readers import Source
from tests.conftest import DEMO, ROOT

FILE = Path(__file__).with_name("floors.json")
MEASURE = "pair_f(unjudged='wrong')"
PLANTED = 1000
#: Labels of the synthetic pairs for near-duplicate detection; containments and overlaps are not used.
LABELS = {"exact": 1, "near": 1, "template": 0, "topic": 0}


@contextmanager
def demo() -> Iterator[tuple[Path, Path]]:
    """Yield the news of the demo, with its gold."""
    yield DEMO / "news.jsonl", DEMO / "gold.jsonl"


@contextmanager
def planted() -> Iterator[tuple[Path, Path]]:
    """Generate a corpus, and yield it with its synthetic ground truth."""
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
    """Return every detector with its defaults."""
    return [f"{name}()" for name in sorted(DETECTORS)]


def reached(docs: Path, gold: Path) -> dict[str, float]:
    """Return the score of every detector that reports the relation of the gold: events are no near-duplicates."""
    judged = read_gold(str(gold))
    applicable = [detector for detector in map(parse, specs()) if detector.reports & judged.meaning.kinds]
    runs = [score(detector, [Source(str(docs))]) for detector in applicable]
    found = evaluate(judged, runs, [MEASURE], rounds=0)
    return {result.detector: result.figures[0].value or 0.0 for result in found.results}


def digest(docs: Path, gold: Path) -> str:
    """Return the digest of a set."""
    return hashlib.sha256(docs.read_bytes() + gold.read_bytes()).hexdigest()[:16]


def load() -> dict[str, Any]:
    """Load the pinned floors."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}  # type: ignore[no-any-return]


def save(floors: dict[str, Any]) -> None:
    """Save the floors."""
    FILE.write_text(json.dumps(floors, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def raised() -> dict[str, Any]:
    """Return the raised floors; none is lower than before unless its set has changed."""
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
    """Raise all floors, or lower one with a reason."""
    parser = argparse.ArgumentParser(description="Raise the quality floors to the current values.")
    parser.add_argument("--lower", nargs=3, metavar=("SET", "SPEC", "VALUE"))
    parser.add_argument("--reason", help="why a floor is lowered")
    args = parser.parse_args()
    if not args.lower:
        return save(raised())
    if not args.reason:
        parser.error("--lower needs a --reason")
    floors, (name, spec, value) = load(), args.lower
    if spec not in floors.get(name, {}).get("floors", {}):
        parser.error(f"no floor is pinned for {spec} on {name}")
    before = floors[name]["floors"][spec]
    floors[name]["floors"][spec] = float(value)
    floors[name]["lowered"].append({"spec": spec, "from": before, "to": float(value), "reason": args.reason})
    return save(floors)


if __name__ == "__main__":
    main()
