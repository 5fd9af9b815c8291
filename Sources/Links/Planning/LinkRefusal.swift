/// Why a link cannot be provided as requested.
package enum LinkRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cell cannot run in a sandbox, which the backend needs; the string is the reason.
    case notInSandbox(cell: String, String)
    /// The cell cannot run on this machine's loopback, where the backend is; the string is the reason.
    case notOnLoopback(cell: String, String)
    /// The backend cannot provide the link; the strings are the reasons, as clauses.
    case impossible(LinkBackend, cell: String, [String])
    /// This machine cannot run the backend; `asked` says what requested it, and the last string why it cannot.
    case notHere(LinkBackend, asked: String, String)

    package var description: String {
        switch self {
        case .notInSandbox(let cell, let reason):
            "'\(cell)' cannot run over packets, which need host and client in networks of their own: \(reason). "
                + "Write 'fidelity: modelled' into its 'link', or omit '--backend', to run it over the proxy."
        case .notOnLoopback(let cell, let reason):
            "'\(cell)' cannot run over the proxy: \(reason). Write 'fidelity: packet' into its 'link', or omit "
                + "'--backend proxy', to run it over packets."
        case .impossible(let backend, let cell, let reasons):
            "'\(cell)' cannot run over \(backend.provider.title), which cannot provide \(reasons.joined(separator: "; nor ")). "
                + "Use '--backend packet', which can, or omit '--backend \(backend.rawValue)'."
        case .notHere(let backend, let asked, let why): "\(asked), but \(backend.provider.absence(why))"
        }
    }

    /// The reason alone, without the name of the cell.
    package var reason: String {
        switch self {
        case .notInSandbox(_, let why), .notOnLoopback(_, let why), .notHere(_, _, let why): why
        case .impossible(_, _, let reasons): reasons.joined(separator: "; ")
        }
    }
}
