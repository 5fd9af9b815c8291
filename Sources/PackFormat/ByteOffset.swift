/// A place in the body of a full response: it counts from the start of the served file, whatever range was requested.
package enum ByteOffset: Hashable, Sendable {
    /// Bytes from the start.
    case bytes(Int64)
    /// A fraction of the body: 0 is its start, 1 its end.
    case fraction(Double)

    /// The place in a body of `length` bytes: 0 to `length`, fractions rounded down.
    package func resolved(in length: Int64) -> Int64 {
        switch self {
        case .bytes(let count): min(max(count, 0), length)
        case .fraction(let part) where part.isNaN || part <= 0: 0
        case .fraction(let part) where part >= 1: length
        case .fraction(let part): min(Int64(Double(length) * part), length)
        }
    }
}
