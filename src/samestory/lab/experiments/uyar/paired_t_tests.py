"""U4: one-sided paired t-tests of Tweezer against I-Match across the test sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from samestory.lab.experiments.by_study import uyar
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.sets import parts
from samestory.lab.experiments.tables import column
from samestory.lab.experiments.uyar.test_sets import MEASURES, METHODS, StudyMeasure
from samestory.lab.experiments.values import TABLE, YOURS, PublishedValue, ReportRow
from samestory.lab.measures import PairedTest, paired_t, parse, wilcoxon

#: Printed p-values, in the order of `MEASURES`.
PRINTED = {
    "A": (0.407, 1.21e-7, 1.65e-7, 0.161, 1.21e-7, 1.31e-6),
    "B": (0.287, 3.38e-4, 1.45e-4, 0.050, 3.38e-4, 7.35e-5),
}
#: The set with a misprint, and its printed false alarm of I-Match in %; 0.05 is correct.
MISPRINT = 18, 0.49
_MISPRINTED = "A, false alarm in %, set 18 as printed"
#: (1 − p) / p with p = 0.07: the weight of a false alarm relative to a miss in C_dup.
FALSE_ALARM_WEIGHT = 0.93 / 0.07


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Test on the 60 printed rows; then on the user's test sets."""
    for letter in PRINTED:
        for measure in MEASURES:
            left, right = (values(method, measure, letter) for method in ("tweezer", "imatch"))
            if (letter, measure.field) == ("A", "false_alarm"):
                yield ReportRow(
                    "A, false alarm in %", None, _test(left, right)[0].p, basis=TABLE, note=_note(left, right, measure)
                )
                right = [MISPRINT[1] if number == MISPRINT[0] else value for number, value in enumerate(right, 1)]
            note = _note(left, right, measure, _rounded(letter) if measure.name == "C_dup" else "")
            yield EXPERIMENT.value(_what(letter, measure)).with_measured(_test(left, right)[0].p, note)
    if collection.gold is not None:
        yield from _user_rows(collection)


def values(method: str, measure: StudyMeasure, letter: str) -> list[float]:
    """Return the values of a method in the sets of a collection."""
    if measure.field != "c_dup":
        return column("uyar_sets", f"{method}_{measure.field}", collection=letter)
    rates = (column("uyar_sets", f"{method}_{field}", collection=letter) for field in ("false_alarm", "miss"))
    return [(FALSE_ALARM_WEIGHT * false + miss) / 100 for false, miss in zip(*rates, strict=True)]


def _rounded(letter: str) -> str:
    left, right = (column("uyar_sets", f"{method}_c_dup", collection=letter) for method in ("tweezer", "imatch"))
    p = paired_t(left, right, "less").p
    return f"C_dup from false alarms and misses, which are printed with more digits; from the printed C_dup p = {p:.3g}"


def _test(left: Sequence[float], right: Sequence[float]) -> tuple[PairedTest, PairedTest]:
    # the study prints p in the direction of the means, whichever method that favours
    expected = "less" if sum(left) < sum(right) else "greater"
    return paired_t(left, right, expected), wilcoxon(left, right, expected)


def _comparison(measure: StudyMeasure, one: str, other: str, tests: tuple[PairedTest, PairedTest]) -> str:
    t, ranks = tests
    if t.mean == 0:
        return f"no difference between {one} and {other}"
    better = (t.mean < 0) == (parse(measure.spec).best == 0)
    ranked = "" if ranks.p is None else f", Wilcoxon p = {ranks.p:.3g}"
    return f"{one} {'better' if better else 'worse'} than {other}: mean difference {t.mean:+.3g}{ranked}"


def _what(letter: str, measure: StudyMeasure) -> str:
    # the printed p was computed with the misprint
    return _MISPRINTED if (letter, measure.field) == ("A", "false_alarm") else f"{letter}, {measure.name}"


def _note(left: list[float], right: list[float], measure: StudyMeasure, more: str = "") -> str:
    text = _comparison(measure, "Tweezer", "I-Match", _test(left, right))
    return f"{text}; {more}" if more else text


def _user_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    cut, pair = parts(collection), list(collection.detectors(METHODS))[:2]
    if len(cut) < 2 or len(pair) < 2:
        why = "a paired test needs two detectors and at least two test sets (--split FIELD)"
        yield ReportRow("your test sets", note=why)
        return
    (one, other), runs = (label for label, _ in pair), [collection.score(detector) for _, detector in pair]
    subjects = [[part.subject(run, collection.grouping) for part in cut] for run in runs]
    for measure in MEASURES:
        both = [
            (left, right)
            for left, right in zip(*([measure.value(s) for s in side] for side in subjects), strict=True)
            if left is not None and right is not None
        ]
        if len(both) < 2:
            yield ReportRow(f"{measure.name}, {one} and {other}, p", note="defined in fewer than two sets")
            continue
        tests = _test(*zip(*both, strict=True))
        note = f"{_comparison(measure, one, other, tests)}; {len(both)} sets"
        note += "; the same in every set" if tests[0].p is None else ""
        yield ReportRow(f"{measure.name}, {one} and {other}, p", None, tests[0].p, basis=YOURS, note=note)


EXPERIMENT = uyar(
    name="U4",
    title="one-sided paired t-tests of Tweezer against I-Match over 30 + 30 test sets",
    place="Table 6.10",
    key="p of misses 1.21e-7 and 3.38e-4, of C_dup 1.65e-7 and 1.45e-4, of F1 1.31e-6 and 7.35e-5",
    published=tuple(
        PublishedValue(
            _what(letter, measure),
            p,
            "p-value",
            "0.49 is a slip for 0.05" if _what(letter, measure) == _MISPRINTED else "",
        )
        for letter, printed in PRINTED.items()
        for measure, p in zip(MEASURES, printed, strict=True)
    ),
    gold="may",
    shape="groups",
    sets=True,
    also=("same",),
    run=run,
)
