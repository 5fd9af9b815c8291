"""Manifest and tag table: the packs of each tag, and their addresses (docs/reference/packs.md)."""

import os
import plistlib
import tempfile
import urllib.parse
from dataclasses import dataclass

from download import Download, Hooks
from failures import Failure
from part import Part


@dataclass(frozen=True)
class Pack:
    """A pack as listed in the manifest."""

    identifier: str
    url: str
    stored_size: int
    size: int | None
    digest: str | None
    tags: tuple

    @property
    def file_name(self):
        """The stored file's name if the pack is a plain file, or None for an archive."""
        name = urllib.parse.unquote(urllib.parse.urlsplit(self.url).path.rpartition("/")[2])
        return None if name.endswith(".assetpack") else name or "pack"

    @property
    def room(self):
        return max(self.stored_size, self.size or 0)


class Catalog:
    """The tags and packs that can be requested."""

    def __init__(self, manifest, base, table):
        tags_of = {}
        for tag, entry in table["NSBundleResourceRequestTags"].items():
            for identifier in entry["NSAssetPacks"]:
                tags_of.setdefault(identifier, []).append(tag)
        self.packs = {}
        for entry in manifest["resources"]:
            identifier = entry["bundleKey"]
            self.packs[identifier] = Pack(
                identifier, urllib.parse.urljoin(base, entry["URL"]), entry.get("uncompressedSize", 0),
                entry.get("HeadwindDownloadSize"), entry.get("HeadwindSHA256"),
                tuple(sorted(tags_of.get(identifier, []))))
        self.tags = {
            tag: entry["NSAssetPacks"] for tag, entry in table["NSBundleResourceRequestTags"].items()}

    def resolve(self, tags):
        """Returns the packs of some tags. Raises Failure for an unknown tag, or a pack that the manifest lacks."""
        unknown = [tag for tag in tags if tag not in self.tags]
        if unknown:
            raise Failure("unknown_tag", f"No such tag: {', '.join(sorted(unknown))}.")
        names = sorted({name for tag in tags for name in self.tags[tag]})
        missing = [name for name in names if name not in self.packs]
        if missing:
            raise Failure("missing", f"The manifest has no pack '{missing[0]}'.")
        return [self.packs[name] for name in names]


class _Told(Hooks):
    """Reports the downloads of the lists under their names."""

    def __init__(self, name, events):
        self.name = name
        self.events = events

    def asked(self, url, start, number):
        self.events.tell("fetch", pack=self.name, url=url.split("?")[0], **{"from": start, "try": number})

    def answered(self, status, start, length):
        self.events.tell("response", pack=self.name, status=status, length=length, **{"from": start})

    def received(self, count):
        self.events.tell("received", pack=self.name, bytes=count)

    def retrying(self, seconds, reason):
        self.events.tell("retry", pack=self.name, after=seconds, reason=reason)


def load(options, way, bug, draw, events):
    """Loads the catalog that the command line names. Raises Failure: 4994 if it is unreadable, or the download's."""

    def read(source, name):
        if "://" not in source:
            with open(source, "rb") as file:
                return file.read()
        with tempfile.TemporaryDirectory() as folder:
            part = Part(os.path.join(folder, name), os.path.join(folder, name + ".json"), bug)
            Download(source, way, bug, draw, _Told(name, events)).run(part)
            part.close()
            with open(part.path, "rb") as file:
                return file.read()

    manifest = options.manifest
    table = options.tag_table or urllib.parse.urljoin(manifest, "OnDemandResources.plist")
    if not options.tag_table and "://" not in manifest:
        table = os.path.join(os.path.dirname(manifest), "OnDemandResources.plist")
    try:
        return Catalog(
            plistlib.loads(read(manifest, "manifest")), manifest if "://" in manifest else "",
            plistlib.loads(read(table, "tag-table")))
    except Failure as failure:
        if failure.kind not in ("missing", "wrong_content"):
            raise
        reason = failure.message
    except Exception as error:  # Any error that a malformed list causes.
        reason = f"{type(error).__name__} {error}"
    failure = Failure("no_manifest", f"The manifest or its tag table cannot be read: {reason}")
    failure.underlying = {"domain": "_NSBundleResourceRequestErrorDomain", "code": 100, "message": reason}
    raise failure
