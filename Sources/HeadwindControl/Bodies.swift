/// What `PUT /v2/links/NAME` takes.
struct LinkBody: Encodable {
    var profile: Profile?
    var conditions: Conditions?
    var seed: String?
}

/// The same for a link that goes offline; null goes online.
struct OfflineBody: Encodable {
    let offline: OfflineKind?

    enum CodingKeys: CodingKey { case offline }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(offline, forKey: .offline)
    }
}

/// What `PUT /v2/proxies/NAME` takes, and a part of what it answers.
struct ProxyBody: Codable {
    let upstream: String
    var link: String?
    var listen: String?
    var toxics: [Toxic]?
}

/// A part of what `GET /v2/links/NAME` answers.
struct LinkAnswer: Decodable {
    let status: LinkStatus
}

/// What a refusal says.
struct ProblemBody: Decodable {
    let error: String
}
