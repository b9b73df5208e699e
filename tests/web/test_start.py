"""What a server does before its first reader comes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import environment

PAGES = """
import sys
from samestory.archive import Archive
from samestory.web.app import app
from starlette.testclient import TestClient

with Archive.open(sys.argv[1]) as archive:
    text = "The ferry to Oldmere stays in the harbour until the storm is over, the council said on Monday. " * 4
    archive.add([
        {"id": "a", "title": "Ferry waits", "text": text, "published": "2026-03-01"},
        {"id": "b", "title": "Ferry waits", "text": text + "It leaves on Tuesday.", "published": "2026-03-02"},
    ])
with Archive.open(sys.argv[1]) as archive, TestClient(app(archive)) as client:
    before = set(sys.modules)
    for page in ("/", "/story/1", "/compare?left=a&right=b", "/search?q=ferry"):
        answer = client.get(page, headers={"Accept": "text/html"})
        assert answer.status_code == 200, (page, answer.text)
    large = {"numpy", "pandas", "pyarrow", "pyarrow.compute"}
    print(*sorted((set(sys.modules) - before) & large))
"""


def test_pages_import_no_large_library_that_the_first_reader_would_wait_for(tmp_path: Path) -> None:
    words = [sys.executable, "-c", PAGES, str(tmp_path / "news.db")]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""
