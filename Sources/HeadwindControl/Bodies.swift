/// The body of `PUT /v2/links/NAME`.
struct LinkBody: Encodable {
    var profile: Profile?
    var conditions: Conditions?
    var seed: String?
}

/// The body of `PUT /v2/proxies/NAME`.
struct ProxyBody: Encodable {
    let upstream: String
    var link: String?
    var toxics: [Toxic]?
}

/// A part of the answer about a proxy.
struct ProxyAnswer: Decodable {
    let upstream: String
    let listen: String
}

/// A part of the answer to `GET /v2/links/NAME`.
struct LinkAnswer: Decodable {
    let status: LinkStatus
}

/// The body of a refusal.
struct ProblemBody: Decodable {
    let error: String
}
