"""Uses `headwind proxy --toxiproxy` through toxiproxy-python, as a test suite does, and prints a line for each check.

Usage: client.py HOST PORT
"""

import socket
import sys
import threading
import time

from toxiproxy import Toxiproxy
from toxiproxy.exceptions import InvalidToxic, NotFound, ProxyExists


def echo_server():
    """Starts a server that echoes, and returns its port."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve(client):
        with client:
            while data := client.recv(65536):
                client.sendall(data)

    def accept():
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


def connect(proxy):
    host, port = proxy.listen.rsplit(":", 1)
    client = socket.create_connection((host, int(port)), timeout=20)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return client


def exchange(client, data):
    """Sends data, and returns the answer and the seconds that it took."""
    start = time.monotonic()
    client.sendall(data)
    answer = b""
    while len(answer) < len(data) and (part := client.recv(65536)):
        answer += part
    return answer, time.monotonic() - start


def refused(function, error):
    try:
        function()
    except error:
        return True
    return False


def holds(name, is_so):
    print(f"{'holds' if is_so else 'FAILS'}: {name}")


server = Toxiproxy()
server.update_api_consumer(sys.argv[1], int(sys.argv[2]))
upstream = f"127.0.0.1:{echo_server()}"
data = bytes(range(256)) * 40

holds("it runs and has a version", server.running() and b'"version"' in server.version())
proxy = server.create(upstream=upstream, name="echo")
holds("a proxy is made", proxy.enabled and server.get_proxy("echo").listen == proxy.listen)
holds("a name is one proxy's", refused(lambda: server.create(upstream=upstream, name="echo"), ProxyExists))

client = connect(proxy)
holds("bytes pass", exchange(client, data)[0] == data)

proxy.add_toxic(type="latency", attributes={"latency": 300})
answer, seconds = exchange(client, data)
holds("latency holds on an open connection", answer == data and seconds >= 0.3)
holds("a toxic is read back", proxy.get_toxic("latency_downstream").attributes == {"latency": 300, "jitter": 0})
proxy.add_toxic(type="latency", stream="upstream", attributes={"latency": 200})
holds("toxics add up", exchange(client, data)[1] >= 0.5)
proxy.destroy_toxic("latency_downstream")
proxy.destroy_toxic("latency_upstream")
holds("toxics are removed", proxy.toxics() == {} and exchange(client, data)[0] == data)

proxy.add_toxic(type="bandwidth", attributes={"rate": 20})
answer, seconds = exchange(client, data)
holds("a rate is kept", answer == data and seconds >= len(data) / 20_000 * 0.95)
proxy.destroy_toxic("bandwidth_downstream")
proxy.add_toxic(type="slicer", attributes={"average_size": 64, "size_variation": 32, "delay": 10})
holds("slices are whole together", exchange(client, data)[0] == data)
server.reset()
holds("a reset removes toxics", proxy.toxics() == {})

proxy.add_toxic(type="limit_data", attributes={"bytes": 1000})
holds("data has its limit", exchange(client, data)[0] == data[:1000])
proxy.destroy_toxic("limit_data_downstream")

client = connect(proxy)
proxy.add_toxic(type="timeout", attributes={"timeout": 100})
holds("a timeout closes", exchange(client, data)[0] == b"")
proxy.destroy_toxic("timeout_downstream")

client = connect(proxy)
proxy.add_toxic(type="reset_peer", attributes={"timeout": 0})
holds("a reset is one", refused(lambda: exchange(client, data), ConnectionResetError))
proxy.destroy_toxic("reset_peer_downstream")

with proxy.down():
    holds("what is down is refused", refused(lambda: connect(proxy), ConnectionRefusedError))
holds("it comes up again", exchange(connect(proxy), data)[0] == data)

holds("no such toxic", refused(lambda: proxy.add_toxic(type="nonsense"), InvalidToxic))
holds("no such name", refused(lambda: proxy.destroy_toxic("nonsense"), NotFound))
proxy.add_toxic(type="profile", attributes={"profile": "3g"})
client = connect(proxy)
holds("a profile of Headwind's holds", exchange(client, data)[1] >= 0.2)
holds("a list is made", len(server.populate([
    {"name": "one", "upstream": upstream, "listen": "127.0.0.1:0"},
    {"name": "two", "upstream": upstream, "listen": "127.0.0.1:0"},
])) == 2 and set(server.proxies()) == {"echo", "one", "two"})
server.destroy_all()
holds("all are removed", server.proxies() == {})
