import ProxyLink

extension LinkPage {
    /// The host by which the client requested the page; throws if a page of another site may have sent the request.
    ///
    /// Another site can try three ways to reach this page from an allowed browser:
    ///
    /// - It makes its own name resolve to this address. So the host must be an address, `localhost` or `proxy`.
    /// - Its page sends a request. Such a request has another origin; and a request that changes something must have
    ///   this page's origin and a field that no form can send.
    /// - It shows this page in a frame. The answer's fields forbid that.
    func guardAgainst(_ request: APIRequest) throws(APIProblem) -> Endpoint {
        let hosts = request.fields["host"] ?? []
        guard hosts.count == 1, let host = try? Endpoint(parsing: hosts[0], defaultPort: 80),
            host.isAddress || host.host == "localhost" || host == ProxyPage.name
        else {
            throw APIProblem(
                status: 403, "open this page by its address, or as http://proxy/ through the proxy")
        }
        let origins = request.fields["origin"] ?? []
        // Browsers send it with requests that can change something, and with those of other sites' code (Fetch §3.2).
        guard origins.allSatisfy({ PageGuard.origin($0) == host }) else {
            throw APIProblem(status: 403, "this page takes no requests from other sites")
        }
        if request.method != "GET" {
            guard origins.count == 1, request.fields["x-headwind"] == ["page"] else {
                throw APIProblem(
                    status: 403,
                    "only this page's own buttons change a link; programs use the control API of 'headwind proxy'")
            }
        }
        return host
    }
}

/// What all pages of links share.
enum PageGuard {
    /// The start of the clock of the states' times.
    static let start = ContinuousClock.now

    static func origin(_ text: String) -> Endpoint? {
        let scheme = "http://"
        guard text.hasPrefix(scheme) else { return nil }
        return try? Endpoint(parsing: String(text.dropFirst(scheme.count)), defaultPort: 80)
    }

    /// Fields of every answer for browsers: no content from elsewhere, no frames, no reading by other sites.
    static let protection: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("X-Frame-Options", "DENY"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}
