internal import Dispatch

extension RandomAccessCollection where Self: Sendable {
    /// The results of `body` for each element, in order, computed in parallel on all processors.
    ///
    /// For work of a millisecond or more: the calling thread takes part, and waits for the others.
    package func concurrentMap<Value: Sendable>(_ body: @Sendable (Element) -> Value) -> [Value] {
        guard count > 1 else { return map(body) }
        var values = [Value?](repeating: nil, count: count)
        values.withUnsafeMutableBufferPointer { places in
            // Each place is written once, by the one call that has its offset.
            nonisolated(unsafe) let places = places
            DispatchQueue.concurrentPerform(iterations: count) { offset in
                places[offset] = body(self[index(startIndex, offsetBy: offset)])
            }
        }
        return values.compactMap(\.self)
    }

    /// The elements in stretches of `length`; the last one may be shorter.
    package func stretches(of length: Int) -> [SubSequence] {
        stride(from: 0, to: count, by: length).map { dropFirst($0).prefix(length) }
    }
}
