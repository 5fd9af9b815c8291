extension HostCheck {
    /// The findings about an address's TLS; for plain http a single note.
    ///
    /// `failure` is how a request that checks certificates failed; nil if it was answered.
    static func findings(onTLSOf url: String, _ failure: DownloadFailure?, by prober: Prober) async -> [HostFinding] {
        guard CurlURL(url)?.isSecure == true else {
            let text =
                "plain http: an app needs an App Transport Security exception for it; otherwise use https"
            return [HostFinding(.tls, .note, text)]
        }
        guard let failure else { return await spoken(url, prober) }
        switch failure.kind {
        case .handshake: return [await refused(url, failure, prober)]
        case .certificateExpired, .certificateNotYetValid, .certificateUntrusted, .certificateRootUnknown:
            let seen = await prober.shakeHands(url, .usual)
            let problem = CertificateChain(certificates: seen.certificates).problem(failure.kind) ?? failure.detail
            return [HostFinding(.tls, .holds, "TLS 1.2 or later"), HostFinding(.certificate, .fails, problem)]
        default: return [HostFinding(.tls, .unchecked, failure.detail)]
        }
    }

    private static func spoken(_ url: String, _ prober: Prober) async -> [HostFinding] {
        let seen = await prober.shakeHands(url, .newest)
        let version = seen.ending == .complete ? "TLS 1.3" : "TLS 1.2, not 1.3"
        let chain = CertificateChain(certificates: seen.certificates)
        let end = chain.end.map { ", until \($0)" } ?? ""
        return [
            HostFinding(.tls, .holds, version),
            HostFinding(.certificate, .holds, "valid, for this name, and trusted\(end)"),
        ]
    }

    private static func refused(_ url: String, _ failure: DownloadFailure, _ prober: Prober) async -> HostFinding {
        let old = await prober.shakeHands(url, .any)
        guard old.ending == .complete else { return HostFinding(.tls, .fails, "no handshake: \(failure.detail)") }
        return HostFinding(
            .tls, .fails,
            "old protocol: the host speaks only TLS 1.0 or 1.1, or only obsolete ciphers. Enable TLS 1.2.")
    }
}
