"""python3 Fuzz/seeds.py [TARGET ...] writes the seeds of fuzz targets to Fuzz/Seeds/TARGET, and dictionaries beside them.

They are golden vectors and small valid inputs, and are committed, so that tests can replay them. Independent libraries
write them where possible: plists by plistlib, archives by zipfile, histories by sqlite3, hellos by OpenSSL.
"""

import collections
import hashlib
import io
import json
import os
import plistlib
import re
import sqlite3
import ssl
import struct
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

BUNDLE = "com.example.game"
PACKS = [["Level1"], ["Level2"], ["Level1", "Level2"], ["foo"], ["bar", "foo"], ["baz"]]


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def identifier(tags):
    return f"{BUNDLE}.asset-pack-{hashlib.md5(':'.join(sorted(tags)).encode()).hexdigest()}"


def manifest():
    return {
        "resources": [
            {
                "URL": f"https://cdn.example.com/{identifier(tags)}.assetpack",
                "bundleKey": identifier(tags),
                "isStreamable": 1 if index % 2 else True,
                "uncompressedSize": 2822294 + index,
                "primaryContentHash": {"strategy": "modtime", "hash": "2022-01-13T08:57:30.000Z"},
                **({"downloadPriority": 0.95} if index == 0 else {}),
            }
            for index, tags in enumerate(PACKS)
        ]
    }


def table():
    tags = sorted({tag for pack in PACKS for tag in pack})
    return {
        "NSBundleResourceRequestTags": {
            tag: {"NSAssetPacks": sorted(identifier(pack) for pack in PACKS if tag in pack)} for tag in tags
        },
        "NSBundleResourceRequestAssetPacks": {identifier(pack): ["a.dat", "en.lproj/b.dat"] for pack in PACKS[:3]},
    }


def info(tags, **more):
    return {"CFBundleIdentifier": identifier(tags), "Tags": tags, **more}


def lists(target):
    values = [manifest()] if target == "manifest" else [table(), info(PACKS[0], Priority=0.95), info(PACKS[4])]
    for value in values:
        for fmt in (plistlib.FMT_BINARY, plistlib.FMT_XML):
            yield plistlib.dumps(value, fmt=fmt)
    if target == "manifest":
        policies = [{"essential": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}, {"onDemand": {}}]
        own = {"archive": "assetpack", "uncompressedSize": 9, "sha256": "0f" * 32}
        yield compact({"assetPacks": [
            {"id": f"p{index}", "url": f"assets/p{index}", "version": index, "downloadSize": 596,
             "downloadPolicy": policy, "host": {"thirdParty": {}}, "headwind": own}
            for index, policy in enumerate(policies)]})  # fmt: skip


class Pipe(io.RawIOBase):
    """An output that cannot seek, so that an archive's sizes follow the bytes of each entry."""

    def __init__(self):
        self.data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)

    def getvalue(self):
        return self.data


def archive(method, names, content=b"resource " * 30, data=None, large=False, comment=b""):
    """An archive in the order of Xcode's exports."""
    data = data or io.BytesIO()
    metadata = {"StandardDirectoryPerms": 16877, "StandardFilePerms": -32348, "RecordCount": 3,
                "TotalUncompressedBytes": 900, "Version": 2}  # fmt: skip
    entries = [("META-INF/", b""), ("META-INF/com.apple.ZipMetadata.plist", plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY)),
               ("_CodeSignature/", b""), ("_CodeSignature/CodeResources", b"signed")]  # fmt: skip
    entries += [(name, b"" if name.endswith("/") else content) for name in names]
    entries.append(("Info.plist", plistlib.dumps(info(PACKS[0]), fmt=plistlib.FMT_BINARY)))
    with zipfile.ZipFile(data, "w", method) as file:
        file.comment = comment
        for name, content in entries:
            entry = zipfile.ZipInfo(name, (2022, 1, 13, 8, 57, 30))
            entry.flag_bits |= 0x800
            entry.external_attr = (0o40755 if name.endswith("/") else 0o100644) << 16
            entry.extra = struct.pack("<HHII", 0x5855, 8, 1642064250, 1642064250)
            entry.compress_type = method
            with file.open(entry, "w", force_zip64=large) as target:
                target.write(content)
    return data.getvalue()


