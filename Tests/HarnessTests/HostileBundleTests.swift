import Foundation
import Glibc
import SystemPackage
import Testing

@testable import Harness

/// Bundles that somebody else made: what is wrong is told, and nothing hangs, follows a link or runs.
@Suite(.timeLimit(.minutes(1)))
struct HostileBundleTests {
    /// A bundle that can be played, in a folder of its own.
    private func good(_ bench: Bench) throws -> FilePath {
        let folder = bench.folder.appending("bundle")
        let scenario = """
            scenario: T
            packs: ./packs/
            link: {profile: ./profiles/p.yaml, seed: 1, fidelity: modelled}
            workload: {command: ["true"]}
            schedule: ./schedule.txt
            """
        try bench.write("bundle/scenario.yaml", Array(scenario.utf8))
        try bench.write("bundle/packs/a.bin", [1])
        try bench.write("bundle/profiles/p.yaml", Array("profile: p\nsource: a test\n".utf8))
        try bench.write("bundle/schedule.txt", Array("schedule version=1\n".utf8))
        try bench.write("bundle/bundle.json", Array(Self.record.utf8))
        return folder
    }

    private static let record = """
        {"schema_version": 1, "tool_version": "1", "command": "", "made_at": "", "cell": "T", "title": "T", "attempt": 1,
         "backend": "proxy", "seed": "1", "failure": {"outcomes": ["client_failed"], "budgets": []}, "sentences": [],
         "schedule": {"file": "schedule.txt", "lines": 0, "hash": "", "first_transmission_hash": "", "omitted": 0},
         "client": {"command": ["true"], "built_in": false, "files": []},
         "content": {"source": "", "copied": true, "packs": []},
         "host": {"kernel": "", "architecture": "", "processors": 1, "versions": {}}, "left_out": []}
        """

    @Test func oneWithoutAMakerIsNobodysOwn() throws {
        let bench = try Bench()
        let bundle = try FailureBundle(reading: try good(bench))
        #expect(!bundle.isOwn && bundle.command == ["true"])
    }

    @Test func aChangedScenarioIsNobodysOwn() throws {
        let bench = try Bench()
        let folder = try good(bench)
        let scenario = try #require(FileManager.default.contents(atPath: folder.appending("scenario.yaml").string))
        let origin = try #require(BundleOrigin.of(scenario: Array(scenario)))
        try bench.write(
            "bundle/bundle.json",
            Array(Self.record.replacing("\"cell\"", with: "\"origin\": \"\(origin)\", \"cell\"").utf8))
        #expect(try FailureBundle(reading: folder).isOwn)
        let changed = String(decoding: scenario, as: UTF8.self).replacing("\"true\"", with: "reboot")
        try bench.write("bundle/scenario.yaml", Array(changed.utf8))
        #expect(try !FailureBundle(reading: folder).isOwn)
    }

    @Test(arguments: [
        ("{", "bundle.json' of the bundle: line 1, column 2: it is no JSON"),
        ("", "bundle.json' of the bundle: it is empty."),
        ("[]", "bundle.json' of the bundle: an object belongs there."),
        (String(repeating: "[", count: 100_000), "bundle.json' of the bundle: line 1, column 201: it is no JSON"),
        ("{\"schema_version\": 1}", "bundle.json' of the bundle: the key '"),
        ("{\"schema_version\": 2}", "The bundle has schema 2, and this version reads 1."),
        ("{\"schema_version\": 1e400}", "bundle.json' of the bundle: a number in it is too large"),
        (String(repeating: " ", count: 2 << 20), "it is larger than 1048576 bytes"),
    ])
    func aRecordThatIsNone(text: String, message: String) throws {
        let bench = try Bench()
        let folder = try good(bench)
        try bench.write("bundle/bundle.json", Array(text.utf8))
        let error = #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["bundle.json", "scenario.yaml", "schedule.txt", "profiles/p.yaml", "packs/a.bin", "more"])
    func pipesAndLinksAreRefused(name: String) throws {
        for isPipe in [true, false] {
            let bench = try Bench()
            let folder = try good(bench)
            let file = folder.appending(name).string
            unlink(file)
            #expect(isPipe ? mkfifo(file, 0o600) == 0 : symlink("/etc/passwd", file) == 0)
            let error = #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
            #expect(error?.description.contains("it is a link, a pipe or a device") == true)
        }
    }

    @Test func whatIsMissingOrTooMuchIsTold() throws {
        let bench = try Bench()
        #expect(throws: BundleError.self) { try FailureBundle(reading: bench.folder.appending("nothing")) }
        #expect(throws: BundleError.self) { try FailureBundle(reading: try bench.write("file", [1])) }
        let folder = try good(bench)
        for name in ["bundle.json", "scenario.yaml"] {
            let file = folder.appending(name).string
            try FileManager.default.moveItem(atPath: file, toPath: bench.folder.appending("kept").string)
            #expect(throws: (any Error).self) { try FailureBundle(reading: folder) }
            try FileManager.default.moveItem(atPath: bench.folder.appending("kept").string, toPath: file)
        }
        _ = try FailureBundle(reading: folder)
        let huge = try bench.write("bundle/packs/huge", [])
        #expect(truncate(huge.string, 2 << 30) == 0)
        #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
        #expect(truncate(huge.string, 0) == 0)
        try bench.write("bundle/1/2/3/4/5/6/7/8", [1])
        #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
    }
}
