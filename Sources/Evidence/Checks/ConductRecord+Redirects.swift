import Results

extension ConductRecord {
    /// The findings about redirects that made the client leak credentials or lose encryption.
    var redirectFindings: [Finding] {
        let leak = leakedCredentials.map {
            "\($0.credentials) of \($0.redirected.origin ?? "") went to \($0.next.origin ?? "another origin")"
        }
        let fall = downgrade.map {
            "the client followed a redirect from \($0.redirected.origin ?? "") to \($0.next.origin ?? "")"
        }
        return [leak, fall].compactMap(\.self).map { Finding(.redirectUnsafe, $0) }
    }
}
