import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import ResourceLoading

/// The most bytes that a store had at a time, to the byte.
struct StorePeakTests {
    private let zip = DeflatedZip.archive(runs: 4000)
    /// The unpacked size of the archive, in bytes.
    private let whole: Int64 = 1 + 258 * 4000

    private func write(_ bytes: [UInt8], to path: FilePath) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    }

    private func pack(_ name: String, isArchive: Bool, storedSize: Int64) -> CatalogPack {
        CatalogPack(
            identifier: name, url: "http://host/\(name)", tags: ["t"], edition: .init(sha256: "00"),
            storedSize: storedSize, downloadSize: nil, fileName: isArchive ? nil : "file")
    }

    /// Puts a pack into a store, by way of its download folder.
    private func fill(_ store: PackStore, _ pack: CatalogPack, _ bytes: [UInt8]) async throws {
        let partial = store.layout.partial(of: pack.identifier)
        try partial.write(PartialNote(pack: pack.identifier, edition: pack.edition))
        try write(bytes, to: partial.data)
        _ = try await store.publish(store.unpack(partial.data, as: pack))
    }

    @Test func anArchiveCountsPackedAndUnpacked() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            try await fill(store, pack("a", isArchive: true, storedSize: whole), zip)
            #expect(store.stored == whole)
            #expect(store.peak == whole + Int64(zip.count))
        }
    }

    @Test func aPlainFileCountsOnce() async throws {
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

    @Test func aPurgedPackDoesNotAddToTheNextOne() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"), capacity: 900)
            try await fill(store, pack("p", isArchive: false, storedSize: 500), [UInt8](repeating: 1, count: 500))
            guard try store.reserve(["q": 600], keeping: []).missing == 0 else { throw Errno.noSpace }
            try await fill(store, pack("q", isArchive: false, storedSize: 600), [UInt8](repeating: 2, count: 600))
            #expect(store.stored == 600)
            // Never both: the old pack was purged before the new one came.
            #expect(store.peak == 600)
        }
    }

    /// Bytes that were written before an archive turns out to be too large count, too.
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
