"""Connections: lookup, TCP, a proxy's tunnel and TLS, each within the client's patience."""

import re
import select
import socket
import time
import urllib.parse

from dial import ROUTELESS, SLICE, dial, is_routeless, of_os_error
from failures import Failure

# The failure for each error in a proxy's Proxy-Status (RFC 9209 section 2.3).
REFUSALS = {
    "destination_ip_unroutable": "offline",
    "dns_error": "no_name",
    "dns_timeout": "timed_out",
    "connection_timeout": "timed_out",
    "connection_refused": "refused",
    "connection_terminated": "lost",
}
# X509_V_ERR_* of openssl-verify(1).
UNTRUSTED = {9: "tls_not_yet", 10: "tls_expired", 19: "tls_unknown_root", 20: "tls_unknown_root", 2: "tls_unknown_root"}


class Patience:
    """The time limit for silence, and a hook that may end or suspend the waiting."""

    def __init__(self, seconds, bug, hold=lambda: False):
        """``hold`` is called repeatedly: it raises to end the waiting, and returns whether time stands still."""
        self.seconds = seconds
        self.bug = bug
        self.hold = hold
        self.began = self.last = time.monotonic()

    def life(self):
        """Records a sign of life."""
        self.last = time.monotonic()

    @property
    def left(self):
        return self.seconds - (time.monotonic() - self.last)

    def stand_by(self):
        """Waits while time stands still."""
        while self.hold():
            time.sleep(SLICE)
            self.began += SLICE
            self.life()

    def tick(self, what, connecting=False):
        """Raises Failure if the wait has been too long."""
        self.stand_by()
        if connecting and (self.bug("blocks_on_dns") or self.bug("waits_on_dead_address")):
            # BUG: waits forever for a connection.
            return
        if not connecting and self.bug("no_timeout"):  # BUG: no limit.
            return
        quirk = self.bug("limits_total_time")
        if quirk and not connecting and time.monotonic() - self.began > quirk.share * self.seconds:
            # BUG: a limit for the whole download, where one for silence is needed.
            raise Failure("timed_out", f"It took longer than {quirk.share * self.seconds:.1f} s.")
        quirk = self.bug("impatient")
        if quirk and not connecting and self.seconds - self.left > quirk.share * self.seconds:
            # BUG: gives up before its patience is over.
            raise Failure("timed_out", f"Nothing came for {quirk.share * self.seconds:.1f} s.")
        if self.left < 0:
            raise Failure("timed_out", f"Nothing came for {self.seconds:g} s while waiting for {what}.")

    def until(self, ready, what, connecting=False):
        """Waits until ``ready``, which takes a time in seconds, returns true."""
        while not ready(SLICE):
            self.tick(what, connecting)


def receive(sock, patience, what, connecting=False, count=65536):
    """Returns received bytes, or none at the end of the connection."""
    while True:
        patience.stand_by()
        try:
            data = sock.recv(count)
            patience.life()
            # Ends the wait too if bytes never stop arriving.
            patience.tick(what, connecting)
            return data
        except (BlockingIOError, TimeoutError):
            pass
        except OSError as error:
            if type(error).__name__ in ("SSLWantReadError", "SSLWantWriteError"):
                pass
            elif type(error).__name__ in ("SSLEOFError", "SSLZeroReturnError"):
                return b""
            else:
                raise of_os_error(error, f"Waiting for {what}") from error
        select.select([sock], [], [], 0 if patience.bug("busy_waits") else SLICE)  # BUG: no pause.
        patience.tick(what, connecting)


def is_readable(sock):
    """Whether bytes, or the end, came within a moment."""
    return bool(select.select([sock], [], [], SLICE)[0])


def send(sock, data, patience, connecting=False):
    """Sends everything."""
    while data:
        try:
            data = data[sock.send(data):]
        except (BlockingIOError, TimeoutError):
            patience.until(lambda seconds: select.select([], [sock], [], seconds)[1], "the host", connecting)
        except OSError as error:
            if type(error).__name__ not in ("SSLWantReadError", "SSLWantWriteError"):
                raise of_os_error(error, "Sending a request") from error


def head(sock, patience, what, connecting=False, rest=b""):
    """Returns the lines of a head, and the bytes after it."""
    while b"\r\n\r\n" not in rest:
        if len(rest) > 65536:
            raise Failure("bad_answer", "The host's head is larger than 64 KiB.")
        data = receive(sock, patience, what, connecting)
        if not data:
            raise Failure("lost", "The connection ended before an answer.")
        rest += data
    text, _, rest = rest.partition(b"\r\n\r\n")
    return text.decode("latin-1").split("\r\n"), rest


def tunnel(sock, host, port, patience):
    """Makes a proxy connect to the host."""
    send(sock, f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode(), patience, True)
    lines, _ = head(sock, patience, "the proxy's answer", connecting=True)
    status = lines[0].split(" ")[1:2]
    if status and status[0].startswith("2"):
        return
    said = re.search(r"^proxy-status:.*error=(\w+)", "\n".join(lines), re.IGNORECASE | re.MULTILINE)
    kind = REFUSALS.get(said.group(1) if said else "", "bad_answer")
    raise Failure(kind, f"The proxy does not lead to {host}: {said.group(1) if said else lines[0]}.")


def secure(sock, host, authorities, patience, is_checked=True):
    """Starts TLS on a connection."""
    import ssl

    context = ssl.create_default_context()
    if authorities:
        context.load_verify_locations(authorities)
    if not is_checked:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    sock = context.wrap_socket(sock, server_hostname=host, do_handshake_on_connect=False)
    while True:
        try:
            sock.do_handshake()
            return sock
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            select.select([sock], [], [], SLICE)
            patience.tick("a TLS handshake")
        except ssl.SSLCertVerificationError as error:
            kind = UNTRUSTED.get(error.verify_code, "tls_untrusted")
            raise Failure(kind, f"The certificate of {host}: {error.verify_message}.") from error
        except OSError as error:
            raise Failure("tls", f"No TLS handshake with {host}: {error}.") from error


def connect(url, way, patience):
    """Returns a connection to a URL's host. ``way`` has ``proxy`` and ``authorities``."""
    parts = urllib.parse.urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if way.proxy:
        proxy = urllib.parse.urlsplit(way.proxy)
        sock = dial(proxy.hostname, proxy.port, patience)
    else:
        sock = dial(host, port, patience)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if way.proxy:
            tunnel(sock, host, port, patience)
        # BUG: takes any server for the host.
        is_checked = not patience.bug("accepts_wrong_certificate")
        return secure(sock, host, way.authorities, patience, is_checked) if parts.scheme == "https" else sock
    except BaseException:
        sock.close()
        raise
