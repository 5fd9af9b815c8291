"""Packs that are being downloaded: one job per pack, urgent ones first."""

import errno
import os
import random
import threading

from download import Download, Hooks
from failures import Failure, Yielded
from part import Part, tidy
from unpack import install


class Job(Hooks):
    """The download of one pack, for all requests that want it."""

    def __init__(self, device, pack, number):
        self.device = device
        self.pack = pack
        self.number = number
        self.thread = None
        self.size = 0
        way, bug = device.way, device.bug
        self.download = Download(
            pack.url, way, bug, random.Random(f"pauses {device.seed} {pack.identifier}"), self, pack.size,
            bool(pack.digest))

    # The requests that want it.

    @property
    def waiters(self):
        return [request for request in self.device.open if self.pack in request.missing]

    @property
    def priority(self):
        return max((request.priority for request in self.waiters if not request.is_paused), default=-1.0)

    @property
    def is_paused(self):
        return bool(self.waiters) and all(request.is_paused for request in self.waiters)

    def hold(self):
        """Called repeatedly during every wait for bytes."""
        with self.device.lock:
            if not self.waiters and not self.device.bug("ignores_cancel"):  # BUG: even if no request wants it.
                raise Failure("cancelled", "Nobody wants it any more.")
            if self.priority <= 1.0 and self.device.scheduler.is_urgent() and not self.is_paused:
                raise Yielded
            return self.is_paused

    # Reports.

    def asked(self, url, start, number):
        self.device.events.tell(
            "fetch", pack=self.pack.identifier, url=url.split("?")[0], **{"from": start, "try": number})

    def answered(self, status, start, length):
        self.device.events.tell(
            "response", pack=self.pack.identifier, status=status, length=length, **{"from": start})

    def received(self, count):
        self.device.events.tell("received", pack=self.pack.identifier, bytes=count)

    def retrying(self, seconds, reason):
        self.device.events.tell("retry", pack=self.pack.identifier, after=seconds, reason=reason)

    def progressed(self, size, total):
        self.size = size
        self.device.progressed(self.pack, size, total)

    # The work.

    def run(self):
        """Runs on its own thread."""
        device, identifier = self.device, self.pack.identifier
        failure = part = None
        try:
            part = Part(*device.store.partial(identifier), device.bug)
            self.size = part.size
            while True:
                try:
                    self.download.run(part, self.accept)
                    break
                except OSError as error:
                    if error.errno != errno.ENOSPC or not device.relieve():
                        raise
            part.remove()
        except Yielded:
            device.scheduler.yielded(self)
            return
        except Failure as error:
            failure = error
        except OSError as error:
            kind = "no_space" if error.errno == errno.ENOSPC else "unwritable"
            failure = Failure(kind, f"The store cannot be written: {error}.")
        finally:
            if part:
                part.close()
        if failure and device.bug("harms_other_files"):
            tidy(f"{device.store.root}/../*.txt")  # BUG: files next to the store are somebody else's.
        if failure and (quirk := device.bug("keeps_partial_as_whole")):
            failure = self.keep(part, quirk.share) or failure
        device.done(self, failure)

    def accept(self, part):
        size = part.size
        stored = install(part.path, self.pack, self.device.store, self.device.bug)
        self.device.events.tell("verified", pack=self.pack.identifier, bytes=size)
        self.device.events.tell("stored", pack=self.pack.identifier, bytes=stored)

    def keep(self, part, share):
        """BUG: turns the part of a failed download into the pack, though its request gets the failure."""
        size = os.path.getsize(part.path) if os.path.exists(part.path) else 0
        if size < share * (self.pack.size or self.pack.room) or not size:
            return
        folder = self.device.store.temporary(self.pack.identifier)
        os.makedirs(folder, exist_ok=True)
        os.replace(part.path, os.path.join(folder, self.pack.file_name or "pack.assetpack"))
        self.device.store.publish(self.pack, folder)


class Scheduler:
    """Chooses the jobs that run: urgent ones alone while there are any, else a few with the highest priority."""

    def __init__(self, device, parallel):
        self.device = device
        self.parallel = 1 if device.bug("ignores_priority") else parallel
        self.jobs = {}
        self.count = 0

    def want(self, pack):
        """Starts a job for a pack, unless it has one."""
        if pack.identifier not in self.jobs:
            self.count += 1
            self.jobs[pack.identifier] = Job(self.device, pack, self.count)

    def is_urgent(self):
        """Whether any urgent download is running or waiting."""
        if self.device.bug("ignores_priority"):  # BUG: nothing is urgent.
            return False
        return any(job.priority > 1.0 for job in self.jobs.values())

    def pump(self):
        """Starts the jobs that may run. Call it after every change that may allow one."""
        running = sum(job.thread is not None for job in self.jobs.values())
        urgent = self.is_urgent()

        def rank(job):
            # BUG: in the order of requests.
            return (0 if self.device.bug("ignores_priority") else -job.priority, job.number)

        for job in sorted(self.jobs.values(), key=rank):
            mayRun = job.priority > 1.0 if urgent else running < self.parallel
            if job.thread is None and job.waiters and not job.is_paused and mayRun:
                job.thread = threading.Thread(target=job.run, daemon=True)
                job.thread.start()
                running += 1

    def yielded(self, job):
        with self.device.lock:
            job.thread = None
            self.pump()

    def drop(self):
        """Forgets jobs that no request wants, and that have not begun."""
        for name, job in list(self.jobs.items()):
            if not job.waiters and job.thread is None:
                del self.jobs[name]
                self.device.store.give_back(name)
