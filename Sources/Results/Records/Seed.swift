/// A seed of random decisions.
///
/// In JSON it is a string of decimal digits, because not every reader keeps 64 bits of a number.
package struct Seed: Hashable, Sendable, Codable, CustomStringConvertible {
    package var value: UInt64

    package init(_ value: UInt64) { self.value = value }

    package var description: String { String(value) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = UInt64(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a seed is a string of decimal digits")
        }
        self.value = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
