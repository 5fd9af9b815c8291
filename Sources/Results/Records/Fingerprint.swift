import Glibc

/// What two runs must have in common so that their numbers can be compared: machine class, link, content and tools.
package struct Fingerprint: Hashable, Sendable, Codable {
    package var toolVersion: String
    /// `PRETTY_NAME` of os-release(5).
    package var system: String?
    package var kernel: String
    package var architecture: String
    package var processors: Int
    /// The kinds of the machine's processors; nil if unknown.
    package var processorModel: String?
    /// The same as ``HostFacts/processorLimit``.
    package var processorLimit: Double?
    /// The memory, or what control groups leave of it, rounded to the nearest power of two.
    ///
    /// Firmware takes different amounts on machines of one class.
    package var memoryClassBytes: Int64?
    /// The most attempts that ran at the same time and shared the machine, as `--jobs` says; 1 if there was only one.
    ///
    /// Nil in fingerprints of older versions, and if `isAdaptive` is true.
    package var jobs: Int?
    /// Whether Headwind chose that number, as `--jobs auto` says; nil if it did not.
    package var isAdaptive: Bool?
    package var backend: String
    package var fidelity: String
    package var profile: String
    /// A hash of the profile's content, with its seed.
    package var profileDigest: String?
    /// A hash of the scenario's content, device, faults and workload, without the words of a command.
    package var scenarioDigest: String?
    /// A hash of the packs that are served; nil for a host that is not Headwind's, whose packs are unknown.
    package var contentDigest: String?
    /// The client's name: `headwind-client`, or that of the program without its folder.
    package var client: String

    /// How many attempts ran at the same time.
    package enum Jobs: Hashable, Sendable {
        case atMost(Int)
        /// As many as the machine could take.
        case auto
    }

    /// The value of `--jobs`; nil if unknown.
    private var jobsText: String? { isAdaptive == true ? "auto" : jobs.map(String.init) }

    private static func memoryClass(_ bytes: Int64) -> Int64? {
        guard bytes > 0 else { return nil }
        return Int64(exp2(log2(Double(bytes)).rounded()))
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case system, kernel, architecture, processors, jobs, backend, fidelity, profile, client, toolVersion,
            processorModel, processorLimit, memoryClassBytes
        case isAdaptive = "jobs_adaptive"
        case profileDigest, scenarioDigest, contentDigest
    }
}

extension Fingerprint {
    /// What the run on a machine has, with the link of its cell; `jobs` is the value of `--jobs`, nil if unknown.
    package init(
        host: HostFacts, toolVersion: String, link: LinkFacts, profileDigest: String?, scenarioDigest: String?,
        contentDigest: String? = nil, client: String, jobs: Jobs? = nil
    ) {
        let memory = [host.memoryBytes, host.memoryLimitBytes].compactMap(\.self).min()
        self.init(
            toolVersion: toolVersion, system: host.system, kernel: host.kernel, architecture: host.architecture,
            processors: host.processors, processorModel: host.processorModel, processorLimit: host.processorLimit,
            memoryClassBytes: memory.flatMap(Self.memoryClass), backend: link.backend, fidelity: link.fidelity,
            profile: link.profile, profileDigest: profileDigest, scenarioDigest: scenarioDigest,
            contentDigest: contentDigest, client: client)
        switch jobs {
        case .atMost(let count): self.jobs = count
        case .auto: isAdaptive = true
        case nil: break
        }
    }

    /// The differences between this one and a baseline's, each as `kernel: 6.1.0 here, 6.12.3 in the baseline`.
    ///
    /// Empty if they are alike. A property that is unknown for one of the machines is no difference: a kernel that does
    /// not report it makes no other machine. `here` and `there` are the names of the two in the text.
    package func differences(
        from baseline: Fingerprint, here: String = "here", there: String = "in the baseline"
    ) -> [String] {
        func differences(_ members: (Self) -> [(name: String, value: String?)]) -> [String] {
            zip(members(self), members(baseline)).compactMap { own, other in
                guard let one = own.value, let two = other.value, one != two else { return nil }
                return "\(own.name): \(one) \(here), \(two) \(there)"
            }
        }
        let isSameProfile = profile == baseline.profile
        return differences(\.machineAndLink)
            + (isSameProfile && profileDigest != baseline.profileDigest
                ? ["profile '\(profile)': its content differs"] : [])
            + differences { [("headwind", $0.toolVersion), ("client", $0.client)] }
            + (scenarioDigest != baseline.scenarioDigest
                ? ["scenario: its content, device, faults or workload differ"] : [])
            + (contentDigest != baseline.contentDigest ? ["packs: their bytes differ"] : [])
    }

    private var machineAndLink: [(name: String, value: String?)] {
        let usable = processorLimit.map { number in Int(exactly: number).map(String.init) ?? "\(number)" }
        return [
            ("system", system), ("kernel", kernel), ("architecture", architecture), ("processor", processorModel),
            ("processors", String(processors)), ("usable processors", usable),
            ("memory", memoryClassBytes.map { Quantity(Double($0), .bytes).description }), ("--jobs", jobsText),
            ("backend", backend), ("fidelity", fidelity), ("profile", profile),
        ]
    }

    /// A text that is the same for all fingerprints that are alike.
    package var key: String {
        let parts: [String?] = [
            toolVersion, system, kernel, architecture, "\(processors)", memoryClassBytes.map { "\($0)" }, backend,
            fidelity, profile, profileDigest, scenarioDigest, client,
            contentDigest,
        ]
        // Fingerprints of older versions keep the key that histories have of them.
        let later: [String?] = [processorModel, processorLimit.map { "\($0)" }, jobsText]
        return (parts + (later.contains { $0 != nil } ? later : [])).map { $0 ?? "" }.joined(separator: "\u{1F}")
    }
}
