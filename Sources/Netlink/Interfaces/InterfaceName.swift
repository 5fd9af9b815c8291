/// A name that an interface can have: 1 to 15 bytes, without white space, `/` and `:`.
package struct InterfaceName: Hashable, Sendable, CustomStringConvertible {
    /// Why a name cannot be.
    package struct Unfit: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package let description: String

    package init(_ text: String) throws(Unfit) {
        func unfit(_ reason: String) -> Unfit {
            let shown = String(text.prefix(40)).debugDescription
            return Unfit(description: "Could not take \(shown) for the name of an interface: \(reason).")
        }
        guard !text.isEmpty else { throw unfit("it is empty") }
        guard text.utf8.count <= Self.longest else {
            throw unfit("it has \(text.utf8.count) bytes, and \(Self.longest) are the most")
        }
        guard text != ".", text != ".." else { throw unfit("it is that of a folder") }
        // What the kernel's dev_valid_name() refuses, and what terminals take for orders.
        let isFit = text.utf8.allSatisfy {
            $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":")
        }
        guard isFit else { throw unfit("it has white space, a control character, '/' or ':'") }
        description = text
    }

    private static let longest = 15
}
