package import PackFormat
package import Results

/// A scenario at one point of its matrix: everything that an attempt needs to know.
package struct Cell: Hashable, Sendable {
    /// A value that the matrix gives to a key of the scenario.
    package struct Setting: Hashable, Sendable {
        /// The key's path: `link.profile`.
        package let path: String
        /// The value as it stands in the file, or its number in the list where it is no text.
        package let value: String
    }

    /// A name that files and JUnit can bear, unique among scenarios that were loaded together: `tunnel-3g`.
    package let id: String
    /// The scenario's title, and the point of the matrix: `Level 2 survives the tunnel (link.profile: 3g)`.
    package let title: String
    /// The point of the matrix; empty where there is no matrix.
    package let point: [Setting]

    package let content: Content
    /// Whether the built-in host speaks HTTPS.
    package let tls: Bool
    package let device: Device
    package let link: Link
    package let workload: Workload
    package let hostFaults: [HostFault]
    package let linkFaults: [LinkFault]
    package let expectations: Expectations
    package let budgets: [Budget]
    package let attempts: Attempts
    /// How long a request waits for anything to happen before it fails.
    package let patience: Duration
    /// After how long an attempt is ended by force.
    package let deadline: Duration
}
