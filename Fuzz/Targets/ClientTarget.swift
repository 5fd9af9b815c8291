@testable import Evidence

/// Reads a client's output: its lines do not depend on the pieces in which they arrive, and every line is counted.
func fuzzClient(_ bytes: [UInt8]) throws {
    let whole = lines(of: [bytes[...]])
    let middle = bytes.count / 3
    try demand(lines(of: [bytes[..<middle], bytes[middle...]]) == whole, "in two pieces there are other lines")
    for isBuiltIn in [false, true] {
        var log = ClientLog(mostEvents: 1000, mostBytes: 1 << 20, isBuiltIn: isBuiltIn)
        var taken = 0
        for (number, line) in whole.enumerated() {
            if number == 200 { log.begin() }
            if log.append(line: line, within: isBuiltIn ? nil : 0...1 << 40) != nil { taken += 1 }
        }
        try demand(log.events.count == taken, "\(log.events.count) events are kept, and \(taken) were taken")
        let all = log.events.count + log.strayLines + log.misplacedLines + log.unreadLines
        try demand(all == whole.count, "\(whole.count) lines are counted as \(all)")
        try demand(log.receivedBytes ?? 0 >= 0 && log.overpurged ?? 0 >= 0, "a count is below 0")
        for request in log.requests { try demand(request.callbacks >= 0, "a request is called back never") }
    }
}

private func lines(of pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
    var splitter = LineSplitter()
    var lines: [[UInt8]] = []
    for piece in pieces { lines += splitter.append(Array(piece)) }
    if let last = splitter.finish() { lines.append(last) }
    return lines
}