def archives():
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        yield archive(method, ["a.dat"])
        yield archive(method, ["levels/", "levels/1/", "levels/1/map.bin", "Ünï.txt"])
        yield archive(method, ["a.dat"], data=Pipe())
        yield archive(method, ["a.dat"], large=True, comment=b"made by hand")
        # 2,549 bytes of the 3,072 that the target allows.
        yield archive(method, ["a.bin", "b.bin", "c.bin"], b"resource" * 100)


def result():
    """A small result, cut from a golden one of the tests of reports."""
    with open(os.path.join(ROOT, "Tests/ReportsTests/Golden/mixed.json")) as file:
        whole = json.load(file)
    for cell in whole["cells"]:
        cell["attempts"] = cell["attempts"][:2]
        cell["fingerprint"] = FINGERPRINT
    return whole


def results():
    whole = result()
    for cell in whole["cells"]:
        yield compact({**whole, "cells": [cell], "planned_cells": 1, "unfinished_cells": []})
    yield compact({**whole, "cells": whole["cells"][:2]})
    yield json.dumps({**whole, "cells": []}, indent=2).encode()


FINGERPRINT = {"tool_version": "1", "kernel": "6.1", "architecture": "x86_64", "processors": 2, "memory_class_bytes": 1 << 34,
               "backend": "packet", "fidelity": "packet", "profile": "3g", "profile_digest": "a", "client": "c"}  # fmt: skip


def baselines():
    cells = [{"name": cell["title"], "made_at": cell["started_at"], "fingerprint": FINGERPRINT,
              "attempts": [attempt["samples"] for attempt in cell["attempts"]]} for cell in result()["cells"]]  # fmt: skip
    for some in ([], cells[:1], cells[1:3]):
        yield compact({"baseline_schema_version": 1, "tool_version": "1", "made_at": "2026-01-01T00:00:00Z", "cells": some})


