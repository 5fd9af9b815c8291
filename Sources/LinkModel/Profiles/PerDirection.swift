/// A value for each direction of a link.
///
/// It is inlined into other modules, because code for each packet uses it; the compiler does not do so by itself.
@usableFromInline
package struct PerDirection<Value> {
    @usableFromInline package var downlink: Value
    @usableFromInline package var uplink: Value

    @inlinable
    package init(downlink: Value, uplink: Value) {
        self.downlink = downlink
        self.uplink = uplink
    }

    /// The same value for both.
    @inlinable
    package init(both value: Value) {
        self.init(downlink: value, uplink: value)
    }

    /// The results of `value` for each direction.
    @inlinable
    package init(_ value: (Direction) throws -> Value) rethrows {
        self.init(downlink: try value(.downlink), uplink: try value(.uplink))
    }

    @inlinable
    package subscript(direction: Direction) -> Value {
        @inline(__always) get { direction == .downlink ? downlink : uplink }
        @inline(__always) _modify {
            switch direction {
            case .downlink: yield &downlink
            case .uplink: yield &uplink
            }
        }
    }

    /// The results of `transform` for each value.
    @inlinable
    package func map<Mapped>(_ transform: (Value) throws -> Mapped) rethrows -> PerDirection<Mapped> {
        PerDirection<Mapped>(downlink: try transform(downlink), uplink: try transform(uplink))
    }
}

extension PerDirection: Sendable where Value: Sendable {}
extension PerDirection: Equatable where Value: Equatable {}
extension PerDirection: Hashable where Value: Hashable {}

/// One of the two directions of a link, as the client sees them.
///
/// What code for each packet uses is inlined into other modules; the compiler does not do so by itself.
@usableFromInline
package enum Direction: String, CaseIterable, Sendable, Codable {
    /// From the host to the client.
    case downlink
    /// From the client to the host.
    case uplink

    @inlinable package var opposite: Direction { self == .downlink ? .uplink : .downlink }

    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.downlink, .downlink), (.uplink, .uplink): true
        default: false
        }
    }
}
