"""Fixtures for pytest, which finds them through the package's entry point.

`headwind_control` is the proxy that `HEADWIND_CONTROL` names; without it a new one runs for the session.
`headwind_link` makes links that are removed after the test: `link = headwind_link("3g", upstream="127.0.0.1:3000")`.
Without `upstream` the link has an HTTP and SOCKS 5 proxy of its own.
"""

from __future__ import annotations

import contextlib
import os
from typing import Callable, Iterator, Optional

import pytest

from .client import Control, HeadwindError, Link, Profile
from .process import link, standing


@pytest.fixture(scope="session")
def headwind_control() -> Iterator[Control]:
    if os.environ.get("HEADWIND_CONTROL"):
        yield Control()
        return
    with standing() as control:
        yield control


@pytest.fixture
def headwind_link(headwind_control: Control) -> Iterator[Callable[..., Link]]:
    with contextlib.ExitStack() as stack:

        def make(
            profile: Profile, upstream: Optional[str] = None, *, seed: Optional[int] = None, name: Optional[str] = None
        ) -> Link:
            if upstream is None:
                if name is not None:
                    raise HeadwindError("a link without an upstream has no name: give an upstream")
                return stack.enter_context(link(profile, seed=seed))
            return stack.enter_context(headwind_control.using(profile, upstream, seed=seed, name=name))

        yield make
