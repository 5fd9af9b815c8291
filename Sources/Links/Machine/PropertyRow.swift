/// The properties of a link that a profile can set, and that backends implement differently.
package enum LinkProperty: String, Sendable, CaseIterable, Encodable {
    case rate
    case delay
    case jitter
    case loss
    case bursts
    case duplicate
    case reorder
    case corrupt
    case queue
    case dnsDelay = "dns-delay"
    case offline
    case stall
    case trace
    case mtu
    /// Traffic other than streams: UDP, QUIC, ICMP.
    case datagrams

    /// Its name for users.
    package var title: String {
        switch self {
        case .loss: "random loss"
        case .bursts: "loss in bursts"
        case .offline: "offline, all four"
        case .datagrams: "UDP, QUIC, ICMP"
        default: rawValue
        }
    }
}

/// One property of a profile, and how each backend implements it here.
package struct PropertyRow: Sendable, Encodable {
    /// How one backend implements it.
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
    package var backends: [Cell]

    /// A row for each property, with the backends in the order of preference.
    package static func all(on machine: LinkMachine) -> [PropertyRow] {
        LinkProperty.allCases.map { property in
            PropertyRow(
                property: property,
                backends: LinkBackend.allCases.map {
                    Cell(backend: $0.rawValue, ability: $0.provider.ability(for: property, on: machine))
                })
        }
    }
}

/// How a backend implements a property of a profile.
package enum LinkAbility: Sendable, Equatable {
    /// It affects real packets.
    case packets
    /// A model of TCP imitates it.
    case modelled
    /// It is not available, with the reason as a clause; nil if the whole backend cannot be used.
    case no(String?)

    /// Its name in JSON.
    package var name: String {
        switch self {
        case .packets: "packet"
        case .modelled: "modelled"
        case .no: "no"
        }
    }

    /// Why it is not available; nil if it is, or if the whole backend cannot be used.
    package var reason: String? {
        if case .no(let reason) = self { reason } else { nil }
    }
}
