import Documents
import ProxyLink
import Wording

extension ControlAPI {
    /// One method of one path.
    struct Operation: Sendable {
        let method: String
        /// The path, in which a last part such as `{link}` stands for a name.
        let path: String
        /// The `operationId` in OpenAPI.
        let id: String
        let summary: String
        /// The name of the schema of the request's body; nil: there is no body.
        var body: String?
        /// The status of each answer, with the name of its schema; nil: the answer has no body.
        let answers: [(status: Int, schema: String?)]
        let answer: @Sendable (ControlAPI, _ name: String, APIRequest) async throws -> APIResponse

        private var template: [Substring] { path.split(separator: "/") }

        /// The name of the parameter in the path's last part; nil if that is a fixed word.
        var parameter: String? {
            guard let last = template.last, last.hasPrefix("{") else { return nil }
            return String(last.dropFirst().dropLast())
        }

        func matches(_ segments: [String]) -> Bool {
            segments.count == template.count
                && zip(template, segments).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
        }
    }

    /// All operations of version 2 of the API.
    static let operations = [
        Operation(
            method: "GET", path: "/v2/links", id: "listLinks", summary: "All links, by name.",
            answers: [(200, "Links")]
        ) { api, _, _ in
            let links = try await api.proxies.links
            return APIResponse(status: 200, .object(links.map { .init(key: $0.name, value: api.document($0)) }))
        },
        Operation(
            method: "GET", path: "/v2/links/{link}", id: "getLink", summary: "A link, as PUT takes it.",
            answers: [(200, "Link"), (404, "Problem")]
        ) { api, name, _ in APIResponse(status: 200, try await api.link(name)) },
        Operation(
            method: "PUT", path: "/v2/links/{link}", id: "putLink",
            summary: "Makes or changes a link. 'main' belongs to the proxy's own listeners.",
            body: "Link",
            answers: [(200, "Link"), (201, "Link"), (400, "Problem"), (409, "Problem"), (503, "Problem")]
        ) { api, name, request in try await api.putLink(name, request) },
        Operation(
            method: "DELETE", path: "/v2/links/{link}", id: "removeLink", summary: "Removes a link that no proxy uses.",
            answers: [(204, nil), (404, "Problem"), (409, "Problem")]
        ) { api, name, _ in
            try await api.proxies.removeLink(name)
            return .nothing
        },
        Operation(
            method: "GET", path: "/v2/proxies", id: "listProxies", summary: "All named proxies, by name.",
            answers: [(200, "Proxies")]
        ) { api, _, _ in
            let all = try await api.proxies.all
            return APIResponse(status: 200, .object(all.map { .init(key: $0.name, value: $0.fullDocument) }))
        },
        Operation(
            method: "POST", path: "/v2/proxies", id: "makeProxy",
            summary: "Makes a proxy; its toxics apply from its first connection on.", body: "NewProxy",
            answers: [
                (201, "Proxy"), (400, "Problem"), (409, "Problem"), (500, "Problem"), (503, "Problem"),
            ]
        ) { api, _, request in try await api.makeProxy(request) },
        Operation(
            method: "GET", path: "/v2/proxies/{proxy}", id: "getProxy", summary: "A proxy, as PUT takes it.",
            answers: [(200, "Proxy"), (404, "Problem")]
        ) { api, name, _ in APIResponse(status: 200, try await api.proxies.proxy(name).fullDocument) },
        Operation(
            method: "PUT", path: "/v2/proxies/{proxy}", id: "putProxy",
            summary: "Makes or changes a proxy, which then has these toxics and no others.", body: "Proxy",
            answers: [
                (200, "Proxy"), (201, "Proxy"), (400, "Problem"), (409, "Problem"), (500, "Problem"), (503, "Problem"),
            ]
        ) { api, name, request in try await api.putProxy(name, request) },
        Operation(
            method: "DELETE", path: "/v2/proxies/{proxy}", id: "removeProxy",
            summary: "Removes a proxy, and closes its connections.", answers: [(204, nil), (404, "Problem")]
        ) { api, name, _ in
            try await api.proxies.remove(name)
            return .nothing
        },
        Operation(
            method: "GET", path: "/v2/connections", id: "listConnections",
            summary: "The open connections, the oldest first.",
            answers: [(200, "Connections")]
        ) { api, _, _ in APIResponse(status: 200, try await api.connections()) },
        Operation(
            method: "GET", path: "/v2/events", id: "followEvents",
            summary: "Events of links and connections as they happen, as server-sent events: docs/reference/events.md.",
            answers: [(200, "Events")]
        ) { api, _, _ in try await api.events() },
        Operation(
            method: "GET", path: "/v2/openapi.json", id: "getDescription", summary: "This description.",
            answers: [(200, "Description")]
        ) { _, _, _ in APIResponse(status: 200, openAPI) },
    ]
}

extension APIRequest {
    /// The parts of the path between slashes, with percent encoding decoded unless a part would then not be UTF-8.
    var segments: [String] {
        target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            PercentEncoding.decoded(String($0)) ?? String($0)
        }
    }
}
