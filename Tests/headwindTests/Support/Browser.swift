/// Headless Chromium for shell scripts.
///
/// `python3 ./browse.py PAGE SCRIPT OPTIONS…` opens a page, runs a script in it, and prints what the script returns or
/// its promise resolves to. The script can call `seen(TEST)`, which waits until the function TEST returns something
/// true. A screenshot of the page is written to the file that the variable SCREENSHOT names. The program speaks the
/// DevTools protocol over pipes.
enum Browser {
    static let program = """
        import base64, json, os, subprocess, sys, tempfile
        page, script, options = sys.argv[1], sys.argv[2], sys.argv[3:]
        here_in, there_out = os.pipe()
        there_in, here_out = os.pipe()
        def pipes():
            # Of numbers that neither pipe has.
            into, out = os.dup2(there_in, 103), os.dup2(there_out, 104)
            os.dup2(into, 3), os.dup2(out, 4)
        folder = tempfile.TemporaryDirectory(dir=".", ignore_cleanup_errors=True)
        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
            "--disable-background-networking", "--disable-component-update", "--ignore-certificate-errors",
            "--user-data-dir=" + os.path.abspath(folder.name), *options]
        with open("browser.log", "wb") as log:
            browser = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=pipes, close_fds=True, pass_fds=(3, 4))
        os.close(there_in), os.close(there_out)
        answers = os.fdopen(here_in, "rb")
        last, rest, events = 0, b"", []
        def heard():
            global rest
            while b"\\0" not in rest:
                piece = os.read(here_in, 65536)
                if not piece: sys.exit("the browser has ended")
                rest += piece
            message, rest = rest.split(b"\\0", 1)
            return json.loads(message)
        def ask(method, session=None, **parameters):
            global last
            last += 1
            message = {"id": last, "method": method, "params": parameters}
            if session: message["sessionId"] = session
            os.write(here_out, json.dumps(message).encode() + b"\\0")
            while True:
                answer = heard()
                if answer.get("id") == last:
                    if "error" in answer: sys.exit(method + ": " + answer["error"]["message"])
                    return answer["result"]
                events.append(answer.get("method"))
        try:
            target = ask("Target.createTarget", url="about:blank")["targetId"]
            session = ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            ask("Page.enable", session)
            events.clear()
            ask("Page.navigate", session, url=page)
            while "Page.loadEventFired" not in events: events.append(heard().get("method"))
            helper = '''(async () => {
                const seen = (test) => new Promise((done) => {
                    const timer = setInterval(() => { if (test()) { clearInterval(timer); done(); } }, 20);
                });
                %s
            })()'''
            answer = ask("Runtime.evaluate", session, expression=helper % script, awaitPromise=True, returnByValue=True)
            print(answer["exceptionDetails"] if "exceptionDetails" in answer else answer["result"].get("value"))
            if "SCREENSHOT" in os.environ:
                with open(os.environ["SCREENSHOT"], "wb") as file:
                    file.write(base64.b64decode(ask("Page.captureScreenshot", session)["data"]))
            ask("Browser.close")
        finally:
            try:
                browser.wait(10)
            except subprocess.TimeoutExpired:
                browser.kill()
                browser.wait()
        """
}
