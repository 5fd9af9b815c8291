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
            try guardAgainst(request)
            return try await route(request)
        } catch {
            return APIResponse(problem: APIProblem(error))
        }
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
        let fields = try Fields(body: request.body)
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
            let fields = try Fields(body: request.body)
            let proxy = try await proxies.update(
                name, listen: fields.text("listen"), upstream: fields.text("upstream"),
                isEnabled: fields.flag("enabled"))
            return APIResponse(status: 200, proxy.document)
        }
    }

    private func populate(_ request: APIRequest) async -> APIResponse {
        do {
            let requests = try ToxiproxyFile.proxies(in: request.body)
            let made = try await proxies.populate(requests)
            return APIResponse(status: 201, .object(["proxies": .list(made.map(\.document))]))
        } catch {
            let problem = APIProblem(error)
            return APIResponse(status: problem.status, problem.document.setting("proxies", .null))
        }
    }

    private func toxics(of name: String, _ request: APIRequest) async throws -> APIResponse {
        try request.allows("GET", "POST")
        let proxy = try await proxies.proxy(name)
        if request.method == "GET" { return APIResponse(status: 200, .list(proxy.toxics.map(\.document))) }
        let toxic = try Toxic(Fields(body: request.body), among: proxy.toxics, profile: profile)
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
                let fields = try Fields(body: body)
                var after = before
                after.toxicity = try fields.number("toxicity") ?? before.toxicity
                after.effect = try before.effect.updated(by: fields.attributes, profile: profile)
                return after
            }
            return APIResponse(status: 200, changed.document)
        }
    }
}

extension APIRequest {
    /// Throws if the request's method is not one of these.
    fileprivate func allows(_ methods: String...) throws(APIProblem) {
        guard methods.contains(method) else { throw APIProblem(takes: methods) }
    }
}
