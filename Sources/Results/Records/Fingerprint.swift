import Glibc

/// What numbers of two runs must have in common to be compared: the machine's class, the link, what is downloaded, the tools.
package struct Fingerprint: Hashable, Sendable, Codable {
    package var toolVersion: String
    /// `PRETTY_NAME` of os-release(5).
    package var system: String?
    package var kernel: String
    package var architecture: String
    package var processors: Int
    /// The kinds of the machine's processors; nil where unknown.
    package var processorModel: String?
    /// As ``HostFacts/processorLimit``.
    package var processorLimit: Double?
    /// The memory, or what control groups leave of it, rounded to the nearest power of two: machines of one class differ by
    /// what firmware takes.
    package var memoryClassBytes: Int64?
    /// How many attempts went on at once at most, as `--jobs` says, and 1 where there was one in all: they share the machine;
    /// nil in fingerprints of older versions, and where `isAdaptive` is true.
    package var jobs: Int?
    /// Whether Headwind chose how many, as `--jobs auto` says; nil where it did not.
    package var isAdaptive: Bool?
    package var backend: String
    package var fidelity: String
    package var profile: String
    /// A hash of what the profile says, with its seed.
    package var profileDigest: String?
    /// A hash of what the scenario says of content, device, faults and workload, but for the words of a command.
    package var scenarioDigest: String?
    /// A hash of the packs that are served; nil for somebody else's host, whose packs are unknown.
    package var contentDigest: String?
    /// The client's name: `headwind-client`, or that of the program without its folder.
    package var client: String

    package init(
        host: HostFacts, toolVersion: String, link: LinkFacts, profileDigest: String?, scenarioDigest: String?,
        contentDigest: String? = nil, client: String, jobs: Jobs? = nil
    ) {
        self.toolVersion = toolVersion
        system = host.system
        kernel = host.kernel
        architecture = host.architecture
        processors = host.processors
        processorModel = host.processorModel
        processorLimit = host.processorLimit
        memoryClassBytes = [host.memoryBytes, host.memoryLimitBytes].compactMap(\.self).min().flatMap(Self.memoryClass)
        switch jobs {
        case .atMost(let count): self.jobs = count
        case .auto: isAdaptive = true
        case nil: break
        }
        backend = link.backend
        fidelity = link.fidelity
        profile = link.profile
        self.profileDigest = profileDigest
        self.scenarioDigest = scenarioDigest
        self.contentDigest = contentDigest
        self.client = client
    }

    /// How many attempts went on at once.
    package enum Jobs: Hashable, Sendable {
        case atMost(Int)
        /// As many as the machine took.
        case auto
    }

    /// What `--jobs` was; nil where that is not known.
    private var jobsText: String? { isAdaptive == true ? "auto" : jobs.map(String.init) }

    private static func memoryClass(_ bytes: Int64) -> Int64? {
        guard bytes > 0 else { return nil }
        return Int64(exp2(log2(Double(bytes)).rounded()))
    }

    private enum CodingKeys: String, CodingKey {
        case system, kernel, architecture, processors, jobs, backend, fidelity, profile, client
        case toolVersion = "tool_version"
        case processorModel = "processor_model"
        case processorLimit = "processor_limit"
        case memoryClassBytes = "memory_class_bytes"
        case isAdaptive = "jobs_adaptive"
        case profileDigest = "profile_digest"
        case scenarioDigest = "scenario_digest"
        case contentDigest = "content_digest"
    }
}

extension Fingerprint {
    /// What differs between this one and what a baseline has, each as `kernel: 6.1.0 here, 6.12.3 in the baseline`; empty where
    /// they are alike.
    ///
    /// What is not known of one of the machines is unlike nothing: a kernel that does not tell makes no other machine of it.
    /// `here` and `there` are what both are called.
    package func differences(
        from baseline: Fingerprint, here: String = "here", there: String = "in the baseline"
    ) -> [String] {
        func difference(_ name: String, _ one: String?, _ other: String?) -> [String] {
            guard let one, let other, one != other else { return [] }
            return ["\(name): \(one) \(here), \(other) \(there)"]
        }
        func memory(_ bytes: Int64?) -> String? { bytes.map { Quantity(Double($0), .bytes).description } }
        func number(_ value: Double?) -> String? {
            value.map { number in Int(exactly: number).map(String.init) ?? "\(number)" }
        }
        let members: [(name: String, here: String?, there: String?)] = [
            ("system", system, baseline.system),
            ("kernel", kernel, baseline.kernel),
            ("architecture", architecture, baseline.architecture),
            ("processor", processorModel, baseline.processorModel),
            ("processors", String(processors), String(baseline.processors)),
            ("usable processors", number(processorLimit), number(baseline.processorLimit)),
            ("memory", memory(memoryClassBytes), memory(baseline.memoryClassBytes)),
            ("--jobs", jobsText, baseline.jobsText),
        ]
        let machine = members.flatMap { difference($0.name, $0.here, $0.there) }
        let isSameProfile = profile == baseline.profile
        let link =
            difference("backend", backend, baseline.backend) + difference("fidelity", fidelity, baseline.fidelity)
            + difference("profile", profile, baseline.profile)
            + (isSameProfile && profileDigest != baseline.profileDigest
                ? ["profile '\(profile)': its content differs"] : [])
        let tools =
            difference("headwind", toolVersion, baseline.toolVersion) + difference("client", client, baseline.client)
            + (scenarioDigest != baseline.scenarioDigest
                ? ["scenario: its content, device, faults or workload differ"] : [])
            + (contentDigest != baseline.contentDigest ? ["packs: their bytes differ"] : [])
        return machine + link + tools
    }

    /// What the fingerprints of this one's kind have in common, as a text that is the same for all that are alike.
    package var key: String {
        let parts: [String?] = [
            toolVersion, system, kernel, architecture, "\(processors)", memoryClassBytes.map { "\($0)" }, backend,
            fidelity, profile, profileDigest, scenarioDigest, client,
            contentDigest,
        ]
        // Those of older versions keep the key that histories have of them.
        let later: [String?] = [processorModel, processorLimit.map { "\($0)" }, jobsText]
        return (parts + (later.contains { $0 != nil } ? later : [])).map { $0 ?? "" }.joined(separator: "\u{1F}")
    }
}
