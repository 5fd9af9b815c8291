import Documents
package import LinkModel
package import ProxyLink

/// Toxiproxy's HTTP API, version 2, over the named proxies of a ``ProxyLink/ProxyLink``.
///
/// Paths, fields, defaults, statuses and errors are those of Toxiproxy's documentation.
/// docs/reference/toxiproxy.md lists the differences.
package struct ToxiproxyAPI: Sendable {
    /// The version of Toxiproxy whose API this is.
    package static let version = "2.12.0"

    let proxies: NamedProxies
    /// Reads `{"profile": …}`, for toxics of the type `profile`.
    let profile: @Sendable ([UInt8]) throws -> Profile
    /// The addresses of clients that are allowed besides those on loopback.
    let allowed: [AddressRange]

    package init(
        proxies: NamedProxies, allowed: [AddressRange] = [],
        profile: @escaping @Sendable ([UInt8]) throws -> Profile
    ) {
        self.proxies = proxies
        self.allowed = allowed
        self.profile = profile
    }

    /// The API in the form that a ``ProxyLink/ProxyLink`` serves; a body has at most 1 MiB.
    package var service: APIService { APIService(longestBody: 1024 * 1024) { await answer($0) } }

    /// Answers one request.
    package func answer(_ request: APIRequest) async -> APIResponse {
        do {
            // Toxiproxy refuses browsers in this way too.
            guard request.fields["user-agent"]?.contains(where: { $0.hasPrefix("Mozilla/") }) != true else {
                return APIResponse(
                    status: 403, contentType: "text/plain; charset=utf-8", body: Array("User agent not allowed\n".utf8))
            }
            try guardAgainst(request)
            return try await route(request)
        } catch {
            return APIResponse(problem: Self.problem(error))
        }
    }

    /// The problem of an error; that of a listener has the words of Toxiproxy, which its clients' tests compare.
    private static func problem(_ error: any Error) -> APIProblem {
        guard case NamedProxyError.listening(.listen(let endpoint, let reason, _)) = error else {
            return APIProblem(error)
        }
        return APIProblem(status: 500, "listen tcp \(endpoint): bind: \(reason.lowercased())")
    }

    private func route(_ request: APIRequest) async throws -> APIResponse {
        let segments = request.segments
        switch (segments.count, segments.first ?? "") {
        case (1, "version"):
            try request.allows("GET")
            return APIResponse(
                status: 200, contentType: "application/json;charset=utf-8",
                body: Array("{\"version\": \"\(Self.version)\"}\n".utf8))
        case (1, "metrics"):
            try request.allows("GET")
            return .metrics(of: try await proxies.all)
        case (1, "reset"):
            try request.allows("POST")
            try await proxies.reset()
            return .nothing
        case (1, "populate"):
            try request.allows("POST")
            return await populate(request)
        case (1, "proxies"): return try await collection(request)
        case (2, "proxies"): return try await one(segments[1], request)
        case (3, "proxies") where segments[2] == "toxics": return try await toxics(of: segments[1], request)
        case (4, "proxies") where segments[2] == "toxics":
            return try await toxic(segments[3], of: segments[1], request)
        default: throw APIProblem(status: 404, "404 page not found")
        }
    }

    private func collection(_ request: APIRequest) async throws -> APIResponse {
        try request.allows("GET", "POST")
        if request.method == "GET" {
            let members = try await proxies.all.map { JSONTree.Member(key: $0.name, value: $0.document) }
            return APIResponse(status: 200, .object(members))
        }
        let fields = try Fields(body: request.body, .ofToxiproxy)
        let proxy = try await proxies.add(NamedProxyRequest(fields))
        return APIResponse(status: 201, proxy.document)
    }

    private func one(_ name: String, _ request: APIRequest) async throws -> APIResponse {
        try request.allows("GET", "POST", "PATCH", "DELETE")
        switch request.method {
        case "GET": return APIResponse(status: 200, try await proxies.proxy(name).document)
        case "DELETE":
            try await proxies.remove(name)
            return .nothing
        default:
            _ = try await proxies.proxy(name)
            let fields = try Fields(body: request.body, .ofToxiproxy)
            let proxy = try await proxies.update(
                name, listen: fields.text("listen"), upstream: fields.text("upstream"),
                isEnabled: fields.flag("enabled"), link: fields.text("link"))
            return APIResponse(status: 200, proxy.document)
        }
    }

    private func populate(_ request: APIRequest) async -> APIResponse {
        do {
            let requests = try ToxiproxyFile.proxies(in: request.body)
            let made = try await proxies.populate(requests)
            return APIResponse(status: 201, .object(["proxies": .list(made.map(\.document))]))
        } catch {
            let problem = Self.problem(error)
            return APIResponse(status: problem.status, problem.document.setting("proxies", .null))
        }
    }

    private func toxics(of name: String, _ request: APIRequest) async throws -> APIResponse {
        try request.allows("GET", "POST")
        let proxy = try await proxies.proxy(name)
        if request.method == "GET" { return APIResponse(status: 200, .list(proxy.toxics.map(\.document))) }
        let toxic = try Toxic(Fields(body: request.body, .ofToxiproxy), among: proxy.toxics, profile: profile)
        try await proxies.add(toxic, to: name)
        return APIResponse(status: 200, toxic.document)
    }

    private func toxic(_ toxic: String, of name: String, _ request: APIRequest) async throws -> APIResponse {
        try request.allows("GET", "POST", "PATCH", "DELETE")
        switch request.method {
        case "GET":
            guard let found = try await proxies.proxy(name).toxics.first(where: { $0.name == toxic }) else {
                throw NamedProxyError.toxicNotFound
            }
            return APIResponse(status: 200, found.document)
        case "DELETE":
            try await proxies.removeToxic(toxic, of: name)
            return .nothing
        default:
            guard try await proxies.proxy(name).toxics.contains(where: { $0.name == toxic }) else {
                throw NamedProxyError.toxicNotFound
            }
            let body = request.body
            let profile = profile
            let changed = try await proxies.updateToxic(toxic, of: name) { before in
                let fields = try Fields(body: body, .ofToxiproxy)
                var after = before
                after.toxicity = try fields.number("toxicity") ?? before.toxicity
                after.effect = try before.effect.updated(by: fields.attributes, profile: profile)
                return after
            }
            return APIResponse(status: 200, changed.document)
        }
    }

    /// Throws if the client may not make the request, or if its body is in a form that cannot be read.
    func guardAgainst(_ request: APIRequest) throws(APIProblem) {
        guard letsIn(request.client) else {
            throw APIProblem(
                status: 403, "to admit clients on other machines, use --allow, such as --allow 192.0.2.0/24")
        }
        // Browsers send Origin with each request that can change something (Fetch §3.2); no page has this API's origin.
        guard request.fields["origin"] == nil else {
            throw APIProblem(status: 403, "this API takes no requests from pages in browsers")
        }
        guard request.hasLocalHost else {
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

extension APIRequest {
    /// Throws if the request's method is not one of these.
    fileprivate func allows(_ methods: String...) throws(APIProblem) {
        guard methods.contains(method) else { throw APIProblem(takes: methods) }
    }
}
