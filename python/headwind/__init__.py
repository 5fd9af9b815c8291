"""Controls `headwind proxy` from tests, through version 2 of its control API.

    import headwind

    with headwind.link("3g", upstream="127.0.0.1:3000") as link:
        fetch(f"http://{link.address}/")
        link.offline("silent")

Start the proxy with `headwind proxy --profile wifi --control 127.0.0.1:8081`, and set `HEADWIND_CONTROL` to that
address. Or start one with `with headwind.standing() as control:`.
"""

from .client import Control, Event, HeadwindError, Link, Profile, link
from .process import standing

__all__ = ["Control", "Event", "HeadwindError", "Link", "Profile", "link", "standing"]
