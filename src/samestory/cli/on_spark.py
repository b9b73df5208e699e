"""samestory find --spark: the main job on Spark, with the same lines."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING

from samestory.cli.inputs import details, fields, nothing, report
from samestory.cli.output import summarise
from samestory.detectors import Native, parse
from samestory.errors import ParameterError
from samestory.groups import Choice
from samestory.output import Outputs

if TYPE_CHECKING:
    from samestory.spark import Job


def add_spark(command: argparse.ArgumentParser) -> None:
    """The options about Spark."""
    group = command.add_argument_group("Spark")
    group.add_argument(
        "--spark",
        metavar="MASTER",
        help="work on Spark: 'local[2]', 'spark://…', 'yarn', or 'submit' for where spark-submit has put us; files may "
        "lie wherever Spark reads (needs samestory[spark])",
    )
    group.add_argument(
        "--signatures",
        metavar="FOLDER",
        help="signatures that earlier runs have kept: old articles to compare the new ones with, which are added",
    )
    group.add_argument(
        "--parquet", metavar="FOLDER", help="write groups and relations here, as Parquet, by all tasks; no lines"
    )
    group.add_argument(
        "--parts",
        type=int,
        default=0,
        metavar="N",
        help="deal keys and pairs into so many parts (default: as the input)",
    )


def check_spark(args: argparse.Namespace) -> None:
    """Refuses what is not done there."""
    for option, why in (
        ("pages", "extract the articles first: samestory extract PAGES"),
        ("by_day", "give every day in files of its own"),
        ("events", "-d event finds the same groups, without headlines"),
        ("table", "leave it away: tables are for few articles"),
    ):
        if getattr(args, option, False):
            raise ParameterError(f"--{option.replace('_', '-')}: not with --spark", why)
    if args.within is not None and not isinstance(parse(args.detector), Native):
        raise ParameterError(
            f"--within: not with {args.detector} on Spark", "leave out --spark, or take another detector"
        )
    if args.parts < 0:
        raise ParameterError(f"--parts: at least 1 is wanted, got {args.parts}")


def check_without(args: argparse.Namespace) -> None:
    """Refuses options that mean nothing without Spark."""
    for option in ("signatures", "parquet", "parts"):
        if getattr(args, option):
            raise ParameterError(f"--{option}: only with --spark")


def find_on_spark(args: argparse.Namespace, choice: Choice) -> int:
    """Runs it."""
    from samestory.spark import Input, Job, frame_of_groups, group_lines, relation_lines, session
    from samestory.spark.api import RELATION
    from samestory.spark.session import failure, java_errors

    start = time.perf_counter()
    # Spark shows its own bar of stages and tasks to whoever looks
    looked_at = str(not args.quiet and sys.stderr.isatty()).lower()
    spark = session(None if args.spark == "submit" else args.spark, {"spark.ui.showConsoleProgress": looked_at})
    began = time.perf_counter() - start
    detector = parse(args.detector)
    detector.load()
    inputs = [Input(path, False, at) for at, path in enumerate(args.against)]
    inputs += [Input(path, True, len(inputs) + at) for at, path in enumerate(args.files)]
    job = Job(
        spark,
        detector,
        inputs,
        fields(args),
        args.format,
        args.encoding,
        args.largest,
        details(args),
        args.parts,
        args.signatures or "",
        args.as_is,
        args.within,
    )
    is_native = isinstance(detector, Native)
    try:
        with Outputs() as out:
            job.count()
            report(job.told(), job.faults(), args, out)
            if not job.summary.articles:
                out.commit()
                if not args.quiet:
                    print(summarise(job.summary, grouped=False), file=sys.stderr)
                raise nothing(args, job.summary.rejected)
            if args.parquet:
                job.relations().select(*RELATION).write.parquet(f"{args.parquet}/relations")
                frame_of_groups(job, choice).write.parquet(f"{args.parquet}/groups")
                _kept(args, job)
                return _told(args, job, grouped=False)
            if args.relations:
                rows = job.relations().collect()
                job.summary.relations = len(rows)
                out.add(args.relations, relation_lines(rows, is_native))
            groups = job.groups(choice).collect()
            sizes = [len(group[1]) for group in groups]
            job.summary.groups = sum(size > 1 for size in sizes)
            job.summary.grouped, job.summary.alone = sum(size for size in sizes if size > 1), sizes.count(1)
            out.deliver(group_lines(groups, args.min_size, is_native), args.output)
            if args.stages:
                seconds = {"spark": round(began, 4), **{k: round(s, 4) for k, s in job.summary.seconds.items()}}
                out.add(args.stages, (json.dumps(seconds) + "\n").encode())
            _kept(args, job)
            out.commit()
    except java_errors() as error:
        raise failure(error) from error
    finally:
        job.close()
    return _told(args, job, grouped=True)


def _kept(args: argparse.Namespace, job: Job) -> None:
    if args.signatures:
        job.keep()


def _told(args: argparse.Namespace, job: Job, grouped: bool) -> int:
    if not args.quiet:
        print(summarise(job.summary, grouped), file=sys.stderr)
    return 0
