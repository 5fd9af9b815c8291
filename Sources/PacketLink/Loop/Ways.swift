internal import LinkModel

/// A value for each direction.
struct Ways<Value> {
    var downlink: Value
    var uplink: Value

    init(_ value: (Direction) -> Value) {
        downlink = value(.downlink)
        uplink = value(.uplink)
    }

    init(_ value: Value) {
        downlink = value
        uplink = value
    }

    subscript(direction: Direction) -> Value {
        @inline(__always) _read {
            switch direction {
            case .downlink: yield downlink
            case .uplink: yield uplink
            }
        }
        @inline(__always) _modify {
            switch direction {
            case .downlink: yield &downlink
            case .uplink: yield &uplink
            }
        }
    }
}
