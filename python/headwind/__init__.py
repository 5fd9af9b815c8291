"""Controls `headwind proxy` from tests, through version 2 of its control API.

    import headwind

    with headwind.link("3g") as link:
        fetch("http://example.com/", proxy=f"http://{link.address}")
        link.offline("silent")

    with headwind.link("3g", upstream="127.0.0.1:3000") as link:
        fetch(f"http://{link.address}/")

It starts proxies by itself. To share one, start `headwind proxy --profile wifi --control 127.0.0.1:8081`, and set
`HEADWIND_CONTROL` to that address. Or start one for several links with `with headwind.standing() as control:`.
"""

from .client import Control, Event, HeadwindError, Link, Profile
from .process import link, standing

__all__ = ["Control", "Event", "HeadwindError", "Link", "Profile", "link", "standing"]
