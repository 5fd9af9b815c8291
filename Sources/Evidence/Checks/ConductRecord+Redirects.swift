import Results

extension ConductRecord {
    /// The findings about redirects that made the client leak credentials or lose encryption.
    var redirectFindings: [Finding] {
        var findings: [Finding] = []
        if let leak = leakedCredentials {
            findings.append(
                Finding(
                    .redirectUnsafe,
                    "\(leak.credentials) of \(leak.redirected.origin ?? "") went to \(leak.next.origin ?? "another origin")"
                ))
        }
        if let downgrade {
            findings.append(
                Finding(
                    .redirectUnsafe,
                    "the client followed a redirect from \(downgrade.redirected.origin ?? "") to \(downgrade.next.origin ?? "")"
                ))
        }
        return findings
    }
}
