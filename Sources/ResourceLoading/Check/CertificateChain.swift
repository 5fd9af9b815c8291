/// The certificates that a host showed, as far as they tell why they are not trusted.
struct CertificateChain: Sendable {
    /// Each as fields `Name:value`, the host's own first.
    var certificates: [[String]]

    private func field(_ name: String, of certificate: [String]?) -> String? {
        certificate?.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Whom the host's own certificate is for, and until when.
    var subject: String? { field("Subject", of: certificates.first) }
    var end: String? { field("Expire date", of: certificates.first) }
    var names: String? { field("X509v3 Subject Alternative Name", of: certificates.first) }
    /// Who signed the last one.
    var lastIssuer: String? { field("Issuer", of: certificates.last) }

    /// Whether only the host's own came, which says where its issuer's certificate can be had (RFC 5280 §4.2.2.1): then
    /// that one belongs between it and an authority, and is missing.
    var isIncomplete: Bool {
        guard certificates.count == 1, let only = certificates.first, subject != lastIssuer else { return false }
        return only.contains { $0.hasPrefix("Authority Information Access:") && $0.contains("CA Issuers") }
    }

    /// What is wrong with it, by the kind of the failure; nil where it is none of certificates.
    func problem(_ kind: DownloadFailure.Kind) -> String? {
        let name = subject.map { " (\($0))" } ?? ""
        switch kind {
        case .certificateExpired: return "expired\(end.map { " on \($0)" } ?? "")\(name). Renew the certificate."
        case .certificateNotYetValid:
            return "not yet valid\(name). Check this machine's clock, and the certificate's dates."
        case .certificateUntrusted:
            return "wrong name: it is for \(names ?? subject ?? "another host"). Use one for the name in the URL."
        case .certificateRootUnknown:
            let issuer = lastIssuer.map { " '\($0)'" } ?? ""
            if isIncomplete {
                return
                    "incomplete chain: the host sends its own certificate but not that of its issuer\(issuer). Have it "
                    + "send the whole chain (fullchain.pem)."
            }
            let count = certificates.count == 1 ? "1 certificate" : "\(certificates.count) certificates"
            return
                "unknown authority\(issuer), after \(count). Name its file with --ca, or have the host send the missing certificates."
        default: return nil
        }
    }
}
