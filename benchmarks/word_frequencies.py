"""Writes the tables of word frequencies by language: crates/samestory-core/src/text/word_frequencies.

    pip install wordfreq==3.1.1
    python benchmarks/word_frequencies.py

A line of a table is a frequency, as −100 times its decimal logarithm, and the word beginnings (five letters; single
characters in Chinese and Japanese) that have it, rounded to a tenth of a power of ten.  Counts come from wordfreq
(encyclopedias, subtitles, books, news, the web; see NOTICE), not from any collection that samestory is measured on.
"""

from collections import Counter, defaultdict
from math import log10
from pathlib import Path

from samestory import _core

TABLES = Path(__file__).parent.parent / "crates/samestory-core/src/text/word_frequencies"
PREFIX, ENTRIES, STEP = 5, 3000, 10
#: Languages whose tokens are single characters.
BY_CHARACTER = ("ja", "zh")


def beginnings(frequencies: dict[str, float], language: str) -> Counter[str]:
    """How frequent words with each beginning are together."""
    out: Counter[str] = Counter()
    own = _core.text.Language("tr" if language == "tr" else "en")
    for word, frequency in frequencies.items():
        parts = [word] if language not in BY_CHARACTER else list(word)
        for part in parts:
            if part[0].isalpha():
                out[own.fold(part)[:PREFIX]] += frequency
    return out


def written(counts: Counter[str]) -> str:
    """The table: one line for every step of frequency."""
    lines: dict[int, list[str]] = defaultdict(list)
    for prefix, frequency in counts.most_common(ENTRIES):
        lines[round(-100 * log10(min(1.0, frequency)) / STEP) * STEP].append(prefix)
    return "".join(f"{step} {' '.join(sorted(prefixes))}\n" for step, prefixes in sorted(lines.items()))


def main() -> None:
    from wordfreq import available_languages, get_frequency_dict

    TABLES.mkdir(exist_ok=True)
    for language in sorted(available_languages("small")):
        counts = beginnings(get_frequency_dict(language, "small"), language)
        (TABLES / f"{language}.txt").write_text(written(counts), encoding="utf-8")
        print(language, len(counts))


if __name__ == "__main__":
    main()
