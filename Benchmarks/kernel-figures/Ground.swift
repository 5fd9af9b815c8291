import CellMessages
import Harness
import LinkModel
import PacketLink
import SystemPackage
import Testbed

/// A link between the two networks of a cell, by the kernel's queues or by packets.
enum Ground: String, Sendable, CaseIterable {
    case kernel
    case packet

    /// Runs `body` with a link that is up; `wire` tells what has left it so far, in bytes of IP packets.
    func with<Result>(
        _ profile: Profile, seed: UInt64 = 1,
        _ body: (Cell, _ counters: @escaping @Sendable () async throws -> PacketLinkCounters) async throws -> Result
    ) async throws -> Result {
        var configuration = CellConfiguration()
        configuration.link = self == .kernel ? .router : .packets
        return try await withCell(configuration) { cell in
            switch self {
            case .kernel:
                try await cell.withKernelSession(KernelSetup(profile: profile, seed: seed)) { link in
                    try await body(cell) { try await link.summary().counters }
                }
            case .packet:
                try await cell.withLink(PacketLinkConfiguration(profile: profile, seed: seed)) { link in
                    try await body(cell) { try await link.counters() }
                }
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

/// Writes a line to standard output at once, so that it is there also where something ends the rest.
func say(_ line: String) {
    _ = try? FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
}

/// A value with two digits behind the point, or more where it is small.
func rounded(_ value: Double) -> Double {
    let scale = abs(value) < 1 ? 100_000.0 : 1000.0
    return (value * scale).rounded() / scale
}
