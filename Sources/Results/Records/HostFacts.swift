/// The machine that a run was made on.
package struct HostFacts: Hashable, Sendable, Codable {
    /// `PRETTY_NAME` of os-release(5); nil if unknown.
    package var system: String?
    /// The kernel's release, as uname(2) gives it.
    package var kernel: String
    /// `x86_64`, `aarch64`.
    package var architecture: String
    package var processors: Int
    /// The kinds of its processors, as the kernel names them; nil if unknown.
    package var processorModel: String?
    /// How many processors the run could keep busy, by its control groups and its processor set; nil if unknown.
    package var processorLimit: Double?
    package var memoryBytes: Int64?
    /// The memory that control groups left to the run; nil if that is all, or unknown.
    package var memoryLimitBytes: Int64?
    /// The versions of the software that takes part, by name: `libcurl`.
    package var versions: [String: String] = [:]

    private enum CodingKeys: String, SnakeCaseKey {
        case system, kernel, architecture, processors, versions, processorModel, processorLimit, memoryBytes,
            memoryLimitBytes
    }
}

extension HostFacts {
    /// A machine of which nothing else is known.
    package init(kernel: String, architecture: String, processors: Int) {
        self.init(system: nil, kernel: kernel, architecture: architecture, processors: processors)
    }
}
