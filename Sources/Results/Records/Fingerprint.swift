import Glibc

/// What numbers of two runs must have in common to be compared: the machine's class, the link, what is downloaded, the tools.
package struct Fingerprint: Hashable, Sendable, Codable {
    package var toolVersion: String
    /// `PRETTY_NAME` of os-release(5).
    package var system: String?
    package var kernel: String
    package var architecture: String
    package var processors: Int
    /// The memory, rounded to the nearest power of two: machines of one class differ by what firmware takes.
    package var memoryClassBytes: Int64?
    package var backend: String
    package var fidelity: String
    package var profile: String
    /// A hash of what the profile says, with its seed.
    package var profileDigest: String?
    /// A hash of what the scenario says of content, device, faults and workload, but for the words of a command.
    package var scenarioDigest: String?
    /// A hash of the packs that are served; nil for somebody else's host, whose packs nobody knows.
    package var contentDigest: String?
    /// The client's name: `headwind-client`, or that of the program without its folder.
    package var client: String

    package init(
        host: HostFacts, toolVersion: String, link: LinkFacts, profileDigest: String?, scenarioDigest: String?,
        contentDigest: String? = nil, client: String
    ) {
        self.toolVersion = toolVersion
        system = host.system
        kernel = host.kernel
        architecture = host.architecture
        processors = host.processors
        memoryClassBytes = host.memoryBytes.flatMap(Self.memoryClass)
        backend = link.backend
        fidelity = link.fidelity
        profile = link.profile
        self.profileDigest = profileDigest
        self.scenarioDigest = scenarioDigest
        self.contentDigest = contentDigest
        self.client = client
    }

    private static func memoryClass(_ bytes: Int64) -> Int64? {
        guard bytes > 0 else { return nil }
        return Int64(exp2(log2(Double(bytes)).rounded()))
    }

    private enum CodingKeys: String, CodingKey {
        case system, kernel, architecture, processors, backend, fidelity, profile, client
        case toolVersion = "tool_version"
        case memoryClassBytes = "memory_class_bytes"
        case profileDigest = "profile_digest"
        case scenarioDigest = "scenario_digest"
        case contentDigest = "content_digest"
    }
}

extension Fingerprint {
    /// What differs between this one and what a baseline has, each as `kernel: 6.1.0 here, 6.12.3 in the baseline`; empty where
    /// they are alike.
    package func differences(from baseline: Fingerprint) -> [String] {
        func text(_ value: (some CustomStringConvertible)?) -> String { value.map { "\($0)" } ?? "unknown" }
        func difference(_ name: String, _ here: String, _ there: String) -> [String] {
            here == there ? [] : ["\(name): \(here) here, \(there) in the baseline"]
        }
        func memory(_ bytes: Int64?) -> String { bytes.map { Quantity(Double($0), .bytes).description } ?? "unknown" }
        let machine =
            difference("system", text(system), text(baseline.system))
            + difference("kernel", kernel, baseline.kernel)
            + difference("architecture", architecture, baseline.architecture)
            + difference("processors", "\(processors)", "\(baseline.processors)")
            + difference("memory", memory(memoryClassBytes), memory(baseline.memoryClassBytes))
        let isSameProfile = profile == baseline.profile
        let link =
            difference("backend", backend, baseline.backend) + difference("fidelity", fidelity, baseline.fidelity)
            + difference("profile", profile, baseline.profile)
            + (isSameProfile && profileDigest != baseline.profileDigest
                ? ["profile '\(profile)': what it says is not what it said"] : [])
        let tools =
            difference("headwind", toolVersion, baseline.toolVersion) + difference("client", client, baseline.client)
            + (scenarioDigest != baseline.scenarioDigest ? ["scenario: what is done is not what was done"] : [])
            + (contentDigest != baseline.contentDigest ? ["packs: they are not those that were downloaded"] : [])
        return machine + link + tools
    }

    /// What the fingerprints of this one's kind have in common, as a text that is the same for all that are alike.
    package var key: String {
        let parts: [String?] = [
            toolVersion, system, kernel, architecture, "\(processors)", memoryClassBytes.map { "\($0)" }, backend,
            fidelity, profile, profileDigest, scenarioDigest, client,
            contentDigest,
        ]
        return parts.map { $0 ?? "" }.joined(separator: "\u{1F}")
    }
}
