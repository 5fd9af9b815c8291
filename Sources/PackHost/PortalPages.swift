import PackFormat

/// The pages that faults redirect to, as captive portals do, by their paths.
struct PortalPages: Sendable {
    private let texts: [String: String]

    init(_ faults: [HostFault]) {
        var texts: [String: String] = [:]
        for case .portal(let text) in faults.map(\.action) { texts[Self.path(of: text)] = text }
        self.texts = texts
    }

    /// The page at a path; nil if there is none.
    subscript(path: String) -> String? { texts[path] }

    /// The path of the page with this text: each text has its own.
    static func path(of text: String) -> String { "/sign-in/\(Digest.sha256Hex(Array(text.utf8)).prefix(16))" }
}
