import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import ResourceLoading

/// The most that a store had at a time, to the byte.
struct StorePeakTests {
    private let zip = DeflatedZip.archive(runs: 4000)
    /// What the archive unpacks to.
    private let whole: Int64 = 1 + 258 * 4000

    private func write(_ bytes: [UInt8], to path: FilePath) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    }

    private func pack(_ name: String, isArchive: Bool, storedSize: Int64) -> CatalogPack {
        CatalogPack(
            identifier: name, url: "http://host/\(name)", tags: ["t"], edition: .init(sha256: "00"),
            storedSize: storedSize, downloadSize: nil, fileName: isArchive ? nil : "file")
    }

    /// Brings a pack into a store from where downloads are.
    private func fill(_ store: PackStore, _ pack: CatalogPack, _ bytes: [UInt8]) async throws {
        let partial = store.layout.partial(of: pack.identifier)
        try partial.write(PartialNote(pack: pack.identifier, edition: pack.edition))
        try write(bytes, to: partial.data)
        _ = try await store.publish(store.unpack(partial.data, as: pack))
    }

    @Test func anArchiveIsThereTwice() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            try await fill(store, pack("a", isArchive: true, storedSize: whole), zip)
            #expect(store.stored == whole)
            #expect(store.peak == whole + Int64(zip.count))
        }
    }

    @Test func aPlainFileIsThereOnce() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            try await fill(store, pack("p", isArchive: false, storedSize: 500), [UInt8](repeating: 1, count: 500))
            #expect(store.peak == 500)
        }
    }

    @Test func anOlderEditionCountsUntilItIsReplaced() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            try await fill(store, pack("p", isArchive: false, storedSize: 500), [UInt8](repeating: 1, count: 500))
            try await fill(store, pack("p", isArchive: false, storedSize: 700), [UInt8](repeating: 2, count: 700))
            #expect(store.stored == 700)
            #expect(store.peak == 1200)
        }
    }

    @Test func whatIsPurgedCounted() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"), capacity: 900)
            try await fill(store, pack("p", isArchive: false, storedSize: 500), [UInt8](repeating: 1, count: 500))
            guard case .made = try store.reserve(["q": 600], keeping: []) else { throw Errno.noSpace }
            try await fill(store, pack("q", isArchive: false, storedSize: 600), [UInt8](repeating: 2, count: 600))
            #expect(store.stored == 600)
            // Never both: the one went before the other came.
            #expect(store.peak == 600)
        }
    }

    /// What was written before an archive turns out to be too much was there.
    @Test func anUnpackingThatFailsCounts() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            let big = DeflatedZip.archive(runs: 16_000)
            await #expect(throws: DownloadFailure.self) {
                try await fill(store, pack("a", isArchive: true, storedSize: 5), big)
            }
            let peak = store.peak
            #expect(peak > Int64(big.count) + (512 << 10) && peak <= Int64(big.count) + 2 << 20, "\(peak)")
            #expect(store.stored == 0)
        }
    }
}
