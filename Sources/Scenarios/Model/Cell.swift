package import Documents
package import LinkModel
package import PackFormat
package import Results

/// A scenario at one point of its matrix: everything that an attempt needs to know.
package struct Cell: Hashable, Sendable {
    /// A value that the matrix gives to a key of the scenario.
    package struct Setting: Hashable, Sendable {
        /// The path of the key: `link.profile`.
        package var path: String
        /// The value as the file writes it; its number in the list if it is not a text.
        package var value: String
    }

    /// A name that is valid in file names and JUnit, unique among scenarios that are loaded together: `tunnel-3g`.
    package var id: String
    /// The scenario's title: `Level 2 survives the tunnel`.
    package var title: String
    /// The point of the matrix; empty if there is no matrix.
    package var point: [Setting]

    package var content: Content
    /// Whether the built-in host speaks HTTPS.
    package var tls: Bool
    /// What is wrong with the host's TLS on purpose; nil: nothing.
    package var tlsFault: TLSFault?
    /// Whether the host's TLS offers HTTP/2.
    package var http2 = false
    /// The addresses of the host's names, in a sandbox.
    package var addresses = HostAddresses.usual
    /// Whether the built-in client fetches manifest and tag table through the link, instead of having them with its
    /// app.
    package var fetchesManifest = false
    /// Packs that the manifest leaves out, though the tag table names them.
    package var omitted: [String] = []
    package var device: Device
    /// Tags whose packs the host refuses until the client has bought them.
    package var bought: [String] = []
    package var link: Link
    package var workload: Workload
    package var hostFaults: [HostFault]
    /// All faults of the link, those of the schedule included.
    package var linkFaults: [LinkFault]
    /// The faults that are played instead of random ones; its faults of the host are not in ``hostFaults``.
    package var schedule: Schedule?
    package var expectations: Expectations
    /// The budgets for each fidelity of the link; see ``budgets(over:)``.
    package var budgets: [CellBudget]
    package var attempts: Attempts
    /// The quarantine of the whole cell; until it is over, the cell's failures do not count for the run; nil: none.
    package var quarantine: Quarantine?
    /// How long a request waits without progress before it fails.
    package var patience: Duration
    /// The time after which an attempt is ended by force.
    package var deadline: Duration
    /// The time without a sign of life of the client after which an attempt is ended by force; nil: only the deadline.
    package var idleTimeout: Duration?
    /// The place of its scenario in a file; nil for a cell that was not read from a file.
    package var place: SourcePlace?
    /// The scenario's text at this point of its matrix; nil for a cell that was not read from text.
    var source: YAMLNode?
}

extension Cell {
    /// What must be equal before numbers of two runs are compared: the scenario's content, device, faults and workload.
    ///
    /// It leaves out the link, which has a text of its own, the limits on the numbers, and the words of a command,
    /// which is what is tested. It is nil for a cell that was not read from text.
    package var comparedText: String? {
        guard case .mapping(let entries)? = source?.content else { return nil }
        let others = [
            "scenario", "version", "check", "matrix", "cells", "link", "budgets", "expect", "attempts", "deadline",
            "idle-timeout", "quarantine",
        ]
        var kept: [(String, YAMLNode?)] = entries.filter { !others.contains($0.key) }.map { ($0.key, $0.value) }
        if case .command(let command) = workload {
            kept.removeAll { $0.0 == "workload" }
            kept.append(("pack", command.pack.map { .made($0) }))
        }
        // Two hosts differ in their addresses.
        if case .host = content { kept.removeAll { $0.0 == "host" } }
        return YAMLNode.made(kept.sorted { $0.0 < $1.0 }).text
    }

    /// The whole scenario at this point of its matrix; nil for a cell that was not read from text.
    package var text: String? { source?.text }

    /// The place of a key's value in the scenario; nil if the file does not have the key, or the cell was not read from
    /// text.
    package func mark(of key: String) -> Mark? { source?[key]?.mark }

    /// Whether the scenario sets no deadline, so that it follows from what is downloaded.
    package var hasDefaultDeadline: Bool { source.map { $0["deadline"] == nil } ?? false }

    /// The shortest deadline of a scenario that sets none.
    static let leastDeadline = Duration.seconds(120)

    /// A deadline for a cell that takes a perfect client `ideal`: above twice that, in tens of seconds, at least 120 s.
    package static func deadline(ideal: Duration) -> Duration {
        max(leastDeadline, .seconds((ideal.components.seconds * 2 / 10 + 1) * 10))
    }

    /// The link's profile and traces, with the seed of its random decisions.
    package var comparedLink: String {
        let (text, traces) = link.profile.files
        let parts = [text] + traces.sorted { $0.key < $1.key }.map(\.value) + ["seed: \(link.seed)"]
        return parts.joined(separator: "\n")
    }
}

/// The link of a cell.
package struct Link: Hashable, Sendable {
    package typealias Fidelity = LinkFidelity

    /// The profile, with the scenario's changes to it.
    package var profile: Profile
    /// The seed of all random decisions.
    package var seed: UInt64
    package var fidelity: Fidelity
}

/// How often a cell is run.
package struct Attempts: Hashable, Sendable {
    /// The minimum of attempts, at least 1.
    package let min: Int
    /// The maximum of attempts, if the results so far do not suffice for a verdict.
    package let max: Int

    /// Reads a single number: that is the minimum, and three times that is the maximum.
    package init(_ count: Int) { self.init(min: count, max: 3 * count) }

    package init(min: Int, max: Int) {
        precondition(1 <= min && min <= max, "attempts are counted upwards from 1: \(min) to \(max)")
        self.min = min
        self.max = max
    }
}
