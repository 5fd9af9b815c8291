"""The measuring client: HTTP/1.1 on plain sockets, the same for every program that is measured."""

import collections
import contextlib
import selectors
import socket
import time

from .processes import Failure

_BUFFER = bytearray(1 << 20)


def _head(connection):
    """Reads a response's head; returns its status, the length of its body, and the bytes that were read of the body."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece or len(received) > 65536:
            raise Failure("a response ended within its head")
        received += piece
    head, _, rest = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    length = None
    for line in lines[1:]:
        name, _, value = line.partition(":")
        if name.strip().lower() == "content-length":
            length = int(value)
    if length is None:
        raise Failure(f"a response without a length: {lines[0]}")
    return int(lines[0].split()[1]), length, rest


def download(address, path, size):
    """Downloads a file of `size` bytes and discards it; returns the seconds from connecting to the last byte."""
    began = time.perf_counter()
    with socket.create_connection(address, timeout=60) as connection:
        connection.sendall(_request(address, path))
        status, length, rest = _head(connection)
        if status != 200 or length != size:
            raise Failure(f"{path}: status {status}, {length} bytes instead of {size}")
        left = size - len(rest)
        while left > 0:
            count = connection.recv_into(_BUFFER)
            if count == 0:
                raise Failure(f"{path}: {left} bytes of {size} are missing")
            left -= count
    return time.perf_counter() - began


def _request(address, path):
    return f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n\r\n".encode("ascii")


def requests(address, path, size, connections, rounds):
    """Seconds for `rounds` requests on each of `connections` kept connections.

    A round sends one request on each connection, then reads all responses.
    """
    request = _request(address, path)
    opened = []
    try:
        for _ in range(connections):
            connection = socket.create_connection(address, timeout=30)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            opened.append(connection)
        expected = [_first(connection, request, size) for connection in opened]
        pairs = list(zip(opened, expected))
        began = time.perf_counter()
        for _ in range(rounds):
            for connection in opened:
                connection.sendall(request)
            for connection, length in pairs:
                left = length
                while left > 0:
                    count = connection.recv_into(_BUFFER, left)
                    if count == 0:
                        raise Failure("a kept connection was closed")
                    left -= count
        return time.perf_counter() - began
    finally:
        for connection in opened:
            connection.close()


def _first(connection, request, size):
    """Sends one request; returns the bytes of the whole response with its head. Later responses are as long."""
    connection.sendall(request)
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            raise Failure("a response ended within its head")
        received += piece
    head = received.index(b"\r\n\r\n") + 4
    if not received.startswith(b"HTTP/1.1 200"):
        raise Failure("a small file: " + received.split(b"\r\n")[0].decode("latin-1"))
    while len(received) < head + size:
        piece = connection.recv(65536)
        if not piece:
            raise Failure("a response ended within its body")
        received += piece
    if len(received) != head + size:
        raise Failure("a response of another length than its file's")
    return len(received)


def paced(address, path, size, connections, rate, seconds):
    """Seconds that each request took, from the moment it was due to its last byte.

    `rate` requests a second are due for `seconds`, on `connections` kept connections in turns.
    """
    request = _request(address, path)
    opened = []
    with contextlib.ExitStack() as scope, selectors.DefaultSelector() as selector:
        for _ in range(connections):
            connection = scope.enter_context(socket.create_connection(address, timeout=30))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            opened.append(_Kept(connection, _first(connection, request, size)))
            connection.setblocking(False)
            selector.register(connection, selectors.EVENT_READ, opened[-1])
        times = []
        count = rate * seconds
        start = time.perf_counter() + 0.01
        sent = 0
        while len(times) < count:
            now = time.perf_counter()
            if now > start + seconds + 30:
                raise Failure(f"{count - len(times)} of {count} requests had no answer after 30 s")
            while sent < count and start + sent / rate <= now:
                kept = opened[sent % connections]
                kept.due.append(start + sent / rate)
                kept.connection.sendall(request)
                sent += 1
            # epoll_wait(2) counts in milliseconds, which is too coarse, so this loop polls without waiting.
            for key, _ in selector.select(0):
                times += key.data.receive()
        return times


class _Kept:
    """A connection, and the due times of its outstanding requests."""

    def __init__(self, connection, length):
        self.connection = connection
        self.length = length
        self.got = 0
        self.due = collections.deque()

    def receive(self):
        """Reads what has arrived; returns the seconds that each newly answered request took."""
        piece = self.connection.recv(65536)
        now = time.perf_counter()
        if not piece:
            raise Failure("a kept connection was closed")
        self.got += len(piece)
        times = []
        while self.got >= self.length:
            self.got -= self.length
            times.append(now - self.due.popleft())
        return times
