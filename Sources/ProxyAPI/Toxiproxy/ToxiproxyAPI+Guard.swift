import ProxyLink

extension ToxiproxyAPI {
    /// Throws where a request does not come from somebody who may make it, or cannot be read.
    func guardAgainst(_ request: APIRequest) throws(APIProblem) {
        guard letsIn(request.client) else {
            throw APIProblem(
                status: 403, "to admit clients on other machines, use --allow, such as --allow 192.0.2.0/24")
        }
        // As Toxiproxy does.
        if request.fields["user-agent"]?.contains(where: { $0.hasPrefix("Mozilla/") }) == true {
            throw APIProblem(status: 403, "User agent not allowed")
        }
        // Browsers say where a request comes from that can change something (Fetch §3.2), and no page is of this origin.
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

    /// A page in a browser could otherwise reach it by a name that leads here.
    ///
    /// Names without a dot, and those in `.internal`, are of no registry, and containers have them.
    private func isLocal(_ hosts: [String]) -> Bool {
        guard hosts.count == 1, let endpoint = try? Endpoint(parsing: hosts[0], defaultPort: 80) else { return false }
        return endpoint.isAddress || !endpoint.host.contains(".") || endpoint.host.hasSuffix(".internal")
    }

    /// Whether a media type may stand on a body of JSON.
    ///
    /// Toxiproxy asks nothing, and curl calls a body a form unless it is told otherwise.
    private static func isText(_ field: String) -> Bool {
        let type = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return [
            "application/json", "text/json", "text/plain", "application/x-www-form-urlencoded",
            "application/octet-stream",
        ].contains(type) || type.hasSuffix("+json")
    }
}
