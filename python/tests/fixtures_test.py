"""Tests the fixtures of the installed package: `HEADWIND=.build/debug/headwind pytest python/tests/fixtures_test.py`.

unittest does not find this file by its name, as not every machine has pytest.
"""

import socket
from typing import Callable, Iterator

import headwind
import pytest

MakeLink = Callable[..., headwind.Link]


@pytest.fixture
def upstream() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_a_link_leads_to_its_upstream(
    headwind_control: headwind.Control, headwind_link: MakeLink, upstream: str
) -> None:
    link = headwind_link("3g", upstream=upstream, seed=5)
    assert headwind_control.link(link.name)["seed"] == "5"
    assert headwind_control.proxy(link.name)["listen"] == link.address
    assert headwind_control.proxy(link.name)["upstream"] == upstream
    link.offline("silent")
    assert link.status["conditions"]["offline"] == "silent"


def test_the_links_of_earlier_tests_are_gone(headwind_control: headwind.Control) -> None:
    assert list(headwind_control.links()) == ["main"]


def test_without_upstream_a_link_is_an_http_proxy(headwind_link: MakeLink) -> None:
    link = headwind_link("3g")
    host, port = link.address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=10) as client:
        client.sendall(f"GET /proxy.pac HTTP/1.1\r\nHost: {link.address}\r\n\r\n".encode())
        assert client.recv(12) == b"HTTP/1.1 200"
