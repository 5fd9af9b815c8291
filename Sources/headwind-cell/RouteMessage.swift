import CNetlink

/// Attributes of a message in the making.
///
/// They are few and small, so that none fails for want of room: a message has a page.
@safe struct RouteMessage: ~Copyable {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) {
        unsafe self.message = unsafe message
    }

    func add(_ type: Int, _ value: UInt8) {
        check(unsafe nla_put_u8(message, Int32(type), value))
    }

    func add(_ type: Int, _ value: UInt32) {
        check(unsafe nla_put_u32(message, Int32(type), value))
    }

    func add(_ type: Int, _ value: String) {
        check(unsafe nla_put_string(message, Int32(type), value))
    }

    func add(_ type: Int, _ bytes: [UInt8]) {
        check(unsafe nla_put(message, Int32(type), Int32(bytes.count), bytes))
    }

    /// Adds an attribute that consists of others.
    func nest(_ type: Int, _ attributes: (borrowing RouteMessage) -> Void) {
        guard let start = unsafe nla_nest_start(message, Int32(type)) else { preconditionFailure("no room") }
        attributes(self)
        check(unsafe nla_nest_end(message, start))
    }

    private func check(_ result: Int32) {
        precondition(result == 0, "an attribute does not fit into a message")
    }
}
