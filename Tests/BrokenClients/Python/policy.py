"""Whether a download is tried again, and when."""

import time

from failures import Failure


class Policy:
    """Decides after each failed try. Pauses begin at a quarter of a second, and double."""

    SHORT_TRIES = 3
    MOST_TRIES = 100

    def __init__(self, patience, bug, draw):
        self.patience = patience
        self.bug = bug
        self.draw = draw
        self.last_gain = time.monotonic()
        self.answered = False
        self.in_row = self.short_in_row = self.losses = self.tries = 0
        self.second_content = False

    def note(self, gained, last):
        """Records the bytes of a try that ends now, and the time of the last one."""
        self.tries += 1
        if gained > 0:
            self.last_gain = last
            self.in_row = self.short_in_row = 0

    def pause(self, failure):
        """Returns the seconds until the next try, or None if there is none."""
        if failure.retry is None or failure.retry == "link" and not self.answered:
            return None
        if failure.retry == "content" and (quirk := self.bug("refetches_whole")):  # BUG: no limit.
            return quirk.seconds
        if failure.retry == "content":
            again, self.second_content = not self.second_content, True
            return 0.0 if again else None
        if failure.retry in ("lost", "link"):
            self.losses += 1
            quirk = self.bug("breaks_on_flapping")
            if quirk and self.losses >= quirk.losses:  # BUG: counts losses after which it made progress.
                return None
        if failure.retry == "short":
            self.short_in_row += 1
            if self.short_in_row >= self.SHORT_TRIES:
                return None
        seconds = self.wait(failure)
        if failure.retry_after is not None and self.bug("sleeps_as_told"):  # BUG: even for a day.
            return seconds
        if self.bug("retries_forever"):  # BUG: no limit.
            return min(seconds, 0.2)
        isLate = time.monotonic() + seconds - self.last_gain > self.patience
        return None if isLate or self.tries >= self.MOST_TRIES else seconds

    def told(self, failure):
        """Returns the failure for the caller: "lost" for a failure to connect, if the host has responded before."""
        return Failure("lost", failure.message) if failure.retry == "link" and self.answered else failure

    def wait(self, failure):
        if failure.retry_after is not None and not self.bug("ignores_retry_after"):  # BUG: its own pause.
            # A date in the past does not say how long to wait.
            return max(failure.retry_after, self.own_pause(failure))
        if quirk := self.bug("retries_without_back_off"):  # BUG: at once, and never later.
            return quirk.seconds
        return self.own_pause(failure)

    def own_pause(self, failure):
        longest = 8.0 if failure.retry == "busy" else 2.0
        seconds = min(longest, 0.25 * 2 ** min(self.in_row, 6)) * self.draw.uniform(1, 1.2)
        self.in_row += 1
        return seconds
