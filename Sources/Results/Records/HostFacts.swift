/// The machine that a run was made on.
package struct HostFacts: Hashable, Sendable, Codable {
    /// `PRETTY_NAME` of os-release(5); nil where unknown.
    package var system: String?
    /// The kernel's release, as uname(2) gives it.
    package var kernel: String
    /// `x86_64`, `aarch64`.
    package var architecture: String
    package var processors: Int
    package var memoryBytes: Int64?
    /// The versions of what takes part, by name: `libcurl`.
    package var versions: [String: String]

    package init(
        system: String? = nil,
        kernel: String,
        architecture: String,
        processors: Int,
        memoryBytes: Int64? = nil,
        versions: [String: String] = [:]
    ) {
        self.system = system
        self.kernel = kernel
        self.architecture = architecture
        self.processors = processors
        self.memoryBytes = memoryBytes
        self.versions = versions
    }

    private enum CodingKeys: String, CodingKey {
        case system, kernel, architecture, processors, versions
        case memoryBytes = "memory_bytes"
    }
}
