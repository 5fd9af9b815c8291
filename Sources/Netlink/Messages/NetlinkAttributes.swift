/// Builds the attributes of a netlink message: length, type and value, padded to four bytes; see netlink(7).
///
/// An attribute that is too long for its 16-bit length traps; what may be too long is checked where it comes from.
package struct NetlinkAttributes: Hashable, Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func add(_ type: Int, _ value: some FixedWidthInteger & BitwiseCopyable) {
        add(type, [UInt8](native: [value]))
    }

    /// Adds a text, with the NUL at its end.
    package mutating func add(_ type: Int, _ value: String) {
        // The kernel would ignore what follows a NUL.
        add(type, value.utf8.prefix { $0 != 0 } + [0])
    }

    package mutating func add(_ type: Int, _ value: [UInt8]) {
        let length = Self.headerSize + value.count
        guard let length = UInt16(exactly: length), let type = UInt16(exactly: type) else {
            preconditionFailure("an attribute of \(length) bytes and type \(type) does not fit into a message")
        }
        bytes += [UInt8](native: [length, type])
        bytes += value
        bytes += [UInt8](repeating: 0, count: -bytes.count & 3)
    }

    /// Adds an attribute that consists of others, and says so (`NLA_F_NESTED`).
    package mutating func nest(_ type: Int, _ body: (inout NetlinkAttributes) -> Void) {
        var inner = NetlinkAttributes()
        body(&inner)
        add(type | Self.nestedFlag, inner.bytes)
    }

    private static let headerSize = 4
    private static let nestedFlag = 0x8000
}

extension [UInt8] {
    /// Integers in this machine's byte order.
    init(native values: some Sequence<some FixedWidthInteger & BitwiseCopyable>) {
        self = []
        for value in values { append(native: value) }
    }

    /// Appends a number in this machine's byte order, which netlink uses for nearly all numbers.
    mutating func append(native value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe Swift.withUnsafeBytes(of: value) { unsafe append(contentsOf: $0) }
    }
}
