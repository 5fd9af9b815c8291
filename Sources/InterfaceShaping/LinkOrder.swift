package import KernelLink

/// A request to shape an interface, checked as far as possible without reading the interface.
package struct LinkOrder {
    /// The interface's name, which is valid.
    package let interface: String
    package let shape: InterfaceShape
    /// How long the shape stays; nil: until a command removes it.
    package let time: Duration?
    /// Whether it replaces a root queue that another program has set.
    package let replaces: Bool

    package init(interface: String, shape: InterfaceShape, time: Duration?, replaces: Bool) {
        (self.interface, self.shape, self.time, self.replaces) = (interface, shape, time, replaces)
    }
}
