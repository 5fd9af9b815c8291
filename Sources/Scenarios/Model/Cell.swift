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
    /// Where its scenario stands; nil for a cell that no file was read for.
    package var place: SourcePlace?
    /// The scenario's text at this point of its matrix; nil for a cell that no text was read for.
    var source: YAMLNode?
}
