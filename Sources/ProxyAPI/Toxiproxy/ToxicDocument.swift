import Documents
import LinkModel
import ProxyLink

extension Toxic {
    /// Reads a request to add a toxic; absent fields have Toxiproxy's defaults.
    ///
    /// Throws the errors of Toxiproxy, and checks in its order: direction, type, name, attributes.
    init(
        _ fields: Fields, among toxics: [Toxic], profile: (_ body: [UInt8]) throws -> Profile
    ) throws {
        let stream = try fields.text("stream") ?? Direction.downlink.stream
        guard let direction = Direction.allCases.first(where: { $0.stream == stream.lowercased() }) else {
            throw APIProblem(status: 400, "stream was invalid, can be either upstream or downstream")
        }
        let type = try fields.text("type") ?? ""
        let toxicity = try fields.number("toxicity") ?? 1
        let given = try fields.text("name") ?? ""
        guard let start = Effect.start(type) else {
            throw APIProblem(status: 400, "invalid toxic type")
        }
        let name = given.isEmpty ? "\(type)_\(stream)" : given
        guard !toxics.contains(where: { $0.name == name }) else { throw NamedProxyError.toxicExists }
        try fields.refuseAll(but: ["name", "type", "stream", "toxicity", "attributes"])
        let effect = try start.updated(by: fields.attributes, profile: profile)
        self.init(name: name, direction: direction, toxicity: toxicity, effect: effect)
    }

    /// The toxic in Toxiproxy's form.
    var document: JSONTree {
        .object([
            "attributes": .object(effect.attributes), "name": .text(name), "type": .text(effect.type),
            "stream": .text(direction.stream), "toxicity": .shortest(toxicity),
        ])
    }
}

extension Direction {
    /// Toxiproxy's name of the direction.
    var stream: String { self == .downlink ? "downstream" : "upstream" }
}

extension JSONTree {
    /// A number, without a fraction if it is whole.
    fileprivate static func shortest(_ number: Double) -> JSONTree {
        Int128(exactly: number).map(JSONTree.integer) ?? .number(number)
    }
}

extension Toxic.Effect {
    /// The effect of a type with the default attributes; nil if there is no such type.
    fileprivate static func start(_ type: String) -> Toxic.Effect? {
        all.first { $0.type == type }
    }

    /// One effect of each type, with the default attributes.
    static let all: [Toxic.Effect] = [
        .noop, .latency(latency: 0, jitter: 0), .bandwidth(rate: 0), .slowClose(delay: 0), .timeout(timeout: 0),
        .resetPeer(timeout: 0), .slicer(averageSize: 0, sizeVariation: 0, delay: 0), .limitData(bytes: 0),
        .packetLoss(lossRate: 0, correlation: 0), .profile(Profile(name: ""), isNamed: false),
    ]

    fileprivate var attributes: [JSONTree.Member] {
        func whole(_ key: String, _ value: Int64) -> JSONTree.Member {
            JSONTree.Member(key: key, value: .whole(value))
        }
        func number(_ key: String, _ value: Double) -> JSONTree.Member {
            JSONTree.Member(key: key, value: .shortest(value))
        }
        return switch self {
        case .noop: []
        case .latency(let latency, let jitter): [whole("latency", latency), whole("jitter", jitter)]
        case .bandwidth(let rate): [whole("rate", rate)]
        case .slowClose(let delay): [whole("delay", delay)]
        case .timeout(let timeout), .resetPeer(let timeout): [whole("timeout", timeout)]
        case .slicer(let size, let variation, let delay):
            [whole("average_size", size), whole("size_variation", variation), whole("delay", delay)]
        case .limitData(let bytes): [whole("bytes", bytes)]
        case .packetLoss(let rate, let correlation): [number("loss_rate", rate), number("correlation", correlation)]
        case .profile(let profile, let isNamed):
            [JSONTree.Member(key: "profile", value: isNamed ? .text(profile.name) : profile.notation())]
        }
    }

    /// The effect with the attributes that `fields` has; the others stay.
    func updated(
        by fields: Fields, profile read: (_ body: [UInt8]) throws -> Profile
    ) throws -> Toxic.Effect {
        try fields.refuseAll(but: attributes.map(\.key))
        switch self {
        case .noop: return .noop
        case .latency(let latency, let jitter):
            return .latency(
                latency: try fields.whole("latency") ?? latency, jitter: try fields.whole("jitter") ?? jitter)
        case .bandwidth(let rate): return .bandwidth(rate: try fields.whole("rate") ?? rate)
        case .slowClose(let delay): return .slowClose(delay: try fields.whole("delay") ?? delay)
        case .timeout(let timeout): return .timeout(timeout: try fields.whole("timeout") ?? timeout)
        case .resetPeer(let timeout): return .resetPeer(timeout: try fields.whole("timeout") ?? timeout)
        case .slicer(let size, let variation, let delay):
            return .slicer(
                averageSize: try fields.whole("average_size") ?? size,
                sizeVariation: try fields.whole("size_variation") ?? variation,
                delay: try fields.whole("delay") ?? delay)
        case .limitData(let bytes): return .limitData(bytes: try fields.whole("bytes") ?? bytes)
        case .packetLoss(let rate, let correlation):
            return .packetLoss(
                lossRate: try fields.number("loss_rate") ?? rate,
                correlation: try fields.number("correlation") ?? correlation)
        case .profile(let before, _):
            guard let node = fields.node("profile") else {
                if before.name.isEmpty { throw APIProblem.missing("profile") }
                return self
            }
            do {
                let isNamed = if case .string = node.content { true } else { false }
                return .profile(try read(Array("{\"profile\":\(node.line())}".utf8)), isNamed: isNamed)
            } catch {
                throw APIProblem(status: 400, "bad request body: \(error)")
            }
        }
    }
}
