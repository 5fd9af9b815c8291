"""Requests and their outcomes."""

import os
import random
import threading

import catalog
from events import Bar
from failures import Failure
from jobs import Scheduler
from store import Store

URGENT = 2.0
LOW_SPACE = "NSBundleResourceRequestLowDiskSpaceNotification"


class Request:
    """One use of tags: begun, called back once, ended."""

    def __init__(self, id, tags, priority, bar):
        self.id = id
        self.tags = sorted(set(tags))
        self.priority = priority
        self.bar = bar
        self.packs = []
        self.missing = set()
        self.sizes = {}
        self.is_paused = False
        self.is_pinning = False
        self.was_told = False
        self.called_back = threading.Event()
        self.failure = None


class Device:
    """The storage, the way to the host, and all requests. All changes are made under ``lock``."""

    def __init__(self, options, way, bug, seed, events):
        self.options = options
        self.way = way
        self.bug = bug
        self.seed = seed
        self.events = events
        self.store = Store(options.store, options.capacity, events, bug)
        self.lock = self.store.lock
        self.scheduler = Scheduler(self, options.parallel)
        self.catalog = None
        self.open = []
        self.pinned = {}
        self.reached = threading.Condition(self.lock)

    # Requests.

    def begin(self, id, tags, priority):
        request = Request(id, tags, priority, Bar(id, self.events, self.bug))
        told = "urgent" if priority == URGENT else priority
        self.events.tell("request", id=id, tags=request.tags, priority=told)
        threading.Thread(target=self._admit, args=(request,), daemon=True).start()
        return request

    def _admit(self, request):
        try:
            self._load_catalog()
            with self.lock:
                if request.called_back.is_set():
                    return
                self._start(request)
        except Failure as failure:
            self.fail(request, failure)

    def _load_catalog(self):
        if self.catalog is None:
            if "://" in self.options.manifest and (failure := self._refusal()):
                raise failure
            draw = random.Random(f"lists {self.seed}")
            self.catalog = catalog.load(self.options, self.way, self.bug, draw, self.events)

    def _start(self, request):
        request.packs = self.catalog.resolve(request.tags)
        self._check_limit(request)
        missing = [pack for pack in request.packs if not self.store.has(pack)]
        if missing and (failure := self._refusal()):
            raise failure
        self.store.reserve(missing, self.wanted | {pack.identifier for pack in request.packs})
        self.pinned[request] = {pack.identifier for pack in request.packs}
        request.missing = set(missing)
        for pack in missing:
            part = self.store.partial(pack.identifier)[0]
            before = os.path.getsize(part) if os.path.exists(part) else 0
            request.sizes[pack.identifier] = (before, pack.size or pack.room)
        self.open.append(request)
        self._move_bar(request)
        for pack in missing:
            self.scheduler.want(pack)
        self.scheduler.pump()
        self._settle(request)

    def _check_limit(self, request):
        if self.options.in_use is None:
            return
        names = self.in_use | {pack.identifier for pack in request.packs}
        total = sum(self.catalog.packs[name].stored_size for name in names)
        if total > self.options.in_use:
            raise Failure("too_much", f"{total} bytes would be in use, over the limit of {self.options.in_use}.")

    @property
    def in_use(self):
        return set().union(*self.pinned.values()) if self.pinned else set()

    wanted = in_use

    def _settle(self, request):
        """Calls a request back if it has all its packs."""
        if request.missing or request.was_told:
            return
        self._forget(request)
        request.is_pinning = True
        self.store.touch(pack.identifier for pack in request.packs)
        self._tell_usage()
        request.bar.finish(sum(total for _, total in request.sizes.values()))
        self._call_back(request, "available")

    def fail(self, request, failure):
        with self.lock:
            if request.was_told:
                return
            self._forget(request)
            self.pinned.pop(request, None)
            self.scheduler.drop()
            if failure.kind == "no_space":
                self.events.tell("notification", name=LOW_SPACE)
            request.failure = failure
            if failure.kind != "cancelled" and (quirk := self.bug("loses_completed_packs")):
                self._lose(request, quirk.all)
            if failure.kind != "cancelled" and (quirk := self.bug("never_reports_error")):
                request.was_told = True
                if not quirk.waits:
                    request.called_back.set()
                return  # BUG: no callback.
            code = failure.code
            if failure.kind != "cancelled" and (quirk := self.bug("wrong_error_code")):
                code = next(other for other in quirk.codes if other != code)  # BUG: another number.
            self._call_back(
                request, "error", domain=failure.domain, code=code, message=failure.message,
                underlying=getattr(failure, "underlying", None), **{"class": failure.error_class})
            self.scheduler.pump()

    def _lose(self, request, everything):
        """BUG: a failed request removes packs that were complete."""
        for name in list(self.store.stored):
            if everything or name in {pack.identifier for pack in request.packs}:
                self.store.remove(name)

    def _forget(self, request):
        if request in self.open:
            self.open.remove(request)

    def _call_back(self, request, event, **members):
        request.was_told = True
        self.events.tell(event, id=request.id, **members)
        if quirk := self.bug("calls_back_twice"):
            for _ in range(quirk.again):  # BUG: once more.
                self.events.tell(event, id=request.id, **members)
        request.called_back.set()
        self.reached.notify_all()

    def end(self, request):
        with self.lock:
            quirk = self.bug("leaks_pins")
            if not quirk:
                self.pinned.pop(request, None)
            if not quirk or quirk.tells:  # BUG: its packs stay pinned, with or without an event.
                self.events.tell("ended", id=request.id)
            self._tell_usage()

    def cancel(self, request):
        quirk = self.bug("ignores_cancel")
        if quirk and not quirk.calls_back:
            return  # BUG: ignores the cancel.
        self.fail(request, Failure("cancelled", "The request was cancelled."))

    def pause(self, request, is_paused):
        with self.lock:
            if request.is_paused != is_paused:
                request.is_paused = is_paused
                self.events.tell("paused" if is_paused else "resumed", id=request.id)
                self.scheduler.pump()

    def set_priority(self, request, priority):
        with self.lock:
            request.priority = priority
            self.events.tell("priority", id=request.id, priority="urgent" if priority == URGENT else priority)
            self.scheduler.pump()

    def set_radio(self, radio):
        with self.lock:
            self.options.radio = radio
            self.events.tell("radio", radio=radio)
            for request in list(self.open):
                if failure := self._refusal():
                    self.fail(request, failure)

    def _refusal(self):
        """Returns why the app may not use the device's network, or None if it may."""
        if self.options.radio == "none":
            return Failure("offline", "The device has no network.")
        if self.options.radio == "cellular" and not self.options.allow_cellular:
            return Failure("not_allowed", "The app may not use the cellular network.")
        return None

    # Jobs.

    def progressed(self, pack, size, total):
        with self.lock:
            for request in self.open:
                if pack in request.missing:
                    request.sizes[pack.identifier] = (size, pack.size or total or pack.room)
                    self._move_bar(request)

    def _move_bar(self, request):
        sizes = request.sizes.values()
        request.bar.progress(sum(done for done, _ in sizes), sum(total for _, total in sizes))
        self.reached.notify_all()

    def wait_for_share(self, request, share):
        """Waits until a request's progress reaches a share, or it was called back."""
        with self.lock:
            self.reached.wait_for(lambda: request.was_told or request.bar.share >= share)

    def relieve(self):
        """Purges packs for space on a full file system. Returns whether any were purged."""
        with self.lock:
            return self.store.make_room(1, self.wanted) > 0

    def done(self, job, failure):
        with self.lock:
            waiters = job.waiters
            self.scheduler.jobs.pop(job.pack.identifier, None)
            if failure and failure.kind == "cancelled" and waiters:
                # Requested again while it was being cancelled.
                self.scheduler.want(job.pack)
                return self.scheduler.pump()
            self.store.give_back(job.pack.identifier)
            self._tell_usage()
            for request in waiters:
                if failure:
                    self.fail(request, failure)
                    continue
                request.missing.discard(job.pack)
                self._settle(request)
            self.scheduler.pump()

    def _tell_usage(self):
        sizes = self.catalog.packs if self.catalog else {}
        self.store.tell_usage(sum(sizes[name].stored_size for name in self.in_use if name in self.store.stored))
