extension ConductRecord {
    /// A request that was redirected, and one that followed it.
    package struct Followed: Hashable, Sendable {
        package var redirected: Fetch
        package var next: Fetch

        /// What went along and may not, as names of fields.
        package var credentials: String { next.credentials(foreignTo: redirected) ?? "" }
    }

    /// The first request that had credentials, was redirected to another origin, and took them along.
    package var leakedCredentials: Followed? {
        followed { redirected, next in
            redirected.credentials != nil && redirected.origin != next.origin
                && next.credentials(foreignTo: redirected) != nil
        }
    }

    /// The first request by HTTPS that was redirected to HTTP, and went there.
    package var downgrade: Followed? {
        followed { redirected, next in
            redirected.origin?.hasPrefix("https:") == true && next.origin?.hasPrefix("http:") == true
        }
    }

    /// The first redirect and a later request for the same pack of which this is so.
    ///
    /// Each redirect is compared with the requests up to the next one for the same origin as its own.
    private func followed(where isSo: (_ redirected: Fetch, _ next: Fetch) -> Bool) -> Followed? {
        for tries in tries {
            for (index, redirected) in tries.enumerated() where redirected.isRedirect {
                let later = tries[(index + 1)...].prefix { $0.origin != redirected.origin }
                if let next = later.first(where: { isSo(redirected, $0) }) {
                    return Followed(redirected: redirected, next: next)
                }
            }
        }
        return nil
    }
}

extension ConductRecord.Fetch {
    /// Credentials of this request that may not go along when another one is redirected to its origin, as names of
    /// fields; nil where there are none.
    ///
    /// Cookies are for a name, whichever its port is: RFC 6265 section 8.5.
    package func credentials(foreignTo redirected: Self) -> String? {
        guard let credentials, let name, name == redirected.name else { return credentials }
        let rest = credentials.split(separator: ", ").filter { $0 != "cookie" }
        return rest.isEmpty ? nil : rest.joined(separator: ", ")
    }

    /// The host of the origin, without scheme and port; nil where the request does not say.
    private var name: Substring? {
        guard let origin, let start = origin.firstRange(of: "://")?.upperBound else { return nil }
        let authority = origin[start...]
        let colon = authority[(authority.firstIndex(of: "]") ?? authority.startIndex)...].firstIndex(of: ":")
        return authority[..<(colon ?? authority.endIndex)]
    }

    /// Whether the host answered by leading elsewhere, RFC 9110 section 15.4.
    var isRedirect: Bool { status.map { [301, 302, 303, 307, 308].contains($0) } ?? false }
}
