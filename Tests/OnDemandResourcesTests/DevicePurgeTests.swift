import Foundation
import SystemPackage
import Testing

@testable import ResourceLoading

/// `headwind device purge` as a process, while apps use the device.
@Suite(.timeLimit(.minutes(1)))
struct DevicePurgeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var pinned: [String] = []
        var status: Int32 = 0
        var left: Set<String>
        var words: [String] = []
        var testDescription: String { arguments.joined(separator: " ") + " \(pinned)" }
    }

    /// Three packs of 5 bytes each, used in the order of their names.
    static let cases = [
        Case(arguments: [], left: [], words: ["purged 3 packs, 15 bytes"]),
        Case(arguments: ["--free", "5B"], left: ["b", "c"], words: ["a  5", "purged 1 pack, 5 bytes"]),
        Case(arguments: ["--free", "6B"], left: ["c"], words: ["purged 2 packs"]),
        Case(arguments: ["--free", "6B"], pinned: ["a"], left: ["a"], words: ["purged 2 packs"]),
        Case(
            arguments: ["--free", "16B"], status: 1, left: [],
            words: ["freed 15 of 16 bytes", "1 bytes are missing"]),
        Case(
            arguments: ["--free", "1B"], pinned: ["a", "b", "c"], status: 1, left: ["a", "b", "c"],
            words: ["freed 0 of 1 bytes"]),
        Case(arguments: ["--tag", "t-b"], left: ["a", "c"], words: ["b  5"]),
        Case(arguments: ["--tag", "t-b", "--tag", "t-c"], left: ["a"], words: ["purged 2 packs, 10 bytes"]),
        Case(
            arguments: ["--tag", "t-b"], pinned: ["b"], left: ["a", "b", "c"],
            words: ["'b' stays: a request of a running client uses it", "purged 0 packs"]),
        Case(
            arguments: ["--tag", "t-bb"], status: 1, left: ["a", "b", "c"],
            words: ["no stored pack has this tag. Did you mean 't-b'?"]),
        Case(
            arguments: ["--free", "1B", "--tag", "t-b"], status: 64, left: ["a", "b", "c"],
            words: ["--free and --tag cannot be combined"]),
        Case(arguments: ["--free", "0B"], status: 64, left: ["a", "b", "c"], words: ["1 byte or more"]),
    ]

    @Test(arguments: cases) func removesTheRequestedPacks(_ test: Case) async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            for name in ["a", "b", "c"] {
                try await store.fill(name, tags: ["t-\(name)"])
                store.note(pinned: [], used: [name])
            }
            try store.want(Set(test.pinned))
            let (status, text) = try Self.purge(store.root, test.arguments)
            #expect(status == test.status && test.words.allSatisfy(text.contains), "\(status): \(text)")
            let left = Set(try FileSystem.entries(of: store.layout.packs).map(\.string))
            #expect(left == test.left)
            store.close()
        }
    }

    /// A running app is notified before anything is purged.
    @Test func aRunningAppIsNotifiedFirst() async throws {
        try await withTemporaryFolder { folder in
            let log = EventLog()
            var configuration = LoaderConfiguration(manifest: "http://127.0.0.1:9/m", store: folder.appending("store"))
            configuration.capacity = 100
            let loader = try ResourceLoader(configuration) { log.add($0) }
            try await loader.store.fill("a")
            let (status, text) = try Self.purge(loader.store.root, ["--free", "1B"])
            #expect(status == 0, "\(text)")
            await log.next { $0.kind == .notification }
            await loader.close()
        }
    }

    private static func purge(_ root: FilePath, _ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = ClientProcess.executable.deletingLastPathComponent().appendingPathComponent("headwind")
        process.arguments = ["device", "purge", "--store", root.string] + arguments
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
