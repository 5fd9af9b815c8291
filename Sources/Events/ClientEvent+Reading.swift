extension ClientEvent {
    /// A line of any client, read leniently.
    ///
    /// A member of another type than declared is assumed to be the client's own, and is ignored.
    package struct Line: Decodable {
        package let event: ClientEvent

        /// Throws if it is not an event of this version, or has an impossible number.
        package init(from decoder: any Decoder) throws {
            event = try ClientEvent(from: LineDecoder(base: decoder))
            guard event.v == ClientEvent.version, moments.contains(event.t) else { throw NoEvent() }
        }
    }
}

/// Possible times of the clock, in nanoseconds: up to 146 years after its start.
private let moments: ClosedRange<Int64> = 0...1 << 62
/// Possible numbers of bytes: those that JSON can hold exactly everywhere (RFC 8259 §6).
private let counts: ClosedRange<Int64> = 0...1 << 53

/// The error for a line that is not an event.
private struct NoEvent: Error {}

private struct LineDecoder: Decoder {
    let base: any Decoder
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(LineContainer(base: try base.container(keyedBy: type)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoEvent() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoEvent() }
}

private struct LineContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>
    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    func contains(_ key: Key) -> Bool { base.contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try base.decode(type, forKey: key)
    }

    // The protocol has one for each type, which would be preferred to a generic one.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { fitting(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { fitting(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { fitting(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { fitting(type, key) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? { fitting(type, key) }

    /// A number of bytes.
    ///
    /// An impossible one makes the line invalid, because verdicts are calculated from it. Only an impossible `length`
    /// or `inUse` is ignored: clients write -1 for "not known".
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        if let count = fitting(type, key), counts.contains(count) { return count }
        guard ["length", "inUse"].contains(key.stringValue) || fitting(Double.self, key) == nil else {
            throw NoEvent()
        }
        return nil
    }

    private func fitting<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        contains(key) ? try? base.decode(type, forKey: key) : nil
    }

    func nestedContainer<Other: CodingKey>(
        keyedBy type: Other.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Other> { throw NoEvent() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NoEvent() }
    func superDecoder() throws -> any Decoder { throw NoEvent() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoEvent() }
}
