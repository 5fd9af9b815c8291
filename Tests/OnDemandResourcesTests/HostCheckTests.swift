import Foundation
import HostTLS
import PackFormat
import PackHost
import SystemPackage
import Testing

@testable import ResourceLoading

/// Whether a server can host packs, tested with servers that can and servers that cannot.
@Suite(.sideBySide, .timeLimit(.minutes(2)))
struct HostCheckTests {
    /// A host with two archives.
    private func withHost<Value>(_ body: (RealHost, FilePath) async throws -> Value) async throws -> Value {
        try await withTemporaryFolder { folder in
            var host = RealHost(folder: folder)
            try host.add(.init(name: "one", bytes: 30_000))
            try host.add(.init(name: "two", bytes: 20_000, files: 3))
            return try await body(host, folder)
        }
    }

    private func report(_ manifest: String, _ change: (inout HostCheck) -> Void = { _ in }) async throws -> HostReport {
        var check = HostCheck(manifest: manifest)
        check.transfers.patience = .seconds(5)
        change(&check)
        return try await check.run()
    }

    private func row(_ report: HostReport, _ property: HostProperty) -> HostFinding? {
        report.rows.first { $0.property == property }
    }

    @Test func ourHostHasEveryProperty() async throws {
        try await withHost { host, _ in
            let report = try await host.serve { try await self.report($0) }
            #expect(report.holds, "\(report.rows)")
            #expect(report.packs.map(\.pack) == ["one", "two"])
            let held = report.rows.filter { $0.verdict == .holds }.map(\.property)
            #expect(
                held == [
                    .manifest, .tagTable, .reachable, .size, .range, .suffixRange, .rangeBeyondEnd, .ifRange, .etag,
                    .compression,
                ])
            #expect(row(report, .tls)?.verdict == .note)
        }
    }

    /// A fault of the host, the property that must fail, and a part of the message.
    struct Fault: Sendable, CustomTestStringConvertible {
        var action: HostFault.Action
        var property: HostProperty
        var text: String
        var testDescription: String { "\(action)" }
    }

    @Test(arguments: [
        Fault(action: .status(404, retryAfter: nil), property: .reachable, text: "status 404"),
        Fault(action: .ignoreRange, property: .range, text: "ignores ranges"),
        Fault(action: .wrongRange(by: -5), property: .range, text: "206 with other bytes"),
        Fault(action: .changedETag, property: .etag, text: "not stable"),
        Fault(action: .wrongLength(by: 100), property: .size, text: "bytes"),
        Fault(action: .redirect(to: "/AssetPackManifest.plist/../two", status: 302), property: .reachable, text: "404"),
        Fault(action: .never, property: .reachable, text: "timed out"),
        Fault(action: .body("<p>Sign in</p>", contentType: "text/html"), property: .size, text: "manifest says"),
    ])
    func aFaultOfOnePackIsReported(fault: Fault) async throws {
        try await withHost { host, _ in
            let faults = [
                HostFault(pack: "two", tries: fault.action == .changedETag ? 1...9 : nil, action: fault.action)
            ]
            let report = try await host.serve(faults: faults) { manifest in
                try await self.report(manifest) { $0.transfers.patience = .seconds(1) }
            }
            #expect(!report.holds)
            let finding = row(report, fault.property)
            #expect(finding?.verdict == .fails, "\(report.rows)")
            #expect(finding?.detail.contains(fault.text) == true, "\(finding?.detail ?? "")")
            #expect(finding?.detail.hasPrefix("1 of 2 packs") == true, "\(finding?.detail ?? "")")
            #expect(report.packs.first?.verdict == .holds)
        }
    }

    @Test func pythonsServerIgnoresRanges() async throws {
        try await withHost { host, folder in
            try await host.serve { _ in }
            try Data(AssetPackManifest(resources: host.resources).plist())
                .write(to: URL(fileURLWithPath: folder.appending("AssetPackManifest.plist").string))
            let server = try PythonServer(PythonServer.folder, [folder.string])
            defer { server.stop() }
            let manifest = try #require(HostCheck.manifestURL(server.url))
            let report = try await report(manifest)
            #expect(!report.holds)
            #expect(row(report, .range)?.detail.contains("2 of 2 packs: ") == true)
            #expect(row(report, .range)?.detail.contains("ignores ranges") == true)
            #expect(row(report, .etag)?.verdict == .note)
            #expect(row(report, .tagTable)?.verdict == .note)
            #expect(row(report, .size)?.verdict == .holds)
        }
    }

    @Test(arguments: [
        (nil, "trusted"), (TLSFault.expired, "expired"), (.notYetValid, "not yet valid"), (.wrongName, "wrong name"),
        (.unknownAuthority, "unknown authority"), (.cutHandshake, "no handshake"),
    ])
    func eachProblemOfTLSIsNamed(fault: TLSFault?, text: String) async throws {
        try await withHost { host, folder in
            let authority = RunAuthority()
            let file = folder.appending("ca.pem")
            try Data(authority.certificatePEM.utf8).write(to: URL(fileURLWithPath: file.string))
            let handlers = try authority.handlerFactory(names: ["127.0.0.1"], fault: fault)
            let report = try await host.serve(security: .init(makeHandlers: handlers)) { manifest in
                try await self.report(manifest) { $0.transfers.authorities = file }
            }
            #expect(report.isReachable)
            #expect(report.holds == (fault == nil), "\(report.rows)")
            let property: HostProperty = fault == .cutHandshake ? .tls : .certificate
            #expect(row(report, property)?.verdict == (fault == nil ? .holds : .fails))
            #expect(row(report, property)?.detail.contains(text) == true, "\(report.rows)")
        }
    }

    /// Certificates by openssl(1): an authority, an intermediate, and a host's that names the URL of its issuer.
    private func certificates(in folder: FilePath) throws {
        let script = """
            set -e; cd "$1"; exec 2> /dev/null
            openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj '/CN=Root of a test'
            for name in middle host; do
                openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj "/CN=The $name of a test"
            done
            printf 'basicConstraints=critical,CA:TRUE\\n' > middle.ext
            printf 'subjectAltName=IP:127.0.0.1\\nauthorityInfoAccess=caIssuers;URI:http://127.0.0.1/m.crt\\n' > host.ext
            openssl x509 -req -in middle.csr -CA ca.pem -CAkey ca.key -days 2 -extfile middle.ext -out middle.pem
            openssl x509 -req -in host.csr -CA middle.pem -CAkey middle.key -days 2 -extfile host.ext -out host.pem
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["bash", "-c", script, "bash", folder.string]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test func anIncompleteChainAndAnOldProtocolAreNamed() async throws {
        try await withTemporaryFolder { folder in
            try certificates(in: folder)
            let files = ["host.pem", "host.key"].map { folder.appending($0).string }
            for (version, property, text) in [
                ([], HostProperty.certificate, "incomplete chain"), (["TLSv1_1"], .tls, "old protocol"),
            ] {
                let server = try PythonServer(PythonServer.handshake, files + version)
                defer { server.stop() }
                let report = try await report("\(server.url)AssetPackManifest.plist") {
                    $0.transfers.authorities = folder.appending("ca.pem")
                }
                #expect(report.isReachable && !report.holds)
                let finding = row(report, property)
                #expect(finding?.verdict == .fails && finding?.detail.contains(text) == true, "\(report.rows)")
            }
        }
    }

    /// A hostile host: none of its responses would ever end.
    @Test(arguments: ["body", "head", "interim", "drip", "redirects"])
    func theCheckEndsWhateverTheHostDoes(way: String) async throws {
        let line = [ScriptedServer.Step.send(Array("X-Y: \(String(repeating: "y", count: 4000))\r\n".utf8))]
        let server = try ScriptedServer { request in
            switch way {
            case "body":
                return [.head(200, "Content-Length: 9000000000000")]
                    + Array(repeating: .send([UInt8](repeating: 65, count: 1 << 20)), count: 100)
            case "head": return [.text("HTTP/1.1 200 OK\r\n")] + (0..<1000).flatMap { _ in line }
            case "interim": return (0..<100_000).map { _ in .text("HTTP/1.1 103 Early Hints\r\n\r\n") }
            case "drip":
                return [.head(200, "Content-Length: 1000")]
                    + (0..<600).flatMap { _ in [.text("x"), .sleep(microseconds: 50_000)] }
            default: return [.head(302, "Location: \(request.target)x", "Content-Length: 0")]
            }
        }
        defer { server.stop() }
        let clock = ContinuousClock()
        let start = clock.now
        let report = try await report(server.url("/AssetPackManifest.plist")) { $0.transfers.patience = .seconds(2) }
        #expect(!report.holds)
        #expect(row(report, .manifest)?.verdict == .fails)
        #expect(clock.now - start < .seconds(10))
        #expect(server.requests(for: "/AssetPackManifest.plist").count == 1)
    }

    @Test func anUnreachableHostDiffersFromAFailingOne() async throws {
        let server = try ScriptedServer { _ in [.head(404, "Content-Length: 0")] }
        let there = try await report(server.url("/AssetPackManifest.plist"))
        #expect(there.isReachable && !there.holds)
        server.stop()
        let (listener, port) = try LoopbackPort.bind()
        close(listener)
        let gone = try await report("http://127.0.0.1:\(port)/AssetPackManifest.plist")
        #expect(!gone.isReachable && !gone.holds)
    }

    @Test(arguments: [
        ("https://h", "https://h/AssetPackManifest.plist"), ("https://h/a", "https://h/a/AssetPackManifest.plist"),
        ("https://h/a/", "https://h/a/AssetPackManifest.plist"), ("http://h/m.plist", "http://h/m.plist"),
        ("https://h/manifest", "https://h/manifest"), ("https://h/a/m.json", "https://h/a/m.json"),
        ("https://h/my-manifest", "https://h/my-manifest/AssetPackManifest.plist"),
        ("ftp://h/", nil), ("h", nil), ("", nil), ("file:///etc", nil),
    ])
    func readsTheManifestURL(text: String, manifest: String?) { #expect(HostCheck.manifestURL(text) == manifest) }
}
