"""Resident memory of a proxy with many idle connections, and with many connections whose clients stop reading."""

import contextlib
import os
import selectors
import signal
import socket
import threading
import time

from . import peers, processes
from .processes import Failure
from .session import progress, row

TITLE = "idle"
SETUP = (
    "Each round starts a new proxy. All connections go through its reverse listener to one server. Each carries 64 "
    "bytes there and back, which proves that it works, and then idles. The figure is VmRSS of the proxy 1 s later. "
    "HAProxy, set up as above, is for comparison. Then connections whose servers send without end and whose clients "
    "read nothing: VmRSS once no byte moves any more."
)
MESSAGE = bytes(range(64))


class _Server(threading.Thread):
    """A server of any number of connections, until `end`. A subclass handles a ready connection in `_serve`."""

    READY = selectors.EVENT_READ

    def __init__(self):
        super().__init__(daemon=True)
        self._door = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.address = self._door.getsockname()
        self._ended = False

    def run(self):
        with selectors.DefaultSelector() as selector, self._door:
            selector.register(self._door, selectors.EVENT_READ)
            while not self._ended:
                for key, _ in selector.select(0.1):
                    if key.fileobj is self._door:
                        peer = self._door.accept()[0]
                        peer.setblocking(False)
                        selector.register(peer, self.READY)
                        continue
                    try:
                        if self._serve(key.fileobj):
                            continue
                    except BlockingIOError:
                        continue
                    except OSError:
                        pass
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
            for key in list(selector.get_map().values()):
                key.fileobj.close()

    def end(self):
        self._ended = True
        self.join()

    def close(self):
        """Closes this process's copy of the listener, which another process serves."""
        self._door.close()


class _Flood(_Server):
    """A server that sends without end on each connection."""

    READY = selectors.EVENT_WRITE
    BLOCK = bytes(1 << 18)
    sent = 0

    def _serve(self, peer):
        self.sent += peer.send(self.BLOCK)
        return True


class _Echo(_Server):
    """A server that echoes what it receives."""

    def _serve(self, peer):
        received = peer.recv(4096)
        peer.sendall(received)
        return bool(received)


def run(session):
    """Memory with the connections, and without them."""
    count = session.size(1000, 100)
    contenders = {"headwind": lambda: measure(_ours(session), count)}
    if not peers.missing("haproxy"):
        contenders["haproxy"] = lambda: measure(lambda target: peers.haproxy(target, session.scratch), count)
    else:
        progress("haproxy is missing: idle memory without a comparison")
    measured = session.interleave(contenders)
    memory = {name: [full / 1e6 for _, full in series] for name, series in measured.items()}
    empty = [bare / 1e6 for bare, _ in measured["headwind"]]
    # MB is 1,000,000 bytes, as in all of Headwind.
    rows = [
        row(f"{count} idle connections: resident memory", "MB", memory["headwind"], ceiling=64),
        row("no connection: resident memory", "MB", empty),
    ]
    stopped = session.size(300, 50)
    held = session.interleave({"headwind": lambda: _measure_stopped(_ours(session), stopped)})["headwind"]
    what = f"{stopped} connections whose readers stop: resident memory"
    rows.append(row(what, "MB", [full / 1e6 for full in held], ceiling=64))
    if "haproxy" in memory:
        what = f"{count} idle connections: resident memory"
        rows.append(row(what, "MB", memory["headwind"], "HAProxy", memory["haproxy"]))
    return rows


def _ours(session):
    return lambda target: peers.headwind_proxy(session.headwind, target, session.scratch)


@contextlib.contextmanager
def echoing():
    """Runs an echo server in a process of its own, which has its own limit of descriptors; yields its address."""
    echo = _Echo()
    child = os.fork()
    if child == 0:
        processes.end_with_parent()
        with contextlib.suppress(BaseException):
            echo.run()
        os._exit(1)
    echo.close()
    try:
        yield echo.address
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def measure(start, count):
    """Resident memory of a proxy in bytes: without connections, and with `count` of them."""
    opened = []
    with contextlib.ExitStack() as scope:
        scope.callback(lambda: [connection.close() for connection in opened])
        with start(scope.enter_context(echoing())) as (address, process):
            bare = processes.status_bytes(process.pid, "VmRSS")
            for _ in range(count):
                opened.append(socket.create_connection(address, timeout=20))
            for connection in opened:
                connection.sendall(MESSAGE)
            for connection in opened:
                if connection.recv(len(MESSAGE), socket.MSG_WAITALL) != MESSAGE:
                    raise Failure("a connection through the proxy did not carry what was sent")
            time.sleep(1)
            return bare, processes.status_bytes(process.pid, "VmRSS")


def _measure_stopped(start, count):
    flood = _Flood()
    flood.start()
    opened = []
    try:
        with start(flood.address) as (address, process):
            for _ in range(count):
                opened.append(socket.create_connection(address, timeout=20))
            sent = -1
            while sent < flood.sent:
                sent = flood.sent
                time.sleep(1)
            return processes.status_bytes(process.pid, "VmRSS")
    finally:
        for connection in opened:
            connection.close()
        flood.end()
