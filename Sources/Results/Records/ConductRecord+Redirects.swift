extension ConductRecord {
    /// A request that was redirected, and one that followed it.
    package struct Followed: Hashable, Sendable {
        package var redirected: Fetch
        package var next: Fetch
    }

    /// The first request that had credentials, was redirected to another origin, and took them along.
    package var leakedCredentials: Followed? {
        followed { redirected, next in
            redirected.credentials != nil && next.credentials != nil && redirected.origin != next.origin
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
    /// Whether the host answered by leading elsewhere, RFC 9110 section 15.4.
    var isRedirect: Bool { status.map { [301, 302, 303, 307, 308].contains($0) } ?? false }
}
