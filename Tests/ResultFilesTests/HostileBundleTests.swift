import Foundation
import Glibc
import SystemPackage
import Testing

@testable import ResultFiles

/// Bundles from somebody else: faults are reported, and nothing hangs, follows a link or runs.
@Suite(.timeLimit(.minutes(1)))
struct HostileBundleTests {
    @Test func distrustsABundleWithoutAnOrigin() throws {
        let ground = try Ground()
        let bundle = try FailureBundle(reading: try ground.bundle())
        #expect(!bundle.isOwn && bundle.command == ["true"])
    }

    @Test func distrustsABundleWithAChangedScenario() throws {
        let ground = try Ground()
        let folder = try ground.bundle()
        let scenario = try #require(FileManager.default.contents(atPath: folder.appending("scenario.yaml").string))
        let origin = try #require(BundleOrigin.of(scenario: Array(scenario)))
        try ground.write(
            "bundle/bundle.json",
            Array(Ground.record.replacing("\"cell\"", with: "\"origin\": \"\(origin)\", \"cell\"").utf8))
        #expect(try FailureBundle(reading: folder).isOwn)
        let changed = String(decoding: scenario, as: UTF8.self).replacing("\"true\"", with: "reboot")
        try ground.write("bundle/scenario.yaml", Array(changed.utf8))
        #expect(try !FailureBundle(reading: folder).isOwn)
    }

    @Test(arguments: [
        ("{", "bundle.json' of the bundle: line 1, column 2: it is not JSON"),
        ("", "bundle.json' of the bundle: it is empty."),
        ("[]", "bundle.json' of the bundle: an object is expected."),
        (String(repeating: "[", count: 100_000), "bundle.json' of the bundle: line 1, column 201: it is not JSON"),
        ("{\"schema_version\": 1}", "bundle.json' of the bundle: the key '"),
        (
            "{\"schema_version\": 2}",
            "bundle.json' of the bundle: a later Headwind wrote it; its schema version is 2, and"
        ),
        ("{\"schema_version\": 1e400}", "bundle.json' of the bundle: a number in it is too large"),
        (String(repeating: " ", count: 2 << 20), "it is larger than 1048576 bytes"),
    ])
    func aMalformedRecordIsExplained(text: String, message: String) throws {
        let ground = try Ground()
        let folder = try ground.bundle()
        try ground.write("bundle/bundle.json", text.utf8)
        let error = #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["bundle.json", "scenario.yaml", "schedule.txt", "profiles/p.yaml", "packs/a.bin", "more"])
    func pipesAndLinksAreRefused(name: String) throws {
        for isPipe in [true, false] {
            let ground = try Ground()
            let folder = try ground.bundle()
            let file = folder.appending(name).string
            unlink(file)
            #expect(isPipe ? mkfifo(file, 0o600) == 0 : symlink("/etc/passwd", file) == 0)
            let error = #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
            #expect(error?.description.contains("it is a link, a pipe or a device") == true)
        }
    }

    @Test func missingAndAdditionalFilesAreReported() throws {
        let ground = try Ground()
        #expect(throws: BundleError.self) { try FailureBundle(reading: ground.folder.appending("nothing")) }
        #expect(throws: BundleError.self) { try FailureBundle(reading: try ground.write("file", [1])) }
        let folder = try ground.bundle()
        for name in ["bundle.json", "scenario.yaml"] {
            let file = folder.appending(name).string
            try FileManager.default.moveItem(atPath: file, toPath: ground.folder.appending("kept").string)
            #expect(throws: (any Error).self) { try FailureBundle(reading: folder) }
            try FileManager.default.moveItem(atPath: ground.folder.appending("kept").string, toPath: file)
        }
        _ = try FailureBundle(reading: folder)
        let huge = try ground.write("bundle/packs/huge", [])
        #expect(truncate(huge.string, 2 << 30) == 0)
        #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
        #expect(truncate(huge.string, 0) == 0)
        try ground.write("bundle/1/2/3/4/5/6/7/8", [1])
        #expect(throws: BundleError.self) { try FailureBundle(reading: folder) }
    }
}
