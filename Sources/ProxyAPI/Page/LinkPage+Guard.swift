import ProxyLink

extension LinkPage {
    /// By what name or address the page was asked for; throws where a request may come from a page of another site.
    ///
    /// A site has three ways to reach this page from a browser that is let in. A name of its own that leads here: the host
    /// has to be an address, `localhost` or `proxy`. A request of its own page: that has another origin, and one that
    /// changes something needs this page's origin and a field that no form can send. This page in a frame of its own: the
    /// answer forbids that.
    func guardAgainst(_ request: APIRequest) throws(APIProblem) -> Endpoint {
        let hosts = request.fields["host"] ?? []
        guard hosts.count == 1, let host = try? Endpoint(parsing: hosts[0], defaultPort: 80),
            host.isAddress || host.host == "localhost" || host == ProxyPage.name
        else {
            throw APIProblem(
                status: 403, "open this page by its address, or as http://proxy/ through the proxy")
        }
        let origins = request.fields["origin"] ?? []
        // Browsers say it of requests that can change something, and of those of other sites' programs (Fetch §3.2).
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
    /// Since when the times of states count.
    static let start = ContinuousClock.now

    static func origin(_ text: String) -> Endpoint? {
        let scheme = "http://"
        guard text.hasPrefix(scheme) else { return nil }
        return try? Endpoint(parsing: String(text.dropFirst(scheme.count)), defaultPort: 80)
    }

    /// What every answer says to browsers: nothing from elsewhere, in no frame, read by no other site.
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
