import Documents
package import LinkModel
package import ProxyLink

/// The page that a proxy shows to people who open its address: how a phone uses it, and buttons that change the link.
///
/// All of it is open to those who may use the proxy, and to no other site: see ``guardAgainst(_:)``.
package struct PhonePage: Sendable {
    /// What a button does to the link of the proxy's own listeners.
    struct Choice: Sendable {
        /// Its place in a path.
        let name: String
        let title: String
        let profile: Profile
    }

    let proxies: NamedProxies
    let choices: [Choice]
    /// Where the proxy listens.
    let listener: Endpoint
    private let start = ContinuousClock.now

    /// Buttons for 3G, a lossy link, none at all, and `started`, the profile that the proxy was started with.
    ///
    /// `read` reads `{"profile": …}`; throws what it throws.
    package init(
        proxies: NamedProxies, started: Profile, listener: Endpoint, read: ([UInt8]) throws -> LinkRequest
    ) throws {
        self.proxies = proxies
        self.listener = listener
        var choices: [Choice] = []
        for (name, title) in [("3g", "3G"), ("lossy", "Lossy"), ("offline", "Offline")] {
            guard case .profile(let profile) = try read(Array(#"{"profile":"\#(name)"}"#.utf8)) else { continue }
            choices.append(Choice(name: name, title: title, profile: profile))
        }
        choices.append(Choice(name: "back", title: "Back to \(started.name)", profile: started))
        self.choices = choices
    }

    /// What a proxy serves.
    package var page: ProxyPage { ProxyPage(openPaths: [Self.pacPath]) { await answer($0) } }

    /// Devices that read it have no user and no password yet.
    static let pacPath = "/proxy.pac"

    /// Answers one request.
    package func answer(_ request: APIRequest) async -> APIResponse {
        var response: APIResponse
        do {
            let host = try guardAgainst(request)
            response = try await answer(request, at: host)
        } catch {
            let problem = APIProblem(error)
            response = .text(problem.message + "\n", status: problem.status)
            response.fields = problem.fields
        }
        response.fields += Self.protection
        return response
    }

    private func answer(_ request: APIRequest, at host: Endpoint) async throws -> APIResponse {
        let path = String(request.target.prefix { $0 != "?" })
        if let choice = choices.first(where: { path == "/choose/\($0.name)" }) {
            guard request.method == "POST" else { throw APIProblem(takes: ["POST"]) }
            _ = try await proxies.putLink("main", .profile(choice.profile))
            return APIResponse(status: 200, try await state)
        }
        guard request.method == "GET" else { throw APIProblem(takes: ["GET"]) }
        switch path {
        case "/":
            return .text(html(at: host, local: request.local, now: try await profile), type: "text/html; charset=utf-8")
        case "/page.css": return .bytes(PackageResources.page_css, type: "text/css; charset=utf-8")
        case "/page.js": return .bytes(PackageResources.page_js, type: "text/javascript; charset=utf-8")
        case Self.pacPath:
            return .text(
                AutoConfiguration(proxy: place(of: host, request.local)).script,
                type: "application/x-ns-proxy-autoconfig")
        case "/state":
            return APIResponse(status: 200, contentType: "text/event-stream", body: [], events: states)
        default: throw APIProblem(status: 404, "there is no page \(path); the proxy's page is /")
        }
    }

    /// The proxy's address as a device is to write it: that by which the page was reached, if that is no name.
    func place(of host: Endpoint, _ local: Endpoint?) -> Endpoint { host == ProxyPage.name ? local ?? listener : host }
}

extension PhonePage {
    /// What is followed, as the page calls it.
    private var profile: String {
        get async throws { Self.text(try await proxies.link("main")) }
    }

    private static func text(_ link: NamedLink) -> String {
        link.profile?.name ?? link.conditions.offline.map { "offline (\($0.rawValue))" } ?? "set by hand"
    }

    /// The state of the link: what it follows, and the bytes that have passed.
    private var state: JSONTree {
        get async throws {
            let link = try await proxies.link("main")
            let age = ContinuousClock.now - start
            return .object([
                "profile": .text(Self.text(link)), "milliseconds": .integer(Int128(age / .milliseconds(1))),
                "down": .integer(Int128(link.counters.payload.downlink)),
                "up": .integer(Int128(link.counters.payload.uplink)),
                "open": .integer(Int128(link.counters.open.count)),
            ])
        }
    }

    /// A state now, and two a second.
    private var states: AsyncStream<[UInt8]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                while !Task.isCancelled, let state = try? await state {
                    continuation.yield(Array("data: \(state.line)\n\n".utf8))
                    try? await Task.sleep(for: .milliseconds(500))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension APIResponse {
    static func text(_ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8") -> APIResponse {
        APIResponse(status: status, contentType: type, body: Array(text.utf8))
    }

    static func bytes(_ bytes: [UInt8], type: String) -> APIResponse {
        APIResponse(status: 200, contentType: type, body: bytes)
    }
}
