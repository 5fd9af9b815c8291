package import SystemPackage

/// What this machine does not allow, with its cause and a remedy.
package struct CellRefusal: Sendable, Equatable, CustomStringConvertible {
    package enum Step: Sendable { case clone, maps, network, tunOpen, tunAttach, privileges, mount }
    package let attempted: Step
    package let error: Errno

    init(_ attempted: Step, _ error: Errno) {
        self.attempted = attempted
        self.error = error
    }

    package var description: String { "\(attempted): \(error)" }
}
