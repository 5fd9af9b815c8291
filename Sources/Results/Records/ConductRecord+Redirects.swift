extension ConductRecord {
    /// A request that was redirected, and one that followed it.
    package struct Followed: Hashable, Sendable {
        package var redirected: Fetch
        package var next: Fetch

        /// The credentials that were sent along and must not be, as names of fields.
        package var credentials: String { next.credentials(foreignTo: redirected) ?? "" }
    }

    /// Why a request shows nothing of the client's care for its credentials, as part of a sentence; nil if one does.
    var keptFromRedirect: String? {
        guard asked.joined().contains(where: { $0.isRedirect && $0.credentials != nil }) else {
            return "no request with its credentials was redirected"
        }
        let hasFollowed = followed { $0.credentials != nil && $0.origin != $1.origin } != nil
        return hasFollowed ? nil : "it never followed the redirect"
    }

    /// The first request that had credentials, was redirected to another origin, and took them along.
    package var leakedCredentials: Followed? {
        followed { redirected, next in
            redirected.credentials != nil && redirected.origin != next.origin
                && next.credentials(foreignTo: redirected) != nil
        }
    }

    /// The first request by HTTPS that was redirected to HTTP, and followed there.
    package var downgrade: Followed? {
        followed { redirected, next in
            redirected.origin?.hasPrefix("https:") == true && next.origin?.hasPrefix("http:") == true
        }
    }

    /// The first redirect and a later request for the same pack that meet the condition.
    ///
    /// Each redirect is compared with the later requests up to the next one for its own origin. HEAD requests count,
    /// because a client may ask first where a redirect leads.
    private func followed(where isSo: (_ redirected: Fetch, _ next: Fetch) -> Bool) -> Followed? {
        for asked in asked {
            for (index, redirected) in asked.enumerated() where redirected.isRedirect {
                let later = asked[(index + 1)...].prefix { $0.origin != redirected.origin }
                if let next = later.first(where: { isSo(redirected, $0) }) {
                    return Followed(redirected: redirected, next: next)
                }
            }
        }
        return nil
    }

    /// The requests for each pack with HEAD and with GET, in the order in which they came.
    private var asked: [[Fetch]] {
        ((fetches ?? []) + (heads ?? [])).sorted { $0.nanoseconds < $1.nanoseconds }.grouped(by: \.pack)
    }
}

extension ConductRecord.Fetch {
    /// Credentials of this request that must not be sent along when another request is redirected to its origin, as
    /// names of fields; nil if there are none.
    ///
    /// Cookies belong to a name, whatever its port: RFC 6265 section 8.5.
    package func credentials(foreignTo redirected: Self) -> String? {
        guard let credentials, let name, name == redirected.name else { return credentials }
        let rest = credentials.split(separator: ", ").filter { $0 != "cookie" }
        return rest.isEmpty ? nil : rest.joined(separator: ", ")
    }

    /// The host of the origin, without scheme and port; nil if the request does not say.
    private var name: Substring? {
        guard let origin, let start = origin.firstRange(of: "://")?.upperBound else { return nil }
        let authority = origin[start...]
        let colon = authority[(authority.firstIndex(of: "]") ?? authority.startIndex)...].firstIndex(of: ":")
        return authority[..<(colon ?? authority.endIndex)]
    }

    /// Whether the host answered with a redirect, RFC 9110 section 15.4.
    var isRedirect: Bool { status.map { [301, 302, 303, 307, 308].contains($0) } ?? false }
}
