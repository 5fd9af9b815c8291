"""A file from a host, in as many tries as needed."""

import threading
import time
import urllib.parse

import wire
from connect import SLICE, Patience
from failures import Failure, of_status
from policy import Policy


class Way:
    """How to reach hosts."""

    def __init__(self, proxy=None, authorities=None, fields=(), patience=60.0):
        self.proxy = proxy
        self.authorities = authorities
        self.fields = list(fields)
        self.patience = patience


class Hooks:
    """Receives the events of a download. By default all events are ignored."""

    def asked(self, url, start, number): pass
    def answered(self, status, start, length): pass
    def received(self, count): pass
    def progressed(self, size, total): pass
    def retrying(self, seconds, reason): pass
    def hold(self): return False
    def room(self, size): pass


class Download:
    """One download, which may be run again after it gave its connection up."""

    def __init__(self, url, way, bug, draw, hooks, size=None, needs_check=False):
        """``size`` is the file's size if known; ``needs_check`` says that a digest proves the whole file."""
        self.url = url
        self.way = way
        self.bug = bug
        self.hooks = hooks
        self.size = size
        self.is_checked = needs_check
        self.policy = Policy(way.patience, bug, draw)
        self.number = self.refused = 0
        # The time of the last sign of life.
        self.last = time.monotonic()

    def run(self, part, accept=lambda part: None):
        """Downloads into a part, and ends when ``accept`` has taken it. Raises the reason otherwise."""
        while True:
            before, gained = part.size, 0
            try:
                try:
                    self.attempt(part)
                finally:
                    gained = part.size - before
                    self.policy.note(gained, self.last)
                accept(part)
                return
            except Failure as failure:
                if failure.kind == "wrong_content":
                    part.clear()
                seconds = self.policy.pause(failure)
                if seconds is None:
                    raise self.policy.told(failure) from failure
                if failure.kind == "wrong_content":
                    self.policy.last_gain = time.monotonic()
                self.hooks.retrying(seconds, failure.message)
                self.sleep(seconds)

    def sleep(self, seconds):
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.hooks.hold()
            time.sleep(min(left, SLICE))

    def attempt(self, part):
        """Requests the missing bytes."""
        counts = []
        twin = threading.Thread(target=self.download_again, args=(counts,), daemon=True)
        if not part.size and self.bug("downloads_twice"):  # BUG: as if another request wanted it.
            twin.start()
        self.attempt_once(part)
        if twin.ident:
            twin.join()
            self.hooks.received(sum(counts))
        while self.bug("floods_connections") and part.size < (part.total or 0):  # BUG: block by block.
            self.attempt_once(part)

    def download_again(self, counts):
        try:
            answer = wire.ask(self.url, self.way, Patience(self.way.patience, self.bug), self.way.fields)
            for piece in answer.pieces():
                counts.append(len(piece))
            answer.close()
        except Failure:
            pass

    def attempt_once(self, part):
        """Sends one request, follows redirects, and takes the body."""
        if self.bug("no_resume"):  # BUG: always from the first byte.
            part.clear()
        if part.size and self.bug("leaves_files_behind"):  # BUG: another file for every try.
            part.set_aside()
        if part.size and not part.validator and not self.is_checked:
            part.clear()
        start = part.size
        if start and (quirk := self.bug("resumes_wrong_offset")):  # BUG: not where it ended.
            start = max(0, start + quirk.shift)
        self.number += 1
        patience = Patience(self.way.patience, self.bug, self.hooks.hold)
        answer = self.ask(part, start, patience)
        try:
            self.policy.answered = True
            if self.fits(answer, part, start):
                self.take(answer, part)
        finally:
            self.last = patience.last
            answer.close()

    def ask(self, part, start, patience):
        """Returns the response after all redirects."""
        url = self.url
        fields = [f"Range: bytes={start}-"] if start else []
        if quirk := self.bug("floods_connections"):
            fields = [f"Range: bytes={start}-{start + quirk.block - 1}"]
        if start and part.validator and not self.bug("keeps_stale_bytes"):  # BUG: of any edition.
            fields.append(f"If-Range: {part.validator}")
        own = self.way.fields
        redirects = 0
        while redirects < 11 or self.bug("follows_redirects_forever"):  # BUG: without a limit.
            redirects += 1
            self.hooks.asked(url, start, self.number)
            answer = wire.ask(url, self.way, patience, [*own, *fields])
            self.hooks.answered(answer.status, answer.range[0] or 0, answer.length)
            if answer.status not in wire.REDIRECTS or self.bug("ignores_redirect"):  # BUG: like any response.
                return answer
            answer.close()
            target = urllib.parse.urljoin(url, answer.fields.get("location", ""))
            if url.startswith("https:") and target.startswith("http:"):
                if not self.bug("downgrades_to_http"):  # BUG: anybody on the way can listen.
                    raise Failure("insecure", "The host leads from https to http.")
            if wire.origin(target) != wire.origin(url) and not self.bug("leaks_credentials"):  # BUG: to any host.
                own = []
            if self.bug("drops_range_on_redirect"):  # BUG: as if it had no part.
                fields = []
            url = target
        raise Failure("redirects", "The host leads on and on.")

    def fits(self, answer, part, start):
        """Whether the body belongs in the part, which is made ready for it. Raises what is wrong with the response."""
        failure = of_status(answer.status, answer.retry_after)
        if failure:
            raise failure
        if answer.status == 416 and self.bug("takes_416_for_success"):
            return False  # BUG: takes the file for complete.
        total = answer.length
        if answer.status == 206:
            first, total = answer.range
            kind = answer.fields.get("content-type", "")
            if kind.startswith("multipart/") and self.bug("takes_multipart_for_part"):
                first = start  # BUG: a body like any other.
            if first is None or first != start or start == 0 and not self.bug("floods_connections"):
                raise Failure("bad_answer", f"The host sent bytes from {first} on, and {start} was asked for.")
            changed = part.validator and answer.validator and part.validator != answer.validator
            if changed and not self.bug("keeps_stale_bytes"):
                part.clear()
                raise Failure("lost", "The host's file has changed.")
        elif answer.status == 200 or self.takes_redirect(answer):
            if start and self.bug("takes_200_for_206"):  # BUG: all of it after the part.
                total += start
            elif part.size:
                part.clear()
        else:
            part.clear()
            # A file that is always shorter than announced would never end.
            self.refused += answer.status == 416
            isChanged = answer.status == 416 and self.refused <= 2
            raise Failure("lost" if isChanged else "bad_answer", f"The host answered {answer.status}.")
        coding = answer.fields.get("content-encoding", "identity")
        if coding != "identity" and not self.bug("keeps_encoded_bytes"):  # BUG: a body like any other.
            raise Failure("bad_answer", f"The host sent the file encoded by {coding}.")
        if answer.length is None and self.bug("needs_content_length"):  # BUG: requires a length.
            raise Failure("bad_answer", "The host does not say how much comes.")
        self.check_kind(answer, total)
        if total is not None:
            self.hooks.room(total)
        part.begin(answer.validator, total)
        return True

    def takes_redirect(self, answer):
        quirk = self.bug("ignores_redirect")
        return quirk and quirk.takes and answer.status in wire.REDIRECTS  # BUG: takes its body for the file.

    def check_kind(self, answer, total):
        """Raises Failure if the response cannot be the file."""
        if self.bug.is_credulous:  # BUG: any 200 is the file.
            return
        kind = answer.fields.get("content-type", "")
        if kind.startswith("text/html") and not self.url.endswith((".html", ".htm")):
            raise Failure("wrong_content", "The host sent a page in place of the file.")
        if self.size is not None and total is not None and total != self.size and not self.bug("takes_200_for_206"):
            raise Failure("bad_answer", f"The host offers {total} bytes as a file of {self.size}.")

    def take(self, answer, part):
        """Appends the body to the part."""
        count = 0
        try:
            for piece in answer.pieces():
                part.append(piece)
                count += len(piece)
                self.hooks.progressed(part.size, part.total or self.size)
        except Failure as failure:
            if failure.kind in ("short", "lost") and self.bug("ignores_short_body"):
                return  # BUG: the end of the connection is the end of the file.
            raise
        finally:
            self.hooks.received(count)
