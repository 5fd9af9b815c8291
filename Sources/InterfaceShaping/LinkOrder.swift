package import KernelLink

/// What is wanted of an interface, checked as far as that goes without looking at it.
package struct LinkOrder {
    /// The interface's name, which one can have.
    package let interface: String
    package let shape: InterfaceShape
    /// Nil: until somebody takes it off.
    package let time: Duration?
    /// Whether it takes the place of a root queue that somebody has put there.
    package let replaces: Bool

    package init(interface: String, shape: InterfaceShape, time: Duration?, replaces: Bool) {
        (self.interface, self.shape, self.time, self.replaces) = (interface, shape, time, replaces)
    }
}
