"""The other duplicate detectors, each run as its makers show, over a corpus made by corpus.py.

    python benchmarks/peers.py list                                  what they are, as a Markdown table
    python benchmarks/peers.py install [--venvs DIR] [PEER ...]      one virtual environment for each group of them
    python benchmarks/peers.py run PEER --corpus DIR --out DIR       one peer, in the interpreter that has it

`run` writes what the peer found into --out (see score.score_peer) and its stages into stages.json.
run.py does all this by itself.

The task is the same for all: from the file on disk to groups of articles.  So are the settings, wherever a
peer allows them: the article's text, lower case, white-space words, 5-word shingles, 128 hashes, 16 bands of
8 rows (an even chance to be candidates at a Jaccard of about 0.7), and 0.7 where candidates are checked.  What a
peer has no call for (shingling, reading JSON, components) is done for it in the fastest plain Python we know.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

import peer_runs  # noqa: F401  it fills PEERS
from peer_jobs import PEERS, Job

# What each virtual environment holds; `score` is for our own scorer.
VENVS = {
    "score": ("numpy",),
    "core": ("datasketch", "rensa", "gaoya", "orjson", "numpy", "scipy", "xxhash"),
    "fsk": ("FastSketchLSH", "orjson", "numpy"),
    "deduprs": ("dedup-rs", "orjson", "numpy"),
    "daft": ("daft", "numpy", "pyarrow", "orjson"),
}


def python_of(venvs: Path, venv: str) -> Path:
    return venvs / venv / "bin" / "python"


def versions(python: Path, packages: tuple[str, ...]) -> dict[str, str]:
    """The versions of the packages that this interpreter has; what is missing is left out."""
    code = """if True:
        import importlib.metadata, json, sys
        found = {}
        for name in sys.argv[1:]:
            try:
                found[name] = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                pass
        print(json.dumps(found))"""
    done = subprocess.run([python, "-c", code, *packages], check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def install(venvs: Path, venv: str) -> dict[str, str]:
    """Make the virtual environment unless it is there and whole; gives the versions of what it holds."""
    python, packages = python_of(venvs, venv), VENVS[venv]
    if not python.exists() or len(versions(python, packages)) < len(packages):
        uv = shutil.which("uv")
        if uv:
            subprocess.run([uv, "venv", "-q", "--allow-existing", "--python", sys.executable, venvs / venv], check=True)
            subprocess.run([uv, "pip", "install", "-q", "--python", python, *packages], check=True)
        else:
            subprocess.run([sys.executable, "-m", "venv", venvs / venv], check=True)
            subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
    return versions(python, packages)


def run(name: str, corpus: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.npy"):
        old.unlink()
    job = Job(corpus, out)
    PEERS[name].run(job)
    (out / "stages.json").write_text(json.dumps(job.stages.seconds))


def table() -> str:
    """The peers and where their settings differ, as Markdown."""
    rows = [("peer", "what is called", "package", "shingles by", "candidates checked by"), ("---",) * 5]
    rows += [(p.name, (p.run.__doc__ or "").strip(), p.package, p.shingles, p.check) for p in PEERS.values()]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    command = commands.add_parser("install")
    command.add_argument("--venvs", type=Path, default=Path(__file__).parents[1] / ".bench" / "venvs")
    command.add_argument("peers", nargs="*", metavar="PEER")
    command = commands.add_parser("run")
    command.add_argument("peer", choices=sorted(PEERS))
    command.add_argument("--corpus", type=Path, required=True)
    command.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if options.command == "list":
        print(table())
    elif options.command == "install":
        for venv in sorted({PEERS[name].venv for name in options.peers or PEERS}):
            print(venv, json.dumps(install(options.venvs, venv)))
    else:
        run(options.peer, options.corpus, options.out)


if __name__ == "__main__":
    main()
