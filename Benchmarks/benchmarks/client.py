"""`headwind-client` against curl + sha256sum + unzip for the same packs."""

import os
import plistlib
import shutil

from . import peers, processes
from .processes import Failure
from .session import row

TITLE = "client"
SETUP = (
    "12 packs of 10 files, made by 'headwind pack build', served by nginx (below). Headwind: 'headwind-client' with an empty store "
    "asks for all tags: manifest, tag table, 4 downloads at a time, size and SHA-256, unpacking, every file brought to the disk, "
    "one rename a pack. Peer: manifest, curl --parallel --parallel-max 4, sha256sum --check, unzip of each pack; the second peer "
    "also fsyncs what it unpacked, as Headwind does. Wall and CPU seconds with all children; memory is the largest peak of "
    "any one process."
)
PEER = """\
set -eu
curl --fail --silent --show-error --noproxy '*' --output AssetPackManifest.plist "$1/AssetPackManifest.plist"
curl --fail --silent --show-error --noproxy '*' --parallel --parallel-max 4 --config "$2"
sha256sum --check --quiet --strict "$3"
mkdir unpacked
for pack in *.assetpack; do
    unzip -q -d "unpacked/${pack%.assetpack}" "$pack"
done
if [ "$4" = sync ]; then
    find unpacked -type f -exec sync {} +
fi
"""


def run(session):
    """Wall seconds, CPU seconds and memory for all packs."""
    peers.need("nginx", "curl", "unzip", "sha256sum")
    packs, tags, size = _packs(session)
    with peers.nginx(packs, session.scratch) as (address, _):
        site = "http://%s:%d" % address
        lists = _lists(session, packs, site)
        measured = session.interleave(
            {
                "headwind": lambda: _ours(session, site, tags),
                "plain": lambda: _theirs(session, site, lists, "plain"),
                "sync": lambda: _theirs(session, site, lists, "sync"),
            }
        )
    rows = []
    for peer, name in (("plain", "curl + sha256sum + unzip"), ("sync", "… + fsync")):
        for key, what, unit, scale in (
            ("wall", "wall", "s", 1), ("cpu", "CPU", "s", 1), ("memory", "peak memory", "MB", 1e-6),
        ):
            series = {who: [one[key] * scale for one in measured[who]] for who in ("headwind", peer)}
            what = f"{size / 1e6:.0f} MB of packs: {what}"
            rows.append(row(what, unit, series["headwind"], name, series[peer]))
    return rows


def _packs(session):
    """Builds the packs; returns their folder, the tags and the bytes of all files."""
    catalog = session.folder("client-catalog")
    length = session.size(2_500_000, 20_000)
    tags = [f"level-{number:02}" for number in range(1, 13)]
    for tag in tags:
        folder = os.path.join(catalog, tag)
        os.mkdir(folder)
        for number in range(10):
            with open(os.path.join(folder, f"part-{number}.bin"), "wb") as file:
                file.write(os.urandom(length))
    packs = os.path.join(session.scratch, "client-packs")
    arguments = [session.headwind, "pack", "build", catalog, "--by-folder", "--bundle-id", "com.example.benchmark"]
    processes.measure(arguments + ["--output", packs], "headwind pack build", packs + ".log")
    return packs, tags, length * 10 * len(tags)


def _lists(session, packs, site):
    """Writes what the peer reads: the list of addresses for curl, and the list of digests for sha256sum."""
    with open(os.path.join(packs, "AssetPackManifest.plist"), "rb") as file:
        resources = plistlib.load(file)["resources"]
    config, digests = [], []
    for number, resource in enumerate(resources):
        config.append(f'url = "{site}/{resource["URL"].lstrip("/")}"\noutput = "{number}.assetpack"\n')
        digests.append(f'{resource["HeadwindSHA256"]}  {number}.assetpack\n')
    return (
        peers.write(os.path.join(session.scratch, "curl.conf"), "".join(config)),
        peers.write(os.path.join(session.scratch, "digests"), "".join(digests)),
    )


def _ours(session, site, tags):
    store = os.path.join(session.scratch, "store")
    arguments = [session.client, "--manifest", site + "/AssetPackManifest.plist", "--store", store, *tags]
    return _clean(session, arguments, "headwind-client", store, None, 10 * len(tags))


def _theirs(session, site, lists, mode):
    folder = session.folder("peer")
    arguments = ["/bin/sh", "-c", PEER, "peer", site, *lists, mode]
    return _clean(session, arguments, "the peer", folder, folder, 120)


def _clean(session, arguments, what, made, directory, files):
    """Measures a command, checks that all files arrived, and removes them. Syncs the disks before it begins."""
    os.sync()
    try:
        measured = processes.measure(arguments, what, os.path.join(session.scratch, "client.log"), directory)
        found = sum(name.startswith("part-") for _, _, names in os.walk(made) for name in names)
        if found != files:
            raise Failure(f"{what} left {found} files of {files}")
        return measured
    finally:
        shutil.rmtree(made, ignore_errors=True)
