import Foundation
import SystemPackage

@testable import History
@testable import Results

/// Reads a history's file: its series can be read and its runs removed, or it is refused.
///
/// Reading never changes it.
func fuzzHistory(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        let path = try place.file("history.sqlite", bytes)
        if let history = try? RunHistory(readingFrom: path), let series = try? history.series() {
            for one in series {
                try demand(one.points.allSatisfy { $0.attempts > 0 }, "a run is in a series without an attempt")
                let json = try? JSONEncoder().encode(one)
                try demand(json != nil, "a series cannot be written")
            }
        }
        let after = FileManager.default.contents(atPath: path.string).map { [UInt8]($0) }
        try demand(after == bytes, "a history changed when it was read")
        guard let history = try? RunHistory(recordingAt: path) else { return }
        _ = try? history.prune(before: "2020-01-01T00:00:00Z")
        _ = try? history.series(cell: "a", metric: .timeToAvailable)
    }
}
