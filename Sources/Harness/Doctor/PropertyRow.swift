/// One property of a profile, and how each backend does it here.
package struct PropertyRow: Sendable, Encodable {
    /// One backend's part of it.
    package struct Cell: Sendable, Encodable {
        package var backend: String
        package var ability: LinkAbility

        private enum CodingKeys: String, CodingKey {
            case backend, ability, reason
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(backend, forKey: .backend)
            try container.encode(ability.name, forKey: .ability)
            try container.encodeIfPresent(ability.reason, forKey: .reason)
        }
    }

    package var property: LinkProperty
    package var cells: [Cell]

    private enum CodingKeys: String, CodingKey {
        case property
        case cells = "backends"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(property.rawValue, forKey: .property)
        try container.encode(cells, forKey: .cells)
    }
}
