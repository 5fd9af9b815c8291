/// The body of `PUT /v2/links/NAME`; absent fields stay as they are.
struct LinkBody: Encodable {
    var profile: Profile?
    var conditions: Conditions?
    var offline: OfflineKind?
    var seed: Seed?
    var schedule: String?
}

/// The body of `PUT /v2/proxies/NAME`; absent fields stay as they are, but absent toxics are removed.
struct ProxyBody: Encodable {
    let upstream: String
    var listen: String?
    var enabled: Bool?
    var link: String?
    var toxics: [Toxic]?
}

/// A seed in a body: a text, because a number of JSON may lose digits.
struct Seed: Sendable, Hashable, Codable {
    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = UInt64(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a seed is a whole number")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws { try "\(value)".encode(to: encoder) }
}

/// The body of a refusal.
struct ProblemBody: Decodable {
    let error: String
}
