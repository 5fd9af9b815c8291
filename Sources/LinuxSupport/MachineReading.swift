package import SystemPackage

/// What the kernel reports about a machine's processors, and about the limits of this process.
package struct MachineReading {
    /// The folder that holds `proc` and `sys`.
    private let root: FilePath

    package init(root: FilePath = FilePath("/")) { self.root = root }

    /// The kind of processor, such as `AMD EPYC 7763 64-Core Processor (family 25, model 1)`.
    ///
    /// Several kinds are joined by "and"; nil if the kernel names none. A hypervisor may hide the name, but seldom the
    /// numbers.
    package var processorModel: String? {
        var (models, fields) = (Set<String>(), [String: String]())
        let contents = (text("proc/cpuinfo") ?? "") + "\n"
        for line in contents.split(separator: "\n", omittingEmptySubsequences: false) {
            if let colon = line.firstIndex(of: ":") {
                fields[Self.trimmed(line[..<colon])] = Self.trimmed(line[line.index(after: colon)...])
            } else {
                // An empty line ends each processor.
                if let model = Self.model(fields) { models.insert(model) }
                fields = [:]
            }
        }
        return models.isEmpty ? nil : models.sorted().joined(separator: " and ")
    }

    /// How many processors this process may keep busy.
    ///
    /// As many as it may run on, or fewer if control groups limit their time; nil if unknown.
    package func processorLimit(of processors: Int) -> Double? {
        let quota = leastLimit(of: "cpu") { group in
            if let fields = text(group + "/cpu.max")?.split(whereSeparator: \.isWhitespace), fields.count == 2 {
                return Self.quota(Double(fields[0]), Double(fields[1]))
            }
            return Self.quota(number(group + "/cpu.cfs_quota_us"), number(group + "/cpu.cfs_period_us"))
        }
        guard let quota else { return nil }
        return min(quota, Double(processors), Double(allowedProcessors ?? processors))
    }

    /// The memory limit of the control groups, in bytes; nil if they set none, or if it is unknown.
    package var memoryLimit: Int64? {
        let limit = leastLimit(of: "memory") { group in
            number(group + "/memory.max") ?? number(group + "/memory.limit_in_bytes")
        }
        return limit.flatMap { Int64(exactly: $0.rounded()) }
    }

    /// How many processes the kernel has killed for lack of memory since boot, in all control groups.
    ///
    /// It is `oom_kill` of proc_vmstat(5); nil before Linux 4.13.
    package var memoryKills: Int? {
        BoundedFile.field("oom_kill ", in: text("proc/vmstat")).flatMap { Int($0) }
    }

    /// How many processors this process may run on, as sched_setaffinity(2) or a cpuset allows.
    private var allowedProcessors: Int? {
        let list = BoundedFile.field("Cpus_allowed_list:", in: text("proc/self/status"))
        guard let list, !list.isEmpty else { return nil }
        var count = 0
        for range in list.split(separator: ",") {
            let ends = range.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first >= 0, first <= last, last < 1 << 20 else {
                return nil
            }
            count += last - first + 1
        }
        return count
    }

    /// The lowest limit of the control groups that this process is in.
    ///
    /// Infinite if none of them sets one; nil if no group is visible.
    private func leastLimit(of controller: String, _ limit: (String) -> Double?) -> Double? {
        let groups = groups(of: controller)
        return groups.isEmpty ? nil : groups.compactMap(limit).min() ?? .infinity
    }

    /// The folders of the groups that this process is in and of their ancestors, relative to `root`; see cgroups(7).
    ///
    /// In a container the mount often begins with the container's own group, and the rest of the path does not exist.
    private func groups(of controller: String) -> [String] {
        var groups: [String] = []
        for line in (text("proc/self/cgroup") ?? "").split(separator: "\n") {
            // A number, controllers, and a path, which may have colons.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let controllers = fields[1].split(separator: ",")
            guard controllers.isEmpty || controllers.contains(where: { $0 == controller }) else { continue }
            let mounts =
                controllers.isEmpty
                ? ["sys/fs/cgroup", "sys/fs/cgroup/unified"] : ["sys/fs/cgroup/\(fields[1])"]
            // cgroup.procs is in every hierarchy, whatever it controls.
            guard let mount = mounts.first(where: { text($0 + "/cgroup.procs") != nil }) else { continue }
            var group = mount
            groups.append(group)
            for part in fields[2].split(separator: "/") {
                group += "/\(part)"
                groups.append(group)
            }
        }
        return groups
    }

    private func number(_ path: String) -> Double? { text(path).flatMap { Double(Self.trimmed($0[...])) } }

    private func text(_ path: String) -> String? { BoundedFile.text(root.appending(path), most: 8 << 20) }

    /// The number of processors: microseconds of their time, divided by those of the period.
    ///
    /// nil if there is no limit: `max`, or -1.
    private static func quota(_ quota: Double?, _ period: Double?) -> Double? {
        guard let quota, let period, quota > 0, period > 0 else { return nil }
        return quota / period
    }

    /// The model, from the fields that /proc/cpuinfo has on x86, Arm, POWER and RISC-V.
    private static func model(_ fields: [String: String]) -> String? {
        let name = ["model name", "cpu", "uarch"].lazy.compactMap { fields[$0] }.first { !$0.isEmpty }
        let numbers = [
            ("family", "cpu family"), ("model", "model"), ("implementer", "CPU implementer"), ("part", "CPU part"),
        ].compactMap { word, key in fields[key].map { "\(word) \($0)" } }
        let detail = numbers.joined(separator: ", ")
        let text = [name, detail.isEmpty ? nil : name == nil ? detail : "(\(detail))"].compactMap(\.self)
        return text.isEmpty ? nil : String(text.joined(separator: " ").prefix(200))
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
