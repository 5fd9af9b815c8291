"""Event lines, as in docs/reference/events.md, and the progress bar."""

import json
import os
import threading
import time


class Events:
    """Writes one line per event, each with one write. Without a descriptor it writes nothing."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.lock = threading.Lock()
        self.count = 0

    def tell(self, event, **members):
        if self.descriptor is None:
            return
        with self.lock:
            self.count += 1
            line = {"v": 1, "t": time.monotonic_ns(), "event": event}
            line.update({key: value for key, value in members.items() if value is not None})
            line["n"] = self.count
            os.write(self.descriptor, (json.dumps(line) + "\n").encode())


class Bar:
    """The progress of one request: at most twenty reports a second, never falling, and 1 at the end."""

    def __init__(self, id, events, bug):
        self.id = id
        self.events = events
        self.bug = bug
        self.told = 0.0
        self.last = 0.0
        self.share = 0.0
        self.peak = None

    def progress(self, completed, total):
        """Records that ``completed`` of ``total`` bytes were received."""
        self.share = max(self.share, min(completed / total, 0.999) if total else 0.0)
        now = time.monotonic()
        if now - self.last >= 0.05:
            self.last = now
            self._tell(self._drawn(self.share), completed, total)

    def finish(self, total):
        """Reports the end of the download."""
        self._tell(1.0, total, total)

    def _drawn(self, share):
        drawn = share
        if (quirk := self.bug("progress_jumps_early")) and share >= quirk.at:
            return 1.0  # BUG: as if it were complete.
        if (quirk := self.bug("progress_goes_back")) and share >= quirk.at:
            if self.peak is None:
                self.peak = share
                return share
            return min(share - quirk.by, self.peak - 0.1)  # BUG: less than before.
        if quirk := self.bug("progress_stands_still"):
            drawn = min(share, quirk.at)  # BUG: no further.
        if quirk := self.bug("progress_counts_twice"):
            drawn = min(1.0, share + max(0.0, share - quirk.from_))  # BUG: two counters add the same bytes.
        self.told = max(self.told, drawn)
        return self.told

    def _tell(self, fraction, completed, total):
        self.events.tell(
            "progress", id=self.id, fraction=round(fraction, 6), completed=completed, total=total or 0)
