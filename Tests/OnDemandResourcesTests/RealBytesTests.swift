import Foundation
import Glibc
import ResourceLoading
import SystemPackage
import Testing

/// More than 2 GB in use at once, as real bytes on a real file system, and the client's memory for them.
@Suite(.sideBySide, .tags(.realBytes), .serialized, .timeLimit(.minutes(5)))
struct RealBytesTests {
    /// The most memory that the client may use, in bytes, whatever it downloads.
    private static let mostMemory = 64_000_000

    /// Exactly the limit of ios-2015, one pack more, and the same packs where there is no limit.
    @Test func twoGigabytesAreInUseAndNotAByteMore() async throws {
        try await DiskFolder.with(room: 5_000_000_000) { folder in
            var host = RealHost(folder: folder)
            try host.add(.init(name: "a", bytes: 1_100_000_000, files: 0))
            try host.add(.init(name: "b", bytes: 500_000_000, files: 0))
            try host.add(.init(name: "c", bytes: 400_000_000, files: 10))
            try host.add(.init(name: "d", bytes: 1000))
            try await host.serve { manifest in
                let configuration = LoaderConfiguration(manifest: manifest, store: folder.appending("store"))
                let most = try await expectLimit(configuration, folder)
                #expect(most < Self.mostMemory, "the client needed \(most) bytes of memory")
                try await expectMore(configuration, folder)
            }
        }
    }

    /// Fills the limit to the byte; the next pack is refused before a byte of it is fetched.
    ///
    /// Returns the client's peak memory in bytes.
    private func expectLimit(_ configuration: LoaderConfiguration, _ folder: FilePath) async throws -> Int {
        let steps = """
            {"steps": [{"request": {"id": "full", "tags": ["a", "b", "c"]}},
                       {"request": {"id": "more", "tags": ["d"]}}, {"sleep": 3000}]}
            """
        let client = try start(configuration, steps, folder)
        var events: [ClientLine] = []
        while let event = await client.next() {
            events.append(event)
            if event.name == "error" { break }
        }
        let memory = try Self.peakMemory(of: client.identifier)
        client.signal(SIGTERM)
        let rest = await client.finish()
        events += rest.events
        #expect(events.filter { $0.name == "available" }.map { $0.text("id") } == ["full"])
        let used = events.filter { $0.name == "usage" }.compactMap { $0.number("inUse") }.max()
        #expect(used == 2_000_000_000)
        let error = try #require(events.first { $0.name == "error" })
        #expect(error.number("code") == 4993)
        let message = error.text("message") ?? ""
        for part in [
            "bytes in use from 2000000000 to 2000001000",
            "the limit of 2000000000", "'d' 1000 bytes", "'full' 2000000000",
        ] {
            #expect(message.contains(part), "\(message)")
        }
        #expect(!events.contains { $0.name == "fetch" && $0.text("pack") == "d" })
        return memory
    }

    /// The same packs and one more, under a system without the limit.
    private func expectMore(_ configuration: LoaderConfiguration, _ folder: FilePath) async throws {
        let client = try ClientProcess(configuration, ["--limits", "ios-18", "a", "b", "c", "d"])
        let result = await client.finish()
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.events.compactMap { $0.number("inUse") }.max() == 2_000_001_000)
        let fetched = result.events.filter { $0.name == "fetch" }.compactMap { $0.text("pack") }
        #expect(fetched.filter { $0.count == 1 } == ["d"])
        let blocks = try Self.blocks(under: configuration.store.appending("packs"))
        #expect(blocks >= 2_000_001_000, "\(blocks) bytes are on the disk")
    }

    /// The memory that a pack of 3000 files and 100 packs at once need.
    @Test func memoryDoesNotGrowWithFilesAndPacks() async throws {
        // In memory, because the disk's own cost of so many files does not matter here.
        try await withTemporaryFolder(in: "/dev/shm") { folder in
            var host = RealHost(folder: folder)
            try host.add(.init(name: "files", bytes: 10_000_000, files: 3_000))
            for number in 0..<100 { try host.add(.init(name: "p\(number)", bytes: 20_000)) }
            let tags = host.packs.map(\.identifier)
            try await host.serve { manifest in
                let configuration = LoaderConfiguration(manifest: manifest, store: folder.appending("store"))
                let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
                let steps = "{\"steps\": [{\"request\": {\"id\": \"all\", \"tags\": [\(list)]}}, {\"sleep\": 3000}]}"
                let client = try start(configuration, steps, folder, ["--parallel", "64"])
                #expect(await client.reaches("available"))
                let memory = try Self.peakMemory(of: client.identifier)
                client.signal(SIGTERM)
                _ = await client.finish()
                #expect(memory < Self.mostMemory, "the client needed \(memory) bytes of memory")
            }
        }
    }

    private func start(
        _ configuration: LoaderConfiguration, _ steps: String, _ folder: FilePath, _ more: [String] = []
    ) throws -> ClientProcess {
        let file = folder.appending("workload.json")
        try Data(steps.utf8).write(to: URL(fileURLWithPath: file.string))
        return try ClientProcess(configuration, ["--workload", file.string] + more)
    }

    /// The peak memory of a process since its start, in bytes; see proc_pid_status(5).
    private static func peakMemory(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        let kibibytes = try #require(Int(line.filter(\.isNumber)))
        return kibibytes * 1024
    }

    /// Bytes of the disk blocks that the files occupy.
    private static func blocks(under folder: FilePath) throws -> Int64 {
        var total: Int64 = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.string) {
            var status = stat()
            guard lstat(folder.appending(name).string, &status) == 0 else { throw Errno(rawValue: errno) }
            total += Int64(status.st_blocks) * 512
        }
        return total
    }
}
