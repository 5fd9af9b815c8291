import LinkModel
import Links
import SandboxMessages
import SystemPackage
import Testbed

/// A link between the two networks of a sandbox, by the kernel's queues or by packets.
enum Ground: String, Sendable, CaseIterable {
    case kernel
    case packet

    private var backend: LinkBackend { self == .kernel ? .kernel : .packet }

    /// Runs `body` with a link that is up; `counters` returns what the link has carried so far.
    func with<Result>(
        _ profile: Profile, seed: UInt64 = 1,
        _ body: (Sandbox, _ counters: @escaping @Sendable () async throws -> LinkCounters) async throws -> Result
    ) async throws -> Result {
        var configuration = SandboxConfiguration()
        configuration.link = backend.provider.sandbox ?? .packets
        return try await withSandbox(configuration) { sandbox in
            try await backend.provider.withLink(LinkSetup(profile: profile, seed: seed), at: .sandbox(sandbox)) {
                link, _ in
                try await body(sandbox) { try await link.use().model }
            }
        }
    }
}

extension Profile {
    /// The same in both directions.
    static func both(_ conditions: Conditions) -> Profile {
        Profile(name: "figure", conditions: LinkConditions(downlink: conditions, uplink: conditions))
    }
}

/// Writes a line to standard output at once, so that it is not lost if the program ends early.
func say(_ line: String) {
    _ = try? FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
}

/// A value rounded to three digits after the point, or to five if it is below 1.
func rounded(_ value: Double) -> Double {
    let scale = abs(value) < 1 ? 100_000.0 : 1000.0
    return (value * scale).rounded() / scale
}
