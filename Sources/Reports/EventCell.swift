/// Tells which cell a line of `events.jsonl` is of.
package enum EventCell {
    /// nil for a line of the run as a whole, and for one that is no event.
    package static func of(_ line: ArraySlice<UInt8>) -> String? {
        line.withUnsafeBufferPointer { EventLineParser.parse($0)?.cell }
    }
}
