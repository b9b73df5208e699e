"""samestory train-extractor: pages whose content is known, to a model that tells content on others."""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from dataclasses import replace

from samestory.cli.inputs import Met, add_care
from samestory.cli.output import count
from samestory.cli.pages import add_pages, given_pages, read_given
from samestory.errors import InputError, NotAPage, ParameterError
from samestory.html.gold import PageGold
from samestory.html.snippets import Snippets, labelled
from samestory.html.train import VARIANCES, Example, held_out, train
from samestory.output import Outputs
from samestory.readers import Problem

HELP = "Train a model that tells the content of pages, from pages whose content is known."
EXAMPLE = "samestory train-extractor pages/ --gold gold.jsonl -o my.model"


def arguments(command: argparse.ArgumentParser) -> None:
    """The options of this command."""
    add_pages(command)
    command.add_argument(
        "--gold",
        metavar="FILE",
        help="JSON lines with url, path or id of a page, and its text or lists must_contain and must_not_contain; "
        "of files without addresses the url tells the site; without gold, pages are annotated with "
        "<span class=CedarContent>",
    )
    command.add_argument("--kind", choices=VARIANCES, default="crf", help="what to train (default: crf)")
    command.add_argument(
        "--entities",
        action="store_true",
        help="let crf weigh the names of persons, places and organisations too (tr, en, ru)",
    )
    command.add_argument("--variance", type=float, metavar="V", help="of the Gaussian prior on the weights")
    command.add_argument(
        "--folds", type=int, default=5, metavar="N", help="parts of the sites to measure on in turn; 0: measure nothing"
    )
    add_care(command)


def run(args: argparse.Namespace) -> int:
    """Runs it."""
    if not args.output:
        raise ParameterError("-o: the file of the model is wanted, as in -o my.model")
    if args.folds < 0 or args.folds == 1:
        raise ParameterError(f"--folds: 0, or at least 2 are wanted, got {args.folds}")
    if args.variance is not None and not (args.variance > 0 and math.isfinite(args.variance)):
        raise ParameterError(f"--variance: above 0 is wanted, got {args.variance}")
    if args.entities and args.kind != "crf":
        raise ParameterError(f"--entities: {args.kind} weighs words alone", "leave out --kind, or --entities")
    given_pages(args, [args.gold] if args.gold else [])
    with Outputs() as out:
        examples, snippets = _read(args, out)

        def say(text: str) -> None:
            if not args.quiet:
                print(text, file=sys.stderr)

        say(f"{count(len(examples), 'page')} with known content, {count(len(snippets), 'page')} with snippets")
        if not examples:
            raise InputError("no page whose content is known", "snippets are not enough: some whole texts too")
        if snippets:
            learned = list(labelled(train(examples), snippets))
            say(f"{count(len(learned), 'page')} with snippets labelled in agreement with them")
            examples += learned
        sites = {each.site for each in examples}
        if args.folds and len(sites) < 2:
            say("all pages are of one site: how good the model is on others cannot be measured")
        elif args.folds:
            parts = min(args.folds, len(sites))
            say(f"measuring on {count(len(sites), 'site')} in {parts} parts, each left out in turn")
            print(held_out(examples, args.kind, args.variance, args.folds, entities=args.entities))
        model = train(examples, args.kind, args.variance, entities=args.entities)
        out.add(args.output, model.encode())
        out.commit()
    say(f'{args.output}: {model.count(chr(9)):,} weights; use it as -e "{args.kind}(model={args.output!r})"')
    return 0


def _read(args: argparse.Namespace, out: Outputs) -> tuple[list[Example], list[Snippets]]:
    """The pages with known content and those with snippets; what is neither is told."""
    gold = PageGold(args.gold) if args.gold else None
    met = Met(args, out)
    examples: list[Example] = []
    snippets: list[Snippets] = []
    for page in read_given(args.files, args.list, Counter(), args.largest):
        if isinstance(page, Problem):
            met.met([page])
            continue
        place = page.origin or (page.url or "page", 0)
        try:
            known = gold.of(page) if gold else None
            if known and known.url and not page.url:
                page = replace(page, url=known.url)  # what lies in one folder need not be of one site
            if gold and known is None:
                met.met([Problem(*place, "no gold", "the gold names no such page")])
            elif known and not known.text:
                snippets.append(Snippets(page, page.site, known.wanted, known.unwanted))
            else:
                example = Example.of(page, page.site, known.text) if known else Example.annotated(page, page.site)
                if any(example.content):
                    examples.append(example)
                else:
                    met.met([Problem(*place, "no content", "nothing of the gold is found on the page")])
        except NotAPage as why:
            met.met([Problem(*place, "not a page", str(why))])
    met.finish()
    if gold and gold.unmet and not args.quiet:
        print(f"samestory: {args.gold}: {count(gold.unmet, 'line')} of the gold name no page here", file=sys.stderr)
    return examples, snippets