def histories():
    with open(os.path.join(ROOT, "Sources/History/Schema.swift"), encoding="utf-8") as source:
        schema = source.read().split('"""')[1]
    tables = (
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);"
        f"INSERT INTO grdb_migrations VALUES ('1 runs, cells, samples');{schema}"
    )
    for runs in (0, 1, 8):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "history")
            base = sqlite3.connect(path)
            base.executescript("PRAGMA page_size = 512; PRAGMA application_id = 0x48574E44;" + tables)
            base.execute("INSERT INTO fingerprint VALUES (1, 'k', ?)", [compact(FINGERPRINT).decode()])
            for run in range(1, runs + 1):
                base.execute("INSERT INTO run VALUES (?, ?, 1.5, '1', '[\"headwind\"]', 'pass', 0)",
                             [run, f"2026-01-{run:02}T00:00:00Z"])  # fmt: skip
                base.execute("INSERT INTO cell VALUES (?, ?, 'a cell', 'pass', 0, 1)", [run, run])
                for metric in ("time_to_available", "requests"):
                    for place in range(2):
                        base.execute("INSERT INTO sample VALUES (?, ?, ?, ?)", [run, metric, place, 1.0 + run // 5])
            base.commit()
            base.close()
            with open(path, "rb") as file:
                yield file.read()


def tree(files):
    """The files of a folder in one input; see Fuzz/Targets/InputFolder.swift."""
    data = b""
    for path, content in files.items():
        data += f"=== {path}\n".encode() + (content if isinstance(content, bytes) else content.encode()) + b"\n"
    return data


def kept(folder, names):
    for name in names:
        with open(os.path.join(ROOT, folder, name + ".yaml")) as file:
            yield name, file.read()


PROFILES = ["3g", "bursty", "wifi-lte-tunnel", "high-latency-dns", "offline-silent", "wpt-3g"]


def profiles():
    for _, text in kept("profiles", PROFILES):
        yield text.encode()
    yield b"profile: p\nsource: x\nextends: p\n"
    yield b"profile: p\nsource: x\ntrace: {downlink: ./p.yaml}\n"
    yield b"profile: p\nversion: 1\nsource: x\nstall: {every: 3 s, for: 1 s}\nrepeat: 20 s\nqueue: 10 packets\nmtu: 1400\n"


def scenarios():
    beside = {f"profiles/{name}.yaml": text for name, text in kept("profiles", PROFILES[:2] + ["lte"])}
    for _, text in kept("scenarios", ["3g", "shared-pack", "offline-midway", "play-random", "radio", "two-apps", "update"]):
        yield tree({"scenario.yaml": text, **beside})
    command = """scenario: A command
packs: ./packs/
link: {profile: 3g, seed: 1, fidelity: modelled}
workload: {command: [curl, "{url}", -o, "{scratch}/a"], environment: {A: b}, progress: {pattern: '(\\d+)%'}}
schedule: ./schedule.txt
expect: [exit: 0, error network within 3 s]
matrix: {link.profile: [3g, lte]}
"""
    yield tree({"scenario.yaml": command, "schedule.txt": "schedule version=1\n", "packs/a": "x", **beside})


SCHEDULE = """schedule version=1 seed=7 profile=3f0c1a5be2d94c07
# people
L1 GET /packs/a.zip from=0 try=1 cut@524288
L2 conn=/packs/a.zip down off=14480 len=2896 tx=1 drop
L2 conn=3 up syn tx=1 drop
L2 conn=* up off=0 tx=1 delay=300ms
L2 conn=/packs/a.zip#2 down off=0 tx=* corrupt@0.5
L2 conn=* down ack=4000 tx=* duplicate
link outage kind=silent after=conn3:down:1048576 until=progress+3
link profile name=3g after=40%:level-2 until=+5s
link cut after=2s
client killed after=1s
device full after=pack:level-2:40%
"""


def schedules():
    yield SCHEDULE.encode()
    for line in SCHEDULE.splitlines():
        yield line.encode()


def notations():
    yield from (line.encode() for line in """pack=level-2 try=1 cut@524288
try=1-3 status=503 retry-after=2s
redirect="https://a.example/b" status=302
late-head=2s
stall@50% for=3s
drip=8 kbit/s
pack="a b" body="no\\n" type=text/html
corrupt@0.5
range=+4
changed-content=-1
portal=login
time_to_available: median <= 1.2 x ideal + 12 s
progress: honest within 2%
redundant_bytes: max <= 64 KiB
throughput: p05 >= 1 Mbit/s
time_to_first_byte: max <= 1 s
error NSURLErrorDomain -1009 network within 20 s
no callback within 5 s
available""".splitlines())


def catalogs():
    whole = {"bundle": BUNDLE, "initialInstall": ["one"], "prefetch": ["two"], "preservation": {"one": 0.5},
             "tags": {"one": ["levels/1.bin"], "two": ["levels/**", "*.dat"], "three": ["**/*.bin"]}}  # fmt: skip
    yield compact(whole)
    yield json.dumps(whole, indent=2).encode()
    selectors = [{"file": "a.dat"}, {"directory": "levels"}, {"filePattern": "**/*.bin"}, {"fileExclusion": "levels/2.*"},
                 {"fileSource": "a.dat", "fileDestination": "b/c"},
                 {"directorySource": "levels", "directoryDestination": "more"}]  # fmt: skip
    yield compact({"assetPackID": "P", "downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}},
                   "fileSelectors": selectors, "platforms": ["iOS"], "language": "pt-BR"})  # fmt: skip


def conditioners():
    three = {"DownlinkBandwidth": 780, "DownlinkBandwidthUnit": 0, "DownlinkDelay": 100, "DownlinkPacketLossRatio": 1.5,
             "UplinkBandwidth": 330, "UplinkBandwidthUnit": 0, "UplinkDelay": 100, "UplinkPacketLossRatio": 0.0,
             "DNSDelayValue": 0, "RunOnInterface": "All"}  # fmt: skip
    for value in ({"3G": three, "Edge": {**three, "DownlinkBandwidth": 0.24}}, {"Profiles": {"a": three}}, three):
        for fmt in (plistlib.FMT_BINARY, plistlib.FMT_XML):
            yield plistlib.dumps(value, fmt=fmt)
    yield b"# a trace\n0\n1\n1\n5\n1000\n"


def controls():
    yield from (json.dumps(value).encode() for value in (
        {"profile": "3g"}, {"version": 1, "offline": "silent"}, {"offline": None},
        {"conditions": {"downlink": {"rate": "780 kbit/s", "delay": "100 ms", "jitter": "5 ms", "loss": "1 %"},
                        "uplink": {"rate": "330 kbit/s"}, "dns-delay": "1 s", "offline": "no-route", "held": True}},
        {"conditions": {}},
        {"version": 1, "conditions": {"dnsDelay": "1 s"}},
        {"conditions": {"downlink": {"loss": {"good-to-bad": "1 %", "bad-to-good": "25 %"}, "queue": "50 packets",
                                     "delay": "1 s", "jitter": {"amount": "3 ms", "distribution": "normal"}},
                        "uplink": {"rate": "unlimited", "queue": "64 KiB", "corrupt": "0.1 %"}, "mtu": 1400}},
        {"profile": {"profile": "own", "source": "s", "trace": {"uplink": {"milliseconds": "0 1 4"}},
                     "changes": [{"at": "1 s", "online": True}]}}))  # fmt: skip


def proxy_requests():
    for head in (
        "CONNECT packs.example:443 HTTP/1.1\nHost: packs.example:443\n\n",
        "GET http://packs.example/a.zip?q HTTP/1.1\nHost: packs.example\nConnection: close, X-A\nX-A: b\n\nrest",
        "POST http://[::1]:8080/ HTTP/1.0\nHost: a\nContent-Length: 3\n\nabc",
        "PUT http://a HTTP/1.1\nTransfer-Encoding: chunked\nTE: trailers\n\n3\nabc\n0\n\n",
        "POST http://a/ HTTP/1.1\nTransfer-Encoding: chunked\n\n0A;x=\"y\"\n0123456789\n00\nX-A: b\n\nGET / HTTP/1.1\n\n",
        "OPTIONS http://a.b HTTP/1.1\nHost: a.b\n\n", "\n\nGET http://a/ HTTP/1.1\nHost: a\nX:\ty \n\n"):  # fmt: skip
        yield head.replace("\n", "\r\n").encode()
        yield head.encode()


def socks():
    port = struct.pack(">H", 443)
    for place in (b"\x01" + bytes([192, 0, 2, 1]), b"\x03\x07a.local", b"\x04" + bytes(15) + b"\x01", b"\x03\x00"):
        # The target prepends the first byte, the version.
        yield b"\x01\x00" + b"\x05\x01\x00" + place + port + b"rest"
    yield b"\x02\x00\x02"
    yield b"\x01\x02"
    yield b"\x01\x00\x05\x02\x00\x01" + bytes(6)


def hosts():
    fields = ["Range: bytes=0-3", "Range: bytes=-4", "Range: bytes=5-", "Range: bytes=0-1,3-4", "If-None-Match: *",
              "If-None-Match: \"a\", W/\"b\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
              "If-Range: \"a\"\nRange: bytes=1-2", "If-Range: Sunday, 06-Nov-94 08:49:37 GMT\nRange: bytes=1-2",
              "If-Match: \"x\"", "If-Unmodified-Since: Sun Nov  6 08:49:37 1994", "Connection: close"]  # fmt: skip
    for field in fields:
        yield b"\xff" + f"GET /AssetPackManifest.plist HTTP/1.1\nHost: h\n{field}\n\n".replace("\n", "\r\n").encode()
    for line in ("HEAD /OnDemandResources.plist", "GET /%41ssetPackManifest.plist", "GET http://h/../x", "POST /",
                 "GET /AssetPackManifest.plist?a"):  # fmt: skip
        yield b"\x07" + f"{line} HTTP/1.1\nHost: h\n\n{line} HTTP/1.0\n\n".replace("\n", "\r\n").encode()
    yield b"\x50" + b"GET /AssetPackManifest.plist HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"


def frames():
    """Frames in a short form: type, flags, stream, length, payload. HPACK fields are indexed or literals (RFC 7541)."""
    def frame(kind, flags, stream, payload=b""):
        return bytes([kind, flags, stream, len(payload)]) + payload

    def literal(index, value):
        return bytes([0x40 | index, len(value)]) + value.encode()

    def request(stream, path="/AssetPackManifest.plist", method=0x82, *fields):
        block = bytes([method, 0x87]) + literal(1, "h") + literal(4, path) + b"".join(fields)
        return frame(1, 5, stream, block)

    settings = frame(4, 0, 0) + frame(4, 1, 0)
    window = frame(4, 0, 0, struct.pack(">HI", 4, 5))
    yield settings + request(1)
    yield settings + request(1) + request(3, "/OnDemandResources.plist") + request(5, "/none")
    yield settings + request(1, "/AssetPackManifest.plist", 0x83) + frame(0, 1, 1, b"body")
    yield settings + request(1, "/AssetPackManifest.plist", 0x82, literal(50, "bytes=0-3"), literal(33, "x"))
    yield window + request(1) + frame(8, 0, 1, struct.pack(">I", 9)) + frame(8, 0, 0, struct.pack(">I", 99))
    yield window + request(1) + request(3) + frame(3, 0, 1, struct.pack(">I", 8))
    yield window + request(1) + request(3) + request(5) + frame(3, 0, 3, struct.pack(">I", 8)) + frame(7, 0, 0, bytes(8))
    yield settings + frame(6, 0, 0, bytes(8)) + frame(2, 0, 3, bytes(5)) + frame(1, 1, 1, b"\x82\x87") + frame(9, 4, 1, literal(1, "h"))


def hellos():
    """The hellos of TLS 1.2 and 1.3, made by OpenSSL. Constant bytes replace their random ones."""
    for least in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version, context.maximum_version = least, least
        context.set_alpn_protocols(["http/1.1"])
        sent = ssl.MemoryBIO()
        client = context.wrap_bio(ssl.MemoryBIO(), sent, server_hostname="localhost")
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            pass
        hello = sent.read()
        # TLS 1.3 has two more random fields: the session's id, and the key share, which OpenSSL writes last.
        fixed = bytes(range(32))
        new = least == ssl.TLSVersion.TLSv1_3
        yield hello[:11] + fixed + (hello[43:44] + fixed + hello[76:-32] + fixed if new else hello[43:])
    yield b"GET / HTTP/1.1\r\n\r\n"
    yield b"\x15\x03\x03\x00\x02\x01\x00"


def answers():
    for text in (
        "HTTP/1.1 200 OK\nContent-Length: 9\nETag: \"a\"\nContent-Type: application/zip; x=y\n",
        "HTTP/1.1 206 Partial Content\nContent-Range: bytes 3-8/9\nContent-Length: 6\nLast-Modified: x\n",
        "HTTP/1.1 416 Range Not Satisfiable\nContent-Range: bytes */3\n",
        "HTTP/1.1 302 Found\nLocation: /b\n", "HTTP/1.1 100 Continue\n\nHTTP/1.1 304 Not Modified\n",
        "HTTP/1.1 502 Bad Gateway\nProxy-Status: headwind; error=dns_error; details=\"x\"\nContent-Encoding: gzip\n"):  # fmt: skip
        yield b"\x03\x09" + text.replace("\n", "\r\n").encode()
        yield b"\x00\x00" + text.encode()


def attribute(kind, value):
    data = struct.pack("<HH", 4 + len(value), kind) + value
    return data + bytes(-len(data) % 4)


def message(kind, body, flags=0, sequence=1):
    return struct.pack("<IHHII", 16 + len(body), kind, flags, sequence, 0) + body


def netlinks():
    link = struct.pack("<BBHiII", 0, 0, 1, 3, 1, 0) + attribute(3, b"eth0\0") + attribute(4, struct.pack("<I", 1500))
    link += attribute(18 | 0x8000, attribute(1, b"veth\0")) + attribute(6, b"noqueue\0") + attribute(20, MARK.encode() + b"\0")
    yield message(16, link)
    head = struct.pack("<BBHiIII", 0, 0, 0, 3, 0x10000, 0xFFFFFFFF, 2)
    netem = struct.pack("<IIIIII", 1000, 1000, 42, 0, 0, 10) + attribute(10, struct.pack("<q", 50_000_000))
    netem += attribute(5 | 0x8000, attribute(1, struct.pack("<IIII", 1, 2, 3, 4))) + attribute(6, struct.pack("<IiIi", 5, 0, 0, 0))
    stats = attribute(7 | 0x8000, attribute(1, struct.pack("<QI", 5, 6)) + attribute(3, struct.pack("<IIIII", 1, 2, 3, 4, 5)))
    yield message(36, head + attribute(1, b"netem\0") + attribute(2, netem) + stats)
    rate = struct.pack("<BBHhHI", 0, 1, 0, 0, 0, 125000)
    bucket = attribute(1, rate + rate + struct.pack("<III", 3000, 4000, 0)) + attribute(4, struct.pack("<Q", 1 << 33))
    yield message(36, head + attribute(1, b"tbf\0") + attribute(2 | 0x8000, bucket) + attribute(8 | 0x8000, attribute(1, bytes(8) + bytes(16))))
    select = struct.pack("<BBBBHHHhhI", 1, 0, 1, 0, 0, 0, 0, 0, 0, 0) + struct.pack("<IIii", 0, 0, 0, 0)
    action = attribute(1, attribute(1, b"mirred\0") + attribute(2 | 0x8000, attribute(2, struct.pack("<IIiiiiI", 0, 0, 4, 0, 0, 1, 9))))
    rule = attribute(1, struct.pack("<I", 0x10001)) + attribute(5, select) + attribute(7 | 0x8000, action)
    yield message(44, head + attribute(1, b"u32\0") + attribute(2 | 0x8000, rule))
    words = struct.pack("<i", -2) + struct.pack("<IHHII", 16, 36, 5, 1, 0) + attribute(1, b"Specified qdisc kind is unknown\0")
    yield message(2, words, flags=0x300, sequence=2) + message(2, struct.pack("<i", 0) + bytes(16), flags=0x100)


MARK = "headwind 1 on=3 by=1234.5678 since=1800000000 until=+600 form=abc profile=3g"


def names():
    for name in (b"\x04host\x08headwind\x08internal\0", b"\x01A\0", b"\x08internal\0", b"\x3f" + b"x" * 63 + b"\0"):
        for kind in (1, 28, 255):
            yield struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + name + struct.pack(">HH", kind, 1)
    yield struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + (b"\x3f" + b"x" * 63) * 3 + b"\x3d" + b"y" * 61 + b"\0\0\1\0\1"


def marks():
    yield MARK.encode()
    yield b"headwind 1 on=3 by=1.2 since=1 ns=ff until=ever form=abc.ud.0ffff profile=x in=1 replaced=fq_codel,8001:,.AQEC except=22,10.0.0.0/8"
    yield b"headwind 1 on=3 by=1.2 since=5 until=9 form=0.-d.00001 profile=x replaced=pfifo_fast,0:,-"
    yield b"headwind 1 on=3 by=1.2 since=5 until=9 form=0 profile=x replaced=bfifo,1:,AAAAAA"


def cells():
    requests = [{"v": 1, "id": 1, "descriptors": 0, "socket": {"namespace": "client", "family": 2, "isStream": True, "port": 80}},
                {"v": 1, "id": 2, "descriptors": 1, "spawn": {"namespace": "host", "arguments": ["a"], "environment": [], "numbers": [0]}},
                {"v": 1, "id": 3, "descriptors": 0, "route": {"namespace": "router"}},
                {"v": 1, "id": 4, "descriptors": 0, "admit": {"address": [127, 0, 0, 1], "port": 1}}]  # fmt: skip
    replies = [{"v": 1, "id": 1, "descriptors": 1, "socket": {"port": 80}},
               {"v": 1, "ready": {"scratch": "/s", "notes": [{"kind": "no-ipv6", "detail": "d", "code": 97}]}},
               {"v": 1, "ended": {"spawn": 2, "status": 0, "at": 5}}, {"v": 1, "id": 2, "spawned": {"process": 7}},
               {"v": 1, "id": 9, "failure": {"stage": "mount", "code": 1, "detail": "x"}}, {"v": 2}, {"v": 1, "id": 3, "done": {}}]  # fmt: skip
    for lines in (requests, replies, requests[:1], replies[1:2]):
        yield b"\n".join(compact(line) for line in lines)


def clients():
    lines = [{"event": "start"}, {"event": "request", "id": "a", "tags": ["x"]},
             {"event": "progress", "id": "a", "fraction": 0.5, "completed": 1, "total": 2}, {"event": "paused", "id": "a"},
             {"event": "resumed", "id": "a"}, {"event": "fetch", "pack": "p", "from": 0, "try": 1},
             {"event": "received", "pack": "p", "bytes": 9}, {"event": "usage", "stored": 3, "peak": 9},
             {"event": "room", "needed": 1, "freed": 2}, {"event": "available", "id": "a"},
             {"event": "error", "id": "a", "domain": "NSURLErrorDomain", "code": -1009, "class": "network", "message": "m"},
             {"event": "launched", "bundle": "b", "version": "2"}, {"event": "exit", "status": 0}]  # fmt: skip
    text = b"".join(compact({"v": 1, "t": 100 + n, "n": n + 1, **line}) + b"\n" for n, line in enumerate(lines))
    yield text
    yield b"50 %\r60 %\n" + text.replace(b"\n", b"\r\n") + b"\xff\xfe\n"


def events():
    def line(time, source, event, attempt=1, **fields):
        return compact({"v": 2, "t": time, "cell": "a cell", "attempt": attempt, "source": source, "event": event,
                        **({"fields": fields} if fields else {})}) + b"\n"  # fmt: skip
    text = line(1000, "link", "conditions", conditions={"downlink": {"rate": "1 Mbit/s"}, "offline": "silent"}, generation=0) + line(2000, "client", "start")
    text += line(3000, "client", "request", id="a") + line(4000, "client", "progress", id="a", fraction=0.5, total=9)
    text += line(5000, "link", "delivered", connection=1, direction="downlink", total=1448) + line(6000, "host", "request", path="/a")
    text += line(7000, "client", "used", id="a", packs=["p", "q"], waited=0.5) + line(8000, "client", "available", 2, id="</script>")
    yield text
    yield compact({"v": 2, "t": 1, "source": "harness", "event": "start"}) + b"\n" + text


def ethernetless(protocol, payload, six=False):
    if six:
        return struct.pack(">IHBB", 0x60000000, len(payload), protocol, 64) + bytes(15) + b"\x01" + bytes(15) + b"\x02" + payload
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 1, 0x4000, 64, protocol, 0) + bytes([10, 0, 0, 1, 10, 0, 0, 2]) + payload


def packets():
    def tcp(source, port, sequence, flags, data=b""):
        return struct.pack(">HHIIBBHHH", source, port, sequence, 7, 0x50, flags, 1000, 0, 0) + data
    query = struct.pack(">HHHHHH", 1, 0x100, 1, 0, 0, 0) + b"\x01a\x05local\x00\x00\x01\x00\x01"
    bodies = [(6, tcp(1000, 80, 1, 2)), (6, tcp(1000, 80, 2, 0x18, b"GET /a HTTP/1.1\r\n\r\n")), (6, tcp(80, 1000, 1, 0x12)),
              (6, tcp(1000, 80, 22, 0x11)), (6, tcp(1000, 80, 23, 4)),
              (17, struct.pack(">HHHH", 999, 53, 8 + len(query), 0) + query), (1, struct.pack(">BBHHH", 8, 0, 0, 1, 1) + b"ping"),
              (58, struct.pack(">BBHHH", 128, 0, 0, 1, 1)), (44, struct.pack(">BBHI", 17, 0, 1, 5) + query)]  # fmt: skip
    def one(order, data):
        return struct.pack(">BH", order, len(data)) + data
    for six in (False, True):
        whole = [ethernetless(protocol, body, six) for protocol, body in bodies]
        for order in (0x00, 0x82, 0x90, 0xA4, 0xB8, 0xF0):
            yield one(order, whole[0]) + b"".join(one(number % 2, data) for number, data in enumerate(whole[1:]))


def bundles():
    record = {"schema_version": 1, "tool_version": "1", "command": "", "made_at": "", "cell": "T", "title": "T", "attempt": 1,
              "backend": "proxy", "seed": "1", "failure": {"outcomes": ["client_failed"], "budgets": []}, "sentences": [],
              "schedule": {"file": "schedule.txt", "lines": 0, "hash": "", "first_transmission_hash": "", "omitted": 0},
              "client": {"command": ["true"], "built_in": False, "files": []},
              "content": {"source": "", "copied": True, "packs": [{"name": "a", "size_bytes": 1, "sha256": "00"}]},
              "host": {"kernel": "", "architecture": "", "processors": 1, "versions": {}}, "left_out": []}  # fmt: skip
    scenario = """scenario: T
packs: ./packs/
link: {profile: ./profiles/p.yaml, seed: 1, fidelity: modelled}
workload: {command: ["true"]}
schedule: ./schedule.txt
"""
    files = {"bundle.json": compact(record), "scenario.yaml": scenario, "packs/a.bin": "x", "profiles/p.yaml": "profile: p\nsource: a test\n",
             "schedule.txt": SCHEDULE.replace(" profile=3f0c1a5be2d94c07", "").replace("link profile name=3g after=40%:level-2 until=+5s\n", "")}  # fmt: skip
    yield tree(files)
    yield tree({**files, "schedule.txt": "schedule version=1\n"})
    yield tree({**files, "more -> outside": ""})


def stores():
    note = {"version": 1, "pack": "pack", "bytes": 5, "tags": ["level-1"], "edition": {"sha256": "00"}}
    partial = {"version": 1, "pack": "part", "edition": {}, "validator": "\"a\"", "total": 9}
    index = {"version": 1, "uses": 3, "packs": {"pack": {"lastUse": 3, "isPurged": False}, "gone": {"lastUse": 1, "isPurged": True}},
             "preservation": {"level-1": 0.25}}  # fmt: skip
    one = {"store": "", "packs/pack/.pack.json": compact(note), "packs/pack/a.dat": "12345", "packs/other/b": "x",
           "partial/part.part": "1234", "partial/part.json": compact(partial), "index.json": compact(index),
           "manifest.plist": plistlib.dumps(manifest(), fmt=plistlib.FMT_BINARY),
           "tags.plist": plistlib.dumps(table(), fmt=plistlib.FMT_BINARY),
           "users/1": compact({"process": 1, "wanted": ["pack"], "pinned": ["pack"], "sizes": {"pack": 5}, "promises": {}}),
           "leases/pack": "", "temporary/x/y": "z"}  # fmt: skip
    yield tree({"store": ""})
    yield tree(one)
    yield tree({**one, "temporary -> outside": "", "packs/link -> outside": ""})
    yield tree({"device": "headwind device 1\n", **{f"bundles/com.example.a/{path}": data for path, data in one.items()}, "bundles/b/store": ""})
    yield tree({**{path: data for path, data in one.items() if not path.startswith(("partial", "users"))}, "partial -> outside": "", "users -> outside": ""})
    yield tree({"index.json/inner": "x", **{path: data for path, data in one.items() if path != "index.json"}})


def words(target):
    """A target's dictionary for libFuzzer: signatures of a format, its words, and limits of number fields."""
    numbers = [struct.pack(form, number) for form in ("<H", "<I") for number in (0, 1, 8, 0x1000, 0x7FFF, 0xFFFF)]
    if target in ("archive", "names", "netlink", "packet", "hello", "history", "socks"):
        return [b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"PK\x07\x08", b"../", *numbers]
    if target in ("manifest", "lists", "conditioner"):
        return [b"bplist00", b"<?xml version=\"1.0\"?>", b"<plist>", b"<dict>", b"<array>", b"<key>", b"<!--", b"<![CDATA["]
    # The words of the seeds, in any notation: the 200 most frequent ones are kept.
    found = collections.Counter(
        word for seed in SEEDS[target]() for word in set(re.findall(rb"[A-Za-z_][A-Za-z0-9_-]{2,24}[:=]?", seed)))
    common = [b"\\u0061", b"9223372036854775807", b"-9223372036854775808", b"1e400", b"\n=== ", b" -> outside", b"..", b"%2F"]
    return common + sorted(found, key=lambda word: (-found[word], word))[:200]


SEEDS = {
    "answer": answers, "archive": archives, "baseline": baselines, "bundle": bundles, "catalog": catalogs, "cell": cells,
    "client": clients, "conditioner": conditioners, "control": controls, "events": events, "frames": frames, "hello": hellos,
    "history": histories, "host": hosts, "lists": lambda: lists("lists"), "manifest": lambda: lists("manifest"), "marks": marks, "names": names,
    "netlink": netlinks, "notation": notations, "packet": packets, "profile": profiles, "proxy": proxy_requests, "result": results,
    "scenario": scenarios, "schedule": schedules, "socks": socks, "store": stores,
}  # fmt: skip


def main():
    for target in sys.argv[1:] or SEEDS:
        folder = os.path.join(ROOT, "Fuzz/Seeds", target)
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        with open(folder + ".dict", "w") as file:
            for word in words(target):
                print('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"', file=file)
        for number, seed in enumerate(SEEDS[target]()):
            with open(os.path.join(folder, f"seed-{number:02}"), "wb") as file:
                file.write(seed)


main()
