package import LinkModel

/// What somebody asks of a link, before it is known what puts it there.
package struct LinkDemand: Sendable {
    /// Who asks, as errors call it: the name of a cell.
    package var name: String
    package var setup: LinkSetup
    /// What the link is to be like.
    package var fidelity: LinkFidelity
    /// Why host and client cannot be in a sandbox, whatever the machine, as a clause; nil where they can.
    package var whyNotInSandbox: String?
    /// Why they cannot be on this machine's loopback, as a clause; nil where they can.
    package var whyNotOnLoopback: String?
    /// What they have to go on without there, as clauses.
    package var loopbackNotes: [String] = []

    package init(_ name: String, _ setup: LinkSetup, fidelity: LinkFidelity) {
        (self.name, self.setup, self.fidelity) = (name, setup, fidelity)
    }
}
