"""The portal among 2,000 idle connections and four hostile clients: how long honest readers wait.

benchmarks/hostile_clients.py measures it, on loopback.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT, environment
from tests.hostile.campaign.trial import Budget, Trial

BUDGET = Budget(seconds=240, memory_mb=1500, more={"p99_ms": 500})
IDLE, HOSTILE, SECONDS, ARTICLES = 2000, 4, 60, 2000


def run(trial: Trial, folder: Path) -> None:
    """Measure once; the scale shortens the time, and leaves the clients as many as they are."""
    with trial.case(f"portal: {IDLE:,} idle connections, {HOSTILE} hostile clients") as case:
        words = ["--dry", "--idle", IDLE, "--hostile", HOSTILE, "--seconds", max(5, SECONDS * trial.scale)]
        command = [sys.executable, str(ROOT / "benchmarks" / "hostile_clients.py"), *map(str, words)]
        command += ["--docs", str(ARTICLES)]
        done = subprocess.run(command, stdout=subprocess.PIPE, cwd=folder, env=environment(), check=True)
        measures = json.loads(done.stdout)["measures"]
        case.tried = measures["pages"]
        case.measures = {name: measures[name] for name in ("calm_p99_ms", "p50_ms", "p99_ms", "most_ms", "refused")}
