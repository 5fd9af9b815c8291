"""Tests the package with a real proxy: `HEADWIND=.build/debug/headwind python3 -m unittest discover python/tests`."""

import pathlib
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

import headwind  # noqa: E402


def echo_server():
    server = socket.create_server(("127.0.0.1", 0))

    def serve(client):
        with client:
            while data := client.recv(65536):
                client.sendall(data)

    def accept():
        while True:
            try:
                client = server.accept()[0]
            except OSError:
                return
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server


def connect(link):
    host, port = link.address.rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=10)


def exchange(client, data=b"x"):
    start = time.monotonic()
    client.sendall(data)
    answer = b""
    while len(answer) < len(data) and (part := client.recv(65536)):
        answer += part
    return answer, time.monotonic() - start


class LinkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.proxy = headwind.standing("--seed", "7")
        cls.control = cls.proxy.__enter__()
        cls.url = f"http://{cls.control.host}:{cls.control.port}"
        cls.server = echo_server()
        cls.upstream = f"127.0.0.1:{cls.server.getsockname()[1]}"

    @classmethod
    def tearDownClass(cls):
        cls.server.close()
        cls.proxy.__exit__(None, None, None)

    def test_a_link_has_its_profile_and_goes_with_the_block(self):
        with self.control.using("3g", self.upstream, seed=5) as link:
            with connect(link) as client:
                answer, seconds = exchange(client)
                self.assertEqual([open["proxy"] for open in self.control.connections()], [link.name])
            self.assertEqual(answer, b"x")
            self.assertGreaterEqual(seconds, 0.2)
            self.assertEqual(self.control.link(link.name)["seed"], "5")
            self.assertEqual(link.status["connections"]["accepted"], 1)
            self.assertIn(link.name, self.control.links())
        self.assertNotIn(link.name, self.control.links())
        self.assertEqual(self.control.proxies(), {})

    def test_it_goes_offline_and_comes_back(self):
        with self.control.using("wifi", self.upstream) as link:
            with connect(link) as client:
                self.assertEqual(exchange(client)[0], b"x")
                link.offline("silent")
                self.assertEqual(link.status["conditions"]["offline"], "silent")
                client.settimeout(0.3)
                with self.assertRaises(TimeoutError):
                    exchange(client)
                link.online()
                client.settimeout(10)
                self.assertEqual(client.recv(1), b"x")

    def test_conditions_and_toxics_are_set(self):
        with self.control.using("wifi", self.upstream) as link:
            link.set(downlink={"delay": "50 ms"}, dns_delay="1 s")
            self.assertEqual(link.status["conditions"]["dns-delay"], "1 s")
            link.toxics({"type": "limit_data", "attributes": {"bytes": 3}})
            with connect(link) as client:
                self.assertEqual(exchange(client, b"abcdef")[0], b"abc")
            link.follow("lte")
            self.assertEqual(self.control.link(link.name)["profile"], "lte")

    def test_events_follow(self):
        with self.control.using("wifi", self.upstream) as link, self.control.events() as events:
            with connect(link) as client:
                exchange(client)
            kinds = []
            for event in events:
                kinds.append(event["event"])
                if event["event"] == "closed":
                    break
            self.assertEqual(kinds[0], "opened")

    def test_events_follow_after_a_time_without_any(self):
        control = headwind.Control(self.url, timeout=1)
        with control.using("wifi", self.upstream) as link, control.events() as events:
            later = threading.Timer(2, lambda: connect(link).close())
            later.start()
            self.assertEqual(next(events)["event"], "opened")
            later.join()

    def test_what_cannot_be_done_is_an_error(self):
        with self.assertRaises(headwind.HeadwindError) as caught:
            with self.control.using("nonsense"):
                pass
        self.assertEqual(caught.exception.status, 400)
        self.assertIn("there is no profile 'nonsense'", caught.exception.message)
        with self.assertRaises(headwind.HeadwindError) as caught:
            self.control.remove_link("main")
        self.assertEqual(caught.exception.status, 409)

    def test_processes_with_one_number_have_links_of_their_own(self):
        script = f"""import os, headwind
os.getpid = lambda: 1
with headwind.Control("{self.url}").using("wifi") as link:
    print(link.name)
"""
        folder = pathlib.Path(__file__).parents[1]
        names = {subprocess.check_output([sys.executable, "-c", script], cwd=folder) for _ in range(2)}
        self.assertEqual(len(names), 2)

    def test_a_name_may_hold_anything(self):
        with self.control.using("wifi", self.upstream, name="a/b ä%2F?#") as link:
            self.assertEqual(self.control.proxy(link.name)["link"], "a/b ä%2F?#")

    def test_a_proxy_that_does_not_come_up_says_why(self):
        with self.assertRaisesRegex(RuntimeError, "most-proxies"):
            with headwind.standing("--most-proxies", "0"):
                pass

    def test_an_address_is_needed(self):
        for wrong in ["127.0.0.1", "https://127.0.0.1:1", "http://:1"]:
            with self.assertRaises(ValueError):
                headwind.Control(wrong)


if __name__ == "__main__":
    unittest.main()
