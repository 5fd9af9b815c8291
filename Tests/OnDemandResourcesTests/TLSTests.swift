import Foundation
import Glibc
import PackFormat
import ResourceLoading
import SystemPackage
import Testing

/// Valid and invalid certificates, on OpenSSL's own server.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "apt-get install openssl"))
struct TLSTests {
    /// A server with a self-signed certificate for `localhost`.
    private func withServer(
        _ packs: [TestPack],
        _ body: (_ port: Int, _ certificate: FilePath, _ folder: FilePath) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let (key, certificate) = (folder.appending("key.pem"), folder.appending("cert.pem"))
            try openssl(
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-keyout", key.string, "-out", certificate.string, "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost",
                ], in: folder
            ).waitUntilExit()
            try Data(Fixture.manifest(packs).plist()).write(to: url(folder.appending("AssetPackManifest.plist")))
            try Data(Fixture.tagTable(packs).plist()).write(to: url(folder.appending("OnDemandResources.plist")))
            for pack in packs { try Data(pack.body).write(to: url(folder.appending("\(pack.name).bin"))) }
            let output = Pipe()
            let arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.string, "-key", key.string, "-WWW",
            ]
            let server = try openssl(arguments, in: folder, output: output)
            defer {
                // A child of a Swift thread inherits blocked signals; SIGKILL cannot be blocked.
                kill(server.processIdentifier, SIGKILL)
                server.waitUntilExit()
            }
            var text = ""
            while !text.contains("ACCEPT 127.0.0.1:") || !text.hasSuffix("\n") {
                let more = output.fileHandleForReading.availableData
                try #require(!more.isEmpty, "openssl s_server says \(text)")
                text += String(decoding: more, as: UTF8.self)
            }
            let port = try #require(
                Int(text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ":").last ?? ""))
            try await body(port, certificate, folder)
        }
    }

    private func url(_ path: FilePath) -> URL { URL(fileURLWithPath: path.string) }

    @discardableResult
    private func openssl(_ arguments: [String], in folder: FilePath, output: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.currentDirectoryURL = url(folder)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func request(_ host: String, _ port: Int, _ authorities: FilePath?, _ store: FilePath) async throws -> Int?
    {
        var configuration = LoaderConfiguration(
            manifest: "https://\(host):\(port)/AssetPackManifest.plist", store: store)
        configuration.transfers.authorities = authorities
        configuration.transfers.parallel = 1
        let loader = try ResourceLoader(configuration)
        let error = await loader.request(["t"]).1
        await loader.close()
        return error?.code
    }

    @Test func trustsByAuthorityAndName() async throws {
        let pack = TestPack(name: "p", body: content(20_000), tags: ["t"])
        try await withServer([pack]) { port, certificate, folder in
            let unknown = try await request("localhost", port, nil, folder.appending("a"))
            #expect(unknown == -1203)
            let otherName = try await request("127.0.0.1", port, certificate, folder.appending("b"))
            #expect(otherName == -1202)
            let trusted = try await request("localhost", port, certificate, folder.appending("c"))
            #expect(trusted == nil)
            // An authorities file that does not exist makes no certificate trusted.
            let noFile = try await request("localhost", port, folder.appending("none"), folder.appending("d"))
            #expect(noFile == -1203)
        }
    }
}
