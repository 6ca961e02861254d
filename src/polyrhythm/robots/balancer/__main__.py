"""``python -m polyrhythm.robots.balancer PORTS OPTIONS``: the body; options are those of `serve`, as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from polyrhythm.robots.balancer.process import serve

if __name__ == "__main__":
    serve(Path(sys.argv[1]), **json.loads(sys.argv[2]))
