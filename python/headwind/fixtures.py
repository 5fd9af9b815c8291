"""Fixtures for pytest, which finds them through the package's entry point.

`headwind_control` is the proxy that `HEADWIND_CONTROL` names; without it a new one runs for the session.
`headwind_link` makes links that are removed after the test: `link = headwind_link("3g", upstream="127.0.0.1:3000")`.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any, Callable, Iterator, Optional

import pytest

from .client import Control, Link, Profile
from .process import standing


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

        def make(profile: Profile, upstream: Optional[str] = None, **options: Any) -> Link:
            return stack.enter_context(headwind_control.using(profile, upstream, **options))

        yield make
