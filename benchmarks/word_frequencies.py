"""Writes the tables of word frequencies by language: crates/samestory-core/src/text/word_frequencies.

    pip install wordfreq==3.1.1 && pip install --no-deps pythainlp==5.4.0
    python benchmarks/word_frequencies.py

A line of a table is a frequency, as −100 times its decimal logarithm, and the word beginnings (five letters; single
characters in Chinese and Japanese, whole words in Thai) that have it, rounded to a tenth of a power of ten.  Counts
come from wordfreq (encyclopedias, subtitles, books, news, the web), those of Thai from the Thai National Corpus by way
of PyThaiNLP (see NOTICE), not from any collection that samestory is measured on.
"""

import subprocess
from collections import Counter, defaultdict
from math import log10
from pathlib import Path

from samestory import _core

TABLES = Path(__file__).parent.parent / "crates/samestory-core/src/text/word_frequencies"
PREFIX, ENTRIES, STEP = 5, 3000, 10
#: Languages whose tokens are single characters, and those that are split into words, whose table is longer.
BY_CHARACTER, SPLIT, SPLIT_ENTRIES = ("ja", "zh"), ("th",), 5000


def split(words: list[str]) -> list[list[str]]:
    """The words in entries of a language without spaces between words, as detectors split them."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "samestory-core", "--example", "split_words"]
    run = subprocess.run(command, input="\n".join(words), capture_output=True, text=True, check=True)
    return [line.split() for line in run.stdout.splitlines()]


def counts_of(language: str) -> dict[str, float]:
    """How frequent the words of a language are."""
    if language != "th":
        from wordfreq import get_frequency_dict

        frequencies: dict[str, float] = get_frequency_dict(language, "small")
        return frequencies
    from pythainlp.corpus import tnc

    counts = dict(tnc.word_freqs())
    total = sum(counts.values())
    return {word: count / total for word, count in counts.items()}


def beginnings(frequencies: dict[str, float], language: str) -> Counter[str]:
    """How frequent words with each beginning are together."""
    out: Counter[str] = Counter()
    own = _core.text.Language("tr" if language == "tr" else "en")
    if language in SPLIT:
        every = split(list(frequencies))
    else:
        every = [list(word) if language in BY_CHARACTER else [word] for word in frequencies]
    for parts, frequency in zip(every, frequencies.values(), strict=True):
        for part in parts:
            if part[0].isalpha():
                out[own.fold(part)[: None if language in SPLIT else PREFIX]] += frequency
    return out


def written(counts: Counter[str], entries: int) -> str:
    """The table: one line for every step of frequency."""
    lines: dict[int, list[str]] = defaultdict(list)
    for prefix, frequency in counts.most_common(entries):
        lines[round(-100 * log10(min(1.0, frequency)) / STEP) * STEP].append(prefix)
    return "".join(f"{step} {' '.join(sorted(prefixes))}\n" for step, prefixes in sorted(lines.items()))


def main() -> None:
    from wordfreq import available_languages

    TABLES.mkdir(exist_ok=True)
    for language in sorted([*available_languages("small"), "th"]):
        counts = beginnings(counts_of(language), language)
        entries = SPLIT_ENTRIES if language in SPLIT else ENTRIES
        (TABLES / f"{language}.txt").write_text(written(counts, entries), encoding="utf-8")
        print(language, len(counts))


if __name__ == "__main__":
    main()
