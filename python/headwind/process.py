"""Starts a proxy for a test."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
from typing import Iterator, Optional

from .client import Control, HeadwindError, Link, Profile

#: Becomes a program, and ends it if standard input ends without a line: the process that holds the other end is gone.
_TIED = 'exec 3<&0; (read -r line <&3 || kill $$) & exec "$@" 3<&- < /dev/null'


@contextlib.contextmanager
def standing(
    *options: str, program: Optional[str] = None, patience: float = 30
) -> Iterator[Control]:
    """Starts `headwind proxy` with a control API at a free port, and ends it after the block.

    It also listens as an HTTP and SOCKS 5 proxy, at the address of :meth:`Control.main`. It does not outlive this
    process, even if that is killed.

    `options`: more of its options, such as `"--seed", "7"`; without `--profile`, links are unshaped until you change
    them.
    `program`: the path of headwind (default: `HEADWIND`, else `headwind` in the PATH).
    `patience`: how long it may take to start, in seconds (default: 30). After that a HeadwindError is raised.
    """
    program = program or os.environ.get("HEADWIND") or "headwind"
    found = shutil.which(program)
    if not found:
        raise HeadwindError(
            f"could not start headwind proxy: there is no program '{program}'. Install Headwind, or set the variable "
            "HEADWIND to the path of its program"
        )
    with tempfile.TemporaryDirectory(prefix="headwind-python-") as folder:
        ready = pathlib.Path(folder, "ready.json")
        log = pathlib.Path(folder, "log")
        command = [found, "proxy", "--control", "127.0.0.1:0", "--toxiproxy", "127.0.0.1:0", "--listen", "127.0.0.1:0"]
        command += ["--ready-file", str(ready), *options]
        with open(log, "wb") as errors:
            process = subprocess.Popen(
                ["/bin/sh", "-c", _TIED, "sh", *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                # Otherwise Ctrl-C ends the proxy before the tests that use it.
                start_new_session=True,
            )
        try:
            end = time.monotonic() + patience
            while not ready.exists():
                if process.poll() is not None or time.monotonic() > end:
                    said = log.read_text(errors="replace").strip()
                    raise HeadwindError(f"headwind proxy did not start: {said or 'it said nothing'}")
                time.sleep(0.01)
            addresses = json.loads(ready.read_text())
            control = Control(addresses["control"])
            control.forward = addresses["forward"].removeprefix("http://")
            yield control
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            # A line: from now on the process number may be another program's.
            process.communicate(b"\n")


@contextlib.contextmanager
def link(
    profile: Profile, upstream: Optional[str] = None, *, seed: Optional[int] = None, name: Optional[str] = None
) -> Iterator[Link]:
    """Makes a link that follows a profile until the block ends.

    `upstream`: HOST:PORT, where `link.address` then leads. The link belongs to the proxy that `HEADWIND_CONTROL`
    names; without this variable, a proxy is started for it. Without `upstream`, `link.address` is an HTTP and SOCKS 5
    proxy that is started for it.
    `seed`, `name`: as for :meth:`Control.using`. Without `upstream` the link is named `main`, and its default seed
    is 0.
    """
    with contextlib.ExitStack() as stack:
        if upstream is None:
            options = [] if seed is None else ["--seed", str(seed)]
            made = stack.enter_context(standing(*options)).main()
            made.follow(profile)
        else:
            control = Control() if os.environ.get("HEADWIND_CONTROL") else stack.enter_context(standing())
            made = stack.enter_context(control.using(profile, upstream, seed=seed, name=name))
        yield made
