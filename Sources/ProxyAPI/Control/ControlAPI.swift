import Documents
package import LinkModel
package import ProxyLink

/// Version 2 of the control API: links and named proxies by name, and events as they happen.
///
/// ``operations`` lists all of it: it routes the requests, and ``openAPI`` is made from it.
package struct ControlAPI: Sendable {
    let proxies: NamedProxies
    /// Reads `{"profile": …}`, `{"conditions": …}` or `{"offline": …}`.
    let read: @Sendable ([UInt8]) throws -> LinkRequest

    package init(proxies: NamedProxies, read: @escaping @Sendable ([UInt8]) throws -> LinkRequest) {
        self.proxies = proxies
        self.read = read
    }

    /// Answers one request.
    package func answer(_ request: APIRequest) async -> APIResponse {
        do {
            let segments = request.segments
            let there = Self.operations.filter { $0.matches(segments) }
            guard !there.isEmpty else { throw APIProblem(status: 404, "there is no such path") }
            guard let operation = there.first(where: { $0.method == request.method }) else {
                throw APIProblem(takes: there.map(\.method))
            }
            return try await operation.answer(self, segments.last ?? "", request)
        } catch {
            return APIResponse(problem: APIProblem(error))
        }
    }

    /// The profile of a body `{"profile": …}`, for toxics of this type.
    func profile(_ body: [UInt8]) throws -> Profile {
        guard case .profile(let profile) = try read(body) else { throw APIProblem.missing("profile") }
        return profile
    }

    func link(_ name: String) async throws -> JSONTree { document(try await proxies.link(name)) }

    func putLink(_ name: String, _ request: APIRequest) async throws -> APIResponse {
        let fields = try Fields(body: request.body, .exact)
        try fields.refuseAll(but: ["name", "seed", "schedule"] + Self.changes + ["status"])
        try check(try fields.text("name"), name)
        let request = NamedLinkRequest(try changes(fields), seed: try fields.seed, schedule: try fields.schedule)
        let isNew = try await proxies.putLink(name, request)
        return APIResponse(status: isNew ? 201 : 200, try await link(name))
    }

    /// The keys of a link that change it, in the order in which they take effect.
    private static let changes = ["profile", "conditions", "offline"]

    /// The changes of a link that a body requests.
    private func changes(_ fields: Fields) throws -> [LinkRequest] {
        guard fields.raw("profile") == nil || fields.raw("conditions") == nil else {
            throw APIProblem(status: 400, "write profile or conditions: the body has both")
        }
        return try Self.changes.compactMap { key in
            guard let node = fields.raw(key) else { return nil }
            do { return try read(Array("{\"\(key)\":\(node.line())}".utf8)) } catch {
                throw APIProblem(status: 400, "\(error)")
            }
        }
    }

    func makeProxy(_ request: APIRequest) async throws -> APIResponse {
        let proxy = try await proxies.add(self.request(try Fields(body: request.body, .exact)))
        return APIResponse(status: 201, proxy.fullDocument)
    }

    /// Makes a proxy, or changes one to match the body.
    func putProxy(_ name: String, _ request: APIRequest) async throws -> APIResponse {
        let fields = try Fields(body: request.body, .exact)
        let (proxy, isNew) = try await proxies.put(
            self.request(fields, name: name), listen: try fields.text("listen"), isEnabled: try fields.flag("enabled"))
        return APIResponse(status: isNew ? 201 : 200, proxy.fullDocument)
    }

    private func request(_ fields: Fields, name: String? = nil) throws -> NamedProxyRequest {
        try fields.refuseAll(but: ["name", "listen", "upstream", "enabled", "link", "toxics", "status"])
        let said = try fields.text("name")
        if let name { try check(said, name) }
        guard let name = name ?? said else { throw APIProblem.missing("name") }
        guard let upstream = try fields.text("upstream") else { throw APIProblem.missing("upstream") }
        do { _ = try Endpoint(parsing: upstream) } catch { throw APIProblem(status: 400, "\(error)") }
        var toxics: [Toxic] = []
        for node in try fields.node("toxics")?.elements("a list of toxics") ?? [] {
            toxics.append(try Toxic(Fields(node, .exact), among: toxics, profile: profile))
        }
        return NamedProxyRequest(
            name: name, listen: try fields.text("listen") ?? "", upstream: upstream,
            isEnabled: try fields.flag("enabled") ?? true, link: try fields.text("link"), toxics: toxics)
    }

    /// Throws if a body says another name than the path.
    private func check(_ said: String?, _ name: String) throws(APIProblem) {
        guard let said, said != name else { return }
        throw APIProblem(status: 400, "the name is '\(said)' in the body, and '\(name)' in the path")
    }

    /// The open connections; `connection` is the number of each in events.
    func connections() async throws -> JSONTree {
        .list(
            try await proxies.connections.map { link, connection in
                .object([
                    "connection": .whole(connection.id), "link": .text(link),
                    "proxy": connection.proxy.map(JSONTree.text), "client": connection.client.map(JSONTree.text),
                    "target": connection.target.map { .text("\($0)") },
                    "serverName": connection.serverName.map(JSONTree.text),
                    "key": connection.key.map { .text("\($0)") }, "downlink": .whole(connection.downlink),
                    "uplink": .whole(connection.uplink),
                ])
            })
    }

    /// All events from now on, as server-sent events whose `id` is their number.
    ///
    /// If more than 4096 wait for the client, the oldest are dropped.
    func events() async throws -> APIResponse {
        let events = try await proxies.events()
        let lines = AsyncStream<[UInt8]>(bufferingPolicy: .bufferingNewest(4096)) { continuation in
            let task = Task {
                for await (number, event) in events {
                    continuation.yield(Array("id: \(number)\ndata: \(JSONTree(encoding: event).line)\n\n".utf8))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        // A comment line, so that the client sees at once that the stream has begun.
        return APIResponse(
            status: 200, contentType: "text/event-stream", body: Array(": from now on\n\n".utf8), events: lines)
    }

    /// A link in the form that `PUT` takes, with its current state in `status`, which `PUT` ignores.
    func document(_ link: NamedLink) -> JSONTree {
        let counters = link.counters
        func traffic(_ direction: Direction) -> JSONTree {
            JSONTree(encoding: LinkDocument.Traffic(counters, direction))
        }
        return .object([
            "name": .text(link.name), "seed": .text("\(link.seed)"),
            "schedule": link.schedule.map { .text($0.text) }, "profile": link.profile.map(said),
            "conditions": link.profile == nil ? link.conditions.notation : nil,
            "offline": link.profile == nil ? nil : link.offline.map { .text($0.rawValue) },
            "status": .object([
                "generation": .whole(counters.generation), "conditions": link.conditions.notation,
                "proxies": .texts(link.proxies),
                "connections": JSONTree(encoding: LinkDocument.Connections(counters)),
                "downlink": traffic(.downlink), "uplink": traffic(.uplink),
            ]),
        ])
    }

    /// A profile in the form of a request: its name if the name alone gives this profile, else the whole profile.
    private func said(_ profile: Profile) -> JSONTree {
        let named = try? read(Array("{\"profile\":\(profile.name.jsonQuoted)}".utf8))
        return named == .profile(profile) ? .text(profile.name) : profile.notation()
    }
}

extension NamedProxy {
    /// The proxy in the form that `PUT` takes, with its current state in `status`.
    var fullDocument: JSONTree {
        func streams(_ bytes: PerDirection<Int64>) -> JSONTree {
            .object(["downstream": .whole(bytes.downlink), "upstream": .whole(bytes.uplink)])
        }
        let status = JSONTree.object([
            "connections": .whole(openConnections), "received": streams(received), "sent": streams(sent),
        ])
        return document.setting("link", .text(link)).setting("status", status)
    }
}

extension Fields {
    /// A fault schedule, as text; only its lines about packets make sense for a link without a host.
    var schedule: FaultSchedule? {
        get throws {
            guard let node = node("schedule"), let text = try text("schedule") else { return nil }
            let schedule: FaultSchedule
            do throws(FaultScheduleError) { schedule = try FaultSchedule(parsing: text) } catch {
                throw JSONProblem(node.mark, "the schedule is wrong: \(error.description)")
            }
            guard schedule.hasOnlyPacketFaults else {
                throw JSONProblem(
                    node.mark, "the schedule has lines of layers other than L2, which a proxy cannot play")
            }
            return schedule
        }
    }

    /// A seed, as text or as a whole number; text keeps all 64 bits in every language.
    var seed: UInt64? {
        get throws {
            guard let node = node("seed") else { return nil }
            switch node.content {
            case .string(let text), .literal(let text):
                if let seed = UInt64(text) { return seed }
            case .object, .array: break
            }
            throw JSONProblem(
                node.mark, "the value of \"seed\" must be a whole number from 0 to 2^64 - 1, not \(node.kind)")
        }
    }
}
