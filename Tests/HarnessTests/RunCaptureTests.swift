import Foundation
import Glibc
import PacketLink
import ResultFiles
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// Packets that a run records, and the secrets that they must not show.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct RunCaptureTests {
    private static let link =
        "link: {downlink: {rate: 20 Mbit/s, delay: 2 ms, loss: 3 %}, uplink: {rate: 20 Mbit/s}, fidelity: packet}"

    /// All files below a folder that contain a text.
    private func files(in folder: FilePath, with text: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.string)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            FileManager.default.contents(atPath: folder.appending(name).string)?.range(of: Data(text.utf8)) != nil
        }
    }

    private func tshark(_ capture: FilePath, _ filter: String) throws -> [String] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/tshark")
        process.arguments = [
            "-r", capture.string, "-Y", filter, "-T", "fields", "-e", "frame.number", "-e", "http.request.uri",
        ]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func run(_ bench: Bench, _ text: String, _ capture: RunCapture?) async throws -> (RunResult, FilePath) {
        var run = try bench.prepare(text)
        run.output = bench.folder.appending("results")
        run.capture = capture
        return (try await run.perform(), bench.folder.appending("results"))
    }

    /// Sends a secret in a header and a query, prints it, and fails.
    private static let leaky =
        """
        workload:
          command: [sh, -c, 'curl -sS -H "Authorization: Bearer $(echo plan)ted-token" -H "Cookie: a=$(echo plan)ted-token" \
        -o "$HEADWIND_OUTPUT" "$HEADWIND_URL?key=$(echo plan)ted-token"; exit 4']
          pack: level.bin
        """

    @Test(arguments: [nil, RunCapture(keepsSecrets: false)] as [RunCapture?])
    func aPlantedTokenIsInNoFile(capture: RunCapture?) async throws {
        let bench = try Bench()
        let (result, folder) = try await run(bench, "\(Self.link)\n\(Self.leaky)", capture)
        let cell = try #require(result.cells.first)
        #expect(cell.verdict == .fail, "\(result.text)")
        #expect(files(in: folder, with: "planted-token") == [])
        let bundle = try #require(cell.bundle)
        let packets = folder.appending("\(bundle)/capture.pcapng")
        #expect(try tshark(packets, "tcp.port == 80").count > 100)
        #expect(try !tshark(packets, "frame.comment contains \"dropped: rule loss\"").isEmpty)
        let asked = FileManager.default.fileExists(atPath: folder.appending("captures/test-1.pcapng").string)
        #expect(asked == (capture != nil))
        // The bundle can be played as it is.
        #expect(try FailureBundle(reading: folder.appending(bundle)).isOwn)
        #expect(cell.replayCommand == "headwind replay \(folder.appending(bundle))")
    }

    @Test func secretsThatAreKeptDecryptTheCaptureButAreInNoBundle() async throws {
        let bench = try Bench()
        let text = """
            tls: true
            \(Self.link)
            workload:
              command: [sh, -c, 'curl -sS -H "Cookie: planted-token" -o "$HEADWIND_OUTPUT" "$HEADWIND_URL"; exit 4']
              pack: level.bin
            """
        let (result, folder) = try await run(bench, text, RunCapture(keepsSecrets: true))
        #expect(result.verdict == .fail, "\(result.text)")
        let capture = folder.appending("captures/test-1.pcapng")
        #expect(try tshark(capture, "http.request.method == GET").contains { $0.hasSuffix("level.bin") })
        #expect(files(in: folder, with: "CLIENT_TRAFFIC_SECRET") == ["captures/test-1.pcapng"])
        let bundle = folder.appending("bundles/test-1/capture.pcapng")
        #expect(try tshark(bundle, "http") == [])
        #expect(try tshark(bundle, "tcp.port == 443").count > 100)
        let status = try FileManager.default.attributesOfItem(atPath: capture.string)
        #expect(status[.posixPermissions] as? Int == 0o600)
    }

    @Test func theBuiltInClientsCaptureIsDecryptedToo() async throws {
        let bench = try Bench()
        let (result, folder) = try await run(bench, "tls: true\n\(Self.link)", RunCapture(keepsSecrets: true))
        #expect(result.verdict == .pass, "\(result.text)")
        let capture = folder.appending("captures/test-1.pcapng")
        #expect(try tshark(capture, "http.request.method == GET").contains { $0.hasSuffix("level.bin") })
    }

    @Test func secretsAreWrittenNowhereUnlessAskedFor() async throws {
        let bench = try Bench()
        let keys = bench.folder.appending("keys")
        setenv("SSLKEYLOGFILE", keys.string, 1)
        defer { unsetenv("SSLKEYLOGFILE") }
        let (result, folder) = try await run(bench, "tls: true\n\(Self.link)", RunCapture(keepsSecrets: false))
        #expect(result.verdict == .pass, "\(result.text)")
        #expect(!FileManager.default.fileExists(atPath: keys.string))
        #expect(files(in: folder, with: "TRAFFIC_SECRET") == [])
        #expect(try tshark(folder.appending("captures/test-1.pcapng"), "http") == [])
    }

    @Test func aCaptureThatCannotBeMadeIsReported() async throws {
        let bench = try Bench()
        try bench.write("results/captures", Array("a file".utf8))
        let (result, _) = try await run(bench, Self.link, RunCapture(keepsSecrets: false))
        #expect(result.verdict == .infrastructure && result.text.contains("results/captures"), "\(result.text)")
    }
}
