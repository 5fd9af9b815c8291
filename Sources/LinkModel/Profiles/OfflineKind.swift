/// What a client meets while a link is offline.
package enum OfflineKind: String, CaseIterable, Sendable, Codable {
    /// The client has no route: connecting fails at once (ENETUNREACH); open connections go silent.
    case noRoute = "no-route"
    /// Packets vanish: connecting and open connections wait for their own timeouts.
    case silent
    /// The far end refuses: connecting is answered with RST after a round trip (ECONNREFUSED); open connections are reset.
    case refused
    /// Names cannot be resolved (NXDOMAIN); addresses and open connections still work.
    case noName = "no-name"
}
