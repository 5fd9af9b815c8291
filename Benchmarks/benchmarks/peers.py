"""The peers and the servers of a session, and how they are set up."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import urllib.request

from .processes import Failure, await_that, server

NGINX = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log warn;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    sendfile on;
    sendfile_max_chunk 2m;
    tcp_nopush on;
    keepalive_timeout 75s;
    keepalive_requests 1000000000;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{ listen {address}; root {root}; }}
}}
"""

# The options ask for splicing in both directions; the global keyword "nosplice" turns it off.
HAPROXY = """\
global
    nbthread 1
    maxconn 4000
    maxpipes 1000
    {global_lines}
defaults
    mode tcp
    option splice-request
    option splice-response
    timeout connect 10s
    timeout client 10m
    timeout server 10m
listen benchmark
    bind fd@{descriptor}
    server source {target}
"""

# A profile without conditions, so that nothing is shaped.
UNSHAPED = """\
profile: unshaped
title: Unshaped
source: Benchmarks of Headwind.
"""


def find(name):
    """The path of a program, or None. Also looks where servers are installed, which is not always in a user's PATH."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/local/sbin")


def missing(*names):
    """The programs among these that this machine lacks."""
    return [name for name in names if find(name) is None]


def version(name):
    """The first line that a program prints about its version; None if it is missing."""
    path = find(name)
    if path is None:
        return None
    flag = {"nginx": "-v", "haproxy": "-v", "unzip": "-v"}.get(name, "--version")
    said = subprocess.run([path, flag], capture_output=True, text=True, errors="replace", check=False)
    return (said.stdout or said.stderr).strip().splitlines()[0]


def write(path, text):
    """Writes a text file, and returns its path."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def read(path):
    """The content of a text file; empty if it cannot be read."""
    with contextlib.suppress(OSError):
        with open(path, encoding="utf-8") as file:
            return file.read()
    return ""


def listener():
    """A socket that listens on a port that the kernel chose, and its address. The server inherits the socket."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
    return listening, listening.getsockname()


@contextlib.contextmanager
def nginx(root, scratch):
    """Runs nginx, which serves the folder `root`; yields its address and its process."""
    folder = os.path.join(scratch, "nginx-" + os.urandom(4).hex())
    os.mkdir(folder)
    # nginx's worker is another user if this runs as root.
    os.chmod(folder, 0o755)
    listening, address = listener()
    with listening:
        text = NGINX.format(folder=folder, address="%s:%d" % address, root=root)
        if os.geteuid() == 0:
            text = "user root;\n" + text
        configuration = write(os.path.join(folder, "nginx.conf"), text)
        log = os.path.join(folder, "log")
        environment = dict(os.environ, NGINX=f"{listening.fileno()};")
        arguments = [find("nginx"), "-p", folder, "-c", configuration, "-e", folder + "/nginx-error.log"]
        with server(arguments, log, (listening.fileno(),), environment) as process:
            await_that(lambda: _answers(address), process, log, "nginx")
            yield address, process


@contextlib.contextmanager
def haproxy(target, scratch, splices=False):
    """Runs HAProxy in front of `target`, with or without splice(2); yields its address and its process."""
    listening, address = listener()
    with listening:
        text = HAPROXY.format(
            descriptor=listening.fileno(), target="%s:%d" % target, global_lines="" if splices else "nosplice"
        )
        configuration = write(os.path.join(scratch, f"haproxy-{address[1]}.conf"), text)
        log = os.path.join(scratch, f"haproxy-{address[1]}.log")
        with server([find("haproxy"), "-db", "-q", "-f", configuration], log, (listening.fileno(),)) as process:
            await_that(lambda: _runs(process), process, log, "HAProxy")
            yield address, process


@contextlib.contextmanager
def headwind_proxy(program, target, scratch, *options, profile=None):
    """Runs `headwind proxy` with a reverse listener to `target`; yields its address and its process.

    Its link follows the bundled `profile`; without one it shapes nothing.
    """
    ready = os.path.join(scratch, f"proxy-{os.urandom(4).hex()}.json")
    profile = profile or write(os.path.join(scratch, "unshaped.yaml"), UNSHAPED)
    arguments = [program, "proxy", "--profile", profile, "--reverse", "0=%s:%d" % target, "--ready-file", ready, *options]
    with server(arguments, ready + ".log") as process:
        await_that(lambda: read(ready), process, ready + ".log", "headwind proxy")
        host, _, port = json.loads(read(ready))["reverse"][0]["listen"].rpartition(":")
        yield (host, int(port)), process


@contextlib.contextmanager
def toxiproxy(target, scratch):
    """Runs Toxiproxy's server with one proxy without toxics to `target`; yields the proxy's address and its process."""
    host, _, port = free_address().rpartition(":")
    log = os.path.join(scratch, f"toxiproxy-{port}.log")
    with server([find("toxiproxy-server"), "-host", host, "-port", port], log) as process:
        await_that(lambda: _answers((host, int(port))), process, log, "Toxiproxy")
        body = json.dumps({"name": "benchmark", "listen": host + ":0", "upstream": "%s:%d" % target}).encode()
        with urllib.request.urlopen(f"http://{host}:{port}/proxies", body, timeout=10) as answer:
            host, _, port = json.load(answer)["listen"].rpartition(":")
        yield (host, int(port)), process


def free_address():
    """An address, HOST:PORT, at which no socket listens now."""
    listening, (host, port) = listener()
    listening.close()
    return f"{host}:{port}"


def headwind_link(control):
    """The link's state, as the control API of a proxy reports it."""
    with urllib.request.urlopen(f"http://{control}/v1/link", timeout=10) as answer:
        return json.load(answer)


@contextlib.contextmanager
def headwind_host(program, folder, scratch):
    """Runs `headwind host --packs` for a folder; yields its address and its process."""
    ready = os.path.join(scratch, f"host-{os.urandom(4).hex()}.json")
    with server([program, "host", "--packs", folder, "--ready-file", ready], ready + ".log") as process:
        await_that(lambda: read(ready), process, ready + ".log", "headwind host")
        yield ("127.0.0.1", json.loads(read(ready))["port"]), process


def _answers(address):
    """Whether an HTTP server answers a request; the kernel accepts a connection before the server is ready."""
    try:
        with socket.create_connection(address, timeout=1) as connection:
            connection.settimeout(1)
            connection.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
            return connection.recv(16).startswith(b"HTTP/")
    except OSError:
        return False


def _runs(process):
    """Whether HAProxy has read its configuration: it then has a descriptor of epoll(7)."""
    with contextlib.suppress(OSError):
        for descriptor in os.listdir(f"/proc/{process.pid}/fd"):
            if "eventpoll" in os.readlink(f"/proc/{process.pid}/fd/{descriptor}"):
                return True
    return False


def need(*names):
    """Raises a Failure if a peer is missing, which says how to install it."""
    packages = {"nginx": "nginx-light", "sha256sum": "coreutils"}
    lacking = missing(*names)
    if lacking:
        wanted = " ".join(packages.get(name, name) for name in lacking)
        raise Failure(f"{', '.join(lacking)} missing: apt-get install {wanted}")
