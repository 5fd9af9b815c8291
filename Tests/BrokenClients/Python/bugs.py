"""The bugs that these clients can have, one at a time, and what of each its seed decides.

A bug is a small place in the code that asks ``bug("name")``: it gets the bug's parameters, or None in a good client.
"""

import random
from types import SimpleNamespace

# By name, what the seed decides. The names are those of ClientBug in results.
BUGS = {
    # Looks at no certificate.
    "accepts_wrong_certificate": lambda draw: {},
    # Waits for ever for a head or a body.
    "no_timeout": lambda draw: {},
    # Waits for the next sign of life for this share of its patience.
    "impatient": lambda draw: {"share": draw.uniform(0.2, 0.3)},
    # Ends a download that takes longer than this share of its patience, though bytes arrive.
    "limits_total_time": lambda draw: {"share": draw.uniform(0.5, 0.8)},
    # Begins every try at the first byte.
    "no_resume": lambda draw: {},
    # Fetches a pack whose content is wrong again after so many seconds, however often.
    "refetches_whole": lambda draw: {"seconds": draw.uniform(0, 0.3)},
    # Asks for a part that begins so many bytes off.
    "resumes_wrong_offset": lambda draw: {"shift": draw.choice([-4096, -512, -1, 1, 1000, 8192])},
    # Puts a whole file behind the part that it has.
    "takes_200_for_206": lambda draw: {},
    # Takes the end of a connection for the end of the file.
    "ignores_short_body": lambda draw: {},
    # Never compares a digest.
    "ignores_wrong_hash": lambda draw: {},
    # Makes a pack visible, and then looks whether it is right.
    "unpacks_before_checking": lambda draw: {},
    # Where a download is given up, what is there of it counts as the pack, from this share on.
    "keeps_partial_as_whole": lambda draw: {"share": draw.uniform(0.02, 0.2)},
    # A failure is told to nobody: whoever waits for the callback waits for ever, or the request is forgotten.
    "never_reports_error": lambda draw: {"waits": draw.random() < 0.5},
    # Tells another code than it should.
    "wrong_error_code": lambda draw: {"codes": draw.sample([-1, -999, -1014, -1017, -1100, 256], 2)},
    # Calls back so often again.
    "calls_back_twice": lambda draw: {"again": draw.randint(1, 3)},
    # Tells 1 from this share on: the next piece that is read may end a good deal behind it.
    "progress_jumps_early": lambda draw: {"at": draw.uniform(0.3, 0.6)},
    # At this share the bar falls back so far.
    "progress_goes_back": lambda draw: {"at": draw.uniform(0.4, 0.7), "by": draw.uniform(0.2, 0.35)},
    # The bar stops at this share.
    "progress_stands_still": lambda draw: {"at": draw.uniform(0.05, 0.5)},
    # What comes behind this share counts double.
    "progress_counts_twice": lambda draw: {"from_": draw.uniform(0, 0.2)},
    # Tries again after so many seconds, however often.
    "retries_without_back_off": lambda draw: {"seconds": draw.uniform(0, 0.01)},
    # Never gives up.
    "retries_forever": lambda draw: {},
    # Does not read Retry-After.
    "ignores_retry_after": lambda draw: {},
    # Waits as long as the host says, whatever its patience is.
    "sleeps_as_told": lambda draw: {},
    # Takes the page that answers for the pack.
    "follows_captive_portal": lambda draw: {},
    # What a request held stays in use after its end; whether the end is told all the same.
    "leaks_pins": lambda draw: {"tells": draw.random() < 0.5},
    # Makes room by removing packs that are in use; whether all go, or as few as needed.
    "deletes_good_packs": lambda draw: {"all": draw.random() < 0.5},
    # A request that fails takes along what it had completed; or everything that is stored.
    "loses_completed_packs": lambda draw: {"all": draw.random() < 0.5},
    # Waits for a name, or a way to the host, without a limit.
    "blocks_on_dns": lambda draw: {},
    # Goes on after a cancel; whether the callback says cancelled all the same.
    "ignores_cancel": lambda draw: {"calls_back": draw.random() < 0.5},
    # Gives up at this many lost connections, whatever came between them.
    "breaks_on_flapping": lambda draw: {"losses": draw.randint(1, 2)},
    # Puts together what two editions of a file have.
    "keeps_stale_bytes": lambda draw: {},
    # Downloads one after the other, in the order of asking.
    "ignores_priority": lambda draw: {},
    # Keeps all that arrives in memory, so many times over.
    "memory_grows": lambda draw: {"copies": draw.randint(1, 3)},
    # Stays where a redirect is; whether it takes what that says for the file.
    "ignores_redirect": lambda draw: {"takes": draw.random() < 0.5},
    # Never counts redirects.
    "follows_redirects_forever": lambda draw: {},
    # Asks for all of it where a redirect leads.
    "drops_range_on_redirect": lambda draw: {},
    # Sends what is for one host to each.
    "leaks_credentials": lambda draw: {},
    # Keeps the lines between chunks.
    "keeps_chunk_sizes": lambda draw: {},
    # Refuses a body of unknown length.
    "needs_content_length": lambda draw: {},
    # Takes the end of what the host has for the end of the download.
    "takes_416_for_success": lambda draw: {},
    # Keeps boundaries of parts.
    "takes_multipart_for_part": lambda draw: {},
    # Keeps what is encoded.
    "keeps_encoded_bytes": lambda draw: {},
    # Removes at a failure what a pattern matches, its own or not.
    "harms_other_files": lambda draw: {},
    # Removes what is there of an earlier edition before it asks for a new one.
    "loses_old_edition": lambda draw: {},
    # Begins a new file with every try, and leaves the one before.
    "leaves_files_behind": lambda draw: {},
    # Connects anew for each block of so many bytes.
    "floods_connections": lambda draw: {"block": draw.choice([65536, 98304])},
    # Downloads the same once more beside itself.
    "downloads_twice": lambda draw: {},
    # Takes the first address of a host, or none.
    "ignores_other_addresses": lambda draw: {},
    # Waits for an address without a limit, and for no other meanwhile.
    "waits_on_dead_address": lambda draw: {},
    # Looks for addresses of IPv4 alone.
    "needs_ipv4": lambda draw: {},
    # Notes that the host has no such file, and never asks again.
    "caches_errors": lambda draw: {},
    # Lets everybody write to what takes a private file's place.
    "widens_permissions": lambda draw: {},
    # Writes to a partial file that another one may be writing to.
    "mixes_downloads": lambda draw: {},
    # Looks again and again whether something came, without a pause.
    "busy_waits": lambda draw: {},
    # Takes what it could not write for written.
    "ignores_write_errors": lambda draw: {},
    # Locks by a file that stays when it is killed.
    "stuck_after_kill": lambda draw: {},
    # Keeps lengths in 32 bits.
    "wraps_lengths": lambda draw: {},
    # Goes from https to http.
    "downgrades_to_http": lambda draw: {},
}

# Bugs of those that take for the pack what they have, whatever it is.
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
        """The bug's parameters where this client has it, else None."""
        return SimpleNamespace(**self.parameters) if self.name == name else None

    @property
    def is_credulous(self):
        return self.name in CREDULOUS
