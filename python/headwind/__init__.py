"""Drives `headwind proxy` from tests, by version 2 of its control API.

    import headwind

    with headwind.link("3g", upstream="127.0.0.1:3000") as link:
        fetch(f"http://{link.address}/")
        link.offline("silent")

The proxy stands already (`headwind proxy --profile wifi --control 127.0.0.1:8081`, named by `HEADWIND_CONTROL`), or a
`with headwind.standing():` starts one.
"""

from .client import Control, Event, HeadwindError, Link, Profile, link
from .process import standing

__all__ = ["Control", "Event", "HeadwindError", "Link", "Profile", "link", "standing"]
