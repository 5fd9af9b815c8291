"""The host process: sends without end, or receives datagrams and reports when they arrived."""

import contextlib
import json
import os
import select
import socket
import struct
import threading
import time

PORT = 9000
SO_TIMESTAMPNS, SO_RCVBUFFORCE, SO_NO_CHECK = 35, 33, 11


def serve(channel):
    lines = channel.makefile("rw")
    listener = socket.create_server(("", PORT), backlog=64)
    taker = None
    for line in lines:
        request = json.loads(line)
        answer = True
        if request["do"] == "source":
            threading.Thread(target=feed, args=(listener, request["control"]), daemon=True).start()
        elif request["do"] == "sink":
            taken = []
            sockets = sinks("", PORT, 1)
            taker = threading.Thread(target=take, args=(sockets, taken, request["path"]), daemon=True)
            taker.start()
        elif request["do"] == "sunk":
            taker.join()
            answer = len(taken)
        elif request["do"] == "flood":
            threading.Thread(target=flood, args=(request,), daemon=True).start()
        lines.write(json.dumps(answer) + "\n")
        lines.flush()


def feed(listener, control):
    connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, control.encode())
    with connection, contextlib.suppress(OSError):
        room = bytes(1 << 20)
        while True:
            connection.sendall(room)


def flood(request):
    """Sends datagrams to some addresses, to each at an even rate."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, SO_NO_CHECK, 1)
        begin, sent = time.monotonic(), 0
        while (now := time.monotonic() - begin) < request["seconds"]:
            while sent < now * request["per_second"]:
                payload = struct.pack("!I", sent) + bytes(request["size"] - 32)
                for address in request["to"]:
                    with contextlib.suppress(BlockingIOError):
                        sock.sendto(payload, (address, PORT))
                sent += 1
            time.sleep(0.002)


def sinks(address, port, count):
    """Sockets that receive datagrams with the time at which the kernel received each."""
    made = []
    for number in range(count):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        except PermissionError:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        sock.setblocking(False)
        sock.bind((address if isinstance(address, str) else address(number), port))
        made.append(sock)
    return made


def take(sockets, taken, path=None, patience=3):
    """Receives datagrams until none arrives for a while: `patience` seconds for the first, then 0.5 s.

    Appends the time in nanoseconds, the socket's index and the payload of each to `taken`. With a path it also writes
    times, lengths and payloads to that file, because they are too many for a line of the channel.
    """
    poll = select.epoll()
    number = {}
    for index, sock in enumerate(sockets):
        poll.register(sock, select.EPOLLIN)
        number[sock.fileno()] = index
    while ready := poll.poll(patience):
        for descriptor, _ in ready:
            sock = sockets[number[descriptor]]
            with contextlib.suppress(BlockingIOError):
                while True:
                    payload, notes, _, _ = sock.recvmsg(2048, 256)
                    seconds, nanoseconds = struct.unpack("qq", notes[0][2][:16])
                    taken.append((seconds * 10**9 + nanoseconds, number[descriptor], payload))
        patience = 0.5
    poll.close()
    for sock in sockets:
        sock.close()
    if path:
        with open(path, "wb") as file:
            for moment, _, payload in taken:
                file.write(struct.pack("!QI", moment, len(payload)) + payload)
        os.chmod(path, 0o600)


def read_taken(path):
    """Reads and removes a file that `take` wrote; returns pairs of time in nanoseconds and payload."""
    with open(path, "rb") as file:
        data = file.read()
    os.unlink(path)
    taken, at = [], 0
    while at < len(data):
        moment, length = struct.unpack_from("!QI", data, at)
        taken.append((moment, data[at + 12 : at + 12 + length]))
        at += 12 + length
    return taken
