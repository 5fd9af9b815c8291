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

    /// A row for each property, with the backends in the order in which they are preferred.
    package static func all(on machine: LinkMachine) -> [PropertyRow] {
        LinkProperty.allCases.map { property in
            PropertyRow(
                property: property,
                cells: LinkBackend.allCases.map {
                    Cell(backend: $0.rawValue, ability: $0.provider.ability(for: property, on: machine))
                })
        }
    }

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

/// How a backend does what a profile asks of a link.
package enum LinkAbility: Sendable, Equatable {
    /// It happens to real packets.
    case packets
    /// It is what a model of TCP makes of it.
    case modelled
    /// It cannot be had, with why, as a clause; nil where the whole backend cannot be used.
    case no(String?)

    /// As JSON has it.
    package var name: String {
        switch self {
        case .packets: "packet"
        case .modelled: "modelled"
        case .no: "no"
        }
    }

    /// Why it cannot be had; nil where it can, and where the whole backend cannot be used.
    package var reason: String? {
        if case .no(let reason) = self { reason } else { nil }
    }
}
