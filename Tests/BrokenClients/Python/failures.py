"""The failures, with Apple's domains and codes, and whether to try again."""

URL, COCOA = "NSURLErrorDomain", "NSCocoaErrorDomain"

# By kind: domain, code, class, and when to try again.
# "link": only if the host has responded before; "lost", "short" and "busy": see policy.py;
# "content": once more from the first byte; None: never.
KINDS = {
    "offline": (URL, -1009, "network", "link"),
    "not_allowed": (URL, -1020, "network", None),
    "no_name": (URL, -1003, "network", "link"),
    "refused": (URL, -1004, "network", "link"),
    "timed_out": (URL, -1001, "network", None),
    "lost": (URL, -1005, "network", "lost"),
    "short": (URL, -1005, "network", "short"),
    "denied": (URL, -1013, "network", None),
    "missing": (URL, -1008, "network", None),
    "busy": (URL, -1011, "network", "busy"),
    "bad_answer": (URL, -1011, "network", None),
    "redirects": (URL, -1007, "network", None),
    "insecure": (URL, -1022, "network", None),
    "wrong_content": (URL, -1016, "network", "content"),
    "tls": (URL, -1200, "network", "link"),
    "tls_expired": (URL, -1201, "network", None),
    "tls_untrusted": (URL, -1202, "network", None),
    "tls_unknown_root": (URL, -1203, "network", None),
    "tls_not_yet": (URL, -1204, "network", None),
    "unknown_tag": (COCOA, 4994, "unexpected", None),
    "no_manifest": (COCOA, 4994, "unexpected", None),
    "too_much": (COCOA, 4993, "storage", None),
    "no_space": (COCOA, 4992, "storage", None),
    "unwritable": (COCOA, 512, "storage", None),
    "cancelled": (COCOA, 3072, "unexpected", None),
}


class Failure(Exception):
    """The reason why something was not done."""

    def __init__(self, kind, message, retry_after=None):
        super().__init__(message)
        self.kind = kind
        self.domain, self.code, self.error_class, self.retry = KINDS[kind]
        self.message = message
        self.retry_after = retry_after


class Yielded(Exception):
    """A download releases its connection for something more urgent."""


def of_status(status, retry_after=None):
    """Returns the failure for an HTTP status, or None if it is no failure."""
    if status < 400 or status == 416:
        return None
    kind = "bad_answer"
    if status in (401, 407):
        kind = "denied"
    elif status in (403, 404, 410):
        kind = "missing"
    elif status in (408, 425, 429) or status >= 500:
        kind = "busy"
    return Failure(kind, f"The host answered with status {status}.", retry_after)
