import Results
import Testing

@testable import Harness
@testable import Links

/// A host with IPv4 and IPv6 addresses, some of them dead: over packets, and over the kernel's queues.
@Suite(.sideBySide, .serialized, .timeLimit(.minutes(3)))
struct AddressRunTests {
    /// curl's exit status for each address: 0 answers, 6 has no name, 7 refuses, 28 is silent.
    struct Case: Sendable {
        var addresses: String
        var ipv4: Int
        var ipv6: Int
    }

    private static let cases = [
        Case(addresses: "{ipv4: reachable}", ipv4: 0, ipv6: 6),
        Case(addresses: "{ipv6: reachable}", ipv4: 6, ipv6: 0),
        Case(addresses: "{ipv4: reachable, ipv6: reachable}", ipv4: 0, ipv6: 0),
        Case(addresses: "{ipv4: reachable, ipv6: silent}", ipv4: 0, ipv6: 28),
        Case(addresses: "{ipv4: silent, ipv6: refused}", ipv4: 28, ipv6: 7),
        Case(addresses: "{ipv4: refused, ipv6: reachable}", ipv4: 7, ipv6: 0),
    ]

    @Test(arguments: [LinkBackend.packet, .kernel], cases)
    func addressesBehaveAsWritten(backend: LinkBackend, test: Case) async throws {
        let bench = try Bench(packs: ["level.bin": 20_000])
        var run = try bench.prepare(
            """
            link: {downlink: {rate: 20 Mbit/s}, uplink: {rate: 20 Mbit/s}}
            addresses: \(test.addresses)
            workload:
              pack: level.bin
              command: |
                curl -4 -sS -m 2 -o old {url}; echo "IPv4: $?"
                curl -6 -sS -m 2 -o new {url}; echo "IPv6: $?"
                curl -sS -m 2 -o {output} {url} || true
            expect: {exit: 0, output: '^IPv4: \(test.ipv4)$'}
            """)
        run.backend = backend
        let result = try await run.perform()
        let isThere = test.ipv4 == 0 || test.ipv6 == 0
        #expect(!isThere || result.exitCode == 0, "\(result.text)")
        let conduct = try #require(result.cells[0].attempts.first?.conduct)
        #expect(conduct.output?.isFound == true, "\(result.text)")
        guard test.addresses != "{ipv4: reachable}" else {
            return #expect(conduct.addresses == nil)
        }
        let found = try #require(conduct.addresses)
        #expect(found.map { $0.connections > 0 } == [test.ipv4 != 6, test.ipv6 != 6], "\(found)")
        #expect(found.allSatisfy { $0.lookups ?? 0 > 0 }, "\(found)")
    }

    /// A client behind a proxy does not choose among a host's addresses.
    @Test func theProxyRefusesAddresses() async throws {
        let bench = try Bench()
        let result = try await bench.run("addresses: {ipv4: reachable, ipv6: silent}")
        #expect(result.exitCode == 69, "\(result.text)")
        #expect(result.text.contains("choose among a host's 'addresses' only in a sandbox"), "\(result.text)")
    }
}
