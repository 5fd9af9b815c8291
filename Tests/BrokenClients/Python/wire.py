"""One HTTP/1.1 request on its own connection, and its response."""

import email.utils
import re
import time
import urllib.parse

import connect
from failures import Failure


REDIRECTS = (301, 302, 303, 307, 308)


class Answer:
    """The head of a response, and access to its body."""

    def __init__(self, url, sock, patience):
        self.url = url
        self.sock = sock
        self.patience = patience
        lines, self.rest = connect.head(sock, patience, "an answer")
        words = lines[0].split(" ")
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
            raise Failure("bad_answer", "The host does not speak HTTP.")
        self.status = int(words[1])
        self.fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.fields[name.strip().lower()] = value.strip()

    @property
    def length(self):
        """The announced bytes of the body, or None if unknown."""
        text = self.fields.get("content-length", "")
        if not text.isdigit() or "transfer-encoding" in self.fields:
            return None
        return int(text) % 2**32 if self.patience.bug("wraps_lengths") else int(text)  # BUG: 32 bits.

    @property
    def range(self):
        """The first byte and the file's size by Content-Range, or None for both."""
        said = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", self.fields.get("content-range", ""))
        if not said:
            return None, None
        return int(said.group(1)), int(said.group(2)) if said.group(2) != "*" else None

    @property
    def validator(self):
        """The validator of this edition of the file (ETag or Last-Modified), or None."""
        tag = self.fields.get("etag", "")
        return tag if tag.startswith('"') else self.fields.get("last-modified")

    @property
    def retry_after(self):
        """The seconds of Retry-After, or None if the host sent none."""
        text = self.fields.get("retry-after", "")
        if text.isdigit():
            return float(text)
        try:
            return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
        except (ValueError, TypeError):
            return None

    @property
    def is_chunked(self):
        # BUG: a body like any other.
        chunked = self.fields.get("transfer-encoding", "").lower() == "chunked"
        return chunked and not self.patience.bug("keeps_chunk_sizes")

    def pieces(self):
        """Yields the body. Raises Failure ``short`` if it ends early, ``bad_answer`` if it is too long."""
        if self.is_chunked:
            yield from self._chunks()
            return
        left = self.length
        while left is None or left > 0:
            piece = self._piece()
            if not piece:
                if left is None:
                    return
                raise Failure("short", f"The body ended {left} bytes before its end.")
            if left is not None:
                self.rest, piece = piece[left:], piece[:left]
                left -= len(piece)
            yield piece
        # The request asked the host to close the connection, so more bytes than announced may come until then.
        if self.rest or self._comes_more():
            raise Failure("bad_answer", "The body is longer than was announced.")

    def _comes_more(self):
        until = time.monotonic() + 0.25
        try:
            while time.monotonic() < until:
                if connect.is_readable(self.sock):
                    return bool(connect.receive(self.sock, self.patience, "the end of the body"))
        except Failure as failure:
            if failure.kind == "cancelled":
                raise
        return False

    def _piece(self):
        if self.rest:
            piece, self.rest = self.rest, b""
            return piece
        return self._receive()

    def _receive(self):
        """Returns bytes of the body. Raises Failure ``lost`` if no route to the host is left when patience is over."""
        try:
            return connect.receive(self.sock, self.patience, "the body")
        except Failure as failure:
            if failure.kind == "timed_out" and connect.is_routeless(self.sock.family, self.sock.getpeername()):
                raise Failure("lost", f"There is no way to the host any more. {failure.message}") from failure
            raise

    def _chunks(self):
        while True:
            while b"\r\n" not in self.rest:
                self._more()
            size, _, self.rest = self.rest.partition(b"\r\n")
            left = int(size.split(b";")[0], 16)
            if left == 0:
                return
            while left > 0:
                if not self.rest:
                    self._more()
                piece, self.rest = self.rest[:left], self.rest[left:]
                left -= len(piece)
                yield piece
            while len(self.rest) < 2:
                self._more()
            self.rest = self.rest[2:]

    def _more(self):
        data = self._receive()
        if not data:
            raise Failure("short", "The body ended before its end.")
        self.rest += data

    def close(self):
        self.sock.close()


def origin(url):
    """Returns the scheme, host and port of a URL."""
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


def ask(url, way, patience, fields=()):
    """Requests a URL, and returns the response. The caller closes it."""
    parts = urllib.parse.urlsplit(url)
    path = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
    own = [f"GET {path} HTTP/1.1", f"Host: {parts.netloc.rpartition('@')[2]}", "Connection: close", "Accept: */*"]
    sock = connect.connect(url, way, patience)
    try:
        text = "\r\n".join([*own, *fields]) + "\r\n\r\n"
        connect.send(sock, text.encode("latin-1"), patience)
        return Answer(url, sock, patience)
    except BaseException:
        sock.close()
        raise
