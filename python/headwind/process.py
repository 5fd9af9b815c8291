"""Starts a proxy for a test."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time
from typing import Iterator, Optional

from .client import Control


@contextlib.contextmanager
def standing(
    *options: str, program: Optional[str] = None, patience: float = 30
) -> Iterator[Control]:
    """Starts `headwind proxy` with a control API at a free port, and ends it after the block.

    `options`: more of its options, such as `"--seed", "7"`.
    `program`: the path of headwind (default: `HEADWIND`, else `headwind` in the PATH).
    `patience`: how long it may take to start, in seconds (default: 30). After that a RuntimeError is raised.
    """
    program = program or os.environ.get("HEADWIND") or "headwind"
    with tempfile.TemporaryDirectory(prefix="headwind-python-") as folder:
        ready = pathlib.Path(folder, "ready.json")
        log = pathlib.Path(folder, "log")
        command = [program, "proxy", "--control", "127.0.0.1:0", "--toxiproxy", "127.0.0.1:0"]
        command += ["--ready-file", str(ready), *options]
        with open(log, "wb") as errors:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            end = time.monotonic() + patience
            while not ready.exists():
                if process.poll() is not None or time.monotonic() > end:
                    said = log.read_text(errors="replace").strip()
                    raise RuntimeError(f"headwind proxy did not start: {said or 'it said nothing'}")
                time.sleep(0.01)
            yield Control(json.loads(ready.read_text())["control"])
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
