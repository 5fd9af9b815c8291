"""Headless Chromium, controlled through its debugging pipe: measures how long a page takes until it can be used."""

import json
import os
import select
import subprocess
import time


class Browser:
    """A browser with a profile of its own in `folder`."""

    def __init__(self, program, folder):
        down, self.up = os.pipe()
        self.down, up = os.pipe()

        def streams():
            # The browser reads descriptor 3 and writes 4. Copies come first, because the pipes may have these numbers.
            spare = [os.dup(down), os.dup(up)]
            spare = [os.dup(fd) if fd in (3, 4) else fd for fd in spare]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}", "--remote-debugging-pipe",
             "--window-size=1440,1000", "about:blank"],
            preexec_fn=streams, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down)
        os.close(up)
        self.number = 0
        self.buffer = b""
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", {"targetId": page["targetId"], "flatten": True})["sessionId"]

    def ask(self, method, parameters=None, session=None, seconds=120):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self.up, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            while b"\0" in self.buffer:
                line, _, self.buffer = self.buffer.partition(b"\0")
                answer = json.loads(line)
                if answer.get("id") == self.number:
                    if "error" in answer:
                        raise RuntimeError(f"{method}: {answer['error']}")
                    return answer["result"]
            if select.select([self.down], [], [], 1)[0]:
                self.buffer += os.read(self.down, 1 << 20)
        raise RuntimeError(f"{method} was not answered in {seconds} s")

    def run(self, script):
        """Evaluates an expression in the page, awaits it, and returns its value."""
        answer = self.ask("Runtime.evaluate", {"expression": script, "awaitPromise": True, "returnByValue": True}, self.session)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"].get("exception", {}).get("description")))
        return answer["result"].get("value")

    def open(self, address):
        """Opens a page; returns the milliseconds until it can be used, until it is read, and until it is drawn."""
        self.run("location.href = 'about:blank'")
        time.sleep(0.5)
        self.ask("Page.enable", session=self.session)
        start = time.monotonic()
        self.ask("Page.navigate", {"url": address}, self.session)
        until = start + 60
        while not self.is_read():
            if time.monotonic() > until:
                raise RuntimeError(f"{address} was not shown in 60 s")
            time.sleep(0.005)
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        wall = (time.monotonic() - start) * 1000
        script = "[performance.getEntriesByName('usable')[0].startTime, performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd]"
        return [*self.run(script), wall]

    def is_read(self):
        try:
            return self.run("document.documentElement?.dataset.ready === 'true' && document.readyState === 'complete'")
        except RuntimeError:  # The earlier page is still closing.
            return False

    def close(self):
        try:
            self.ask("Browser.close", seconds=10)
            self.process.wait(10)
        except Exception:  # The browser is a child of this program, and must end.
            self.process.kill()
            self.process.wait()
        os.close(self.up)
        os.close(self.down)
