"""A writer to be killed: adds articles to an archive endlessly and prints what is stored, a line each time.

python -m tests.archive.writer PLACE SEED
"""

from __future__ import annotations

import json
import sys
from random import Random

from samestory.archive import Archive
from tests.archive.news import news


def main(place: str, seed: int) -> None:
    random = Random(seed)
    pool = news(seed, 300)
    added: list[str] = []
    with Archive.open(place) as archive:
        print(json.dumps({"open": True}), flush=True)
        while True:
            batch = [dict(each) for each in random.sample(pool, random.choice([1, 1, 5, 40]))]
            for each in batch:
                if random.random() < 0.1:
                    each["text"] += f" New version {random.randrange(10**6)}."
            archive.add(batch)
            print(json.dumps({"kept": {each["id"]: each["text"] for each in batch}}), flush=True)
            added += [each["id"] for each in batch]
            if random.random() < 0.1:
                gone = random.choice(added)
                print(json.dumps({"going": gone}), flush=True)
                archive.remove([gone])
                print(json.dumps({"gone": gone}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
