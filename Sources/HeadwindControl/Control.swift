import Foundation

// Apple's Foundation has it.
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client of a standing proxy's control API, version 2: links and named proxies, see `docs/reference/proxy.md`.
///
///     try await withLink("3g", upstream: "127.0.0.1:3000") { link in
///         let page = try await fetch("http://\(link.address)/")
///         try await link.offline(.silent)
///     }
public struct Control: Sendable {
    private let base: URL
    private let token: String?
    private let session: URLSession

    /// The API at an address such as `http://127.0.0.1:8081`, as the proxy prints it.
    ///
    /// `token`: the token that clients on other machines must send (default: none). Throws ``ControlError`` if
    /// `address` is no such address, or if the environment sends requests to it through a proxy.
    public init(address: String, token: String? = nil) throws {
        let text = address.contains("://") ? address : "http://\(address)"
        guard let parts = URLComponents(string: text), parts.scheme == "http", let host = parts.host, !host.isEmpty,
            let port = parts.port, let base = URL(string: "http://\(host):\(port)/v2/")
        else {
            throw ControlError(
                "'\(address)' is not the address of a control API: write the one that 'headwind proxy --control' prints, such as "
                    + "http://127.0.0.1:8081"
            )
        }
        try Self.checkWay(to: host, ProcessInfo.processInfo.environment)
        self.base = base
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        session = URLSession(configuration: configuration)
    }

    /// The API at the address in `HEADWIND_CONTROL`, with the token in `HEADWIND_CONTROL_TOKEN`; nil if there is none.
    ///
    /// `environment`: that of this process by default. Throws as ``init(address:token:)`` does.
    public init?(environment: [String: String]? = nil) throws {
        let environment = environment ?? ProcessInfo.processInfo.environment
        guard let address = environment["HEADWIND_CONTROL"], !address.isEmpty else { return nil }
        try self.init(address: address, token: environment["HEADWIND_CONTROL_TOKEN"])
    }

    /// Throws if requests for the control API would go through a proxy, as Foundation uses that of the environment.
    static func checkWay(to host: String, _ environment: [String: String]) throws {
        let proxies = ["http_proxy", "all_proxy", "ALL_PROXY"].filter { environment[$0]?.isEmpty == false }
        guard let proxy = proxies.first else { return }
        let direct = ["no_proxy", "NO_PROXY"].flatMap { environment[$0]?.split(separator: ",") ?? [] }
        let names = direct.map { $0.trimmingCharacters(in: .whitespaces) }
        guard !names.contains("*"), !names.contains(host) else { return }
        throw ControlError(
            "could not use the control API: '\(proxy)' is set, and Foundation would send its requests "
                + "there. Add \(host) to the variable 'no_proxy'.")
    }

    /// The link of the proxy's own listeners.
    ///
    /// `address`: the address of that listener, which ``Link/address`` then has; may be empty.
    public func main(address: String = "") -> Link { Link(control: self, name: "main", address: address) }

    /// Makes a link that follows a profile, and a proxy to `upstream` (`HOST:PORT`); removes both after `body`.
    ///
    /// `seed`: the seed of the link's random decisions; by default derived from the proxy's seed and the link's name.
    /// `schedule`: the text of a fault schedule of L2 lines that the link plays instead of chance.
    /// `name`: the name of both, on which the toxics' random decisions depend; by default the first of `swift 1`,
    /// `swift 2`, … that is free. Give one if processes that share a proxy must decide the same in every run. Throws
    /// ``ControlError`` if the proxy refuses, and each error of `body`.
    public func withLink<Value>(
        _ profile: Profile, upstream: String, seed: UInt64? = nil, schedule: String? = nil, name: String? = nil,
        _ body: (Link) async throws -> Value
    ) async throws -> Value {
        let link = LinkBody(profile: profile, seed: seed.map(Seed.init), schedule: schedule)
        let made = if let name { name } else { try await newLink(LinkBody(seed: link.seed, schedule: schedule)) }
        // If this is refused for a given name, a link of the name may exist, which others use.
        if name != nil { try await put("links", made, link) }
        return try await ending {
            if name == nil { try await put("links", made, link) }
            let proxy = try await putProxy(made, upstream: upstream, link: made)
            return try await ending {
                try await body(Link(control: self, name: made, address: proxy.listen))
            } with: {
                try await removeProxy(made)
            }
        } with: {
            try await removeLink(made)
        }
    }

    /// Makes a link with the first free name, and returns that name.
    ///
    /// Seeds derive from names. So a test that runs again has the same name, not a random one.
    private func newLink(_ link: LinkBody) async throws -> String {
        let body = try JSONEncoder().encode(link)
        var number = 0
        while true {
            number += 1
            let name = "swift \(number)"
            do {
                // This changes no link that exists.
                if try await answer("PUT", "links", name, body).status == 201 { return name }
            } catch let error as ControlError {
                // A link of this name may exist with another seed or schedule.
                guard (try? await answer("GET", "links", name)) != nil else { throw error }
            }
        }
    }

    func put(_ kind: String, _ name: String, _ body: some Encodable) async throws {
        try await answer("PUT", kind, name, try JSONEncoder().encode(body))
    }

    func ask<Answer: Decodable>(
        _ method: String, _ kind: String, _ name: String? = nil, _ body: Data? = nil
    ) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: try await answer(method, kind, name, body).data)
    }

    /// The API's address, as errors have it.
    var place: String { base.absoluteString }

    /// A request about all of a kind, or about one by its name.
    func request(_ method: String, _ kind: String, _ name: String? = nil, _ body: Data? = nil) throws -> URLRequest {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let part = name.map { "/\($0.addingPercentEncoding(withAllowedCharacters: unreserved) ?? $0)" } ?? ""
        guard let url = URL(string: kind + part, relativeTo: base) else {
            throw ControlError("'\(name ?? kind)' is not a name of a link or a proxy")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return request
    }

    /// The body and the status of an answer; throws ``ControlError`` with the proxy's message if it refuses.
    @discardableResult
    func answer(
        _ method: String, _ kind: String, _ name: String? = nil, _ body: Data? = nil
    ) async throws -> (data: Data, status: Int) {
        let request = try request(method, kind, name, body)
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw ControlError("could not reach the proxy at \(place): \(error.localizedDescription)")
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw ControlError(refusal: data, status: status) }
        return (data, status)
    }
}

/// Runs `body`, then `end`, even after an error or if the task is cancelled; an error of `body` hides one of `end`.
func ending<Value>(
    _ body: () async throws -> Value, with end: @escaping @Sendable () async throws -> Void
) async throws -> Value {
    let value: Value
    do { value = try await body() } catch {
        // A separate task: in a cancelled one, URLSession sends nothing, and sleeping ends at once.
        try? await Task { try await end() }.value
        throw error
    }
    try await Task { try await end() }.value
    return value
}

/// The error of a request that a proxy refused, or that could not be sent.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status of the proxy's answer; nil if there was none.
    public let status: Int?
    /// The error as a sentence, from the proxy if it answered.
    public let message: String

    init(_ message: String, status: Int? = nil) { (self.message, self.status) = (message, status) }

    /// The error of a body that refuses a request.
    init(refusal: Data, status: Int) {
        let problem = try? JSONDecoder().decode(ProblemBody.self, from: refusal)
        self.init(problem?.error ?? String(decoding: refusal, as: UTF8.self), status: status)
    }

    /// The message, with the status if there is one.
    public var description: String { status.map { "\(message) (status \($0))" } ?? message }
}
