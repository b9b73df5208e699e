"""Measure samestory beside its peers and the floor: what `make bench` runs.

    python benchmarks/run.py [--sizes 10k 100k] [--million] [--repeat 3] [--peers PEER ...] [--samestory COMMAND]

Makes what is missing (corpora, the floor program, the peers' virtual environments) under .bench/, then goes
round: the floor, samestory, each peer, one after the other on the same file, each in its own process, as often
as --repeat says.  One more run of samestory writes its relations for the typed score.  Every run appends a row to
benchmarks/results/NAME.jsonl; at the end the tables of table.py are printed.

Standard library only: a small process that starts large ones, so that memory is measured right (measure.py).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import measure
import peer_jobs
import peers
import record
import table

HERE = Path(__file__).resolve().parent
BENCH = HERE.parent / ".bench"
FLOOR_MODES = ("read", "tok", "shingle")
MILLION = 1_000_000
MILLION_PEERS = ("daft",)  # the fastest; the others would take a quarter of an hour each and tell no more


@dataclass(frozen=True)
class Task:
    """One thing to run: its command, how its answer is scored, and how it is named in the results."""

    what: str
    kind: str  # floor, samestory, relations, peer
    version: str
    spec: str
    command: list[str]
    folder: Path  # for its answer, log and stages
    score: list[str] = field(default_factory=list)  # arguments of score.py, after the corpus


def articles(size: str) -> int:
    """The number that "10k", "1m" or "2500" stands for."""
    factor = {"k": 1000, "m": MILLION}.get(size[-1].lower(), 1)
    return int(size[:-1] if factor > 1 else size) * factor


def corpus_of(data: Path, count: int) -> Path:
    """The folder of the corpus of so many articles, made if it is not there."""
    names = {1000: "k", MILLION: "m"}
    unit = max((u for u in names if count % u == 0), default=1)
    folder = data / f"{count // unit}{names.get(unit, '')}"
    if not (folder / "meta.json").exists():
        say(f"making a corpus of {count} articles")
        command = [sys.executable, str(HERE / "corpus.py"), "--docs", str(count), "--out", str(folder)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


def build_floor(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "floor"
    subprocess.run(["rustc", "-O", "--edition", "2021", "-o", program, HERE / "floor.rs"], check=True)
    return program


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def find_samestory(given: str | None) -> str | None:
    """The command as given, or the one beside this interpreter, or the one on the path."""
    beside = Path(sys.executable).with_name("samestory")
    return given or (str(beside) if beside.exists() else shutil.which("samestory"))


def version_of(command: str) -> str:
    done = subprocess.run([command, "--version"], check=False, capture_output=True, text=True)
    found = re.search(r"\d+\.\d+\S*", done.stdout)
    return found[0] if found else "unknown"


def rust_version() -> str:
    return subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.split()[1]


def floor_tasks(program: Path, corpus: Path, work: Path, threads: int) -> list[Task]:
    version = f"rustc {rust_version()}"
    docs = str(corpus / "docs.jsonl")
    return [
        Task(f"floor {mode}", "floor", version, mode, [str(program), docs, mode, str(threads)], work / f"floor-{mode}")
        for mode in FLOOR_MODES
    ]


def samestory_tasks(command: str, detectors: list[str], corpus: Path, work: Path) -> tuple[list[Task], list[Task]]:
    """The timed runs, and those that also write relations: one of each for every detector."""
    version = version_of(command)
    timed, typed = [], []
    for number, spec in enumerate(detectors):
        options = ["-d", spec] if spec else []
        name = f"samestory {spec}" if spec else "samestory"
        spec = spec or "default"
        folder = work / f"samestory-{number}"
        base = [command, "find", str(corpus / "docs.jsonl"), *options, "--stages", str(folder / "stages.json")]
        timed.append(Task(name, "samestory", version, spec, base, folder, ["--groups", str(folder / "stdout")]))
        folder = work / f"samestory-{number}-relations"
        relations = folder / "relations.jsonl"
        base = [command, "find", str(corpus / "docs.jsonl"), *options, "--stages", str(folder / "stages.json")]
        base += ["--relations", str(relations)]
        typed.append(Task(name, "relations", version, spec, base, folder, ["--relations", str(relations)]))
    return timed, typed


def peer_tasks(names: list[str], venvs: Path, corpus: Path, work: Path) -> list[Task]:
    tasks = []
    for name in names:
        peer = peers.PEERS[name]
        try:
            version = peers.install(venvs, peer.venv)[peer.package]
        except (subprocess.CalledProcessError, KeyError) as error:
            say(f"{name}: cannot be installed here, left out ({type(error).__name__})")
            continue
        folder = work / name
        python = str(peers.python_of(venvs, peer.venv))
        command = [python, str(HERE / "peers.py"), "run", name, "--corpus", str(corpus), "--out", str(folder)]
        tasks.append(Task(name, "peer", version, peer_jobs.SPEC, command, folder, ["--peer", str(folder)]))
    return tasks


def last_line(log: Path) -> str:
    """The last line of a log, without paths."""
    lines = log.read_text(errors="replace").strip().splitlines()
    return re.sub(r"\S*/\S*", "…", lines[-1])[:200] if lines else ""


def perform(task: Task, corpus: Path, scorer: Path, timeout: float) -> record.Row:
    """Run the task once; gives the fields of its row that differ from run to run."""
    shutil.rmtree(task.folder, ignore_errors=True)
    task.folder.mkdir(parents=True)
    # Repeatable hash() for the runners that use it.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    log = task.folder / "stderr"
    cost = measure.measure(task.command, task.folder / "stdout", log, environment, timeout)
    row: record.Row = {
        "seconds": cost.seconds,
        "cpu_seconds": cost.cpu_seconds,
        "peak_mb": cost.peak_mb,
        "pss_mb": cost.pss_mb,
        "rss_mb": cost.rss_mb,
        "others": cost.others,
        "stages": {},
        "measures": {},
    }
    if cost.exit_code != 0:
        reason = "over the time limit" if cost.exit_code is None else f"exit {cost.exit_code}: {last_line(log)}"
        return {**row, "failed": reason}
    stages = task.folder / "stages.json"
    if stages.exists():
        row["stages"] = json.loads(stages.read_text())
    if task.score:
        done = subprocess.run(
            [scorer, HERE / "score.py", corpus, *task.score], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return {**row, "failed": "not scored: " + done.stderr.strip().splitlines()[-1]}
        row["measures"] = json.loads(done.stdout)
    else:
        row["measures"] = json.loads((task.folder / "stdout").read_text())
    return row


def describe(task: Task, row: record.Row) -> str:
    if "failed" in row:
        return f"{task.what}: FAILED, {row['failed']}"
    text = f"{task.what}: {row['seconds']:.2f} s, {row['cpu_seconds']:.2f} s CPU, {row['peak_mb']:.0f} MB"
    measures: dict[str, Any] = row["measures"]
    if "pair_f1" in measures:
        text += f", pair F1 {measures['pair_f1']:.3f}, B-cubed F1 {measures['b3_f1']:.3f}"
    return text + (f" (others used {row['others']:.0%})" if row["others"] > 0.1 else "")


def bench(options: argparse.Namespace, count: int, date: str) -> None:
    """All rounds on one corpus."""
    corpus = corpus_of(options.data, count)
    work = options.work / corpus.name
    meta = json.loads((corpus / "meta.json").read_text())["files"]["docs.jsonl"]
    peers.install(options.venvs, "score")
    scorer = peers.python_of(options.venvs, "score")

    chosen = options.peers
    if chosen is None:
        chosen = list(MILLION_PEERS if count >= MILLION else peers.PEERS)
    timed = floor_tasks(build_floor(options.work), corpus, work, options.threads)
    typed: list[Task] = []
    command = find_samestory(options.samestory)
    if command:
        ours, typed = samestory_tasks(command, options.detectors, corpus, work)
        timed += ours
        if count >= MILLION:
            typed = []  # the relations would fill gigabytes and tell what those of the smaller corpora tell
    else:
        say("samestory: no such command; only the floor and the peers are measured (hint: --samestory COMMAND)")
    timed += peer_tasks([name for name in chosen if name != "none"], options.venvs, corpus, work)

    common = {
        "corpus": {"articles": count, "bytes": meta["bytes"], "digest": meta["sha256"]},
        "machine": record.machine(),
        "date": date,
    }
    with (corpus / "docs.jsonl").open("rb") as docs:  # into the page cache, for all alike
        while docs.read(1 << 24):
            pass
    say(f"{count} articles, {options.threads} threads, {options.repeat} rounds")
    plan = [(task, number) for number in range(options.repeat) for task in timed] + [(task, 0) for task in typed]
    for task, number in plan:
        if options.quiet:
            measure.wait_for_quiet(options.quiet)
        row = perform(task, corpus, scorer, options.timeout)
        head = {"what": task.what, "kind": task.kind, "spec": task.spec, "version": task.version, "round": number}
        record.append(options.results / f"{options.name}.jsonl", {**head, **common, **row})
        say("  " + describe(task, row))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--sizes", nargs="+", default=["10k", "100k"], help="numbers of articles: 10k, 100k, 2500")
    parser.add_argument("--million", action="store_true", help="a million articles too (2.3 GB; minutes to make)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds")
    parser.add_argument("--peers", nargs="*", help='these only, or "none"', choices=[*peers.PEERS, "none"])
    parser.add_argument("--samestory", help="the command to measure; otherwise that of this interpreter")
    parser.add_argument(
        "--detectors", nargs="+", default=[""], metavar="SPEC", help="samestory's; empty is its default"
    )
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="cores all may use")
    parser.add_argument("--name", default="speed", help="of the file under the results folder")
    parser.add_argument("--results", type=Path, default=record.RESULTS)
    parser.add_argument("--data", type=Path, default=BENCH / "data", help="folder of the corpora")
    parser.add_argument("--work", type=Path, default=BENCH / "work", help="folder for answers and logs")
    parser.add_argument("--venvs", type=Path, default=BENCH / "venvs", help="folder of the peers' environments")
    parser.add_argument("--timeout", type=float, default=1800, help="seconds a run may take")
    parser.add_argument("--quiet", type=float, default=0, help="wait so many seconds for an idle machine before a run")
    parser.add_argument("--table", action="store_true", help="run nothing, print the tables of what is recorded")
    options = parser.parse_args()
    if not options.table:
        # Inherited by all that is started: the same cores for everybody.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
        date = record.now()
        counts = {articles(size) for size in options.sizes} | ({MILLION} if options.million else set())
        for count in sorted(counts):
            bench(options, count, date)
    print(table.report(list(record.read(options.results / f"{options.name}.jsonl")), brief=False))


if __name__ == "__main__":
    main()
