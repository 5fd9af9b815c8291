/// An interface of a network, as messages and errors call it.
package struct NetworkInterface: Hashable, Sendable, CustomStringConvertible {
    package let index: UInt32
    package let name: String

    package init(index: UInt32, name: String) {
        (self.index, self.name) = (index, name)
    }

    package var description: String { name }
}
