import Wording

extension Symptoms {
    /// Why a client did not reach a host, although one of the host's addresses leads to it.
    func missedAddress(_ outcome: RequestOutcome, _ expectation: Expectation) -> BugDiagnosis? {
        guard case .available = expectation, conduct.outages.isEmpty, let addresses = conduct.addresses,
            let good = addresses.first(where: { $0.state == .reachable })
        else { return nil }
        return unseenFamily(good, addresses) ?? deadAddress(outcome, good, addresses)
    }

    /// A client that never looks up an IPv6 address, although no other address leads to the host.
    private func unseenFamily(
        _ good: ConductRecord.Address, _ addresses: [ConductRecord.Address]
    ) -> BugDiagnosis? {
        let old = addresses.first { $0.family == .ipv4 }
        guard good.family == .ipv6, good.lookups == 0, good.connections == 0, let old, let asked = old.lookups,
            asked > 0
        else { return nil }
        let what = old.state.map { "the host's IPv4 address \(Self.text($0))" } ?? "the host has no IPv4 address"
        return BugDiagnosis(
            .needsIPv4, "it looked up only an IPv4 address, and \(what)", seconds: old.firstSeconds)
    }

    /// A client that stays with a dead address, for good or for too long.
    private func deadAddress(
        _ outcome: RequestOutcome, _ good: ConductRecord.Address, _ addresses: [ConductRecord.Address]
    ) -> BugDiagnosis? {
        // A client that never looked up the other address did not ignore it.
        guard good.lookups != 0,
            let dead = addresses.first(where: { $0.state != nil && $0.state != .reachable && $0.connections > 0 }),
            let state = dead.state, let first = dead.firstSeconds, let last = dead.lastSeconds
        else { return nil }
        let told = "the host's \(dead.family.title) address \(Self.text(state))"
        let hasGivenUp = !isSilent(outcome) && outcome.result == .error || last - first > Self.together
        if good.connections == 0, hasGivenUp {
            return BugDiagnosis(
                .ignoresOtherAddresses,
                "\(told), and the client tried it \(dead.connections.times), but never the \(good.family.title) "
                    + "address, which answers",
                seconds: last)
        }
        let waited = (good.firstSeconds ?? end(of: outcome)) - first
        guard state == .silent, waited > conduct.patienceSeconds else { return nil }
        return BugDiagnosis(
            .waitsOnDeadAddress,
            "\(told), and for \(text(waited)) the client did not try the \(good.family.title) address, which answers",
            seconds: first)
    }

    /// Connections that begin within this many seconds are one try.
    private static let together = 1.0

    private static func text(_ state: ConductRecord.Address.State) -> String {
        switch state {
        case .reachable: "answers"
        case .silent: "is silent"
        case .refused: "refuses connections"
        }
    }
}
