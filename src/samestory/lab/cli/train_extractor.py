"""samestory train-extractor: trains a content model from pages with known content."""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from dataclasses import replace

from samestory.cli.inputs import add_care
from samestory.cli.pages import add_pages, given_pages, read_given
from samestory.cli.rejected import ProblemLog
from samestory.cli.summary import count
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.lab.training.content_model import VARIANCES, Example, held_out, train
from samestory.lab.training.page_gold import PageGold
from samestory.lab.training.snippets import Snippets, labelled
from samestory.output import Outputs
from samestory.readers import Problem

HELP = "Train a content extraction model from pages with known content."
EXAMPLE = "samestory train-extractor pages/ --gold gold.jsonl -o my.model"


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_pages(command)
    command.add_argument(
        "--gold",
        metavar="FILE",
        help="JSON lines with url, path or id of a page, and its text or lists must_contain and must_not_contain; "
        "for files without a URL, its url names the site; without gold, pages are annotated with "
        "<span class=CedarContent>",
    )
    command.add_argument("--kind", choices=VARIANCES, default="crf", help="model to train (default: crf)")
    command.add_argument(
        "--entities",
        action="store_true",
        help="crf: also use the names of persons, places and organisations as features (tr, en, ru)",
    )
    command.add_argument("--variance", type=float, metavar="V", help="variance of the Gaussian prior on the weights")
    command.add_argument(
        "--folds", type=int, default=5, metavar="N", help="number of cross-validation folds by site; 0 for none"
    )
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    if not args.output:
        raise ParameterError("-o: specify the file of the model, as in -o my.model")
    if args.folds < 0 or args.folds == 1:
        raise ParameterError(f"--folds: expected 0 or at least 2, got {args.folds}")
    if args.variance is not None and not (args.variance > 0 and math.isfinite(args.variance)):
        raise ParameterError(f"--variance: expected a number above 0, got {args.variance}")
    if args.entities and args.kind != "crf":
        raise ParameterError(f"--entities: not available for {args.kind}", "leave out --kind or --entities")
    given_pages(args, [args.gold] if args.gold else [])
    with Outputs() as out:
        examples, snippets = _read(args, out)

        def print_message(text: str) -> None:
            if not args.quiet:
                print(text, file=sys.stderr)

        print_message(
            f"{count(len(examples), 'page')} with known content, {count(len(snippets), 'page')} with snippets"
        )
        if not examples:
            raise InputError("no page with known content", "snippets alone are not enough: add pages with full texts")
        if snippets:
            learned = list(labelled(train(examples), snippets))
            print_message(f"{count(len(learned), 'page')} with snippets labelled in agreement with them")
            examples += learned
        sites = {each.site for each in examples}
        if args.folds and len(sites) < 2:
            print_message("all pages are from one site: quality on other sites cannot be measured")
        elif args.folds:
            parts = min(args.folds, len(sites))
            print_message(f"measuring on {count(len(sites), 'site')} in {parts} parts, each left out in turn")
            print(held_out(examples, args.kind, args.variance, args.folds, entities=args.entities))
        model = train(examples, args.kind, args.variance, entities=args.entities)
        out.add(args.output, model.encode())
        out.commit()
    print_message(
        f'{args.output}: {model.count(chr(9)):,} weights; use the model with -e "{args.kind}(model={args.output!r})"'
    )
    return 0


def _read(args: argparse.Namespace, out: Outputs) -> tuple[list[Example], list[Snippets]]:
    """Reads the pages with known content and those with snippets, and reports the others."""
    gold = PageGold(args.gold) if args.gold else None
    problems = ProblemLog(args, out)
    examples: list[Example] = []
    snippets: list[Snippets] = []
    for page in read_given(args.files, args.list, Counter(), args.largest):
        if isinstance(page, Problem):
            problems.note([page])
            continue
        place = page.origin or (page.url or "page", 0)
        try:
            known = gold.lookup(page) if gold else None
            if known and known.url and not page.url:
                page = replace(page, url=known.url)  # pages in one folder may be from several sites
            if gold and known is None:
                problems.note([Problem(*place, "no gold", "not in the gold")])
            elif known and not known.text:
                snippets.append(Snippets(page, page.site, known.wanted, known.unwanted))
            else:
                site = page.site
                example = Example.from_text(page, site, known.text) if known else Example.annotated(page, site)
                if any(example.content):
                    examples.append(example)
                else:
                    problems.note([Problem(*place, "no content", "no gold text found on the page")])
        except NotAPage as why:
            problems.note([Problem(*place, "not a page", str(why))])
    problems.finish()
    if gold and gold.unused and not args.quiet:
        print(f"samestory: {args.gold}: {count(gold.unused, 'line')} of the gold match no page", file=sys.stderr)
    return examples, snippets
