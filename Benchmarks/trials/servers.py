"""Servers for programs behind a link. Each listens on loopback of this machine, and ends with the trial."""

import contextlib
import hashlib
import os
import socket
import subprocess
import sys
import time

from . import ground

NAME = "host.headwind.internal"
NGINX = """\
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; worker_processes 1; {user}
events {{ worker_connections 64; }}
http {{
    access_log off; sendfile on; default_type application/octet-stream; types {{ }}
    client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    server {{
        listen 127.0.0.1:{plain}; listen 127.0.0.1:{tls} ssl http2; root {folder}/files;
        ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
    }}
}}
"""


class Servers:
    """nginx with HTTP/1.1 and HTTP/2 for files, a server of HTTP/3, and iperf3."""

    def __init__(self, folder, modules):
        self.folder, self.modules = folder, modules
        self.processes = []
        self.plain, self.tls, self.quic, self.iperf = (free_port() for _ in range(4))
        self.certificate = os.path.join(folder, "cert.pem")
        os.mkdir(os.path.join(folder, "files"))

    @contextlib.contextmanager
    def running(self):
        try:
            self._certify()
            self._start_nginx()
            yield self
        finally:
            for process in self.processes:
                process.terminate()
            for process in self.processes:
                process.wait()

    def start(self, command, **options):
        self.processes.append(subprocess.Popen(command, **options))
        return self.processes[-1]

    def file(self, name, size):
        """Makes a file of random bytes; returns its SHA-256."""
        digest, block = hashlib.sha256(), os.urandom(min(size, 1 << 26))
        with open(os.path.join(self.folder, "files", name), "wb") as file:
            while size > 0:
                part = block[: min(size, len(block))]
                # The remaining size begins each block, so that no two blocks are the same.
                part = size.to_bytes(8, "big")[: len(part)] + part[8:]
                file.write(part)
                digest.update(part)
                size -= len(part)
        return digest.hexdigest()

    def url(self, name, is_secure=False):
        scheme, port = ("https", self.tls) if is_secure else ("http", self.plain)
        return f"{scheme}://{NAME}:{port}/{name}"

    def start_quic(self):
        program = os.path.join(os.path.dirname(__file__), "quic.py")
        key = os.path.join(self.folder, "key.pem")
        command = [ground.python(), program, "serve", str(self.quic), self.certificate, key, f"{self.folder}/files"]
        process = self.start(command, env=dict(os.environ, PYTHONPATH=self.modules), stdout=subprocess.PIPE, text=True)
        if process.stdout.readline() != "ready\n":
            raise OSError("the HTTP/3 server has not started")

    def start_iperf(self):
        """Starts a server for one test, which prints its counts as JSON."""
        command = ["iperf3", "--server", "--one-off", "--json", "--port", str(self.iperf)]
        process = self.start(command, stdout=subprocess.PIPE, text=True)
        await_port(self.iperf)
        return process

    def _certify(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
             "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{self.folder}/key.pem", "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)  # fmt: skip

    def _start_nginx(self):
        path = os.path.join(self.folder, "nginx.conf")
        user = "user root;" if os.geteuid() == 0 else ""
        with open(path, "w", encoding="utf-8") as file:
            file.write(NGINX.format(folder=self.folder, plain=self.plain, tls=self.tls, user=user))
        environment = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin")
        self.start(["nginx", "-p", self.folder, "-c", path, "-e", f"{self.folder}/nginx.log"], env=environment)
        await_port(self.plain)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def await_port(port):
    """Waits up to 15 s for a listener without connecting: a server for one test would take a connection for the test."""
    for _ in range(1500):
        for table in ("tcp", "tcp6"):
            with open(f"/proc/net/{table}", encoding="ascii") as file:
                fields = [line.split() for line in file]
            if any(one[3] == "0A" and int(one[1].rpartition(":")[2], 16) == port for one in fields[1:]):
                return
        time.sleep(0.01)
    sys.exit(f"nothing listens on port {port}")
