import Documents
import Foundation

@testable import Reports
@testable import Results

/// Reads `result.json`: both readers agree, it survives a write and a read, and every report can be made.
func fuzzResult(_ bytes: [UInt8]) throws {
    let whole = try? RunResult(json: Data(bytes))
    let streamed = try? stream(bytes)
    if let streamed {
        guard let whole else { throw Finding("a result that is streamed cannot be read whole") }
        var head = whole
        head.cells = []
        try demand(try streamed.run.json() == head.json(), "a streamed result has another head")
        try demand(streamed.names == whole.cells.map(\.name), "a streamed result has other cells")
    }
    guard let whole else { return }
    let written = try require("a result that was read cannot be written") { try whole.json() }
    let again = try require("a result that was written cannot be read") { try RunResult(json: written) }
    try demand(try again.json() == written, "a result changed when it was written and read")
    try demand(whole.verdict != .pass || whole.exitCode == 0, "a run that passes does not exit with 0")
    for format in ReportFormat.allCases {
        let text = try require("the report '\(format)' cannot be made") { try format.render(whole, folder: "project") }
        let isText = format != .html || text.components(separatedBy: "<script").count == text.scriptEnds
        try demand(isText, "a text of the result begins or ends a script of the page")
        try demand(
            text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" || format == .html },
            "the report '\(format)' has a control character")
    }
}

extension String {
    fileprivate var scriptEnds: Int { components(separatedBy: "</script").count }
}

/// A result that is read 97 bytes at a time, and the names of its cells.
private func stream(_ bytes: [UInt8]) throws -> (run: RunResult, names: [String]) {
    var stream = ResultStream()
    var names: [String] = []
    for start in Swift.stride(from: 0, to: bytes.count, by: 97) {
        bytes[start..<min(start + 97, bytes.count)].withUnsafeBufferPointer { piece in
            stream.add(piece, part: { cell, _ in cell.name }) { names.append($0) }
        }
    }
    return (try stream.finish(), names)
}

/// Reads a file of `--save-baseline`: it is refused, or survives a write and a read.
func fuzzBaseline(_ bytes: [UInt8]) throws {
    guard let baseline = try? StoredBaseline(json: Data(bytes)) else { return }
    let written = try require("a baseline that was read cannot be written") { Data(try baseline.jsonText().utf8) }
    let again = try require("a baseline that was written cannot be read") { try StoredBaseline(json: written) }
    try demand(try Data(again.jsonText().utf8) == written, "a baseline changed when it was written and read")
    for cell in baseline.cells {
        guard case .stored(let attempts) = baseline.source(for: cell.name, cell.fingerprint) else {
            throw Finding("a cell is not compared with itself")
        }
        try demand(attempts.count == cell.attempts.count, "attempts of a cell were lost")
        for metric in Metric.allCases {
            let values = attempts.compactMap { $0[metric].value }.filter(\.isFinite)
            guard !values.isEmpty, values.count <= 50 else { continue }
            _ = ShiftEstimate(values, values)
        }
    }
}

/// Reads `events.jsonl`: each line belongs to one attempt at most, and no text of it can end a page's script.
func fuzzEvents(_ bytes: [UInt8]) throws {
    try InputFolder.with { place in
        let file = try require("a file of events cannot be read") { try EventFile(try place.file("events", bytes)) }
        let total = file.places.values.reduce(0) { $0 + $1.bytes }
        try demand(total <= bytes.count, "\(total) bytes of lines are in a file of \(bytes.count)")
        for key in file.places.keys {
            var lines = 0
            var timeline = AttemptTimeline(origin: nil)
            let isWhole = file.read(key) { event in
                lines += 1
                timeline.add(event)
            }
            var json = PageJSON()
            json.object { $0.timeline(timeline, isWhole: isWhole) }
            try demand(!json.bytes.contains(UInt8(ascii: "<")), "a timeline has a '<'")
            let value = try? JSONSerialization.jsonObject(with: Data(json.bytes))
            try demand(value != nil, "a timeline is no JSON: \(String(decoding: json.bytes, as: UTF8.self))")
            try demand(lines > 0 || !isWhole, "an attempt has bytes and no line")
        }
    }
}
