import Glibc
import Testing

/// Which link `headwind exec` chooses where some backends cannot run.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ExecFallbackTests {
    /// Needs root to imitate another machine.
    @Test(.needsRoot) func fallsBackWithoutPrivilegesAndSaysWhy() async throws {
        let server = try LoopbackServer(body: Array("here".utf8))
        defer { server.close() }
        let command =
            "sh -c 'id -u; curl -sS http://host.headwind.internal:\(server.port)/; curl -s http://127.0.0.1:1/'"
        let allowed = try await ExecRun.line(
            "exec $CONFINE --tun 666 --user 65534 -- $HW exec --backend packet --profile lte -- \(command)")
        #expect(allowed.output == "65534\nhere", "\(allowed.errors)")

        let proxied = try await ExecRun.line(
            "exec $CONFINE --tun 600 --user 65534 -- $HW exec --profile flaky-lte -- sh -c 'exit 3'")
        #expect(proxied.status == 3)
        #expect(
            proxied.errors.contains("the link is a proxy, because packets are not available: "), "\(proxied.errors)")
        #expect(proxied.errors.contains("/dev/net/tun"))

        // The kernel's queues, which would do for rates alone, are not available either.
        let rated = try await ExecRun.line(
            "echo '{profile: rates, source: me, downlink: {rate: 5 Mbit/s}, uplink: {rate: 5 Mbit/s}}' > rates.yaml; "
                + "exec $CONFINE --tun 600 --user 65534 -- $HW exec --profile ./rates.yaml -- sh -c 'exit 3'")
        #expect(rated.status == 3 && rated.errors.contains("the link is a proxy, because packets"), "\(rated.errors)")

        let insisted = try await ExecRun.line(
            "exec $CONFINE --tun 600 --user 65534 -- $HW exec --backend packet --profile lte -- true")
        #expect(insisted.status == 125)
        #expect(insisted.errors.contains("chmod 0666 /dev/net/tun"))
    }
}
