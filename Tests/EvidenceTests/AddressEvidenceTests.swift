import LinkModel
import Results
import Testing

@testable import Evidence

/// The addresses that a client tries, as a link's events show them.
@Suite struct AddressEvidenceTests {
    private func addresses(_ scenario: String, _ events: [(Double, LinkEvent.Kind)]) throws -> [ConductRecord.Address]?
    {
        var trace = AttemptTrace()
        (trace.clientStart, trace.clientEnd) = (1_000_000_000, 9_000_000_000)
        for (seconds, kind) in events {
            let at = Instant(nanoseconds: 1_000_000_000 + Int64(seconds * 1e9))
            trace.link.append(LinkEvent(at: at, connection: 1, kind: kind))
        }
        return Conduct(trace: trace, setup: try Scratch.setup(scenario)).record()?.addresses
    }

    private static let dual = "addresses: {ipv4: reachable, ipv6: silent}"

    private static func flow(_ target: String, _ number: UInt8 = 6) -> LinkEvent.Kind {
        .flow(protocol: number, target: target, key: "#1", port: 4000)
    }

    @Test func bothAreAskedForAndTried() throws {
        let found = try addresses(
            Self.dual,
            [
                (-0.5, Self.flow("[2001:db8:77:1::2]:80")), (0.1, Self.flow("10.77.1.2:53", 17)),
                (0.1, .lookup(type: 1)),
                (0.1, .lookup(type: 28)), (0.5, Self.flow("[2001:db8:77:1::6]:80")),
                (1.5, Self.flow("[2001:db8:77:1::6]:80")),
                (0.75, Self.flow("10.77.1.2:80")), (0.8, Self.flow("10.77.1.2:80", 17)),
            ])
        #expect(
            found == [
                .init(.ipv4, .reachable, lookups: 1, connectedAt: [0.75]),
                .init(.ipv6, .silent, lookups: 1, connectedAt: [0.5, 1.5]),
            ])
    }

    @Test func unseenLookupsAreUnknown() throws {
        // A lookup over TCP is of unknown content.
        let byTCP = try addresses(Self.dual, [(0.1, Self.flow("10.77.1.2:53"))])
        #expect(byTCP == [.init(.ipv4, .reachable, lookups: nil), .init(.ipv6, .silent, lookups: nil)])
        #expect(try addresses(Self.dual, []) == nil)
        #expect(try addresses("", [(0.5, Self.flow("10.77.1.2:80"))]) == nil)
    }

    @Test func aNameMayHaveOneAddress() throws {
        let found = try addresses(
            "addresses: {ipv6: reachable}", [(0.1, Self.flow("10.77.1.2:53", 17)), (0.1, .lookup(type: 1))])
        #expect(found == [.init(.ipv4, nil, lookups: 1), .init(.ipv6, .reachable, lookups: 0)])
    }
}
