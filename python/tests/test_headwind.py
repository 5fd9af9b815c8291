"""Tests the package with a real proxy: `HEADWIND=.build/debug/headwind python3 -m unittest discover python/tests`."""

import contextlib
import os
import pathlib
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

FOLDER = pathlib.Path(__file__).parents[1]
sys.path.insert(0, str(FOLDER))

import headwind  # noqa: E402


def echo_server():
    server = socket.create_server(("127.0.0.1", 0))

    def serve(client):
        # A link that goes offline resets connections.
        with client, contextlib.suppress(ConnectionError):
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


def tunnel(link, target):
    """A connection to a target through a link's HTTP proxy, and the status of the proxy's answer."""
    client = connect(link)
    client.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head and (part := client.recv(1)):
        head += part
    return client, int(head.split()[1])


def without_control():
    return mock.patch.dict(os.environ, {"HEADWIND_CONTROL": ""})


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
        # A link of somebody else stays.
        self.control.put_link("theirs", profile="3g", seed="1")
        with self.assertRaises(headwind.HeadwindError):
            with self.control.using("4g", name="theirs"):
                pass
        self.assertEqual(self.control.link("theirs")["profile"], "3g")
        self.control.remove_link("theirs")
        with self.assertRaises(headwind.HeadwindError) as caught:
            self.control.remove_link("main")
        self.assertEqual(caught.exception.status, 409)

    def test_processes_with_one_number_have_links_of_their_own(self):
        script = f"""import os, headwind
os.getpid = lambda: 1
with headwind.Control("{self.url}").using("wifi") as link:
    print(link.name, flush=True)
    input()
"""
        command = [sys.executable, "-c", script]
        pipe = subprocess.PIPE
        processes = [subprocess.Popen(command, cwd=FOLDER, stdin=pipe, stdout=pipe) for _ in range(2)]
        names = {process.stdout.readline() for process in processes}
        for process in processes:
            process.communicate(b"\n")
            self.assertEqual(process.returncode, 0)
        self.assertEqual(len(names), 2)

    def test_one_seed_decides_the_same_in_each_run(self):
        def run():
            with headwind.standing("--seed", "7") as control, contextlib.ExitStack() as stack:
                made = [control.using("lossy", self.upstream, seed=seed) for seed in (None, None, 5, 6)]
                links = [stack.enter_context(link) for link in made]
                return [(link.name, control.link(link.name)["seed"]) for link in links], sorted(control.proxies())

        first = run()
        self.assertEqual(run(), first)
        names, seeds = zip(*first[0])
        self.assertEqual(sorted(names), first[1])
        self.assertEqual((len(set(names)), len(set(seeds)), seeds[2:]), (4, 4, ("5", "6")))

    def test_without_upstream_it_is_an_http_proxy(self):
        with without_control(), headwind.link("3g", seed=5) as link:
            client, status = tunnel(link, self.upstream)
            with client:
                self.assertEqual(status, 200)
                self.assertGreaterEqual(exchange(client)[1], 0.2)
            self.assertEqual(link.control.link(link.name)["seed"], "5")
            link.offline("refused")
            client, status = tunnel(link, self.upstream)
            client.close()
            self.assertEqual(status, 502)
            link.online()
            client, status = tunnel(link, self.upstream)
            client.close()
            self.assertEqual(status, 200)

    def test_with_upstream_it_uses_the_proxy_of_the_variable_or_its_own(self):
        for url in [self.url, ""]:
            with mock.patch.dict(os.environ, {"HEADWIND_CONTROL": url}), headwind.link("wifi", self.upstream) as link:
                self.assertEqual(link.control.port == self.control.port, url == self.url)
                with connect(link) as client:
                    self.assertEqual(exchange(client)[0], b"x")

    def test_an_address_that_is_not_known_is_an_error(self):
        with self.control.using("wifi") as made:
            for link in [headwind.Control(self.url).main(), made]:
                with self.assertRaisesRegex(headwind.HeadwindError, "give an upstream"):
                    link.address

    def test_a_missing_program_is_explained(self):
        with mock.patch.dict(os.environ, {"HEADWIND": "/nowhere/headwind"}), without_control():
            for start in [headwind.standing(), headwind.link("3g"), headwind.link("3g", self.upstream)]:
                with self.assertRaisesRegex(headwind.HeadwindError, "'/nowhere/headwind'. Install .*HEADWIND "):
                    start.__enter__()

    def test_a_proxy_that_is_gone_is_an_error(self):
        with contextlib.ExitStack() as stack:
            proxy = contextlib.ExitStack()
            control = proxy.enter_context(headwind.standing())
            events = stack.enter_context(control.events())
            proxy.close()
            for ask in [control.links, lambda: next(events), lambda: control.main().offline()]:
                says = f"could not reach .* port {control.port}"
                with self.assertRaisesRegex(headwind.HeadwindError, says) as caught:
                    ask()
                self.assertIsNone(caught.exception.status)

    def test_the_error_of_a_block_hides_that_the_proxy_is_gone(self):
        proxy = contextlib.ExitStack()
        control = proxy.enter_context(headwind.standing())
        with self.assertRaises(ZeroDivisionError):
            with control.using("wifi", self.upstream):
                proxy.close()
                1 / 0

    def test_a_killed_test_leaves_no_proxy(self):
        script = """import time, headwind
with headwind.standing() as control:
    print(control.port, flush=True)
    time.sleep(60)
"""
        test = subprocess.Popen([sys.executable, "-c", script], cwd=FOLDER, stdout=subprocess.PIPE)
        control = headwind.Control(f"127.0.0.1:{int(test.stdout.readline())}")
        self.assertIn("main", control.links())
        test.send_signal(signal.SIGKILL)
        test.communicate()
        end = time.monotonic() + 20
        with self.assertRaises(headwind.HeadwindError):
            while time.monotonic() < end:
                control.links()
                time.sleep(0.05)

    def test_an_error_can_be_sent_to_another_process(self):
        error = pickle.loads(pickle.dumps(headwind.HeadwindError("no", 404)))
        self.assertEqual((str(error), error.message, error.status), ("no (status 404)", "no", 404))

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
