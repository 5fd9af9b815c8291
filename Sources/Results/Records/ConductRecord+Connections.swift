extension ConductRecord {
    /// The IPv4 or IPv6 address of the host's name, and what the client did with it.
    package struct Address: Hashable, Sendable, Codable {
        package enum Family: String, Codable, Sendable, CaseIterable {
            case ipv4, ipv6

            /// The name for people.
            package var title: String { self == .ipv4 ? "IPv4" : "IPv6" }
        }

        /// What happens to a client that connects to the address.
        package enum State: String, Codable, Sendable, CaseIterable {
            /// The host answers.
            case reachable
            /// Packets vanish.
            case silent
            /// Connections are reset.
            case refused
        }

        package var family: Family
        /// The address's state; nil if the name has no such address.
        package var state: State?
        /// How often the client looked it up, in datagrams; nil if its queries could not be read.
        package var lookups: Int?
        /// Connections that the client began to it.
        package var connections: Int
        /// When it began the first of them; nil if it began none.
        package var firstSeconds: Double?
        /// When it began the last of them; nil if it began none.
        package var lastSeconds: Double?

        package init(_ family: Family, _ state: State?, lookups: Int? = 0, connectedAt moments: [Double] = []) {
            (self.family, self.state, self.lookups) = (family, state, lookups)
            (connections, firstSeconds, lastSeconds) = (moments.count, moments.min(), moments.max())
        }

        private enum CodingKeys: String, SnakeCaseKey {
            case family, state, lookups, connections, firstSeconds, lastSeconds
        }
    }

    /// A connection of a client to a host that is not Headwind's.
    package struct Connection: Hashable, Sendable, Codable {
        /// Its name in lines of a schedule: the path of its first request, or `#3` for the third that was accepted.
        package var name: String
        /// Payload bytes that reached the client.
        package var downlinkBytes: Int64
        /// Payload bytes that reached the host.
        package var uplinkBytes: Int64
        /// Why it ended, as `closed` of `events.jsonl` says it; nil if it did not.
        package var end: String?

        package init(name: String, downlinkBytes: Int64 = 0, uplinkBytes: Int64 = 0, end: String? = nil) {
            (self.name, self.downlinkBytes, self.uplinkBytes, self.end) = (name, downlinkBytes, uplinkBytes, end)
        }

        private enum CodingKeys: String, SnakeCaseKey { case name, end, downlinkBytes, uplinkBytes }
    }
}
