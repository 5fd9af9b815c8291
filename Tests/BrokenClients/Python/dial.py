"""Names, addresses, and TCP connections to them."""

import errno
import os
import select
import socket
import threading
import time

from failures import Failure

SLICE = 0.05
# After which the next address is tried beside the one before (RFC 8305 section 5).
ATTEMPT_DELAY = 0.25
ROUTELESS = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
# Of RFC 5737: whatever way there is leads there.
ANYWHERE = ("192.0.2.1", 9)


def is_routeless(family, address):
    """Whether the system knows no way to an address. Nothing is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as other:
        try:
            other.connect(address)
        except OSError as error:
            return error.errno in ROUTELESS
    return False


def of_os_error(error, what):
    """The failure that the system's answer is."""
    if isinstance(error, socket.gaierror):
        kind = "offline" if is_routeless(socket.AF_INET, ANYWHERE) else "no_name"
        return Failure(kind, f"{what}: {error.strerror}.")
    kind = {errno.ECONNREFUSED: "refused", errno.ETIMEDOUT: "timed_out"}.get(error.errno, "lost")
    return Failure("offline" if error.errno in ROUTELESS else kind, f"{what}: {error.strerror or error}.")


def lookup(host, port, patience):
    """The addresses of a host, found on a thread that may be left behind."""
    answers = []

    def ask():
        try:
            family = socket.AF_INET if patience.bug("needs_ipv4") else socket.AF_UNSPEC  # BUG: of the old ones.
            answers.append(socket.getaddrinfo(host, port, family, socket.SOCK_STREAM))
        except OSError as error:
            answers.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()

    def ready(seconds):
        thread.join(seconds)
        return not thread.is_alive()

    patience.until(ready, f"the address of {host}", connecting=True)
    if isinstance(answers[0], OSError):
        raise of_os_error(answers[0], f"Looking for {host}")
    return answers[0]


def dial(host, port, patience):
    """A TCP connection to the address that takes it first, each asked a moment after the one before (RFC 8305)."""
    rest = lookup(host, port, patience)
    if patience.bug("ignores_other_addresses"):  # BUG: that one, or none.
        rest = rest[:1]
    # BUG: each has all the time that it wants.
    delay = float("inf") if patience.bug("waits_on_dead_address") else ATTEMPT_DELAY
    failure = Failure("no_name", f"{host} has no address.")
    racing, next_at = [], 0
    try:
        while rest or racing:
            if rest and (not racing or time.monotonic() >= next_at):
                next_at = time.monotonic() + delay
                family, kind, protocol, _, address = rest.pop(0)
                sock = socket.socket(family, kind, protocol)
                sock.setblocking(False)
                code = sock.connect_ex(address)
                if code in (0, errno.EINPROGRESS):
                    racing.append(sock)
                else:
                    failure = unanswered(sock, code, f"Connecting to {host}:{port}")
            ready = select.select([], racing, [], SLICE)[1] if racing else []
            for sock in ready:
                racing.remove(sock)
                code = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if not code:
                    return sock
                failure = unanswered(sock, code, f"Connecting to {host}:{port}")
            if racing and not ready:
                patience.tick(f"a connection to {host}", connecting=True)
        raise failure
    finally:
        for sock in racing:
            sock.close()


def unanswered(sock, code, what):
    """Closes a socket that has no other end, and says why."""
    sock.close()
    return of_os_error(OSError(code, os.strerror(code)), what)
