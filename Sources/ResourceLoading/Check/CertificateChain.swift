/// The certificates that a host sent, to explain why they are not trusted.
struct CertificateChain: Sendable {
    /// Each certificate as `Name:value` fields, the host's own first.
    var certificates: [[String]]

    private func field(_ name: String, of certificate: [String]?) -> String? {
        certificate?.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The subject, the expiry and the names of the host's own certificate; nil if it does not state them.
    var subject: String? { field("Subject", of: certificates.first) }
    var end: String? { field("Expire date", of: certificates.first) }
    var names: String? { field("X509v3 Subject Alternative Name", of: certificates.first) }
    /// The issuer of the last certificate.
    var lastIssuer: String? { field("Issuer", of: certificates.last) }

    /// Whether the host sent only its own certificate, and that one says where its issuer's is (RFC 5280 §4.2.2.1).
    ///
    /// Then the issuer's certificate is missing from the chain to an authority.
    var isIncomplete: Bool {
        guard certificates.count == 1, let only = certificates.first, subject != lastIssuer else { return false }
        return only.contains { $0.hasPrefix("Authority Information Access:") && $0.contains("CA Issuers") }
    }

    /// What is wrong with the certificates, by the kind of the failure; nil if the failure is not about certificates.
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
