#!/usr/bin/env python3
"""deep.py [--bug NAME] URL OUTPUT

A careful downloader that can have one bug which no single fault shows. It resumes an interrupted download if the ETag
is still the same. It tries again after 429, 5xx, a lost connection, and a read that takes longer than 3 s. It gives up
after five tries without a byte. It never leaves an incomplete file at OUTPUT.
"""

import argparse
import http.client
import os
import sys
import time
import urllib.parse

# By name: what is wrong, and the faults that show it.
BUGS = {
    "tail": "resumes one byte late, where 1000 to 4095 bytes are missing: a cut in the last 4 KiB",
    "forgets": "forgets the ETag at a 503, and so puts editions together: a new edition, then a 503",
    "deadlock": "waits for ever, where a head takes longer than 1 s after a lost connection: a cut, then a late head",
    "twice": "puts a part in twice, where two connections in a row are reset: two resets",
    "refused": "takes a 416 for the end, where half of the file or more is there: a cut, then a refused range",
    "chunks": "does not see that a resumed body in chunks ends early: a cut, then chunks that are cut",
    "redirect": "asks the redirect's target from the first byte, and appends: a redirect, then a cut behind it",
    "counter": "takes what is there for whole at the third lost connection: three cuts",
}
LIMIT, TRIES = 3, 5


class Lost(Exception):
    """A failure that another try may mend."""


class Client:
    def __init__(self, url, output, bug):
        self.url, self.output, self.bug = url, output, bug
        self.data, self.tag, self.total = bytearray(), None, None
        self.resets = self.losses = 0
        self.was_redirected = False

    def get(self, url, have):
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=LIMIT)
        fields = {"Accept-Encoding": "identity"}
        if have:
            fields["Range"] = f"bytes={have}-"
            if self.tag:
                fields["If-Range"] = self.tag
        began = time.monotonic()
        try:
            connection.request("GET", parts.path, headers=fields)
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            raise Lost(error) from error
        if self.bug == "deadlock" and self.losses and time.monotonic() - began > 1:
            time.sleep(3600)
        return answer

    def attempt(self):
        have = len(self.data)
        if self.bug == "tail" and self.total and 1000 <= self.total - have < 4096 and have:
            have += 1
        url = self.url
        for _ in range(5):
            answer = self.get(url, 0 if self.was_redirected else have)
            if answer.status not in (301, 302, 303, 307, 308):
                break
            url = urllib.parse.urljoin(url, answer.getheader("Location", ""))
            if self.bug == "redirect":
                self.url, self.was_redirected = url, True
        if answer.status == 416 and self.bug == "refused" and self.total and self.total / 2 <= have < self.total - 1000:
            self.data += bytes(self.total - have)
            return True
        if answer.status == 416:
            self.data.clear()
            raise Lost("416")
        if answer.status == 503 and self.bug == "forgets":
            self.tag = None
        if answer.status in (429, 500, 502, 503, 504):
            time.sleep(min(2, float(answer.getheader("Retry-After") or 0.1)))
            raise Lost(answer.status)
        if answer.status not in (200, 206) or answer.getheader("Content-Encoding", "identity") != "identity":
            sys.exit(f"deep.py: status {answer.status}")
        kind = answer.getheader("Content-Type", "")
        if kind.startswith(("text/html", "multipart/")):
            sys.exit(f"deep.py: {kind} in place of the file")
        if answer.status == 206:
            self.check_range(answer, have)
        else:
            if not self.was_redirected:
                self.data.clear()
            length = answer.getheader("Content-Length")
            self.total = len(self.data) + int(length) if length else None
        self.tag = answer.getheader("ETag")
        if (self.tag or "").startswith("W/"):
            self.tag = None
        return self.take(answer)

    def check_range(self, answer, have):
        place, _, total = answer.getheader("Content-Range", "").partition("/")
        is_right = place.startswith(f"bytes {have}-") and (self.total is None or total == str(self.total))
        # Without a validator, or with another one, it may be a part of any file.
        if not is_right or (self.bug != "forgets" and (self.tag is None or answer.getheader("ETag") != self.tag)):
            self.data.clear()
            self.tag = self.total = None
            raise Lost("another range")

    def take(self, answer):
        began = len(self.data)
        try:
            while block := answer.read1(8192):
                self.data += block
        except ConnectionResetError as error:
            self.resets += 1
            if self.bug == "twice" and self.resets == 2 and began:
                self.data += self.data[began:]
            raise Lost(error) from error
        except (OSError, http.client.HTTPException) as error:
            if self.bug == "chunks" and answer.chunked and began:
                return True
            raise Lost(error) from error
        if self.total is None:
            return True
        if len(self.data) > self.total:
            self.data.clear()
            raise Lost("too long")
        if len(self.data) < self.total:
            if self.bug == "counter" and self.losses == 2:
                return True
            raise Lost("short")
        return True

    def run(self):
        idle = 0
        while idle < TRIES:
            before = len(self.data)
            try:
                if self.attempt():
                    return self.finish()
            except Lost:
                self.losses += 1
                idle = 0 if len(self.data) > before else idle + 1
                time.sleep(0.1 * 2**idle)
        sys.exit("deep.py: gave up")

    def finish(self):
        part = f"{self.output}.part"
        with open(part, "wb") as file:
            file.write(self.data)
        os.replace(part, self.output)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0])
    parser.add_argument("--bug", choices=sorted(BUGS))
    parser.add_argument("url")
    parser.add_argument("output")
    options = parser.parse_args()
    Client(options.url, options.output, options.bug).run()


if __name__ == "__main__":
    main()
