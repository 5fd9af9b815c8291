"""Times one download over HTTP/1.1: `download.py HOST PORT NAME`.

Prints as JSON the seconds to connect, to the first byte and to the end, the longest gap between two pieces, and the
bytes.
"""

import json
import socket
import sys
import time


def main(host, port, name):
    begin = time.monotonic()
    with socket.create_connection((host, int(port)), 180) as connection:
        connected = time.monotonic()
        connection.settimeout(180)
        connection.sendall(f"GET /{name} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        first = last = None
        gap, head, total = 0.0, b"", 0
        while piece := connection.recv(1 << 20):
            now = time.monotonic()
            first = first or now
            gap = max(gap, now - (last or now))
            last = now
            if head is not None:
                head += piece
                before, mark, piece = head.partition(b"\r\n\r\n")
                if not mark:
                    continue
                assert before.startswith(b"HTTP/1.1 200"), before
                head = None
            total += len(piece)
    times = {"connect": connected - begin, "first": first - begin, "total": last - begin, "gap": gap, "bytes": total}
    print(json.dumps(times))


if __name__ == "__main__":
    main(*sys.argv[1:])
