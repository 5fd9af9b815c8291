import Foundation
import Glibc
import SystemPackage
import Testing

@testable import ResourceLoading

/// Files of a store that another program wrote, or that were cut short.
@Suite(.timeLimit(.minutes(1)))
struct StoreDamageTests {
    @Test(
        arguments: [
            ("", 0), ("5", 5), ("5\0\0\0", 5), ("12\n", 12), ("x", 0), ("-1", 0), ("+5", 0), ("9223372036854775807", 0),
            ("99999999999999999999", 0),
        ] as [(String, Int64)])
    func theCountOfChangesIsItsLeadingDigits(text: String, count: Int64) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("gate")
            try path.fill(text)
            let gate = try StoreGate(path)
            #expect(gate.enter() == count)
            gate.leave(changes: 7)
            #expect(FileManager.default.contents(atPath: path.string) == Data("7".utf8))
        }
    }

    @Test(arguments: [
        ("gate", "9223372036854775807"),
        ("index.json", #"{"version":1,"uses":9223372036854775807,"packs":{},"preservation":{}}"#),
        (
            "index.json",
            #"{"version":1,"uses":1,"packs":{"p":{"lastUse":9223372036854775807,"isPurged":false}},"preservation":{}}"#
        ),
    ])
    func impossibleNumbersDoNotTrap(file: String, text: String) async throws {
        await #expect(processExitsWith: .success) { [file, text] in
            try await withTemporaryFolder { folder in
                let root = folder.appending("store")
                try PackStore(root).close()
                try root.appending(file).fill(text)
                let store = try PackStore(root)
                try await store.fill("p")
                store.note(pinned: [], used: ["p"])
                store.note(pinned: [], used: ["p", "q"])
                #expect(store.text(of: "p") == "12345")
            }
        }
    }

    /// A store that another program made may contain links; the store never changes their targets.
    @Test(arguments: ["packs", "partial", "temporary", "users", "leases"])
    func followsNoLinkInPlaceOfAFolder(name: String) async throws {
        try await withTemporaryFolder { folder in
            let (root, outside) = (folder.appending("store"), folder.appending("outside"))
            try PackStore(root).close()
            try FileSystem.makeFolder(outside)
            try outside.appending("kept").fill("This stays.")
            try FileSystem.remove(root.appending(name))
            #expect(symlink(outside.string, root.appending(name).string) == 0)
            #expect(throws: StoreError.self) { try PackStore(root) }
            #expect(try FileSystem.entries(of: outside).map(\.string) == ["kept"])
            try PackStore.reset(root)
            #expect(try FileSystem.entries(of: outside).map(\.string) == ["kept"])
        }
    }

    /// A folder in place of the index is replaced, so that the store can save its state.
    @Test(arguments: ["index.json", "index.json.new"])
    func aFolderInPlaceOfTheIndexIsReplaced(name: String) async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            let first = try PackStore(root)
            // A store that another process uses is not cleared.
            defer { first.close() }
            try FileSystem.makeFolder(root.appending(name).appending("inner"))
            let store = try PackStore(root)
            store.setPreservation(0.5, of: "level-1")
            store.close()
            #expect(try PackStore(root).preservation(of: "level-1") == 0.5)
        }
    }

    @Test func removesALinkInPlaceOfADownload() async throws {
        try await withTemporaryFolder { folder in
            let (root, outside) = (folder.appending("store"), folder.appending("outside"))
            try PackStore(root).close()
            try outside.fill("This stays.")
            let partial = StoreLayout(root: root).partial(of: "p")
            try partial.write(PartialNote(pack: "p", edition: PackEdition(), validator: "\"a\"", total: 1000))
            #expect(symlink(outside.string, partial.data.string) == 0)
            #expect(partial.resumePoint(for: "p", PackEdition()) == nil)
            try PackStore(root).close()
            #expect(FileSystem.status(of: partial.data) == nil)
            #expect(FileManager.default.contents(atPath: outside.string) == Data("This stays.".utf8))
        }
    }

    @Test(arguments: ["index.json.new", "manifest.plist.new", "tags.plist.new"])
    func unfinishedWritesAreRemoved(name: String) async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            try PackStore(root).close()
            try root.appending(name).fill("half")
            try PackStore.reset(root)
            #expect(try FileSystem.entries(of: root).isEmpty)
            try PackStore(root).close()
            try root.appending(name).fill("half")
            try PackStore(root).close()
            #expect(FileSystem.status(of: root.appending(name)) == nil)
        }
    }

    @Test func aWriteThatFailsLeavesNothing() async throws {
        try await withTemporaryFolder { folder in
            let target = folder.appending("target")
            try target.fill("old")
            // A link in place of the unfinished file is not written through.
            #expect(symlink(target.string, FileSystem.unfinished(target).string) == 0)
            #expect(throws: StoreError.self) { try FileSystem.replaceContents(of: target, with: [1]) }
            #expect(try FileSystem.entries(of: folder).map(\.string) == ["target"])
            #expect(FileManager.default.contents(atPath: target.string) == Data("old".utf8))
        }
    }

    /// A pack that cannot be removed stays, and the refused request reserves no room.
    @Test func aFailedPurgeReservesNothing() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"), capacity: 10)
            try await store.fill("p")
            try FileSystem.remove(store.layout.temporary)
            try store.layout.temporary.fill("no folder")
            #expect(throws: StoreError.self) { try store.reserve(["q": 6], keeping: []) }
            #expect(store.inventory.withLock(\.reservations).isEmpty)
            try store.want([])
            #expect(store.storedPack("p") != nil)
            try FileSystem.remove(store.layout.temporary)
            try FileSystem.makeFolder(store.layout.temporary)
            let relief = try store.reserve(["q": 6], keeping: [])
            guard relief.missing == 0 else { throw Errno.noSpace }
            #expect(relief.purges.map(\.pack) == ["p"])
        }
    }

    enum Change: String, CaseIterable { case purge, publish }

    /// A process announces a change before it makes it, so that others reload even if it dies in between.
    @Test(arguments: Change.allCases, [false, true])
    func aChangeIsAnnouncedBeforeItIsMade(change: Change, isDevice: Bool) async throws {
        let pack = TestPack(name: "a", body: content(5000), tags: ["a"])
        try await Fixture.run([pack]) { fixture in
            let root = fixture.configuration.store
            let store = isDevice ? try PackStore(root, bundle: "one") : try PackStore(root)
            let gate = isDevice ? root.appending("gate") : store.layout.gate
            if change == .purge { try await store.fill("a") }
            let log = fixture.folder.appending("log").string
            let program =
                change == .purge
                ? ["headwind", "device", "purge", "--store", root.string]
                : ["headwind-client", "--manifest", fixture.configuration.manifest, "--store", root.string]
                    + (isDevice ? ["--bundle", "one"] : []) + ["a"]
            #expect(try Self.trace(program, to: log) == 0)
            let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            let moved = try #require(lines.firstIndex { $0.contains("rename") && $0.contains("packs/a\"") })
            let entered = try #require(
                lines[..<moved].lastIndex { $0.contains("flock") && $0.contains("\(gate)>, LOCK_EX") })
            #expect(lines[entered..<moved].contains { $0.contains("pwrite64") && $0.contains("\(gate)>") })
            store.close()
        }
    }

    /// Runs a program from the tests' folder under strace(1), which logs its system calls with file names.
    private static func trace(_ program: [String], to log: String) throws -> Int32 {
        let folder = ClientProcess.executable.deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        process.arguments =
            ["-f", "-y", "-qq", "-o", log, "-e", "trace=flock,rename,pwrite64"]
            + [folder.appendingPathComponent(program[0]).path] + program.dropFirst()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
