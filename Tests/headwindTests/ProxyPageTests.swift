import Foundation
import SystemPackage
import Testing

/// The page of `headwind proxy`, and its PAC file, in a browser on another machine.
@Suite(.sideBySide, .timeLimit(.minutes(3)))
struct ProxyPageTests {
    /// A site with TLS and one without, and `browse PAGE SCRIPT OPTIONS…`, a browser on the other machine.
    private static let prelude =
        StandingProxy.prelude + """
            printf '127.0.0.1 localhost\\n10.9.0.3 shop.test\\n' > hosts; chmod 644 hosts; mount --bind ./hosts /etc/hosts
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=shop.test -keyout key.pem -out cert.pem 2> /dev/null
            $PEER python3 ./site.py & site=$!
            for turn in $(seq 1000); do [ -e site-ready ] && break; sleep 0.01; done
            browse() { $PEER timeout 60 python3 ./browse.py "$@"; }

            """

    /// Answers with the address that a request came from: with a proxy, that of the proxy's machine.
    private static let site = """
        import http.server, ssl, threading
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *words): pass
            def do_GET(self):
                page = open("evil.html", "rb").read() if self.path == "/evil" else \\
                    b"<p id=way data-from='%s'>%s</p>" % (self.client_address[0].encode(), b"a page of a shop " * 4000)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)
        plain = http.server.ThreadingHTTPServer(("10.9.0.3", 3080), Handler)
        secure = http.server.ThreadingHTTPServer(("10.9.0.3", 3443), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain("cert.pem", "key.pem")
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        threading.Thread(target=plain.serve_forever, daemon=True).start()
        open("site-ready", "w").close()
        secure.serve_forever()
        """

    /// A page of another site that tries in every way it has to change the link.
    private static let evil = """
        <body><script>
        const proxies = ["http://10.9.0.1:8080", "http://proxy", "http://10.9.0.1:8081"];
        const tried = [];
        for (const proxy of proxies) {
          for (const mode of ["cors", "no-cors"]) {
            for (const headers of [{}, {"X-Headwind": "page"}, {"Content-Type": "text/plain"}]) {
              tried.push(fetch(`${proxy}/choose/main/offline`, {method: "POST", mode, headers, credentials: "include"})
                .then((answer) => `${mode} ${answer.type} ${answer.status}`, () => "refused"));
              tried.push(fetch(`${proxy}/v2/links/main`, {method: "PUT", mode, headers, body: '{"offline": "silent"}'})
                .then((answer) => `${mode} ${answer.type} ${answer.status}`, () => "refused"));
            }
          }
          const form = document.createElement("form");
          form.method = "post"; form.action = `${proxy}/choose/main/offline`; form.target = "frame";
          document.body.append(form); form.submit();
        }
        window.tried = Promise.all(tried);
        </script><iframe name="frame"></iframe><iframe src="http://10.9.0.1:8080/"></iframe></body>
        """

    private func told(_ script: String) async throws -> String {
        try await LinkNetwork.told(
            Self.prelude + script + "\nkill $site; ended; cat log",
            files: ["site.py": Self.site, "evil.html": Self.evil, "browse.py": Browser.program])
    }

