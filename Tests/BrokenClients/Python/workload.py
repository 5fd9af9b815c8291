"""Runs the steps of a workload file, one after another (docs/reference/client.md)."""

import json
import time

from device import URGENT

KEYS = {
    "request": {"request", "background"},
    "end": {"end", "wait"},
    "cancel": {"cancel", "after", "at"},
    "pause": {"pause", "at"},
    "resume": {"resume"},
    "priority": {"priority", "to"},
    "wait": {"wait"},
    "sleep": {"sleep"},
    "use": {"use"},
    "preserve": {"preserve", "to"},
    "radio": {"radio"},
}


class Unreadable(Exception):
    """A workload that cannot be run."""


def priority(value):
    return URGENT if value == "urgent" else float(value)


def read(path):
    """Returns the steps of a file. Raises Unreadable with what is wrong."""
    try:
        with open(path, encoding="utf-8") as file:
            steps = json.load(file)["steps"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{path}: {error}") from error
    known = set()
    for number, step in enumerate(steps, 1):
        kind = next((key for key in KEYS if key in step), None)
        # 'priority' and 'preserve' have a 'to', and an 'end' may have a 'wait'.
        kind = "end" if "end" in step else kind
        if kind is None or not set(step) <= KEYS[kind]:
            raise Unreadable(f"{path}: step {number} is none that this client takes: {', '.join(step)}.")
        if kind == "request":
            known.add(step["request"]["id"])
        elif kind not in ("sleep", "preserve", "radio") and step[kind] not in known:
            raise Unreadable(f"{path}: step {number} names '{step[kind]}', which nobody requested.")
    return steps


class Runner:
    """Runs the steps."""

    def __init__(self, device):
        self.device = device
        self.requests = {}

    def run(self, steps):
        """Runs all steps. Returns whether every request became available."""
        for step in steps:
            self.take(step)
        for request in self.requests.values():
            request.called_back.wait()
        return all(request.failure is None for request in self.requests.values())

    def take(self, step):
        device = self.device
        if "request" in step:
            wish = step["request"]
            request = device.begin(wish["id"], wish["tags"], priority(wish.get("priority", 0.5)))
            self.requests[request.id] = request
            if not step.get("background"):
                request.called_back.wait()
        elif "end" in step:
            request = self.requests[step["end"]]
            if step.get("wait", True):
                request.called_back.wait()
            device.end(request)
        elif "cancel" in step:
            request = self.requests[step["cancel"]]
            if "at" in step:
                device.wait_for_share(request, step["at"])
            else:
                time.sleep(step.get("after", 0))
            device.cancel(request)
        elif "pause" in step:
            request = self.requests[step["pause"]]
            if "at" in step:
                device.wait_for_share(request, step["at"])
            device.pause(request, True)
        elif "resume" in step:
            device.pause(self.requests[step["resume"]], False)
        elif "priority" in step:
            device.set_priority(self.requests[step["priority"]], priority(step["to"]))
        elif "wait" in step:
            self.requests[step["wait"]].called_back.wait()
        elif "sleep" in step:
            time.sleep(step["sleep"])
        elif "use" in step:
            self.use(self.requests[step["use"]])
        elif "radio" in step:
            device.set_radio(step["radio"])
        elif "preserve" in step:
            for tag in step["preserve"]:
                device.store.preserved[tag] = step["to"]
            device.events.tell("preserve", tags=step["preserve"], priority=step["to"])

    def use(self, request):
        began = time.monotonic()
        self.device.events.tell("use", id=request.id)
        request.called_back.wait()
        if request.failure is None:
            packs = [pack.identifier for pack in request.packs]
            self.device.events.tell("used", id=request.id, packs=packs, waited=time.monotonic() - began)
