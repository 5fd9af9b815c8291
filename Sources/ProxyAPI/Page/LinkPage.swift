import Documents
package import ProxyLink

/// A page that shows links, and has buttons that change them: ``PhonePage``, and that of a gateway.
///
/// All allowed clients may use it, but no page of another site: see ``guardAgainst(_:)``.
package protocol LinkPage: Sendable {
    /// The links, each with the bytes since it was made.
    var links: [DrivenLink] { get async throws }

    /// Lets a link follow the profile of a choice; throws ``LinkPageRefusal`` or another error if it cannot.
    func choose(_ choice: DrivenLink.Choice, of link: DrivenLink) async throws

    /// Instructions in HTML for a reader who requested this page from `host`, at the address `local`.
    func instructions(at host: Endpoint, local: Endpoint?) -> String

    /// A further file of the page; nil if there is none at this path.
    func file(_ path: String, at host: Endpoint, local: Endpoint?) -> APIResponse?

    /// Paths that need no credentials; none by default.
    var openPaths: Set<String> { get }
}

/// The reason why a link was not changed.
package struct LinkPageRefusal: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension LinkPage {
    package var openPaths: Set<String> { [] }

    package func file(_ path: String, at host: Endpoint, local: Endpoint?) -> APIResponse? { nil }

    /// The page in the form that a proxy serves.
    package var page: ProxyPage { ProxyPage(openPaths: openPaths) { await answer($0) } }

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
        response.fields += PageGuard.protection
        return response
    }

    private func answer(_ request: APIRequest, at host: Endpoint) async throws -> APIResponse {
        let path = String(request.target.prefix { $0 != "?" })
        let words = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if words.count == 4, words[1] == "choose" {
            guard let link = try await links.first(where: { $0.name == words[2] }),
                let choice = link.choices.first(where: { $0.name == words[3] })
            else { throw APIProblem(status: 404, "there is no button \(path); open the page again") }
            guard request.method == "POST" else { throw APIProblem(takes: ["POST"]) }
            try await choose(choice, of: link)
            return APIResponse(status: 200, try await state)
        }
        guard request.method == "GET" else { throw APIProblem(takes: ["GET"]) }
        switch path {
        case "/":
            let text = Self.html(try await links, instructions: instructions(at: host, local: request.local))
            return .text(text, type: "text/html; charset=utf-8")
        case "/page.css": return .bytes(PackageResources.page_css, type: "text/css; charset=utf-8")
        case "/page.js": return .bytes(PackageResources.page_js, type: "text/javascript; charset=utf-8")
        case "/state": return APIResponse(status: 200, contentType: "text/event-stream", body: [], events: states)
        default:
            if let file = file(path, at: host, local: request.local) { return file }
            throw APIProblem(status: 404, "there is no page \(path); start at /")
        }
    }

    /// The state of the links: the profile and the bytes of each.
    private var state: JSONTree {
        get async throws {
            let links = try await links
            return .object([
                "milliseconds": .integer(Int128(PageGuard.start.duration(to: .now) / .milliseconds(1))),
                "links": .list(
                    links.map { link in
                        .object([
                            "name": .text(link.name), "profile": .text(link.profile),
                            "down": .integer(Int128(link.bytes.down)), "up": .integer(Int128(link.bytes.up)),
                        ])
                    }),
            ])
        }
    }

    /// The state now, and then twice a second, as server-sent events.
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

    /// The page: each link with its buttons and rates, then the instructions.
    static func html(_ links: [DrivenLink], instructions: String) -> String {
        String(decoding: PackageResources.page_html, as: UTF8.self)
            .replacing("{{links}}", with: links.map(section).joined(separator: "\n"))
            .replacing("{{instructions}}", with: instructions)
    }

    private static func section(_ link: DrivenLink) -> String {
        let profile = link.profile.escapedHTML
        let title = link.title.map { "<h2>\($0.escapedHTML)</h2>\n" } ?? ""
        return """
            <section class="link" data-link="\(link.name.escapedHTML)" data-profile="\(profile)">
            \(title)<p class="now" role="status">The link is <strong class="name">\(profile)</strong>.</p>
            <div class="choices">\(buttons(link))</div>
            <svg class="rates" viewBox="0 0 120 40" preserveAspectRatio="none" role="img" aria-label="The rates of the last minute">\
            <polyline class="down" points=""/><polyline class="up" points=""/></svg>
            <p class="figures"><span class="down">Down <strong class="down-rate">–</strong></span> \
            <span class="up">Up <strong class="up-rate">–</strong></span> <span>Most <strong class="most">–</strong></span></p>
            </section>
            """
    }

    private static func buttons(_ link: DrivenLink) -> String {
        let pressed = link.choices.first { $0.profile == link.profile }
        return link.choices.map { choice in
            """
            <button type="button" value="\(choice.name)" data-profile="\(choice.profile.escapedHTML)" \
            aria-pressed="\(choice == pressed)">\(choice.title.escapedHTML)</button>
            """
        }.joined(separator: "\n")
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

extension String {
    /// The text, escaped for use between tags and in attributes of HTML.
    package var escapedHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
