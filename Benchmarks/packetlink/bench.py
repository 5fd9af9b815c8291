"""Two network namespaces with devices and a process in each, and a program that moves packets between them."""

import contextlib
import ctypes
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import time

from packetlink import host

LINKS = 20
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def client_address(link=0):
    return f"10.78.{link}.1"


def host_address(link=0):
    return f"10.79.{link}.1"


class Bench:
    """The two namespaces. This process is the client; a child process is the host, which carries out requests."""

    def __init__(self, options):
        self.options = options
        self.quick = options.quick
        self.rounds = 2 if options.quick else options.rounds
        self.seconds = 0.5 if options.quick else 2
        self.loops = {}
        ours, theirs = socket.socketpair()
        user, group = os.getuid(), os.getgid()
        unshare(CLONE_NEWNET if user == 0 else CLONE_NEWUSER | CLONE_NEWNET)
        if user != 0:
            for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
                with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                    file.write(text)
        if os.fork() == 0:
            ours.close()
            unshare(CLONE_NEWNET)
            ends = devices(host_address, client_address)
            # Few enough for one message: SCM_MAX_FD is 253.
            socket.send_fds(theirs, [b"+"], ends)
            with contextlib.suppress(BrokenPipeError, EOFError):
                host.serve(theirs)
            os._exit(0)
        theirs.close()
        self.clients = devices(client_address, host_address)
        self.hosts = socket.recv_fds(ours, 1, LINKS)[1]
        self.channel = ours.makefile("rw")

    def ask(self, **request):
        """Sends a request to the host process, and returns its answer."""
        self.channel.write(json.dumps(request) + "\n")
        self.channel.flush()
        return json.loads(self.channel.readline())

    def copying(self, *options):
        """Runs the peer's C loop between the first two devices."""
        return self.running([self.options.copy, str(self.clients[0]), str(self.hosts[0]), *options])

    def shaping(self, *options, links=1, environment=None):
        """Runs Headwind's links between the first `links` pairs of devices."""
        ends = []
        for client, server in zip(self.clients[:links], self.hosts[:links]):
            ends += ["--client", str(client), "--host", str(server)]
        return self.running([self.options.loop, *ends, *options], environment)

    @contextlib.contextmanager
    def running(self, command, environment=None):
        """Runs a program that prints `ready` and ends when its input ends. Its final output is in `process.report`."""
        self.drain()
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(*self.clients, *self.hosts), text=True,
            env={**os.environ, **(environment or {})},
        )  # fmt: skip
        assert process.stdout.readline() == "ready\n", command
        process.report = None
        try:
            yield process
        finally:
            end(process)

    def drain(self):
        """Discards packets that an earlier contender left in the devices."""
        for device in (*self.clients, *self.hosts):
            with contextlib.suppress(BlockingIOError):
                while True:
                    os.read(device, 65536)


def end(process):
    """Ends a link; returns its counters, or an empty dictionary if it prints none."""
    if process.returncode is None:
        process.report, _ = process.communicate()
    return json.loads(process.report) if process.report.startswith("{") else {}


def processor_time(process, name=None):
    """Seconds of processor time that a program's threads have used, or only those called `name`; in nanosecond steps."""
    total = 0
    for thread in os.listdir(f"/proc/{process.pid}/task"):
        with contextlib.suppress(FileNotFoundError):
            if name is None or read(f"/proc/{process.pid}/task/{thread}/comm").strip() == name:
                total += int(read(f"/proc/{process.pid}/task/{thread}/schedstat").split()[0])
    return total / 1e9


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def devices(own, other):
    """Opens a network device for each link, in this namespace."""
    descriptors, commands = [], ["link set lo up"]
    for link in range(LINKS):
        descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", f"link{link}".encode(), IFF_TUN | IFF_NO_PI))
        descriptors.append(descriptor)
        # IPv6 would send packets of its own now and then, and the link would not be idle.
        settings = {f"ipv6/conf/link{link}/disable_ipv6": "1"} if os.path.exists("/proc/sys/net/ipv6") else {}
        write(settings)
        commands += [
            f"link set link{link} txqueuelen 50000 up", f"addr add {own(link)}/32 dev link{link}",
            f"route add {other(link)}/32 dev link{link} src {own(link)}",
        ]  # fmt: skip
    subprocess.run(["ip", "-batch", "-"], input="\n".join(commands), text=True, check=True)
    # Buffers that limit no window. A socket that set its own would get no more than the machine's limit.
    write({f"ipv4/{name}": f"4096 {64 << 20} {64 << 20}" for name in ("tcp_rmem", "tcp_wmem")})
    # A connection must not reuse what an earlier one measured.
    write({"ipv4/tcp_no_metrics_save": "1"})
    return descriptors


def write(settings):
    for name, value in settings.items():
        with open(f"/proc/sys/net/{name}", "w", encoding="ascii") as file:
            file.write(value)


def unshare(flags):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags) != 0:
        print(f"packets: no namespace can be made: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        sys.exit(69)


def be_prompt():
    """Asks the scheduler for short slices, as the link does, so that this program's own waits do not count as delay."""
    numbers = {"x86_64": 314, "aarch64": 274}
    if number := numbers.get(os.uname().machine):
        attributes = ctypes.create_string_buffer(struct.pack("IIQiIQQQ", 48, 0, 0, 0, 0, 100_000, 0, 0), 48)
        ctypes.CDLL(None).syscall(number, 0, attributes, 0)


def pace(count, per_second, send):
    """Calls `send` with 0, 1, … up to `count`, at `per_second`, in a batch each half millisecond."""
    begin, sent = time.monotonic(), 0
    while sent < count:
        due = min(count, int((time.monotonic() - begin) * per_second) + 1)
        while sent < due:
            send(sent)
            sent += 1
        time.sleep(0.0005)
