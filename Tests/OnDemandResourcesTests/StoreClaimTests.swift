import Foundation
import Glibc
import SystemPackage
import Testing

@testable import ResourceLoading

/// Packs that living processes hold stay, even if the claims cannot be read.
@Suite(.timeLimit(.minutes(1)))
struct StoreClaimTests {
    enum Entry: String, CaseIterable { case empty, zeroes, cut, foreign, earlier }

    /// A living process whose claims are unreadable holds everything.
    @Test(arguments: Entry.allCases)
    func anEntryThatCannotBeReadHoldsEverything(entry: Entry) async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"), capacity: 10)
            try await store.fill("p")
            let path = store.layout.users.appending("4711.1")
            let lock = try FileLock(path)
            lock.lock(.exclusive)
            switch entry {
            case .empty: break
            case .zeroes: try path.fill(String(repeating: "\0", count: 100))
            case .cut: try path.fill(#"{"version":1,"process":4711,"wanted":["p"#)
            case .foreign: try path.fill(#"{"version":2}"#)
            // An earlier build, whose claims have other names.
            case .earlier:
                try path.fill(
                    #"{"version":1,"process":4711,"held":["p"],"inUse":[],"sizes":{},"promises":{},"mayHoldAll":false}"#
                )
            }
            guard try store.reserve(["q": 6], keeping: []).missing > 0 else { throw Errno.noSpace }
            #expect(try store.purgeAll().isEmpty && store.text(of: "p") == "12345")
            lock.unlock()
            #expect(try store.purgeAll().map(\.pack) == ["p"])
        }
    }

    /// A process without free descriptors cannot check other processes, so it takes none of them for dead.
    @Test func aProcessWithoutDescriptorsTakesNoOtherForDead() async throws {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { folder in
                let (one, two) = (try PackStore(folder.appending("s")), try PackStore(folder.appending("s")))
                try await two.fill("p")
                // Store `one` now knows the pack, so it could purge it.
                try one.want([])
                try two.want(["p"])
                let entries = try FileSystem.entries(of: one.layout.users)
                let next = try FileDescriptor.open("/dev/null", .readOnly)
                var few = rlimit(rlim_cur: rlim_t(next.rawValue), rlim_max: 1024)
                try next.close()
                var before = rlimit()
                getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &before)
                few.rlim_max = before.rlim_max
                setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &few)
                _ = try? one.purgeAll()
                setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &before)
                #expect(try FileSystem.entries(of: one.layout.users) == entries)
                #expect(two.text(of: "p") == "12345")
                _ = try? one.purgeAll()
                #expect(two.text(of: "p") == "12345")
            }
        }
    }

    /// Packs whose claim cannot be written are not held, and other processes keep the last known claims.
    @Test func aClaimThatCannotBeWrittenFails() async throws {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { folder in
                let root = folder.appending("store")
                let (one, two) = (try PackStore(root, capacity: 10), try PackStore(root, capacity: 10))
                try await one.fill("p")
                try one.want(["p"])
                signal(SIGXFSZ, SIG_IGN)
                var small = rlimit(rlim_cur: 2000, rlim_max: 2000)
                setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &small)
                let many = Set((0..<1000).map { "pack \($0)" })
                #expect(throws: StoreError.self) { try one.want(many) }
                let wishes = Dictionary(uniqueKeysWithValues: many.map { ($0, Int64(0)) })
                #expect(throws: StoreError.self) { try one.reserve(wishes, keeping: []) }
                #expect(one.inventory.withLock { $0.wanted == ["p"] && $0.reservations.isEmpty })
                try two.want([])
                #expect(two.inventory.withLock { $0.wantedByOthers == ["p"] && !$0.othersMayPinAll })
            }
        }
    }

    /// A lock file that cannot be opened counts as held, unless it does not exist.
    @Test(arguments: [("nothing", false), ("loop", true), ("free", false), ("taken", true)])
    func aLockThatCannotBeOpenedIsHeld(name: String, isHeld: Bool) async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending("loop").string, withDestinationPath: "loop")
            try folder.appending("free").fill("")
            let lock = try FileLock(folder.appending("taken"))
            lock.lock(.exclusive)
            #expect(FileLock.isHeld(folder.appending(name)) == isHeld)
            lock.unlock()
        }
    }

    enum Holder: CaseIterable { case nobody, waiting, here, elsewhere }

    /// A pack in use is not replaced by another edition.
    @Test(arguments: Holder.allCases)
    func anotherEditionWaitsForThePin(holder: Holder) async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            let (one, two) = (try PackStore(root), try PackStore(root))
            try await one.fill("p", "older", edition: .init(sha256: "00"))
            switch holder {
            case .nobody: break
            case .waiting: try two.want(["p"])
            case .here: one.note(pinned: ["p"])
            case .elsewhere: two.note(pinned: ["p"])
            }
            let isReplaced = holder == .nobody || holder == .waiting
            do {
                try await one.fill("p", "newer", edition: .init(sha256: "11"))
                #expect(isReplaced)
            } catch let failure as DownloadFailure {
                #expect(!isReplaced && failure.kind == .storeFailed)
            }
            #expect(one.text(of: "p") == (isReplaced ? "newer" : "older"))
            one.note(pinned: [])
            two.note(pinned: [])
            try await one.fill("p", "third", edition: .init(sha256: "22"))
            #expect(one.text(of: "p") == "third")
        }
    }

    /// The store of a device's bundle cannot be opened by itself: it would have its own gate and count.
    @Test func aBundlesStoreIsNoStoreByItself() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("device")
            let one = try PackStore(root, bundle: "one")
            try await one.fill("p")
            #expect(throws: StoreError.self) { try PackStore(one.root) }
            let link = folder.appending("link")
            try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: one.root.string)
            #expect(throws: StoreError.self) { try PackStore(link) }
            // A store in a folder that is only named `bundles` still opens.
            try FileManager.default.createDirectory(
                atPath: folder.appending("bundles").string, withIntermediateDirectories: true)
            #expect(throws: Never.self) { try PackStore(folder.appending("bundles").appending("own")) }
        }
    }
}
