"""python3 frames.py PORT REQUEST ... sends requests over HTTP/2 at once, and prints the frames of the answers.

A REQUEST is STREAM:PATH or STREAM:reset. A '+' after PATH leaves the client's side of the stream open. Each line is a
HEADERS, DATA, RST_STREAM or GOAWAY frame in order: its type, its stream, and 'end' if it ends the stream. Equal lines
in a row are printed once. The program ends 1 s after the last frame.
"""

import socket
import ssl
import struct
import sys

NAMES = {0: "DATA", 1: "HEADERS", 3: "RST_STREAM", 4: "SETTINGS", 6: "PING", 7: "GOAWAY", 8: "WINDOW_UPDATE"}


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(index, value):
    """A field of HPACK with an indexed name, RFC 7541 section 6.2.2; lengths from 127 on take more bytes."""
    length, head = len(value), bytes([index])
    if length < 127:
        return head + bytes([length]) + value.encode()
    rest, more = length - 127, b""
    while rest >= 128:
        more, rest = more + bytes([rest % 128 + 128]), rest // 128
    return head + b"\x7f" + more + bytes([rest]) + value.encode()


def request(text):
    stream, what = text.split(":", 1)
    if what == "reset":
        return frame(3, 0, int(stream), struct.pack(">I", 8))
    flags = 4 if what.endswith("+") else 5
    return frame(1, flags, int(stream), b"\x82\x87" + literal(1, "h") + literal(4, what.rstrip("+")))


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with context.wrap_socket(socket.create_connection(("127.0.0.1", int(sys.argv[1])))) as client:
        flight = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, struct.pack(">HI", 4, 1 << 30))
        flight += frame(8, 0, 0, struct.pack(">I", 1 << 30)) + b"".join(map(request, sys.argv[2:]))
        client.sendall(flight)
        client.settimeout(1)
        data = b""
        try:
            while piece := client.recv(65536):
                data += piece
        except TimeoutError:
            pass
    last = None
    while len(data) >= 9:
        length, kind, flags = int.from_bytes(data[:3], "big"), data[3], data[4]
        line = f"{NAMES.get(kind, kind)} {int.from_bytes(data[5:9], 'big')}" + (" end" if kind < 2 and flags & 1 else "")
        if kind in (0, 1, 3, 7) and line != last:
            print(line)
        last, data = line, data[9 + length :]


main()
