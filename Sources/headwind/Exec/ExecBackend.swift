import ArgumentParser

/// What puts a program behind a link.
enum ExecBackend: String, ExpressibleByArgument, CaseIterable {
    /// A cell, whose every packet crosses the link.
    case packet
    /// A proxy, for programs that heed the variables for one.
    case proxy
}
