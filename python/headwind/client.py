"""A client of the control API, version 2. It needs only the standard library."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import os
import urllib.parse
import uuid
from typing import Any, Dict, Iterator, List, Optional, Union

#: The name of a profile, or a whole profile as `headwind profile show --format json` prints it.
Profile = Union[str, Dict[str, Any]]
#: An event of a connection: a line of docs/reference/events.md.
Event = Dict[str, Any]


class HeadwindError(Exception):
    """The proxy refused a request: its HTTP status, and its message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{message} (status {status})")
        self.status = status
        self.message = message


class Control:
    """The control API of a running proxy.

    `url`: as the proxy prints it, such as `http://127.0.0.1:8081` (default: `HEADWIND_CONTROL`).
    `token`: the token that clients on other machines need (default: `HEADWIND_CONTROL_TOKEN`).
    `timeout`: how long each request may wait for the proxy, in seconds (default: 30).
    """

    def __init__(self, url: Optional[str] = None, token: Optional[str] = None, timeout: float = 30) -> None:
        url = url or os.environ.get("HEADWIND_CONTROL")
        if not url:
            raise ValueError("there is no proxy: give its control address, or set HEADWIND_CONTROL")
        parts = urllib.parse.urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme != "http" or not parts.hostname or not parts.port:
            raise ValueError(f"'{url}' is not the address of a control API, such as http://127.0.0.1:8081")
        self.host = parts.hostname
        self.port = parts.port
        self.token = token or os.environ.get("HEADWIND_CONTROL_TOKEN")
        self.timeout = timeout

    def links(self) -> Dict[str, Any]:
        """All links, by name."""
        return self._ask("GET", "/v2/links")

    def link(self, name: str) -> Dict[str, Any]:
        """A link. Its `status` has connections, bytes and losses."""
        return self._ask("GET", f"/v2/links/{_quoted(name)}")

    def put_link(self, name: str, **fields: Any) -> Dict[str, Any]:
        """Makes a link, or changes one: `profile=`, `conditions=` or `offline=`, and `seed=`."""
        return self._ask("PUT", f"/v2/links/{_quoted(name)}", fields)

    def remove_link(self, name: str) -> None:
        self._ask("DELETE", f"/v2/links/{_quoted(name)}")

    def proxies(self) -> Dict[str, Any]:
        """All named proxies, by name."""
        return self._ask("GET", "/v2/proxies")

    def proxy(self, name: str) -> Dict[str, Any]:
        return self._ask("GET", f"/v2/proxies/{_quoted(name)}")

    def put_proxy(self, name: str, upstream: str, **fields: Any) -> Dict[str, Any]:
        """Makes a named proxy, or changes one: `listen=`, `enabled=`, `link=`, `toxics=`."""
        return self._ask("PUT", f"/v2/proxies/{_quoted(name)}", {"upstream": upstream, **fields})

    def remove_proxy(self, name: str) -> None:
        self._ask("DELETE", f"/v2/proxies/{_quoted(name)}")

    def connections(self) -> List[Dict[str, Any]]:
        """The connections that are open."""
        return self._ask("GET", "/v2/connections")

    @contextlib.contextmanager
    def events(self) -> Iterator[Iterator[Event]]:
        """The events of all connections from now on, until the block ends."""
        connection = self._connection()
        try:
            response = self._send(connection, "GET", "/v2/events")
            # The first line confirms the request. From then on no event is missed.
            response.readline()
            # The time limit is for requests; the next event may come at any time.
            connection.sock.settimeout(None)
            yield _events(response)
        finally:
            connection.close()

    @contextlib.contextmanager
    def using(
        self, profile: Profile, upstream: Optional[str] = None, *, seed: Optional[int] = None, name: Optional[str] = None
    ) -> Iterator["Link"]:
        """Makes a link with a profile, and a proxy to `upstream` if you give one; removes both after the block."""
        # Processes of two containers may have the same number.
        name = name or f"python {uuid.uuid4()}"
        fields = {"profile": profile} if seed is None else {"profile": profile, "seed": str(seed)}
        self.put_link(name, **fields)
        try:
            proxy = self.put_proxy(name, upstream, link=name) if upstream else None
            try:
                yield Link(self, name, proxy["listen"] if proxy else None)
            finally:
                if proxy:
                    self.remove_proxy(name)
        finally:
            self.remove_link(name)

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)

    def _ask(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Any:
        connection = self._connection()
        try:
            text = self._send(connection, method, path, body).read()
            return json.loads(text) if text else None
        finally:
            connection.close()

    def _send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: Optional[Dict[str, Any]] = None
    ) -> http.client.HTTPResponse:
        fields = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), fields)
        response = connection.getresponse()
        if response.status >= 300:
            text = response.read().decode("utf-8", "replace")
            try:
                text = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                pass
            raise HeadwindError(response.status, text.strip())
        return response


@dataclasses.dataclass(frozen=True)
class Link:
    """A link that a test uses."""

    control: Control
    name: str
    #: Where its proxy listens, as HOST:PORT; None if it has none.
    address: Optional[str]

    def follow(self, profile: Profile) -> None:
        """Follows a profile from its start."""
        self.control.put_link(self.name, profile=profile)

    def set(self, **conditions: Any) -> None:
        """Sets conditions: `downlink={"rate": "1 Mbit/s"}, uplink=…`. Keys have an underscore instead of a hyphen."""
        fields = {key.replace("_", "-"): value for key, value in conditions.items()}
        self.control.put_link(self.name, conditions=fields)

    def offline(self, kind: str = "no-route") -> None:
        """Goes offline: `no-route`, `silent`, `refused` or `no-name`."""
        self.control.put_link(self.name, offline=kind)

    def online(self) -> None:
        """Goes online, and keeps all other conditions."""
        self.control.put_link(self.name, offline=None)

    def toxics(self, *toxics: Dict[str, Any]) -> None:
        """Replaces all toxics of its proxy, such as by `{"type": "limit_data", "attributes": {"bytes": 100}}`."""
        proxy = self.control.proxy(self.name)
        self.control.put_proxy(self.name, proxy["upstream"], toxics=list(toxics))

    @property
    def status(self) -> Dict[str, Any]:
        """The current state: connections, and the bytes and lost packets of each direction."""
        return self.control.link(self.name)["status"]


def link(profile: Profile, upstream: Optional[str] = None, **options: Any) -> "contextlib.AbstractContextManager[Link]":
    """Makes a link on the proxy that `HEADWIND_CONTROL` names, as :meth:`Control.using` does."""
    return Control().using(profile, upstream, **options)


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def _events(response: http.client.HTTPResponse) -> Iterator[Event]:
    lines: List[str] = []
    for raw in response:
        line = raw.decode("utf-8").rstrip("\n")
        if line.startswith("data:"):
            lines.append(line[5:].lstrip())
        elif not line and lines:
            yield json.loads("\n".join(lines))
            lines = []
