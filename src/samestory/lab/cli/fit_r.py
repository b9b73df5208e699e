"""samestory fit-r: fits a model that predicts r, the cut of single linkage of `semshort`, to labelled days."""

from __future__ import annotations

import argparse
import re
import shlex
import sys

from samestory.errors import InputError, ParameterError
from samestory.lab.cli.evaluate import add_gold, gold_of, sources
from samestory.output import Outputs, printable

HELP = "Fit a model on labelled days that predicts r, the cut of semshort, for a new day."
EXAMPLE = "samestory fit-r --docs days.jsonl --gold groups.jsonl --split day -o r.json"

#: Minimum number of days: one to leave out, two to fit a line.
MIN_DAYS = 3


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_gold(command, required=True)
    command.add_argument(
        "--split",
        metavar="FIELD",
        help="gold field with the day of each article (default: the gold field day if there is one, else the date)",
    )
    command.add_argument(
        "--model",
        choices=("log", "linear", "network"),
        default="log",
        help="log: r = a + b ln(items) (default); linear: seven features; network: a perceptron, takes minutes",
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write the model to this file")


def run(args: argparse.Namespace) -> int:
    """Fits the model, prints r and the prediction for every day left out, and writes the file."""
    from samestory.lab.evaluation import GoldGroups
    from samestory.lab.experiments import ExperimentInput
    from samestory.lab.experiments.fomin.r_models import fit, left_out, limited, model_of
    from samestory.lab.experiments.fomin.short_days import dated_days, merged_days, table

    if not args.output:
        raise ParameterError("-o: the file of the model is missing, as in -o r.json")
    gold = gold_of(args)
    collection = ExperimentInput(sources=sources(args), gold=gold, split=args.split)
    if not isinstance(gold, GoldGroups):
        raise InputError("expected groups, one line {id, cluster} per article; got judged pairs", place=gold.path)
    field = args.split or ("day" if "day" in gold.columns else None)
    days = merged_days(collection, days=None if field else dated_days(collection))
    days.sort(key=lambda day: _in_order(day.day.name))
    if len(days) < MIN_DAYS:
        raise InputError(
            f"{len(days)} labelled days with groups; a model needs at least {MIN_DAYS}",
            f"days are the values of the gold field {field!r}" if field else "days are the dates of the articles",
            place=gold.path,
        )
    features, r = table(days)
    predicted = left_out(limited(model_of(args.model)), features, r)
    fitted = fit(args.model, features, r)
    with Outputs() as out:
        out.add(args.output, fitted.to_json().encode())
        out.commit()
    print(f"days: the gold field {field}" if field else "days: the dates of the articles", file=sys.stderr)
    print(f"{'day':<24}{'items':>8}{'best r':>9}{'predicted':>11}   F at both", file=sys.stderr)
    for day, best, other in zip(days, r.tolist(), predicted.tolist(), strict=True):
        quality = [day.measured(at)["f"] or 0.0 for at in (best, other)]
        shown = f"{quality[0]:.3f} {quality[1]:.3f}"
        print(f"{printable(day.day.name):<24}{day.items:>8,}{best:>9.3f}{other:>11.3f}   {shown}", file=sys.stderr)
    error = float(abs(predicted - r).mean())
    spec = quoted(f"semshort(space='distance_rows', threshold=0, r_model={args.output!r})")
    print(
        f"{args.model}: mean absolute error {error:.3f}, each of {len(days)} days left out once; wrote {args.output}",
        f"use the model with: samestory find DAYS.jsonl --by-day -d {spec}",
        sep="\n",
        file=sys.stderr,
    )
    return 0


def _in_order(name: str) -> list[tuple[int, str]]:
    """Returns a sort key that orders numbers inside names by value: day 9, day 10."""
    return [(int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name)]


def quoted(spec: str) -> str:
    """Quotes a spec for a shell: in double quotes if nothing inside them is special there.

    >>> print(quoted("reuse(x='a')"), quoted("reuse(x='$a')"))
    "reuse(x='a')" 'reuse(x='"'"'$a'"'"')'
    """
    return shlex.quote(spec) if re.search(r'["$`\\!]', spec) else f'"{spec}"'
