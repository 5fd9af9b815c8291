"""A client of the control API, version 2. It needs only the standard library."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import os
import urllib.parse
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

#: The name of a profile, or a whole profile as `headwind profile show --format json` prints it.
Profile = Union[str, Dict[str, Any]]
#: An event of a connection: a line of docs/reference/events.md.
Event = Dict[str, Any]


class HeadwindError(RuntimeError):
    """The proxy refused a request, or could not be started or reached.

    `message`: the error as a sentence, from the proxy if it answered.
    `status`: the HTTP status of its answer; None if there was none.
    """

    # All but the first argument are optional, so that other processes, such as those of pytest-xdist, can unpickle it.
    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message if status is None else f"{message} (status {status})")
        self.message = message
        self.status = status


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
        #: Where the link `main` has an HTTP and SOCKS 5 proxy, as HOST:PORT; only :func:`standing` sets it.
        self.forward: Optional[str] = None
        self.token = token or os.environ.get("HEADWIND_CONTROL_TOKEN")
        self.timeout = timeout

    def links(self) -> Dict[str, Any]:
        """All links, by name."""
        return self._object("GET", "/v2/links")

    def link(self, name: str) -> Dict[str, Any]:
        """A link. Its `status` has connections, bytes and losses."""
        return self._object("GET", f"/v2/links/{_quoted(name)}")

    def put_link(self, name: str, **fields: Any) -> Dict[str, Any]:
        """Makes a link, or changes one: `profile=` or `conditions=`, `offline=`, `seed=`, `schedule=`."""
        return self._object("PUT", f"/v2/links/{_quoted(name)}", fields)

    def remove_link(self, name: str) -> None:
        self._ask("DELETE", f"/v2/links/{_quoted(name)}")

    def proxies(self) -> Dict[str, Any]:
        """All named proxies, by name."""
        return self._object("GET", "/v2/proxies")

    def proxy(self, name: str) -> Dict[str, Any]:
        return self._object("GET", f"/v2/proxies/{_quoted(name)}")

    def put_proxy(self, name: str, upstream: str, **fields: Any) -> Dict[str, Any]:
        """Makes a named proxy, or changes one: `listen=`, `enabled=`, `link=`, `toxics=`."""
        return self._object("PUT", f"/v2/proxies/{_quoted(name)}", {"upstream": upstream, **fields})

    def remove_proxy(self, name: str) -> None:
        self._ask("DELETE", f"/v2/proxies/{_quoted(name)}")

    def connections(self) -> List[Dict[str, Any]]:
        """The connections that are open."""
        answer: List[Dict[str, Any]] = self._ask("GET", "/v2/connections")[1]
        return answer

    @contextlib.contextmanager
    def events(self) -> Iterator[Iterator[Event]]:
        """The events of all connections from now on, until the block ends.

        If the proxy ends first, the next event is a HeadwindError.
        """
        connection = self._connection()
        try:
            response = self._send(connection, "GET", "/v2/events")
            with self._reaching():
                # The first line confirms the request. From then on no event is missed.
                response.readline()
            # The time limit is for requests; the next event may come at any time.
            connection.sock.settimeout(None)
            yield self._events(connection, response)
        finally:
            connection.close()

    def main(self) -> "Link":
        """The link of the proxy's own listeners. It has an address if :func:`standing` started the proxy."""
        return Link(self, "main", self.forward)

    @contextlib.contextmanager
    def using(
        self,
        profile: Profile,
        upstream: Optional[str] = None,
        *,
        seed: Optional[int] = None,
        name: Optional[str] = None,
    ) -> Iterator["Link"]:
        """Makes a link with a profile, and a proxy to `upstream` if you give one; removes both after the block.

        `seed`: the seed of the link's random decisions (default: derived from the proxy's seed and the link's name).
        `name`: the name of both; the toxics' random decisions depend on it (default: the first of `python 1`,
        `python 2`, … that is free). Give one if processes that share a proxy must decide the same in every run.
        """
        seeded = {} if seed is None else {"seed": str(seed)}
        if name is None:
            made = self._claim(seeded)
        else:
            # If this is refused, a link of the name may exist, which others use.
            made = name
            self.put_link(made, profile=profile, **seeded)
        with _ending(lambda: self.remove_link(made)):
            if name is None:
                self.put_link(made, profile=profile, **seeded)
            if upstream is None:
                yield Link(self, made)
                return
            proxy = self.put_proxy(made, upstream, link=made)
            with _ending(lambda: self.remove_proxy(made)):
                yield Link(self, made, proxy["listen"])

    def _claim(self, seeded: Dict[str, Any]) -> str:
        """Makes a link with the first free name, and returns that name.

        Seeds derive from names. So a test that runs again has the same name, not a random one.
        """
        number = 0
        while True:
            number += 1
            name = f"python {number}"
            try:
                # This changes no link that exists.
                status, _ = self._ask("PUT", f"/v2/links/{_quoted(name)}", seeded)
            except HeadwindError:
                # A link of this name may exist with another seed.
                if name not in self.links():
                    raise
                continue
            if status == 201:
                return name

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)

    def _object(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Dict[str, Any]:
        answer: Dict[str, Any] = self._ask(method, path, body)[1]
        return answer

    def _ask(self, method: str, path: str, body: Optional[Dict[str, Any]] = None) -> Tuple[int, Any]:
        """The status and the body of an answer."""
        with contextlib.closing(self._connection()) as connection:
            response = self._send(connection, method, path, body)
            with self._reaching():
                text = response.read()
                return response.status, json.loads(text) if text else None

    def _send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: Optional[Dict[str, Any]] = None
    ) -> http.client.HTTPResponse:
        fields = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        text = None if body is None else json.dumps(body)
        with self._reaching():
            connection.request(method, path, text, fields)
            response = connection.getresponse()
            said = response.read().decode("utf-8", "replace") if response.status >= 300 else ""
        if response.status >= 300:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                said = json.loads(said)["error"]
            raise HeadwindError(said.strip(), response.status)
        return response

    @contextlib.contextmanager
    def _reaching(self) -> Iterator[None]:
        """Raises the errors of a connection, and of an answer that is no JSON, as HeadwindError."""
        try:
            yield
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise HeadwindError(
                f"could not reach the control API at {self.host}, port {self.port}: {error or type(error).__name__}. "
                "See whether the proxy still runs, and compare this with the address that it prints as control"
            ) from error

    def _events(
        self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse
    ) -> Iterator[Event]:
        lines: List[str] = []
        with self._reaching():
            for raw in response:
                line = raw.decode("utf-8").rstrip("\n")
                if line.startswith("data:"):
                    lines.append(line[5:].lstrip())
                elif not line and lines:
                    yield json.loads("\n".join(lines))
                    lines = []
            # The end of the block closes the connection, and then no event is missing.
            if connection.sock is not None:
                raise http.client.HTTPException("the stream of events ended")


@dataclasses.dataclass(frozen=True)
class Link:
    """A link that a test uses."""

    control: Control
    name: str
    _address: Optional[str] = None

    @property
    def address(self) -> str:
        """Where to connect, as HOST:PORT: a proxy to one upstream, or an HTTP and SOCKS 5 proxy.

        Raises HeadwindError if the link has no proxy of either kind that is known here.
        """
        if self._address is None:
            raise HeadwindError(
                f"no address is known for the link '{self.name}': give an upstream, such as '127.0.0.1:3000', or start "
                "an HTTP proxy by headwind.link(profile)"
            )
        return self._address

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
        status: Dict[str, Any] = self.control.link(self.name)["status"]
        return status


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


@contextlib.contextmanager
def _ending(end: Callable[[], None]) -> Iterator[None]:
    """Calls `end` after the block. An error of the block hides one of `end`, such as that the proxy is gone."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(HeadwindError):
            end()
        raise
    end()
