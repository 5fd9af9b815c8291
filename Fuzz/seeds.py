"""Writes the seeds of a fuzz target into a folder: the golden vectors of Apple's formats, as lists and as archives.

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


def archive(method, names):
    """An archive in the order of Xcode's exports."""
    data = io.BytesIO()
    metadata = {"StandardDirectoryPerms": 16877, "StandardFilePerms": -32348, "RecordCount": 3,
                "TotalUncompressedBytes": 900, "Version": 2}  # fmt: skip
    entries = [("META-INF/", b""), ("META-INF/com.apple.ZipMetadata.plist", plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY)),
               ("_CodeSignature/", b""), ("_CodeSignature/CodeResources", b"signed")]  # fmt: skip
    entries += [(name, b"" if name.endswith("/") else b"resource " * 30) for name in names]
    entries.append(("Info.plist", plistlib.dumps(info(PACKS[0]), fmt=plistlib.FMT_BINARY)))
    with zipfile.ZipFile(data, "w", method) as file:
        for name, content in entries:
            entry = zipfile.ZipInfo(name, (2022, 1, 13, 8, 57, 30))
            entry.flag_bits |= 0x800
            entry.external_attr = (0o40755 if name.endswith("/") else 0o100644) << 16
            entry.extra = struct.pack("<HHII", 0x5855, 8, 1642064250, 1642064250)
            file.writestr(entry, content, method)
    return data.getvalue()


def archives():
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        yield archive(method, ["a.dat"])
        yield archive(method, ["levels/", "levels/1/", "levels/1/map.bin", "Ünï.txt"])


def main():
    target, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for number, seed in enumerate(archives() if target == "archive" else lists(target)):
        with open(os.path.join(folder, f"golden-{number}"), "wb") as file:
            file.write(seed)


main()
