package import LinkModel

/// A value for each direction.
package struct PerDirection<Value> {
    package var downlink: Value
    package var uplink: Value

    package init(downlink: Value, uplink: Value) {
        self.downlink = downlink
        self.uplink = uplink
    }

    package subscript(direction: Direction) -> Value {
        get { direction == .downlink ? downlink : uplink }
        _modify {
            switch direction {
            case .downlink: yield &downlink
            case .uplink: yield &uplink
            }
        }
    }
}

extension PerDirection: Sendable where Value: Sendable {}
extension PerDirection: Equatable where Value: Equatable {}
extension PerDirection: Hashable where Value: Hashable {}
