"""Names, addresses, and TCP connections to them."""

import errno
import os
import select
import socket
import threading
import time

from failures import Failure

SLICE = 0.05
# The time after which the next address is tried too, in seconds (RFC 8305 section 5).
ATTEMPT_DELAY = 0.25
ROUTELESS = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
# An address of RFC 5737, which any default route covers.
ANYWHERE = ("192.0.2.1", 9)


def is_routeless(family, address):
    """Whether the system has no route to an address. Sends nothing."""
    with socket.socket(family, socket.SOCK_DGRAM) as other:
        try:
            other.connect(address)
        except OSError as error:
            return error.errno in ROUTELESS
    return False


def of_os_error(error, what):
    """Returns the failure for an error of the system."""
    if isinstance(error, socket.gaierror):
        kind = "offline" if is_routeless(socket.AF_INET, ANYWHERE) else "no_name"
        return Failure(kind, f"{what}: {error.strerror}.")
    kind = {errno.ECONNREFUSED: "refused", errno.ETIMEDOUT: "timed_out"}.get(error.errno, "lost")
    return Failure("offline" if error.errno in ROUTELESS else kind, f"{what}: {error.strerror or error}.")


def lookup(host, port, patience):
    """Returns the addresses of a host. The lookup's thread is abandoned if it takes too long."""
    answers = []

    def ask():
        try:
            family = socket.AF_INET if patience.bug("needs_ipv4") else socket.AF_UNSPEC  # BUG: IPv4 alone.
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
    """Returns the first TCP connection to one of a host's addresses, which are tried one after another (RFC 8305)."""
    rest = lookup(host, port, patience)
    if patience.bug("ignores_other_addresses"):  # BUG: only the first address.
        rest = rest[:1]
    # BUG: no limit for an address.
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
    """Closes a socket that did not connect, and returns the failure."""
    sock.close()
    return of_os_error(OSError(code, os.strerror(code)), what)
