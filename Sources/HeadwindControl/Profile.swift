/// A profile that a link follows: `"3g"`, any name of `headwind profile list`, or a whole profile.
///
///     try await link.follow("lte")
///     try await link.follow(Profile(["profile": "mine", "source": "a try", "extends": "3g", "mtu": 1400]))
public struct Profile: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// Its name.
    public let name: String
    /// All keys of a whole profile, as `headwind profile show --format json` prints them; nil if the name says all.
    public let document: [String: JSONValue]?

    /// The profile of this name.
    public init(_ name: String) { (self.name, document) = (name, nil) }

    /// A whole profile, with the keys of a profile's file.
    public init(_ document: [String: JSONValue]) {
        let name = if case .text(let text) = document["profile"] { text } else { "" }
        (self.name, self.document) = (name, document)
    }

    /// The profile of this name.
    public init(stringLiteral name: String) { self.init(name) }

    /// Decodes a name or a whole profile.
    public init(from decoder: any Decoder) throws {
        if let name = try? String(from: decoder) {
            self.init(name)
        } else {
            self.init(try decoder.singleValueContainer().decode([String: JSONValue].self))
        }
    }

    /// Encodes its name, or the whole profile.
    public func encode(to encoder: any Encoder) throws {
        guard let document else { return try name.encode(to: encoder) }
        // In a container, a coder's strategy for keys leaves those of a dictionary alone.
        var container = encoder.singleValueContainer()
        try container.encode(document)
    }
}

/// A toxic of Toxiproxy, an effect on the bytes of one proxy's connections: `Toxic("limit_data", ["bytes": 100])`.
public struct Toxic: Sendable, Hashable, Codable {
    /// The type, such as `"limit_data"`.
    public var type: String
    /// The name; nil: made of the type and the stream.
    public var name: String?
    /// The stream, `"upstream"` or `"downstream"`; nil: `downstream`.
    public var stream: String?
    /// The share of connections that it affects, from 0 to 1; nil: all of them.
    public var toxicity: Double?
    /// The attributes, such as `["bytes": 100]` or `["profile": "3g"]`.
    public var attributes: [String: JSONValue]

    /// A toxic of a type, with its attributes.
    public init(
        _ type: String, _ attributes: [String: JSONValue] = [:], name: String? = nil, stream: String? = nil,
        toxicity: Double? = nil
    ) {
        (self.type, self.name, self.stream, self.toxicity) = (type, name, stream, toxicity)
        self.attributes = attributes
    }
}
