/// The body of `PUT /v2/links/NAME`.
struct LinkBody: Encodable {
    var profile: Profile?
    var conditions: Conditions?
    var seed: String?
}

/// The body of `PUT /v2/links/NAME` that takes a link offline; null takes it online.
struct OfflineBody: Encodable {
    let offline: OfflineKind?

    enum CodingKeys: CodingKey { case offline }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(offline, forKey: .offline)
    }
}

/// The body of `PUT /v2/proxies/NAME`, and a part of its answer.
struct ProxyBody: Codable {
    let upstream: String
    var link: String?
    var listen: String?
    var toxics: [Toxic]?
}

/// A part of the answer to `GET /v2/links/NAME`.
struct LinkAnswer: Decodable {
    let status: LinkStatus
}

/// The body of a refusal.
struct ProblemBody: Decodable {
    let error: String
}
