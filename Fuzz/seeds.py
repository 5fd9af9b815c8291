"""Writes the seeds of a fuzz target into a folder, and its dictionary beside it: the golden vectors of Apple's formats.

Lists are written by Python's plistlib and archives by its zipfile, so that they do not depend on what is tried.
"""

import hashlib
import io
import os
import plistlib
import struct
import sys
import zipfile

BUNDLE = "com.example.game"
PACKS = [["Level1"], ["Level2"], ["Level1", "Level2"], ["foo"], ["bar", "foo"], ["baz"]]


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


class Pipe(io.RawIOBase):
    """What cannot be gone back in, so that sizes stand behind the bytes."""

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


def words(target):
    """What a dictionary of libFuzzer's has: the signatures of a format, and numbers at the edges of their fields."""
    if target != "archive":
        return [b"bplist00", b"<?xml version=\"1.0\"?>", b"<plist>", b"<dict>", b"<array>", b"<key>", b"<!--", b"<![CDATA["]
    numbers = [struct.pack(form, number) for form in ("<H", "<I") for number in (0, 1, 8, 0x1000, 0x7FFF, 0xFFFF)]
    return [b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07", b"PK\x07\x08", b"../", *numbers]


def main():
    target, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    with open(folder + ".dict", "w") as file:
        for word in words(target):
            print('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"', file=file)
    for number, seed in enumerate(archives() if target == "archive" else lists(target)):
        with open(os.path.join(folder, f"golden-{number}"), "wb") as file:
            file.write(seed)


main()
