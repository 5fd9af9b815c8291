/// The cell that a line of `events.jsonl` belongs to.
package enum EventCell {
    /// The name of the cell; nil for a line of the run as a whole, or for a line that is not an event.
    package static func of(_ line: ArraySlice<UInt8>) -> String? {
        line.withUnsafeBufferPointer { EventLineParser.parse($0)?.cell }
    }
}
