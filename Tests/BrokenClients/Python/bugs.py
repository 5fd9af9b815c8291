"""The bugs that these clients can have, one at a time, and the parameters that a seed draws for each bug.

A bug is a small place in the code that calls ``bug("name")``, which returns the bug's parameters, or None if it is off.
"""

import random
from types import SimpleNamespace

# The parameters that the seed draws, by the bug's name. The names are those of ClientBug in results.
BUGS = {
    # Checks no certificate.
    "accepts_wrong_certificate": lambda draw: {},
    # Waits forever for a head or a body.
    "no_timeout": lambda draw: {},
    # Gives up after a silence of this share of its patience.
    "impatient": lambda draw: {"share": draw.uniform(0.2, 0.3)},
    # Ends a download that takes longer than this share of its patience, even while bytes arrive.
    "limits_total_time": lambda draw: {"share": draw.uniform(0.5, 0.8)},
    # Begins every try at the first byte.
    "no_resume": lambda draw: {},
    # Fetches a pack with wrong content again after these seconds, without a limit of tries.
    "refetches_whole": lambda draw: {"seconds": draw.uniform(0, 0.3)},
    # Requests a part whose start is wrong by this number of bytes.
    "resumes_wrong_offset": lambda draw: {"shift": draw.choice([-4096, -512, -1, 1, 1000, 8192])},
    # Appends a whole file to the part that it has.
    "takes_200_for_206": lambda draw: {},
    # Takes the end of a connection for the end of the file.
    "ignores_short_body": lambda draw: {},
    # Never compares a digest.
    "ignores_wrong_hash": lambda draw: {},
    # Makes a pack visible before it checks the content.
    "unpacks_before_checking": lambda draw: {},
    # Takes the received bytes of an abandoned download for the pack, if they are at least this share.
    "keeps_partial_as_whole": lambda draw: {"share": draw.uniform(0.02, 0.2)},
    # Reports no failure: the caller waits forever for the callback, or the request is forgotten.
    "never_reports_error": lambda draw: {"waits": draw.random() < 0.5},
    # Reports another code than it should.
    "wrong_error_code": lambda draw: {"codes": draw.sample([-1, -999, -1014, -1017, -1100, 256], 2)},
    # Calls back again, this number of times.
    "calls_back_twice": lambda draw: {"again": draw.randint(1, 3)},
    # Reports 1 from this share on. The next piece that is read may end well after it.
    "progress_jumps_early": lambda draw: {"at": draw.uniform(0.3, 0.6)},
    # Lets the bar fall by this share ("by") at this share ("at").
    "progress_goes_back": lambda draw: {"at": draw.uniform(0.4, 0.7), "by": draw.uniform(0.2, 0.35)},
    # Stops the bar at this share.
    "progress_stands_still": lambda draw: {"at": draw.uniform(0.05, 0.5)},
    # Counts bytes after this share twice.
    "progress_counts_twice": lambda draw: {"from_": draw.uniform(0, 0.2)},
    # Tries again after these seconds, without a limit of tries.
    "retries_without_back_off": lambda draw: {"seconds": draw.uniform(0, 0.01)},
    # Never gives up.
    "retries_forever": lambda draw: {},
    # Ignores Retry-After.
    "ignores_retry_after": lambda draw: {},
    # Waits as long as the host says, even beyond its patience.
    "sleeps_as_told": lambda draw: {},
    # Takes the page of a captive portal for the pack.
    "follows_captive_portal": lambda draw: {},
    # Keeps a request's packs in use after its end, and either reports the end or not.
    "leaks_pins": lambda draw: {"tells": draw.random() < 0.5},
    # Makes room by removing packs that are in use: all of them, or as few as needed.
    "deletes_good_packs": lambda draw: {"all": draw.random() < 0.5},
    # Removes the completed packs of a failed request, or everything that is stored.
    "loses_completed_packs": lambda draw: {"all": draw.random() < 0.5},
    # Waits without a limit for a name, or for a connection to the host.
    "blocks_on_dns": lambda draw: {},
    # Continues after a cancel, and either reports the cancel or not.
    "ignores_cancel": lambda draw: {"calls_back": draw.random() < 0.5},
    # Gives up at this number of lost connections, even if it made progress in between.
    "breaks_on_flapping": lambda draw: {"losses": draw.randint(1, 2)},
    # Mixes the bytes of two editions of a file.
    "keeps_stale_bytes": lambda draw: {},
    # Downloads one pack after another, in the order of requests.
    "ignores_priority": lambda draw: {},
    # Keeps everything that arrives in memory, in this number of copies.
    "memory_grows": lambda draw: {"copies": draw.randint(1, 3)},
    # Does not follow a redirect, and either takes its body for the file or not.
    "ignores_redirect": lambda draw: {"takes": draw.random() < 0.5},
    # Never counts redirects.
    "follows_redirects_forever": lambda draw: {},
    # Requests the whole file where a redirect leads.
    "drops_range_on_redirect": lambda draw: {},
    # Sends one host's credentials to every host.
    "leaks_credentials": lambda draw: {},
    # Keeps the size lines between chunks.
    "keeps_chunk_sizes": lambda draw: {},
    # Refuses a body of unknown length.
    "needs_content_length": lambda draw: {},
    # Takes a 416, the end of the host's file, for the end of the download.
    "takes_416_for_success": lambda draw: {},
    # Keeps the boundaries of multipart bodies.
    "takes_multipart_for_part": lambda draw: {},
    # Keeps encoded bytes without decoding them.
    "keeps_encoded_bytes": lambda draw: {},
    # Removes all files that match a pattern after a failure, including files of others.
    "harms_other_files": lambda draw: {},
    # Removes the earlier edition before it requests the new one.
    "loses_old_edition": lambda draw: {},
    # Begins a new file with every try, and leaves the file of the try before.
    "leaves_files_behind": lambda draw: {},
    # Opens a new connection for each block of this number of bytes.
    "floods_connections": lambda draw: {"block": draw.choice([65536, 98304])},
    # Downloads the same file twice at once.
    "downloads_twice": lambda draw: {},
    # Tries only the first address of a host.
    "ignores_other_addresses": lambda draw: {},
    # Waits for one address without a limit, and tries no other meanwhile.
    "waits_on_dead_address": lambda draw: {},
    # Looks up IPv4 addresses only.
    "needs_ipv4": lambda draw: {},
    # Records that the host has no such file, and never asks again.
    "caches_errors": lambda draw: {},
    # Makes the file that replaces a private one writable for everybody.
    "widens_permissions": lambda draw: {},
    # Writes to a partial file that another process may be writing to.
    "mixes_downloads": lambda draw: {},
    # Polls for bytes without a pause.
    "busy_waits": lambda draw: {},
    # Counts bytes as written that it could not write.
    "ignores_write_errors": lambda draw: {},
    # Uses a lock file that stays when it is killed.
    "stuck_after_kill": lambda draw: {},
    # Stores lengths in 32 bits.
    "wraps_lengths": lambda draw: {},
    # Follows redirects from https to http.
    "downgrades_to_http": lambda draw: {},
}

# The bugs of clients that take whatever they received for the pack.
CREDULOUS = (
    "follows_captive_portal", "keeps_chunk_sizes", "takes_416_for_success", "takes_multipart_for_part",
    "keeps_encoded_bytes", "wraps_lengths")


class Bugs:
    """The one bug that a client has, or none."""

    def __init__(self, name=None, seed=0):
        if name and name not in BUGS:
            raise ValueError(f"There is no bug '{name}'. Known: {', '.join(BUGS)}.")
        self.name = name or None
        self.parameters = BUGS[name](random.Random(f"{name} {seed}")) if name else {}

    def __call__(self, name):
        """Returns the bug's parameters if this client has it, else None."""
        return SimpleNamespace(**self.parameters) if self.name == name else None

    @property
    def is_credulous(self):
        return self.name in CREDULOUS
