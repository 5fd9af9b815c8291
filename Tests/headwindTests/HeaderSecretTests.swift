import Testing

/// Secrets in `--header` and in addresses appear in no output of manual commands, even if a host repeats them.
@Suite("Secrets of --header", .timeLimit(.minutes(2)))
struct HeaderSecretTests {
    /// A host that names its pack after a header's value, and links to a missing address with that name.
    private static let echo = """
        import http.server, plistlib
        class Echo(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                told = self.headers["X-Vault"] or "nothing"
                lists = {
                    "/AssetPackManifest.plist": {"resources": [
                        {"URL": "/echo", "bundleKey": "pack-" + told, "uncompressedSize": 9}]},
                    "/OnDemandResources.plist": {"NSBundleResourceRequestTags": {
                        "level": {"NSAssetPacks": ["pack-" + told]}}},
                }
                body = plistlib.dumps(lists.get(self.path, {}))
                self.send_response(200 if self.path in lists else 302 if self.path == "/echo" else 404)
                if self.path == "/echo": self.send_header("Location", "/gone/" + told)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if self.command == "GET": self.wfile.write(body)
            do_HEAD = do_GET
            def log_message(self, *arguments): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
        print("http://127.0.0.1:%d/" % server.server_port, flush=True)
        server.serve_forever()
        """

    struct Case: Sendable, CustomTestStringConvertible {
        /// `$URL` is the host.
        var arguments: String
        var status: Int32
        /// The texts printed instead of the secret.
        var says: [String]

        var testDescription: String { arguments }
    }

    static let header = "--header 'X-Vault: hunter2-vault'"

    @Test(arguments: [
        Case(
            arguments: "host check $URL \(header)", status: 1,
            says: ["pack-[redacted]: reachable: HEAD: status 404", "/gone/[redacted]"]),
        Case(
            arguments: "host check $URL \(header) --format json", status: 1,
            says: ["\"pack-[redacted]\"", "/gone/[redacted]"]),
        Case(arguments: "request level --packs-url $URL \(header)", status: 1, says: ["'pack-[redacted]'", "404"]),
        Case(
            arguments: "request level --packs-url $URL \(header) --format json", status: 1,
            says: ["'pack-[redacted]'", "\"code\" : -1008"]),
        Case(
            arguments: "request level --packs-url 'ftp://me:hunter2-vault@a.example/'", status: 64,
            says: ["ftp://[redacted]@a.example/"]),
    ])
    func areNotPrinted(_ one: Case) async throws {
        let answer = try await ExecRun.line(
            """
            cat > echo.py <<'END'
            \(Self.echo)
            END
            python3 echo.py > at & server=$!
            trap 'kill $server; wait $server' EXIT
            for _ in $(seq 1000); do [ -s at ] && break; sleep 0.01; done
            URL=$(cat at)
            "$HW" \(one.arguments) \(one.arguments.hasPrefix("request") ? "--store device" : "")
            """)
        let all = answer.output + answer.errors
        #expect(answer.status == one.status, "\(all)")
        #expect(!all.contains("hunter2"), "\(all)")
        for text in one.says { #expect(all.contains(text), "\(all)") }
    }
}
