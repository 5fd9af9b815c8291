"""The device's storage, laid out as in docs/reference/client.md: packs, partial downloads, use and space."""

import json
import os
import shutil
import threading

from failures import Failure

NOTE = ".pack.json"


def encoded(name):
    """Returns a file name for an identifier: percent-encoded, including a leading dot."""
    kept = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+~"
    return "".join(
        chr(byte) if byte in kept or byte == 46 and index > 0 else f"%{byte:02X}"
        for index, byte in enumerate(name.encode()))


def size_of(folder):
    """Returns the bytes of the files in a folder, without the note."""
    return sum(
        os.path.getsize(os.path.join(place, name))
        for place, _, names in os.walk(folder) for name in names if not (place == folder and name == NOTE))


class Store:
    """The stored packs. Hold ``lock`` to change anything."""

    def __init__(self, root, capacity, events, bug):
        self.root = root
        self.capacity = capacity
        self.events = events
        self.bug = bug
        self.lock = threading.RLock()
        self.promised = {}
        self.used = {}
        self.preserved = {}
        self.clock = 0
        self.peak = 0
        for folder in ("packs", "partial", "temporary"):
            os.makedirs(os.path.join(root, folder), exist_ok=True)
        with open(os.path.join(root, "store"), "w", encoding="utf-8") as file:
            file.write("headwind store 1\n")
        self.stored = {}
        for name in os.listdir(os.path.join(root, "packs")):
            folder = os.path.join(root, "packs", name)
            try:
                with open(os.path.join(folder, NOTE), encoding="utf-8") as file:
                    note = json.load(file)
                self.stored[note["pack"]] = (size_of(folder), note["digest"], note["tags"])
            except (OSError, ValueError, KeyError):
                shutil.rmtree(folder, ignore_errors=True)

    def folder(self, identifier):
        return os.path.join(self.root, "packs", encoded(identifier))

    def temporary(self, identifier):
        return os.path.join(self.root, "temporary", encoded(identifier))

    def partial(self, identifier):
        """Returns the paths of a partial download and of its note."""
        path = os.path.join(self.root, "partial", encoded(identifier))
        return path + ".part", path + ".json"

    def has(self, pack):
        return pack.identifier in self.stored and self.stored[pack.identifier][1] == pack.digest

    def publish(self, pack, folder):
        """Turns a folder into the pack, in one step."""
        with self.lock:
            with open(os.path.join(folder, NOTE), "w", encoding="utf-8") as file:
                json.dump({"pack": pack.identifier, "digest": pack.digest, "tags": pack.tags}, file)
            target = self.folder(pack.identifier)
            shutil.rmtree(target, ignore_errors=True)
            os.rename(folder, target)
            self.stored[pack.identifier] = (size_of(target), pack.digest, pack.tags)
            self.promised.pop(pack.identifier, None)
            self.touch([pack.identifier])
            return self.stored[pack.identifier][0]

    def remove(self, identifier):
        with self.lock:
            shutil.rmtree(self.folder(identifier), ignore_errors=True)
            return self.stored.pop(identifier, (0,))[0]

    def touch(self, identifiers):
        """Records that packs are used now."""
        self.clock += 1
        for identifier in identifiers:
            self.used[identifier] = self.clock

    @property
    def partial_bytes(self):
        folder = os.path.join(self.root, "partial")
        return sum(
            os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".part"))

    @property
    def stored_bytes(self):
        return sum(entry[0] for entry in self.stored.values())

    def free(self):
        """Returns the bytes that are neither used nor promised."""
        if self.capacity is None:
            status = os.statvfs(self.root)
            return status.f_bavail * status.f_frsize - sum(self.promised.values())
        promised = sum(self.promised.values())
        others = sum(
            os.path.getsize(path) for path, _ in map(self.partial, self._partials()) if os.path.exists(path))
        return self.capacity - self.stored_bytes - promised - others

    def _partials(self):
        """Returns the identifiers of partial downloads that no promise counts."""
        names = [name[:-5] for name in os.listdir(os.path.join(self.root, "partial")) if name.endswith(".part")]
        promised = {encoded(identifier) for identifier in self.promised}
        return [name for name in names if name not in promised]

    def reserve(self, packs, wanted):
        """Makes and promises room for packs, keeping those in ``wanted``. Raises Failure if there is too little."""
        with self.lock:
            needs = {pack.identifier: pack.room for pack in packs if pack.identifier not in self.promised}
            missing = sum(needs.values()) - self.free()
            if missing > 0 and self.make_room(missing, wanted | set(needs)) < missing:
                raise Failure("no_space", f"The device is full: {missing} bytes are missing.")
            self.promised.update(needs)

    def give_back(self, identifier):
        with self.lock:
            self.promised.pop(identifier, None)

    def make_room(self, missing, wanted):
        """Removes packs until ``missing`` bytes are free, and returns the freed bytes; 0 if all would be too few."""
        candidates = [name for name in self.stored if name not in wanted]
        quirk = self.bug("deletes_good_packs")
        if quirk:  # BUG: packs in use may go.
            candidates = list(self.stored)
        partials = [name for name in self._partials() if name not in map(encoded, wanted)]
        free = sum(os.path.getsize(self.partial(name)[0]) for name in partials)
        if not quirk and free + sum(self.stored[name][0] for name in candidates) < missing:
            return 0
        for name in partials:
            for path in self.partial(name):
                if os.path.exists(path):
                    os.remove(path)
        candidates.sort(key=self._worth)
        for name in candidates:
            if free >= missing and not (quirk and quirk.all):
                break
            size = self.remove(name)
            free += size
            self.events.tell("purged", pack=name, bytes=size)
        if free:
            self.events.tell("room", needed=missing, freed=free)
        return free

    def _worth(self, name):
        size, _, tags = self.stored[name]
        return max([self.preserved.get(tag, 0.0) for tag in tags] or [0.0]), self.used.get(name, 0), -size

    def tell_usage(self, in_use):
        stored = self.stored_bytes + self.partial_bytes
        self.peak = max(self.peak, stored)
        self.events.tell("usage", stored=stored, inUse=in_use, peak=self.peak)
