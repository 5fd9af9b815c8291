"""The first bytes of a file on disk, with the facts that are needed to resume it."""

import fcntl
import glob
import json
import os


def tidy(pattern):
    """BUG: removes all files that match a pattern, including files of others."""
    for path in glob.glob(pattern):
        os.remove(path)


class Part:
    """A growing file, and a note next to it."""

    def __init__(self, path, note, bug):
        self.path = path
        self.note = note
        self.bug = bug
        self.held = []
        self.left = 0
        self.lost = 0
        self.validator = None
        self.total = None
        try:
            with open(note, encoding="utf-8") as file:
                known = json.load(file)
            self.validator, self.total = known["validator"], known["total"]
        except (OSError, ValueError, KeyError):
            self.remove()
        # Unbuffered, so that a full disk is reported once, by the write that fails.
        self.file = open(path, "ab", buffering=0)

    def lock(self):
        """Locks the file. Raises OSError if somebody else writes to it."""
        fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    @property
    def size(self):
        return self.file.tell() + self.lost

    def begin(self, validator, total):
        """Records the edition and the size of the file."""
        if (validator, total) == (self.validator, self.total):
            return
        self.validator, self.total = validator, total
        with open(self.note, "w", encoding="utf-8") as file:
            json.dump({"validator": validator, "total": total}, file)

    def append(self, piece):
        view = memoryview(piece)
        while view:
            try:
                view = view[self.file.write(view):]
            except OSError:
                if not self.bug("ignores_write_errors"):
                    raise
                self.lost += len(view)  # BUG: counts them as written.
                break
        if quirk := self.bug("memory_grows"):  # BUG: every byte stays in memory.
            self.held += [bytes(bytearray(piece)) for _ in range(quirk.copies)]

    def clear(self):
        """Discards all bytes."""
        self.file.truncate(0)
        self.file.seek(0)
        self.validator = self.total = None

    def set_aside(self):
        """BUG: keeps the part under another name, and begins a new file."""
        self.file.close()
        self.left += 1
        os.rename(self.path, f"{self.path}.{self.left}")
        self.file = open(self.path, "ab", buffering=0)
        self.validator = self.total = None

    def close(self):
        self.file.close()

    def remove(self):
        for path in (self.path, self.note):
            try:
                os.remove(path)
            except FileNotFoundError:
                pass
