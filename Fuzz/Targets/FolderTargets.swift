import Documents
import Foundation
import SystemPackage

@testable import ResourceLoading
@testable import ResultFiles
@testable import Scenarios

/// Reads a bundle's folder: it is refused, or is a failure that can be played and has no path out of the folder.
func fuzzBundle(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        try place.write(tree: bytes)
        guard let bundle = try? FailureBundle(reading: place.inner) else { return }
        try demand(bundle.scenario.cells.count == 1, "a bundle has \(bundle.scenario.cells.count) cells")
        try demand(bundle.cell.schedule != nil, "a bundle plays no list")
        let json = try require("a record that was read cannot be written") { try bundle.record.jsonText() }
        let again = try require("a record that was written cannot be read") { try BundleRecord(json: Data(json.utf8)) }
        try demand(again == bundle.record, "a record changed when it was written and read")
        _ = bundle.command
        let listing = try FileManager.default.subpathsOfDirectory(atPath: place.inner.string)
        try demand(listing.count <= 4096, "a bundle has \(listing.count) files")
    }
}

/// Reads the store of a client or a device: it is shown and opened without leaving its folder, and sizes add up.
func fuzzStore(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        try place.write(tree: bytes)
        for store in (try? PackStore.stores(in: place.inner)) ?? [] {
            if let report = try? DeviceReport(store.root) {
                try demand(report.usage >= 0, "a store uses \(report.usage) bytes")
                let packs = report.entries.map(\.pack)
                try demand(Set(packs).count == packs.count, "a pack is listed twice")
                try demand(report.entries.allSatisfy { $0.stored >= 0 }, "a pack has less than no bytes")
            }
            guard let opened = try? store.open(capacity: 1 << 20) else { continue }
            try demand(opened.stored >= 0, "a store has \(opened.stored) bytes")
            opened.setPreservation(0.5, of: "level-1")
            opened.note(pinned: [], used: ["pack"])
            let stored = opened.stored
            opened.close()
            let again = try require("a store that was opened cannot be opened again") { try store.open() }
            try demand(again.stored == stored, "a store has \(again.stored) bytes, and had \(stored)")
            try demand(again.preservation(of: "level-1") == 0.5, "a store has forgotten a priority")
            again.close()
        }
    }
}
