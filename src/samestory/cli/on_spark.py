"""samestory find --spark: the main job on Spark, with the same output."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING

from samestory.cli.inputs import fields, no_articles_error
from samestory.cli.rejected import details, report
from samestory.cli.result_files import GROUP_COLUMNS, RELATION_COLUMNS, formatted
from samestory.cli.summary import summarise
from samestory.detectors import parse
from samestory.errors import ParameterError
from samestory.groups import GroupingOptions
from samestory.output import Outputs

if TYPE_CHECKING:
    from samestory.spark import Job


def add_spark(command: argparse.ArgumentParser) -> None:
    """Adds the Spark options."""
    group = command.add_argument_group("Spark")
    group.add_argument(
        "--spark",
        metavar="MASTER",
        help="run on Spark: 'local[2]', 'spark://…', 'yarn', or 'submit' for the master of spark-submit; files may "
        "be in any location that Spark can read (requires samestory[spark])",
    )
    group.add_argument(
        "--signatures",
        metavar="FOLDER",
        help="folder with the signatures of earlier runs: new articles are related to these old ones, then added",
    )
    group.add_argument(
        "--parquet",
        metavar="FOLDER",
        help="write groups and relations to this folder as Parquet files, from all tasks, instead of JSON lines",
    )
    group.add_argument(
        "--parts",
        type=int,
        default=0,
        metavar="N",
        help="number of partitions of keys and pairs (default: that of the input)",
    )


def check_spark(args: argparse.Namespace) -> None:
    """Rejects options that are not available on Spark."""
    for option, why in (
        ("pages", "extract the articles first: samestory extract PAGES"),
        ("by_day", "run the command once per day, with the files of that day"),
        ("events", "-d event finds the same groups, without headlines"),
        ("table", "omit --table; tables are meant for few articles"),
    ):
        if getattr(args, option, False):
            raise ParameterError(f"--{option.replace('_', '-')}: cannot be combined with --spark", why)
    if args.parts < 0:
        raise ParameterError(f"--parts: expected at least 1, got {args.parts}")


def check_without(args: argparse.Namespace) -> None:
    """Rejects Spark options without --spark."""
    for option in ("signatures", "parquet", "parts"):
        if getattr(args, option):
            raise ParameterError(f"--{option}: requires --spark")


def find_on_spark(args: argparse.Namespace, options: GroupingOptions) -> int:
    """Runs the command on Spark."""
    from samestory.spark import Input, Job, frame_of_groups, group_lines, session
    from samestory.spark.api import RELATION
    from samestory.spark.session import failure, java_errors

    start = time.perf_counter()
    # Spark has its own progress bar of stages and tasks
    shows_progress = str(not args.quiet and sys.stderr.isatty()).lower()
    spark = session(None if args.spark == "submit" else args.spark, {"spark.ui.showConsoleProgress": shows_progress})
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
    try:
        with Outputs() as out:
            job.count()
            report(job.all_problems(), job.faults(), args, out)
            if not job.summary.articles:
                out.commit()
                if not args.quiet:
                    print(summarise(job.summary, grouped=False), file=sys.stderr)
                raise no_articles_error(args)
            if args.parquet:
                job.relations().select(*RELATION).write.parquet(f"{args.parquet}/relations")
                frame_of_groups(job, options).write.parquet(f"{args.parquet}/groups")
                _keep_signatures(args, job)
                return _print_summary(args, job, grouped=False)
            if args.relations:
                lines = job.relation_lines()
                job.summary.relations = lines.count(b"\n")
                out.add(args.relations, formatted(lines, args.relations, RELATION_COLUMNS))
            groups = job.groups(options).collect()
            sizes = [len(group.members) for group in groups]
            job.summary.groups = sum(size > 1 for size in sizes)
            job.summary.grouped, job.summary.singletons = sum(size for size in sizes if size > 1), sizes.count(1)
            lines = group_lines(groups, args.min_size)
            out.deliver(formatted(lines, args.output, GROUP_COLUMNS), args.output)
            if args.stages:
                seconds = {"spark": round(began, 4), **{k: round(s, 4) for k, s in job.summary.seconds.items()}}
                out.add(args.stages, (json.dumps(seconds) + "\n").encode())
            _keep_signatures(args, job)
            out.commit()
    except java_errors() as error:
        raise failure(error) from error
    finally:
        job.close()
    return _print_summary(args, job, grouped=True)


def _keep_signatures(args: argparse.Namespace, job: Job) -> None:
    if args.signatures:
        job.keep()


def _print_summary(args: argparse.Namespace, job: Job, grouped: bool) -> int:
    if not args.quiet:
        print(summarise(job.summary, grouped), file=sys.stderr)
    return 0