    @Test(.needsRoot) func aBrowserUsesTheProxyByItsPACFile() async throws {
        let said = try await told(
            """
            standing --listen 0.0.0.0:8080 --allow 10.9.0.0/24
            pac=--proxy-pac-url=http://10.9.0.1:8080/proxy.pac
            $PEER curl -s -o /dev/null -w 'type %{content_type}\\n' http://10.9.0.1:8080/proxy.pac
            for page in http://shop.test:3080/ https://shop.test:3443/; do
                echo "$page $(browse $page "return document.getElementById('way').dataset.from" $pac)"
            done
            browse http://proxy/ '
                const element = (name) => document.querySelector(`section.link .${name}`);
                const points = () => document.querySelector("polyline.down").getAttribute("points");
                const pressed = () => document.querySelector("button[aria-pressed=true]")?.value;
                await seen(() => points());
                const first = pressed();
                document.querySelector("button[value=offline]").click();
                await seen(() => element("name").textContent === "offline");
                const second = pressed();
                document.querySelector("button[value=lossy]").click();
                await seen(() => element("name").textContent === "lossy");
                return [first, second, pressed(), document.getElementById("problem").hidden, element("down-rate").textContent, points(),
                    document.querySelectorAll("svg.qr path").length, document.body.innerText].join("\\n");
                ' $pac
            curl -s -m 10 "$(at control)" | grep -E '"(generation|profile)"'
            """)
        #expect(said.contains("type application/x-ns-proxy-autoconfig\n"), "\(said)")
        for page in ["http://shop.test:3080/", "https://shop.test:3443/"] {
            #expect(said.contains("\(page) 10.9.0.1\n"), "\(page): \(said)")
        }
        // Encrypted traffic passes unchanged, and the record has its host.
        #expect(said.contains(/#\d+ tunnel shop\.test:3443: \d+\.\d kB down/), "\(said)")
        // The page's buttons change the link, and its script draws the rates of the proxy.
        #expect(said.contains(/\n3g\noffline\nlossy\ntrue\n[\d.]+ [kM]?bit\/s\n\d+,[\d., ]+\n1\nHeadwind\n/), "\(said)")
        #expect(said.contains(#""generation" : 2,"#) && said.contains(#""profile" : "lossy""#), "\(said)")
        #expect(said.contains("Enter http://10.9.0.1:8080/proxy.pac and tap Save."), "\(said)")
    }

    /// The picture is docs/phone.png, which is written again if HEADWIND_RECORD is set.
    @Test(.needsRoot) func ratesAreDrawn() async throws {
        let docs = FilePath(#filePath).removingLastComponent().pushing("../../docs").lexicallyNormalized()
        let isRecorded = ProcessInfo.processInfo.environment["HEADWIND_RECORD"] != nil
        let said = try await told(
            """
            standing --listen 0.0.0.0:8080 --allow 10.9.0.0/24
            truncate -s 100M big; python3 -m http.server 3001 --bind 10.9.0.1 > /dev/null 2>&1 & server=$!
            until curl -s -o /dev/null --noproxy '*' http://10.9.0.1:3001/; do sleep 0.05; done
            curl -s -m 300 -o /dev/null --noproxy '' -x http://10.9.0.1:8080 http://10.9.0.1:3001/big & download=$!
            SCREENSHOT=phone.png browse http://10.9.0.1:8080/ '
                const element = (name) => document.querySelector(`section.link .${name}`);
                const rate = () => element("down-rate").textContent;
                const points = () => document.querySelector("polyline.down").getAttribute("points").split(" ").length;
                // On a busy machine the download may pause.
                await seen(() => points() > 14 && !rate().startsWith("0 "));
                return rate() + ", " + element("most").textContent;
                ' --window-size=430,1090 --hide-scrollbars
            kill $download $server
            python3 -c 'print(open("phone.png", "rb").read(4))'
            \(isRecorded ? "install -m 644 phone.png \(docs)/phone.png" : "")
            """)
        // On a busy machine two parts of a second may be drawn as one.
        #expect(said.contains(/\d[\d.]* [kM]bit\/s, \d[\d.]* [kM]bit\/s\n/), "\(said)")
        #expect(said.contains(#"b'\x89PNG'"#), "\(said)")
    }

    @Test(.needsRoot) func aPageOfAnotherSiteCannotControlTheProxy() async throws {
        let said = try await told(
            """
            standing --listen 10.9.0.1:8080 --allow 10.9.0.0/24 --control 10.9.0.1:8081
            for way in --no-proxy-server --proxy-pac-url=http://10.9.0.1:8080/proxy.pac; do
                browse http://shop.test:3080/evil 'return (await window.tried).join("; ")' $way
            done
            curl -s -m 10 -H "Authorization: Bearer $(at control-token)" http://10.9.0.1:8081/v1/link | grep generation
            """)
        // Every way was tried, twice, and no answer could be read.
        let tried = said.split(separator: "\n").filter { $0.hasPrefix("refused; ") }
        #expect(tried.map { $0.split(separator: "; ").count } == [36, 36], "\(said)")
        #expect(tried.allSatisfy { !$0.contains(" cors ") && !$0.contains("basic") }, "\(said)")
        #expect(said.contains(#""generation" : 0"#), "\(said)")
    }
}
