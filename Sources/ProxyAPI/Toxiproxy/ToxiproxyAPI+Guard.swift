import ProxyLink

extension ToxiproxyAPI {
    /// Throws if the client may not make the request, or if its body is in a form that cannot be read.
    func guardAgainst(_ request: APIRequest) throws(APIProblem) {
        guard letsIn(request.client) else {
            throw APIProblem(
                status: 403, "to admit clients on other machines, use --allow, such as --allow 192.0.2.0/24")
        }
        // Toxiproxy refuses browsers in this way too.
        if request.fields["user-agent"]?.contains(where: { $0.hasPrefix("Mozilla/") }) == true {
            throw APIProblem(status: 403, "User agent not allowed")
        }
        // Browsers send Origin with each request that can change something (Fetch §3.2); no page has this API's origin.
        guard request.fields["origin"] == nil else {
            throw APIProblem(status: 403, "this API takes no requests from pages in browsers")
        }
        guard isLocal(request.fields["host"] ?? []) else {
            throw APIProblem(
                status: 403,
                "open this API by its address, a name without a dot, or a name in .internal")
        }
        guard !request.body.isEmpty else { return }
        if let coding = request.fields["content-encoding"]?.first, coding.lowercased() != "identity" {
            throw APIProblem(status: 415, "unsupported content encoding: bodies are not compressed")
        }
        guard let type = request.fields["content-type"]?.first else { return }
        guard Self.isText(type) else {
            throw APIProblem(status: 415, "unsupported media type: bodies are application/json")
        }
    }

    private func letsIn(_ client: String?) -> Bool {
        guard let client else { return false }
        return AddressRange.isLoopback(client) || allowed.contains { $0.contains(client) }
    }

    /// Whether the host is an address or a local name; a page could otherwise use a name that resolves here.
    ///
    /// Names without a dot, and those in `.internal`, cannot be registered, and containers have such names.
    private func isLocal(_ hosts: [String]) -> Bool {
        guard hosts.count == 1, let endpoint = try? Endpoint(parsing: hosts[0], defaultPort: 80) else { return false }
        return endpoint.isAddress || !endpoint.host.contains(".") || endpoint.host.hasSuffix(".internal")
    }

    /// Whether a media type is accepted for a body of JSON.
    ///
    /// Toxiproxy accepts every type, and curl sends bodies as forms by default.
    private static func isText(_ field: String) -> Bool {
        let type = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return [
            "application/json", "text/json", "text/plain", "application/x-www-form-urlencoded",
            "application/octet-stream",
        ].contains(type) || type.hasSuffix("+json")
    }
}
