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
        guard let start = Effect.all.first(where: { $0.type == type }) else {
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
    /// One effect of each type, with the default attributes.
    static let all: [Toxic.Effect] = [
        .noop, .latency(latency: 0, jitter: 0), .bandwidth(rate: 0), .slowClose(delay: 0), .timeout(timeout: 0),
        .resetPeer(timeout: 0), .slicer(averageSize: 0, sizeVariation: 0, delay: 0), .limitData(bytes: 0),
        .packetLoss(lossRate: 0, correlation: 0), .profile(Profile(name: ""), isNamed: false),
    ]

    /// The effect whose numbers are what `whole` and `number` return for each key of Toxiproxy and its present value.
    private func replacing(
        whole: (String, Int64) throws -> Int64, number: (String, Double) throws -> Double
    ) rethrows -> Toxic.Effect {
        switch self {
        case .noop, .profile: self
        case .latency(let latency, let jitter):
            .latency(latency: try whole("latency", latency), jitter: try whole("jitter", jitter))
        case .bandwidth(let rate): .bandwidth(rate: try whole("rate", rate))
        case .slowClose(let delay): .slowClose(delay: try whole("delay", delay))
        case .timeout(let timeout): .timeout(timeout: try whole("timeout", timeout))
        case .resetPeer(let timeout): .resetPeer(timeout: try whole("timeout", timeout))
        case .slicer(let size, let variation, let delay):
            .slicer(
                averageSize: try whole("average_size", size), sizeVariation: try whole("size_variation", variation),
                delay: try whole("delay", delay))
        case .limitData(let bytes): .limitData(bytes: try whole("bytes", bytes))
        case .packetLoss(let rate, let correlation):
            .packetLoss(lossRate: try number("loss_rate", rate), correlation: try number("correlation", correlation))
        }
    }

    fileprivate var attributes: [JSONTree.Member] {
        if case .profile(let profile, let isNamed) = self {
            return [JSONTree.Member(key: "profile", value: isNamed ? .text(profile.name) : profile.notation())]
        }
        var members: [JSONTree.Member] = []
        _ = replacing {
            members.append(JSONTree.Member(key: $0, value: .whole($1)))
            return $1
        } number: {
            members.append(JSONTree.Member(key: $0, value: .shortest($1)))
            return $1
        }
        return members
    }

    /// The effect with the attributes that `fields` has; the others stay.
    func updated(
        by fields: Fields, profile read: (_ body: [UInt8]) throws -> Profile
    ) throws -> Toxic.Effect {
        try fields.refuseAll(but: attributes.map(\.key))
        guard case .profile(let before, _) = self else {
            return try replacing {
                try fields.whole($0) ?? $1
            } number: {
                try fields.number($0) ?? $1
            }
        }
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
