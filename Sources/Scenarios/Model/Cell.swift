package import LinkModel
package import PackFormat
package import Results

/// A scenario at one point of its matrix: everything that an attempt needs to know.
package struct Cell: Hashable, Sendable {
    /// A value that the matrix gives to a key of the scenario.
    package struct Setting: Hashable, Sendable {
        /// The key's path: `link.profile`.
        package var path: String
        /// The value as it stands in the file, or its number in the list where it is no text.
        package var value: String
    }

    /// A name that files and JUnit can bear, unique among scenarios that were loaded together: `tunnel-3g`.
    package var id: String
    /// The scenario's title: `Level 2 survives the tunnel`.
    package var title: String
    /// The point of the matrix; empty where there is no matrix.
    package var point: [Setting]

    package var content: Content
    /// Whether the built-in host speaks HTTPS.
    package var tls: Bool
    /// What is wrong with its TLS on purpose.
    package var tlsFault: TLSFault?
    /// Whether its TLS offers HTTP/2.
    package var http2 = false
    /// The addresses of the host's names, in a sandbox.
    package var addresses = HostAddresses.usual
    /// Whether the built-in client fetches manifest and tag table through the link, and has none with its app.
    package var fetchesManifest = false
    /// Packs that the manifest leaves out, though the tag table names them.
    package var omitted: [String] = []
    package var device: Device
    /// Tags whose packs the host refuses until the client has bought them.
    package var bought: [String] = []
    package var link: Link
    package var workload: Workload
    package var hostFaults: [HostFault]
    /// Those of the schedule among them.
    package var linkFaults: [LinkFault]
    /// What is played in the place of chance; its faults of the host are not among ``hostFaults``.
    package var schedule: Schedule?
    package var expectations: Expectations
    /// Those for each fidelity of the link; see ``budgets(over:)``.
    package var budgets: [CellBudget]
    package var attempts: Attempts
    /// In which the whole cell is; its failures do not count for the run until that is over.
    package var quarantine: Quarantine?
    /// How long a request waits for anything to happen before it fails.
    package var patience: Duration
    /// After how long an attempt is ended by force.
    package var deadline: Duration
    /// After how long without a sign of life of the client an attempt is ended by force; nil: only at its deadline.
    package var idleTimeout: Duration?
    /// Where its scenario stands; nil for a cell that no file was read for.
    package var place: SourcePlace?
    /// The scenario's text at this point of its matrix; nil for a cell that no text was read for.
    var source: YAMLNode?
}

extension Cell {
    /// What must be the same for numbers of two runs to be compared: what the scenario says of content, device, faults and
    /// workload.
    ///
    /// Not the link, which has a text of its own, nor what is asked of the numbers, nor the words of a command: those are what
    /// is tested. Nil for a cell that no text was read for.
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
        // Its address is what two hosts differ in.
        if case .host = content { kept.removeAll { $0.0 == "host" } }
        return YAMLNode.made(kept.sorted { $0.0 < $1.0 }).text
    }

    /// All that the scenario says at this point of its matrix; nil for a cell that no text was read for.
    package var text: String? { source?.text }

    /// What the link does, with the seed of its chance.
    package var comparedLink: String {
        let (text, traces) = link.profile.files
        let parts = [text] + traces.sorted { $0.key < $1.key }.map(\.value) + ["seed: \(link.seed)"]
        return parts.joined(separator: "\n")
    }
}

/// The link of a cell.
package struct Link: Hashable, Sendable {
    package typealias Fidelity = LinkFidelity

    /// The profile, with what the scenario changes about it.
    package var profile: Profile
    /// What random decisions are keyed with.
    package var seed: UInt64
    package var fidelity: Fidelity
}

/// How often a cell is run.
package struct Attempts: Hashable, Sendable {
    /// So often at least.
    package let min: Int
    /// So often at most, where what was measured does not suffice for a verdict.
    package let max: Int

    /// What a single number asks for: so many that count, and up to three times as many where they do not suffice.
    package init(_ count: Int) {
        self.init(min: count, max: 3 * count)
    }

    package init(min: Int, max: Int) {
        precondition(1 <= min && min <= max, "attempts are counted upwards from 1: \(min) to \(max)")
        self.min = min
        self.max = max
    }
}
