"""A portal whose limits of connections are given on the command line: the deadlines of the real one are long."""

from __future__ import annotations

import json
import socket
import sys

from samestory.archive import Archive
from samestory.web import Limits, app
from samestory.web.connections import ConnectionLimits
from samestory.web.server import run

if __name__ == "__main__":
    database, limits = sys.argv[1], json.loads(sys.argv[2])
    with Archive.open(database) as archive, socket.create_server(("127.0.0.1", 0)) as bound:
        print(f"http://127.0.0.1:{bound.getsockname()[1]}/", file=sys.stderr, flush=True)
        run(app(archive, limits=Limits(rate=1000, burst=1000)), bound, limits=ConnectionLimits(**limits))
